#!/usr/bin/env python3
"""Writes scenes/meshes/bowl.obj: a round glass dish with a rounded rim and bottom, turned about the y axis, in metres.

Closed: outer wall, rim, inner wall and bottom are one surface."""
import math
import sys

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


def main(path):
    points = list(profile())
    lines = ["# made by scripts/make_bowl.py"]
    for radius, height in points:
        for k in range(SEGMENTS):
            angle = 2 * math.pi * k / SEGMENTS
            lines.append(f"v {radius * math.cos(angle):.5f} {height:.5f} {radius * math.sin(angle):.5f}")
    lines.append(f"v 0 {points[0][1]:.5f} 0")
    lines.append(f"v 0 {points[-1][1]:.5f} 0")
    foot = len(points) * SEGMENTS + 1
    for ring in range(len(points) - 1):
        for k in range(SEGMENTS):
            a, b = ring * SEGMENTS + k + 1, ring * SEGMENTS + (k + 1) % SEGMENTS + 1
            lines.append(f"f {a} {a + SEGMENTS} {b + SEGMENTS}")
            lines.append(f"f {a} {b + SEGMENTS} {b}")
    top = (len(points) - 1) * SEGMENTS
    for k in range(SEGMENTS):
        a, b = k + 1, (k + 1) % SEGMENTS + 1
        lines.append(f"f {foot} {a} {b}")
        lines.append(f"f {foot + 1} {top + b} {top + a}")
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "scenes/meshes/bowl.obj")
