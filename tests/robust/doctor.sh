#!/bin/bash
# doctor.sh PROGRAM SOURCE-FOLDER: what rill doctor says and its exit codes, with and without ffmpeg.
set -u
program=$(realpath "$1") source=$(realpath "$2")
. "$(dirname "$0")/runs.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0 failed=0


# An ffmpeg of each kind, so that the answers do not depend on the one that is here.
mkdir with without none
printf '#!/bin/sh\necho " V....D libx264              libx264 H.264"\n' >with/ffmpeg
printf '#!/bin/sh\necho " V..... mpeg4"\n' >without/ffmpeg
chmod +x with/ffmpeg without/ffmpeg
expect "all is well" 0 "all is well" env PATH="$work/with:$PATH" "$program" doctor
expect "the processor" 0 "AVX2, FMA, F16C" env PATH="$work/with:$PATH" "$program" doctor
expect "no x264" 1 "libx264" env PATH="$work/without" "$program" doctor
expect "no ffmpeg" 1 "install the package" env PATH="$work/none" "$program" doctor
export PATH="$work/with:$PATH"
expect "a scene" 0 "frames: " "$program" doctor "$source/scenes/dam_break.json"
expect "particles" 0 ": fits" "$program" doctor --particles 1000 --frames 10
expect "too many" 6 "particles would fit" "$program" doctor --particles 2000000000
expect "a scene that is not there" 4 "nothing.json" "$program" doctor nothing.json
expect "both" 2 "exclude" "$program" doctor x.json --particles 5
expect "no such method" 2 "no method" "$program" doctor --particles 5 --method none
echo '{ "rill": 1, ' >bad.json
expect "a bad scene" 3 "bad.json:" "$program" doctor bad.json
[ "$(ls)" = "$(printf 'bad.json\nlog\nnone\nwith\nwithout')" ] && passed=$((passed + 1)) || { failed=$((failed + 1)); ls; }

echo "doctor: $passed passed, $failed failed"
[ $failed -eq 0 ]
