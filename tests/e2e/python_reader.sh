#!/bin/bash
# python_reader.sh PROGRAM SOURCE-FOLDER: python/rill_run.py on a small run, against what rill itself says of the same
# files; on a run with frames missing; on files that are damaged.
set -u
program=$1
source=$2
if ! command -v python3 >/dev/null; then
    echo "python reader: left out, there is no python3 here"
    exit 0
fi
. "$source/tests/robust/runs.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export PYTHONDONTWRITEBYTECODE=1
small_scene sph >small.json
"$program" run small.json --out run --frames 4 --no-render --quiet >log 2>&1 || { cat log; exit 1; }
for k in 0000 0004; do
    "$program" info "run/frames/particles_$k.ply" >"particles_$k.info" || exit 1
    "$program" info "run/frames/surface_$k.ply" >"surface_$k.info" || exit 1
done
cat >bodies.json <<'END'
{ "rill": 1, "name": "bodies", "dimensions": 2, "method": "points", "spacing": 0.1,
  "domain": { "min": [0,0], "max": [1,1] }, "time": { "frames": 3, "fps": 25 },
  "liquid": [ { "shape": { "box": { "min": [0,0], "max": [1,0.4] } } } ],
  "solids": [ { "name": "floor, \"left\"", "shape": { "box": { "min": [0,0], "max": [0.2,0.1] } } },
    { "name": "crate, \"red\"", "shape": { "box": { "min": [-0.1,-0.1], "max": [0.1,0.1] } },
      "transform": { "translate": [0.5,0.7], "rotate": [0,0,30] }, "body": { "density": 500, "spin": [0,0,1] } } ] }
END
"$program" run bodies.json --out bodies --no-render --quiet >log 2>&1 || { cat log; exit 1; }
python3 -B "$source/tests/e2e/python_reader.py" "$source/python" run bodies
