#!/bin/sh
# Fetches the Stanford bunny and the Utah teapot (npm packages "bunny" and "teapot", public
# domain) and writes them as OBJ to build/meshes, for tests and scenes. The bunny is open at the
# bottom, the teapot is made of open patches that overlap.
# usage: fetch_meshes.sh
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/build/meshes
if [ -s "$out/bunny.obj" ] && [ -s "$out/teapot.obj" ]; then
    echo "fetch_meshes: already in $out"
    exit 0
fi
for tool in npm node; do
    if ! command -v $tool > /dev/null; then
        echo "fetch_meshes: $tool is missing; install it (Debian: apt-get install npm) to test with real meshes" >&2
        exit 77
    fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
for name in bunny teapot; do
    if ! (cd "$work" && npm pack --silent "$name" > "$name.log" 2>&1); then
        echo "fetch_meshes: npm could not fetch \"$name\":" >&2
        tail -n 3 "$work/$name.log" >&2
        exit 77
    fi
    mkdir "$work/$name"
    tar -xzf "$work/$name"-*.tgz -C "$work/$name"
    # The arrays are read as JSON: code of the packages is not run.
    node - "$work/$name/package" "$out/$name.obj" << 'END'
const fs = require("fs"), path = require("path");
const [folder, out] = process.argv.slice(2);
const main = JSON.parse(fs.readFileSync(path.join(folder, "package.json"))).main;
const source = fs.readFileSync(path.join(folder, main), "utf8");
function array(name) {
    const found = new RegExp("exports\\." + name + "\\s*=\\s*(\\[[\\s\\S]*?\\]\\s*\\])").exec(source);
    if (!found) throw new Error(main + " has no exports." + name);
    return JSON.parse(found[1]);
}
const lines = array("positions").map(p => "v " + p.join(" "));
for (const c of array("cells")) lines.push("f " + c.map(i => i + 1).join(" "));
fs.writeFileSync(out + ".part", lines.join("\n") + "\n");
fs.renameSync(out + ".part", out);
END
    echo "fetch_meshes: $out/$name.obj"
done
