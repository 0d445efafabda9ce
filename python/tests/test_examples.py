"""The examples, as a reader would copy them."""
import csv
import math
import os
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(os.path.dirname(HERE), "examples")
sys.path.insert(0, EXAMPLES)

import martin_moyce  # noqa: E402
import paddle_control  # noqa: E402
import viscosity_sweep  # noqa: E402


@pytest.mark.parametrize("method", ["sph", "grid"])
def test_the_column_falls_as_measured(method, tmp_path):
    tau, height = martin_moyce.measure(martin_moyce.column(method, 16), 4.4 / math.sqrt(martin_moyce.G / martin_moyce.A))
    assert martin_moyce.deviation(tau, height) < 0.04
    path = tmp_path / "plot.png"
    if martin_moyce.plot(tau, height, method, path):
        assert path.stat().st_size > 5000


def test_thicker_liquid_gets_less_far(tmp_path):
    table = viscosity_sweep.sweep([0, 10, 100], workers=2)
    fronts = [row["front"] for row in table]
    assert fronts[0] > fronts[1] > fronts[2] > 0.4
    assert viscosity_sweep.run(10)["front"] == fronts[1]  # whatever ran beside it
    viscosity_sweep.write(table, tmp_path / "sweep.csv")
    with open(tmp_path / "sweep.csv") as f:
        assert [float(r["viscosity"]) for r in csv.DictReader(f)] == [0, 10, 100]


def test_the_piston_finds_the_level():
    log = paddle_control.control(0.36, 120)
    tail = [level for t, level, _ in log if t > 3.5]
    assert sum(tail) / len(tail) == pytest.approx(0.36, abs=0.01)
    assert 0.1 < log[-1][2] < 0.25 and log[0][1] == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize("name", ["martin_moyce", "viscosity_sweep", "paddle_control"])
def test_they_run_from_a_shell(name, tmp_path):
    env = dict(os.environ, PYTHONPATH=os.path.dirname(HERE))
    done = subprocess.run([sys.executable, os.path.join(EXAMPLES, name + ".py")], cwd=tmp_path, env=env,
                          capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout, done.stderr
