#!/usr/bin/env python3
"""Writes scenes/meshes/rock.obj: a sphere of triangles with dents, about 1 m across.

usage: make_rock.py > scenes/meshes/rock.obj
"""
import math
import random

PHI = (1 + math.sqrt(5)) / 2
CORNERS = [(-1, PHI, 0), (1, PHI, 0), (-1, -PHI, 0), (1, -PHI, 0), (0, -1, PHI), (0, 1, PHI),
           (0, -1, -PHI), (0, 1, -PHI), (PHI, 0, -1), (PHI, 0, 1), (-PHI, 0, -1), (-PHI, 0, 1)]
FACES = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2),
         (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5),
         (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]


def unit(p):
    length = math.sqrt(sum(x * x for x in p))
    return tuple(x / length for x in p)


def sphere(rounds):
    points, faces = [unit(p) for p in CORNERS], FACES
    for _ in range(rounds):
        middle, finer = {}, []

        def between(a, b):
            key = (min(a, b), max(a, b))
            if key not in middle:
                middle[key] = len(points)
                points.append(unit(tuple((x + y) / 2 for x, y in zip(points[a], points[b]))))
            return middle[key]

        for a, b, c in faces:
            ab, bc, ca = between(a, b), between(b, c), between(c, a)
            finer += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        faces = finer
    return points, faces


def main():
    rng = random.Random(7)
    cuts = [(unit([rng.gauss(0, 1) for _ in range(3)]), rng.uniform(0.72, 0.9)) for _ in range(14)]
    points, faces = sphere(3)
    print("# A rock, about 1 m across, made by scripts/make_rock.py")
    for p in points:
        # Cut by planes, as stones break, a little rounded.
        reach = min([1.0] + [depth / max(sum(x * y for x, y in zip(p, n)), 1e-9) for n, depth in cuts
                             if sum(x * y for x, y in zip(p, n)) > 0])
        reach = 0.9 * reach + 0.1 * reach * (0.5 + 0.5 * math.sin(7 * p[0] + 5 * p[1]) * math.sin(6 * p[2]))
        print("v %.4f %.4f %.4f" % (0.55 * reach * p[0], 0.45 * reach * p[1], 0.5 * reach * p[2]))
    for a, b, c in faces:
        print("f %d %d %d" % (a + 1, b + 1, c + 1))


main()
