"""Brings a run of Rill into Blender: surfaces with their velocities, frame by frame.

In Blender's Python console or a script, with this folder in sys.path:

    import rill_blender
    liquid = rill_blender.add_run("out/dam_break")      # follows the timeline
    rill_blender.add_cache("out/dam_break", "cache")    # or: rill export DIR mantaflow --out cache

From a shell:  blender --python python/rill_blender.py -- out/dam_break

add_run makes an object whose mesh is that of the current frame: frame 0 of the run at Blender's
frame 1. Velocities are the point attribute "velocity" (m/s), which Cycles takes for motion blur.
Rill has y up and Blender z: (x, y, z) becomes (x, -z, y).

add_cache makes a fluid domain that plays a mesh cache by Blender's own means; nothing of this file
is needed afterwards.
"""
import json
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
