#!/usr/bin/env python3
"""Writes scenes/meshes/bear.obj: a toy bear that sits, 0.66 m high, with ears, arms, legs and a muzzle.

Its parts are ellipsoids and limbs that taper, blended smoothly; the surface is taken from their distance by surface
nets: a vertex for each cell of a grid that the surface crosses, moved onto it, and a quad for each edge of the grid.

usage: make_bear.py > scenes/meshes/bear.obj
"""
import math
import sys

CELL = 0.017
LOW, HIGH = (-0.34, -0.05, -0.26), (0.34, 0.72, 0.42)


def ellipsoid(p, center, radii):
    """Distance from an ellipsoid, to first order."""
    q = [(p[k] - center[k]) / radii[k] for k in range(3)]
    inside = math.sqrt(sum(x * x for x in q))
    slope = math.sqrt(sum((x / r) ** 2 for x, r in zip(q, radii)))
    return inside * (inside - 1) / slope if slope > 1e-12 else -min(radii)


def limb(p, a, b, ra, rb):
    """Distance from a capsule whose radius goes from ra to rb."""
    ab = [y - x for x, y in zip(a, b)]
    t = sum((x - o) * d for x, o, d in zip(p, a, ab)) / sum(d * d for d in ab)
    t = min(max(t, 0.0), 1.0)
    return math.dist(p, [o + t * d for o, d in zip(a, ab)]) - (ra + t * (rb - ra))


def blend(a, b, width):
    """Of two distances the smaller, rounded where they are alike."""
    h = max(width - abs(a - b), 0.0) / width
    return min(a, b) - 0.25 * width * h * h


def bear(p):
    p = (abs(p[0]), p[1], p[2])  # both sides are the same
    d = ellipsoid(p, (0, 0.195, 0), (0.175, 0.215, 0.16))
    d = blend(d, ellipsoid(p, (0, 0.17, 0.055), (0.135, 0.15, 0.135)), 0.06)
    d = blend(d, math.dist(p, (0, 0.08, -0.16)) - 0.045, 0.03)  # tail
    d = blend(d, limb(p, (0.11, 0.355, 0.02), (0.225, 0.285, 0.085), 0.058, 0.05), 0.05)
    d = blend(d, limb(p, (0.225, 0.285, 0.085), (0.235, 0.215, 0.19), 0.05, 0.056), 0.03)
    d = blend(d, limb(p, (0.09, 0.075, 0.05), (0.185, 0.06, 0.25), 0.09, 0.066), 0.05)
    d = blend(d, ellipsoid(p, (0.195, 0.09, 0.3), (0.068, 0.1, 0.05)), 0.035)  # foot
    head = ellipsoid(p, (0, 0.51, 0.025), (0.14, 0.122, 0.125))
    head = blend(head, math.dist(p, (0.055, 0.47, 0.085)) - 0.06, 0.04)  # cheeks
    head = blend(head, ellipsoid(p, (0, 0.472, 0.14), (0.062, 0.048, 0.06)), 0.03)  # muzzle
    head = blend(head, ellipsoid(p, (0, 0.497, 0.195), (0.03, 0.023, 0.022)), 0.014)  # nose
    ear = ellipsoid(p, (0.112, 0.612, 0.0), (0.06, 0.062, 0.042))
    ear = -blend(-ear, math.dist(p, (0.118, 0.618, 0.07)) - 0.045, 0.03)  # hollow in front
    head = blend(head, ear, 0.025)
    return blend(d, head, 0.06)


def gradient(p, e=1e-4):
    return [(bear([p[j] + e * (j == k) for j in range(3)]) - bear([p[j] - e * (j == k) for j in range(3)])) / (2 * e)
            for k in range(3)]


def onto_surface(p, low):
    """Within the cell whose low corner is given, so that no triangle is turned over."""
    for _ in range(4):
        d, g = bear(p), gradient(p)
        g2 = sum(x * x for x in g)
        p = [min(max(x - d * y / max(g2, 1e-6), a), a + CELL) for x, y, a in zip(p, g, low)]
    return p


def surface_nets():
    n = [int(math.ceil((HIGH[k] - LOW[k]) / CELL)) for k in range(3)]
    size = [k + 1 for k in n]
    # The middle of x is on the grid, and both halves are computed from one.
    place = [[-CELL * (n[0] / 2 - i) for i in range(size[0])],
             [LOW[1] + CELL * j for j in range(size[1])], [LOW[2] + CELL * k for k in range(size[2])]]
    value = {}
    for k in range(size[2]):
        for j in range(size[1]):
            for i in range(size[0]):
                other = value.get((n[0] - i, j, k))
                value[i, j, k] = other if other is not None else bear((place[0][i], place[1][j], place[2][k]))
    corners = [(a, b, c) for c in (0, 1) for b in (0, 1) for a in (0, 1)]
    edges = [(a, b) for a in range(8) for b in range(a) if bin(a ^ b).count("1") == 1]
    vertex, points = {}, []
    for k in range(n[2]):
        for j in range(n[1]):
            for i in range(n[0]):
                v = [value[i + a, j + b, k + c] for a, b, c in corners]
                if min(v) >= 0 or max(v) < 0:
                    continue
                sums, count = [0.0] * 3, 0
                for a, b in edges:
                    if (v[a] < 0) == (v[b] < 0):
                        continue
                    t = v[a] / (v[a] - v[b])
                    for m in range(3):
                        sums[m] += corners[a][m] + t * (corners[b][m] - corners[a][m])
                    count += 1
                cell = (i, j, k)
                vertex[cell] = len(points)
                low = [place[m][cell[m]] for m in range(3)]
                points.append(onto_surface([low[m] + CELL * sums[m] / count for m in range(3)], low))
    quads = []
    for (i, j, k), v in value.items():
        for axis in range(3):
            step = [int(axis == m) for m in range(3)]
            w = value.get((i + step[0], j + step[1], k + step[2]))
            if w is None or (v < 0) == (w < 0):
                continue
            s, t = (axis + 1) % 3, (axis + 2) % 3
            around = []
            for ds, dt in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
                cell = [i, j, k]
                cell[s] += ds
                cell[t] += dt
                around.append(vertex[tuple(cell)])
            quads.append(around if v < 0 else around[::-1])
    return points, quads


def main():
    points, quads = surface_nets()
    faces = []
    for a, b, c, d in quads:  # along the shorter diagonal
        if math.dist(points[a], points[c]) <= math.dist(points[b], points[d]):
            faces += [(a, b, c), (a, c, d)]
        else:
            faces += [(a, b, d), (b, c, d)]
    sides = {}
    for f in faces:
        for k in range(3):
            edge = (f[k], f[(k + 1) % 3])
            sides[edge] = sides.get(edge, 0) + 1
    if any(count != 1 or sides.get((b, a)) != 1 for (a, b), count in sides.items()):
        sys.exit("the surface is not closed, or meets itself: change CELL")
    print("# A toy bear, made by scripts/make_bear.py")
    for p in points:
        print("v %.4f %.4f %.4f" % tuple(p))
    for f in faces:
        print("f %d %d %d" % tuple(k + 1 for k in f))


main()
