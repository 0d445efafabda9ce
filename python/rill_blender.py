"""Brings a run of Rill into Blender: surfaces with their velocities, frame by frame, solids, bodies, the camera.

In Blender's Python console or a script, with this folder in sys.path:

    import rill_blender
    liquid = rill_blender.add_run("out/dam_break")      # follows the timeline
    rill_blender.add_bodies("out/dam_break")            # an object with keyframes for every body
    rill_blender.add_solids("out/dam_break")            # and for every other solid
    rill_blender.add_camera("out/dam_break")            # the camera of the scene
    rill_blender.add_cache("out/dam_break", "cache")    # or: rill export DIR mantaflow --out cache

From a shell:  blender --python python/rill_blender.py -- out/dam_break

add_run makes an object whose mesh is that of the current frame: frame 0 of the run at Blender's
frame 1. Velocities are the point attribute "velocity" (m/s), which Cycles takes for motion blur.
Rill has y up and Blender z: (x, y, z) becomes (x, -z, y). A file that is saved keeps a text, rill_follow.py, that
makes the object follow the timeline again when the file is opened, where Blender may run scripts of files
(Preferences, Save & Load, Auto Run Python Scripts) and this folder is still where it was.

add_bodies makes an object for every body of the scene, add_solids for every other solid, with its shape where that is
a mesh file (.obj, .stl, .ply), a box, a ball, a cylinder or a capsule, otherwise an empty, and keyframes of its place
and rotation where it moves.

add_cache makes a fluid domain that plays a mesh cache by Blender's own means; nothing of this file
is needed afterwards.
"""
import json
import math
import os
import sys

import bpy
import mathutils
from bpy.app.handlers import persistent

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rill_run

FIRST = 1  # Blender's frame for frame 0 of a run


def _turned(x, y, z):
    out = [0.0] * (3 * len(x))
    out[0::3] = x
    out[1::3] = [-v for v in z]
    out[2::3] = y
    return out


