#!/bin/sh
# An include across layers must not compile.
#   layers.sh SOURCE-FOLDER BUILD-FOLDER
# Every layer and every room is probed with one header of every other. CMakeLists.txt says which it
# may see (build/*/layers.txt), and the table of docs/architecture.md must say the same. The probe
# goes through the real compile command of the layer, from compile_commands.json.
set -eu
source=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# The layers and what each sees, a line each: "name folder: layer layer ...", as CMake wrote them.
table=$build/layers.txt

# The compiler and its flags for a layer, without input and output.
flags_of() {
    sed -n 's/^ *"command": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" |
        grep "CMakeFiles/rill_$(echo "$1" | tr / _)\.dir/" | head -n 1 | sed 's/ -o .*//; s/\\"/"/g'
}

while read -r layer folder sees; do
    flags=$(flags_of "$layer")
    [ -n "$flags" ] || { fail "no file of layer $layer in compile_commands.json"; continue; }
    while read -r other other_folder _; do
        for header in "$source/${other_folder%:}"/*.h; do
            [ -f "$header" ] || continue
            header=$other/$(basename "$header")
            printf '#if __has_include("%s")\nfound %s\n#else\nhidden %s\n#endif\n' "$header" "$other" "$other"
            break
        done
    done <"$table" >"$work/probe.c"
    if ! (cd "$build" && eval "$flags -E -P '$work/probe.c'") >"$work/answers" 2>"$work/errors"; then
        cat "$work/errors"
        fail "the probe of $layer does not go through its compile command"
    fi
    while read -r answer other; do
        case " $layer $sees " in *" $other "*) wanted=found ;; *) wanted=hidden ;; esac
        [ "$answer" = "$wanted" ] || fail "headers of $other are $answer in layer $layer; expected: $wanted"
    done <"$work/answers"
    [ "$(wc -l <"$work/answers")" -ge 10 ] || fail "the probe of $layer answered too little"
    echo "ok: $layer sees${sees:+ }$sees"
done <"$table"

# The table of docs/architecture.md names the same.
while read -r layer folder sees; do
    row=$(grep "^| $layer | ${folder%:} |" "$source/docs/architecture.md" | sed 's/ *|$//; s/.*| *//')
    said=$(echo "$row" | sed 's/\ball of geom\b/'"$(sed -n 's,^\(geom/[a-z]*\) .*,\1,p' "$table" | tr '\n' ' ' | sed 's,/,\\/,g')"'/; s/\ball of sph\b/'"$(sed -n 's,^\(sph/[a-z]*\) .*,\1,p' "$table" | tr '\n' ' ' | sed 's,/,\\/,g')"'/; s/\bthe methods\b/'"$(sed -n 's,^\([a-z]*\) src/methods.*,\1,p' "$table" | tr '\n' ' ')"'/' | tr -s ' ' '\n' | sort | tr '\n' ' ')
    real=$(echo "$sees" | tr -s ' ' '\n' | sort | tr '\n' ' ')
    [ "$(echo $said)" = "$(echo $real)" ] ||
        fail "docs/architecture.md: layer $layer sees \"$(echo $said)\", CMakeLists.txt says \"$(echo $real)\""
done <"$table"

# ".." leads out of the links that make up the include path: no source may use it.
if grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]([^">]*/)?\.\./' \
    "$source/src" "$source/include" "$source/tests" "$source/bench" --include='*.[ch]'; then
    fail "includes must name the layer, not go through \"..\""
else
    echo "ok: no include goes through \"..\""
fi

echo "$failures failures"
[ "$failures" -eq 0 ]
