#!/usr/bin/env python3
"""Writes scenes/meshes/bowl.obj: a round glass dish with a rounded rim and bottom, turned about the y axis, in metres.

Closed: outer wall, rim, inner wall and bottom are one surface."""
import math
import sys

from lathe import write_vessel

SEGMENTS = 96
OUTER, INNER, HEIGHT, FLOOR = 0.465, 0.44, 0.3, 0.03


def arc(x, y, radius, start, end, steps):
    """Points of a circle, angles in degrees."""
    for k in range(steps + 1):
        a = math.radians(start + (end - start) * k / steps)
        yield x + radius * math.cos(a), y + radius * math.sin(a)


def profile():
    """Radius and height, from the middle of the foot outside to the middle of the bottom inside."""
    rim = (OUTER - INNER) / 2
    yield 0.2, 0.0
    yield from arc(OUTER - 0.07, 0.07, 0.07, -90, 0, 8)
    yield OUTER, 0.5 * HEIGHT
    yield from arc(OUTER - rim, HEIGHT - rim, rim, 0, 180, 10)
    yield INNER, 0.5 * HEIGHT
    yield from arc(INNER - 0.06, FLOOR + 0.06, 0.06, 0, -90, 8)
    yield 0.2, FLOOR


if __name__ == "__main__":
    path = sys.argv[1] if len(sys.argv) > 1 else "scenes/meshes/bowl.obj"
    write_vessel(path, "make_bowl.py", list(profile()), SEGMENTS, 5)
