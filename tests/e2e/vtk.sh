#!/bin/bash
# vtk.sh PROGRAM SOURCE-FOLDER: a small run with "vtk" among its formats, read back by VTK.
set -u
program=$1
source=$2
. "$source/tests/robust/runs.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
small_scene sph >"$work/small.json"
"$program" run "$work/small.json" --out "$work/run" --frames 3 --no-render --quiet \
    --set 'output.formats=["ply", "vtk"]' >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$program" export "$work/run" vtk --z-up --out "$work/up" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
# Debian's Python, which has Debian's VTK.
python=/usr/bin/python3
[ -x $python ] || python=python3
$python -B "$source/tests/e2e/vtk_read.py" "$work/run" "$work/up"
