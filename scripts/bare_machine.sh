#!/bin/bash
# bare_machine.sh PACKAGES [SUITE [ROOT]]: the packages of a folder on a bare Debian, as docs/python.md says it.
#
# Makes a minimal system of the suite (bookworm) with debootstrap in ROOT (a new folder below /var/tmp, removed at the end;
# one that is given is kept and used again), copies the packages into it and runs, inside, the commands of docs/python.md,
# then a smoke test: the program, its manual page and completion, a C program on librill-dev, and the Python package.
# Needs root, debootstrap and a mirror. By hand before a release; not part of ./test.
set -eu
packages=$(cd "$1" && pwd)
suite=${2:-bookworm}
source=$(cd "$(dirname "$0")/.." && pwd)
mirror=${RILL_MIRROR:-http://deb.debian.org/debian}
[ "$(id -u)" -eq 0 ] || { echo "bare_machine.sh: needs root" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "bare_machine.sh: needs debootstrap" >&2; exit 2; }

root=${3:-}
[ -n "$root" ] || root=$(mktemp -d /var/tmp/rill-bare.XXXXXX)
clean() {
    umount "$root/proc" 2>/dev/null || true
    [ $# -eq 0 ] || rm -rf "$root" "$root.log"
}
if [ -n "${3:-}" ]; then trap clean EXIT; else trap 'clean all' EXIT; fi
if [ ! -x "$root/usr/bin/apt-get" ]; then
    echo "bare_machine.sh: making a bare $suite in $root"
    debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; exit 1; }
fi
mount -t proc proc "$root/proc" 2>/dev/null || true
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
rm -rf "$root/trial"
mkdir -p "$root/trial"
cp "$packages"/*.deb "$root/trial"

# The page's commands, and nothing else.
awk '/^```sh$/ { on = 1; next } /^```/ && on { exit } on' "$source/docs/python.md" >"$root/trial/page.sh"
test -s "$root/trial/page.sh"
cat >"$root/trial/smoke.sh" <<'END'
set -eu
test -s dam_break/frames/surface_0030.ply
test "$(head -c 4 gauge.png | tail -c 3)" = PNG
rill --version
ldconfig -p | grep -q "librill.so.0.2 "
apt-get install -y -qq --no-install-recommends ./librill-dev_*.deb gcc libc6-dev pkg-config >/dev/null
cat >smoke.c <<'C'
#include <rill/rill.h>
#include <stdio.h>
int main(void) { return puts(rill_build()) < 0; }
C
cc smoke.c $(pkg-config --cflags --libs rill) -o smoke
./smoke
test -s /usr/share/man/man1/rill.1.gz || test -s /usr/share/man/man1/rill.1
bash -c '. /usr/share/bash-completion/completions/rill; COMP_WORDS=(rill run --me); COMP_CWORD=2; _rill; test "${COMPREPLY[*]}" = --method'
python3 /usr/share/doc/python3-rill/examples/martin_moyce.py 2>/dev/null
apt-get remove -y -qq rill librill >/dev/null
test ! -e /usr/bin/rill
END
run() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
    sh -c "cd /trial && sh -eu $1"; }
echo "bare_machine.sh: the commands of docs/python.md"
run page.sh >"$root/trial/page.log" 2>&1 || { tail -n 30 "$root/trial/page.log" >&2; exit 1; }
echo "bare_machine.sh: the smoke test"
run smoke.sh
echo "bare_machine.sh: passed on $suite"
