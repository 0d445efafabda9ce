"""Helpers of cycles.sh: the environment map in both programs' layouts, the scene's look, and the comparison."""
import array, json, math, struct, sys, zlib

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
    # Blender's, z up: u = 0.5 - atan2(y, x) / 2 pi; pixels from below, as image.pixels has them.
    numbers = array.array("f")
    for row in range(HEIGHT):
        t = math.pi * (1 - (row + 0.5) / HEIGHT)
        for column in range(WIDTH):
            p = 2 * math.pi * ((column + 0.5) / WIDTH - 0.5)
            x, y, z = math.sin(t) * math.cos(p), -math.sin(t) * math.sin(p), math.cos(t)
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


def flatten(folder, name):
    """Takes the normals out of a frame's surface, so that both programs draw its triangles as they are: what a smooth
    normal does where it contradicts the triangle differs (Cycles loses such paths: black pixels along sharp crests).
    Vertices that face the ground from near are moved a little into it before, as src/render/path/studio_liquid.c does."""
    path = "%s/run/frames/surface_%s.ply" % (folder, name)
    head, body = open(path, "rb").read().split(b"end_header\n", 1)
    if b" nx\n" not in head:
        return
    run = json.load(open(folder + "/run/scene.json"))
    spacing, floor = run["spacing"], run["domain"]["min"][1]
    letters = {"double": "d", "float": "f", "uint": "I", "int": "i", "uchar": "B"}
    lines = head.decode().split("\n")
    first = next(k for k, line in enumerate(lines) if line.startswith("element vertex"))
    count, fields = int(lines[first].split()[2]), []
    for line in lines[first + 1:]:
        if not line.startswith("property"):
            break
        fields.append(line.split()[1:])
    at = {field: k for k, (_, field) in enumerate(fields)}
    kept = [k for k, (_, field) in enumerate(fields) if field not in ("nx", "ny", "nz")]
    record = struct.Struct("<" + "".join(letters[kind] for kind, _ in fields))
    shorter = struct.Struct("<" + "".join(letters[fields[k][0]] for k in kept))
    out = bytearray()
    for i in range(count):
        row = list(record.unpack_from(body, i * record.size))
        up = row[at["y"]] - floor
        if up < 0.35 * spacing and (row[at["ny"]] < -0.4 or up < 0.03 * spacing):
            row[at["y"]] = min(row[at["y"]], floor - 0.03 * spacing)
        out += shorter.pack(*(row[k] for k in kept))
    head = "\n".join(line for line in lines if line.split()[-1:] not in (["nx"], ["ny"], ["nz"])).encode()
    with open(path, "wb") as file:
        file.write(head + b"end_header\n" + bytes(out) + body[count * record.size:])


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
    seconds = [float(open(folder + "/" + f + ".s").read())
               for f in ("rill_" + name, "cycles_%s_1" % name, "cycles_%s_2" % name)]
    both, seeds = rel_mse(ours, theirs[0]), rel_mse(theirs[1], theirs[0])
    print("frame %s: mean %.4f of Cycles', relMSE %.5f, of Cycles' two seeds %.5f (%.2f times); processor %.1f s, Cycles "
          "%.1f and %.1f s" % (name, 2 * mean(ours) / (mean(theirs[0]) + mean(theirs[1])), both, seeds, both / seeds, *seconds))
    # Two pictures with other seeds differ by the sum of their squared errors, which fall as samples grow.
    own, other = both - seeds / 2, seeds / 2
    print("  squared error at these samples %.2f of Cycles'; processor time to the same error %.2f of Cycles'" %
          (own / other, own / other * 2 * seconds[0] / (seconds[1] + seconds[2])))


def write_png(path, width, height, rows):
    data = b"".join(b"\0" + bytes(row) for row in rows)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, body in ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
                           (b"IDAT", zlib.compress(data)), (b"IEND", b"")):
            file.write(struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)))


def difference(folder, name, block=4):
    """FOLDER/difference_NAME.png: ours, Cycles', and where they differ by more than noise: the mean over blocks of
    pixels, relative to Cycles', grey where equal, red where ours is brighter by a fifth, blue where it is darker."""
    width, height, ours = read_exr("%s/rill_%s.exr" % (folder, name))
    theirs = [read_exr("%s/cycles_%s_%d.exr" % (folder, name, seed))[2] for seed in (1, 2)]
    mean_of = {c: [(x + y) / 2 for x, y in zip(theirs[0][c], theirs[1][c])] for c in "RGB"}

    def shown(x):
        return int(255 * min(max(x, 0), 1) ** (1 / 2.2))

    def pixels(picture, y):
        return [shown(picture[c][y * width + x]) for x in range(width) for c in "RGB"]

    def off(x, y):
        sums = [0, 0]
        for j in range(y // block * block, min(y // block * block + block, height)):
            for i in range(x // block * block, min(x // block * block + block, width)):
                for c in "RGB":
                    sums[0] += ours[c][j * width + i]
                    sums[1] += mean_of[c][j * width + i]
        return max(-1, min(1, 5 * (sums[0] / max(sums[1], 1e-6) - 1)))

    rows = [pixels(ours, y) for y in range(height)] + [pixels(mean_of, y) for y in range(height)]
    for y in range(height):
        row = []
        for x in range(width):
            d = off(x, y)
            row += [int(128 + 127 * max(d, 0) - 127 * max(-d, 0)), int(128 - 127 * abs(d)),
                    int(128 - 127 * max(d, 0) + 127 * max(-d, 0))]
        rows.append(row)
    write_png("%s/difference_%s.png" % (folder, name), width, 3 * height, rows)
    for band in range(8):  # from above
        part = range(band * height // 8 * width, (band + 1) * height // 8 * width)
        cut = [{c: [p[c][i] for i in part] for c in "RGB"} for p in (ours, theirs[0], theirs[1])]
        print("  rows %4d to %4d: mean %.4f, relMSE %.5f, two seeds %.5f" %
              (band * height // 8, (band + 1) * height // 8, 2 * mean(cut[0]) / (mean(cut[1]) + mean(cut[2])),
               rel_mse(cut[0], cut[1]), rel_mse(cut[2], cut[1])))


if sys.argv[1] == "environment":
    environment(sys.argv[2])
elif sys.argv[1] == "scene":
    scene(sys.argv[2])
elif sys.argv[1] == "flatten":
    flatten(sys.argv[2], sys.argv[3])
elif sys.argv[1] == "difference":
    difference(sys.argv[2], sys.argv[3])
else:
    compare(sys.argv[2], sys.argv[3])
