#!/bin/bash
# viewer.sh PROGRAM SOURCE-FOLDER: the page of rill view in Chromium, without a screen; and the page in web/dist is what
# its sources make. Skipped where there is no Chromium, node, or packages in web/node_modules (npm ci in web/).
set -u
program=$(realpath "$1")
source=$(realpath "$2")
. "$source/tests/robust/runs.bash"
"$program" doctor | grep -q 'libmicrohttpd [0-9]' || { echo "this build has no viewer"; exit 77; }
[ -x "${RILL_CHROMIUM:-/usr/bin/chromium}" ] || { echo "Chromium is not installed"; exit 77; }
command -v node >/dev/null || { echo "node is not installed"; exit 77; }
[ -d "$source/web/node_modules/playwright-core" ] || { echo "no packages: npm ci in web/"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
node "$source/web/build.mjs" "$work/dist" && diff -rq "$source/web/dist" "$work/dist" ||
    { echo "web/dist is out of date: node web/build.mjs"; exit 1; }
small_scene sph >"$work/small.json"
small_scene sph | sed 's/"frames": 12/"frames": 1500/' >"$work/long.json"
"$program" run "$work/small.json" --out "$work/a" --quiet --no-render >/dev/null || exit 1
# Run b has tracers, which are smoke, and a colour.
sed 's/"liquid": /"tracers": [ { "shape": { "box": { "min": [0, 0, 0], "max": [0.5, 0.6, 0.48] } }, "count": 2000 } ], &/' \
    "$work/small.json" >"$work/smoke.json"
"$program" run "$work/smoke.json" --out "$work/b" --quiet --no-render --method grid --set "liquid[0].color=[0.75,0.08,0.03]" >/dev/null || exit 1
# Run c has particles of several sizes, a camera that moves, and every kind of gauge.
cat >"$work/many.json" <<END
{ "rill": 1, "name": "many", "method": "sph", "spacing": 0.05, "sph": { "solver": "tait", "levels": 3 },
  "domain": { "min": [0, 0, 0], "max": [1.2, 0.8, 0.48] }, "time": { "frames": 8, "fps": 40 },
  "liquid": [ { "shape": { "box": { "min": [0, 0, 0], "max": [0.6, 0.6, 0.48] } } } ],
  "solids": [ { "name": "post", "shape": { "box": { "min": [0.7, 0, 0.16], "max": [0.78, 0.3, 0.32] } },
                "motion": { "keyframes": [ { "t": 0 }, { "t": 0.2, "translate": [0.1, 0, 0] } ] } } ],
  "gauges": [ { "name": "V", "velocity": [0.3, 0.1, 0.24] }, { "name": "F", "force": "post" },
              { "name": "Q", "flow": { "center": [0.5, 0.2, 0.24], "normal": [1, 0, 0], "radius": 0.2 } },
              { "name": "R", "pressure": [0.74, 0.31, 0.24], "with": "post" },
              { "name": "P", "pressure": [0.1, 0.05, 0.24] }, { "name": "H", "height": [0.4, 0.24] } ],
  "camera": { "fov": 40, "target": [0.6, 0.3, 0.24],
              "eye": { "keyframes": [ { "t": 0, "value": [0.6, 1, 3] }, { "t": 0.2, "value": [2.6, 1, 3] } ] } } }
END
"$program" run "$work/many.json" --out "$work/c" --quiet --no-render >/dev/null || exit 1
mkdir "$work/work"
node "$source/tests/e2e/viewer.mjs" "$program" "$work/a" "$work/b" "$work/c" "$work/long.json" "$work/work"
