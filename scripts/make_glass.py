#!/usr/bin/env python3
"""Writes scenes/meshes/glass.obj: a drinking glass, turned about the y axis, in metres.

Closed: outer wall, rim, inner wall and bottom are one surface."""
import sys

from lathe import write_vessel

SEGMENTS = 48
# Radius and height, from the middle of the foot outside to the middle of the bottom inside.
PROFILE = [(0.030, 0.000), (0.033, 0.003), (0.044, 0.117), (0.0425, 0.120), (0.041, 0.120), (0.0395, 0.117),
           (0.029, 0.010), (0.026, 0.008)]


if __name__ == "__main__":
    path = sys.argv[1] if len(sys.argv) > 1 else "scenes/meshes/glass.obj"
    write_vessel(path, "make_glass.py", PROFILE, SEGMENTS, 6)
