#!/usr/bin/env python3
"""random_scenes.py PROGRAM [SEED|FIRST:LAST ...]: small scenes put together at random, run and checked.

A scene is a function of its seed: method, dimensions, size (micrometres to kilometres), sides, gravity, liquid,
sources, solids, bodies, gauges and outputs are drawn from the building blocks below. Each scene runs with a time limit;
then some of the other commands are called on its folder. A scene fails when the program crashes or reports an error of a
sanitizer, when a message has no cause, when statistics or particles are not finite, and when volume, energy, speeds or
places are not what the scene allows.

    random_scenes.py build/asan/rill 1:200 --limit 60        # seeds 1 to 200
    random_scenes.py build/release/rill 17 --method points --keep /tmp/scenes --print
"""
import argparse
import csv
import json
import math
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

METHODS = ["sph", "grid", "points", "voronoi", "tets"]
SIZES = [1e-5, 1e-3, 0.1, 1, 1, 1, 1, 1, 30, 2000]


class Maker:
    """Draws a scene. Lengths are in units of `size`; times in units of a fall through the domain."""

    def __init__(self, seed, attempt=0, method=None):
        self.method = method or random.Random(seed).choice(METHODS)
        self.r = random.Random(1000003 * attempt + seed)
        r = self.r
        self.dim = 2 if r.random() < (0.35 if self.method in ("voronoi", "tets") else 0.6) else 3
        self.size = r.choice(SIZES)
        self.side = [r.choice([1, 1, 1.3, 0.6]), r.choice([1, 0.8, 0.5, 2]), r.choice([1, 0.5, 0.7])][: self.dim]
        self.gas = self.method == "tets" or (self.method in ("grid", "points") and r.random() < 0.2)
        self.moves = False  # something besides gravity does work

    def chance(self, p):
        return self.r.random() < p

    def at(self, low=0.0, high=1.0):
        return [self.r.uniform(low, high) * s for s in self.side]

    def m(self, v):
        """Lengths in metres."""
        if isinstance(v, list):
            return [self.m(x) for x in v]
        return v * self.size

    def direction(self):
        if self.chance(0.6):
            d = [0.0] * self.dim
            d[self.r.randrange(self.dim)] = self.r.choice([-1.0, 1.0])
            return d
        return [self.r.gauss(0, 1) for _ in range(self.dim)]

    def box(self, low=0.05, high=0.6):
        a = self.at(0, 0.7)
        b = [x + self.r.uniform(low, high) * s for x, s in zip(a, self.side)]
        if self.chance(0.5):  # aligned with the floor
            b[1] -= a[1]
            a[1] = 0.0
        return {"box": {"min": self.m(a), "max": self.m(b)}}

    def ball(self, low=0.08, high=0.3):
        return {"sphere": {"center": self.m(self.at()), "radius": self.m(self.r.uniform(low, high))}}

    def shape(self, low=0.08, high=0.4):
        r = self.r
        kind = r.choice(["box", "box", "ball", "ball", "cylinder", "capsule", "difference", "union"])
        if kind == "box":
            return self.box(low, high)
        if kind == "ball":
            return self.ball(low, high / 1.5)
        if kind in ("cylinder", "capsule"):
            a, b = self.at(), self.at()
            return {kind: {"from": self.m(a), "to": self.m(b), "radius": self.m(r.uniform(low / 2, high / 3))}}
        return {kind: [self.box(low, high), self.ball(low, high)]}

    def body_shape(self, k):
        """Clear of the sides, and of the other bodies: each has a third of the width."""
        size = 0.3 * min(self.side)
        c = [self.r.uniform(0.3, 0.7) * s for s in self.side]
        c[0] = (k + 0.5) / 3 * self.side[0]
        r = self.r.uniform(0.3, 0.45) * size
        if self.chance(0.5):
            return {"sphere": {"center": self.m(c), "radius": self.m(r)}}
        return {"box": {"min": self.m([x - r for x in c]), "max": self.m([x + 0.7 * r for x in c])}}

    def disc(self):
        return {"disc": {"center": self.m(self.at(0.1, 0.9)), "normal": self.direction(),
                         "radius": self.m(self.r.uniform(0.05, 0.2))}}

    # ---- blocks ----

    def time(self):
        r = self.r
        self.gravity = r.choice([9.81, 9.81, 9.81, 9.81, 0, 1.6, 500])
        self.speed = math.sqrt(2 * max(self.gravity, 0.1) * self.size)  # of a fall through the domain
        self.length = self.size / self.speed * r.choice([0.3, 1, 3])
        frames = r.choice([1, 2, 5, 8])
        self.frames = frames
        block = {"frames": frames, "fps": min(frames / self.length, 1e6)}
        if self.chance(0.15):
            block["preroll"] = r.choice([0.3, 1.7]) / block["fps"]
        return block

    def gravity_value(self):
        g = self.gravity
        down = [0.0, -g, 0.0][: self.dim]
        if self.chance(0.15):
            down = [x * g / math.sqrt(self.dim) for x in ([1, 1, -1][: self.dim])]
        if self.chance(0.1):
            self.moves = True
            return {"keyframes": [{"t": 0, "value": down}, {"t": self.length, "value": [-x for x in down]}]}
        return down

    def velocity(self):
        if self.chance(0.6):
            return [0.0] * self.dim
        if self.chance(0.15):
            return {"field": "rotation", "angular_velocity": [0, 0, self.r.uniform(-3, 3) * self.speed / self.size],
                    "center": self.m([0.5 * s for s in self.side])}
        return [self.r.uniform(-1.5, 1.5) * self.speed for _ in range(self.dim)]

    def liquid(self, scene):
        r = self.r
        if self.chance(0.05):
            return
        entries = []
        for _ in range(r.choice([1, 1, 2, 3])):
            e = {"shape": self.shape(0.15, 0.7), "velocity": self.velocity()}
            if self.chance(0.1):  # covers everything
                e["shape"] = {"box": {"min": self.m([-1.0] * self.dim), "max": self.m([3.0] * self.dim)}}
            if self.chance(0.1) and not self.gas:
                e["start"] = r.uniform(0, 0.8) * self.length
                self.moves = True
            if self.chance(0.15) and not self.gas and self.method in ("sph", "points"):
                e["color"] = [r.random(), r.random(), r.random()]
            entries.append(e)
        if self.gas:
            for e in entries:
                e.pop("start", None)
        scene["liquid"] = entries

    def sources(self, scene):
        r = self.r
        if self.gas:
            smoke = []
            for _ in range(r.choice([0, 1, 1, 2])):
                e = {"shape": self.shape(0.1, 0.3), "temperature": r.choice([293.15, 350, 1500, 100]),
                     "density": r.choice([0, 0.1, 5])}
                if self.chance(0.3):
                    e["velocity"] = [r.uniform(-1, 1) * self.speed for _ in range(self.dim)]
                    self.moves = True
                if self.chance(0.3):
                    e["tracers_per_second"] = 200 / self.length
                if self.chance(0.3):
                    e["end"] = 0.5 * self.length
                smoke.append(e)
            if smoke:
                scene["smoke"] = smoke
                self.moves = True
                if self.chance(0.3):
                    scene["gas"] = {"cooling": r.choice([0, 3]) / self.length, "dissipation": 1 / self.length}
            return
        if self.chance(0.35):
            scene["emitters"] = []
            for _ in range(r.choice([1, 1, 2])):
                e = {"shape": self.disc() if self.chance(0.7) else self.shape(0.1, 0.3),
                     "speed": r.uniform(0.1, 2) * self.speed}
                e["speed"] = min(max(e["speed"], 1e-6), 1000)
                if "disc" not in e["shape"]:
                    e["direction"] = self.direction()
                if self.chance(0.3):
                    e["start"], e["end"] = 0.2 * self.length, 0.6 * self.length
                scene["emitters"].append(e)
            self.moves = True
        if self.chance(0.2):
            scene["drains"] = [{"shape": self.shape(0.1, 0.3)}]
        if self.chance(0.2):
            scene["tracers"] = [{"shape": self.shape(0.1, 0.5), "count": r.choice([0, 50, 500]),
                                 "rate": r.choice([0, 100]) / self.length}]
        if self.chance(0.2):
            scene["whitewater"] = {"trapped_air": 300 / self.length, "speed_range": [0, self.speed],
                                   "life_min": 0.1 * self.length, "life_max": self.length}

    def motion(self):
        r = self.r
        self.moves = True
        keys = [{"t": 0}]
        for k in range(r.choice([1, 2])):
            key = {"t": (k + 1) * self.length * 0.5, "translate": self.m([r.uniform(-0.3, 0.3) for _ in self.side])}
            if self.chance(0.5):
                key["rotate"] = [0, 0, r.uniform(-200, 200)]
            keys.append(key)
        return {"keyframes": keys, "smooth": self.chance(0.5), "pivot": self.m(self.at())}

    def solids(self, scene):
        r = self.r
        if self.chance(0.4):
            return
        scene["solids"] = []
        for k in range(r.choice([1, 1, 2, 3])):
            s = {"name": r.choice(["a", "ding / \"x\", ü", "läng er", "../x"]) + str(k), "shape": self.shape(0.08, 0.4)}
            if self.chance(0.25):
                s["transform"] = {"translate": self.m([r.uniform(-0.2, 0.2) for _ in self.side]),
                                  "rotate": [0, 0, r.uniform(-90, 90)], "scale": r.choice([1, 0.5, 1.2])}
            if self.chance(0.35):
                s["shape"] = self.body_shape(k)
                s.pop("transform", None)
                s["body"] = {"density": r.choice([100, 500, 1000, 7000])}
                if self.chance(0.3):
                    s["body"]["velocity"] = [r.uniform(-1, 1) * self.speed for _ in range(self.dim)]
                if self.chance(0.3):
                    s["body"]["spin"] = [0, 0, r.uniform(-3, 3) * self.speed / self.size]
                joint = r.choice([None, None, "hinge", "pin", "slide"])
                if joint == "hinge":
                    s["body"]["hinge"] = {"point": self.m(self.at())}
                    if self.chance(0.6):
                        s["body"]["hinge"]["limits"] = r.choice([[-20, 20], [0, 5], [-90, 0]])
                elif joint == "pin":
                    s["body"]["pin"] = {"point": self.m(self.at())}
                elif joint == "slide":
                    s["body"]["slide"] = {"axis": self.direction()}
                    if self.chance(0.5):
                        s["body"]["slide"]["limits"] = self.m([-0.1, 0.1])
                self.moves = True
            elif self.chance(0.4):
                s["motion"] = self.motion()
            if self.chance(0.2):
                s["slip"] = "none"
            if self.chance(0.2):
                s["friction"] = r.choice([0.3, 5])
            scene["solids"].append(s)

    def gauges(self, scene):
        r = self.r
        if self.chance(0.5):
            return
        out = []
        x = self.m(self.at(0, 1))
        out.append({"name": "P ä", "pressure": x})
        if not self.gas:
            out.append({"name": "H", "height": x[:1] if self.dim == 2 else [x[0], x[2]]})
        out.append({"name": "V", "velocity": x})
        out.append({"name": "Q", "flow": {"center": self.m(self.at()), "normal": self.direction(),
                                          "radius": self.m(r.uniform(0.01, 2))}})
        if scene.get("solids"):
            out.append({"name": "F", "force": scene["solids"][0]["name"]})
            if "motion" in scene["solids"][0]:
                out[0]["with"] = scene["solids"][0]["name"]
        scene["gauges"] = r.sample(out, r.randint(1, len(out)))

    def fluid(self, scene):
        r = self.r
        f = {}
        if self.gas:
            f["density"] = 1.2
        elif self.chance(0.2):
            f["density"] = r.choice([1, 13000])
        if self.method in ("sph", "grid", "points") and self.chance(0.3) and not self.gas:
            f["viscosity"] = r.choice([1e-3, 1, 50]) * self.speed * self.size
        if self.method in ("sph", "grid", "voronoi") and self.chance(0.2) and not self.gas:
            f["surface_tension"] = min(1000 * self.speed ** 2 * self.size * r.choice([1e-3, 1e-2]), 1000)
        if f:
            scene["fluid"] = f

    def block(self, scene):
        r = self.r
        b = {}
        if self.method == "sph":
            b["solver"] = r.choice(["dfsph", "dfsph", "tait", "linear"])
            if self.chance(0.3):
                b["levels"] = r.choice([1, 3])
            if self.chance(0.2):
                b["kernel"] = r.choice(["gaussian", "mueller", "wendland"])
            if self.chance(0.1):
                b["vorticity"] = 0.3
        elif self.method == "grid" and not self.gas:
            b["surface"] = r.choice(["particles", "particles", "markers", "level-set", "particle-level-set"])
            if self.chance(0.2):
                b["reflection"] = True
            if self.chance(0.2) and b["surface"] == "particles":
                b["particle_band"] = 3
            if self.chance(0.2) and b["surface"] == "particles":
                b["transfer"] = "flip"
            if self.chance(0.2):
                b["pressure"] = r.choice(["mic0", "cg", "sor", "jacobi"])
        elif self.method == "grid":
            b["confinement"] = r.choice([0, 5])
        elif self.method == "points":
            if self.chance(0.2):
                b["scheme"] = "paper"
            elif self.chance(0.2) and not self.gas:
                b["levels"] = 2
            if self.chance(0.15):
                b["reflection"] = True
        elif self.method == "voronoi":
            for key in ("bubbles", "repair", "correction", "reflection"):
                if self.chance(0.15):
                    b[key] = True
            if self.chance(0.2):
                b["film"] = 0.3
        else:
            if self.chance(0.3):
                b.update(coarsest=4, smoke=1)
            if self.chance(0.2):
                b["reflection"] = True
        if b:
            scene[self.method] = b

    def output(self, scene):
        r = self.r
        o = {"width": 64, "height": 48, "video": False, "images": self.chance(0.3), "checkpoint": r.choice([1, 3])}
        if self.chance(0.2) and self.method in ("grid", "points", "voronoi", "tets"):
            o["cells"] = True
        if self.chance(0.1):
            o["formats"] = ["ply", "vtk"]
        scene["output"] = o
        if self.method in ("sph", "grid", "points") and not self.gas and self.chance(0.3):
            s = {"definition": r.choice(["metaballs", "zhu_bridson", "distance", "anisotropic", "williams",
                                         "williams_level"])} if self.method != "grid" else {}
            if self.chance(0.3):
                s["smooth"] = 3
            if self.chance(0.3):
                s["smallest"] = 4
            if self.chance(0.3) and self.dim == 3:
                s["slivers"] = 0.3
            if self.chance(0.2):
                s["clip_min"], s["clip_max"] = self.m([0.1 * x for x in self.side]), self.m([0.6 * x for x in self.side])
            if s:
                scene["surface"] = s

    def scene(self, seed):
        r = self.r
        across = {2: {"sph": 30, "grid": 30, "points": 22, "voronoi": 12, "tets": 10},
                  3: {"sph": 12, "grid": 14, "points": 9, "voronoi": 6, "tets": 5}}[self.dim][self.method]
        scene = {"rill": 1, "name": f"seed {seed}", "dimensions": self.dim, "method": self.method}
        sides = ["-x", "+x", "-y", "+y", "-z", "+z"][: 2 * self.dim]
        scene["domain"] = {"min": self.m([0.0] * self.dim), "max": self.m(self.side)}
        if self.chance(0.4):
            scene["domain"]["open"] = r.sample(sides, r.choice([1, 1, 2, len(sides)]))
        if self.chance(0.2) and self.method in ("sph", "grid", "points") and not self.gas:
            scene["domain"]["slip"] = "none"
        scene["spacing"] = self.size / across * r.choice([1, 1, 0.937, 1.21])
        scene["time"] = self.time()
        scene["gravity"] = self.gravity_value()
        if self.gas:
            scene["fill"] = True
        self.fluid(scene)
        self.liquid(scene)
        self.sources(scene)
        self.solids(scene)
        self.gauges(scene)
        self.block(scene)
        self.output(scene)
        return scene


