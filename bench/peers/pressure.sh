#!/bin/sh
# The pressure solve of a flat half-full box beside hypre's PFMG-PCG, in turns on the same machine.
#
#   bench/peers/pressure.sh [--install] [--n N] [--repeat R] [--threads T] [RILL]
#
# Builds the driver in build/peers. hypre (Apache-2.0 or MIT) and Open MPI are Debian's packages;
# --install gets them with apt-get (as root). Ends with how many times faster rill is.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
n=128 repeat=5 threads=2 install=no rill=$root/build/release/rill
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
if [ $install = yes ]; then apt-get install -y --no-install-recommends libhypre-dev libopenmpi-dev; fi
[ -x "$rill" ] || { echo "$rill is not there: build it first (cmake --preset release && cmake --build --preset release)" >&2; exit 2; }
command -v mpicc >/dev/null || { echo "mpicc is not there: run with --install" >&2; exit 2; }

out=$root/build/peers
mkdir -p "$out"
mpicc -std=gnu17 -O3 -march=native -w -I"$root/src" -I/usr/include/hypre -o "$out/peer_hypre_pfmg" "$here/peer_hypre_pfmg.c" -lHYPRE -lm

export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
seconds() { sed -n 's/.*"seconds":\([0-9.e+-]*\).*/\1/p'; }
ours=1e9 theirs=1e9
for turn in 1 2 3; do
    a=$("$rill" bench pressure-flat --n "$n" --threads "$threads" --repeat "$repeat" --json)
    b=$(mpirun --oversubscribe -np "$threads" "$out/peer_hypre_pfmg" "$n" "$repeat")
    echo "$a"
    echo "$b"
    ours=$(printf '%s\n%s\n' "$ours" "$(echo "$a" | seconds)" | sort -g | head -1)
    theirs=$(printf '%s\n%s\n' "$theirs" "$(echo "$b" | seconds)" | sort -g | head -1)
done
echo "$ours $theirs" | awk '{ printf "rill %.4f s, hypre %.4f s: %.2f times faster\n", $1, $2, $2 / $1 }'
