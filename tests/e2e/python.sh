#!/bin/bash
# python.sh BUILD-FOLDER SOURCE-FOLDER: the Python package: its tests, its type hints, and `pip install .` without a
# network; the commands of docs/python.md are in packages.sh. Each part is left out where what it needs is not installed.
set -u
build=$1
source=$2
python=
for p in python3 /usr/bin/python3; do
    if "$p" -c 'import numpy, pytest' 2>/dev/null; then python=$p && break; fi
done
[ -n "$python" ] || { echo "python: left out, there is no python3 with numpy and pytest here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1 RILL_LIBRARY=$build/librill.so
failed=0

"$python" -B -m pytest -q -p no:cacheprovider -c "$source/pyproject.toml" "$source/python/tests" || failed=1

if command -v mypy >/dev/null; then
    (cd "$source" && mypy --cache-dir "$work/mypy") || failed=1
else
    echo "python: mypy is not here: type hints are not checked"
fi

# As a user installs it, from a copy of what is needed, with no index to ask.
if "$python" -c 'import pip, venv' 2>/dev/null; then
    unset RILL_LIBRARY
    mkdir -p "$work/tree/build/release" "$work/elsewhere"
    cp -r "$source/pyproject.toml" "$source/README.md" "$source/LICENSE" "$source/python" "$source/include" "$source/docs" \
        "$work/tree" && cp "$build/librill.so.0.2" "$work/tree/build/release" &&
        "$python" -m venv --without-pip "$work/env" &&
        "$python" -m pip --python "$work/env/bin/python" install -q --no-index --disable-pip-version-check "$work/tree" ||
        { echo "FAIL: pip install ."; failed=1; }
    rm -rf "$work/tree"
    cat >"$work/elsewhere/try.py" <<'END'
import rill
assert rill.library_path().endswith("site-packages/rill/librill.so.0.2"), rill.library_path()
sim = rill.Simulation({"rill": 1, "method": "sph", "spacing": 0.1, "domain": {"min": [0, 0, 0], "max": [1, 1, 1]},
                       "liquid": [{"shape": {"box": {"min": [0, 0, 0], "max": [0.5, 0.5, 1]}}}]})
sim.advance(0.05)
print("installed:", sim)
END
    (cd "$work/elsewhere" && "$work/env/bin/python" try.py) || { echo "FAIL: the installed package"; failed=1; }
else
    echo "python: pip and venv are not here: installing is not tried"
fi
exit $failed
