#!/bin/bash
# run_folder.sh PROGRAM: what rill run, resume and info answer when things are not as they should be:
# exit codes, messages, and what is on the disk afterwards.
set -u
program=$(realpath "$1") || exit 2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/runs.bash"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Without the pre-roll, whose frames the numbers of checkpoints count.
small_scene sph | sed 's/, "preroll": [0-9.]*//' >"$work/small.json"
cd "$work" || exit 1
passed=0 failed=0

# Before anything is written.
expect "estimate" 0 "particles" "$program" run small.json --estimate
expect "estimate as JSON" 0 '"memory_bytes":' "$program" run small.json --estimate --json
expect "no such scene" 4 "nothing.json" "$program" run nothing.json
expect "too much for the memory" 6 "spacing" "$program" run small.json --frames 1000000 --set "emitters[0].speed=300" --set "emitters[0].end=30000"
expect "a frame count that is none" 2 "--frames" "$program" run small.json --frames 0
expect "both ways" 2 "exclude" "$program" run small.json --render --no-render
expect "nothing to resume" 4 "no run here" "$program" resume out/small
expect "nothing to tell" 4 "no such run" "$program" info out/small
holds "nothing was written" test ! -e out
expect "a folder that cannot be made" 5 "small.json" "$program" run small.json --out small.json/x

# A run, and again.
expect "run" 0 "out/small/frames" "$program" run small.json --frames 3 --quiet
expect "there is one already" 2 "--force" "$program" run small.json --frames 3 --quiet
expect "its own scene" 2 "overwrite" "$program" run out/small/scene.json --out out/small --force
expect "force" 0 "images" "$program" run small.json --frames 3 --quiet --force
expect "finished" 0 "finished" "$program" resume out/small
expect "fewer frames than there are" 2 "already" "$program" resume out/small --frames 2
expect "longer" 0 "4 frames" "$program" resume out/small --frames 4 --quiet
expect "info of a run" 0 "complete" "$program" info out/small
expect "info of particles" 0 "density" "$program" info out/small/frames/particles_0001.ply
expect "info of a surface" 0 "face" "$program" info out/small/frames/surface_0001.ply
expect "info of a checkpoint" 0 "sound" "$program" info out/small/checkpoints/0004.rill
expect "info of something else" 4 "neither" "$program" info small.json
# Looking at it.
expect "at one glance" 0 "out/small/sheet.png" "$program" info out/small --plot
holds "the plots are there" test -s out/small/plot.svg -a -s out/small/plot.png
expect "plot of a file" 2 "run folders" "$program" info small.json --plot
expect "compare" 0 "both/sheet.png" "$program" compare out/small out/small --out both --rows 2 --width 64
printf 't,h\n0,0.1\n0.1,0.2\n' >measured.csv
expect "with data" 0 "both/plot.png" "$program" compare out/small --out both --rows 1 --width 64 --data H=measured.csv
expect "data for nothing" 2 "there are energy" "$program" compare out/small --out both --data Q=measured.csv
expect "data that is none" 2 "PLOT=FILE" "$program" compare out/small --out both --data measured.csv
expect "compare with nothing" 4 "scene.json" "$program" compare out/small out/none --out both
expect "a cut" 0 "slices/0000.png" "$program" render out/small --slice z=0.24 --width 96 --height 64
expect "a cut of discs" 0 "slices" "$program" render out/small --slice y --look particles --color density --frames 2:2
expect "no such plane" 2 "x=0.5" "$program" render out/small --slice w
expect "a plane outside" 2 "outside the domain" "$program" render out/small --slice x=9
expect "export" 0 "frames in meshes" "$program" export out/small mantaflow --out meshes
holds "a mesh cache" gzip -t meshes/mesh/fluid_mesh_0001.bobj.gz
expect "export, z up" 0 "frames in up" "$program" export out/small ply --z-up --out up
holds "other files than the run's" not cmp -s up/particles_0002.ply out/small/frames/particles_0002.ply
expect "export for ParaView" 0 "frames in up" "$program" export out/small vtk --out up
holds "an index" test -s up/surface.pvd -a -s up/particles.pvd
expect "export to something else" 2 "mantaflow, vtk, ply" "$program" export out/small usd
expect "rays at the field" 0 "images/0002.png" "$program" render out/small --iso --frames 2:2
expect "tetrahedra" 0 "slices" "$program" render out/small --slice x --look tets --color vy --range -1:1 --frames 2:2
expect "no such look of a cut" 2 "voronoi" "$program" render out/small --slice x --look surface
expect "no such range" 2 "smaller" "$program" render out/small --slice x --range 2:1
expect "a cut and rays" 2 "exclude" "$program" render out/small --slice x --iso
rm -r meshes up out/small/slices
expect "cells of the grid" 0 "frames" "$program" run small.json --method grid --frames 2 --out cubes --quiet --no-render --set output.cells=true
expect "exported too" 0 "3 frames" "$program" export cubes vtk --out up
holds "cells for ParaView" test -s up/cells_0001.vtp -a -s up/cells.pvd
expect "their file" 0 "pressure" "$program" info cubes/frames/cells_0001.ply
expect "a cut through them" 0 "slices" "$program" render cubes --slice z --color level
expect "none of their columns" 2 "speed, vx, vy, vz, pressure, level" "$program" render cubes --slice z --color depth
rm cubes/frames/cells_*
expect "without them" 2 "output.cells=true" "$program" render cubes --slice z --color level
rm -r cubes

