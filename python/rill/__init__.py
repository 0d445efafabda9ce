"""Rill, a fluid animation system, from Python.

    import rill

    sim = rill.Simulation(rill.Scene("dam_break.json", method="grid", set={"spacing": 0.02}))
    for frame in sim.frames(progress=True):
        x = sim.particles.position[:, 0]         # a NumPy view: no copy, and it fails once the simulation goes on
        print(frame, sim.time, x.max(), sim.gauges)

    run = rill.RunFolder("out/dam_break")        # what `rill run` left; needs neither librill nor NumPy

Everything is described in docs/python.md. Units are SI; y is up.
"""
from ._library import RillError, build, library_path, version
from .errors import (BadFile, BadScene, BlewUp, Cancelled, DiskError, NoMemory, StaleView, UsageError)
from .progress import Progress
from .run import RunError, RunFolder, read_ply
from .scene import Scene
from .sim import Mesh, Particles, Simulation, Stats, Volume

__all__ = [
    "BadFile", "BadScene", "BlewUp", "Cancelled", "DiskError", "Mesh", "NoMemory", "Particles", "Progress", "RillError",
    "RunError", "RunFolder", "Scene", "Simulation", "StaleView", "Stats", "UsageError", "Volume", "build", "library_path",
    "read_ply", "version",
]
