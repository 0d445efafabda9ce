#!/usr/bin/env python3
"""Writes malformed mesh files, more than 300 of each format, and what must be said about them.

FOLDER/expected.tsv has a line for each: file, "bad" (refused, status 4) or "any" (heavy: only time
and memory count), the place the message must name (":12:" a line, ": byte 84:", or ":"), and a part
of the message. The files are the same at every call.

usage: make_bad_meshes.py FOLDER"""
import math
import os
import random
import struct
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
expected = []
count = {}


def put(extension, data, place, part, outcome="bad"):
    if isinstance(data, str):
        data = data.encode("latin-1")
    count[extension] = count.get(extension, 0) + 1
    name = "%04d.%s" % (count[extension], extension)
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)
    expected.append("\t".join((name, outcome, place, part)))


def line(n):
    return ":%d:" % n


V = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
F = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
NO_NUMBER = ["x", "1x", "1.2.3", "--1", "+-1", "1e", "1e+", "e5", ".", "-", "+", "1,5", "0x10", "1_000", "1/2", "1d5",
             "one", "\x80", "1\x00", "1f", "(1", "$", "9" * 600, "*", "1e5e5"]
NOT_FINITE = ["nan", "NaN", "-nan", "inf", "-Inf", "INFINITY", "1e309", "-1e400", "1" + "0" * 400]


# ---- what is no mesh at all, whatever its name says ----
rng = random.Random(1)
JUNK = [b"", b"\n", b" \t \r\n", b"\x00", b"\x00" * 83, b"\xff" * 83, b"{\"rill\": 1}\n", b"<html></html>\n",
        b"\x89PNG\r\n\x1a\n" + b"\x00" * 40, b"PK\x03\x04" + b"\x00" * 40, b"\x1f\x8b\x08" + b"\x00" * 40, b"%PDF-1.4\n",
        b"glTF\x02\x00\x00\x00", b"OFF\n4 4 6\n", b"\xef\xbb\xbf", b"#", b"# only a comment\n", b"v", b"f", b"ply", b"solid",
        b"RILLCKP\x00", b"\xff\xfev\x00 \x000\x00", b"\xfe\xff\x00v\x00 \x000", b"import os\n", b"1 2 3\n4 5 6\n",
        "\u00e9\u00e8".encode(), b"\x7fELF" + b"\x00" * 20]
for extension in ("obj", "ply", "stl"):
    for data in JUNK:
        put(extension, data, ":", "")
    for k in range(20):
        data = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 300)))
        put(extension, b"\x01" + data, ":", "")


# ---- OBJ ----
def obj(lines, end="\n"):
    return end.join(lines) + end


base = ["# tetrahedron"] + ["v %d %d %d" % v for v in V] + ["f %d %d %d" % tuple(i + 1 for i in t) for t in F]
text = obj(base)
for i in range(text.index("v"), len(text)):  # no byte of it may be 1
    put("obj", text[:i] + "\x01" + text[i + 1:], line(1 + text[:i].count("\n")), "")
for axis in range(3):
    for words, part in ((NO_NUMBER, "is not a number"), (NOT_FINITE, "is not finite")):
        for word in words:
            v = ["1", "2", "3"]
            v[axis] = word
            put("obj", obj(base[:2] + ["v " + " ".join(v)] + base[3:]), line(3), part)
for end in ("\n", "\r\n", "\r"):
    for place in range(3):
        for index in (5, 6, 9001, 2147483647, 2147483648, 4294967295, 4294967296, 4294967297, 10 ** 18, 10 ** 30,
                      -5, -6, -9001, -2147483648, -4294967296, -10 ** 30):
            f = ["1", "2", "3"]
            f[place] = str(index)
            put("obj", obj(base + ["f " + " ".join(f)], end), line(10), "face names vertex")
    for zero in ("0", "-0", "+0", "0/1", "0//1"):
        put("obj", obj(base + ["f 1 2 " + zero], end), line(10), "face names vertex 0; OBJ counts from 1")
