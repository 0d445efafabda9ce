#!/bin/bash
# kill_resume.sh PROGRAM N [METHOD]: kills runs at random moments and resumes them until they finish;
# the folder must be the one of a run that was never killed. SEED=number repeats a trial.
set -u
program=$1 rounds=$2 method=${3:-sph}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/runs.bash"

seed=${SEED:-$(date +%s)}
RANDOM=$((seed % 32768))
echo "kill and resume: seed $seed"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
small_scene "$method" >"$work/small.json"

began=$(date +%s%N)
if ! "$program" run "$work/small.json" --out "$work/reference" --quiet --threads 1 >/dev/null; then
    echo "kill and resume: the reference run failed"
    exit 1
fi
took=$((($(date +%s%N) - began) / 1000000)) # ms

# One session: begins or resumes, and is killed within about the time a whole run takes.
# Leaves its exit code in $code.
session() {
    local out=$1 limit=$2 threads=$((RANDOM % 3 + 1)) pid
    if [ -f "$out/scene.json" ]; then
        "$program" resume "$out" --quiet --threads $threads >"$work/log" 2>&1 &
    else
        "$program" run "$work/small.json" --out "$out" --quiet --threads $threads >"$work/log" 2>&1 &
    fi
    pid=$!
    if [ "$limit" -gt 0 ]; then
        local ms=$((RANDOM * limit / 32768))
        sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
        kill -9 $pid 2>/dev/null
    fi
    wait $pid 2>/dev/null
    code=$?
}

passed=0 failed=0 kills=0
for ((round = 1; round <= rounds; round++)); do
    out=$work/round
    rm -rf "$out"
    code=1
    for ((k = 0; k < 3 && code != 0; k++)); do
        session "$out" "$took"
        [ $code -eq 137 ] && kills=$((kills + 1))
        if [ $code -ne 137 ] && [ $code -ne 0 ]; then break; fi
    done
    [ $code -eq 137 ] && session "$out" 0
    if [ $code -eq 0 ] && same_run "$work/reference" "$out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "round $round: exit code $code: $(tail -1 "$work/log")"
    fi
done
echo "$kills kills"
echo "kill and resume: $passed passed, $failed failed"
[ $failed -eq 0 ]
