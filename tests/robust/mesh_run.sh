#!/bin/bash
# mesh_run.sh PROGRAM: a run with a moving mesh and a sheet that deforms as it turns is interrupted,
# resumed from another folder with other numbers of threads to the same files, and refused when a
# mesh has changed.
set -u
program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
. "$here/runs.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
problem() {
    echo "mesh run: $1: $(cat "$work/log")"
    failed=1
}

mkdir -p "$work/scene/meshes" "$work/elsewhere"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n' >"$work/scene/meshes/corner.obj"
sheet() { # HEIGHT: two squares side by side, the side between them at this height
    printf 'v 0 0 0\nv 0.2 %s 0\nv 0.4 0 0\nv 0 0 0.3\nv 0.2 %s 0.3\nv 0.4 0 0.3\nf 1 4 5 2\nf 2 5 6 3\n' "$1" "$1"
}
for k in 1 2 3 4; do sheet "$((k % 2)).$k" >"$work/scene/meshes/sheet_0$k.obj"; done
cat >"$work/scene/mesh.json" <<END
{ "rill": 1, "spacing": 0.08, "domain": { "min": [0, 0, 0], "max": [1.2, 0.8, 0.48], "open": ["+y"] },
  "time": { "frames": 8, "fps": 40 },
  "liquid": [ { "shape": { "box": { "min": [0, 0, 0], "max": [0.5, 0.6, 0.48] } } } ],
  "solids": [ { "name": "corner", "shape": { "mesh": { "file": "meshes/corner.obj" } },
                "transform": { "translate": [0.7, 0, 0], "scale": 0.4 },
                "motion": { "keyframes": [ { "t": 0 }, { "t": 0.2, "rotate": [0, 90, 0] } ] } },
              { "name": "sheet", "slip": "none",
                "shape": { "sequence": { "files": "meshes/sheet_%02d.obj", "first": 1, "last": 4, "fps": 20,
                                         "start": 0.013, "shell": 0.02, "scale": 0.5 } },
                "transform": { "translate": [0.45, 0.3, 0.1] },
                "motion": { "keyframes": [ { "t": 0 }, { "t": 0.2, "translate": [-0.1, -0.1, 0] } ] } } ],
  "gauges": [ { "name": "H", "height": [0.4, 0.24] } ],
  "output": { "width": 96, "height": 64, "checkpoint": 2, "video": false } }
END

cd "$work/scene" || exit 2
"$program" run mesh.json --out ../whole --quiet >"$work/log" 2>&1 || problem "the run failed"
"$program" run mesh.json --out ../part --frames 4 --quiet >"$work/log" 2>&1 || problem "the short run failed"
cd "$work/elsewhere" || exit 2
"$program" resume "$work/part" --frames 8 --quiet --threads 1 >"$work/log" 2>&1 || problem "resume from elsewhere failed"
same_run "$work/whole" "$work/part" || failed=1
"$program" run "$work/scene/mesh.json" --out "$work/part3" --frames 3 --quiet --threads 3 >"$work/log" 2>&1 ||
    problem "the run with three threads failed"
"$program" resume "$work/part3" --frames 8 --quiet --threads 2 >"$work/log" 2>&1 || problem "the second resume failed"
same_run "$work/whole" "$work/part3" || failed=1

cp "$work/scene/meshes/sheet_03.obj" "$work/kept.obj"
sheet 0.25 >"$work/scene/meshes/sheet_03.obj"
"$program" resume "$work/part" --frames 10 --quiet >"$work/log" 2>&1
code=$?
[ $code -eq 4 ] || problem "exit code $code for a changed sequence instead of 4"
grep -q 'sheet_%02d.obj has changed' "$work/log" || problem "no word of the changed sequence"
cp "$work/kept.obj" "$work/scene/meshes/sheet_03.obj"

echo "# touched" >>"$work/scene/meshes/corner.obj"
"$program" resume "$work/part" --frames 10 --quiet >"$work/log" 2>&1
code=$?
[ $code -eq 4 ] || problem "exit code $code for a changed mesh instead of 4"
grep -q 'corner.obj has changed' "$work/log" || problem "no word of the change"
rm "$work/scene/meshes/corner.obj"
"$program" resume "$work/part" --frames 10 --quiet >"$work/log" 2>&1
code=$?
[ $code -eq 4 ] || problem "exit code $code for a missing mesh instead of 4"
[ $failed -eq 0 ] && echo "mesh run: passed"
exit $failed
