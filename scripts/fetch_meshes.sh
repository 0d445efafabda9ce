#!/bin/sh
# Fetches the Stanford bunny and the Utah teapot (npm packages "bunny" and "teapot", public
# domain) and writes them as OBJ to build/meshes, for tests and scenes. The bunny is open at the
# bottom, the teapot is made of open patches that overlap. For the scenes adams_teapot and adams_figures: the
# teapot without its lid, the same with a way from its body into the spout (the patches close it)
# whose mouth has no rim bent inwards, and four bunnies in their
# places, 0.6 m high.
# usage: fetch_meshes.sh
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/build/meshes
if [ -s "$out/bunny.obj" ] && [ -s "$out/teapot.obj" ] && [ -s "$out/bunny_4.obj" ] && [ -s "$out/teapot_pour.obj" ]; then
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
const place_of = p => p.map(x => x.toFixed(4)).join(" "); // corners at the same place are one
// Cells without the row that ends at an open edge, where that is `there`.
function peeled(positions, cells, there) {
    const uses = new Map(), places = c => c.map(i => place_of(positions[i]));
    const edges = c => places(c).map((a, k, all) => [a, all[(k + 1) % 3]].sort().join("|"));
    for (const e of cells.flatMap(edges)) uses.set(e, (uses.get(e) ?? 0) + 1);
    const end = new Set(cells.filter(c => c.every(i => there(positions[i]))).flatMap(edges)
        .filter(e => uses.get(e) === 1).flatMap(e => e.split("|")));
    return cells.filter(c => !places(c).some(p => end.has(p)));
}
// Cells that hang together.
function parts(positions, cells) {
    const place = positions.map(place_of), leader = new Map();
    const find = k => { while ((leader.get(k) ?? k) !== k) k = leader.get(k); return k; };
    for (const c of cells) for (const i of c) leader.set(find(place[i]), find(place[c[0]]));
    const found = new Map();
    for (const c of cells) {
        const k = find(place[c[0]]);
        found.set(k, [...(found.get(k) ?? []), c]);
    }
    return [...found.values()];
}
const minus = (a, b) => a.map((x, k) => x - b[k]), dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
// How much of what is seen from a point is a tube's inside: more than half of it within the tube.
function enclosed(point, positions, tube) {
    let angle = 0;
    for (const cell of tube) {
        const [a, b, c] = cell.map(i => minus(positions[i], point)), [p, q, r] = [a, b, c].map(v => Math.hypot(...v));
        angle += 2 * Math.atan2(dot(a, cross(b, c)), p * q * r + dot(a, b) * r + dot(b, c) * p + dot(c, a) * q);
    }
    return Math.abs(angle) / (4 * Math.PI);
}
// The other cells without what closes the tube: those that are partly within it are halved until they are small.
function pierced(positions, cells, tube) {
    const smallest = 0.3, corners = tube.flat().map(i => positions[i]);
    const [low, high] = [Math.min, Math.max].map(f => [0, 1, 2].map(k => f(...corners.map(p => p[k]))));
    const far = c => low.some((x, k) => c.every(i => positions[i][k] < x) || c.every(i => positions[i][k] > high[k]));
    const rest = c => {
        if (far(c)) return [c];
        const long = c.map((i, k) => Math.hypot(...minus(positions[i], positions[c[(k + 1) % 3]])));
        const k = long.indexOf(Math.max(...long)), [a, b, d] = [0, 1, 2].map(n => positions[c[(k + n) % 3]]);
        if (long[k] < smallest)
            return enclosed(a.map((x, n) => (x + b[n] + d[n]) / 3), positions, tube) < 0.5 ? [c] : [];
        const middle = positions.push(a.map((x, n) => (x + b[n]) / 2)) - 1, count = positions.length;
        const [one, two] = [[c[k], middle], [middle, c[(k + 1) % 3]]].map(e => rest([...e, c[(k + 2) % 3]]));
        if (one.whole !== false && two.whole !== false && one.length && two.length) {
            positions.length = count - 1;
            return [c];
        }
        return Object.assign([...one, ...two], { whole: false });
    };
    return cells.filter(c => !tube.includes(c)).flatMap(rest);
}
const positions = array("positions"), cells = array("cells");
write(out, positions, cells);
if (out.endsWith("teapot.obj")) {
    const lid = i => Math.hypot(positions[i][0] + 1.085, positions[i][2]) < 6.8 && positions[i][1] > 3.9;
    const open = cells.filter(c => !c.every(lid));
    write(out.replace("teapot", "teapot_open"), positions, open);
    const spout = parts(positions, open).find(p => p.every(c => positions[c[0]][0] > 7));
    const wide = peeled(positions, peeled(positions, spout, p => p[1] > 4), p => p[1] > 4);
    write(out.replace("teapot", "teapot_pour"), positions, [...wide, ...pierced(positions, open, spout)]);
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