for corner in ("a", "1/a", "1/1/a", "1//a", "1/1/1/", "1/1/1/1", "1///1", "/1", "//1", "1.5", "1e0", "1,2", "1;", "-", "+",
               "1\\2", "1/ /1", "2x", "\x00", "1-1", "1/-", "0x1", "--1", "1/1/1x", "nan", "inf", "1|2"):
    for place in range(3):
        f = ["1", "2", "3"]
        f[place] = corner
        put("obj", obj(base + ["f " + " ".join(f)]), line(10), "")
for corners in ("", "1", "1 2", "-1", "-1 -2", "1/1 2/2", "1//1", "\\\n", "1 \\\n2", "# 1 2 3", "1 2 # 3"):
    put("obj", obj(base + ["f " + corners]), line(10), "a face with")
put("obj", obj(base + ["f 1 2 3 4 1"]), line(10), "more corners than there are vertices")
for numbers in ("", "1", "1 2", "1 # 2 3", "\\\n1 2", "1 2 3 4 5 6 7 8 9", "1 2 3 4 5 6 7 8 9 10"):
    put("obj", obj(base[:3] + ["v " + numbers] + base[3:]), ":", "vertex")
for word in ("V", "F", "vx", "face", "vertex", "vv", "fv", "//", "1", "-", "v1", "f1", "'", "\x00", "end_header", "solid",
             "element", "import", "{", "G", "usemtl2", "x" * 5000):
    put("obj", obj(base + [word + " 1 2 3"]), line(10), "does not begin a statement")
    put("obj", obj([base[0], word + " 1 2 3"] + base[1:]), ":", "")
put("obj", obj(base[:5]), line(6), "no faces")
put("obj", obj(base[5:]), line(1), "face names vertex")
put("obj", obj(["v 0 0 0", "v 1 1 1", "f 1 2 2", "f 1 1 1"]), ":", "")
put("obj", obj(base[:2] + ["v 1e300 0 0"] + base[3:]), ":", "vertex 1 lies")


# ---- STL ----
def ascii_stl(facets, corner=None, tail="endsolid tetrahedron\n"):
    s = "solid tetrahedron\n"
    for i, t in enumerate(facets):
        s += "facet normal 0 0 0\nouter loop\n"
        for k, v in enumerate(t):
            s += (corner[2] if corner and corner[:2] == (i, k) else "vertex %d %d %d" % V[v]) + "\n"
        s += "endloop\nendfacet\n"
    return s + tail


text = ascii_stl(F)
for number, row in enumerate(text.split("\n")[:-2]):
    start = sum(len(r) + 1 for r in text.split("\n")[:number])
    free = row.startswith("facet normal") or row.startswith("solid")  # words that may be anything
    for i in range(start, start + (5 if free else len(row))):
        where = line(number + 1) if number else ":"
        put("stl", text[:i] + "\x01" + text[i + 1:], where, "")
    if not free:  # the rest of the file is gone
        put("stl", text[:start], line(number + 1), "it is cut off")
put("stl", ascii_stl(F, tail=""), line(30), "it is cut off")
for axis in range(3):
    for words, part in ((NO_NUMBER, "is not a number"), (NOT_FINITE, "is not a finite number")):
        for word in words:
            v = ["1", "2", "3"]
            v[axis] = word
            if "\x00" in word:
                continue
            put("stl", ascii_stl(F, (1, 1, "vertex " + " ".join(v))), line(12), part)
for corner in ("", "vertex", "vertex 1", "vertex 1 2", "vertex 1 2 3 4", "vertices 1 2 3", "1 2 3"):
    put("stl", ascii_stl(F, (1, 1, corner)), ":1", "")
put("stl", ascii_stl([(0, 1, 2, 3)]), line(7), "\"vertex\" where \"endloop\" should stand")
put("stl", ascii_stl([(0, 1)]), line(6), "\"endloop\" where \"vertex\" should stand")
put("stl", ascii_stl([]), ":", "no facets")
put("stl", "solid a\nendsolid a\n" * 5, ":", "no facets")
put("stl", ascii_stl([(0, 0, 0), (1, 1, 2)]), ":", "flat to a line or a point")
put("stl", ascii_stl(F) + "facet normal 0 0 0\n", line(31), "\"facet\" where \"solid\" should stand")

