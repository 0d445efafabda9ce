#!/bin/bash
# arm64.sh [ROOT [CASE...]]: builds Rill for arm64 in a Debian 13 of its own, and tries it with qemu.
#
# ROOT (/var/tmp/rill-arm64) is made with debootstrap, and used again when it is there: cross compiler, SIMDe and Debian's
# arm64 libraries. The program then runs dam breaks by three methods with one thread and two, whose files must be the
# same, and the cases of `rill verify --quick` that are named (V-01 V-02-cells V-05). Needs root, debootstrap and a mirror;
# two minutes of compiling, and qemu takes ten times as long as a processor would. By hand before a release.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
root=${1:-/var/tmp/rill-arm64}
[ $# -eq 0 ] || shift
cases=${*:-V-01 V-02-cells V-05}
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 sh -euc "$1"; }

if [ ! -x "$root/usr/bin/qemu-aarch64" ]; then
    [ -x "$root/usr/bin/apt-get" ] ||
        debootstrap --variant=minbase trixie "$root" "${RILL_MIRROR:-http://deb.debian.org/debian}" >"$root.log"
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    inside 'dpkg --add-architecture arm64
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends cmake ninja-build pkg-config qemu-user gcc-aarch64-linux-gnu \
            libc6-dev-arm64-cross libsimde-dev libembree-dev:arm64 libpng-dev:arm64 zlib1g-dev:arm64 libzstd-dev:arm64 \
            libxxhash-dev:arm64' >>"$root.log" 2>&1
fi
mkdir -p "$root/src"
(cd "$source" && git ls-files | tar cf - -T -) | tar xf - -C "$root/src"
inside 'cd /src
    cmake -S . -B build/arm64 -G Ninja --toolchain scripts/arm64.cmake -DCMAKE_BUILD_TYPE=Release -DRILL_TESTS=OFF -DRILL_VIEW=OFF
    cmake --build build/arm64 --target rill rill_shared' >"$root.log" 2>&1 || { tail -n 30 "$root.log" >&2; exit 1; }
inside 'cd /src
    rill="qemu-aarch64 build/arm64/rill"
    $rill --version
    for method in sph grid points; do
        for threads in 1 2; do
            $rill run scenes/dam_break.json --method $method --frames 2 --set spacing=0.08 --threads $threads --no-render \
                --quiet --force --out /tmp/$method$threads >/dev/null
        done
        for file in particles_0002 surface_0002; do
            cmp /tmp/${method}1/frames/$file.ply /tmp/${method}2/frames/$file.ply
        done
        echo "$method: the same with one thread and two"
    done'
inside "cd /src && qemu-aarch64 build/arm64/rill verify --quick $cases"
