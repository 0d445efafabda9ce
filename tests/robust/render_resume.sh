#!/bin/bash
# render_resume.sh PROGRAM: pictures of final quality go on where they were stopped. Those that are there, of the same
# scene, options and files, are not made again; the rest are, to the same bytes.
set -u
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
problem() {
    echo "$*"
    exit 1
}
cat >tiny.json <<'JSON'
{ "rill": 1, "method": "grid", "spacing": 0.1, "domain": { "min": [0,0,0], "max": [0.8,0.5,0.5] },
  "time": { "frames": 3, "fps": 30 },
  "liquid": [ { "shape": { "box": { "min": [0,0,0], "max": [0.4,0.4,0.5] } }, "color": [0.9,0.2,0.1] } ],
  "camera": { "eye": { "keyframes": [ { "t": 0, "value": [1.5,1,2] }, { "t": 1, "value": [1,1,2] } ] },
              "target": [0.4,0.2,0.25] },
  "render": { "samples": 2, "caustics": "none" }, "output": { "width": 32, "height": 18, "images": false } }
JSON
"$program" run tiny.json --out run --quiet >/dev/null || problem "the run failed"
render() { "$program" render run --quality final "$@" >said 2>&1 || problem "rill render $*: $(cat said)"; }
kept() { sed -n 's/^\([0-9]*\) of them were there already.*/\1/p' said; }

render
[ -z "$(kept)" ] || problem "the first call kept $(kept) pictures"
grep -q "left" said || problem "the time left was not shown: $(cat said)"
(cd run/images && sha256sum ./*.png) >first
rm run/images/0002.png
render
[ "$(kept)" = 3 ] || problem "one picture of four was gone: $(kept) were kept, not 3"
(cd run/images && sha256sum -c --quiet "$work/first") || problem "the picture that was gone came back different"
render --again
[ -z "$(kept)" ] || problem "--again kept $(kept) pictures"
render --samples 1
[ -z "$(kept)" ] || problem "other options kept $(kept) pictures"
render --samples 1 --exr half
[ -z "$(kept)" ] || problem "pictures without the EXR file that is asked for were kept"
render --samples 1 --exr half
[ "$(kept)" = 4 ] || problem "with their EXR files $(kept) were kept, not 4"
touch run/frames/surface_0001.ply
render --samples 1 --exr half
[ "$(kept)" = 3 ] || problem "a frame's file was newer: $(kept) were kept, not 3"
sed -i 's/"exposure": 0/"exposure": 1/' run/scene.json
render --samples 1 --exr half
[ -z "$(kept)" ] || problem "another exposure kept $(kept) pictures"
"$program" render run --frames 0 >/dev/null 2>&1 || problem "a preview failed"
render --samples 1 --exr half
[ "$(kept)" = 3 ] || problem "a preview was taken for a picture of final quality"
"$program" render run --draft --quality final >said 2>&1 && problem "--draft and --quality final went together"
echo "pictures of final quality go on where they were stopped"