def load_mesh(folder, frame, name="rill"):
    """The surface of a frame as a new mesh datablock; None when the frame has none."""
    try:
        surface = rill_run.RunFolder(folder).surface(frame)
    except (OSError, rill_run.RunError) as error:
        print("rill:", error)
        return None
    mesh = bpy.data.meshes.new("%s_%04d" % (name, frame))
    count, triangles = len(surface), surface.triangles
    mesh.vertices.add(count)
    mesh.vertices.foreach_set("co", _turned(surface["x"], surface["y"], surface["z"]))
    mesh.loops.add(len(triangles))
    mesh.loops.foreach_set("vertex_index", triangles)
    mesh.polygons.add(len(triangles) // 3)
    mesh.polygons.foreach_set("loop_start", range(0, len(triangles), 3))
    mesh.polygons.foreach_set("loop_total", [3] * (len(triangles) // 3))
    mesh.polygons.foreach_set("use_smooth", [True] * (len(triangles) // 3))
    if "vx" in surface:
        velocity = mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT")
        velocity.data.foreach_set("vector", _turned(surface["vx"], surface["vy"], surface["vz"]))
    mesh.update(calc_edges=True)
    mesh.validate()
    return mesh


@persistent
def _follow(scene, *_):
    """Gives every object of add_run the mesh of the current frame."""
    for item in bpy.data.objects:
        folder = item.get("rill_run")
        if not folder:
            continue
        mesh = load_mesh(folder, scene.frame_current - FIRST, item.name)
        if mesh is None:
            continue
        before = item.data
        for slot in before.materials:
            mesh.materials.append(slot)
        item.data = mesh
        if before.users == 0:
            bpy.data.meshes.remove(before)


def _water():
    """The material "rill water", made once: clear, slightly blue."""
    material = bpy.data.materials.get("rill water")
    if material:
        return material
    material = bpy.data.materials.new("rill water")
    material.use_nodes = True
    inputs = material.node_tree.nodes["Principled BSDF"].inputs
    for names, value in ((("Base Color",), (0.55, 0.85, 0.95, 1)), (("Roughness",), 0.02), (("IOR",), 1.333),
                         (("Transmission", "Transmission Weight"), 1.0)):  # Blender 4 renamed the last
        for name in names:
            if name in inputs:
                inputs[name].default_value = value
    return material


def add_run(folder, name=None):
    """An object of water that follows the timeline; the scene's range and rate become the run's."""
    run = rill_run.RunFolder(folder)
    item = bpy.data.objects.new(name or run.name or "rill", bpy.data.meshes.new("rill"))
    item["rill_run"] = os.path.abspath(folder)
    item.data.materials.append(_water())
    bpy.context.scene.collection.objects.link(item)
    scene = bpy.context.scene
    frames = run.frames
    scene.frame_start, scene.frame_end = FIRST, FIRST + (max(frames) if frames else 0)
    scene.render.fps = max(1, round(run.fps))
    register()
    _follow(scene)
    return item


def register():
    """Makes the objects of add_run follow the timeline, in this file and when it is opened again."""
    if not any(handler.__name__ == "_follow" for handler in bpy.app.handlers.frame_change_post):
        bpy.app.handlers.frame_change_post.append(_follow)
    if "rill_follow.py" not in bpy.data.texts:
        text = bpy.data.texts.new("rill_follow.py")
        text.write("import sys\nsys.path.insert(0, %r)\nimport rill_blender\nrill_blender.register()\n"
                   % os.path.dirname(os.path.abspath(__file__)))
        text.use_module = True  # run when the file is opened


def _turned_pose(pose):
    """Place and rotation in Blender's world; the shape keeps its own coordinates, with y up."""
    x, y, z = pose.position
    w, a, b, c = pose.rotation
    h = 0.5 ** 0.5  # a quarter turn about x comes after the pose's own rotation
    return (x, -z, y), (h * (w - a), h * (a + w), h * (b - c), h * (c + b))


def _import_mesh(path):
    """The mesh of a file in its own coordinates; None when Blender cannot read it."""
    before = set(bpy.data.objects)
    ending = os.path.splitext(path)[1].lower()
    try:
        if ending == ".obj" and hasattr(bpy.ops.wm, "obj_import"):
            bpy.ops.wm.obj_import(filepath=path, forward_axis="Y", up_axis="Z")
        elif ending == ".obj":
            bpy.ops.import_scene.obj(filepath=path, axis_forward="Y", axis_up="Z")
        elif ending == ".stl":
            getattr(bpy.ops.wm, "stl_import", bpy.ops.import_mesh.stl)(filepath=path)
        elif ending == ".ply":
            getattr(bpy.ops.wm, "ply_import", bpy.ops.import_mesh.ply)(filepath=path)
    except (RuntimeError, AttributeError) as error:
        print("rill:", path, error)
    made = [item for item in bpy.data.objects if item not in before]
    mesh = made[0].data if made else None
    for item in made:
        bpy.data.objects.remove(item)
    return mesh


def _lathe(name, start, axis, profile, around=48):
    """A mesh of revolution: (height along the axis, radius) turned about the line from `start`."""
    other = (1, 0, 0) if abs(axis[0]) < 0.7 else (0, 1, 0)
    cross = lambda a, b: (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    u = cross(axis, other)
    length = sum(c * c for c in u) ** 0.5
    u = tuple(c / length for c in u)
    v = cross(axis, u)
    points, faces = [], []
    for height, radius in profile:
        for k in range(around):
            c, s = math.cos(2 * math.pi * k / around), math.sin(2 * math.pi * k / around)
            points.append(tuple(start[i] + height * axis[i] + radius * (c * u[i] + s * v[i]) for i in range(3)))
    for ring in range(len(profile) - 1):
        for k in range(around):
            a, b = ring * around + k, ring * around + (k + 1) % around
            faces.append((a, b, b + around, a + around))
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.update()
    return mesh


def _three(x):
    return list(x) + [0.0] * (3 - len(x))


def _shape_mesh(name, shape):
    """A mesh of the shape in its own coordinates; None for shapes that have none here."""
    kind, keys = next(iter(shape.items()))
    if kind == "mesh":
        mesh = _import_mesh(keys["file"])
        unit = keys.get("scale", 1)
        if mesh:
            for vertex in mesh.vertices:
                x, y, z = vertex.co
                vertex.co = (unit * x, unit * z, -unit * y) if keys.get("z_up") else (unit * x, unit * y, unit * z)
        return mesh
    if kind == "box":
        (x0, y0, z0), (x1, y1, z1) = _three(keys["min"]), _three(keys["max"])
        points = [(x, y, z) for z in (z0, z1) for y in (y0, y1) for x in (x0, x1)]
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(points, [], [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2),
                                      (1, 3, 7, 5)])
        mesh.update()
        return mesh
    rounds = [(-math.cos(math.pi / 2 * k / 12), math.sin(math.pi / 2 * k / 12)) for k in range(13)]
    if kind == "sphere":
        r = keys["radius"]
        profile = [(r * a, r * b) for a, b in rounds] + [(-r * a, r * b) for a, b in reversed(rounds)]
        return _lathe(name, _three(keys["center"]), (0, 1, 0), profile)
    if kind in ("cylinder", "capsule"):
        start, end, r = _three(keys["from"]), _three(keys["to"]), keys["radius"]
        length = sum((b - a) ** 2 for a, b in zip(start, end)) ** 0.5
        axis = tuple((b - a) / length for a, b in zip(start, end))
        profile = [(0, 0), (0, r), (length, r), (length, 0)]
        if kind == "capsule":
            profile = [(r * a, r * b) for a, b in rounds] + [(length - r * a, r * b) for a, b in reversed(rounds)]
        return _lathe(name, start, axis, profile)
    return None


def add_bodies(folder):
    """An object with keyframes for every body of the run; returns them in the order of the scene."""
    run = rill_run.RunFolder(folder)
    items = {}
    for number, solid in enumerate(run.scene.get("solids", [])):
        if "body" not in solid:
            continue
        name = solid.get("name") or "body %d" % number
        item = bpy.data.objects.new(name, _shape_mesh(name, solid["shape"]))  # without a mesh: an empty
        item.rotation_mode = "QUATERNION"
        bpy.context.scene.collection.objects.link(item)
        items[number] = item
    for frame in run.frames:
        for number, pose in run.poses(frame).items():
            item = items.get(number)
            if item is None:
                continue
            item.location, item.rotation_quaternion = _turned_pose(pose)
            item.scale = (pose.scale,) * 3
            for path in ("location", "rotation_quaternion", "scale"):
                item.keyframe_insert(path, frame=frame + FIRST)
    return list(items.values())


def _at(keys, smooth, t):
    """The value of keyframes [(t, (x, y, z)), ...] as a run takes it: linear, or smooth without overshooting."""
    i = 0
    while i + 1 < len(keys) and keys[i + 1][0] <= t:
        i += 1
    if i + 1 == len(keys) or t <= keys[i][0]:
        return keys[i][1]
    def slope(k, axis):
        if k in (0, len(keys) - 1):
            return 0.0
        h0, h1 = keys[k][0] - keys[k - 1][0], keys[k + 1][0] - keys[k][0]
        d0, d1 = (keys[k][1][axis] - keys[k - 1][1][axis]) / h0, (keys[k + 1][1][axis] - keys[k][1][axis]) / h1
        return 3 * (h0 + h1) / ((2 * h1 + h0) / d0 + (h1 + 2 * h0) / d1) if d0 * d1 > 0 else 0.0

    (t0, a), (t1, b) = keys[i], keys[i + 1]
    h, u = t1 - t0, (t - t0) / (t1 - t0)
    if not smooth:
        return tuple(p + u * (q - p) for p, q in zip(a, b))
    return tuple((1 + 2 * u) * (1 - u) ** 2 * a[k] + u * (1 - u) ** 2 * h * slope(i, k)
                 + u * u * (3 - 2 * u) * b[k] + u * u * (u - 1) * h * slope(i + 1, k) for k in range(3))


def _matrix(translate, rotate, scale=1.0):
    turn = mathutils.Euler([math.radians(v) for v in rotate], "XYZ").to_matrix().to_4x4()  # x first, then y, then z
    return mathutils.Matrix.Translation(translate) @ turn @ mathutils.Matrix.Scale(scale, 4)


_UP = mathutils.Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))  # y up to z up


def _solid_matrix(solid, t):
    """Where a solid that is no body is at the time t, in Blender's world."""
    place = solid.get("transform", {})
    matrix = _matrix(_three(place.get("translate", (0, 0, 0))), place.get("rotate", (0, 0, 0)),
                     place.get("scale", 1) or 1)
    motion = solid.get("motion", {})
    if motion.get("keyframes"):
        pivot = mathutils.Matrix.Translation(_three(motion.get("pivot", (0, 0, 0))))
        keys = motion["keyframes"]
        smooth = motion.get("smooth", False)
        shift = _at([(k["t"], _three(k["translate"])) for k in keys], smooth, t)
        turn = _at([(k["t"], _three(k["rotate"])) for k in keys], smooth, t)
        matrix = mathutils.Matrix.Translation(shift) @ pivot @ _matrix((0, 0, 0), turn) @ pivot.inverted() @ matrix
    return _UP @ matrix


def add_solids(folder):
    """An object for every solid of the scene that is no body, with keyframes where it moves."""
    run = rill_run.RunFolder(folder)
    items = []
    for number, solid in enumerate(run.scene.get("solids", [])):
        if "body" in solid:
            continue
        name = solid.get("name") or "solid %d" % number
        item = bpy.data.objects.new(name, _shape_mesh(name, solid["shape"]))  # without a mesh: an empty
        item.rotation_mode = "QUATERNION"
        bpy.context.scene.collection.objects.link(item)
        items.append(item)
        moves = solid.get("motion", {}).get("keyframes")
        for frame in run.frames if moves else [0]:
            item.location, item.rotation_quaternion, item.scale = _solid_matrix(solid, frame / run.fps).decompose()
            for path in ("location", "rotation_quaternion", "scale") if moves else ():
                item.keyframe_insert(path, frame=frame + FIRST)
    return items


def add_camera(folder):
    """The camera of the scene, which becomes Blender's; None where the scene leaves it to the domain."""
    scene = rill_run.RunFolder(folder).scene
    camera = scene.get("camera", {})
    eye, target, fov = camera.get("eye"), camera.get("target"), camera.get("fov", 0)
    if not isinstance(eye, list) or not isinstance(target, list) or eye == target:
        return None
    item = bpy.data.objects.new("rill camera", bpy.data.cameras.new("rill camera"))
    bpy.context.scene.collection.objects.link(item)
    eye, target = (_UP @ mathutils.Vector(_three(v)) for v in (eye, target))
    item.location = eye
    item.rotation_euler = (target - eye).to_track_quat("-Z", "Y").to_euler()
    item.data.sensor_fit = "VERTICAL"
    item.data.angle = math.radians(fov if isinstance(fov, (int, float)) and fov > 0 else 30)
    output = scene.get("output", {})
    bpy.context.scene.camera = item
    bpy.context.scene.render.resolution_x = int(output.get("width", 1280))
    bpy.context.scene.render.resolution_y = int(output.get("height", 720))
    return item


def add_cache(folder, cache):
    """A fluid domain that plays the mesh cache of `rill export FOLDER mantaflow --out CACHE`."""
    with open(os.path.join(folder, "scene.json"), encoding="utf-8") as file:
        box = json.load(file)["domain"]
    low, high = box["min"], box["max"]
    if len(low) == 2:
        low, high = low + [-0.5], high + [0.5]
    size = [high[k] - low[k] for k in range(3)]
    middle = [(high[k] + low[k]) / 2 for k in range(3)]
    bpy.ops.mesh.primitive_cube_add(size=1, location=(middle[0], -middle[2], middle[1]))
    item = bpy.context.object
    item.name = "rill domain"
    item.scale = (size[0], size[2], size[1])
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    domain = item.modifiers.new("Fluid", "FLUID")
    domain.fluid_type = "DOMAIN"
    settings = domain.domain_settings
    names = sorted(n for n in os.listdir(os.path.join(cache, "mesh")) if n.endswith(".bobj.gz"))
    if not names:
        raise rill_run.RunError("%s: no mesh/fluid_mesh_0001.bobj.gz in it" % cache)
    # Changing these settings makes Blender delete the cache it points to, so that comes last.
    settings.domain_type = "LIQUID"
    settings.use_mesh = True
    settings.cache_type = "MODULAR"
    settings.cache_frame_start = 1
    settings.cache_frame_end = int(names[-1].split("_")[-1].split(".")[0])
    settings.cache_directory = os.path.abspath(cache)
    settings.has_cache_baked_data = True
    settings.has_cache_baked_mesh = True
    return item


if __name__ == "__main__" and "--" in sys.argv and len(sys.argv) > sys.argv.index("--") + 1:
    add_run(sys.argv[sys.argv.index("--") + 1])
    for add in (add_bodies, add_solids, add_camera):
        add(sys.argv[sys.argv.index("--") + 1])
