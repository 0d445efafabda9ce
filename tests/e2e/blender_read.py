"""Inside Blender: blender -b --factory-startup -P blender_read.py -- SOURCE RUN CACHE PICTURE

Three frames of a run through python/rill_blender.py, and through the mesh cache: as many vertices and
triangles as the files have, the same places and velocities. Then one picture. Prints "agrees" at the end."""
import os
import sys

import bpy

source, run_folder, cache, picture = sys.argv[sys.argv.index("--") + 1:]
sys.path.insert(0, os.path.join(source, "python"))
import rill_blender
import rill_run

bpy.ops.wm.read_factory_settings(use_empty=True)
run = rill_run.RunFolder(run_folder)


def check(condition, what):
    if not condition:
        print("does not hold:", what)
        sys.exit(1)


def compare(mesh, surface, what, velocities, tolerance):
    check(len(mesh.vertices) == len(surface), "%s: %d vertices, not %d" % (what, len(mesh.vertices), len(surface)))
    check(len(mesh.polygons) == surface.triangle_count, what + ": triangles")
    for i in range(0, len(surface), max(1, len(surface) // 300)):
        expected = (surface["x"][i], -surface["z"][i], surface["y"][i])
        check(all(abs(a - b) < tolerance for a, b in zip(mesh.vertices[i].co, expected)), what + ": a place")
        if velocities:
            expected = (surface["vx"][i], -surface["vz"][i], surface["vy"][i])
            got = mesh.attributes["velocity"].data[i].vector
            check(all(abs(a - b) < 1e-6 for a, b in zip(got, expected)), what + ": a velocity")


liquid = rill_blender.add_run(run_folder)
domain = rill_blender.add_cache(run_folder, cache)
for frame in (0, 1, 3):
    bpy.context.scene.frame_set(frame + rill_blender.FIRST)
    surface = run.surface(frame)
    compare(liquid.data, surface, "frame %d" % frame, True, 1e-6)
    played = domain.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = played.to_mesh()
    mesh.transform(played.matrix_world)
    compare(mesh, surface, "cache, frame %d" % frame, False, 1e-5)
    played.to_mesh_clear()
domain.hide_render = True

solids = rill_blender.add_solids(run_folder)
bodies = [solid for solid in run.scene["solids"] if "body" in solid]
check(len(solids) == len(run.scene["solids"]) - len(bodies), "the solids")
for solid, item in zip((s for s in run.scene["solids"] if "body" not in s), solids):
    moves = solid.get("motion", {}).get("keyframes")
    check(bool(moves) == bool(item.animation_data), "keyframes of what moves")
    low, (x, y, z) = solid["shape"].get("box", {}).get("min"), item.matrix_world.to_translation()
    check(moves or not low or (x, y, z) == (0, 0, 0), "a solid at rest")

check(liquid.data.materials[0].name == "rill water", "the material")

scene = bpy.context.scene
bpy.ops.mesh.primitive_plane_add(size=8, location=(0.6, -0.24, -0.01))
camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
scene.collection.objects.link(camera)
camera.location, camera.rotation_euler = (1.3, -2.9, 1.35), (1.2, 0, 0.22)
scene.camera = camera
sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
sun.data.energy, sun.rotation_euler = 3, (0.6, 0.3, 0)
scene.collection.objects.link(sun)
scene.world = bpy.data.worlds.new("world")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.45, 0.6, 0.8, 1)
scene.render.engine = "CYCLES"
scene.cycles.samples, scene.cycles.device, scene.cycles.use_denoising = 16, "CPU", False
scene.render.resolution_x, scene.render.resolution_y = 320, 180
scene.render.filepath = picture
bpy.ops.render.render(write_still=True)
check(os.path.getsize(picture) > 1000, "the picture")
bpy.data.objects.remove(camera)
check((rill_blender.add_camera(run_folder) is None) == ("fov" not in run.scene["camera"] or run.scene["camera"]["fov"] == 0),
      "the camera")
bpy.ops.wm.save_as_mainfile(filepath=os.path.join(os.path.dirname(picture), "kept.blend"))
print("agrees")
