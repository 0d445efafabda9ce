#!/bin/sh
# An include across layers must not compile.
#   layers.sh SOURCE-FOLDER BUILD-FOLDER
# Takes the real compile command of a file of the layer from compile_commands.json,
# and puts a one-line file through it. A forbidden header must be one the compiler
# cannot find; an allowed one must compile, so that the check itself is checked.
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

# The compiler and its flags for a layer, without input and output.
flags_of() {
    sed -n 's/^ *"command": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" |
        grep "CMakeFiles/rill_$1\.dir/" | head -n 1 | sed 's/ -o .*//; s/\\"/"/g'
}

# try LAYER HEADER: 0 when a file of the layer may include the header.
try() {
    flags=$(flags_of "$1")
    [ -n "$flags" ] || { echo "no file of layer $1 in compile_commands.json"; exit 1; }
    [ -f "$source/$(folder_of "${2%%/*}")/${2#*/}" ] || { echo "there is no $2"; exit 1; }
    printf '#include "%s"\nextern int nothing;\n' "$2" >"$work/probe.c"
    (cd "$build" && eval "$flags -fsyntax-only '$work/probe.c'") 2>"$work/errors"
}

folder_of() {
    case $1 in
    sph) echo src/methods/sph ;;
    bench) echo bench ;;
    verify) echo tests/verify ;;
    *) echo "src/$1" ;;
    esac
}

allowed() {
    if try "$1" "$2"; then echo "ok: $1 may include $2"; else
        cat "$work/errors"
        fail "$1 may include $2, but it does not compile"
    fi
}

forbidden() {
    if try "$1" "$2"; then
        fail "$1 must not include $2, but it compiles"
    elif grep -q "$2.*No such file\|$2. file not found" "$work/errors"; then
        echo "ok: $1 cannot include $2"
    else
        cat "$work/errors"
        fail "$1 includes $2 and fails, but not for want of the file"
    fi
}

allowed base base/memory.h
allowed geom base/memory.h
allowed geom geom/shape.h
allowed flow geom/shape.h
allowed surface flow/particles.h
allowed sph flow/method.h
allowed sph surface/surface.h
allowed io flow/method.h
allowed render flow/method.h
allowed run sph/sph.h
allowed run render/render.h
allowed api run/registry.h
allowed cli run/registry.h

forbidden base geom/shape.h
forbidden base flow/scene.h
forbidden geom flow/method.h
forbidden geom surface/surface.h
forbidden flow io/json.h
forbidden flow sph/sph.h
forbidden flow surface/surface.h
forbidden surface sph/sph.h
forbidden surface io/json.h
forbidden sph io/json.h
forbidden sph run/registry.h
forbidden sph render/render.h
forbidden io sph/sph.h
forbidden io surface/surface.h
forbidden io run/registry.h
forbidden render run/registry.h
forbidden render sph/sph.h
forbidden run cli/options.h
forbidden api cli/options.h
forbidden api sph/sph.h
forbidden verify cli/options.h
forbidden cli sph/sph.h

# The links that make up the include path can be left through "..": nobody may.
if grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]([^">]*/)?\.\./' \
    "$source/src" "$source/include" "$source/tests" "$source/bench" --include='*.[ch]'; then
    fail "includes must name the layer, not go through \"..\""
else
    echo "ok: no include goes through \"..\""
fi

echo "$failures failures"
[ "$failures" -eq 0 ]
