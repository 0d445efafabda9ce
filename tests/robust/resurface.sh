#!/bin/bash
# resurface.sh PROGRAM FAULTS-LIBRARY: surfaces of a run folder made again: the same ones, others, missing frames, no
# particles, a kill or a full disk in the middle. Whatever happens, every surface there is is a whole one, the old or
# the new.
set -u
program=$(realpath "$1") library=$(realpath "$2") || exit 2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/runs.bash"

work=$(work_folder)
trap 'rm -rf "$work"' EXIT
tiny_scene sph 4 false >"$work/tiny.json"
cd "$work" || exit 1
passed=0 failed=0

same_surfaces() { # FOLDER FOLDER
    for f in "$1"/surface_*.ply; do cmp -s "$f" "$2/$(basename "$f")" || return 1; done
}
each_old_or_new() { # OLD NEW HAS: every surface of HAS is that of OLD or of NEW
    for f in "$1"/surface_*.ply; do
        cmp -s "$f" "$3/$(basename "$f")" || cmp -s "$2/$(basename "$f")" "$3/$(basename "$f")" || return 1
    done
}

"$program" run tiny.json --out run --quiet >log 2>&1 || { cat log; exit 1; }
cp -r run/frames before

expect "as they were" 0 "5 surfaces in again" "$program" surface run --out again
holds "the same bits as the run" same_surfaces before again
expect "once more" 0 "5 surfaces" "$program" surface run --out again2 --threads 1
holds "for any number of threads" same_surfaces again again2
holds "the run is left alone" same_surfaces before run/frames

for word in filtered metaballs zhu_bridson distance anisotropic williams williams_level; do
    expect "$word" 0 "5 surfaces" "$program" surface run --out "by_$word" --definition "$word"
done
holds "another definition, another surface" not same_surfaces again by_distance
expect "options" 0 "2 surfaces" "$program" surface run --out options --frames 1:2 --set surface.smooth=3 --set surface.smallest=2 \
    --set surface.columns='"density"' --set surface.clip_max='[0.4,9]'
expect "columns" 0 "density" "$program" info options/surface_0002.ply

expect "no such word" 3 'did you mean "distance"?' "$program" surface run --definition distanc
expect "not of the surface" 2 'paths begin with "surface."' "$program" surface run --set sph.cfl=0.1
expect "no such frame" 2 "there is no frame 9" "$program" surface run --frames 2:9
expect "no such column" 2 '"color"' "$program" surface run --out none --set surface.columns='"color"'
expect "no run" 4 "no run in this folder" "$program" surface before

# Missing frames, and frames without particles.
cp -r run gaps
rm gaps/frames/*_0002.ply gaps/frames/particles_0003.ply
expect "gaps" 0 "missing frames: 1, the first of them 2" "$program" surface gaps --definition distance
expect "no particles" 0 "frames without particles, which keep the surface they have: 1, the first of them 3" \
    "$program" surface gaps --definition distance
holds "kept" cmp -s before/surface_0003.ply gaps/frames/surface_0003.ply
holds "made" cmp -s by_distance/surface_0004.ply gaps/frames/surface_0004.ply
rm gaps/frames/particles_*.ply
expect "no particles at all" 4 "has a particle file" "$program" surface gaps

# A disk that fills up, an interrupt, a kill: at calls spread over the whole.
for kind in enospc eio cut int kill; do
    for at in 2 7 13 20 28 37 50; do
        rm -rf broken
        cp -r run broken
        {
            LD_PRELOAD=$library RILL_FAULT_UNDER=$work/broken RILL_FAULT_KIND=$kind RILL_FAULT_AT=$at \
                RILL_FAULT_REPORT=$work/report "$program" surface "$work/broken" --definition distance --threads 1 >log 2>&1
            code=$?
        } 2>/dev/null # bash tells of kills
        case $kind-$code in
        *-0 | enospc-5 | eio-[45] | cut-5 | int-130 | kill-137) passed=$((passed + 1)) ;;
        *) failed=$((failed + 1)); echo "$kind at $at: exit code $code"; cat log ;;
        esac
        holds "$kind at $at" each_old_or_new before by_distance broken/frames
        "$program" surface broken --definition distance --threads 1 >log 2>&1
        holds "$kind at $at, again" same_surfaces by_distance broken/frames
    done
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
