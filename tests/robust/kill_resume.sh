#!/bin/bash
# kill_resume.sh PROGRAM FAULTS-LIBRARY KILLS: kills runs and resumes them until they finish, so
# many times in all, over every method: a third of the kills at random moments, a third in
# the middle of a write, a third inside any call that touches the disk. What is in the folder
# after a kill is whole, and in the end it is the folder of a run that was never killed.
# SEED=number repeats a trial.
set -u
program=$1 library=$2 wanted=$3
here=$(cd "$(dirname "$0")" && pwd)
. "$here/runs.bash"

seed=${SEED:-$(date +%s)}
RANDOM=$((seed % 32768))
echo "kill and resume: seed $seed"

work=$(work_folder)
trap 'rm -rf "$work"' EXIT
out=$work/round
passed=0 failed=0 kills=0 in_calls=0 in_writes=0 rounds=0 turn=0

# prepare METHOD IMAGES: a reference run, how long it takes (ms), how often it touches the disk
# and how often it writes.
prepare() {
    tiny_scene "$1" 6 "$2" >"$work/tiny.json"
    rm -rf "$work/reference"
    local began
    LD_PRELOAD=$library RILL_FAULT_ONLY=writes RILL_FAULT_UNDER=$work/first RILL_FAULT_REPORT=$work/report \
        "$program" run "$work/tiny.json" --out "$work/first" --quiet --threads 1 >/dev/null
    rm -rf "$work/first"
    read -r writes _ <"$work/report"
    began=$(date +%s%N)
    if ! LD_PRELOAD=$library RILL_FAULT_UNDER=$work/reference RILL_FAULT_REPORT=$work/report \
        "$program" run "$work/tiny.json" --out "$work/reference" --quiet --threads 1 >/dev/null; then
        echo "kill and resume: the reference run failed"
        exit 1
    fi
    took=$((($(date +%s%N) - began) / 1000000 + 1))
    read -r calls _ <"$work/report"
}

# next_command: what begins or goes on with the run, in the array $command.
next_command() {
    local threads=$((RANDOM % 3 + 1))
    if [ -f "$out/scene.json" ]; then
        command=("$program" resume "$out" --quiet --threads $threads)
    else
        command=("$program" run "$work/tiny.json" --out "$out" --quiet --threads $threads)
    fi
}

# Killed by the clock, within the time of a whole run.
at_random_moment() {
    next_command
    "${command[@]}" >"$work/log" 2>&1 &
    local pid=$! ms=$((RANDOM % (took + 3)))
    sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    code=$?
}

# inside_a_call WHAT COUNT: killed inside one of the calls that touch the disk (all), or one of
# the writes; COUNT is how many there are. Among the first half: several kills a run.
inside_a_call() {
    next_command
    rm -f "$work/report"
    { # the braces and not the command keep the shell from telling of the kill
        LD_PRELOAD=$library RILL_FAULT_UNDER=$out RILL_FAULT_KIND=kill RILL_FAULT_REPORT=$work/report \
            RILL_FAULT_ONLY=$1 RILL_FAULT_AT=$((RANDOM % ($2 / 2) + 1)) "${command[@]}" >"$work/log" 2>&1
        code=$?
    } 2>/dev/null
    [ $code -eq 137 ] || return
    local call
    read -r _ call <"$work/report"
    in_calls=$((in_calls + 1))
    case $call in write | pwrite) in_writes=$((in_writes + 1)) ;; esac
}

# One run with its kills, at most $1 of them.
round() {
    local most=$1 k good=yes
    rm -rf "$out"
    rounds=$((rounds + 1))
    code=137
    for ((k = 0; k < most && code == 137; k++)); do
        turn=$((turn + 1))
        case $((turn % 3)) in
        0) at_random_moment ;;
        1) inside_a_call all "$calls" ;;
        2) inside_a_call writes "$writes" ;;
        esac
        [ $code -eq 137 ] || break
        kills=$((kills + 1))
        if ! only_whole_files "$program" "$work/reference" "$out" unchecked; then good=; fi
    done
    if [ $code -eq 137 ]; then
        next_command
        "${command[@]}" >"$work/log" 2>&1
        code=$?
    fi
    if [ $code -eq 0 ] && [ -n "$good" ] && same_run "$work/reference" "$out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "round $rounds: exit code $code: $(tail -1 "$work/log")"
    fi
}

methods=$(methods_of "$program")
count=$(echo "$methods" | wc -w)
share=$(((wanted + count - 1) / count)) # kills of each method, a fifth of them with images
done_kills=0
for method in $methods; do
    for images in false true; do
        prepare "$method" $images
        goal=$((done_kills + share * 4 / 5))
        [ $images = true ] && goal=$((done_kills + share))
        while [ $kills -lt $goal ] && [ $failed -lt 20 ]; do round 8; done
    done
    done_kills=$((done_kills + share))
done
echo "$kills kills in $rounds runs: $in_calls inside calls that touch the disk, $in_writes of them in the middle of a write"
echo "kill and resume: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $kills -ge "$wanted" ]
