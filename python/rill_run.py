#!/usr/bin/env python3
"""Reads the run folders of Rill with Python's standard library alone.

    run = RunFolder("out/dam_break")
    run.scene, run.info            dictionaries: scene.json, run.json
    run.stats                      list of dictionaries, one per step: stats.jsonl
    run.gauges                     columns by name, "t" first: gauges.csv
    run.bodies                     by index: columns "t", "x", "qw", ... of each body: bodies.csv
    run.frames                     numbers of the frames that are complete
    run.missing()                  numbers of those that should be there and are not
    run.particles(3), run.surface(3)    tables of columns (Table, Mesh)
    run.poses(3)                   where the bodies of frame 3 are, by the index of their solid (Pose)

Columns are array.array; a value that a gauge did not have is NaN. With NumPy installed,
table.numpy() gives a structured array without copying.

A folder may be read while the run goes on: files appear under their names when they are
complete, and half a last line of stats.jsonl, gauges.csv or bodies.csv is left for the next time.

    python3 rill_run.py DIR        prints a summary; exit code 1 when frames are missing
"""
import array
import csv
import json
import os
import re
import struct
import sys

# PLY's words for its types: struct's letter, also array's.
_TYPES = {
    "char": "b", "int8": "b", "uchar": "B", "uint8": "B", "short": "h", "int16": "h", "ushort": "H",
    "uint16": "H", "int": "i", "int32": "i", "uint": "I", "uint32": "I", "float": "f", "float32": "f",
    "double": "d", "float64": "d",
}
_LONGEST_HEADER = 1 << 16


class RunError(Exception):
    """What is wrong with a folder or a file, and where."""


class Table:
    """The elements of a PLY file as columns: table["x"], len(table), table.names."""

    def __init__(self, columns, count, time, frame, record, data):
        self.columns = columns  # name -> array.array
        self.count = count
        self.time = time  # simulated seconds; None when the file does not say
        self.frame = frame  # likewise
        self._record, self._data = record, data

    def __len__(self):
        return self.count

    def __getitem__(self, name):
        return self.columns[name]

    def __contains__(self, name):
        return name in self.columns

    @property
    def names(self):
        return list(self.columns)

    def ids(self):
        """The 64-bit ids of particles, which PLY holds as two halves."""
        return array.array("Q", (low | high << 32 for low, high in zip(self["id_low"], self["id_high"])))

    def numpy(self):
        """The same as a structured array; needs NumPy."""
        import numpy

        order, names = self._record
        return numpy.frombuffer(self._data, dtype=[(n, order + t) for n, t in names], count=self.count)


class Pose:
    """Where a body is: a point x of its shape, or of its mesh file, is at position + scale * (rotation of x)."""

    def __init__(self, position, rotation, scale):
        self.position = position  # metres
        self.rotation = rotation  # unit quaternion: w, x, y, z
        self.scale = scale

    def place(self, x):
        w, *v = self.rotation
        cross = lambda a, b: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        t = [2 * c for c in cross(v, x)]
        u = cross(v, t)
        return tuple(self.position[k] + self.scale * (x[k] + w * t[k] + u[k]) for k in range(3))


class Mesh(Table):
    """A surface: vertices as columns, and triangles as a flat array of three indices each."""

    def __init__(self, vertices, triangles):
        super().__init__(vertices.columns, vertices.count, vertices.time, vertices.frame, vertices._record,
                         vertices._data)
        self.triangles = triangles  # array.array("I")
        self.triangle_count = len(triangles) // 3


class _Element:
    def __init__(self, name, count):
        self.name, self.count = name, count
        self.properties = []  # (name, letter) or, for a list, (name, letter, letter of the count)


def _header(path, data):
    """Elements, order, time, frame and where the data begin."""
    end = data.find(b"end_header\n", 0, _LONGEST_HEADER)
    if not data.startswith(b"ply\n") or end < 0:
        raise RunError(f"{path}: not a PLY file")
    order, time, frame, elements = None, None, None, []
    try:
        for line in data[:end].decode("ascii").splitlines()[1:]:
            words = line.split()
            if not words:
                continue
            if words[0] == "format":
                order = {"binary_little_endian": "<", "binary_big_endian": ">"}.get(words[1])
                if order is None:
                    raise RunError(f"{path}: the format {words[1]} is not one that Rill writes")
            elif words[:2] == ["comment", "time"]:
                time = float(words[2])
            elif words[:2] == ["comment", "frame"]:
                frame = int(words[2])
            elif words[0] == "element":
                elements.append(_Element(words[1], int(words[2])))
            elif words[0] == "property" and words[1] == "list":
                elements[-1].properties.append((words[4], _TYPES[words[3]], _TYPES[words[2]]))
            elif words[0] == "property":
                elements[-1].properties.append((words[2], _TYPES[words[1]]))
    except (ValueError, IndexError, KeyError) as error:
        raise RunError(f"{path}: a line of the header makes no sense: {line!r}") from error
    if order is None:
        raise RunError(f"{path}: the header names no format")
    return elements, order, time, frame, end + len(b"end_header\n")


