#!/usr/bin/env python3
"""Writes scenes/meshes/valley.obj: a winding valley, 6 m long and 3 m wide, that falls by 0.7 m, as a closed block.

usage: make_valley.py > scenes/meshes/valley.obj
"""
import math

# One cell outside of the 6 m times 3 m, level outwards, and deep: nowhere thinner than the largest kernels, and not
# larger than need be, since the distance from all of its sides is kept.
X = [-0.5] + [6 * i / 56 for i in range(57)] + [6.5]
Z = [-0.5] + [3 * k / 28 for k in range(29)] + [3.5]
NX, NZ, FLOOR = len(X) - 1, len(Z) - 1, -0.5


def height(x, z):
    x, z = min(max(x, 0), 6), min(max(z, 0), 3)
    fall = 0.75 - 0.7 * (0.5 - 0.5 * math.cos(math.pi * min(max((x - 0.6) / 4.2, 0), 1)))
    middle = 1.5 + 0.3 * math.sin(1.3 * x + 0.4)
    wide = 0.75 + 0.2 * math.cos(1.1 * x) + (0.5 if x > 4.6 else 0.5 * max(x - 3.6, 0))
    bank = 0.9 * (1 - math.exp(-((z - middle) / wide) ** 2))
    rough = 0.05 * math.sin(5.1 * x + 2 * z) * math.sin(4.3 * z - x) + 0.03 * math.sin(9 * x) * math.sin(8 * z + x)
    mound = 0.22 * math.exp(-((x - 3.0) ** 2 + (z - 1.3) ** 2) / 0.05)
    return fall + bank + rough + mound


def main():
    print("# A valley, made by scripts/make_valley.py")
    n = NX + 1
    for level in (0, 1):
        for k in range(NZ + 1):
            for i in range(n):
                x, z = X[i], Z[k]
                rim = i in (0, NX) or k in (0, NZ)
                if level == 0:
                    print("v %.3f %.3f %.3f" % (x, height(x, z), z))
                elif rim:
                    print("v %.3f %.3f %.3f" % (x, FLOOR, z))
    top = {(i, k): k * n + i + 1 for k in range(NZ + 1) for i in range(n)}
    rim = [(i, k) for k in range(NZ + 1) for i in range(n) if i in (0, NX) or k in (0, NZ)]
    foot = {p: n * (NZ + 1) + q + 1 for q, p in enumerate(rim)}
    for k in range(NZ):
        for i in range(NX):
            a, b, c, d = top[i, k], top[i + 1, k], top[i + 1, k + 1], top[i, k + 1]
            print("f %d %d %d\nf %d %d %d" % (a, d, c, a, c, b))
    round_it = ([(i, 0) for i in range(NX)] + [(NX, k) for k in range(NZ)] +
                [(i, NZ) for i in range(NX, 0, -1)] + [(0, k) for k in range(NZ, 0, -1)])
    for p, q in zip(round_it, round_it[1:] + round_it[:1]):
        print("f %d %d %d\nf %d %d %d" % (top[p], top[q], foot[q], top[p], foot[q], foot[p]))
    for p, q in zip(round_it[1:-1], round_it[2:]):
        print("f %d %d %d" % (foot[round_it[0]], foot[p], foot[q]))


main()
