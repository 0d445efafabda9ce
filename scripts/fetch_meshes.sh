#!/bin/sh
# Fetches the Stanford bunny and the Utah teapot (npm packages "bunny" and "teapot", public
# domain) and writes them as OBJ to build/meshes, for tests and scenes. The bunny is open at the
# bottom, the teapot is made of open patches that overlap. For the scenes adams_teapot and adams_figures: the
# teapot without its lid, and four bunnies in their places, 0.6 m high.
# usage: fetch_meshes.sh
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/build/meshes
if [ -s "$out/bunny.obj" ] && [ -s "$out/teapot.obj" ] && [ -s "$out/bunny_4.obj" ] && [ -s "$out/teapot_open.obj" ]; then
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
function write(out, positions, cells) {
    const lines = positions.map(p => "v " + p.join(" "));
    for (const c of cells) lines.push("f " + c.map(i => i + 1).join(" "));
    fs.writeFileSync(out + ".part", lines.join("\n") + "\n");
    fs.renameSync(out + ".part", out);
}
const positions = array("positions"), cells = array("cells");
write(out, positions, cells);
if (out.endsWith("teapot.obj")) {
    const lid = i => Math.hypot(positions[i][0] + 1.085, positions[i][2]) < 6.8 && positions[i][1] > 3.9;
    write(out.replace("teapot", "teapot_open"), positions, cells.filter(c => !c.every(lid)));
} else {
    // The middle of the feet, and the turn about y in degrees.
    const places = [[0.55, 0.25, 0.5, 0], [1.45, 0.95, 0.55, 130], [0.6, 1.65, 1.4, 250], [1.4, 2.35, 1.45, 60]];
    places.forEach(([x, y, z, turn], k) => {
        const c = Math.cos(turn * Math.PI / 180), s = Math.sin(turn * Math.PI / 180), size = 0.06;
        write(out.replace("bunny", "bunny_" + (k + 1)), positions.map(p => [
            x + size * (c * p[0] + s * p[2]), y + size * p[1], z + size * (c * p[2] - s * p[0])]), cells);
    });
}
END
    echo "fetch_meshes: $out/$name.obj"
done
