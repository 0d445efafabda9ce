#!/bin/sh
# Every malformed scene of scenes/ is refused: exit code 3 (or the one in the last column of
# expected.tsv), one line on stderr, besides warnings, that names
# the place and the cause, and nothing written. Both by validate and by run.
# usage: bad_scenes.sh RILL
rill=$(realpath "$1") || exit 2
cd "$(dirname "$0")/scenes" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
run=
"$rill" --help | grep -q '^  run ' && run=yes

problem() {
    echo "$file: $1: $2"
    bad=yes
}

# attempt NAME COMMAND...: one of the two commands on $file
attempt() {
    name=$1
    shift
    "$@" > "$work/stdout" 2> "$work/stderr"
    code=$?
    [ $code -eq "$wanted" ] || problem "$name" "exit code $code instead of $wanted"
    lines=$(grep -vc '^rill: warning: ' "$work/stderr")
    [ "$lines" -eq 1 ] || problem "$name" "$lines lines on stderr instead of 1"
    [ -s "$work/stdout" ] && problem "$name" "something on stdout"
    grep -qF -e "$file:$line:$column: " "$work/stderr" || problem "$name" "no $file:$line:$column in: $(cat "$work/stderr")"
    grep -qF -e "$part" "$work/stderr" || problem "$name" "no \"$part\" in: $(cat "$work/stderr")"
    [ -e "$work/out" ] && problem "$name" "something was written"
    rm -rf "$work/out"
}

tab=$(printf '\t')
while IFS=$tab read -r file line column part wanted; do
    [ -n "$file" ] || continue
    : "${wanted:=3}"
    bad=
    attempt validate "$rill" validate "$file"
    [ -n "$run" ] && attempt run "$rill" run "$file" --out "$work/out"
    if [ -n "$bad" ]; then failed=$((failed + 1)); else passed=$((passed + 1)); fi
done < expected.tsv

for file in *.json; do
    grep -q "^$file$tab" expected.tsv || { echo "$file: not in expected.tsv"; failed=$((failed + 1)); }
done
for file in $(cut -f 1 expected.tsv); do
    [ -e "$file" ] || { echo "$file: in expected.tsv, but not there"; failed=$((failed + 1)); }
done

echo "bad scenes: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -ge 60 ]
