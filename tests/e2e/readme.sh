#!/bin/bash
# readme.sh PROGRAM SOURCE-FOLDER: the commands under "Looking at it" in the README, as they stand there but
# coarse and short, each with what it says it leaves; and the scenes of docs/guide.md, which must be valid.
set -u
program=$(realpath "$1")
source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" && ln -s "$program" "$work/bin/rill" && ln -s "$source/scenes" "$work/scenes"
PATH=$work/bin:$PATH
cd "$work" || exit 1
sed -n '/^## Looking at it/,/^## Commands/p' "$source/README.md" | sed -n 's/^    \(rill [^#]*\).*/\1/p' |
    sed 's/--frames 40/--frames 3 --set spacing=0.1 --set output.width=64 --set output.height=36/; s/--frames 20:20/--frames 2:2/' >commands
[ "$(wc -l <commands)" -ge 6 ] || { echo "the README has lost its commands"; exit 1; }
while read -r line; do
    bash -c "$line" >log 2>&1 </dev/null || { echo "$line"; cat log; exit 1; }
done <commands
for file in out/sph/plot.png out/sph/plot.svg out/sph/sheet.png out/both/sheet.png out/both/video.mp4 \
    out/grid/slices/0000.png out/sph/images/0002.png out/sph/export/mesh/fluid_mesh_0001.bobj.gz; do
    [ -s $file ] || { echo "$file is not there"; exit 1; }
done
awk '/^    \{ "rill": 1/ { n++; on = 1 } /^$/ { on = 0 } on { print substr($0, 5) > ("guide" n ".json") }' "$source/docs/guide.md"
[ -s guide1.json ] && [ -s guide2.json ] || { echo "the guide has lost its scenes"; exit 1; }
for scene in guide*.json; do
    rill validate $scene >log 2>&1 || { cat log; exit 1; }
done
echo "$(wc -l <commands) commands of the README do what it says"
