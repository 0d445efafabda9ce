"""vtk_read.py DIR: the .vtp files of a run, read by VTK itself, beside the .ply files of the same
frames: as many points, the same places, velocities, triangles and time. Prints how many agree."""
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


folder = sys.argv[1]
run = rill_run.RunFolder(folder)
agree = 0
for frame in run.frames:
    for name, table in (("particles", run.particles(frame)), ("surface", run.surface(frame))):
        path = os.path.join(folder, "frames", "%s_%04d.vtp" % (name, frame))
        data = read(path)
        count = len(table)
        check(data.GetNumberOfPoints() == count, path + ": points")
        check(abs(data.GetFieldData().GetArray("TimeValue").GetValue(0) - table.time) < 1e-12, path + ": time")
        velocity = data.GetPointData().GetArray("velocity")
        for i in range(0, count, max(1, count // 500)):
            check(near(data.GetPoint(i), [table[c][i] for c in "xyz"], 1e-6), path + ": place")
            check(near(velocity.GetTuple3(i), [table["v" + c][i] for c in "xyz"], 1e-6), path + ": velocity")
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
for index in glob.glob(os.path.join(folder, "frames", "*.pvd")):
    for item in xml.etree.ElementTree.parse(index).getroot().iter("DataSet"):
        check(os.path.exists(os.path.join(folder, "frames", item.get("file"))), item.get("file"))
        check(abs(read(os.path.join(folder, "frames", item.get("file"))).GetFieldData().GetArray("TimeValue")
                  .GetValue(0) - float(item.get("timestep"))) < 1e-9, index + ": time")
print("%d files read by VTK agree" % agree)
sys.exit(0 if agree else 1)
