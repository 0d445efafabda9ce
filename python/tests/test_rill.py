"""The package against the library: python3 -m pytest python/tests."""
import gc
import io
import json
import math
import os
import signal
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import rill
from rill import views

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.dirname(HERE)


def tank(**changes):
    scene = {
        "rill": 1, "name": "tank", "method": "points", "spacing": 0.1,
        "domain": {"min": [0, 0, 0], "max": [1.2, 1, 0.6]}, "time": {"frames": 4, "fps": 40},
        "liquid": [{"shape": {"box": {"min": [0, 0, 0], "max": [0.5, 0.5, 0.6]}}}],
        "emitters": [{"shape": {"disc": {"center": [0.9, 0.9, 0.3], "normal": [0, -1, 0], "radius": 0.1}}, "speed": 4}],
        "tracers": [{"shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.4, 0.6]}}, "count": 50}],
        "solids": [{"name": "paddle", "shape": {"box": {"min": [0.6, 0, 0], "max": [0.7, 0.4, 0.6]}},
                    "motion": {"keyframes": [{"t": 0, "translate": [0, 0, 0]}]}}],
        "gauges": [{"name": "H", "height": [0.25, 0.25]}, {"name": "P", "pressure": [0.2, 0.1, 0.3]}],
    }
    scene.update(changes)
    return scene


@pytest.fixture
def sim():
    with rill.Simulation(tank(), threads=1) as s:
        yield s


# ---- scenes ----

def test_scene_from_a_dictionary_and_a_file(tmp_path):
    path = tmp_path / "tank.json"
    path.write_text(json.dumps(tank()))
    a, b = rill.Scene(tank()), rill.Scene(path)
    assert a.dict() == b.dict()
    assert (a.name, a.method, a.dimensions, a.frames, a.fps, a.spacing) == ("tank", "points", 3, 4, 40, 0.1)
    assert a.domain == ((0, 0, 0), (1.2, 1, 0.6))
    assert a.gauges == ["H", "P"] and a.solids == ["paddle"] and a.emitters == 1
    assert "tank" in repr(a)


def test_scene_with_changes():
    s = rill.Scene(tank(), method="sph", frames=9, set={"spacing": np.float64(0.08), "liquid[0].velocity": [1, 0, 0]})
    assert (s.method, s.frames, s.spacing) == ("sph", 9, 0.08)
    assert s.dict()["liquid"][0]["velocity"] == [1, 0, 0]


def test_errors_have_message_and_place(tmp_path):
    path = tmp_path / "slip.json"
    path.write_text('{ "rill": 1,\n  "spacng": 2 }')
    with pytest.raises(rill.BadScene, match="did you mean") as caught:
        rill.Scene(path)
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(path), 2, 3)
    assert isinstance(caught.value, (rill.RillError, ValueError)) and caught.value.status == 3
    with pytest.raises(rill.BadFile, match="nowhere.json") as missing:
        rill.Scene("nowhere.json")
    assert isinstance(missing.value, OSError)
    with pytest.raises(rill.UsageError):
        rill.Scene(tank(), threads=-1)
    with pytest.raises(TypeError):
        rill.Scene(tank(name=object()))
    with pytest.raises(TypeError, match="method is a text"):
        rill.Scene(tank(), method=7)
    with pytest.raises(ValueError, match="zero byte"):
        rill.Scene(tank(), method="sph\0grid")
    with pytest.raises(TypeError, match="dictionary"):
        rill.Scene(tank(), set="spacing=1")


# ---- time ----

def test_frames_and_steps(sim):
    seen = [(frame, sim.time) for frame in sim.frames()]
    assert seen == [(k, k / 40) for k in range(5)]
    dt = sim.step(1e-3)
    assert dt == pytest.approx(1e-3) and sim.time == pytest.approx(0.1 + dt)
    stats = sim.stats
    assert stats.dt == dt and stats.elements == sim.elements and stats.kinetic > 0 and stats.stages
    with pytest.raises(rill.UsageError, match="no way"):
        sim.advance(0.01)


def test_save_and_load(sim, tmp_path):
    sim.advance(0.02)
    sim.set_gravity([1, -5, 0])
    sim.save(tmp_path / "state.rill")
    sim.advance(0.05)
    with rill.Simulation(tank(), threads=2) as other:
        other.load(tmp_path / "state.rill")
        other.advance(0.05)
        assert np.array_equal(sim.particles.position, other.particles.position)
    with pytest.raises(rill.BadFile):
        sim.load(tmp_path / "none.rill")


def test_progress_lines_and_bars():
    out = io.StringIO()
    bar = rill.Progress(3, "frames", out)
    for k in range(4):
        bar.update(k, "t")
    bar.close()
    assert bar.kind == "lines" and out.getvalue().count("\n") == 4 and "3/3 frames" in out.getvalue()

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    out = Terminal()
    bar = rill.Progress(2, stream=out)
    bar.update(0)
    bar.update(2)
    bar.close()
    assert "[########################] 2/2" in out.getvalue()


# ---- looking at it ----

def test_views_are_the_librarys_own_memory(sim):
    p = sim.particles
    assert p.position.shape == (len(p), 3) and p.position.dtype == np.float64
    assert p.id.dtype == np.uint64 and len(set(p.id.tolist())) == len(p)
    assert p.position is p.position and sim.particles is p
    assert not p.position.flags.writeable
    with pytest.raises(ValueError):
        p.position[0] = 0
    with pytest.raises(KeyError, match="there are"):
        p["nothing"]
    name = p.columns[0]
    assert p[name].shape == (len(p),) and name in p
    assert len(sim.tracers) == 50 and sim.tracers["age"].shape == (50,)


def test_views_fail_when_the_simulation_moves_on(sim):
    p = sim.particles
    x = p.position
    part, copy, plain, total = x[:5], x.copy(), np.asarray(x), x.sum(axis=0)
    both = np.concatenate([x, x])
    sim.advance(0.1)  # grows beyond its arrays
    for use in (lambda: x[0], lambda: x + 1, lambda: np.max(x), lambda: x.mean(), lambda: part.tolist(), lambda: len(x),
                lambda: list(part), lambda: x.shape, lambda: np.concatenate([copy, x]), lambda: x.argmax(), lambda: p.id,
                lambda: len(p), lambda: x.copy(), lambda: x == copy, lambda: np.stack((copy, copy, x))):
        with pytest.raises(rill.StaleView, match="moved on"):
            use()
    assert "moved on" in repr(x) and "moved on" in str(part)
    assert type(copy) is np.ndarray and copy.shape == both[:len(copy)].shape and np.isfinite(total).all()
    plain.sum()  # memory that is held: some value, no crash
    sim.close()
    plain.sum()
    del x, part, p
    gc.collect()
    plain.sum()
    with pytest.raises(ValueError, match="closed"):
        sim.time


def test_surface_cells_and_points(sim):
    mesh = sim.surface()
    assert mesh.triangles.max() < len(mesh.position) and mesh.triangles.shape[1] == 3
    a, b, c = (mesh.position[mesh.triangles[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    assert volume == pytest.approx(0.15, rel=0.2)
    sim.step()
    points = [[0.2, 0.1, 0.3], [5, 5, 5]]
    assert sim.velocity(points).shape == (2, 3) and sim.pressure(np.array(points)).shape == (2,)
    assert sim.gauges["P"] == sim.pressure(points)[0] and sim.gauges["H"] == pytest.approx(0.5, abs=0.05)
    with pytest.raises(rill.UsageError):
        rill.Simulation(tank(method="sph"), threads=1).cells()
    with rill.Simulation(tank(method="grid"), threads=1) as g:
        g.step()
        cells = g.cells()
        assert len(cells) > 0 and cells.site.shape == cells.velocity.shape
        assert all(c.shape == (len(cells),) for c in cells.columns.values())


# ---- while it runs ----

def test_steering_from_a_callback(sim):
    times, sizes = [], []

    @sim.on_step
    def control(s):
        times.append(s.time)
        sizes.append(len(s.particles.position))
        if len(times) == 1:
            s.set_gravity((0, 0, 0))
            s.set_force(0, (0.2, 0.2, 0.3), (0, 1, 0), 0.2)
            s.set_emitter(0, 0)
            assert s.add_liquid({"box": {"min": [0, 0.7, 0], "max": [0.3, 0.9, 0.6]}}, (1, 0, 0)) > 5
            s.set_pose("paddle", (0.1, 0, 0), until=s.time + 0.05)
            with pytest.raises(ValueError):
                s.step()
            with pytest.raises(ValueError):
                s.close()

    kept = []
    sim.on_step(lambda s: kept.append(s.particles.position) if not kept else None)
    sim.advance(0.1)
    assert len(times) == sim.steps and times[-1] == sim.time
    assert sizes[1] > sizes[0]
    with pytest.raises(rill.StaleView):
        kept[0].sum()
    assert sim.pose("paddle").translate == (pytest.approx(0.1), 0, 0)
    with pytest.raises(KeyError, match="paddle"):
        sim.pose("door")
    with pytest.raises(rill.UsageError):
        sim.set_pose("paddle", (0, 0, 0), until=0)


def test_an_exception_ends_the_advance(sim):
    @sim.on_step
    def fail(s):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        sim.advance(0.1)
    assert sim.time == 0
    with pytest.raises(RuntimeError):
        sim.step()
    assert sim.time > 0  # a step is kept


def test_returning_false_stops(sim):
    sim.on_step(lambda s: s.steps < 2)
    with pytest.raises(rill.Cancelled):
        sim.advance(0.1)
    assert sim.time == 0


def test_control_c_stops_within_a_step(sim):
    steps = []
    sim.on_step(lambda s: steps.append(s.steps) or (os.kill(os.getpid(), signal.SIGINT) if s.steps == 3 else None))
    with pytest.raises(KeyboardInterrupt):
        sim.advance(10)
    assert len(steps) <= 4 and sim.time == 0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    sim._callbacks.clear()
    sim.advance(0.02)


def test_cancel_from_another_thread(sim):
    sim.on_step(lambda s: threading.Thread(target=s.cancel).start() if s.steps == 2 else None)
    with pytest.raises(rill.Cancelled):
        sim.advance(100)


def test_simulations_in_threads_give_the_same():
    ends = []

    def work():
        with rill.Simulation(tank(), threads=1) as s:
            s.advance(0.05)
            ends.append(s.particles.position.copy())

    threads = [threading.Thread(target=work) for _ in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(ends) == 3 and all(np.array_equal(e, ends[0]) for e in ends)


def test_bodies_and_gauges_of_several_values():
    scene = tank(solids=[{"name": "ball", "shape": {"sphere": {"center": [0.25, 0.7, 0.3], "radius": 0.12}},
                          "body": {"density": 400}}], tracers=[],
                 gauges=[{"name": "V", "velocity": [0.2, 0.2, 0.3]}, {"name": "H", "height": [0.25, 0.25]}])
    with rill.Simulation(scene, threads=1) as s:
        assert s.scene.gauges == ["V.x", "V.y", "V.z", "H"]
        before = s.bodies[0]
        assert before.name == "ball" and before.center == (pytest.approx(0.25), pytest.approx(0.7), pytest.approx(0.3))
        s.apply(0, (0, 60, 0))  # twice its weight
        s.advance(0.03)
        assert s.bodies[0].velocity[1] > 0 and s.bodies[0].center[1] > before.center[1]
        assert list(s.gauges) == ["V.x", "V.y", "V.z", "H"]
        assert s.gauges["V.y"] == pytest.approx(s.velocity([[0.2, 0.2, 0.3]])[0, 1])


# ---- memory ----

def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def test_volumes_are_those_of_the_tracers(sim):
    sim.advance(0.05)
    found = sim.volumes()
    assert {"density", "velocity", "level_set"} <= set(found)
    density = found["density"]
    assert density.values.shape == (len(density), 8, 8, 8) and density.blocks.dtype == np.int32
    assert density.values.sum() * density.cell ** 3 == pytest.approx(50, rel=1e-5)  # every tracer counts
    dense, low = density.dense()
    assert dense.sum() == pytest.approx(density.values.sum(), rel=1e-6)
    peak = np.array(np.unravel_index(dense.argmax(), dense.shape))[::-1] * density.cell + low
    assert np.linalg.norm(sim.tracers.position - peak, axis=1).min() < 2 * density.cell
    level = found["level_set"]
    inside = [0.25, 0.2, 0.3]
    k = np.round((np.array(inside) - level.origin) / level.cell).astype(int)
    assert level.background > 0 and np.abs(level.values).max() <= level.background * (1 + 1e-6)
    block = np.flatnonzero((level.blocks == k // 8).all(axis=1))
    assert block.size == 0 or level.values[block[0]][tuple((k % 8)[::-1])] < 0


def test_white_water(sim):
    assert len(sim.whitewater) == 0
    scene = tank(whitewater={}, method="sph", spacing=0.08, liquid=[
        {"shape": {"box": {"min": [0, 0, 0], "max": [1.2, 0.3, 0.6]}}},
        {"shape": {"sphere": {"center": [0.3, 0.7, 0.3], "radius": 0.15}}, "velocity": [0, -4, 0]}])
    with rill.Simulation(scene, threads=1) as s:
        s.advance(0.1)
        foam = s.whitewater
        assert foam.position.shape == (len(foam), 3) and foam.id.shape == (len(foam),)
        for name in foam.columns:
            assert foam[name].shape == (len(foam),)
        s.advance(0.125)
        with pytest.raises(rill.StaleView):
            len(foam)


def test_nothing_is_left_after_a_thousand_simulations():
    scene = tank(spacing=0.12, solids=[], tracers=[])

    def cycle():
        s = rill.Simulation(scene, threads=1)
        x = s.particles.position
        s.step()
        s.set_gravity((0, -1, 0))
        y = np.asarray(s.particles.velocity)
        s.close()
        with pytest.raises(rill.StaleView):
            x.sum()
        y.sum()

    for _ in range(100):
        cycle()
    gc.collect()
    before = resident()
    for _ in range(1000):
        cycle()
    gc.collect()
    assert resident() - before < 4 << 20  # 1,000 states would be 100 MB


def test_the_last_reference_frees_a_simulation_at_once():
    s = rill.Simulation(tank(spacing=0.12), threads=1)
    x, alive = s.particles.position, weakref.ref(s)
    s.step()
    del s
    assert alive() is None
    with pytest.raises(rill.StaleView):
        x.sum()


def test_cycles_are_freed_in_any_order():
    """A finalizer of a scene or a context may come before those of its simulations."""
    for order in range(6):
        scene = rill.Scene(tank(spacing=0.12), threads=1)
        sims = [rill.Simulation(scene) for _ in range(2)]
        sims[0].on_step(lambda s, me=sims: True)
        sims[0].step()
        parts = [scene, scene.context, scene.context.keeper, *sims, sims[0].particles.position]
        parts = parts[order:] + parts[:order]
        parts.append(parts)  # garbage as a whole
        del scene, sims, parts
        gc.collect()


def test_a_closed_scene_lives_as_long_as_its_simulations():
    scene = rill.Scene(tank(spacing=0.12), threads=1)
    sim = rill.Simulation(scene)
    scene.close()
    with pytest.raises(ValueError, match="closed"):
        scene.name
    sim.step()
    sim.close()


def test_a_script_may_end_with_everything_open(tmp_path):
    (tmp_path / "tank.json").write_text(json.dumps(tank(spacing=0.12)))
    script = """
import sys
sys.path.insert(0, %r)
import rill
scene = rill.Scene("tank.json", threads=1)
sim = rill.Simulation(scene)
calls = []
sim.on_step(lambda s: calls.append(sim.time))
sim.step()
x = sim.particles.position
print("well")
""" % PACKAGE
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.strip() == "well", done.stderr


# ---- without NumPy, run folders, the command line ----

def test_the_basics_work_without_numpy(tmp_path):
    (tmp_path / "tank.json").write_text(json.dumps(tank()))
    script = """
import sys
sys.modules["numpy"] = None
sys.path.insert(0, %r)
import rill
sim = rill.Simulation("tank.json", threads=1)
p = sim.particles
x = p.position
assert isinstance(x, memoryview) and x.shape == (len(p), 3) and x.readonly
first, part = x[0, 1], memoryview(x)
sim.advance(0.1)
for view in (x,):
    try:
        view[0, 0]
        raise SystemExit("a view that did not fail")
    except ValueError:
        pass
part[0, 0]  # made from it: the memory is held
mesh = sim.surface()
assert len(mesh.position) > 100 and mesh.triangles.shape[1] == 3
assert sim.pressure([(0.2, 0.1, 0.3)])[0] == sim.gauges["P"]
assert sim.velocity([(0.2, 0.1, 0.3)]).shape == (1, 3)
sim.close()
print("well")
""" % PACKAGE
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.strip() == "well", done.stderr


def test_run_folders_are_read_lazily(tmp_path):
    program = os.path.join(os.path.dirname(rill.library_path()), "rill")
    if not os.path.exists(program):
        pytest.skip("the program is not beside the library")
    (tmp_path / "tank.json").write_text(json.dumps(tank()))
    subprocess.run([program, "run", "tank.json", "--out", "run", "--quiet", "--no-render"], cwd=tmp_path, check=True)
    run = rill.RunFolder(tmp_path / "run")
    assert run.name == "tank" and run.frames == [0, 1, 2, 3, 4] and not run.missing()
    frames = run.sequence("particles")
    assert len(frames) == 5 and len(frames[1:3]) == 2 and "5 frames" in repr(frames)
    with rill.Simulation(tank(), threads=1) as sim:
        for frame, table in zip(sim.frames(), frames):
            order, other = np.argsort(sim.particles.id), np.argsort(table.ids())
            assert np.allclose(sim.particles.position[order], table.vectors()[other], atol=1e-6)
            assert table.time == pytest.approx(sim.time) and table.numpy()["x"].tolist() == table["x"].tolist()
    assert len(run.sequence("surface")[4].triangles) > 100
    assert np.asarray(run.gauges["t"])[-1] == pytest.approx(0.1)
    with pytest.raises(rill.RunError):
        rill.RunFolder(tmp_path)


def test_a_library_that_is_not_there_is_explained(tmp_path):
    env = dict(os.environ, RILL_LIBRARY="/nowhere/librill.so", PYTHONPATH=PACKAGE)
    done = subprocess.run([sys.executable, "-c", "import rill; rill.version()"], env=env, capture_output=True, text=True)
    assert "RILL_LIBRARY" in done.stderr and "/nowhere/librill.so" in done.stderr
    done = subprocess.run([sys.executable, "-c", "import rill; rill.RunFolder"], env=env)
    assert done.returncode == 0  # run folders need none


def test_the_header_and_the_package_agree():
    """Every function of the header is declared here, or listed as left out; and structs are as long."""
    header = os.path.join(os.path.dirname(PACKAGE), "include", "rill", "rill.h")
    if not os.path.exists(header):
        pytest.skip("not in the tree")
    import re

    with open(header) as f:
        found = set(re.findall(r"^RILL_API [^(]*?\b(rill_\w+)\(", f.read(), re.M))
    left_out = {n for n in found if n.startswith("rill_tracker_")} | {"rill_scene_read", "rill_scene_parse"}
    from rill._library import _FUNCTIONS

    assert set(_FUNCTIONS) <= found
    missing = {n for n in found - left_out - set(_FUNCTIONS) if "_volume" not in n}
    assert missing == set()
    assert math.isfinite(views._SIZES["d"])
