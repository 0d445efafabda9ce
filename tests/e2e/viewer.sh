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
mkdir "$work/work"
node "$source/tests/e2e/viewer.mjs" "$program" "$work/a" "$work/b" "$work/long.json" "$work/work"
