#!/bin/sh
# Prints one hash per run for a set of short runs that covers every method and variant: frames, gauges and statistics
# without clocks. Two builds print the same lines when a change moved code and did not change what it computes.
#
#   scripts/run_hashes.sh [PROGRAM] >hashes        PROGRAM: build/release/rill
#
# About a minute on two cores. Hashes depend on the processor's kind: compare on one machine.
set -eu
cd "$(dirname "$0")/.."
rill=${1:-build/release/rill}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run NAME SCENE FRAMES OPTION...
run() {
    name=$1 scene=$2 frames=$3
    shift 3
    if ! "$rill" run "scenes/$scene.json" --out "$work/run" --force --quiet --no-render --frames "$frames" "$@" \
        >"$work/said" 2>&1; then
        echo "failed  $name: $(tail -n 1 "$work/said")"
        return
    fi
    hash=$(
        cd "$work/run"
        sed -E 's/"wall_s":[^,]*,//; s/"stage_s":\{[^}]*\}//' stats.jsonl >stats
        cat stats gauges.csv frames/* 2>/dev/null | sha256sum | cut -c 1-16
    )
    echo "$hash  $name"
}

coarse="--set spacing=0.05"
for method in sph grid points; do
    run "dam break, $method" dam_break 3 $coarse --method $method
    run "dam break in 2D, $method" dam_break_2d 6 --method $method
    run "cube, $method" dam_break_cube 2 $coarse --method $method
    run "paddle, $method" paddle 3 $coarse --method $method
    run "tap into glass, $method" tap_into_glass 4 --set spacing=0.01 --method $method
    run "honey, $method" honey_coil 3 --set spacing=0.004 --method $method
done
for solver in tait linear; do
    run "sph, $solver" dam_break 2 $coarse --set sph.solver=$solver
done
run "sph, tait with levels" dam_break 2 $coarse --set sph.solver=tait --set sph.levels=2
run "sph, dfsph with levels" dam_break 3 $coarse --set sph.levels=2
run "sph, levels around a plate" adams_desk_toy 2
run "sph, tension and vorticity" drop_into_pool 2 $coarse --method sph --set fluid.surface_tension=0.07 \
    --set fluid.viscosity=0.1
for liquid in markers level-set particle-level-set; do
    run "grid, $liquid" dam_break_2d 6 --method grid --set grid.surface=$liquid
done
run "grid, flip" dam_break 2 $coarse --method grid --set grid.transfer=flip
run "grid, band" dam_break 3 $coarse --method grid --set grid.particle_band=3
run "points, smoke" points_bear_smoke 1 --set spacing=0.1
run "points, board" points_lumpy_board 2 --set spacing=0.05
run "rocks, sph" rocks 2 --set spacing=0.05 --method sph
for definition in metaballs zhu_bridson distance anisotropic williams; do
    run "surface, $definition" dam_break 1 $coarse --set surface.definition=$definition
done
