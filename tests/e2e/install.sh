#!/bin/bash
# install.sh BUILD-FOLDER: installs into a folder of its own and uses it as outside programs do:
# C and C++, by pkg-config and by find_package, shared and static; the example of docs/api.md; the names exported.
set -u
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
passed=0 failed=0

ok() { # NAME COMMAND...
    local name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: $name: $*"
        cat "$work/log"
    fi
}
have() { command -v "$1" >/dev/null; }

ok "install" cmake --install "$build" --prefix "$prefix"
[ $failed -eq 0 ] || exit 1
library=$(dirname "$(find "$prefix" -name 'librill.so')")
export PKG_CONFIG_PATH=$library/pkgconfig
for f in bin/rill include/rill/rill.h share/rill/scene.schema.json share/rill/api.md share/rill/scene.md \
    share/rill/rill_run.py share/rill/rill/run.py share/rill/rill_blender.py share/rill/NOTICE share/rill/scenes/dam_break.json \
    share/man/man1/rill.1 share/bash-completion/completions/rill; do
    ok "installed" test -s "$prefix/$f"
done
ok "a version in the name" test -e "$(readlink -f "$library/librill.so.0.2")"
ok "the program" "$prefix/bin/rill" validate "$prefix/share/rill/scenes/dam_break.json"

# Exactly the functions of the header, from either library.
sed -n 's/^RILL_API .*\b\(rill_[a-z0-9_]*\)(.*/\1/p' "$prefix/include/rill/rill.h" | sort >"$work/documented"
ok "the header has functions" test "$(wc -l <"$work/documented")" -gt 20
nm -D --defined-only "$library/librill.so" | awk '{print $3}' | sort >"$work/exported"
ok "names of the shared library" diff "$work/documented" "$work/exported"
nm -g --defined-only "$library/librill.a" | awk 'NF == 3 {print $3}' | sort >"$work/exported"
ok "names of the static library" diff "$work/documented" "$work/exported"

# No global state: nothing of ours that can be written to.
objdump -t "$library/librill.so" | awk '$3 == "O" && ($4 == ".data" || $4 == ".bss") { print $NF }' |
    grep -vx 'completed\.0\|__dso_handle\|__TMC_END__\|__cpu_model\|__cpu_features2' >"$work/globals"
ok "no global state" diff /dev/null "$work/globals"

# The example of the document, as it stands there, and what it must print.
cd "$work" || exit 1
awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' "$prefix/share/rill/api.md" >example.c
ok "thirty lines" test "$(wc -l <example.c)" -le 30
flags=$(pkg-config --cflags rill) && libs=$(pkg-config --libs rill) || exit 1
strict="-Wall -Wextra -Werror -pedantic"
cat >scene.json <<'END'
{ "rill": 1, "name": "small", "method": "sph", "spacing": 0.08,
  "domain": { "min": [0, 0, 0], "max": [1.2, 0.8, 0.48] }, "time": { "frames": 3, "fps": 40 },
  "liquid": [ { "shape": { "box": { "min": [0, 0, 0], "max": [0.48, 0.64, 0.48] } } } ],
  "output": { "images": false } }
END
export LD_LIBRARY_PATH=$library
# shellcheck disable=SC2086 # words
ok "example: compiles" cc -std=c99 $strict example.c $flags $libs -o example
ok "example: runs" sh -c './example scene.json >example.out'
# Frame for frame the particles of the program's own run, and a front that moves on.
ok "run" "$prefix/bin/rill" run scene.json --out run --quiet
ok "example: frames" test "$(wc -l <example.out)" -eq 4
for k in 0 1 2 3; do
    count=$(grep -a -m 1 '^element vertex' "run/frames/particles_000$k.ply")
    faces=$(grep -a -m 1 '^element face' "run/frames/surface_000$k.ply")
    ok "example: frame $k" grep -q "^frame $k: ${count##* } particles to x = .*, ${faces##* } triangles\$" example.out
done
# shellcheck disable=SC2016 # awk's
ok "example: the liquid spreads" \
    awk '{ x = $8 + 0 } NR == 1 { first = x } END { exit !(first > 0.4 && x > first + 0.01) }' example.out
ok "example: a missing scene" sh -c './example nothing.json 2>said; test $? -eq 4 && grep -q nothing.json said'
echo '{ "rill": 1, "spacng": 1 }' >slip.json
ok "example: a slip" sh -c './example slip.json 2>said; test $? -eq 3 && grep -q "did you mean" said'

# A host in C with two contexts in two threads, and the same in C++; linked either way.
cp "$here/host.c" host.c
cp host.c host.cpp
# shellcheck disable=SC2086,SC2046
{
    ok "C, pkg-config" cc -std=c11 $strict host.c $flags $libs -pthread -o host_c
    ok "C, static" cc -std=c11 $strict host.c $flags -Wl,-Bstatic $libs -Wl,-Bdynamic \
        $(pkg-config --static --libs-only-l rill | sed 's/-lrill//') -pthread -o host_static
    have c++ && ok "C++, pkg-config" c++ -std=c++17 $strict host.cpp $flags $libs -pthread -o host_cpp
}
version=$(pkg-config --modversion rill)
ok "C runs" ./host_c scene.json "$version"
ok "C, static: runs" env -u LD_LIBRARY_PATH ./host_static scene.json "$version"
if have c++; then
    ok "C++ runs" ./host_cpp scene.json "$version"
    languages="C CXX" sources="host.cpp"
else
    echo "no C++ compiler: tried in C alone"
    languages="C" sources="host.c"
fi

# find_package, also after the whole folder has been moved.
mkdir cmake_host
cat >cmake_host/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.16)
project(host LANGUAGES $languages)
find_package(Threads REQUIRED)
find_package(rill 0.2 REQUIRED)
add_executable(host_shared ../$sources)
target_link_libraries(host_shared PRIVATE rill::rill Threads::Threads)
add_executable(host_static ../host.c)
target_link_libraries(host_static PRIVATE rill::rill_static Threads::Threads)
END
unset LD_LIBRARY_PATH
for place in "$prefix" "$work/moved"; do
    [ "$place" = "$prefix" ] || mv "$prefix" "$place"
    rm -rf cmake_build
    ok "find_package: configure" cmake -G Ninja -S cmake_host -B cmake_build -DCMAKE_PREFIX_PATH="$place"
    ok "find_package: build" cmake --build cmake_build
    ok "find_package: shared" cmake_build/host_shared scene.json "$version"
    ok "find_package: static" cmake_build/host_static scene.json "$version"
done
PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name rill.pc)")
flags=$(pkg-config --cflags rill) libs=$(pkg-config --libs rill)
# shellcheck disable=SC2086
ok "moved, pkg-config" cc -std=c99 example.c $flags $libs -o moved_example

echo "install: $passed passed, $failed failed"
[ $failed -eq 0 ]
