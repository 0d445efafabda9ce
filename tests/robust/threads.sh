#!/bin/bash
# threads.sh PROGRAM [METHOD]: 1, 2 and 3 threads write the same files.
set -u
program=$1 method=${2:-sph}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/runs.bash"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
small_scene "$method" >"$work/small.json"

passed=0 failed=0
for threads in 1 2 3; do
    if ! "$program" run "$work/small.json" --out "$work/$threads" --quiet --threads $threads >/dev/null; then
        failed=$((failed + 1))
    elif same_run "$work/1" "$work/$threads"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$threads threads differ"
    fi
done
echo "threads: $passed passed, $failed failed"
[ $failed -eq 0 ]
