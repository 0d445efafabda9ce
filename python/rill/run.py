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
    run.sequence("particles")      all frames as a list whose tables are read when they are asked for
    run.poses(3)                   where the bodies of frame 3 are, by the index of their solid (Pose)

Files are mapped into memory, and columns are decoded when they are asked for. They are array.array; a value that a
gauge did not have is NaN. With NumPy installed, table.numpy() gives a structured array without copying, and
table.vectors("x", "y", "z") an array of n by 3.

A folder may be read while the run goes on: files appear under their names when they are
complete, and half a last line of stats.jsonl, gauges.csv or bodies.csv is left for the next time.

    python3 rill_run.py DIR        prints a summary; exit code 1 when frames are missing
"""
from __future__ import annotations

import array
import csv
import json
import mmap
import os
import re
import struct
import sys
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

# PLY's words for its types: struct's letter, also array's.
_TYPES = {
    "char": "b", "int8": "b", "uchar": "B", "uint8": "B", "short": "h", "int16": "h", "ushort": "H",
    "uint16": "H", "int": "i", "int32": "i", "uint": "I", "uint32": "I", "float": "f", "float32": "f",
    "double": "d", "float64": "d",
}
_LONGEST_HEADER = 1 << 16


class RunError(Exception):
    """What is wrong with a folder or a file, and where."""


# A record of PLY: byte order, and name and letter of each property.
_Record = Tuple[str, List[Tuple[str, str]]]


class _Columns(Mapping[str, "array.array[Any]"]):
    """Columns by name, each decoded at the first need."""

    def __init__(self, record: _Record, data: memoryview, count: int) -> None:
        order, properties = record
        self._data, self._count, self._order = data, count, order
        self._size = struct.calcsize(order + "".join(letter for _, letter in properties))
        self._made: Dict[str, "array.array[Any]"] = {}
        self._at: Dict[str, Tuple[int, str]] = {}
        at = 0
        for name, letter in properties:
            self._at[name] = (at, letter)
            at += struct.calcsize(order + letter)

    def _decode(self, name: str) -> "array.array[Any]":
        at, letter = self._at[name]
        width, step = struct.calcsize(self._order + letter), self._size
        if (self._order == "<") == (sys.byteorder == "little") and at % width == 0 and step % width == 0:
            values = self._data.cast(letter)[at // width::step // width].tolist()
        else:
            one = struct.Struct(self._order + letter)
            values = [one.unpack_from(self._data, at + step * i)[0] for i in range(self._count)]
        return array.array(letter, values)

    def __getitem__(self, name: str) -> "array.array[Any]":
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = self._decode(name)
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(self._at)

    def __len__(self) -> int:
        return len(self._at)


class Table:
    """The elements of a PLY file as columns: table["x"], len(table), table.names."""

    def __init__(self, columns: Mapping[str, "array.array[Any]"], count: int, time: Optional[float],
                 frame: Optional[int], record: _Record, data: memoryview) -> None:
        self.columns = columns  # name -> array.array
        self.count = count
        self.time = time  # simulated seconds; None when the file does not say
        self.frame = frame  # likewise
        self._record, self._data = record, data

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, name: str) -> "array.array[Any]":
        return self.columns[name]

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    @property
    def names(self) -> List[str]:
        return list(self.columns)

    def ids(self) -> "array.array[int]":
        """The 64-bit ids of particles, which PLY holds as two halves."""
        return array.array("Q", (low | high << 32 for low, high in zip(self["id_low"], self["id_high"])))

    def numpy(self) -> Any:
        """The same as a structured array, without copying; needs NumPy."""
        import numpy

        order, names = self._record
        letters = {"B": "u1", "b": "i1"}
        return numpy.frombuffer(self._data, dtype=[(n, letters.get(t, order + t)) for n, t in names], count=self.count)

    def vectors(self, *names: str) -> Any:
        """Columns side by side, as an array of n by len(names); needs NumPy. Without names: the positions."""
        import numpy

        table = self.numpy()
        return numpy.stack([table[n] for n in names or ("x", "y", "z")], axis=-1)


class Pose:
    """Where a body is: a point x of its shape, or of its mesh file, is at position + scale * (rotation of x)."""

    def __init__(self, position: Tuple[float, ...], rotation: Tuple[float, ...], scale: float) -> None:
        self.position = position  # metres
        self.rotation = rotation  # unit quaternion: w, x, y, z
        self.scale = scale

    def place(self, x: Sequence[float]) -> Tuple[float, ...]:
        def cross(a: Sequence[float], b: Sequence[float]) -> List[float]:
            return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

        w, *v = self.rotation
        t = [2 * c for c in cross(v, x)]
        u = cross(v, t)
        return tuple(self.position[k] + self.scale * (x[k] + w * t[k] + u[k]) for k in range(3))


class Mesh(Table):
    """A surface: vertices as columns, and triangles as a flat array of three indices each."""

    def __init__(self, vertices: Table, triangles: "array.array[int]") -> None:
        super().__init__(vertices.columns, vertices.count, vertices.time, vertices.frame, vertices._record,
                         vertices._data)
        self.triangles = triangles  # array.array("I")
        self.triangle_count = len(triangles) // 3


class _Element:
    def __init__(self, name: str, count: int) -> None:
        self.name, self.count = name, count
        self.properties: List[Tuple[str, ...]] = []  # (name, letter) or, for a list, (name, letter, letter of the count)


def _header(path: str, data: bytes) -> Tuple[List[_Element], str, Optional[float], Optional[int], int]:
    """Elements, order, time, frame and where the data begin."""
    end = data.find(b"end_header\n", 0, _LONGEST_HEADER)
    if data[:4] != b"ply\n" or end < 0:
        raise RunError(f"{path}: not a PLY file")
    order: Optional[str] = None
    time: Optional[float] = None
    frame: Optional[int] = None
    elements: List[_Element] = []
    line = ""
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


def _table(path: str, data: Any, at: int, element: _Element, order: str, time: Optional[float],
           frame: Optional[int]) -> Tuple[Table, int]:
    """The columns of an element without lists, and where the next one begins."""
    record: _Record = (order, [(p[0], p[1]) for p in element.properties])
    size = struct.calcsize(order + "".join(letter for _, letter in record[1])) * element.count
    if element.count < 0 or size > len(data) - at:
        raise RunError(f"{path}: it ends before its {element.count} {element.name} elements do")
    body = memoryview(data)[at:at + size]
    return Table(_Columns(record, body, element.count), element.count, time, frame, record, body), at + size


def _faces(path: str, data: Any, at: int, element: _Element, order: str) -> "array.array[int]":
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


def _mapped(path: str) -> Any:
    """The bytes of a file, mapped where that is possible."""
    with open(path, "rb") as f:
        try:
            return mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
        except (ValueError, OSError):  # an empty file, or not one that can be mapped
            return f.read()


def read_ply(path: Union[str, "os.PathLike[str]"]) -> Any:
    """A PLY file of Rill: a Table of particles, or a Mesh."""
    path = os.fspath(path)
    try:
        data = _mapped(path)
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


class Frames(Sequence[Any]):
    """Frames of one kind, in order; each is read when it is asked for, and not kept."""

    def __init__(self, run: "RunFolder", kind: str, numbers: List[int]) -> None:
        self.run, self.kind, self.numbers = run, kind, numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Frames(self.run, self.kind, self.numbers[index])
        return read_ply(self.run.file(self.kind, self.numbers[index]))

    def __repr__(self) -> str:
        return f"<{len(self)} frames of {self.kind} in {self.run.path}>"


class RunFolder:
    """A run folder; files are read when they are asked for."""

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        self.path: str = os.fspath(path)
        self.scene = self._json("scene.json")
        # A run that was stopped in its first moment has none yet.
        self.info = self._json("run.json") if os.path.exists(os.path.join(self.path, "run.json")) else {}
        self._stats: Optional[List[Dict[str, Any]]] = None
        self._gauges: Optional[Dict[str, "array.array[float]"]] = None
        self._bodies: Optional[List[Dict[str, Any]]] = None

    def _json(self, name: str) -> Any:
        path = os.path.join(self.path, name)
        try:
            with open(path, encoding="utf-8") as f:
                return json.load(f)
        except OSError as error:
            raise RunError(f"{path}: {error.strerror}; is {self.path} a run folder?") from error
        except ValueError as error:
            raise RunError(f"{path}: {error}") from error

    def _lines(self, name: str) -> List[str]:
        """Complete lines; none when the file is not there."""
        try:
            with open(os.path.join(self.path, name), encoding="utf-8", newline="") as f:
                text = f.read()
        except FileNotFoundError:
            return []
        return text.split("\n")[:-1]

    @property
    def name(self) -> str:
        return str(self.scene.get("name", ""))

    @property
    def method(self) -> str:
        return str(self.scene.get("method", ""))

    @property
    def fps(self) -> float:
        return float(self.scene["time"]["fps"])

    @property
    def frame_count(self) -> int:
        """How many frames the run should have after frame 0."""
        return int(self.scene["time"]["frames"])

    @property
    def stats(self) -> List[Dict[str, Any]]:
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
    def gauges(self) -> Dict[str, "array.array[float]"]:
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
    def bodies(self) -> List[Dict[str, Any]]:
        """Columns by name for every body, in the order of the scene; empty when there are none."""
        if self._bodies is None:
            path = os.path.join(self.path, "bodies.csv")
            rows = list(csv.reader(self._lines("bodies.csv")))
            head: List[str] = rows[0] if rows else []
            bodies: List[Dict[str, Any]] = []
            for number, row in enumerate(rows[1:], 2):
                if len(row) != len(head):
                    raise RunError(f"{path}:{number}: {len(row)} values in {len(head)} columns")
                values = dict(zip(head, row))
                try:
                    body, name = int(values.pop("body")), values.pop("name")
                    numbers = {key: float(value) if value else float("nan") for key, value in values.items()}
                except (KeyError, ValueError) as error:
                    raise RunError(f"{path}:{number}: not a row of bodies.csv: {error}") from error
                if body == len(bodies):
                    bodies.append({"name": name, **{key: array.array("d") for key in values}})
                if not 0 <= body < len(bodies):
                    raise RunError(f"{path}:{number}: body {body} comes before those in front of it")
                for key, value in numbers.items():
                    bodies[body][key].append(value)
            self._bodies = bodies
        return self._bodies

    def has(self, kind: str, frame: int) -> bool:
        """Whether the frame has its file of the kind "particles" or "surface"."""
        return os.path.exists(self.file(kind, frame))

    def file(self, kind: str, frame: int) -> str:
        return os.path.join(self.path, "frames", f"{kind}_{frame:04d}.ply")

    @property
    def kinds(self) -> List[str]:
        """What the scene asks to be written for each frame."""
        output = self.scene.get("output", {})
        return [kind for kind in ("particles", "surface") if output.get(kind, True)]

    @property
    def frames(self) -> List[int]:
        """Numbers of the frames that have all their files, in order."""
        found: Dict[str, set[int]] = {kind: set() for kind in self.kinds}
        try:
            names = os.listdir(os.path.join(self.path, "frames"))
        except FileNotFoundError:
            names = []
        for name in names:
            match = re.fullmatch(r"(particles|surface)_(\d{4,})\.ply", name)
            if match and match[1] in found:
                found[match[1]].add(int(match[2]))
        return sorted(set.intersection(*found.values())) if found else []

    def missing(self) -> List[int]:
        """Numbers of the frames the scene asks for that are not there (yet)."""
        if not self.kinds:
            return []
        there = set(self.frames)
        return [k for k in range(self.frame_count + 1) if k not in there]

    def particles(self, frame: int) -> Any:
        return read_ply(self.file("particles", frame))

    def surface(self, frame: int) -> Any:
        return read_ply(self.file("surface", frame))

    def poses(self, frame: int) -> Dict[int, Pose]:
        """A Pose for every body, by the index of its solid in the scene; empty when the frame has none."""
        if not self.has("bodies", frame):
            return {}
        t = read_ply(self.file("bodies", frame))
        return {solid: Pose((t["x"][k], t["y"][k], t["z"][k]), (t["qw"][k], t["qx"][k], t["qy"][k], t["qz"][k]),
                            t["scale"][k]) for k, solid in enumerate(t.ids())}

    def sequence(self, kind: str) -> Frames:
        """The frames that have a file of this kind ("particles", "surface", "cells", "tracers"), as a lazy list."""
        numbers = []
        try:
            names = os.listdir(os.path.join(self.path, "frames"))
        except FileNotFoundError:
            names = []
        for name in names:
            match = re.fullmatch(re.escape(kind) + r"_(\d{4,})\.ply", name)
            if match:
                numbers.append(int(match[1]))
        return Frames(self, kind, sorted(numbers))

    def cells(self, frame: int) -> Any:
        """Sites of the method's cells with their values, of a run with "cells" in its "output"."""
        return read_ply(self.file("cells", frame))


def _ranges(numbers: List[int]) -> str:
    """[1, 2, 3, 7] as "1-3, 7"."""
    parts: List[List[int]] = []
    for n in numbers:
        if parts and n == parts[-1][1] + 1:
            parts[-1][1] = n
        else:
            parts.append([n, n])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def summary(run: RunFolder) -> Iterator[str]:
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


def main(arguments: List[str]) -> int:
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
