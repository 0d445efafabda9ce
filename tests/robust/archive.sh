#!/bin/bash
# archive.sh PROGRAM ARCHIVE SCENES: what earlier versions wrote is read. ARCHIVE/VERSION holds their run folders and their
# scenes, whose meshes are those of SCENES. Runs are looked at, drawn, meshed, exported and compared; they are taken on
# only where the checkpoint holds for this version, else refused without a change until --force. Scenes are valid.
set -u
program=$(realpath "$1") archive=$(realpath "$2") scenes=$(realpath "$3") || exit 2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/runs.bash"

work=$(work_folder)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0
sums() { (cd "$1" && find frames checkpoints -type f -exec sha256sum {} + | sort); }

for version in "$archive"/*; do
    by="by rill $(basename "$version")"
    for folder in "$version"/*/run.json; do
        run=$(basename "$(dirname "$folder")")
        cp -r "$(dirname "$folder")" "$run"
        mkdir "$run/images"
        sums "$run" >before
        expect "$run: info" 0 "$by" "$program" info "$run"
        expect "$run: plots" 0 "plot.png" "$program" info "$run" --plot
        expect "$run: pictures" 0 "images/0000.png" "$program" render "$run" --width 64 --height 48
        expect "$run: surfaces" 0 "3 surfaces" "$program" surface "$run" --out "$run-surfaces"
        expect "$run: export" 0 "3 frames" "$program" export "$run" vtk --out "$run-vtk"
        expect "$run: compare" 0 "sheet.png" "$program" compare "$run" --out "$run-both" --rows 1 --width 64
        expect "$run: resume" 2 "--force" "$program" resume "$run" --frames 3
        sums "$run" >after
        holds "$run: nothing has changed" cmp -s before after
        expect "$run: resume from the start" 0 "3 frames" "$program" resume "$run" --frames 3 --force --quiet
    done
    cp -r "$version/scenes" scenes
    ln -s "$scenes/meshes" scenes/meshes
    for scene in scenes/*.json; do expect "$scene" 0 ": ok" "$program" validate "$scene"; done
    rm -r scenes
done
echo "archive: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -ge 50 ]
