"""python_reader.py FOLDER-OF-rill_run.py RUN RUN-WITH-BODIES: the checks of python_reader.sh, in its working folder."""
import contextlib
import io
import math
import os
import re
import shutil
import struct
import sys
import unittest

sys.path.insert(0, sys.argv[1])
import rill_run  # noqa: E402
from rill_run import RunError, RunFolder, read_ply  # noqa: E402

RUN, BODIES = sys.argv[2:4]


def command(*arguments):
    """Exit code, output and errors of the command."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = rill_run.main(list(arguments))
    return code, out.getvalue(), err.getvalue()


class Reader(unittest.TestCase):
    def setUp(self):
        self.copy = "copy"
        shutil.rmtree(self.copy, ignore_errors=True)
        shutil.copytree(RUN, self.copy)

    def test_what_it_is(self):
        run = RunFolder(RUN)
        self.assertEqual((run.name, run.method, run.fps, run.frame_count), ("small", "sph", 40, 4))
        self.assertEqual(run.info["method"], "sph")
        self.assertEqual(run.frames, [0, 1, 2, 3, 4])
        self.assertEqual(run.missing(), [])
        self.assertEqual(run.kinds, ["particles", "surface"])

    def test_steps_and_gauges(self):
        run = RunFolder(RUN)
        self.assertEqual(run.stats[-1]["frame"], 4)
        self.assertEqual(run.stats[-1]["t"], 0.1)
        self.assertEqual([row["step"] for row in run.stats], list(range(1, len(run.stats) + 1)))
        preroll = run.scene["time"].get("preroll", 0)
        self.assertAlmostEqual(sum(row["dt"] for row in run.stats), 0.1 + preroll, places=12)
        self.assertEqual(list(run.gauges), ["t", "P", "H"])
        self.assertEqual(len(run.gauges["H"]), len(run.stats))
        self.assertEqual(list(run.gauges["t"]), [row["t"] for row in run.stats])

    def test_bodies(self):
        run = RunFolder(BODIES)
        self.assertEqual(RunFolder(RUN).bodies, [])
        self.assertEqual(RunFolder(RUN).poses(0), {})
        self.assertEqual(len(run.bodies), 1)
        crate = run.bodies[0]
        self.assertEqual(crate["name"], 'crate, "red"')
        self.assertEqual(list(crate["t"]), [row["t"] for row in run.stats])
        start, end = run.poses(0)[1], run.poses(3)[1]
        self.assertEqual(list(run.poses(3)), [1])
        self.assertAlmostEqual(start.place((0.1, 0, 0))[1], 0.75, places=6)  # sin 30 degrees
        for axis, name in enumerate("xy"):  # its centre is the origin of its shape
            self.assertAlmostEqual(end.position[axis], crate[name][-1], places=6)
        turned = 2 * math.atan2(end.rotation[3], end.rotation[0]) - math.radians(30)
        self.assertAlmostEqual(turned, 2 * math.atan2(crate["qz"][-1], crate["qw"][-1]), places=5)
        self.assertLess(crate["vy"][-1], -0.5)

    def info_ranges(self, name):
        """Ranges as rill info prints them: {"x": ("0.04", "0.44")}."""
        with open(name, encoding="utf-8") as f:
            text = f.read()
        return text, {m[1]: (m[2], m[3]) for m in re.finditer(r"^\s+(\w+)\s+\w+\s+(\S+) to (\S+)$", text, re.M)}

    def test_tables_match_the_program(self):
        run = RunFolder(RUN)
        for frame in (0, 4):
            for kind, table in (("particles", run.particles(frame)), ("surface", run.surface(frame))):
                text, ranges = self.info_ranges(f"{kind}_{frame:04d}.info")
                self.assertIn(str(len(table)), text)
                self.assertGreaterEqual(len(ranges), 6)
                for name, (low, high) in ranges.items():
                    self.assertIn(name, table)
                    self.assertEqual("%.6g" % min(table[name]), low, name)
                    self.assertEqual("%.6g" % max(table[name]), high, name)
                self.assertEqual(table.time, frame / 40)
                self.assertEqual(table.frame, frame)

    def test_particles(self):
        p = RunFolder(RUN).particles(4)
        ids = p.ids()
        self.assertEqual(len(set(ids)), len(p))
        last = RunFolder(RUN).stats[-1]
        self.assertEqual(len(p), last["particles"])
        speed = max(math.sqrt(x * x + y * y + z * z) for x, y, z in zip(p["vx"], p["vy"], p["vz"]))
        self.assertAlmostEqual(speed, last["max_speed"], places=5)
        try:
            import numpy
        except ImportError:
            print("without NumPy")
            return
        table = p.numpy()
        for name in p.names:
            self.assertTrue(numpy.array_equal(table[name], p[name]), name)

    def test_surface_is_closed(self):
        m = RunFolder(RUN).surface(4)
        self.assertEqual(len(m.triangles), 3 * m.triangle_count)
        edges = set()
        for k in range(0, len(m.triangles), 3):
            a, b, c = m.triangles[k:k + 3]
            edges |= {(a, b), (b, c), (c, a)}
        self.assertEqual(len(edges), len(m.triangles))
        self.assertTrue(all((b, a) in edges for a, b in edges))

    def test_missing_frames(self):
        os.remove(f"{self.copy}/frames/particles_0002.ply")
        os.remove(f"{self.copy}/frames/surface_0004.ply")
        run = RunFolder(self.copy)
        self.assertEqual(run.frames, [0, 1, 3])
        self.assertEqual(run.missing(), [2, 4])
        code, out, _ = command(self.copy)
        self.assertEqual(code, 1)
        self.assertIn("missing    2, 4", out)

    def test_summary(self):
        code, out, err = command(RUN)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("frames     5 of 5", out)
        self.assertIn("gauge      H:", out)
        self.assertEqual(command()[0], 2)
        code, _, err = command("nothing")
        self.assertEqual(code, 4)
        self.assertIn("nothing", err)

    def test_a_run_that_goes_on(self):
        with open(f"{self.copy}/stats.jsonl", "a", encoding="utf-8") as f:
            f.write('{"frame":5,"st')
        with open(f"{self.copy}/gauges.csv", "a", encoding="utf-8") as f:
            f.write("0.2,1")
        os.remove(f"{self.copy}/run.json")
        run, whole = RunFolder(self.copy), RunFolder(RUN)
        self.assertEqual(len(run.stats), len(whole.stats))
        self.assertEqual(len(run.gauges["t"]), len(whole.gauges["t"]))

    def test_damage_is_told(self):
        """Cut anywhere, or with any byte of the header changed: read, or told; never anything else."""
        told = 0
        for kind in ("particles", "surface"):
            with open(f"{RUN}/frames/{kind}_0001.ply", "rb") as f:
                data = f.read()
            head = data.index(b"end_header\n")
            cases = [data[:n] for n in (0, 3, 50, head, head + 11, head + 12, len(data) // 2, len(data) - 1)]
            cases += [data[:n] + bytes([data[n] ^ flip]) + data[n + 1:] for n in range(head) for flip in (1, 16)]
            cases += [data[:-4] + struct.pack("<I", 0xFFFFFFFF)]
            for case in cases:
                with open("damaged.ply", "wb") as f:
                    f.write(case)
                try:
                    read_ply("damaged.ply")
                except RunError as error:
                    told += 1
                    self.assertIn("damaged.ply", str(error))
        self.assertGreater(told, 100)
        self.assertRaises(RunError, read_ply, "nothing.ply")
        with open(f"{self.copy}/stats.jsonl", "a", encoding="utf-8") as f:
            f.write("nonsense\n")
        with self.assertRaisesRegex(RunError, r"stats.jsonl:\d+:"):
            RunFolder(self.copy).stats

    def test_polygons_and_other_order(self):
        with open("square.ply", "wb") as f:
            f.write(b"ply\nformat binary_big_endian 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
                    b"element face 2\nproperty list uchar int vertex_indices\nend_header\n")
            f.write(struct.pack(">8f", 0, 0, 1, 0, 1, 1, 0, 1))
            f.write(struct.pack(">B4i", 4, 0, 1, 2, 3) + struct.pack(">B3i", 3, 0, 1, 2))
        m = read_ply("square.ply")
        self.assertEqual(list(m["x"]), [0, 1, 1, 0])
        self.assertEqual(list(m.triangles), [0, 1, 2, 0, 2, 3, 0, 1, 2])
        self.assertIsNone(m.time)


unittest.main(argv=sys.argv[:1])
