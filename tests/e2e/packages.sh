#!/bin/bash
# packages.sh BUILD-FOLDER SOURCE-FOLDER: the Debian packages: their names and files, what they depend on, completion and the
# manual page; and the commands of docs/python.md with what they hold, unpacked elsewhere. The same on a bare machine:
# bare_machine.sh.
set -u
build=$1
source=$(realpath "$2")
for tool in dpkg-deb dpkg-shlibdeps cpack; do
    command -v $tool >/dev/null || { echo "packages: left out, there is no $tool here"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
ok() { # NAME COMMAND...
    local name=$1
    shift
    "$@" >"$work/log" 2>&1 || { failed=1; echo "FAIL: $name: $*"; cat "$work/log"; }
}

cd "$build" || exit 1
ok "cpack" cpack -B "$work/debs" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip
for p in rill librill librill-dev python3-rill; do
    ok "$p" test -s "$(echo "$work"/debs/${p}_*.deb)"
    ok "$p unpacks" dpkg-deb -x "$work"/debs/${p}_*.deb "$work/$p"
    ok "$p: copyright" grep -q "Apache License" "$work/$p/usr/share/doc/$p/copyright"
done
field() { dpkg-deb -f "$work"/debs/"$1"_*.deb "$2"; }
ok "rill depends on its libraries" grep -q 'libembree.*libpng\|libpng.*libembree\|libembree' <(field rill Depends)
ok "librill depends on its libraries" grep -q libembree <(field librill Depends)
ok "librill-dev depends on librill" grep -q '^librill (= ' <(field librill-dev Depends)
ok "python3-rill is for all" test "$(field python3-rill Architecture)" = all
ok "the soname" test -L "$(find "$work/librill/usr/lib" -name librill.so.0.2)"
ok "no link for the linker in librill" test -z "$(find "$work/librill" -name librill.so)"
ok "header" test -s "$work/librill-dev/usr/include/rill/rill.h"
ok "nothing twice" test -z "$(for p in rill librill librill-dev python3-rill; do (cd "$work/$p" && find . -type f -o -type l); done | sort | uniq -d)"
ok "scene" test -s "$work/rill/usr/share/rill/scenes/dam_break.json"

rill=$work/rill/usr/bin/rill
ok "the program" "$rill" validate "$work/rill/usr/share/rill/scenes/dam_break.json"
ok "the version says what it was built with" grep -q '^rill [0-9.]*, .*embree' <("$rill" --version)

# The manual page and completion name every command and option of --help.
share=$work/rill/usr/share
gunzip -c "$share/man/man1/rill.1.gz" >"$work/rill.1" 2>/dev/null || cp "$share/man/man1/rill.1" "$work/rill.1"
for c in $("$rill" --help | awk '/^  [a-z]/ { print $1 }'); do
    ok "manual: $c" grep -q "^.SS rill $c " "$work/rill.1"
    ok "fish: $c" grep -q -- "-a $c " "$share/fish/vendor_completions.d/rill.fish"
    ok "zsh: $c" grep -q "^    $c)" "$share/zsh/vendor-completions/_rill"
    for o in $("$rill" "$c" --help | awk '/^  --/ { print $1 }'); do
        ok "manual: $c $o" grep -qF ".B $(echo "$o" | sed 's/-/\\-/g')" "$work/rill.1"
        ok "bash: $c $o" bash -c ". '$share/bash-completion/completions/rill'; COMP_WORDS=(rill $c -- '$o'); COMP_CWORD=3
            _rill; [[ \" \${COMPREPLY[*]} \" = *' $o '* ]]"
    done
done
ok "bash: methods" bash -c ". '$share/bash-completion/completions/rill'; COMP_WORDS=(rill run --method s); COMP_CWORD=3
    _rill; test \"\${COMPREPLY[*]}\" = sph"
ok "bash: files" bash -c "cd '$work'; . '$share/bash-completion/completions/rill'; COMP_WORDS=(rill run rill.); COMP_CWORD=2
    _rill; test \"\${COMPREPLY[*]}\" = rill.1"
command -v groff >/dev/null && ok "the manual page is sound" test -z "$(groff -man -Tutf8 -wall "$work/rill.1" 2>&1 >/dev/null)"
command -v zsh >/dev/null && ok "zsh reads it" zsh -n "$share/zsh/vendor-completions/_rill"
command -v fish >/dev/null && ok "fish reads it" fish --no-execute "$share/fish/vendor_completions.d/rill.fish"

# The commands of docs/python.md after those that install, coarser, with a stand-in for matplotlib where there is none.
page() {
    mkdir -p "$work/page/stand-in/matplotlib" && cd "$work/page" || return 1
    awk '/^```sh$/ { on = 1; next } /^```/ && on { exit } on && !/^apt-get/' "$source/docs/python.md" |
        sed "s| /usr/share/rill| $share/rill|; s|^rill run .*|& --set spacing=0.06 --quiet|" >page.sh
    grep -q '^rill run' page.sh || return 1
    local paths
    paths=$(echo "$work"/python3-rill/usr/lib/python3*/dist-packages)
    python3 -c 'import matplotlib' 2>/dev/null || {
        echo 'def use(name): pass' >stand-in/matplotlib/__init__.py
        cat >stand-in/matplotlib/pyplot.py <<'END'
drawn = []
def plot(x, y): drawn.extend(zip(x, y))
def xlabel(text): pass
def ylabel(text): pass
def savefig(path): open(path, "w").write("\n".join("%g %g" % p for p in drawn))
END
        paths=$paths:$work/page/stand-in
    }
    PATH="$(dirname "$rill"):$PATH" PYTHONPATH=$paths RILL_LIBRARY=$(find "$work/librill" -name 'librill.so.0.2') sh -eu page.sh
}
if command -v python3 >/dev/null; then
    ok "the commands of docs/python.md" page
    ok "they plot the gauge" test -s "$work/page/gauge.png"
fi

echo "packages: $([ $failed -eq 0 ] && echo passed || echo failed)"
exit $failed
