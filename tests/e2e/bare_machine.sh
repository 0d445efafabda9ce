#!/bin/bash
# bare_machine.sh BUILD-FOLDER SOURCE-FOLDER: the packages on a bare Debian 12, by the commands of docs/python.md alone and a
# smoke test (scripts/bare_machine.sh). Left out without root, debootstrap or a mirror (RILL_MIRROR names another).
set -u
build=$1
source=$2
[ "$(id -u)" -eq 0 ] || { echo "bare_machine: left out, it needs root"; exit 77; }
for tool in debootstrap cpack dpkg-shlibdeps; do
    command -v $tool >/dev/null || { echo "bare_machine: left out, there is no $tool here"; exit 77; }
done
export RILL_MIRROR=${RILL_MIRROR:-http://deb.debian.org/debian}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
/usr/lib/apt/apt-helper download-file "$RILL_MIRROR/dists/bookworm/Release" "$work/release" >/dev/null 2>&1 ||
    { echo "bare_machine: left out, no mirror answers"; exit 77; }
(cd "$build" && cpack -B "$work/debs" >"$work/log" 2>&1) || { cat "$work/log"; exit 1; }
"$source/scripts/bare_machine.sh" "$work/debs"
