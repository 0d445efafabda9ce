#!/bin/sh
# Table 1 of Adams et al. 2007: scenes with particles of several sizes beside particles of one size, the finest, with
# the same pressure solver and steps; those of one size do not carry distances from the surface.
#
#   scripts/compare_adaptive.sh [--whole] [SCENE...]     valley desk_toy teapot figures; runs in build/adaptive
#
# Short and coarse, a minute or two. --whole has as many particles of one size as the paper (1 M, 15k, 245k, 630k), and
# takes a quarter of an hour. Both run for the same frames, since steps do not stay as dear as the first are: those of one
# size take twice as long when the teapot's water has come to its walls. Per step: wall clock, so on a machine that does
# nothing else, files and the start left out; memory: the most that the program held, the start and the scene's meshes
# included. The paper's are means of whole animations.
set -eu
cd "$(dirname "$0")/.."
rill=${RILL:-build/release/rill}
folder=build/adaptive
whole=
[ "${1:-}" = --whole ] && { whole=yes; shift; }
[ $# -gt 0 ] || set -- valley desk_toy teapot figures
mkdir -p "$folder"

# measure NAME SCENE CHANGES...: leaves NAME and NAME.memory (kB)
measure() {
    name=$1 scene=$2
    shift 2
    python3 - "$folder/$name" "$rill" run "scenes/$scene.json" --out "$folder/$name" --force --no-render --quiet \
        --set output.surface=false --set output.particles=false "$@" <<'END'
import resource, subprocess, sys
done = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL)
open(sys.argv[1] + ".memory", "w").write("%d\n" % resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
END
}

printf '%-10s %19s %9s %21s %9s %17s %9s   %s\n' scene 'particles, 1 size' fewer 'ms a step, 1 size' faster \
    'MB, 1 size' less 'resampling; the paper: fewer, faster'
for what in "$@"; do
    scene=adams_$what
    grep -q build/meshes "scenes/$scene.json" && scripts/fetch_meshes.sh >/dev/null
    case $what in # frames; the paper's gains in memory and time; spacing, coarse and as the paper's
        valley) frames=1 paper='8.0 6.6' coarse=0.025 fine=0.0118 many=2 ;;
        desk_toy) frames=2 paper='3.0 2.8' coarse=0.0066 fine=0.0066 many=30 ;;
        teapot) frames=1 paper='7.9 7.7' coarse=0.004 fine=0.0021 many=2 ;;
        figures) frames=1 paper='4.5 4.3' coarse=0.016 fine=0.0064 many=2 ;;
        *) echo "there is no scene scenes/$scene.json to compare" >&2; exit 2 ;;
    esac
    spacing=$coarse
    [ -n "$whole" ] && { spacing=$fine frames=$many; }
    as="--frames $frames --set time.fps=30 --set spacing=$spacing"
    measure "$what" "$scene" $as
    measure "$what-one" "$scene" $as --set sph.levels=0 --set sph.view_dependent=false \
        --set surface.definition=metaballs
    python3 - "$what" $paper "$folder/$what" "$folder/$what-one" <<'END'
import json, sys

def read(folder):
    rows = [json.loads(line) for line in open(folder + "/stats.jsonl")]
    kilobytes = int(open(folder + ".memory").read())
    seconds = sum(r["wall_s"] for r in rows)
    stages = [sum(r["stage_s"].get(s, 0) for r in rows) for s in ("projection", "redistancing", "feature_size", "resampling", "distances")]
    count = sum(r["particles"] for r in rows) / len(rows)
    return count, 1000 * seconds / len(rows), kilobytes / 1024, sum(stages) / seconds

name, memory, speed, some, one = sys.argv[1:]
a, b = read(some), read(one)
print("%-10s %8.0f of %8.0f %8.2fx %9.2f of %9.2f %8.2fx %7.0f of %7.0f %8.2fx   %.0f %%; %s %s" %
      (name, a[0], b[0], b[0] / a[0], a[1], b[1], b[1] / a[1], a[2], b[2], b[2] / a[2], 100 * a[3], memory, speed))
END
done
