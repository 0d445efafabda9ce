#!/bin/sh
# The mesh solver beside hypre's BoomerAMG-PCG, in turns on the same machine and matrix.
#
#   bench/peers/amg.sh [--install] [--n ROWS] [--repeat R] [--threads T] [BUILD-FOLDER]
#
# Builds the driver in build/peers. hypre (Apache-2.0 or MIT) and Open MPI are Debian's packages;
# --install gets them with apt-get (as root). Ends with how many times faster rill is.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
n=493000 repeat=5 threads=2 install=no build=$root/build/release
while [ $# -gt 0 ]; do
    case $1 in
    --install) install=yes ;;
    --n) n=$2; shift ;;
    --repeat) repeat=$2; shift ;;
    --threads) threads=$2; shift ;;
    -*) echo "usage: $0 [--install] [--n ROWS] [--repeat R] [--threads T] [BUILD-FOLDER]" >&2; exit 2 ;;
    *) build=$1 ;;
    esac
    shift
done
if [ $install = yes ]; then apt-get install -y --no-install-recommends libhypre-dev libopenmpi-dev; fi
library=$(find "$build" -name librill_test_support.a 2>/dev/null | head -n 1)
[ -x "$build/rill" ] && [ -n "$library" ] ||
    { echo "$build is not built: cmake --preset release && cmake --build --preset release" >&2; exit 2; }
command -v mpicc >/dev/null || { echo "mpicc is not there: run with --install" >&2; exit 2; }

out=$root/build/peers
mkdir -p "$out"
includes=
for layer in "$build"/layers/*; do includes="$includes -I$layer"; done
# shellcheck disable=SC2086 # words
mpicc -std=gnu17 -O3 -march=x86-64-v3 -w -I"$root/include" $includes -I/usr/include/hypre -o "$out/peer_hypre_amg" \
    "$here/peer_hypre_amg.c" "$library" -lHYPRE -lembree3 -lpng -lzstd -lxxhash -lpthread -lm

export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
seconds() { sed -n 's/.*"seconds": *\([0-9.e+-]*\).*/\1/p'; }
ours=1e9 theirs=1e9
for turn in 1 2; do
    a=$("$build/rill" bench amg --n "$n" --threads "$threads" --repeat "$repeat" --json)
    b=$(mpirun --oversubscribe -np "$threads" "$out/peer_hypre_amg" "$n" "$repeat")
    echo "$a"
    echo "$b"
    ours=$(printf '%s\n%s\n' "$ours" "$(echo "$a" | seconds)" | sort -g | head -1)
    theirs=$(printf '%s\n%s\n' "$theirs" "$(echo "$b" | seconds)" | sort -g | head -1)
done
echo "$ours $theirs" | awk '{ printf "rill %.4f s, hypre %.4f s: %.2f times faster\n", $1, $2, $2 / $1 }'
