#!/usr/bin/env python3
"""Writes scenes/meshes/glass.obj: a drinking glass, turned about the y axis, in metres.

Closed: outer wall, rim, inner wall and bottom are one surface."""
import math
import sys

SEGMENTS = 48
# Radius and height, from the middle of the foot outside to the middle of the bottom inside.
PROFILE = [(0.030, 0.000), (0.033, 0.003), (0.044, 0.117), (0.0425, 0.120), (0.041, 0.120), (0.0395, 0.117),
           (0.029, 0.010), (0.026, 0.008)]


def main(path):
    lines = ["# made by scripts/make_glass.py"]
    for radius, height in PROFILE:
        for k in range(SEGMENTS):
            angle = 2 * math.pi * k / SEGMENTS
            lines.append(f"v {radius * math.cos(angle):.6f} {height:.6f} {radius * math.sin(angle):.6f}")
    lines.append(f"v 0 {PROFILE[0][1]:.6f} 0")
    lines.append(f"v 0 {PROFILE[-1][1]:.6f} 0")
    foot = len(PROFILE) * SEGMENTS + 1
    for ring in range(len(PROFILE) - 1):
        for k in range(SEGMENTS):
            a, b = ring * SEGMENTS + k + 1, ring * SEGMENTS + (k + 1) % SEGMENTS + 1
            lines.append(f"f {a} {a + SEGMENTS} {b + SEGMENTS}")
            lines.append(f"f {a} {b + SEGMENTS} {b}")
    top = (len(PROFILE) - 1) * SEGMENTS
    for k in range(SEGMENTS):
        a, b = k + 1, (k + 1) % SEGMENTS + 1
        lines.append(f"f {foot} {a} {b}")
        lines.append(f"f {foot + 1} {top + b} {top + a}")
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "scenes/meshes/glass.obj")
