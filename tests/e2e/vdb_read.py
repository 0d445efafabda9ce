"""vdb_read.py RUN AGAIN: the volumes of a run read by OpenVDB and compared with sums over its PLY files."""
import struct
import sys

import pyopenvdb as vdb


def read_ply(path):
    data = open(path, "rb").read()
    end = data.index(b"end_header\n") + 11
    count, names, kinds = 0, [], ""
    codes = {"double": "d", "float": "f", "uint": "I"}
    for line in data[:end].decode().split("\n"):
        words = line.split()
        if words[:2] == ["element", "vertex"]:
            count = int(words[2])
        elif words[:1] == ["element"]:
            break
        elif words[:1] == ["property"] and words[1] != "list":
            kinds += codes[words[1]]
            names.append(words[2])
    record = struct.Struct("<" + kinds)
    return [dict(zip(names, record.unpack_from(data, end + i * record.size))) for i in range(count)]


def check(true, what):
    if not true:
        sys.exit("vdb: " + what)


def hat(x):
    return max(0.0, 1 - abs(x))


run, again = sys.argv[1:3]
path = run + "/frames/volume_0003.vdb"
grids, meta = vdb.readAll(path)
fields = {g.name: g for g in grids}
check(set(fields) == {"density", "velocity", "level_set"}, "fields are %s" % sorted(fields))
check(meta["creator"] == "rill" and abs(meta["time"] - 0.1) < 0.05, "metadata are %s" % meta)
density, velocity, level = fields["density"], fields["velocity"], fields["level_set"]
cell = density.transform.voxelSize()[0]
tracers = read_ply(run + "/frames/tracers_0003.ply")

# Mass to 1e-6, whatever float makes of single values.
mass = sum(item.value for item in density.citerOnValues()) * cell**3
check(abs(mass - len(tracers)) < 1e-6 * len(tracers), "mass %g of %d tracers" % (mass, len(tracers)))

# Single samples against sums over all tracers, and their places in the world.
reader, speeds = density.getConstAccessor(), velocity.getConstAccessor()
checked = 0
for item in density.citerOnValues():
    at = item.min
    if (at[0] * 7 + at[1] * 3 + at[2]) % 5:
        continue
    x = density.transform.indexToWorld(at)
    weights = [hat((t["x"] - x[0]) / cell) * hat((t["y"] - x[1]) / cell) * hat((t["z"] - x[2]) / cell) for t in tracers]
    total = sum(weights)
    check(abs(reader.getValue(at) - total / cell**3) < 1e-5 * total / cell**3 + 1e-3, "density at %s" % (at,))
    if total > 1e-3:
        mean = sum(w * t["vy"] for w, t in zip(weights, tracers)) / total
        check(abs(speeds.getValue(at)[1] - mean) < 1e-4 * (1 + abs(mean)), "velocity at %s" % (at,))
    checked += 1
check(checked > 5, "only %d samples were looked at" % checked)

# The level set: a class of its own, zero at the surface's vertices, negative in the liquid, flooded inside.
check(level.gridClass == "level set", "the level set is of class %s" % level.gridClass)
vertices = read_ply(run + "/frames/surface_0003.ply")
values = level.getConstAccessor()
step = max(1, len(vertices) // 200)
for v in vertices[::step]:
    x = level.transform.worldToIndex((v["x"], v["y"], v["z"]))
    low = [int(c // 1) for c in x]
    total = 0
    for k in range(8):
        at = [low[a] + (k >> a & 1) for a in range(3)]
        w = 1
        for a in range(3):
            f = x[a] - low[a]
            w *= f if k >> a & 1 else 1 - f
        total += w * values.getValue(tuple(at))
    check(abs(total) < 0.75 * cell, "level %g at a vertex, cells are %g" % (total, cell))
inside = sum(values.getValue(tuple(int(round(c)) for c in level.transform.worldToIndex((p["x"], p["y"], p["z"])))) < 0
             for p in read_ply(run + "/frames/particles_0003.ply"))
check(inside > 0, "no particle is inside of the level set")

# The same from the finished run's files.
other = {g.name: g for g in vdb.readAll(again + "/volume_0003.vdb")[0]}
check(set(other) == set(fields), "rill volume has other fields")
for item in density.citerOnValues():
    check(abs(other["density"].getConstAccessor().getValue(item.min) - item.value) <= 1e-5 * abs(item.value) + 1e-3,
          "rill volume differs at %s" % (item.min,))
print("vdb: %d samples, mass %.9g of %d" % (checked, mass, len(tracers)))
