#!/bin/bash
# vdb.sh PROGRAM SOURCE-FOLDER: volumes of small runs as .vdb files, read back by OpenVDB's Python module; a full
# disk, and a program whose module is missing.
set -u
program=$(realpath "$1")
source=$2
. "$source/tests/robust/runs.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "vdb: $1"; cat "$work/log"; exit 1; }
small_scene sph >"$work/small.json"
tracers='tracers=[{"shape":{"box":{"min":[0,0,0],"max":[0.3,0.3,0.3]}},"count":3000}]'

# Without the module: the line and the remedy, and nothing left behind.
mkdir "$work/bare"
cp "$program" "$work/bare/rill"
"$work/bare/rill" run "$work/small.json" --out "$work/none" --set output.volume=true >"$work/log" 2>&1
[ $? -eq 3 ] || fail "a missing module is not refused"
grep -q "volume.*libopenvdb-dev" "$work/log" || fail "no remedy for a missing module"
[ ! -e "$work/none" ] || fail "a refused run left a folder"
"$work/bare/rill" doctor | grep -q "volumes.*libopenvdb-dev" || fail "doctor says nothing"
[ -e "$(dirname "$program")/rill_vdb.so" ] || { echo "vdb: this build has no OpenVDB"; exit 77; }

"$program" run "$work/small.json" --out "$work/run" --frames 3 --no-render --quiet --set output.volume=true \
    --set "$tracers" >"$work/log" 2>&1 || fail "the run failed"
"$program" volume "$work/run" --out "$work/again" --threads 2 >"$work/log" 2>&1 || fail "rill volume failed"
# A disk that is full after 4 kB: reported, and no incomplete file remains.
(trap '' XFSZ; ulimit -f 4; "$program" volume "$work/run" --out "$work/full") >"$work/log" 2>&1
[ $? -eq 5 ] || fail "a full disk is not reported"
grep -q "volume_0000.vdb" "$work/log" || fail "the message does not name the file"
[ -z "$(ls -A "$work/full")" ] || fail "half of a file was left"
python=/usr/bin/python3 # Debian's, which has Debian's OpenVDB
[ -x $python ] || python=python3
$python -c "import pyopenvdb" 2>/dev/null || { echo "vdb: python3-openvdb is missing"; exit 77; }
$python -B "$source/tests/e2e/vdb_read.py" "$work/run" "$work/again"
