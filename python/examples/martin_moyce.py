#!/usr/bin/env python3
"""The height of a collapsing column against the measurements of Martin and Moyce (1952).

    python3 martin_moyce.py [--method sph] [--elements 20] [--out martin_moyce.png]

A column of water, a wide and 2a high, is released. A gauge at the back wall measures its height, after every step. The
plot, where matplotlib is installed, shows it beside table 6 of Phil. Trans. R. Soc. A 244:312.
"""
import argparse
import bisect
import math

import rill

A, G = 0.05715, 9.81  # m, m/s^2
# tau = t sqrt(g / a), height of the column over 2a
MEASURED = [(0.56, 0.94), (0.77, 0.89), (0.93, 0.83), (1.08, 0.78), (1.28, 0.72), (1.46, 0.67), (1.66, 0.61), (1.84, 0.56),
            (2.00, 0.50), (2.21, 0.44), (2.45, 0.39), (2.70, 0.33), (3.06, 0.28), (3.44, 0.22), (4.20, 0.17)]


def column(method, elements):
    """The scene, with so many elements to the column's width."""
    h = A / elements
    return rill.Scene({
        "rill": 1, "name": "Martin and Moyce", "dimensions": 2, "method": method, "spacing": h,
        "domain": {"min": [0, 0], "max": [round(7 * A / h) * h, round(3 * A / h) * h]},
        "liquid": [{"shape": {"box": {"min": [0, 0], "max": [A, 2 * A]}}}],
        "gauges": [{"name": "height", "height": [h / 2]}],
    })


def measure(scene, until, progress=False):
    """Times and heights after every step, without dimensions."""
    tau, height = [], []
    with rill.Simulation(scene) as sim:
        @sim.on_step
        def read(s):
            tau.append(s.time * math.sqrt(G / A))
            height.append(s.gauges["height"] / (2 * A))

        parts = 40
        bar = rill.Progress(parts, "parts") if progress else None
        for k in range(1, parts + 1):
            sim.advance(until * k / parts)
            if bar:
                bar.update(k, f"{sim.elements} particles")
        if bar:
            bar.close()
    return tau, height


def deviation(tau, height):
    """Mean distance of the measured heights from the simulated ones, in column heights."""
    total = 0.0
    for t, h in MEASURED:
        k = min(max(bisect.bisect(tau, t), 1), len(tau) - 1)
        share = (t - tau[k - 1]) / (tau[k] - tau[k - 1])
        total += abs(h - (height[k - 1] + share * (height[k] - height[k - 1])))
    return total / len(MEASURED)


def plot(tau, height, label, path):
    """True when there is a matplotlib to plot with."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        return False
    figure, axes = plt.subplots(figsize=(6, 4))
    axes.plot(tau, height, label=label)
    axes.plot(*zip(*MEASURED), "o", mfc="none", color="black", label="Martin and Moyce 1952")
    axes.set(xlabel="t sqrt(g / a)", ylabel="height / 2a", ylim=(0, 1.05), title="Height of a collapsing column")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--method", default="sph")
    parser.add_argument("--elements", type=int, default=20, help="to the width of the column")
    parser.add_argument("--out", default="martin_moyce.png")
    options = parser.parse_args()
    tau, height = measure(column(options.method, options.elements), 4.4 / math.sqrt(G / A), progress=True)
    print(f"mean deviation from the measured heights: {100 * deviation(tau, height):.1f} % of the column")
    if plot(tau, height, f"rill, {options.method}", options.out):
        print(f"plotted in {options.out}")
    else:
        print("no plot: matplotlib is not installed (python3-matplotlib)")


if __name__ == "__main__":
    main()
