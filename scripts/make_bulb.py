#!/usr/bin/env python3
"""Writes bulb_00.obj to bulb_16.obj: a block with a round channel along x, a bulb in its middle that is squeezed and
let go twice, 2 s each, 4 files to the second. For scenes/tets_pump.json.

usage: make_bulb.py FOLDER
"""
import math
import sys

AROUND = 20
FILES = 17
FPS = 4
PERIOD = 2.0
OUTSIDE = 1.1  # radius of the block: more than the half diagonal of the channel's surroundings
CHANNEL = 0.36
FROM, TO = 1.3, 1.9  # of the bulb
RINGS = 10


def squeezed(t):
    """0 at rest, 1 squeezed."""
    return 0.5 - 0.5 * math.cos(2 * math.pi * t / PERIOD)


def profile(t):
    """(x, radius) around the block: along the channel, then back outside."""
    bump = 0.08 - 0.24 * squeezed(t)
    points = [(0.95, CHANNEL), (1.12, CHANNEL)]
    for k in range(RINGS + 1):
        u = k / RINGS
        points.append((FROM + u * (TO - FROM), CHANNEL + bump * math.sin(math.pi * u) ** 2))
    return points + [(2.05, CHANNEL), (2.05, OUTSIDE), (0.95, OUTSIDE)]


def main():
    for k in range(FILES):
        points = profile(k / FPS)
        with open("%s/bulb_%02d.obj" % (sys.argv[1], k), "w", encoding="ascii") as out:
            out.write("# A bulb at %.2f s, made by scripts/make_bulb.py\n" % (k / FPS))
            for x, r in points:
                for j in range(AROUND):
                    a = 2 * math.pi * j / AROUND
                    out.write("v %.4g %.4f %.4f\n" % (x, 0.5 + r * math.cos(a), 0.5 + r * math.sin(a)))
            n = len(points)
            for i in range(n):
                for j in range(AROUND):
                    a, b = i * AROUND + j + 1, i * AROUND + (j + 1) % AROUND + 1
                    c, d = (i + 1) % n * AROUND + j + 1, (i + 1) % n * AROUND + (j + 1) % AROUND + 1
                    out.write("f %d %d %d\nf %d %d %d\n" % (a, d, b, a, c, d))


if __name__ == "__main__":
    main()
