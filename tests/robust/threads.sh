#!/bin/bash
# threads.sh PROGRAM: 1, 2, 3, 4 and 8 threads write the same files, with every method.
set -u
program=$1
here=$(cd "$(dirname "$0")" && pwd)
. "$here/runs.bash"

work=$(work_folder)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
for method in $(methods_of "$program"); do
    small_scene "$method" >"$work/small.json"
    for threads in 1 2 3 4 8; do
        out=$work/$method.$threads
        if ! "$program" run "$work/small.json" --out "$out" --quiet --threads $threads >/dev/null; then
            failed=$((failed + 1))
        elif same_run "$work/$method.1" "$out"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "$method: $threads threads differ"
        fi
    done
done
echo "threads: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