# ---- running ----

def call(argv, limit, cwd):
    """Exit code and output; None: it took more than `limit` seconds of processor time."""
    env = dict(os.environ, ASAN_OPTIONS="detect_leaks=1:abort_on_error=0", UBSAN_OPTIONS="print_stacktrace=1")
    with open(os.path.join(cwd, "log"), "w+b") as log:
        p = subprocess.Popen(argv, cwd=cwd, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=env,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 5)))
        try:
            p.wait(timeout=20 * limit)
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()
        if p.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return None, ""
        log.seek(0)
        return p.returncode, log.read().decode("utf-8", "replace")


def sound(code, text, allowed):
    """What is wrong with an exit code and the words that came with it."""
    for word in ("AddressSanitizer", "LeakSanitizer", "runtime error:", "Assertion"):
        if word in text:
            return word + ": " + text[text.index(word):][:1500]
    if code < 0 or code not in allowed:
        return f"exit code {code}: {text[-600:]}"
    if code and len(text.strip()) < 20:
        return f"exit code {code} without a message: {text!r}"
    return None


def read_ply(path):
    """Columns of a binary PLY's vertices."""
    kinds = {"float": "f", "double": "d", "uchar": "B", "uint": "I", "int": "i", "ushort": "H", "short": "h", "char": "b",
             "uint8": "B", "float32": "f", "float64": "d", "uint32": "I", "int32": "i", "uint64": "Q", "ulong": "Q"}
    with open(path, "rb") as f:
        count, row, names, inside = 0, "<", [], False
        while True:
            line = f.readline().decode("utf-8").split()
            if not line or line[0] == "end_header":
                break
            if line[0] == "element":
                inside = line[1] == "vertex"
                if inside:
                    count = int(line[2])
            elif line[0] == "property" and inside and line[1] != "list":
                row += kinds[line[1]]
                names.append(line[2])
        data = f.read(struct.calcsize(row) * count)
        values = list(struct.iter_unpack(row, data))
    return names, values