for head in (b"made elsewhere", b"solid binary"):
    data = head.ljust(80, b"\0") + struct.pack("<I", len(F))
    for t in F:
        data += struct.pack("<3f", 0, 0, 0) + b"".join(struct.pack("<3f", *V[i]) for i in t) + b"\0\0"
    for n in range(85, len(data), 3):
        put("stl", data[:n], ": byte %d:" % n, "ends early")
    for i in range(len(F)):
        for k in range(9):
            for bits in (0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffffffff):
                at = 84 + 50 * i + 12 + 4 * k
                put("stl", data[:at] + struct.pack("<I", bits) + data[at + 4:], ": byte %d:" % (at - 4 * (k % 3)),
                    "not finite")
    for n in (5, 6, 100, 65536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1):
        put("stl", data[:80] + struct.pack("<I", n) + data[84:], ": byte %d:" % len(data), "ends early")
    put("stl", data[:80] + struct.pack("<I", 0) + data[84:], ": byte 80:", "no triangles")
    put("stl", data[:84], ": byte 84:", "ends early")


# ---- PLY ----
KINDS = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "float": "f", "double": "d"}
FORMS = ("ascii", "binary_little_endian", "binary_big_endian")


def ply(form, scalar="float", length="uchar", index="int", vertices=V, faces=F, head=None, lengths=None):
    header = head or ("ply\nformat %s 1.0\nelement vertex %d\nproperty %s x\nproperty %s y\nproperty %s z\n"
                      "element face %d\nproperty list %s %s vertex_indices\nend_header\n"
                      % (form, len(vertices), scalar, scalar, scalar, len(faces), length, index))
    data = bytearray(header.encode("latin-1"))
    order = ">" if "big" in form else "<"
    for v in vertices:
        data += ((" ".join(map(str, v)) + "\n").encode("latin-1") if form == "ascii" else
                 struct.pack(order + "3" + KINDS[scalar], *v))
    for i, f in enumerate(faces):
        n = lengths[i] if lengths else len(f)
        data += ((" ".join(map(str, (n,) + tuple(f))) + "\n").encode("latin-1") if form == "ascii" else
                 struct.pack(order + KINDS[length] + str(len(f)) + KINDS[index], n, *f))
    return bytes(data), len(header)


