#!/bin/sh
# Rill's path tracer beside Cycles (Debian's Blender, headless): the meshes of a dam break under the same light.
#
#   bench/peers/cycles.sh [--install] [--samples N] [--width W] [--frames "24 40"] [--spacing H] [--threads T] [FOLDER]
#
# FOLDER (build/peers/cycles) gets a run of scenes/dam_break.json, an environment map, and for every frame three
# renders in linear light without clamping, filtering of glossy rays or denoising: ours, Cycles with two seeds. Printed for each
# frame: the ratio of the means, our relMSE against Cycles, that of Cycles' two seeds against each other, the
# processor seconds of all three, and the time to the same error; the same by bands of rows, and FOLDER/difference_FRAME.png
# shows where the pictures differ. Materials: water of index 1.333 that absorbs 0.9, 0.16 and 0.07 per metre on a grey
# ground; caustics are on in both programs (the map has no sun, so that ours need no photons). Triangles are flat: normals
# are taken out of the frames' meshes.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
spacing=0.025 samples=4096 width=480 frames="24 40" threads=2 out=$root/build/peers/cycles rill=${RILL:-$root/build/release/rill}
while [ $# -gt 0 ]; do
    case $1 in
    --install) apt-get install -y --no-install-recommends blender ;;
    --samples) samples=$2; shift ;;
    --width) width=$2; shift ;;
    --frames) frames=$2; shift ;;
    --spacing) spacing=$2; shift ;;
    --threads) threads=$2; shift ;;
    -*) echo "usage: $0 [--install] [--samples N] [--width W] [--frames LIST] [--spacing H] [--threads T] [FOLDER]" >&2; exit 2 ;;
    *) out=$1 ;;
    esac
    shift
done
command -v blender >/dev/null || { echo "blender is not there: run with --install as root" >&2; exit 2; }
height=$((width * 9 / 16))
mkdir -p "$out"
last=0
for frame in $frames; do [ "$frame" -gt "$last" ] && last=$frame; done
python3 "$here/cycles_compare.py" environment "$out"
if [ ! -f "$out/run/frames/surface_$(printf %04d "$last").ply" ]; then
    "$rill" run "$root/scenes/dam_break.json" --out "$out/run" --frames "$last" --threads "$threads" --force --quiet --no-render \
        --set "spacing=$spacing"
fi
python3 "$here/cycles_compare.py" scene "$out"
seconds() { # processor seconds of a command, to the file
    file=$1
    shift
    python3 - "$file" "$@" <<'PY'
import resource, subprocess, sys
done = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
if done.returncode:
    sys.exit(done.stderr.decode()[-2000:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
open(sys.argv[1], "w").write("%.2f\n" % (used.ru_utime + used.ru_stime))
PY
}
for frame in $frames; do
    name=$(printf %04d "$frame")
    python3 "$here/cycles_compare.py" flatten "$out" "$name"
    seconds "$out/rill_$name.s" "$rill" render "$out/run" --quality final --frames "$frame:$frame" --samples "$samples" \
        --width "$width" --height "$height" --exr float --threads "$threads" --again
    cp "$out/run/images/$name.exr" "$out/rill_$name.exr"
    for seed in 1 2; do
        seconds "$out/cycles_${name}_$seed.s" blender -b --factory-startup -noaudio -t "$threads" -P "$here/cycles_scene.py" -- \
            "$out" "$name" "$seed" "$samples" "$width" "$height"
    done
    python3 "$here/cycles_compare.py" compare "$out" "$name"
    python3 "$here/cycles_compare.py" difference "$out" "$name"
done
