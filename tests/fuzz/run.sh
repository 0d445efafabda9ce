#!/bin/sh
# Builds the fuzz targets and runs each for that long, as many at a time as there are processors.
# New inputs go to build/fuzz/found/NAME; a crash leaves its input, minimised, in
# build/fuzz/crashes/NAME. A crash is fixed, and its input kept in tests/fuzz/regressions/NAME,
# which ctest replays. The last line counts them; the exit code is 0 only when there was none.
# usage: run.sh SECONDS [NAME...]
# The same seed each time, so that a change is judged by the same inputs; RILL_FUZZ_SEED=N tries others;
# RILL_FUZZ_JOBS=N runs so many at a time.
set -eu
seconds=${1:?usage: run.sh SECONDS [NAME...]}
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build/fuzz
cd "$root"

# fuzz_one NAME: prints what became of it; fails when it crashed.
fuzz_one() {
    name=$1
    found=$build/found/$name
    crash=$build/crashes/$name
    mkdir -p "$found" "$crash"
    set -- "$found"
    for seeds in "tests/fuzz/corpus/$name" "tests/fuzz/regressions/$name"; do
        if [ -d "$seeds" ]; then set -- "$@" "$seeds"; fi
    done
    dictionary=
    if [ -f "tests/fuzz/$name.dict" ]; then dictionary=-dict=tests/fuzz/$name.dict; fi
    # shellcheck disable=SC2086 # nothing when there is no dictionary
    if "$build/fuzz/fuzz_$name" $dictionary -max_total_time="$seconds" -seed="${RILL_FUZZ_SEED:-1}" -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="$crash/" -print_final_stats=1 "$@" > "$build/$name.log" 2>&1; then
        echo "fuzz: $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log") runs, no crash"
        return 0
    fi
    echo "fuzz: $name: CRASH, see $build/$name.log"
    for input in "$crash"/*; do
        [ -f "$input" ] || continue
        case $input in *.small) continue ;; esac
        [ -f "$input.small" ] || "$build/fuzz/fuzz_$name" -minimize_crash=1 -max_total_time=20 \
            -exact_artifact_path="$input.small" "$input" > /dev/null 2>&1 || true
    done
    return 1
}

if [ "$seconds" = --one ]; then # from below: --one SECONDS NAME
    seconds=$1
    if fuzz_one "$2"; then exit 0; fi
    : > "$build/crashed/$2"
    exit 1
fi

[ -f "$build/build.ninja" ] || cmake --preset fuzz > /dev/null
cmake --build --preset fuzz
[ $# -gt 0 ] || set -- $(cd tests/fuzz && ls fuzz_*.c | sed 's/^fuzz_//; s/\.c$//')
rm -rf "$build/crashed"
mkdir -p "$build/crashed"
printf '%s\n' "$@" | xargs -P "${RILL_FUZZ_JOBS:-$(nproc)}" -I '{}' sh "$root/tests/fuzz/run.sh" --one "$seconds" '{}' || true
crashes=$(ls "$build/crashed" | wc -l)
echo "fuzz: $# targets, $crashes crashed"
[ "$crashes" -eq 0 ]
