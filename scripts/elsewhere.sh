#!/bin/bash
# elsewhere.sh SUITE [ROOT]: builds Rill on a bare Debian or Ubuntu of another version, as docs/packaging.md says it.
#
# SUITE is trixie (Debian 13), noble (Ubuntu 24.04) or another that has the packages; ROOT (/var/tmp/rill-SUITE) is made with
# debootstrap and used again when it is there, with what was compiled in it. The program then runs a dam break by three
# methods. Needs root, debootstrap and a mirror; some minutes of compiling. By hand before a release.
set -eu
suite=$1
root=${2:-/var/tmp/rill-$suite}
source=$(cd "$(dirname "$0")/.." && pwd)
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 sh -euc "$1"; }

case $suite in
jammy | noble | oracular | plucky | questing)
    # Ubuntu's keys are not on a Debian; debootstrap's script for all its versions is called gutsy.
    bootstrap=(debootstrap --variant=minbase --no-check-gpg --components=main,universe "$suite" "$root"
        "${RILL_MIRROR:-http://archive.ubuntu.com/ubuntu}" gutsy) ;;
*) bootstrap=(debootstrap --variant=minbase "$suite" "$root" "${RILL_MIRROR:-http://deb.debian.org/debian}") ;;
esac
if [ ! -x "$root/usr/bin/ninja" ]; then
    [ -x "$root/usr/bin/apt-get" ] || "${bootstrap[@]}" >"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; exit 1; }
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    inside 'apt-get update -qq
        apt-get install -y -qq --no-install-recommends gcc g++ libc6-dev cmake ninja-build pkg-config libembree-dev libpng-dev \
            zlib1g-dev libzstd-dev libxxhash-dev libmicrohttpd-dev' >>"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; exit 1; }
fi
mkdir -p "$root/src"
(cd "$source" && git ls-files | tar cf - -T -) | tar xf - -C "$root/src"
inside 'cd /src
    cmake -S . -B build/release -G Ninja -DCMAKE_BUILD_TYPE=Release
    cmake --build build/release --target product' >"$root.log" 2>&1 || { tail -n 30 "$root.log" >&2; exit 1; }
if grep -q 'warning:' "$root.log"; then
    echo "elsewhere.sh: warnings in $root.log" >&2
    exit 1
fi
inside 'cd /src
    build/release/rill --version
    for method in sph grid points; do
        build/release/rill run scenes/dam_break.json --method $method --frames 2 --set spacing=0.08 --threads 1 --no-render \
            --quiet --force --out /tmp/$method >/dev/null
        echo "$method runs"
    done'
