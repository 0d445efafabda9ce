"""Brings a run of Rill into Blender: surfaces with their velocities, frame by frame, and bodies.

In Blender's Python console or a script, with this folder in sys.path:

    import rill_blender
    liquid = rill_blender.add_run("out/dam_break")      # follows the timeline
    rill_blender.add_bodies("out/dam_break")            # an object with keyframes for every body
    rill_blender.add_cache("out/dam_break", "cache")    # or: rill export DIR mantaflow --out cache

From a shell:  blender --python python/rill_blender.py -- out/dam_break

add_run makes an object whose mesh is that of the current frame: frame 0 of the run at Blender's
frame 1. Velocities are the point attribute "velocity" (m/s), which Cycles takes for motion blur.
Rill has y up and Blender z: (x, y, z) becomes (x, -z, y).

add_bodies makes an object for every body of the scene, with its shape where that is a mesh file (.obj, .stl,
.ply), a box, a ball, a cylinder or a capsule, otherwise an empty, and keyframes of its place and rotation.

add_cache makes a fluid domain that plays a mesh cache by Blender's own means; nothing of this file
is needed afterwards.
"""
import json
import math
import os
import sys

import bpy

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
    if not any(handler.__name__ == "_follow" for handler in bpy.app.handlers.frame_change_post):
        bpy.app.handlers.frame_change_post.append(_follow)
    _follow(scene)
    return item


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
    add_bodies(sys.argv[sys.argv.index("--") + 1])
