#!/bin/bash
# viewer_clients.sh PROGRAM SOURCE-FOLDER: see viewer_clients.py. Skipped in a build without the viewer.
set -u
program=$1
source=$2
. "$source/tests/robust/runs.bash"
"$program" doctor | grep -q 'libmicrohttpd [0-9]' || { echo "this build has no viewer"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
small_scene sph >"$work/small.json"
python3 -B "$source/tests/e2e/viewer_clients.py" "$program" "$work/small.json"