for form in FORMS:
    data, start = ply(form)
    text = data.decode("latin-1")
    for i in range(start if form != "ascii" else len(text) - 1):  # no byte of the header may be 1
        where = line(1 + text[:i].count("\n")) if "property" not in text[:i].split("\n")[-1] else ":"
        if text[i] in "\nxyz" or text[:i].split("\n")[-1].startswith(("element", "ply")) or i < 4:
            where = ":"
        put("ply", text[:i] + "\x01" + text[i + 1:], where, "")
    for n in range(0, len(data) - 2, 3 if form == "ascii" else 2):
        put("ply", data[:n], ":", "")
    for scalar in ("float", "double"):
        for v in range(4):
            for axis in range(3):
                for value in (math.nan, math.inf, -math.inf):
                    vertices = [list(x) for x in V]
                    vertices[v][axis] = value
                    data, start = ply(form, scalar, vertices=vertices)
                    at = start + struct.calcsize(KINDS[scalar]) * (3 * v + axis)
                    put("ply", data, line(10 + v) if form == "ascii" else ": byte %d:" % at, "not finite")
    for index, bad in (("int", (4, 5, -1, 9001, 2 ** 31 - 1, -2 ** 31)), ("uint", (4, 2 ** 32 - 1)), ("uchar", (4, 255)),
                       ("char", (4, -1, 127, -128)), ("ushort", (4, 65535)), ("short", (4, -1)),
                       ("float", (4, -1, 0.5, 1e30)), ("double", (4, -0.5, 1e300))):
        for value in bad:
            for corner in range(3):
                faces = [list(f) for f in F]
                faces[2][corner] = value
                data, start = ply(form, index=index, faces=faces)
                size = struct.calcsize(KINDS[index])
                at = start + 48 + 2 * (1 + 3 * size) + 1 + size * corner
                put("ply", data, line(16) if form == "ascii" else ": byte %d:" % at, "face names vertex")
    for length, bad in (("uchar", (0, 1, 2, 4, 255)), ("char", (0, 1, 2, 100, -1, -128)), ("int", (0, 2, 2 ** 31 - 1, -1)),
                        ("uint", (0, 2, 2 ** 32 - 1)), ("ushort", (0, 2, 65535)), ("short", (0, 2, -1, 32767))):
        for value in bad:
            data, start = ply(form, length=length, lengths=[3, 3, 3, value])
            put("ply", data, ":1" if form == "ascii" else ": byte", "")
    for n in (5, 1000, 10 ** 9, 10 ** 12 - 1):
        data, start = ply(form)
        put("ply", data.replace(b"vertex 4", b"vertex %d" % n), ":", "")
        put("ply", data.replace(b"face 4", b"face %d" % n), ":", "")
    for old, new in (("vertex 4", "vertex -4"), ("vertex 4", "vertex 4x"), ("vertex 4", "vertex"), ("face 4", "face 99999999999999"),
                     ("float x", "half x"), ("float x", "float"), ("float y", "float x"), ("uchar int", "float int"),
                     ("uchar int", "int"), ("vertex_indices", "corners"), ("list uchar int", "int"), ("1.0", "2.0"),
                     ("format", "farmat"), ("element face 4", "element vertex 4"), ("end_header", "end"),
                     ("element vertex 4\n", ""), ("property float z\n", ""), ("format " + form + " 1.0\n", ""),
                     ("element face 4", "element " + "f" * 60 + " 4"), ("ply\n", "ply\n" + "x" * 2000 + "\n")):
        data, start = ply(form)
        put("ply", data.replace(old.encode(), new.encode(), 1), ":", "")
    put("ply", "ply\nformat %s 1.0\n" % form + "element e%d 0\nproperty int a\n" * 1 % 0, ":", "no end_header")
    put("ply", "ply\nformat %s 1.0\n" % form + "".join("element e%d 0\n" % i for i in range(20)), ":11:", "more kinds")
    put("ply", "ply\nformat %s 1.0\nelement vertex 1\n" % form + "".join("property int a%d\n" % i for i in range(60)), ":44:",
        "more properties")
for axis in range(3):
    for word in NO_NUMBER:
        vertices = [list(x) for x in V]
        vertices[1][axis] = word
        put("ply", ply("ascii", vertices=vertices)[0], line(11), "is not a number")
for kind, values in (("uchar", (256, -1, 1.5, 1e9)), ("char", (128, -129)), ("ushort", (65536,)), ("short", (-32769,)),
                     ("int", (2 ** 31, "nan")), ("uint", (2 ** 32, -1, "inf"))):
    for value in values:
        vertices = [list(x) for x in V]
        vertices[2][2] = value
        put("ply", ply("ascii", scalar=kind, vertices=vertices)[0], line(12), "does not fit the type " + kind)


# ---- heavy: a megabyte each, for time and memory ----
MB = 1 << 20


def ring(n, inner):
    return ["v %.6g %.6g 0" % ((inner if i % 2 else 1) * math.cos(2 * math.pi * i / n),
                               (inner if i % 2 else 1) * math.sin(2 * math.pi * i / n)) for i in range(n)]


def spiral(n):
    out = []
    for i in range(n):
        j = i if 2 * i < n else n - 1 - i
        r, a = (1 if 2 * i < n else 0.9) + 0.02 * j / 10, j / 10
        out.append("v %.6g %.6g 0" % (r * math.cos(a), r * math.sin(a)))
    return out


def heavy(extension, data):
    put(extension, data, ":", "", "any")


def whole(n):
    return "f " + " ".join(str(i + 1) for i in range(n))