# Half copied: a frame is missing, another is cut off, the statistics end in the middle of a line.
cp -r out/small half
rm half/frames/*_0002.ply half/images/0002.png
truncate -s -100 half/frames/surface_0001.ply half/frames/particles_0003.ply half/frames/surface_0003.ply
printf '{"frame":9,"t":' >>half/stats.jsonl
for what in "info half" "info half --plot" "compare half out/small --out both --rows 5 --width 64" "render half" \
    "render half --iso" "render half --slice z" "export half vtk --out up" "export half mantaflow --out up"; do
    expect "$what: a frame is missing" 0 "first of them 2" "$program" $what
    case $what in info\ half) continue ;; esac
    expect "$what: a file is cut off" 0 "particles_0003.ply" "$program" $what
done
for what in "info half" "info half --plot" "compare half out/small --out both --rows 5 --width 64"; do
    expect "$what: and half a line" 0 "stats.jsonl:" "$program" $what
done
expect "what there is of a frame is drawn" 0 "surface_0001.ply" "$program" render half --frames 1:1
expect "nothing of a frame" 4 "none can be drawn" "$program" render half --frames 3:3
holds "the others are exported" test -s up/particles_0004.vtp -a -s up/mesh/fluid_mesh_0005.bobj.gz
holds "only what is there is in the index" not grep -q "particles_0003\|surface_000[13]" up/particles.pvd up/surface.pvd
holds "and that is" grep -q particles_0001 up/particles.pvd
cp -r half unknown
rm half/run.json
for what in "info half" "compare half --out both --rows 1 --width 64" "render half --frames 0:0" "export half ply --out up"; do
    expect "$what: without run.json" 0 "half copied" "$program" $what
done
rm half/scene.json
expect "info: without a scene" 0 "last step" "$program" info half
expect "plots: without a scene" 0 "plot.png" "$program" info half --plot
expect "compare: without a scene" 4 "no scene.json" "$program" compare half out/small --out both
expect "render: without a scene" 4 "no scene.json" "$program" render half
expect "export: without a scene" 0 "frames in up" "$program" export half ply --out up
expect "mesh cache: without a scene" 4 "no scene.json" "$program" export half mantaflow --out up
expect "resume: without a scene" 4 "no scene.json" "$program" resume half
rm -r half/frames
expect "no frames left" 0 "plot.png" "$program" info half --plot
expect "nothing to export" 4 "no frames" "$program" export half ply --out none
holds "and nothing made" test ! -e none

# Of another version: what this one knows is read.
sed -i 's/"rill": "[^"]*"/"rill": "9.8.7"/' unknown/run.json
sed -i '0,/"rill": 1/s//"rill": 2, "tides": { "moon": 1 }/; s/"method": "sph"/"method": "sphere-packing"/' unknown/scene.json
sed -i '0,/"solids": \[/s||"solids": [ { "name": "lost", "shape": { "mesh": { "file": "/nowhere/lost.obj" } } },|' unknown/scene.json
for what in "info unknown" "info unknown --plot" "compare unknown out/small --out both --rows 1 --width 64" "render unknown --frames 0:0" \
    "render unknown --frames 0:0 --slice z" "export unknown ply --out up" "export unknown mantaflow --out up"; do
    expect "$what: another version" 0 "by rill 9.8.7" "$program" $what
    expect "$what: what is new" 0 '"tides"' "$program" $what
    expect "$what: a method of its own" 0 '"sphere-packing"' "$program" $what
    expect "$what: a mesh that is not here" 0 "lost.obj" "$program" $what
done
expect "resume: another version's scene" 3 '"rill" must be 1' "$program" resume unknown
cp -r out/small newer
sed -i 's/"rill": "[^"]*"/"rill": "9.8.7"/' newer/run.json
expect "resume: another version" 0 "by rill 9.8.7" "$program" resume newer --frames 5 --quiet
sed -i 's/"domain"/"Domain"/' unknown/scene.json
expect "without a domain nothing is drawn" 3 "domain" "$program" render unknown --frames 0:0
rm -r half unknown newer both up
expect "no images" 0 "frames" "$program" run small.json --frames 1 --out plain --no-render --quiet
holds "no images" test -z "$(ls plain/images)"
printf 'x' | dd of=out/small/checkpoints/0004.rill bs=1 seek=300 conv=notrunc 2>/dev/null
expect "info of a damaged checkpoint" 4 "damaged" "$program" info out/small/checkpoints/0004.rill
expect "resume goes back" 0 "warning" "$program" resume out/small

# Interrupted, then resumed: as if nothing had happened.
"$program" run small.json --out whole --quiet >/dev/null
"$program" run small.json --out stopped --set time.frames=400 --quiet >said 2>&1 &
pid=$!
while [ ! -f stopped/frames/surface_0002.ply ] && kill -0 $pid 2>/dev/null; do sleep 0.05; done
kill -INT $pid
wait $pid
holds "interrupted: exit code 130" test $? -eq 130
expect "interrupted" 0 "rill resume stopped" cat said
expect "resumable" 0 "resumable from frame" "$program" info stopped
done_frames=$(grep -o '"frame":[0-9]*' stopped/stats.jsonl | tail -1 | cut -d: -f2)
expect "resume" 0 "12 frames" "$program" resume stopped --frames 12 --quiet
holds "stopped in time" test "$done_frames" -lt 12
holds "resumed to the same" same_run whole stopped

# A disk that fills up (a limit on the size of a file): reported, and resumed when there is space.
expect "full disk" 5 "rill resume full" bash -c "ulimit -f 8; exec $program run small.json --out full --quiet"
expect "room again" 0 "frames" "$program" resume full --quiet
holds "full disk, resumed" same_run whole full

# Places that cannot be written, files that cannot be read. Root may do anything: give that up.
chmod 755 "$work"
nobody=
[ "$(id -u)" -eq 0 ] && nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
if [ "$(id -u)" -ne 0 ] || setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
    mkdir locked sealed
    chmod 555 locked
    cp small.json secret.json
    chmod 000 secret.json
    chmod 755 "$work" small.json 2>/dev/null
    expect "read-only folder" 5 "locked" $nobody "$program" run small.json --out locked --quiet
    expect "read-only folder above" 5 "locked/deep" $nobody "$program" run small.json --out locked/deep/er --quiet
    holds "nothing in the read-only folder" test -z "$(ls -A locked)"
    expect "a scene that may not be read" 4 "secret.json" $nobody "$program" run secret.json --out sealed/x --quiet
    expect "validate likewise" 4 "secret.json" $nobody "$program" validate secret.json
    cp -r out/small frozen && chmod -R a-w frozen
    expect "a run that may only be read is shown" 0 "frames" $nobody "$program" info frozen
    expect "and not resumed" 5 "frozen" $nobody "$program" resume frozen --frames 9 --quiet
    chmod -R u+w frozen
else
    echo "not tried: folders that may not be written (this user may write anything)"
fi
expect "a scene that is a folder" 4 "a folder" "$program" run out --out x --quiet
expect "a scene that is a device" 4 "device" "$program" run /dev/null --out x --quiet
cp small.json kept.json
expect "a folder that is a file" 5 "small.json" "$program" run small.json --out small.json --quiet
holds "the file is as it was" cmp small.json kept.json
expect "a run whose scene is damaged" 3 "scene.json" bash -c "cp -r plain hurt; echo x >>hurt/scene.json; exec $program resume hurt"
mkdir mine && echo keep >mine/notes.txt
expect "a folder with other things" 2 "--force" "$program" run small.json --frames 1 --out mine --no-render --quiet
expect "a folder with other things, forced" 0 "frames" "$program" run small.json --frames 1 --out mine --no-render --quiet --force
holds "other things stay" grep -q keep mine/notes.txt

# Two at once.
"$program" run small.json --out busy --set time.frames=400 --quiet >/dev/null 2>&1 &
pid=$!
while [ ! -f busy/frames/particles_0001.ply ] && kill -0 $pid 2>/dev/null; do sleep 0.05; done
expect "two at once" 2 "another rill" "$program" resume busy
kill -9 $pid
wait $pid 2>/dev/null

echo "run folder: $passed passed, $failed failed"
[ $failed -eq 0 ]
