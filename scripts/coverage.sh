#!/bin/sh
# Line coverage by the unit and robustness tests: per file, and per folder at the end. The exit
# code is 0 when src/io and src/run have 90 percent or more.
#   scripts/coverage.sh [--report]     --report: of the last run, without building and testing
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/coverage
cd "$root"
if [ "${1:-}" != --report ]; then
    [ -f "$build/build.ninja" ] || cmake --preset coverage >/dev/null
    cmake --build --preset coverage
    find "$build" -name '*.gcda' -delete
    # A failing test is reported; its coverage counts all the same.
    ctest --test-dir "$build" -L 'unit|robust' -LE 'long|fuzz' -j "$(nproc)" --output-on-failure ||
        echo "coverage: some tests failed; bad_meshes measures speed, which counting spoils"
fi

# "FILE EXECUTED LINES" for each source of the program, by the compiler's own gcov.
count() {
    find "$build/CMakeFiles" -path '*/src/*' -name '*.gcda' | sort | while read -r data; do
        file=src/${data#*.dir/src/}
        file=${file%.gcda}
        gcov -n -o "$(dirname "$data")" "$data" 2>/dev/null | awk -v file="$file" '
            $1 == "File" { own = index($0, file "\047") > 0 }
            own && /^Lines executed:/ {
                split($2, part, /[:%]/)
                printf "%s %d %d\n", file, part[2] * $4 / 100 + 0.5, $4
                own = 0
            }'
    done
}

count | awk '
    {
        printf "%-40s %5d of %5d  %5.1f %%\n", $1, $2, $3, 100 * $2 / $3
        folder = $1
        sub("/[^/]*$", "", folder)
        hit[folder] += $2
        all[folder] += $3
    }
    END {
        print ""
        for (f in all) {
            percent = 100 * hit[f] / all[f]
            printf "coverage: %-26s %5d of %5d  %5.1f %%\n", f, hit[f], all[f], percent
            if ((f == "src/io" || f == "src/run") && percent >= 90) good++
        }
        exit good == 2 ? 0 : 1
    }'