heavy("obj", obj(ring(30000, 0.5) + [whole(30000)]))
heavy("obj", obj(ring(30000, 0.999) + [whole(30000)]))
heavy("obj", obj(ring(30000, 1) + [whole(30000)]))
heavy("obj", obj(spiral(30000) + [whole(30000)]))
for n in (100, 400, 1600):
    heavy("obj", obj(ring(n, 0.5) + [whole(n)] * (MB // len(whole(n)))))
    heavy("obj", obj(spiral(n) + [whole(n)] * (MB // len(whole(n)))))
    mixed = list(range(1, n + 1))
    random.Random(n).shuffle(mixed)
    heavy("obj", obj(ring(n, 0.5) + ["f " + " ".join(map(str, mixed))] * (MB // len(whole(n)))))
heavy("obj", obj(["v 0 0 0"] * 3 + ["f 1 2 3"] * (MB // 8)))
heavy("obj", obj(["v 0 0 0"] * (MB // 8) + ["f 1 2 3"]))
heavy("obj", obj(["v %d 0 %d" % (i % 1000, i // 1000) for i in range(60000)] + ["f 1 2 3"]))
heavy("obj", obj(["v %d 0 0" % i for i in range(9)] + ["f 1 2 3 4 5 6 7 8 9"] * (MB // 20)))
heavy("obj", obj(["v " + "1" * MB + " 0 0"] + base))
heavy("obj", "\\\n" * (MB // 2))
heavy("obj", "#" * MB)
heavy("obj", "\r" * MB)
heavy("obj", "v 0 0 0\n" + "f" * MB)
heavy("obj", obj(base) + "f " + "1 " * (MB // 2))
heavy("obj", obj(["v 1.%s 2 3" % ("7" * 400)] * (MB // 410) + ["f 1 2 3"]))
heavy("stl", "solid\n" + ("facet normal outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\n" * (MB // 80)) +
      "endsolid\n")
heavy("stl", "solid\nendsolid\n" * (MB // 15))
heavy("stl", "solid " + "x" * MB)
heavy("stl", b"a".ljust(80) + struct.pack("<I", MB // 50) + struct.pack("<12fH", *range(12), 0) * (MB // 50))
heavy("stl", b"a".ljust(80) + struct.pack("<I", MB // 50) +
      b"".join(struct.pack("<12fH", *[(k * 7919 + i) % 65536 for i in range(12)], 0) for k in range(MB // 50)))
for form in FORMS:
    for n, corners in ((9, 9), (250, 250), (250, 3), (3, 3)):
        ngon = [(100 * math.cos(6.28 * i / n), 100 * math.sin(6.28 * i / n), 0) for i in range(n)]
        ngon = [tuple(int(x / (1 + i % 2)) for x in v) for i, v in enumerate(ngon)]
        face = tuple(range(corners))
        cost = 4 * corners if form == "ascii" else corners + 1
        heavy("ply", ply(form, scalar="char", index="uchar", vertices=ngon, faces=[face] * (MB // cost))[0])
    heavy("ply", ply(form, scalar="char", vertices=[(1, 2, 3)] * (MB // (6 if form == "ascii" else 3)), faces=[(0, 1, 2)])[0])
    heavy("ply", ply(form, faces=[()] * (MB // 2))[0])
    n = MB // 2
    head = ("ply\nformat %s 1.0\nelement vertex 3\nproperty char x\nproperty char y\nproperty char z\nelement face 1\n"
            "property list int uchar vertex_indices\nend_header\n" % form)
    heavy("ply", ply(form, "char", "int", "uchar", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2) * (n // 3)], head)[0])
heavy("ply", "ply\nformat ascii 1.0\n" + "comment x\n" * (MB // 10))
heavy("ply", "ply\nformat ascii 1.0\nelement vertex %d\nproperty double x\nproperty double y\nproperty double z\n"
      "element face 0\nproperty list int int vertex_indices\nend_header\n" % (MB // 6) + "0 0 0\n" * (MB // 6))

with open(os.path.join(folder, "expected.tsv"), "w", encoding="latin-1") as f:
    f.write("\n".join(expected) + "\n")
