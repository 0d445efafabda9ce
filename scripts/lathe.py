"""Meshes turned about the y axis, for the scripts that make vessels."""
import math


def write_vessel(path, script, profile, segments, digits):
    """A closed surface: the profile of (radius, height) from the middle of the foot outside to the middle of the bottom
    inside, turned about the y axis in `segments` segments; numbers have `digits` digits."""
    lines = [f"# made by scripts/{script}"]
    for radius, height in profile:
        for k in range(segments):
            angle = 2 * math.pi * k / segments
            lines.append(f"v {radius * math.cos(angle):.{digits}f} {height:.{digits}f} {radius * math.sin(angle):.{digits}f}")
    lines.append(f"v 0 {profile[0][1]:.{digits}f} 0")
    lines.append(f"v 0 {profile[-1][1]:.{digits}f} 0")
    foot = len(profile) * segments + 1
    for ring in range(len(profile) - 1):
        for k in range(segments):
            a, b = ring * segments + k + 1, ring * segments + (k + 1) % segments + 1
            lines.append(f"f {a} {a + segments} {b + segments}")
            lines.append(f"f {a} {b + segments} {b}")
    top = (len(profile) - 1) * segments
    for k in range(segments):
        a, b = k + 1, (k + 1) % segments + 1
        lines.append(f"f {foot} {a} {b}")
        lines.append(f"f {foot + 1} {top + b} {top + a}")
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n")
