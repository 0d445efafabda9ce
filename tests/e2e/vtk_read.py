"""vtk_read.py DIR [UP]: the .vtp files of a run, read by VTK itself, beside the .ply files of the same
frames: as many points, the same places, velocities, triangles and time. UP: a folder of the same frames,
exported with z up. Prints how many agree."""
import glob
import os
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "python"))
import rill_run

try:
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
except ImportError:
    print("VTK for Python is not installed (Debian: python3-vtk9)")
    sys.exit(77)


def read(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def check(condition, what):
    if not condition:
        print("does not hold:", what)
        sys.exit(1)


def near(a, b, tolerance):
    return all(abs(x - y) <= tolerance * (1 + abs(y)) for x, y in zip(a, b))


def vector(table, names, i, up):
    x, y, z = (table[name][i] for name in names)
    return (x, -z, y) if up else (x, y, z)


run = rill_run.RunFolder(sys.argv[1])
agree = 0
places = [(os.path.join(sys.argv[1], "frames"), False)] + [(up, True) for up in sys.argv[2:]]
for frame, (folder, up) in ((f, p) for f in run.frames for p in places):
    for name, table in (("particles", run.particles(frame)), ("surface", run.surface(frame))):
        path = os.path.join(folder, "%s_%04d.vtp" % (name, frame))
        data = read(path)
        count = len(table)
        check(data.GetNumberOfPoints() == count, path + ": points")
        check(abs(data.GetFieldData().GetArray("TimeValue").GetValue(0) - table.time) < 1e-12, path + ": time")
        velocity = data.GetPointData().GetArray("velocity")
        for i in range(0, count, max(1, count // 500)):
            check(near(data.GetPoint(i), vector(table, "xyz", i, up), 1e-6), path + ": place")
            check(near(velocity.GetTuple3(i), vector(table, ("vx", "vy", "vz"), i, up), 1e-6), path + ": velocity")
        if name == "surface":
            faces = table.triangles
            check(data.GetNumberOfPolys() == len(faces) // 3, path + ": triangles")
            for i in range(0, len(faces) // 3, max(1, len(faces) // 300)):
                cell = data.GetCell(i)
                check([cell.GetPointId(k) for k in range(3)] == list(faces[3 * i:3 * i + 3]), path + ": a triangle")
        else:
            check(data.GetNumberOfVerts() == count, path + ": vertices")
            check(data.GetPointData().GetArray("density") is not None, path + ": density")
        agree += 1
for index in (i for folder, _ in places for i in glob.glob(os.path.join(folder, "*.pvd"))):
    items = list(xml.etree.ElementTree.parse(index).getroot().iter("DataSet"))
    check(len(items) == len(run.frames), index + ": frames")
    for item in items:
        path = os.path.join(os.path.dirname(index), item.get("file"))
        check(os.path.exists(path), path)
        check(abs(read(path).GetFieldData().GetArray("TimeValue").GetValue(0) - float(item.get("timestep"))) < 1e-9,
              index + ": time")
print("%d files read by VTK agree" % agree)
sys.exit(0 if agree else 1)