def _table(path, data, at, element, order, time, frame):
    """The columns of an element without lists, and where the next one begins."""
    record = struct.Struct(order + "".join(p[1] for p in element.properties))
    size = record.size * element.count
    if element.count < 0 or size > len(data) - at:
        raise RunError(f"{path}: it ends before its {element.count} {element.name} elements do")
    body = memoryview(data)[at:at + size]
    rows = zip(*record.iter_unpack(body)) if element.count else ([] for _ in element.properties)
    columns = {p[0]: array.array(p[1], values) for p, values in zip(element.properties, rows)}
    names = (order, [(p[0], "u1" if p[1] == "B" else "i1" if p[1] == "b" else p[1]) for p in element.properties])
    return Table(columns, element.count, time, frame, names, body), at + size


def _faces(path, data, at, element, order):
    """Triangles of a list of indices; polygons become fans."""
    if len(element.properties) != 1 or len(element.properties[0]) != 3:
        raise RunError(f"{path}: faces with more than a list of indices are not what Rill writes")
    _, index, counter = element.properties[0]
    triangle = struct.Struct(f"{order}{counter}3{index}")
    triangles = array.array("I")
    size = triangle.size * element.count
    if size <= len(data) - at:  # all of them triangles: one go
        body = memoryview(data)[at:at + size]
        rows = list(triangle.iter_unpack(body))
        if all(r[0] == 3 for r in rows):
            try:
                triangles.extend(i for r in rows for i in r[1:])
            except OverflowError as error:
                raise RunError(f"{path}: an index below 0") from error
            return triangles
    count = struct.Struct(order + counter)
    try:
        for _ in range(element.count):
            n = count.unpack_from(data, at)[0]
            corners = struct.unpack_from(f"{order}{n}{index}", data, at + count.size)
            at += count.size + n * struct.calcsize(order + index)
            for k in range(2, n):
                triangles.extend((corners[0], corners[k - 1], corners[k]))
    except (struct.error, OverflowError) as error:
        raise RunError(f"{path}: it ends before its {element.count} faces do, or has an index below 0") from error
    return triangles


def read_ply(path):
    """A PLY file of Rill: a Table of particles, or a Mesh."""
    try:
        with open(path, "rb") as f:
            data = f.read()
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from error
    elements, order, time, frame, at = _header(path, data)
    if not elements or elements[0].name != "vertex" or any(len(p) > 2 for p in elements[0].properties):
        raise RunError(f"{path}: its first element is not a plain list of vertices")
    vertices, at = _table(path, data, at, elements[0], order, time, frame)
    if len(elements) < 2 or elements[1].name != "face":
        return vertices
    triangles = _faces(path, data, at, elements[1], order)
    if triangles and max(triangles) >= vertices.count:
        raise RunError(f"{path}: a face names vertex {max(triangles)} of {vertices.count}")
    return Mesh(vertices, triangles)


