#!/bin/sh
# Figure 8 of Braley and Sandu: the surface of metaballs (their equation 38) beside the same field seen by rays that
# are cast at it, without a mesh (their section 5.5), and the particles that both are made of.
#
#   scripts/figure_8.sh [FOLDER [FRAME]]    runs scenes/tutorial_figure_8.json in FOLDER (build/figure_8); the picture
#                                           is FOLDER/figure_8.png: particles, metaballs, rays
#
# RILL names another program.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/figure_8}
frame=${2:-8}
rill=${RILL:-build/release/rill}
name=$(printf %04d.png "$frame")
[ -f "$folder/frames/surface_0012.ply" ] ||
    $rill run scenes/tutorial_figure_8.json --out "$folder" --force --no-render --quiet
panel() { # NAME OPTIONS...
    panel=$1
    shift
    $rill render "$folder" --frames "$frame:$frame" --samples 9 "$@" >/dev/null
    mv "$folder/images/$name" "$folder/$panel.png"
}
panel particles --look particles
panel metaballs
panel rays --iso
ffmpeg -v error -nostdin -y -i "$folder/particles.png" -i "$folder/metaballs.png" -i "$folder/rays.png" \
    -filter_complex hstack=inputs=3 -frames:v 1 "$folder/figure_8.png"
echo "$folder/figure_8.png"
