"""A frame of a dam break in Cycles, as bench/peers/cycles.sh asks for it. Runs inside Blender:

    blender -b -P cycles_scene.py -- FOLDER FRAME SEED SAMPLES WIDTH HEIGHT
"""
import array, json, math, re, struct, sys

import bpy
from mathutils import Matrix, Vector

folder, name, seed, samples, width, height = sys.argv[sys.argv.index("--") + 1:]
scene_file = json.load(open(folder + "/run/scene.json"))


def world(x, y, z):
    return (x, -z, y)  # y up to z up


def read_ply(path):
    """Vertices and triangles of one of Rill's binary files."""
    data = open(path, "rb").read()
    head, body = data.split(b"end_header\n", 1)
    vertices = int(re.search(rb"element vertex (\d+)", head).group(1))
    faces = int(re.search(rb"element face (\d+)", head).group(1))
    part = head.split(b"element face")[0]
    letters = {b"double": "d", b"float": "f", b"uint": "I", b"int": "i", b"uchar": "B"}
    fields = re.findall(rb"property (\w+) (\w+)", part.split(b"element vertex")[1])
    record = struct.Struct("<" + "".join(letters[t] for t, _ in fields))
    at = {n.decode(): k for k, (_, n) in enumerate(fields)}
    rows = [record.unpack_from(body, i * record.size) for i in range(vertices)]
    points = [(r[at["x"]], r[at["y"]], r[at["z"]]) for r in rows]
    kind = re.search(rb"property list (\w+) (\w+)", head).groups()
    face = struct.Struct("<" + letters[kind[0]] + 3 * letters[kind[1]])
    start = vertices * record.size
    return points, [face.unpack_from(body, start + i * face.size)[1:] for i in range(faces)]


def make_liquid():
    points, faces = read_ply("%s/run/frames/surface_%s.ply" % (folder, name))
    mesh = bpy.data.meshes.new("liquid")
    mesh.from_pydata([world(*x) for x in points], [], faces)
    thing = bpy.data.objects.new("liquid", mesh)
    bpy.context.collection.objects.link(thing)
    material = bpy.data.materials.new("water")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    out, glass, absorb = (nodes.new(k) for k in ("ShaderNodeOutputMaterial", "ShaderNodeBsdfGlass",
                                                   "ShaderNodeVolumeAbsorption"))
    glass.distribution = "SHARP"
    glass.inputs["IOR"].default_value = 1.333
    glass.inputs["Color"].default_value = (1, 1, 1, 1)
    absorb.inputs["Color"].default_value = (1 - 0.9, 1 - 0.16, 1 - 0.07, 1)  # density times (1 - color)
    absorb.inputs["Density"].default_value = 1
    links.new(glass.outputs[0], out.inputs["Surface"])
    links.new(absorb.outputs[0], out.inputs["Volume"])
    mesh.materials.append(material)


def make_ground():
    """A grey plane that fades from 6 to 16 diagonals of the domain, as src/render/path/studio.c has it."""
    low, high = scene_file["domain"]["min"], scene_file["domain"]["max"]
    size = math.dist(low, high)
    middle = world((low[0] + high[0]) / 2, low[1], (low[2] + high[2]) / 2)
    bpy.ops.mesh.primitive_circle_add(vertices=96, radius=17 * size, fill_type="NGON", location=middle)
    material = bpy.data.materials.new("ground")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    out, mix, diffuse, clear, place, away, length, fade = (nodes.new("ShaderNode" + kind) for kind in (
        "OutputMaterial", "MixShader", "BsdfDiffuse", "BsdfTransparent", "NewGeometry", "VectorMath", "VectorMath",
        "MapRange"))
    diffuse.inputs["Color"].default_value = (0.4, 0.4, 0.4, 1)
    away.operation, away.inputs[1].default_value = "SUBTRACT", middle
    length.operation = "LENGTH"
    fade.interpolation_type = "SMOOTHSTEP"
    fade.inputs["From Min"].default_value, fade.inputs["From Max"].default_value = 6 * size, 16 * size
    links.new(place.outputs["Position"], away.inputs[0])
    links.new(away.outputs["Vector"], length.inputs[0])
    links.new(length.outputs["Value"], fade.inputs["Value"])
    links.new(fade.outputs["Result"], mix.inputs["Fac"])
    links.new(diffuse.outputs[0], mix.inputs[1])
    links.new(clear.outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], out.inputs["Surface"])
    bpy.context.object.data.materials.append(material)


def make_world():
    numbers = array.array("f")
    numbers.frombytes(open(folder + "/sky_blender.f32", "rb").read())
    image = bpy.data.images.new("sky", 512, 256, float_buffer=True, is_data=True)
    image.colorspace_settings.name = "Linear"
    image.pixels.foreach_set(numbers)
    image.pack()
    sky = bpy.data.worlds.new("sky")
    bpy.context.scene.world = sky
    sky.use_nodes = True
    nodes, links = sky.node_tree.nodes, sky.node_tree.links
    texture = nodes.new("ShaderNodeTexEnvironment")
    texture.image = image
    links.new(texture.outputs["Color"], nodes["Background"].inputs["Color"])


def make_camera():
    c = scene_file["camera"]
    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.angle = "VERTICAL", math.radians(c["fov"])
    data.clip_end = 1e4
    thing = bpy.data.objects.new("camera", data)
    eye, target = Vector(world(*c["eye"])), Vector(world(*c["target"]))
    back = (eye - target).normalized()
    right = Vector((0, 0, 1)).cross(back).normalized()
    up = back.cross(right)
    thing.matrix_world = Matrix.Translation(eye) @ Matrix((right, up, back)).transposed().to_4x4()
    bpy.context.collection.objects.link(thing)
    bpy.context.scene.camera = thing


def settings():
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.seed = "CPU", int(samples), int(seed)
    cycles.use_adaptive_sampling = cycles.use_denoising = False
    cycles.sample_clamp_direct = cycles.sample_clamp_indirect = 0
    cycles.blur_glossy = 0
    cycles.caustics_reflective = cycles.caustics_refractive = True
    cycles.max_bounces = cycles.diffuse_bounces = cycles.glossy_bounces = cycles.transmission_bounces = 64
    cycles.transparent_max_bounces = 64
    cycles.pixel_filter_type = "BOX"
    cycles.filter_width = 1.0
    scene.render.resolution_x, scene.render.resolution_y = int(width), int(height)
    scene.render.resolution_percentage = 100
    scene.view_settings.view_transform = "Raw"
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "32"
    scene.render.image_settings.exr_codec = "NONE"
    scene.render.filepath = "%s/cycles_%s_%s.exr" % (folder, name, seed)


for thing in list(bpy.data.objects):
    bpy.data.objects.remove(thing)
make_liquid()
make_ground()
make_world()
make_camera()
settings()
bpy.ops.render.render(write_still=True)