class RunFolder:
    """A run folder; files are read when they are asked for."""

    def __init__(self, path):
        self.path = os.fspath(path)
        self.scene = self._json("scene.json")
        # A run that was stopped in its first moment has none yet.
        self.info = self._json("run.json") if os.path.exists(os.path.join(self.path, "run.json")) else {}
        self._stats = self._gauges = self._bodies = None

    def _json(self, name):
        path = os.path.join(self.path, name)
        try:
            with open(path, encoding="utf-8") as f:
                return json.load(f)
        except OSError as error:
            raise RunError(f"{path}: {error.strerror}; is {self.path} a run folder?") from error
        except ValueError as error:
            raise RunError(f"{path}: {error}") from error

    def _lines(self, name):
        """Complete lines; none when the file is not there."""
        try:
            with open(os.path.join(self.path, name), encoding="utf-8", newline="") as f:
                text = f.read()
        except FileNotFoundError:
            return []
        return text.split("\n")[:-1]

    @property
    def name(self):
        return self.scene.get("name", "")

    @property
    def method(self):
        return self.scene.get("method", "")

    @property
    def fps(self):
        return self.scene["time"]["fps"]

    @property
    def frame_count(self):
        """How many frames the run should have after frame 0."""
        return self.scene["time"]["frames"]

    @property
    def stats(self):
        """One dictionary per step: frame, step, t, dt, wall_s and what the method has."""
        if self._stats is None:
            path = os.path.join(self.path, "stats.jsonl")
            self._stats = []
            for number, line in enumerate(self._lines("stats.jsonl"), 1):
                try:
                    self._stats.append(json.loads(line))
                except ValueError as error:
                    raise RunError(f"{path}:{number}: {error}") from error
        return self._stats

    @property
    def gauges(self):
        """Columns by name, "t" first; empty when the scene has no gauges."""
        if self._gauges is None:
            path = os.path.join(self.path, "gauges.csv")
            rows = list(csv.reader(self._lines("gauges.csv")))
            self._gauges = {name: array.array("d") for name in rows[0]} if rows else {}
            for number, row in enumerate(rows[1:], 2):
                if len(row) != len(self._gauges):
                    raise RunError(f"{path}:{number}: {len(row)} values in {len(self._gauges)} columns")
                for column, value in zip(self._gauges.values(), row):
                    column.append(float(value) if value else float("nan"))
        return self._gauges

    @property
    def bodies(self):
        """Columns by name for every body, in the order of the scene; empty when there are none."""
        if self._bodies is None:
            path = os.path.join(self.path, "bodies.csv")
            rows = list(csv.reader(self._lines("bodies.csv")))
            head, self._bodies = rows[0] if rows else [], []
            for number, row in enumerate(rows[1:], 2):
                if len(row) != len(head):
                    raise RunError(f"{path}:{number}: {len(row)} values in {len(head)} columns")
                values = dict(zip(head, row))
                body, name = int(values.pop("body")), values.pop("name")
                if body == len(self._bodies):
                    self._bodies.append({"name": name, **{key: array.array("d") for key in values}})
                if not 0 <= body < len(self._bodies):
                    raise RunError(f"{path}:{number}: body {body} comes before those in front of it")
                for key, value in values.items():
                    self._bodies[body][key].append(float(value) if value else float("nan"))
        return self._bodies

    def has(self, kind, frame):
        """Whether the frame has its file of the kind "particles" or "surface"."""
        return os.path.exists(self.file(kind, frame))

    def file(self, kind, frame):
        return os.path.join(self.path, "frames", f"{kind}_{frame:04d}.ply")

    @property
    def kinds(self):
        """What the scene asks to be written for each frame."""
        output = self.scene.get("output", {})
        return [kind for kind in ("particles", "surface") if output.get(kind, True)]

    @property
    def frames(self):
        """Numbers of the frames that have all their files, in order."""
        found = {kind: set() for kind in self.kinds}
        try:
            names = os.listdir(os.path.join(self.path, "frames"))
        except FileNotFoundError:
            names = []
        for name in names:
            match = re.fullmatch(r"(particles|surface)_(\d{4,})\.ply", name)
            if match and match[1] in found:
                found[match[1]].add(int(match[2]))
        return sorted(set.intersection(*found.values())) if found else []

    def missing(self):
        """Numbers of the frames the scene asks for that are not there (yet)."""
        if not self.kinds:
            return []
        there = set(self.frames)
        return [k for k in range(self.frame_count + 1) if k not in there]

    def particles(self, frame):
        return read_ply(self.file("particles", frame))

    def surface(self, frame):
        return read_ply(self.file("surface", frame))

    def poses(self, frame):
        """A Pose for every body, by the index of its solid in the scene; empty when the frame has none."""
        if not self.has("bodies", frame):
            return {}
        t = read_ply(self.file("bodies", frame))
        return {solid: Pose((t["x"][k], t["y"][k], t["z"][k]), (t["qw"][k], t["qx"][k], t["qy"][k], t["qz"][k]),
                            t["scale"][k]) for k, solid in enumerate(t.ids())}

    def cells(self, frame):
        """Sites of the method's cells with their values, of a run with "cells" in its "output"."""
        return read_ply(self.file("cells", frame))


def _ranges(numbers):
    """[1, 2, 3, 7] as "1-3, 7"."""
    parts = []
    for n in numbers:
        if parts and n == parts[-1][1] + 1:
            parts[-1][1] = n
        else:
            parts.append([n, n])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def summary(run):
    """The lines that the command prints."""
    scene, missing = run.scene, run.missing()
    yield f"run        {run.path}" + (f" ({run.name})" if run.name else "")
    yield f"method     {run.method}, spacing {scene['spacing']:g} m, {scene['dimensions']} dimensions"
    if run.info:
        yield f"rill       {run.info.get('rill')}, {run.info.get('threads')} threads, {run.info.get('started')}"
    yield f"frames     {len(run.frames)} of {run.frame_count + 1} at {run.fps:g} per second"
    if missing:
        yield f"missing    {_ranges(missing)}"
    if run.stats:
        last = run.stats[-1]
        wall = sum(row.get("wall_s", 0) for row in run.stats)
        yield f"steps      {len(run.stats)} to t = {last['t']:g} s, {wall:.1f} s of computing"
    for name, column in run.gauges.items():
        values = [v for v in column if v == v]
        if name != "t" and values:
            yield f"gauge      {name}: {min(values):g} to {max(values):g}, last {column[-1]:g}"
    if run.frames:
        frame = run.frames[-1]
        for kind in run.kinds:
            table = read_ply(run.file(kind, frame))
            what = f"{table.triangle_count} triangles" if isinstance(table, Mesh) else " ".join(table.names)
            yield f"{kind:<10} frame {frame}: {len(table)} points, {what}"


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: rill_run.py DIR", file=sys.stderr)
        return 2
    try:
        run = RunFolder(arguments[0])
        for line in summary(run):
            print(line)
    except RunError as error:
        print(f"rill_run.py: {error}", file=sys.stderr)
        return 4
    return 1 if run.missing() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
