#!/bin/sh
# Figure 6 of Sin et al. 2009: a block of liquid at rest, ours beside SPH with three stiffnesses.
#
#   scripts/compare_still_block.sh [FOLDER [FRAMES]]    leaves the runs in FOLDER (build/still_block), and the picture
#                                                       of all four at the start and the end: figure_6/sheet.png
#
# The paper's SPH has a pressure that is linear in the density; what stiffens it is the speed of sound. Theirs
# took steps a twentieth as long, and an eighth of the time per frame.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/still_block}
frames=${2:-25}
rill=build/release/rill
run() { # NAME CHANGES...
    name=$1
    shift
    $rill run scenes/points_still_block.json --out "$folder/$name" --frames "$frames" --force --no-render --quiet "$@"
}
run points
for speed in 10 20 40; do
    run "sph_$speed" --method sph --set sph.solver=linear --set sph.sound_speed=$speed
done
$rill compare "$folder/points" "$folder/sph_10" "$folder/sph_20" "$folder/sph_40" --out "$folder/figure_6" --rows 2 \
    --width 400
python3 - "$folder" <<'END'
import json, re, struct, sys

def heights(path):
    """Heights of the particles' centres, from a frame's file."""
    data = open(path, "rb").read()
    head, body = data.split(b"end_header\n", 1)
    count = int(re.search(rb"element vertex (\d+)", head).group(1))
    size = {b"double": 8, b"float": 4, b"uint": 4}
    record = sum(size[t] for t in re.findall(rb"property (\w+) ", head))
    return sorted(struct.unpack_from("<3d", body, i * record)[1] for i in range(count))

def top(path):
    y = heights(path)
    n = max(len(y) // 50, 1)
    return sum(y[-n:]) / n

print("%-8s %10s %10s %10s %12s %12s %12s" %
      ("run", "particles", "steps", "s/frame", "settled", "rms speed", "worst"))
table = {}
for name in ("points", "sph_10", "sph_20", "sph_40"):
    rows = [json.loads(line) for line in open("%s/%s/stats.jsonl" % (sys.argv[1], name))]
    frames = rows[-1]["frame"]
    mass = 1000.0 * 0.02 ** 3 * rows[-1]["particles"]
    speed = [(2 * r["kinetic"] / mass) ** 0.5 for r in rows]
    first, last = ("%s/%s/frames/particles_%04d.ply" % (sys.argv[1], name, k) for k in (0, frames))
    # how far the top has come down, as a part of the height: what the volume has lost
    settled = (top(first) - top(last)) / 0.46
    table[name] = (frames / 25.0 / len(rows), sum(r["wall_s"] for r in rows) / frames)
    print("%-8s %10d %10d %10.3f %11.2f%% %8.5f m/s %8.5f m/s" %
          (name, rows[-1]["particles"], len(rows), table[name][1], 100 * settled, speed[-1], max(speed)))
for name in ("sph_10", "sph_20", "sph_40"):
    print("against %s: steps %.1f times as long (the paper's 20), %.2f times the time per frame (the paper's 8)" %
          (name, table["points"][0] / table[name][0], table["points"][1] / table[name][1]))
END
