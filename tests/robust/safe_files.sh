#!/bin/bash
# safe_files.sh PROGRAM: what stands in the way of a run's files. Links planted in a run folder are not followed, pipes
# do not block, folders that hold something else are not written into, and frames are not overwritten by accident.
set -u
program=$(realpath "$1") || exit 2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/runs.bash"

work=$(work_folder)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0
tiny_scene sph 2 true >tiny.json
rill() { timeout -k 1 20 "$program" "$@"; } # 124: it hung
untouched() { [ "$(cat victim)" = precious ]; }
echo precious >victim

expect "run" 0 "2 frames" rill run tiny.json --out run --quiet

# Links: temporaries as earlier versions named them, and files that grow or are locked.
cp -r run linked
for name in .plot.svg.tmp .plot.png.tmp .sheet.png.tmp images/.0001.png.tmp frames/.surface_0001.ply.tmp .video.mp4.tmp \
    .scene.json.tmp; do
    ln -sf "$work/victim" "linked/$name"
done
expect "plots" 0 "plot.svg" rill info linked --plot
expect "pictures" 0 "0000.png to 0002.png" rill render linked
expect "surfaces" 0 "3 surfaces" rill surface linked
holds "the links were not followed" untouched
for name in stats.jsonl run.lock gauges.csv; do
    rm -rf link
    cp -r run link
    rm -f "link/$name"
    ln -s "$work/victim" "link/$name"
    rill resume link --frames 3 --quiet >log 2>&1
    holds "resume with a link for $name" test $? -ne 124
    holds "$name was not followed" untouched
done
rm -rf link
cp -r run link
rm -f link/frames/* link/images/*
ln -s "$work/victim" link/frames/particles_0003.ply
ln -s "$work/victim" link/images/0003.png
expect "resume over links" 0 "3 frames" rill resume link --frames 3 --quiet
holds "final names replace links" untouched
holds "a file of its own" test ! -L link/frames/particles_0003.ply

# Pipes and devices never block.
for name in stats.jsonl run.lock scene.json run.json gauges.csv frames/surface_0001.ply frames/particles_0001.ply \
    checkpoints/0002.rill; do
    rm -rf pipe
    cp -r run pipe
    rm -f "pipe/$name"
    mkfifo "pipe/$name"
    for command in "info pipe --plot" "render pipe --frames 1:1" "resume pipe --frames 3 --quiet" "surface pipe --frames 1:1" \
        "export pipe ply --out exported" "info pipe/$name"; do
        # shellcheck disable=SC2086
        rill $command >log 2>&1
        code=$?
        holds "$command with a pipe for $name: exit code $code" test $code -ne 124 -a $code -lt 128
    done
done

# Folders that hold something else.
mkdir home
echo mine >home/notes.txt
expect "a folder of other files" 2 "holds other files and no run" rill run tiny.json --out home --quiet
holds "nothing was written" test "$(ls home)" = notes.txt
expect "with --force" 0 "2 frames" rill run tiny.json --out home --quiet --force
holds "the others stay" grep -q mine home/notes.txt
mkdir empty
expect "an empty folder" 0 "2 frames" rill run tiny.json --out empty --quiet

mkdir inside && cp tiny.json inside/...json
expect "a scene called ...json" 2 "gives the run no name" env -C inside timeout 20 "$program" run ...json --quiet
holds "nothing in that folder" test ! -e inside/stats.jsonl

# Frames are not overwritten by accident.
cp -r run edited
sed -i 's/"density": 1000/"density": 900/' edited/scene.json
cp -r edited/frames before
expect "resume after an edit" 2 "--force" rill resume edited --frames 3 --quiet
holds "its frames are as they were" diff -rq before edited/frames
expect "resume after an edit with --force" 0 "3 frames" rill resume edited --frames 3 --quiet --force
rm -rf before
cp -r run/frames before
expect "export into the frames" 2 "holds the frames of the run itself" rill export run ply --out run/frames --z-up
expect "by another path" 2 "holds the frames of the run itself" rill export run ply --out ./run/../run/frames/. --z-up
holds "its frames are as they were" diff -rq before run/frames

echo "safe files: $passed passed, $failed failed"
[ $failed -eq 0 ]
