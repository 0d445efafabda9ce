#!/bin/sh
# How long scenes take beside what `rill run --estimate` said just before: one line for each, and how many were
# off by more than a factor of 2. Hours for all scenes; on a machine that does nothing else.
# usage: bench/estimates.sh [SCENE...]     RILL=build/release/rill
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
rill=${RILL:-$root/build/release/rill}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
[ $# -gt 0 ] || set -- "$root"/scenes/*.json
off=0
for scene in "$@"; do
    # a scene whose mesh is not there is not run
    if ! said=$("$rill" run "$scene" --estimate --json 2>/dev/null); then
        echo "$(basename "$scene" .json): not run"
        continue
    fi
    took=$("$rill" run "$scene" --out "$out/run" --force --quiet --json 2>/dev/null) || took=
    rm -rf "$out/run"
    line=$(python3 - "$said" "$took" <<'END'
import json, sys
said = json.loads(sys.argv[1])["seconds"]
took = json.loads(sys.argv[2])["wall_s"] if sys.argv[2] else float("nan")
print(f"{said:.1f} s said, {took:.1f} s taken, ratio {said / took:.2f}", "ok" if 0.5 <= said / took <= 2 else "OFF")
END
    )
    case $line in *OFF) off=$((off + 1)) ;; esac
    echo "$(basename "$scene" .json): $line"
done
echo "$off off by more than a factor of 2"
[ "$off" -eq 0 ]