class Checks:
    def __init__(self, scene, maker, folder, log):
        self.scene, self.maker, self.folder, self.log = scene, maker, folder, log

    def stats(self):
        with open(os.path.join(self.folder, "stats.jsonl")) as f:
            return [json.loads(line) for line in f]

    def wrong(self):
        """Yields what the results should not be."""
        stats = self.stats()
        s, m = self.scene, self.maker
        if not stats:
            yield "no statistics"
            return
        for row in stats:
            for key, value in row.items():
                if isinstance(value, float) and not math.isfinite(value):
                    yield f"{key} is {value} in step {row['step']}"
                    return
        yield from self.speeds(stats)
        quiet = not s.get("emitters") and not s.get("drains") and not s["domain"].get("open")
        quiet = quiet and not any(e.get("start") for e in s.get("liquid", []))
        first, last = stats[0].get("volume"), stats[-1].get("volume")
        elements = stats[-1].get("particles", stats[-1].get("cells", 0))
        carried = s.get("grid", {}).get("surface", "").endswith("level-set")  # restores slowly what an impact takes
        allowed = 0.15 if carried else 0.05
        if quiet and first and last and elements > 400 and abs(last / first - 1) > allowed and "lost" not in stats[-1] \
                and not self.warned("volume", "liquid"):
            yield f"volume from {first:.4g} to {last:.4g}"
        if quiet and not m.moves and "kinetic" in stats[0] and "potential" in stats[0]:
            energy = [r["kinetic"] + r["potential"] for r in stats]
            start, most = energy[0], max(energy)
            mass = (first or 1) * s.get("fluid", {}).get("density", 1000)
            scale = mass * (m.gravity * m.size + 1e-4 * m.speed ** 2) + stats[0]["kinetic"]
            if most - start > 0.05 * scale:
                yield f"energy rises by {(most - start) / scale:.3g} of its scale"
        yield from self.places()
        yield from self.bodies()

    def warned(self, *words):
        return any("warning" in line and any(w in line for w in words) for line in self.log.splitlines())

    def most_speed(self):
        s, m = self.scene, self.maker
        fall = math.sqrt(2 * m.gravity * math.sqrt(3) * m.size * max(m.side))
        fall += m.gravity * (m.length + s["time"].get("preroll", 0)) if s["domain"].get("open") else 0
        most = 0.0
        for e in s.get("liquid", []) + s.get("smoke", []):
            v = e.get("velocity", [0])
            if isinstance(v, dict):
                most = max(most, abs(v["angular_velocity"][2]) * 3 * m.size)
            else:
                most = max(most, math.sqrt(sum(x * x for x in v)))
        for e in s.get("emitters", []):
            most = max(most, e["speed"])
        for e in s.get("solids", []):
            if "motion" in e:
                most += 6 * m.size / m.length * 4
            b = e.get("body", {})
            most += math.sqrt(sum(x * x for x in b.get("velocity", [0]))) + abs(b.get("spin", [0, 0, 0])[2]) * 3 * m.size
        tension, density = s.get("fluid", {}).get("surface_tension", 0), s.get("fluid", {}).get("density", 1000)
        most += math.sqrt(4 * tension / (density * s["spacing"]))
        if s.get("smoke"):
            most += math.sqrt(10 * m.gravity * m.size) + m.gravity * 5 * m.length
        return fall + most

    def speeds(self, stats):
        most = self.most_speed()
        fastest = max((r.get("max_speed", 0) for r in stats), default=0)
        if fastest > 4 * most + 1e-6 * self.maker.speed:
            yield f"speed {fastest:.3g}, where {most:.3g} can be explained"

    def places(self):
        s, m = self.scene, self.maker
        frames = os.path.join(self.folder, "frames")
        for name in sorted(os.listdir(frames)):
            if not name.endswith(".ply"):
                continue
            names, values = read_ply(os.path.join(frames, name))
            for row in values:
                if not all(math.isfinite(v) for v in row):
                    yield f"{name} is not finite: {dict(zip(names, row))}"
                    return
            if not name.startswith("particles") or not values:
                continue
            for k in range(m.dim):
                axis = names.index("xyz"[k])
                low, high = s["domain"]["min"][k], s["domain"]["max"][k]
                slack = 0.01 * s["spacing"]
                bad = [row for row in values
                       if ("-" + "xyz"[k] not in s["domain"].get("open", []) and row[axis] < low - slack)
                       or ("+" + "xyz"[k] not in s["domain"].get("open", []) and row[axis] > high + slack)]
                if bad:
                    yield f"{name}: {len(bad)} particles outside of a closed side"
                    return

    def bodies(self):
        path = os.path.join(self.folder, "bodies.csv")
        s, m = self.scene, self.maker
        if not os.path.exists(path) or s["domain"].get("open"):
            return
        with open(path, newline="") as f:
            for row in csv.DictReader(f):
                for k in range(m.dim):
                    x = row["xyz"[k]]
                    if x == "":
                        yield "a body is not finite"
                        return
                if row["vx"] == "" or row["wz"] == "" or row["fx"] == "":
                    yield "a body's motion or force is not finite"
                    return


