# What ./run, ./test and .ci/run share: packages, configuration, building. Sourced by them.
#
# Set-up work is done once: installed packages are remembered in build/packages, a
# configured folder is not configured again, and Ninja builds what has changed.

root=$(cd "$(dirname "$0")" && pwd)
[ -f "$root/scripts/setup.sh" ] || root=$(dirname "$root") # from a folder of the tree
log=$root/build/setup.log

# The compiler's own C library headers (libc6-dev) are only a recommendation of gcc.
run_packages="gcc libc6-dev cmake ninja-build pkg-config
    libembree-dev libpng-dev zlib1g-dev libzstd-dev libxxhash-dev ffmpeg"
view_packages="libmicrohttpd-dev" # of rill view: by ./run when that is asked for
browser_packages="chromium fonts-dejavu-core"
test_packages="$view_packages libcmocka-dev clang libclang-rt-dev g++ python3 python3-vtk9
    python3-numpy python3-pytest python3-pip python3-venv mypy dpkg-dev"

say() { echo "$(basename "$0"): $*"; }
die() { say "$@" >&2; exit 1; }

# quietly COMMAND...: its output goes to the log, of which the end is shown on failure.
quietly() {
    if "$@" >>"$log" 2>&1; then return 0; fi
    tail -n 40 "$log" >&2
    say "that failed: $*" >&2
    say "the whole output is in $log" >&2
    return 1
}

# patiently WHAT COMMAND...: quietly, with a line a minute on how far it is.
patiently() {
    what=$1
    shift
    (
        minutes=0
        while sleep 60 >/dev/null 2>&1; do
            minutes=$((minutes + 1))
            at=$(sed -n 's/^\[\([0-9]*\)\/\([0-9]*\)\].*/, \1 of \2/p' "$log" | tail -n 1)
            say "$what, $minutes min$at"
        done
    ) &
    ticker=$!
    if quietly "$@"; then done=0; else done=1; fi
    kill "$ticker" 2>/dev/null || true
    wait "$ticker" 2>/dev/null || true
    return $done
}

# packages NAME...: installs those that are missing.
packages() {
    mkdir -p "$root/build"
    wanted=$(echo "$@")
    if [ -f "$root/build/packages" ] && grep -qxF "$wanted" "$root/build/packages"; then return 0; fi
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        die "there is no apt-get here. Rill's set-up knows Debian 12; elsewhere install what these packages" \
            "hold, write the next line to build/packages, and call again:
$wanted"
    fi
    missing=
    for p in $wanted; do
        case $(dpkg-query -W -f='${db:Status-Status}' "$p" 2>/dev/null || true) in
        installed*) ;;
        *) missing="$missing $p" ;;
        esac
    done
    if [ -n "$missing" ]; then
        as_root=
        if [ "$(id -u)" -ne 0 ]; then
            command -v sudo >/dev/null ||
                die "these packages are missing, and installing them takes root or sudo:$missing
as root: apt-get update && apt-get install --no-install-recommends$missing"
            as_root=sudo
        fi
        say "installing${as_root:+ with sudo}:$missing"
        : >"$log"
        # A mirror that does not answer need not matter: installing tells.
        $as_root apt-get update >>"$log" 2>&1 || say "apt-get update complained; going on with what is known"
        # shellcheck disable=SC2086 # words
        patiently installing $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
            $missing || exit 1
    fi
    echo "$wanted" >>"$root/build/packages"
}

# build PRESET TARGET OPTION...: configures when that was not done with these options yet, and builds.
build() {
    preset=$1
    target=$2
    shift 2
    folder=$root/build/$preset
    if [ ! -f "$folder/build.ninja" ] || ! options_set "$folder/CMakeCache.txt" "$@"; then
        say "configuring $preset"
        : >"$log"
        (cd "$root" && quietly cmake --preset "$preset" "$@") || return 1
    fi
    say "building $preset"
    : >"$log"
    patiently "building $preset" cmake --build "$folder" --target "$target"
}

# options_set CACHE -DNAME=VALUE...: whether the cache has them all.
options_set() {
    cache=$1
    shift
    for o in "$@"; do
        o=${o#-D}
        grep -q "^${o%%=*}:[A-Z]*=${o#*=}\$" "$cache" || return 1
    done
}
