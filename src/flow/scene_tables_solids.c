/* The keys of the domain, of solids, their motion and bodies, and of shapes. */
#include "flow/scene_rows.h"

static const char *const sides[] = {"-x", "+x", "-y", "+y", "-z", "+z", NULL};
static const char *const slips[] = {"free", "none", NULL};

const rill_param scene_contact_params[] = {
    RILL_NUMBER("friction", scene_contact, friction, 0.3, 0, 10, "",
                "coefficient of friction between solids; a pair takes the geometric mean of the two"),
    RILL_NUMBER("restitution", scene_contact, restitution, 0, 0, 1, "",
                "speed after an impact over that before it; a pair takes the larger of the two"),
    {0},
};

const rill_param scene_domain_params[] = {
    POINT_REQUIRED("min", scene_domain, min, 0, 0, 0, FAR, "m", "the corner with the smallest coordinates"),
    POINT_REQUIRED("max", scene_domain, max, 1, 1, 1, FAR, "m", "the corner with the largest coordinates"),
    RILL_FLAGS("open", scene_domain, open, "", sides,
               "sides the liquid may leave through; the others are walls"),
    RILL_CHOICE("slip", scene_domain, slip, "free", slips,
                "whether viscous liquid slips along the walls or sticks to them"),
    RILL_NUMBER("friction", scene_domain, friction, 0, 0, 10, "", "coefficient of friction of the walls"),
    {.name = "contact",
     .kind = PARAM_BLOCK,
     .offset = offsetof(scene_domain, contact),
     .table = scene_contact_params,
     .help = "how bodies meet the walls"},
    {0},
};

const rill_param scene_transform_params[] = {
    POINT("translate", scene_transform, translate, 0, 0, 0, FAR, "m", "shift, applied last"),
    POINT3("rotate", scene_transform, rotate, 3.6e4, "degrees",
           "turn about the x, then the y, then the z axis; in two dimensions about z alone"),
    RILL_POSITIVE("scale", scene_transform, scale, 1, FAR, "", "size, applied first"),
    {0},
};

const rill_param scene_motion_key_params[] = {
    {.name = "t",
     .kind = PARAM_NUMBER,
     .offset = offsetof(scene_motion_key, t),
     .min = -SCENE_FOREVER,
     .max = SCENE_FOREVER,
     .unit = "s",
     .required = true,
     .help = "when; each key is later than the one before it"},
    POINT("translate", scene_motion_key, translate, 0, 0, 0, FAR, "m",
          "shift from where the transform puts it; left out: as in the key before"),
    POINT3("rotate", scene_motion_key, rotate, 1e8, "degrees",
           "turn about the x, then the y, then the z axis through the pivot; left out: as in the key before. "
           "The angles are interpolated: 0 to 720 are two turns"),
    {0},
};

const rill_param scene_motion_params[] = {
    {.name = "keyframes",
     .kind = PARAM_LIST,
     .offset = offsetof(scene_motion, key),
     .count_offset = offsetof(scene_motion, count),
     .table = scene_motion_key_params,
     .size = sizeof(scene_motion_key),
     .min = 1,
     .max = 100000,
     .required = true,
     .help = "where it is when; it rests before the first and after the last"},
    RILL_BOOL(
        "smooth", scene_motion, smooth, false,
        "move from key to key on a smooth curve that starts, ends and turns round gently, instead of at "
        "constant speed"),
    POINT("pivot", scene_motion, pivot, 0, 0, 0, FAR, "m",
          "the point it turns about, in the coordinates of its shape, before the transform"),
    {0},
};

const rill_param scene_hinge_params[] = {
    POINT_REQUIRED("point", struct scene_hinge, point, 0, 0, 0, FAR, "m",
                   "a point of its axis, in the coordinates of its shape, before the transform"),
    {.name = "axis",
     .kind = PARAM_POINT3,
     .offset = offsetof(struct scene_hinge, axis),
     .point = {0, 0, 1},
     .min = -FAR,
     .max = FAR,
     .unit = "",
     .help = "what it turns about, likewise; in two dimensions z"},
    {.name = "limits",
     .kind = PARAM_PAIR,
     .offset = offsetof(struct scene_hinge, limits),
     .min = -360000,
     .max = 360000,
     .unit = "degrees",
     .help = "how far it turns from where it starts, the other way and this; without them it turns freely"},
    {0},
};

const rill_param scene_pin_params[] = {
    POINT_REQUIRED("point", struct scene_pin, point, 0, 0, 0, FAR, "m",
                   "what it turns about, in the coordinates of its shape, before the transform"),
    {0},
};

const rill_param scene_slide_params[] = {
    POINT_REQUIRED("axis", struct scene_slide, axis, 1, 0, 0, FAR, "",
                   "the way it goes, in the coordinates of its shape, before the transform"),
    {.name = "limits",
     .kind = PARAM_PAIR,
     .offset = offsetof(struct scene_slide, limits),
     .min = -FAR,
     .max = FAR,
     .unit = "m",
     .help = "how far it goes from where it starts, back and forth; without them there is no end"},
    {0},
};

