"""Helpers of cycles.sh: the environment map in both programs' layouts, the scene's look, and the comparison."""
import array, json, math, struct, sys

WIDTH, HEIGHT = 512, 256


def light(x, y, z):
    """Radiance from a direction, y up: a sky that is brighter on one side, and a soft lamp in it."""
    up = max(y, 0.0)
    sky = [0.35 + 0.25 * up, 0.42 + 0.35 * up, 0.55 + 0.55 * up] if y > 0 else [0.12, 0.115, 0.11]
    lamp = max(0.0, (-0.5 * x + 0.7 * y + 0.5 * z) / math.sqrt(0.99))
    bright = 6 * lamp ** 24
    return [c + bright for c in sky]


def environment(folder):
    # ours: longitude 0 at +x, growing towards +z; latitude from straight up. A .pfm has its rows from below.
    with open(folder + "/sky.pfm", "wb") as file:
        file.write(b"PF\n%d %d\n-1.0\n" % (WIDTH, HEIGHT))
        for row in reversed(range(HEIGHT)):
            t = math.pi * (row + 0.5) / HEIGHT
            for column in range(WIDTH):
                p = 2 * math.pi * (column + 0.5) / WIDTH
                file.write(struct.pack("<3f", *light(math.sin(t) * math.cos(p), math.cos(t), math.sin(t) * math.sin(p))))
    # Blender's, z up: u = 0.5 + atan2(y, -x) / 2 pi grows clockwise; pixels from below, as image.pixels has them.
    numbers = array.array("f")
    for row in range(HEIGHT):
        t = math.pi * (1 - (row + 0.5) / HEIGHT)
        for column in range(WIDTH):
            p = 2 * math.pi * ((column + 0.5) / WIDTH - 0.5)
            x, y, z = -math.sin(t) * math.cos(p), math.sin(t) * math.sin(p), math.cos(t)
            numbers.extend(light(x, z, -y) + [1.0])
    with open(folder + "/sky_blender.f32", "wb") as file:
        file.write(numbers.tobytes())


def scene(folder):
    """The run's scene with the look of the comparison; the run itself does not depend on it."""
    path = folder + "/run/scene.json"
    scene = json.load(open(path))
    grey = {"kind": "diffuse", "color": [0.4, 0.4, 0.4], "checker": 0}
    scene["render"] = {
        "noise": 0, "denoise": False, "bounces": 64, "caustics": "none", "ground_material": grey,
        "sky": {"environment": folder + "/sky.pfm", "sun": [0, 0, 0]},
        "liquid_material": {"kind": "glass", "index": 1.333, "absorption": [0.9, 0.16, 0.07]},
    }
    json.dump(scene, open(path, "w"))


def read_exr(path):
    """Scan lines of half or float numbers without compression: width, height, {channel: numbers}."""
    data = open(path, "rb").read()
    at, header = 8, {}
    while data[at]:
        name, at = data[at:data.index(0, at)].decode(), data.index(0, at) + 1
        at = data.index(0, at) + 1
        size = struct.unpack_from("<i", data, at)[0]
        header[name] = data[at + 4:at + 4 + size]
        at += 4 + size
    at += 1
    if header["compression"] != b"\0":
        sys.exit(path + " is compressed")
    x0, y0, x1, y1 = struct.unpack("<4i", header["dataWindow"])
    width, height = x1 - x0 + 1, y1 - y0 + 1
    channels, c = [], header["channels"]
    while c and c[0]:
        name, rest = c.split(b"\0", 1)
        channels.append((name.decode().split(".")[-1], struct.unpack_from("<i", rest)[0]))
        c = rest[16:]
    offsets = struct.unpack_from("<%dQ" % height, data, at)
    out = {name: [0.0] * (width * height) for name, _ in channels}
    for offset in offsets:
        y = struct.unpack_from("<i", data, offset)[0] - y0
        place = offset + 8
        for name, kind in channels:
            letter, size = ("e", 2) if kind == 1 else ("f", 4)
            out[name][y * width:(y + 1) * width] = struct.unpack_from("<%d%s" % (width, letter), data, place)
            place += size * width
    return width, height, out


def rel_mse(a, b):
    total = count = 0
    for channel in "RGB":
        for x, y in zip(a[channel], b[channel]):
            total += (x - y) ** 2 / (y * y + 1e-2)
            count += 1
    return total / count


def mean(a):
    return sum(sum(a[c]) for c in "RGB") / (3 * len(a["R"]))


def compare(folder, name):
    ours = read_exr("%s/rill_%s.exr" % (folder, name))[2]
    theirs = [read_exr("%s/cycles_%s_%d.exr" % (folder, name, seed))[2] for seed in (1, 2)]
    seconds = [open(folder + "/" + f + ".s").read().strip()
               for f in ("rill_" + name, "cycles_%s_1" % name, "cycles_%s_2" % name)]
    print("frame %s: mean %.4f of Cycles', relMSE %.5f, of Cycles' two seeds %.5f; processor %s s, Cycles %s and %s s" %
          (name, 2 * mean(ours) / (mean(theirs[0]) + mean(theirs[1])), rel_mse(ours, theirs[0]),
           rel_mse(theirs[1], theirs[0]), *seconds))


if sys.argv[1] == "environment":
    environment(sys.argv[2])
elif sys.argv[1] == "scene":
    scene(sys.argv[2])
else:
    compare(sys.argv[2], sys.argv[3])
