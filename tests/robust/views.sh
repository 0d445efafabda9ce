#!/bin/bash
# views.sh PROGRAM: methods without particles, one with a surface of its own and one without, through every command.
# PROGRAM is `rill` with these methods in its registry.
set -u
program=$(realpath "$1") || exit 2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/runs.bash"

work=$(work_folder)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0

cat >slosh.json <<END
{ "rill": 1, "name": "slosh", "method": "slosh", "spacing": 0.1,
  "domain": { "min": [0, 0, 0], "max": [1.2, 0.8, 0.4] },
  "time": { "frames": 4, "fps": 40 },
  "liquid": [ { "shape": { "box": { "min": [0, 0, 0], "max": [1.2, 0.4, 0.4] } } } ],
  "tracers": [ { "shape": { "box": { "min": [0.1, 0.1, 0.1], "max": [0.4, 0.3, 0.3] } }, "count": 200 } ],
  "gauges": [ { "name": "P", "pressure": [0.6, 0.05, 0.2] } ],
  "output": { "width": 64, "height": 48, "checkpoint": 1, "cells": true, "video": false, "formats": ["ply", "vtk"] } }
END
gas="--method breeze --set liquid=[]"

count_of() { find "$1" -name "$2" | wc -l; }
has() { [ "$(count_of "$1" "$2")" -eq "$3" ]; } # FOLDER PATTERN COUNT

expect "validate" 0 "up to 384 cells" "$program" validate slosh.json
expect "estimate" 0 "cells      384" "$program" run slosh.json --estimate
expect "run" 0 "4 frames" "$program" run slosh.json --out liquid --quiet
# shellcheck disable=SC2086
expect "run a gas" 0 "4 frames" "$program" run slosh.json $gas --out gas --quiet
for kind in surface cells tracers; do
    holds "liquid: $kind" has liquid/frames "${kind}_*.ply" 5
    holds "liquid: $kind" has liquid/frames "${kind}_*.vtp" 5
done
holds "no particles" has liquid/frames "particles*" 0
holds "the gas has no surface" has gas/frames "surface*" 0
for run in liquid gas; do
    holds "$run: images" has $run/images "*.png" 5
    expect "$run: info" 0 "cells" "$program" info $run
    expect "$run: plots" 0 "sheet.png" "$program" info $run --plot
    cp -r $run longer
    expect "$run: resume" 0 "6 frames" "$program" resume longer --frames 6 --quiet
    options=""
    [ $run = gas ] && options=$gas
    # shellcheck disable=SC2086
    expect "$run: at once" 0 "6 frames" "$program" run slosh.json $options --frames 6 --out whole --quiet
    holds "$run: resumed as if never stopped" same_run whole longer
    rm -rf longer whole

    cp -r $run/frames before
    expect "$run: surface" 2 "has no particles to make a surface from" "$program" surface $run
    holds "$run: frames are left alone" diff -rq before $run/frames
    rm -rf before

    cp -r $run/images before
    expect "$run: render" 0 "0000.png to 0004.png" "$program" render $run
    holds "$run: the pictures of the run" diff -rq before $run/images
    rm -rf before
    expect "$run: cells cut" 0 "slices/0002.png" "$program" render $run --slice z=0.2 --look cells --frames 2:2
    expect "$run: no rays at particles" 2 "has no particles" "$program" render $run --iso
    expect "$run: ply" 0 "5 frames" "$program" export $run ply --out "$run.ply"
    expect "$run: vtk" 0 "5 frames" "$program" export $run vtk --out "$run.vtk"
    holds "$run: cells exported" has "$run.vtk" "cells_*.vtp" 5
done
expect "mantaflow" 0 "5 frames" "$program" export liquid mantaflow --out manta
expect "no mesh for mantaflow" 4 "has no surface" "$program" export gas mantaflow --out none
expect "compare" 0 "sheet.png" "$program" compare liquid gas --rows 2 --width 64
sed 's/"method": "slosh"/"method": "sph"/' slosh.json >sph.json
expect "sph" 0 "1 frames" "$program" run sph.json --out sph --frames 1 --quiet
expect "compare with particles" 0 "sheet.png" "$program" compare liquid sph --rows 2 --width 64
# Only tracers or only cells are left.
rm gas/frames/tracers* gas/images/*
expect "cells alone" 0 "0000.png to 0004.png" "$program" render gas
rm liquid/frames/surface* liquid/frames/cells*
expect "tracers alone" 0 "0000.png to 0004.png" "$program" render liquid

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
