#!/usr/bin/env python3
"""How far a collapsing column gets with liquids of several viscosities: one simulation to a core, one table.

    python3 viscosity_sweep.py [--viscosities 0 1 10 100] [--out sweep.csv]

Each simulation has one thread and a context of its own, and computes outside of Python's lock: Python's threads are
enough to keep all cores busy.
"""
import argparse
import concurrent.futures
import csv
import os

import rill

SCENE = {
    "rill": 1, "dimensions": 2, "method": "grid", "spacing": 0.02,
    "domain": {"min": [0, 0], "max": [1.6, 0.8], "slip": "none"},
    "liquid": [{"shape": {"box": {"min": [0, 0], "max": [0.4, 0.4]}}}],
    "time": {"frames": 15, "fps": 30},
}


def run(viscosity, scene=SCENE):
    """One row of the table."""
    with rill.Simulation(rill.Scene(scene, set={"fluid.viscosity": viscosity}, threads=1)) as sim:
        for _ in sim.frames():
            pass
        stats = sim.stats
        return {"viscosity": viscosity, "front": max(x for x, _, _ in sim.particles.position.tolist()),
                "kinetic": stats.kinetic, "max_speed": stats.max_speed, "steps": sim.steps}


def sweep(viscosities, workers=None, scene=SCENE):
    """The table, in the order of the viscosities."""
    with concurrent.futures.ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        jobs = [pool.submit(run, v, scene) for v in viscosities]
        bar = rill.Progress(len(jobs), "simulations")
        for done, _ in enumerate(concurrent.futures.as_completed(jobs), 1):
            bar.update(done)
        bar.close()
        return [job.result() for job in jobs]


def write(table, path):
    with open(path, "w", newline="") as f:
        out = csv.DictWriter(f, list(table[0]))
        out.writeheader()
        out.writerows(table)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--viscosities", type=float, nargs="+", default=[0, 1, 10, 100], help="Pa s")
    parser.add_argument("--out", default="sweep.csv")
    options = parser.parse_args()
    table = sweep(options.viscosities)
    write(table, options.out)
    print(f"{'viscosity Pa s':>15} {'front m':>9} {'steps':>6}")
    for row in table:
        print(f"{row['viscosity']:15g} {row['front']:9.3f} {row['steps']:6d}")


if __name__ == "__main__":
    main()
