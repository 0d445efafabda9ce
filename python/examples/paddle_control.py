#!/usr/bin/env python3
"""A piston that holds the level of a tank: a controller with feedback from two gauges.

    python3 paddle_control.py [--level 0.36]

The tank is filled to 0.30 m. After every step the controller reads the level at both ends, whose mean does not see the
tank's first wave, and sends the piston to where the level would be the wanted one, no faster than 0.25 m/s. What it sets
is part of the saved state.
"""
import argparse

import rill

SCENE = {
    "rill": 1, "name": "piston", "dimensions": 2, "method": "grid", "spacing": 0.02,
    "domain": {"min": [0, 0], "max": [1.2, 0.8]}, "time": {"frames": 120, "fps": 30},
    "liquid": [{"shape": {"box": {"min": [0.2, 0], "max": [1.2, 0.3]}}}],
    "solids": [{"name": "piston", "shape": {"box": {"min": [-0.6, -0.1], "max": [0.2, 0.9]}},
                "motion": {"keyframes": [{"t": 0, "translate": [0, 0]}]}}],  # one keyframe: the host moves it
    "gauges": [{"name": "left", "height": [0.65]}, {"name": "right", "height": [1.19]}],
}


class LevelControl:
    """Integral control of the piston's place. Its memory is the piston's pose alone, so that retries and resumed runs,
    which bring that back, go the same way."""

    def __init__(self, level, gain=3.0, fastest=0.25, ahead=0.05):
        self.level, self.gain, self.fastest, self.ahead = level, gain, fastest, ahead
        self.log = []

    def __call__(self, sim):
        gauges = sim.gauges
        now = 0.5 * (gauges["left"] + gauges["right"])
        x = sim.pose("piston").translate[0]
        speed = self.gain * (self.level - now)
        speed = max(-self.fastest, min(self.fastest, speed))
        x = max(0.0, min(0.35, x + speed * self.ahead))
        sim.set_pose("piston", (x, 0, 0), until=sim.time + self.ahead)
        self.log.append((sim.time, now, x))


def control(level, frames, scene=SCENE, progress=False):
    """Times, levels and places of the piston."""
    with rill.Simulation(scene) as sim:
        controller = LevelControl(level)
        sim.on_step(controller)
        for _ in sim.frames(frames, progress=progress):
            pass
        return controller.log


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--level", type=float, default=0.36, help="m")
    options = parser.parse_args()
    log = control(options.level, SCENE["time"]["frames"], progress=True)
    tail = [level for t, level, _ in log if t > log[-1][0] - 0.5]
    print(f"level over the last half second: {sum(tail) / len(tail):.3f} m, wanted {options.level:.3f} m; "
          f"the piston is at {log[-1][2]:.3f} m")


if __name__ == "__main__":
    main()