AFTER = [
    ["info", "DIR"],
    ["info", "DIR", "--plot"],
    ["surface", "DIR", "--out", "surfaced"],
    ["surface", "DIR", "--definition", "anisotropic", "--out", "surfaced2"],
    ["volume", "DIR", "--out", "volumes"],
    ["whitewater", "DIR", "--out", "white"],
    ["export", "DIR", "vtk", "--out", "exported"],
    ["export", "DIR", "mantaflow", "--out", "exported2"],
    ["export", "DIR", "ply", "--z-up", "--out", "exported3"],
    ["render", "DIR", "--slice", "x", "--width", "40", "--height", "30"],
    ["render", "DIR", "--width", "33", "--height", "17", "--frames", "0:1", "--look", "particles"],
    ["render", "DIR", "--width", "33", "--height", "17", "--frames", "1:1", "--quality", "final", "--samples", "2"],
    ["render", "DIR", "--iso", "--width", "33", "--height", "17", "--frames", "1:1"],
    ["compare", "DIR", "DIR", "--out", "both", "--rows", "1", "--width", "32"],
    ["resume", "DIR", "--frames", "MORE", "--quiet"],
    ["doctor", "SCENE"],
]


def same_files(a, b):
    """Names of frame files that differ."""
    out = []
    for name in sorted(os.listdir(os.path.join(a, "frames"))):
        with open(os.path.join(a, "frames", name), "rb") as x:
            other = os.path.join(b, "frames", name)
            if not os.path.exists(other) or open(other, "rb").read() != x.read():
                out.append(name)
    return out


