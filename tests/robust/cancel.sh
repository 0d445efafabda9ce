#!/bin/bash
# cancel.sh PROGRAM FAULTS-LIBRARY: Ctrl-C at every distinct moment: at each call
# that touches the disk (frame output, records, checkpoints) and at random moments inside
# steps. Exit code 130 with the way to go on, whole files only, and the same result after
# resuming; 0 where the run was as good as finished.
set -u
program=$1 library=$2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/runs.bash"

work=$(work_folder)
trap 'rm -rf "$work"' EXIT
out=$work/out passed=0 failed=0 stops=0 finished=0

# judge WHERE: of the run that ended with $code.
judge() {
    local good=yes
    if [ "$code" -eq 130 ]; then
        stops=$((stops + 1))
        grep -qF "rill resume $out" "$work/log" || { echo "$1: does not say how to go on: $(cat "$work/log")"; good=; }
        only_whole_files "$program" "$work/reference" "$out" || good=
        if [ -f "$out/scene.json" ]; then
            "$program" resume "$out" --quiet --threads 2 >"$work/log" 2>&1 || { cat "$work/log"; good=; }
        fi
    elif [ "$code" -eq 0 ]; then
        finished=$((finished + 1))
    else
        echo "$1: exit code $code: $(cat "$work/log")"
        good=
    fi
    same_run "$work/reference" "$out" || good=
    if [ -n "$good" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$1: failed"; fi
}

# The calls that touch the disk are the same for every method: one method is tried at more of them than the others.
stride=4 moments=4
for method in $(methods_of "$program"); do
    tiny_scene "$method" 2 true >"$work/tiny.json"
    rm -rf "$work/reference"
    "$program" run "$work/tiny.json" --out "$work/reference" --quiet >/dev/null || exit 1
    for ((n = 1; ; n += stride)); do
        rm -rf "$out"
        LD_PRELOAD=$library RILL_FAULT_UNDER=$out RILL_FAULT_KIND=int RILL_FAULT_AT=$n \
            RILL_FAULT_REPORT=$work/report "$program" run "$work/tiny.json" --out "$out" --quiet >"$work/log" 2>&1
        code=$?
        read -r _ call <"$work/report"
        [ "$call" = - ] && break
        judge "$method, at call $n ($call)"
    done

    # Steps that fill most of the time: more liquid, no images.
    sed 's/"spacing": 0.08/"spacing": 0.03/; s/"frames": 12/"frames": 4/; s/"checkpoint": 2/"checkpoint": 3, "images": false/' \
        <(small_scene "$method") >"$work/tiny.json"
    rm -rf "$work/reference"
    began=$(date +%s%N)
    "$program" run "$work/tiny.json" --out "$work/reference" --quiet --threads 1 >/dev/null || exit 1
    took=$((($(date +%s%N) - began) / 1000000))
    for ((k = 1; k <= moments; k++)); do
        rm -rf "$out"
        "$program" run "$work/tiny.json" --out "$out" --quiet --threads 1 >"$work/log" 2>&1 &
        pid=$!
        ms=$((took * k / (moments + 1)))
        sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
        kill -INT $pid 2>/dev/null
        wait $pid
        code=$?
        # Before there is a handler, or a folder, Ctrl-C ends the program at once.
        [ ! -e "$out/scene.json" ] && { echo "$method: too early"; continue; }
        judge "$method, after $ms ms"
    done
    stride=19 moments=2
done
echo "$stops stops, $finished too late to matter"
echo "cancel: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $stops -gt 20 ]
