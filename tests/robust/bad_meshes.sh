#!/bin/sh
# Malformed mesh files, made afresh, through the reader (all) and through rill info (a part of
# them): refused with status 4 and one line that names the place.
# usage: bad_meshes.sh BAD_MESHES RILL
reader=$(realpath "$1") && rill=$(realpath "$2") || exit 2
command -v python3 > /dev/null || { echo "bad meshes: python3 is missing"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
python3 "$here/make_bad_meshes.py" "$work/files" || exit 2
for kind in obj ply stl; do
    n=$(ls "$work/files" | grep -c "\.$kind\$")
    echo "bad meshes: $n of $kind"
    [ "$n" -ge 300 ] || exit 1
done
"$reader" "$work/files" || exit 1

cd "$work/files" || exit 2
passed=0
failed=0
# Every 17th, and the heavy ones at the end.
for file in $(awk -F '\t' 'NR % 17 == 0 || $2 == "any" { print $1 ":" $2 }' expected.tsv); do
    outcome=${file#*:}
    file=${file%%:*}
    "$rill" info "$file" > "$work/stdout" 2> "$work/stderr"
    code=$?
    if [ $code -eq 0 ] && [ "$outcome" = any ]; then
        passed=$((passed + 1))
    elif [ $code -eq 0 ] && [ "${file%.ply}" != "$file" ] && ! grep -q "^[0-9]* face$" "$work/stdout"; then
        # No faces by that name: not a mesh, but a PLY file that rill info describes.
        passed=$((passed + 1))
    elif [ $code -eq 4 ] && [ "$(wc -l < "$work/stderr")" -eq 1 ] && [ ! -s "$work/stdout" ] &&
        grep -qF "$file:" "$work/stderr"; then
        passed=$((passed + 1))
    else
        echo "$file: rill info: exit code $code: $(head -n 3 "$work/stderr")"
        failed=$((failed + 1))
    fi
done
echo "rill info: $passed passed, $failed failed"
[ $failed -eq 0 ]