def run_seed(program, seed, options, work):
    """(verdict, message): ok, refused, slow or FAIL."""
    for attempt in range(8):  # most of what does not go together is found by validate
        maker = Maker(seed, attempt, options.method)
        scene = maker.scene(seed)
        with open(os.path.join(work, "scene.json"), "w") as f:
            json.dump(scene, f, indent=1, ensure_ascii=False)
        code, text = call([program, "validate", "scene.json"], options.limit, work)
        problem = "validate takes too long" if code is None else sound(code, text, (0, 3))
        if not problem and code == 3 and "scene.json:" not in text:
            problem = "refused without a place: " + text
        if problem:
            return "FAIL", problem
        if code == 0:
            break
    if options.print:
        print(json.dumps(scene, indent=1, ensure_ascii=False))
    threads = ["--threads", "1"]
    code, text = call([program, "run", "scene.json", "--out", "run", "--quiet"] + threads, options.limit, work)
    if code is None:
        return "slow", f"more than {options.limit} s"
    problem = sound(code, text, (0, 3, 7) if options.unstable else (0, 3))
    if problem:
        return "FAIL", problem
    if code == 3:
        if "scene.json:" not in text:
            return "FAIL", "refused without a place: " + text
        return "refused", text.strip().splitlines()[-1][:200]
    if code == 7:
        return "unstable", text.strip()[-300:]
    for problem in Checks(scene, maker, os.path.join(work, "run"), text).wrong():
        return "FAIL", problem + ("\n" + text.strip()[-500:] if text.strip() else "")
    if options.only_run:
        return "ok", text.strip()[:200]
    r = random.Random(seed + 1)
    if maker.frames > 1 and r.random() < 0.3:  # stopped and continued: the same files
        half = str(maker.frames // 2)
        code, text = call([program, "run", "scene.json", "--out", "halves", "--quiet", "--frames", half] + threads, options.limit, work)
        if code == 0:
            code, text = call([program, "resume", "halves", "--frames", str(maker.frames), "--quiet", "--threads", "2"], options.limit, work)
        if code is None:
            return "slow", "resume"
        problem = sound(code, text, (0,))
        if problem:
            return "FAIL", "resume: " + problem
        differ = same_files(os.path.join(work, "halves"), os.path.join(work, "run"))
        if differ:
            return "FAIL", "resumed: other files than in one go: " + " ".join(differ[:5])
    for words in r.sample(AFTER, 3):
        argv = [{"DIR": "run", "SCENE": "scene.json", "MORE": str(maker.frames + 1)}.get(w, w) for w in words]
        code, text = call([program] + argv + (threads if argv[0] not in ("info", "doctor", "export") else []), options.limit, work)
        if code is None:
            return "slow", " ".join(argv)
        problem = sound(code, text, (0, 2, 4, 7))
        if problem:
            return "FAIL", " ".join(argv) + ": " + problem
    return "ok", text.strip()[:200]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("seeds", nargs="*", default=["1:10"])
    parser.add_argument("--method", choices=METHODS)
    parser.add_argument("--limit", type=float, default=60, help="seconds a command may take")
    parser.add_argument("--keep", help="folder for the scenes that failed")
    parser.add_argument("--print", action="store_true", help="print each scene")
    parser.add_argument("--only-run", action="store_true", help="call no other commands on the folder")
    parser.add_argument("--unstable", action="store_true", help="exit code 7 is no failure")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    seeds = []
    for word in options.seeds:
        first, _, last = word.partition(":")
        seeds += range(int(first), int(last or first) + 1)
    counts = {}
    for seed in seeds:
        base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        work = tempfile.mkdtemp(prefix="rill_random_", dir=base)
        since = time.time()
        try:
            verdict, message = run_seed(os.path.realpath(options.program), seed, options, work)
            counts[verdict] = counts.get(verdict, 0) + 1
            if verdict in ("FAIL", "slow") or options.verbose:
                method = Maker(seed, 0, options.method).method
                print(f"seed {seed} ({method}): {verdict} in {time.time() - since:.1f} s: {message}", flush=True)
            if verdict in ("FAIL", "slow") and options.keep:
                os.makedirs(options.keep, exist_ok=True)
                shutil.copy(os.path.join(work, "scene.json"), os.path.join(options.keep, f"seed_{seed}.json"))
        finally:
            shutil.rmtree(work, ignore_errors=True)
    print(", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items())))
    return 1 if counts.get("FAIL") else 0


if __name__ == "__main__":
    sys.exit(main())
