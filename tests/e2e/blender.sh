#!/bin/bash
# blender.sh PROGRAM SOURCE-FOLDER [PICTURE]: a small run in Blender, through the script and the mesh cache.
# Left out (77) where there is no Blender: Debian's package is large, and ./test does not install it.
set -u
program=$1
source=$2
picture=${3:-}
command -v blender >/dev/null || { echo "there is no blender here (Debian: blender)"; exit 77; }
. "$source/tests/robust/runs.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
small_scene sph >"$work/small.json"
"$program" run "$work/small.json" --out "$work/run" --frames 3 --no-render --quiet >"$work/log" 2>&1 &&
    "$program" export "$work/run" mantaflow --out "$work/cache" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
PYTHONDONTWRITEBYTECODE=1 blender -b --factory-startup -P "$source/tests/e2e/blender_read.py" -- \
    "$source" "$work/run" "$work/cache" "${picture:-$work/picture.png}" >"$work/blender.log" 2>&1
kept=$(dirname "${picture:-$work/picture.png}")/kept.blend
PYTHONDONTWRITEBYTECODE=1 blender -b --factory-startup --enable-autoexec "$kept" -P "$source/tests/e2e/blender_again.py" -- \
    "$source" "$work/run" >>"$work/blender.log" 2>&1
[ -z "$picture" ] || rm -f "$kept"
if grep -qx agrees "$work/blender.log" && grep -qx follows "$work/blender.log"; then
    echo "frames 0, 1 and 3 agree in Blender, loaded and from the cache; the liquid still moves in a file that was saved"
else
    tail -n 30 "$work/blender.log"
    exit 1
fi