const rill_param scene_body_params[] = {
    RILL_NUMBER("density", scene_body, density, 0, 0, 1e6, "kg/m^3",
                "mass per volume; its mass, centre and inertia follow from the shape"),
    RILL_NUMBER("mass", scene_body, mass, 0, 0, 1e12, "kg",
                "instead of the density; in two dimensions per metre"),
    {.name = "inertia",
     .kind = PARAM_POINT3,
     .offset = offsetof(scene_body, inertia),
     .min = 0,
     .max = 1e12,
     .unit = "kg m^2",
     .help = "about the axes of its shape through its centre, instead of what follows from the shape"},
    POINT("velocity", scene_body, velocity, 0, 0, 0, 1e4, "m/s", "of its centre, at the start"),
    {.name = "spin",
     .kind = PARAM_POINT3,
     .offset = offsetof(scene_body, spin),
     .min = -1e4,
     .max = 1e4,
     .unit = "rad/s",
     .help = "at the start; in two dimensions about z"},
    {.name = "hinge",
     .kind = PARAM_BLOCK,
     .offset = offsetof(scene_body, hinge),
     .count_offset = offsetof(scene_body, hinged),
     .optional = true,
     .table = scene_hinge_params,
     .help = "turns about an axis that stands still"},
    {.name = "pin",
     .kind = PARAM_BLOCK,
     .offset = offsetof(scene_body, pin),
     .count_offset = offsetof(scene_body, pinned),
     .optional = true,
     .table = scene_pin_params,
     .help = "turns about a point that stands still"},
    {.name = "slide",
     .kind = PARAM_BLOCK,
     .offset = offsetof(scene_body, slide),
     .count_offset = offsetof(scene_body, sliding),
     .optional = true,
     .table = scene_slide_params,
     .help = "goes along a line and does not turn"},
    {0},
};

const rill_param scene_solid_params[] = {
    RILL_TEXT("name", scene_solid, name, "", "what messages and gauges call it"),
    SHAPE(scene_solid, "what the liquid cannot enter"),
    {.name = "transform",
     .kind = PARAM_BLOCK,
     .offset = offsetof(scene_solid, transform),
     .table = scene_transform_params,
     .help = "moves the shape into place"},
    {.name = "motion",
     .kind = PARAM_BLOCK,
     .offset = offsetof(scene_solid, motion),
     .table = scene_motion_params,
     .sparse = true,
     .help = "moves the placed solid in time, and the liquid with it"},
    RILL_CHOICE("slip", scene_solid, slip, "free", slips,
                "whether liquid slides along it freely or sticks to it"),
    RILL_NUMBER("friction", scene_solid, friction, 0, 0, 10, "",
                "coefficient of friction: liquid that slides along it is slowed by this times the force that "
                "presses the liquid against it"),
    RILL_BOOL("refine", scene_solid, refine, true,
              "elements are small near it, with a method whose elements have several sizes"),
    {.name = "contact",
     .kind = PARAM_BLOCK,
     .offset = offsetof(scene_solid, contact),
     .table = scene_contact_params,
     .help = "how it meets other solids, when one of them is a body"},
    {.name = "body",
     .kind = PARAM_BLOCK,
     .offset = offsetof(scene_solid, body),
     .count_offset = offsetof(scene_solid, is_body),
     .optional = true,
     .table = scene_body_params,
     .help = "the fluid and gravity move it; give its density or its mass"},
    {.name = "material",
     .kind = PARAM_BLOCK,
     .offset = offsetof(scene_solid, material),
     .table = scene_material_params,
     .picture = true,
     .help = "its look in pictures of final quality"},
    {0},
};

static const rill_param box_params[] = {
    POINT_REQUIRED("min", shape_box, min, 0, 0, 0, FAR, "m", "the corner with the smallest coordinates"),
    POINT_REQUIRED("max", shape_box, max, 1, 1, 1, FAR, "m", "the corner with the largest coordinates"),
    {0},
};
static const rill_param sphere_params[] = {
    POINT_REQUIRED("center", shape_sphere, center, 0, 0, 0, FAR, "m", "its middle"),
    LENGTH_REQUIRED("radius", shape_sphere, radius, FAR, "its radius"),
    {0},
};
static const rill_param rod_params[] = {
    POINT_REQUIRED("from", shape_rod, from, 0, 0, 0, FAR, "m", "one end of its axis"),
    POINT_REQUIRED("to", shape_rod, to, 0, 1, 0, FAR, "m", "the other end"),
    LENGTH_REQUIRED("radius", shape_rod, radius, FAR, "its radius"),
    {0},
};
static const rill_param plane_params[] = {
    POINT_REQUIRED("point", shape_flat, point, 0, 0, 0, FAR, "m", "a point of the plane"),
    POINT_REQUIRED("normal", shape_flat, normal, 0, 1, 0, FAR, "",
                   "points out of the half space, any length"),
    {0},
};
static const rill_param disc_params[] = {
    POINT_REQUIRED("center", shape_flat, point, 0, 0, 0, FAR, "m", "its middle"),
    POINT_REQUIRED("normal", shape_flat, normal, 0, 1, 0, FAR, "", "across the disc, any length"),
    LENGTH_REQUIRED("radius", shape_flat, radius, FAR, "its radius"),
    {0},
};

