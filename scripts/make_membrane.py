#!/usr/bin/env python3
"""Writes membrane_00.obj to membrane_23.obj: a sheet held at two sides, 0.84 m from one to the other
and 0.5 m wide, 15 files to the second. It sags, snaps up and swings out.

usage: make_membrane.py FOLDER
"""
import math
import sys

ACROSS = 12
LENGTH = 0.84
WIDTH = 0.5
FILES = 24
FPS = 15


def lift(t):
    """Of the middle, in metres."""
    if t < 0.4:
        return -0.07 * (1 - math.cos(math.pi * t / 0.4))
    t -= 0.4
    return -0.14 * math.cos(12 * t) * math.exp(-1.2 * t)


def tilt(t):
    return 0.06 * math.sin(9 * t) * min(t, 1)


def main():
    folder = sys.argv[1]
    for k in range(FILES):
        t = k / FPS
        with open("%s/membrane_%02d.obj" % (folder, k), "w", encoding="ascii") as out:
            out.write("# A membrane at %.3f s, made by scripts/make_membrane.py\n" % t)
            for j in range(ACROSS + 1):
                for i in range(ACROSS + 1):
                    u, v = i / ACROSS, j / ACROSS
                    y = lift(t) * math.sin(math.pi * u)
                    y += tilt(t) * math.sin(2 * math.pi * u)
                    out.write("v %.3g %.3f %.3g\n" % (LENGTH * (u - 0.5), y, WIDTH * (v - 0.5)))
            for j in range(ACROSS):
                for i in range(ACROSS):
                    a = j * (ACROSS + 1) + i + 1
                    out.write("f %d %d %d %d\n" % (a, a + ACROSS + 1, a + ACROSS + 2, a + 1))


main()
