#!/usr/bin/env python3
"""Writes the seeds of the mesh fuzz targets: small files of every kind and spelling.
usage: make_mesh_corpus.py FOLDER   (tests/fuzz/corpus is what it wrote)"""
import os
import struct
import sys

V = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
F = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
CONCAVE = [(0, 0, 0), (4, 0, 0), (4, 4, 0), (3, 1, 0), (1, 1, 0), (0, 4, 0)]


def put(folder, target, name, data):
    path = os.path.join(folder, target)
    os.makedirs(path, exist_ok=True)
    with open(os.path.join(path, name), "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())


def obj(folder):
    v = "".join("v %g %g %g\n" % x for x in V)
    put(folder, "mesh_obj", "plain.obj", v + "".join("f %d %d %d\n" % tuple(i + 1 for i in t) for t in F))
    put(folder, "mesh_obj", "relative.obj", v + "".join("f %d %d %d\n" % tuple(i - 4 for i in t) for t in F))
    put(folder, "mesh_obj", "spellings.obj",
        "# comment\r\nmtllib a.mtl\r\n" + v + "vn 0 0 1\nvt 0 0\ng a b\rf 1/1 3/1 2/1\rf 1//1 2//1 \\\n 4//1\r\n"
        "s off\nusemtl x\nf 2/1/1 3/1/1 4/1/1\nf -2 -4 -1\nl 1 2\n")
    put(folder, "mesh_obj", "concave.obj",
        "".join("v %g %g %g\n" % x for x in CONCAVE) + "f 1 2 3 4 5 6\nf 6 5 4 3 2 1\n")


def stl(folder):
    text = "solid a\n"
    data = b"solid binary".ljust(80) + struct.pack("<I", len(F))
    for t in F:
        text += "facet normal 0 0 0\n outer loop\n" + "".join("  vertex %g %g %g\n" % V[i] for i in t)
        text += " endloop\nendfacet\n"
        data += struct.pack("<3f", 0, 0, 0) + b"".join(struct.pack("<3f", *V[i]) for i in t) + b"\0\0"
    put(folder, "mesh_stl", "ascii.stl", text + "endsolid a\n")
    put(folder, "mesh_stl", "binary.stl", data)
    put(folder, "mesh_stl", "binary_short.stl", data[:150])


def ply(folder):
    kinds = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "float": "f",
             "double": "d"}

    def write(name, form, count, index, scalar):
        head = ("ply\nformat %s 1.0\ncomment a\nelement vertex 6\nproperty %s x\nproperty %s y\nproperty %s z\n"
                "property uchar red\nelement face 3\nproperty uchar flag\nproperty list %s %s vertex_indices\n"
                "element edge 1\nproperty list uchar short a\nend_header\n"
                % (form, scalar, scalar, scalar, count, index))
        faces = [(0, 1, 2, 3, 4, 5), (0, 1, 2), (2, 1, 0)]
        if form == "ascii":
            body = "".join("%g %g %g 7\n" % x for x in CONCAVE)
            body += "".join("1 %d %s\n" % (len(f), " ".join(map(str, f))) for f in faces) + "2 -1 -2\n"
            data = (head + body).encode()
        else:
            e = "<" if "little" in form else ">"
            data = head.encode()
            data += b"".join(struct.pack(e + "3" + kinds[scalar] + "B", *x, 7) for x in CONCAVE)
            data += b"".join(struct.pack(e + "B" + kinds[count] + str(len(f)) + kinds[index], 1, len(f), *f)
                             for f in faces)
            data += struct.pack(e + "B2h", 2, -1, -2)
        put(folder, "mesh_ply", name, data)

    write("ascii.ply", "ascii", "uchar", "int", "float")
    write("little.ply", "binary_little_endian", "uchar", "int", "float")
    write("big.ply", "binary_big_endian", "uint", "ushort", "double")
    write("bytes.ply", "binary_little_endian", "char", "uchar", "char")
    put(folder, "mesh_ply", "particles.ply",
        b"ply\nformat binary_little_endian 1.0\ncomment rill 0.1.0\ncomment time 0.5\ncomment frame 3\n"
        b"element vertex 1\nproperty double x\nproperty double y\nproperty double z\nproperty float vx\n"
        b"property float vy\nproperty float vz\nproperty float density\nproperty uint id_low\n"
        b"property uint id_high\nend_header\n" + struct.pack("<3d4f2I", 1, 2, 3, 4, 5, 6, 7, 8, 0))


obj(sys.argv[1])
stl(sys.argv[1])
ply(sys.argv[1])
