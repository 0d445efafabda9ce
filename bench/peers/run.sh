#!/bin/sh
# Rill's Delaunay tetrahedra and Voronoi cells beside their peers, on the same points.
#
#   bench/peers/run.sh [--install] [--n N] [--repeat R] [--threads T] [RILL]
#
# Builds the drivers of this folder (C++, one program per peer) in build/peers and prints one
# table. The peers are Debian's packages; --install gets them with apt-get (as root). Their
# licences are theirs (GPL, AGPL among them): these are programs of their own, never part
# of rill. A peer that is not installed is left out, and said so.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
n=100000 repeat=3 threads=2 install=no rill=$root/build/release/rill
while [ $# -gt 0 ]; do
    case $1 in
    --install) install=yes ;;
    --n) n=$2; shift ;;
    --repeat) repeat=$2; shift ;;
    --threads) threads=$2; shift ;;
    -*) echo "usage: $0 [--install] [--n N] [--repeat R] [--threads T] [RILL]" >&2; exit 2 ;;
    *) rill=$1 ;;
    esac
    shift
done
if [ $install = yes ]; then
    apt-get install -y --no-install-recommends voro++-dev libqhull-dev libtet1.5-dev libcgal-dev libtbb-dev
fi
[ -x "$rill" ] || { echo "$rill is not there: build it first (cmake --preset release && cmake --build --preset release)" >&2; exit 2; }

out=$root/build/peers
mkdir -p "$out"
build() { # name, libraries: the driver, or a word on why not
    driver=$out/peer_$1
    [ "$driver" -nt "$here/peer_$1.cc" ] && [ "$driver" -nt "$here/points.h" ] && return 0
    # shellcheck disable=SC2086
    if ! g++ -std=c++17 -O3 -DNDEBUG -march=native -w -o "$driver" "$here/peer_$1.cc" $2 2>"$out/$1.log"; then
        rm -f "$driver"
        echo "peer $1 left out: its driver does not build (see $out/$1.log; run with --install?)" >&2
    fi
}
build cgal "-DCGAL_LINKED_WITH_TBB -DCGAL_USE_GMP -ltbb -ltbbmalloc -lgmp -lmpfr -lpthread"
build tetgen "-DTETLIBRARY -ltet"
build qhull "-lqhull_r"
build voro "-I/usr/include/voro++ -lvoro++"

# seconds of rill: bench name, figure
ours() {
    "$rill" bench "$1" --n "$n" --repeat "$repeat" --threads "$threads" --json 2>/dev/null |
        sed -n "s/.*\"$2\": *\([0-9.eE+-]*\).*/\1/p" | head -n 1
}
row() { # what, ours, peer's name, peer's seconds
    awk -v w="$1" -v a="$2" -v p="$3" -v b="$4" 'BEGIN {
        printf "%-22s %10.4f   %-14s %10.4f %9.2f\n", w, a, p, b, a / b }'
}
peer() { # what, ours, driver, kind
    driver=$out/peer_$3
    [ -x "$driver" ] || return 0
    # one run that fails or takes ten minutes must not hide the others
    if line=$(TBB_NUM_THREADS=$threads timeout 600 taskset -c "0-$((threads - 1))" "$driver" "$4" "$n" "$repeat" 2>/dev/null); then
        # shellcheck disable=SC2086
        set -- "$1" "$2" $line
        row "$1" "$2" "$3" "$4"
    else
        printf '%-22s %10.4f   %-14s %10s\n' "$1" "$2" "$3" failed
    fi
}

printf '%s points, %s threads, shortest of %s; ratio below 1: rill is faster\n' "$n" "$threads" "$repeat"
printf '%-22s %10s   %-14s %10s %9s\n' what rill_s peer peer_s ratio
t=$(ours delaunay seconds)
for p in cgal tetgen qhull; do peer "delaunay random" "$t" $p random; done
t=$(ours delaunay cubic_seconds)
for p in cgal tetgen qhull; do peer "delaunay cubic lattice" "$t" $p cubic; done
t=$(ours delaunay bcc_seconds)
for p in cgal tetgen qhull; do peer "delaunay bcc lattice" "$t" $p bcc; done
t=$(ours voronoi seconds || true)
if [ -n "$t" ]; then peer "voronoi cells random" "$t" voro random; fi
