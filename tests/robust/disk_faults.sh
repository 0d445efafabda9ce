#!/bin/bash
# disk_faults.sh PROGRAM FAULTS-LIBRARY [all]: every call of a small run that touches the disk goes
# wrong, one after the other and in several ways (tests/robust/faults.c). Each time: exit code
# 5 and a message that names a file of the run, or 0 where it did not matter; no file under a
# final name that is not whole; and resuming on a disk that works gives the files of a run
# that had no trouble. With "all" every fault is tried at every call; otherwise some are tried at
# every n-th call only, of which there are more with RILL_FULL=1.
set -u
program=$1 library=$2 all=${3:-} full=${RILL_FULL:-0}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/runs.bash"

work=$(work_folder)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 faults=0 harmless=0
out=$work/out

problem() { # TEXT...
    echo "$method, $kind at call $n ($call): $*"
    good=
}

# faulty KIND N COMMAND...: leaves the exit code in $code, the call that failed in $call.
faulty() {
    local k=$1 at=$2
    shift 2
    rm -f "$work/report"
    LD_PRELOAD=$library RILL_FAULT_UNDER=$out RILL_FAULT_KIND=$k RILL_FAULT_AT=$at \
        RILL_FAULT_REPORT=$work/report "$@" >"$work/log" 2>&1
    code=$?
    read -r calls call <"$work/report"
}

# begin_or_resume: what a person would do next.
begin_or_resume() {
    if [ -f "$out/scene.json" ]; then
        "$program" resume "$out" --quiet --threads 1
    else
        "$program" run "$work/tiny.json" --out "$out" --quiet --threads 1
    fi
}

# after_fault WHAT: what must hold then.
after_fault() {
    faults=$((faults + 1))
    case $code in
    0) harmless=$((harmless + 1)) ;;
    5)
        grep -qF "$out" "$work/log" || problem "no file in the message: $(cat "$work/log")"
        [ "$(wc -l <"$work/log")" -eq 1 ] || problem "not one line: $(cat "$work/log")"
        ;;
    *) problem "$1: exit code $code: $(tail -1 "$work/log")" ;;
    esac
    # A disk that is gone cannot be cut either; resuming does it.
    local growing=
    [ "$kind" = dead ] && growing=unchecked
    # shellcheck disable=SC2086 # one word or none
    only_whole_files "$program" "$work/reference" "$out" $growing >"$work/said" || problem "$(cat "$work/said")"
    if [ "$kind" != dead ] && [ "$call" != unlink ] && [ -n "$(find "$work/out" -name '.*.tmp' 2>/dev/null)" ]; then
        problem "temporary files are left"
    fi
}

first=yes
for method in $(methods_of "$program"); do
    tiny_scene "$method" 2 true >"$work/tiny.json"
    rm -rf "$work/reference"
    if ! "$program" run "$work/tiny.json" --out "$work/reference" --quiet --threads 1 >/dev/null; then
        echo "$method: the reference run failed"
        exit 1
    fi
    for kind in enospc eio cut short dead; do
        stride=1 start=1
        [ -z "$all" ] && case $kind in short) stride=3 ;; dead) stride=7 ;; esac
        # A call that fails with one error is handled as with the other: alternate calls, unless all are wanted.
        [ -z "$all" ] && [ "$full" != 1 ] && case $kind in eio) stride=2 ;; cut) stride=2 start=2 ;; esac
        # Files are written by the same code for every method: all calls of one of them, some of the others'.
        [ -z "$all" ] && [ -z "$first" ] && stride=23
        for ((n = start; ; n += stride)); do
            rm -rf "$out"
            good=yes
            faulty "$kind" "$n" "$program" run "$work/tiny.json" --out "$out" --quiet --threads 1
            [ "$call" = - ] && [ "$n" -gt "$calls" ] && break
            [ "$call" = - ] && continue # this call cannot go wrong in this way
            after_fault run
            [ "$kind" = short ] && [ $code -ne 0 ] && problem "half a write is no reason to stop"
            # A third of the resumes meet a fault of their own on the way.
            if [ $code -ne 0 ] && [ $((n % 3)) -eq 0 ] && [ -f "$out/scene.json" ]; then
                faulty eio $((n / 2 + 1)) "$program" resume "$out" --quiet --threads 1
                # What cannot be read is exit code 4.
                if [ $code -eq 4 ]; then
                    faults=$((faults + 1))
                elif [ "$call" != - ]; then
                    after_fault resume
                fi
            fi
            begin_or_resume >"$work/log" 2>&1 || problem "cannot go on: $(cat "$work/log")"
            same_run "$work/reference" "$out" >"$work/said" 2>&1 || problem "resumed, but $(head -3 "$work/said")"
            if [ -n "$good" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
        done
        echo "$method, $kind: $calls calls that touch the disk"
    done
    first=
done
echo "$faults faults, $harmless of them without consequence"
echo "disk faults: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