const rill_param scene_mesh_params[] = {
    {.name = "file",
     .kind = PARAM_TEXT,
     .offset = offsetof(scene_mesh, file),
     .text = "",
     .required = true,
     .help = "an OBJ, PLY or STL file; a path that is not absolute starts at the scene file's folder"},
    RILL_BOOL("holes", scene_mesh, holes, false, "close small holes instead of refusing an open mesh"),
    RILL_NUMBER(
        "shell", scene_mesh, shell, 0, 0, FAR, "m",
        "makes the surface a wall of this thickness, half of it on each side, closed or not: a cloth, a "
        "glass; 0: the mesh bounds a volume"),
    RILL_BOOL("z_up", scene_mesh, z_up, false, "the file has z up: [x, y, z] becomes [x, z, -y]"),
    RILL_POSITIVE("scale", scene_mesh, scale, 1, FAR, "m", "length of a unit of the file"),
    RILL_TEXT("hash", scene_mesh, hash, "",
              "of the file's contents, written by Rill when a run begins: a file that has changed since is "
              "refused; leave it out"),
    {0},
};

const rill_param scene_sequence_params[] = {
    {.name = "files",
     .kind = PARAM_TEXT,
     .offset = offsetof(scene_sequence, files),
     .text = "",
     .required = true,
     .help = "numbered OBJ, PLY or STL files, as \"flag_%04d.obj\": %d stands for the number, %04d for one "
             "with zeros before it to four digits. The same vertices and faces in each, in the same order; "
             "they move straight from file to file. A path that is not absolute starts at the scene file's "
             "folder"},
    RILL_INTEGER("first", scene_sequence, first, 0, 0, 999999999, "", "number of the first file"),
    {.name = "last",
     .kind = PARAM_INTEGER,
     .offset = offsetof(scene_sequence, last),
     .min = 0,
     .max = 999999999,
     .required = true,
     .help = "number of the last file; at most 10000 files"},
    RILL_NUMBER("fps", scene_sequence, fps, 0, 0, 1e5, "1/s",
                "files per second; 0: as many as the scene has frames"),
    RILL_NUMBER("start", scene_sequence, start, 0, -SCENE_FOREVER, SCENE_FOREVER, "s",
                "time of the first file; before it and after the last the solid keeps its shape"),
    RILL_BOOL("holes", scene_sequence, holes, false,
              "close small holes of the first file instead of refusing an open mesh, and the same in all"),
    RILL_NUMBER("shell", scene_sequence, shell, 0, 0, FAR, "m",
                "makes the surface a wall of this thickness, as of a mesh; 0: it bounds a volume"),
    RILL_BOOL("z_up", scene_sequence, z_up, false, "the files have z up: [x, y, z] becomes [x, z, -y]"),
    RILL_POSITIVE("scale", scene_sequence, scale, 1, FAR, "m", "length of a unit of the files"),
    RILL_TEXT("hash", scene_sequence, hash, "",
              "of the files' contents, written by Rill when a run begins: files that have changed since are "
              "refused; leave it out"),
    {0},
};

const char *const shape_names[SHAPE_KINDS] = {
    [SHAPE_BOX] = "box",
    [SHAPE_SPHERE] = "sphere",
    [SHAPE_CYLINDER] = "cylinder",
    [SHAPE_CAPSULE] = "capsule",
    [SHAPE_PLANE] = "plane",
    [SHAPE_DISC] = "disc",
    [SHAPE_MESH] = "mesh",
    [SHAPE_SEQUENCE] = "sequence",
    [SHAPE_UNION] = "union",
    [SHAPE_INTERSECTION] = "intersection",
    [SHAPE_DIFFERENCE] = "difference",
};

const rill_param *const shape_params[SHAPE_KINDS] = {
    [SHAPE_BOX] = box_params,         [SHAPE_SPHERE] = sphere_params,
    [SHAPE_CYLINDER] = rod_params,    [SHAPE_CAPSULE] = rod_params,
    [SHAPE_PLANE] = plane_params,     [SHAPE_DISC] = disc_params,
    [SHAPE_MESH] = scene_mesh_params, [SHAPE_SEQUENCE] = scene_sequence_params,
};
