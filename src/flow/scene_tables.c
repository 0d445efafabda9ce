/* The keys of a scene file: one table per block.
 *
 * Everything that is read, checked, printed and documented about a scene walks these
 * rows; a new key is a new row. Ranges are those of sense, not of taste: they keep
 * numbers where doubles resolve them (a kilometre-sized domain to a nanometre) and
 * catch slips of unit. The values of required keys serve scenes built in C. */
#include "flow/scene.h"

#define POINT(key, type, member, x, y, z, limit, unit_, help_)                                  \
    {                                                                                           \
        .name = key, .kind = PARAM_POINT, .offset = offsetof(type, member), .point = {x, y, z}, \
        .min = -(limit), .max = limit, .unit = unit_, .help = help_                             \
    }
#define POINT_REQUIRED(key, type, member, x, y, z, limit, unit_, help_)                         \
    {                                                                                           \
        .name = key, .kind = PARAM_POINT, .offset = offsetof(type, member), .point = {x, y, z}, \
        .min = -(limit), .max = limit, .unit = unit_, .required = true, .help = help_           \
    }
#define POINT3(key, type, member, limit, unit_, help_)                                                      \
    {                                                                                                       \
        .name = key, .kind = PARAM_POINT3, .offset = offsetof(type, member), .min = -(limit), .max = limit, \
        .unit = unit_, .help = help_                                                                        \
    }
#define SHAPE(type, help_)                                                                       \
    {                                                                                            \
        .name = "shape", .kind = PARAM_SHAPE, .offset = offsetof(type, shape), .required = true, \
        .help = help_                                                                            \
    }
#define BLOCK(key, member, table_, help_)                                                          \
    {                                                                                              \
        .name = key, .kind = PARAM_BLOCK, .offset = offsetof(rill_scene, member), .table = table_, \
        .help = help_                                                                              \
    }
#define LIST(key, member, counter, table_, type, most, help_)                                       \
    {                                                                                               \
        .name = key, .kind = PARAM_LIST, .offset = offsetof(rill_scene, member), .table = table_,   \
        .size = sizeof(type), .count_offset = offsetof(rill_scene, counter), .min = 0, .max = most, \
        .help = help_                                                                               \
    }
#define LENGTH_REQUIRED(key, type, member, hi, help_)                                              \
    {                                                                                              \
        .name = key, .kind = PARAM_NUMBER, .offset = offsetof(type, member), .value = 1, .min = 0, \
        .max = hi, .above_min = true, .required = true, .unit = "m", .help = help_                 \
    }

#define COLOR(type)                                                                                         \
    {                                                                                                       \
        .name = "color", .kind = PARAM_POINT3, .offset = offsetof(type, color), .min = 0, .max = 1,         \
        .count_offset = offsetof(type, colored), .optional = true,                                          \
        .help = "colour of its particles, red, green and blue in linear light: they carry it, the surface " \
                "mixes it, pictures show it; needs a method with particles"                                 \
    }

/* How far from the origin anything may be. */
#define FAR 1e6

static const char *const sides[] = {"-x", "+x", "-y", "+y", "-z", "+z", NULL};
static const char *const slips[] = {"free", "none", NULL};
static const char *const formats[] = {"ply", "vtk", NULL};
static const char *const looks[] = {"surface", "particles", "tracers", "volume", NULL};
static const char *const colors[] = {"speed", "density", "pressure", NULL};

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

const rill_param scene_time_params[] = {
    RILL_INTEGER("frames", scene_time, frames, 120, 1, 1000000, "frames",
                 "length of the animation after the initial state, which is frame 0"),
    RILL_POSITIVE("fps", scene_time, fps, 30, 1e6, "1/s", "frames per second"),
    RILL_NUMBER("preroll", scene_time, preroll, 0, 0, 1e6, "s",
                "time simulated before frame 0 without output: the run starts at -preroll, and frame 0 is "
                "the state at time 0"),
    {0},
};

const rill_param scene_fluid_params[] = {
    RILL_POSITIVE("density", scene_fluid, density, 1000, 1e6, "kg/m^3", "mass per volume"),
    RILL_NUMBER("viscosity", scene_fluid, viscosity, 0, 0, 1e6, "Pa s",
                "dynamic viscosity; water has 0.001, honey about 10"),
    RILL_NUMBER("surface_tension", scene_fluid, surface_tension, 0, 0, 1e3, "N/m",
                "surface tension; water has 0.072"),
    {0},
};

const rill_param scene_liquid_params[] = {
    SHAPE(scene_liquid, "what is liquid when it starts"),
    {.name = "velocity",
     .kind = PARAM_VELOCITY,
     .offset = offsetof(scene_liquid, velocity),
     .min = -1e4,
     .max = 1e4,
     .unit = "m/s",
     .help = "its velocity when it starts: a vector or a named field"},
    RILL_NUMBER("start", scene_liquid, start, 0, 0, SCENE_FOREVER, "s",
                "when it joins; 0: it is there from the beginning"),
    COLOR(scene_liquid),
    {0},
};

const rill_param scene_emitter_params[] = {
    SHAPE(scene_emitter, "where liquid comes out: a disc, or any bounded shape with a direction"),
    POINT("direction", scene_emitter, direction, 0, 0, 0, FAR, "",
          "where the liquid goes; all zeros take the normal of the disc"),
    {.name = "speed",
     .kind = PARAM_NUMBER,
     .offset = offsetof(scene_emitter, speed),
     .value = 1,
     .min = 0,
     .max = 1e3,
     .above_min = true,
     .varies = true,
     .keys_offset = offsetof(scene_emitter, speed_keys),
     .unit = "m/s",
     .help = "speed of the liquid as it comes out"},
    RILL_NUMBER("start", scene_emitter, start, 0, -SCENE_FOREVER, SCENE_FOREVER, "s",
                "when it opens; before 0 in the pre-roll"),
    RILL_NUMBER("end", scene_emitter, end, SCENE_FOREVER, -SCENE_FOREVER, SCENE_FOREVER, "s",
                "when it closes; the default is never"),
    COLOR(scene_emitter),
    {0},
};

const rill_param scene_drain_params[] = {
    SHAPE(scene_drain, "liquid that gets inside is removed"),
    {0},
};

const rill_param scene_tracers_params[] = {
    SHAPE(scene_tracers, "where they come from: a disc, or any shape that is bounded in the domain"),
    RILL_INTEGER("count", scene_tracers, count, 0, 0, 1000000000, "",
                 "how many fill the shape at the start of the run"),
    {.name = "rate",
     .kind = PARAM_NUMBER,
     .offset = offsetof(scene_tracers, rate),
     .value = 0,
     .min = 0,
     .max = 1e9,
     .varies = true,
     .keys_offset = offsetof(scene_tracers, rate_keys),
     .unit = "1/s",
     .help = "how many come in a second"},
    RILL_NUMBER("start", scene_tracers, start, 0, -SCENE_FOREVER, SCENE_FOREVER, "s",
                "when they begin to come; before 0 in the pre-roll"),
    RILL_NUMBER("end", scene_tracers, end, SCENE_FOREVER, -SCENE_FOREVER, SCENE_FOREVER, "s",
                "when they cease to come; the default is never"),
    RILL_POSITIVE("life", scene_tracers, life, SCENE_FOREVER, SCENE_FOREVER, "s",
                  "how long each is there; the default is for ever"),
    RILL_INTEGER("most", scene_tracers, most, 100000000, 1, 1000000000, "",
                 "none come while so many of them are there: what bounds memory in a run without end"),
    {0},
};

const rill_param scene_smoke_params[] = {
    SHAPE(scene_smoke, "where smoke comes from: any shape with a volume"),
    {.name = "velocity",
     .kind = PARAM_VELOCITY,
     .offset = offsetof(scene_smoke, velocity),
     .min = -1e4,
     .max = 1e4,
     .unit = "m/s",
     .help =
         "of the gas in the shape, a vector or a named field; where the shape covers part of a closed side "
         "and "
         "another side is open, gas comes in there at this velocity; zero: the gas there moves as it does"},
    {.name = "density",
     .kind = PARAM_NUMBER,
     .offset = offsetof(scene_smoke, density),
     .max = 1e5,
     .varies = true,
     .keys_offset = offsetof(scene_smoke, density_keys),
     .unit = "kg/m^3",
     .help = "of the soot it gives to the gas, which makes it heavier"},
    {.name = "temperature",
     .kind = PARAM_NUMBER,
     .offset = offsetof(scene_smoke, temperature),
     .value = SCENE_AMBIENT,
     .above_min = true,
     .max = 1e5,
     .varies = true,
     .keys_offset = offsetof(scene_smoke, temperature_keys),
     .unit = "K",
     .help = "of the gas it gives; warmer than 293.15, the temperature around, rises"},
    RILL_NUMBER("rate", scene_smoke, rate, 0, 0, 1e6, "1/s",
                "how fast the gas in the shape takes on density and temperature, exponentially; 0: at once"),
    RILL_NUMBER("tracers_per_second", scene_smoke, tracers, 0, 0, 1e9, "1/s",
                "how many tracers come in a second, to be seen"),
    RILL_NUMBER("start", scene_smoke, start, -SCENE_FOREVER, -SCENE_FOREVER, SCENE_FOREVER, "s",
                "when smoke begins to come; the default is the start of the run"),
    RILL_NUMBER("end", scene_smoke, end, SCENE_FOREVER, -SCENE_FOREVER, SCENE_FOREVER, "s",
                "when it ceases to come; the default is never"),
    {0},
};

const rill_param scene_gas_params[] = {
    RILL_NUMBER("cooling", scene_gas, cooling, 0, 0, 1e6, "1/s",
                "how fast smoke takes on the temperature around, exponentially"),
    RILL_NUMBER("dissipation", scene_gas, dissipation, 0, 0, 1e6, "1/s",
                "how fast the density of smoke goes down, exponentially"),
    {0},
};

#define PAIR(key, type, member, hi, unit_, help_)                                               \
    {                                                                                           \
        .name = key, .kind = PARAM_PAIR, .offset = offsetof(type, member), .min = 0, .max = hi, \
        .unit = unit_, .help = help_                                                            \
    }

const rill_param scene_whitewater_params[] = {
    RILL_NUMBER("trapped_air", scene_whitewater, trapped_air, 800, 0, 1e7, "1/s",
                "white water that a cube of the spacing gives where it meets other liquid head on"),
    RILL_NUMBER("wave_crests", scene_whitewater, wave_crests, 800, 0, 1e7, "1/s",
                "white water that a cube of the spacing gives on a crest that moves outwards"),
    PAIR(
        "air_range", scene_whitewater, air_range, 1e5, "m/s",
        "sum of the speeds at which neighbours come closer, from which trapped air begins and at which it is "
        "full; both 0: from the speed of a fall through the domain"),
    PAIR("crest_range", scene_whitewater, crest_range, 100, "",
         "curvature at which crests begin and are full; both 0: 0.5 and 2"),
    PAIR("speed_range", scene_whitewater, speed_range, 1e4, "m/s",
         "speed below which the liquid gives nothing, and from which it gives all; both 0: from the speed of "
         "a fall through the domain"),
    RILL_NUMBER("buoyancy", scene_whitewater, buoyancy, 2, 0, 1000, "",
                "lift of bubbles, in gravities; they rise at buoyancy times gravity over drag"),
    RILL_NUMBER("drag", scene_whitewater, drag, 80, 0, 1e6, "1/s",
                "how fast bubbles take on the velocity of the liquid"),
    RILL_NUMBER("air_drag", scene_whitewater, air_drag, 0, 0, 1e6, "1/s", "how fast air stops spray"),
    RILL_POSITIVE("life_min", scene_whitewater, life_min, 1, SCENE_FOREVER, "s", "shortest life of foam"),
    RILL_POSITIVE("life_max", scene_whitewater, life_max, 4, SCENE_FOREVER, "s",
                  "longest life of foam, evenly from the shortest on"),
    RILL_INTEGER("most", scene_whitewater, most, 1000000, 1, 100000000, "",
                 "particles of white water at once; the liquid gives less when there are as many"),
    RILL_INTEGER("seed", scene_whitewater, seed, 0, 0, 1000000000, "", "another number, other particles"),
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
                "coefficient of friction: what presses liquid against it slows the liquid that slides along "
                "it, by so many times as much"),
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

/* Of a gauge, whose struct they fill. */
const rill_param scene_flow_params[] = {
    POINT_REQUIRED("center", scene_gauge, point, 0, 0, 0, FAR, "m", "the middle of the disc"),
    POINT_REQUIRED("normal", scene_gauge, normal, 1, 0, 0, FAR, "",
                   "across it; what flows this way counts as positive"),
    LENGTH_REQUIRED("radius", scene_gauge, radius, FAR, "of the disc; in two dimensions half the line"),
    {0},
};

const rill_param scene_gauge_params[] = {
    {.name = "name",
     .kind = PARAM_TEXT,
     .offset = offsetof(scene_gauge, name),
     .text = "",
     .required = true,
     .help = "the head of its column in gauges.csv; velocities and forces have a column per axis, NAME.x"},
    {.name = "pressure, height, velocity, flow or force",
     .kind = PARAM_NAMED_POINT,
     .offset = offsetof(scene_gauge, point),
     .count_offset = offsetof(scene_gauge, kind),
     .words = gauge_names,
     .keys_offset = offsetof(scene_gauge, solid),
     .table = scene_flow_params,
     .min = -FAR,
     .max = FAR,
     .unit = "m",
     .required = true,
     .help = "what it measures, and where"},
    {.name = "with",
     .kind = PARAM_TEXT,
     .offset = offsetof(scene_gauge, with),
     .text = "",
     .sparse = true,
     .help = "the name of a solid that it moves along with, from where it is at the start"},
    {0},
};

#define CAMERA_POINT(key, member, keys, help_)                                                              \
    {                                                                                                       \
        .name = key, .kind = PARAM_POINT3, .offset = offsetof(scene_camera, member), .min = -FAR,           \
        .max = FAR, .varies = true, .keys_offset = offsetof(scene_camera, keys), .unit = "m", .help = help_ \
    }

const rill_param scene_camera_params[] = {
    CAMERA_POINT("eye", eye, eye_keys, "where it stands"),
    CAMERA_POINT("target", target, target_keys, "what it looks at"),
    {.name = "fov",
     .kind = PARAM_NUMBER,
     .offset = offsetof(scene_camera, fov),
     .min = 0,
     .max = 170,
     .varies = true,
     .keys_offset = offsetof(scene_camera, fov_keys),
     .unit = "degrees",
     .help = "vertical angle of view; 0: 30 where eye and target are given, otherwise the camera is fitted "
             "to the domain"},
    RILL_NUMBER("aperture", scene_camera, aperture, 0, 0, 1e3, "m",
                "diameter of the lens in final quality: what is nearer or farther than the focus is blurred; "
                "0: everything is sharp"),
    RILL_NUMBER("focus", scene_camera, focus, 0, 0, FAR, "m",
                "distance of what is sharp, with an aperture; 0: that of the target"),
    {0},
};

const rill_param scene_output_params[] = {
    RILL_BOOL("particles", scene_output, particles, true, "write the particles of every frame"),
    RILL_BOOL("surface", scene_output, surface, true, "write the surface of every frame"),
    RILL_BOOL("tracers", scene_output, tracers, true, "write the tracers of every frame, when there are any"),
    RILL_BOOL("whitewater", scene_output, whitewater, true,
              "write the white water of every frame, when the scene has some"),
    RILL_BOOL(
        "cells", scene_output, cells, false,
        "write the cells of methods that have some (grid), with pressure and more, for rill render --slice"),
    RILL_BOOL("volume", scene_output, volume, false,
              "write fields on a sparse grid as .vdb files, as \"volume\" says; needs OpenVDB"),
    RILL_BOOL("images", scene_output, images, true, "draw every frame"),
    RILL_BOOL("video", scene_output, video, true, "make a video of the images"),
    RILL_FLAGS("formats", scene_output, formats, "ply", formats,
               "file formats of particles and surfaces; \"vtk\": .vtp with an index .pvd, for ParaView"),
    RILL_INTEGER("width", scene_output, width, 960, 16, 8192, "pixels", "width of the images"),
    RILL_INTEGER("height", scene_output, height, 540, 16, 8192, "pixels", "height of the images"),
    {.name = "draft",
     .kind = PARAM_BOOL,
     .offset = offsetof(scene_output, draft),
     .max = 1,
     .picture = true,
     .help = "small images without shadows and refraction, drawn quickly; rill run --draft sets it"},
    RILL_INTEGER("checkpoint", scene_output, checkpoint, 10, 1, 1000000, "frames",
                 "how often the state is saved to resume from"),
    RILL_CHOICE("look", scene_output, look, "surface", looks,
                "what the images show; tracers are drawn with all of them as a mist, with \"tracers\" alone, "
                "and with "
                "\"volume\" as smoke that scatters light and throws shadows"),
    RILL_CHOICE("color", scene_output, color, "speed", colors, "what colours the particles in the images"),
    {0},
};

const char *const scene_surface_words[SURFACE_DEFINITIONS + 1] = {
    [SURFACE_FILTERED] = "filtered",
    [SURFACE_METABALLS] = "metaballs",
    [SURFACE_ZHU_BRIDSON] = "zhu_bridson",
    [SURFACE_DISTANCE] = "distance",
    [SURFACE_ANISOTROPIC] = "anisotropic",
    [SURFACE_WILLIAMS] = "williams",
    [SURFACE_WILLIAMS_LEVEL] = "williams_level",
};

const rill_param scene_surface_params[] = {
    RILL_CHOICE(
        "definition", scene_surface, definition, "filtered", scene_surface_words,
        "what the surface of particles is: filtered, a sum of kernels, smoothed where the liquid is whole; "
        "metaballs, the sum alone; zhu_bridson, averages; distance, "
        "the same with distances that particles carry, for flat and smooth surfaces; anisotropic, a sum of "
        "kernels that lie flat; williams, the smoothest mesh between small and large balls around the "
        "particles; williams_level, the same by a level set, which flickers less where liquid is at rest"),
    RILL_NUMBER("cell", scene_surface, cell, 0.5, 0.1, 1, "spacings",
                "cell of the grid it is sampled on; the grid method takes the nearest whole part of its own"),
    RILL_NUMBER("radius", scene_surface, radius, 0, 0, 8, "spacings",
                "reach of a particle, at least 1; 0: the definition's own (zhu_bridson "
                "and distance 2.5, anisotropic 3, the others 2)"),
    RILL_TEXT("columns", scene_surface, columns, "",
              "columns of the particles that vertices get, besides the velocity: \"density pressure\""),
    RILL_INTEGER("smooth", scene_surface, smooth, 0, 0, 1000, "",
                 "rounds of smoothing that keep the volume; liquid is smoothed, spray is not"),
    RILL_NUMBER("smallest", scene_surface, smallest, 0, 0, 1e9, "particles",
                "drops and bubbles of less volume are left out"),
    RILL_NUMBER(
        "slivers", scene_surface, slivers, 0, 0, 0.5, "cells",
        "edges of triangles below this are collapsed; 0.3 leaves hardly a sliver; three dimensions only"),
    POINT("clip_min", scene_surface, clip_min, 0, 0, 0, FAR, "m",
          "with clip_max: the box outside of which no surface is made; the cut is closed"),
    POINT("clip_max", scene_surface, clip_max, 0, 0, 0, FAR, "m", "the same point as clip_min: no box"),
    {0},
};

const char *const scene_volume_words[VOLUME_FIELDS + 1] = {
    [VOLUME_DENSITY] = "density",
    [VOLUME_TEMPERATURE] = "temperature",
    [VOLUME_VELOCITY] = "velocity",
    [VOLUME_LEVEL_SET] = "level_set",
};

const rill_param scene_volume_params[] = {
    RILL_NUMBER("cell", scene_volume, cell, 1, 0.1, 16, "spacings", "cell of the grid"),
    RILL_FLAGS("fields", scene_volume, fields, "density temperature velocity level_set", scene_volume_words,
               "what files hold of what there is: density of the tracers (1/m^3) or of the soot (kg/m^3), "
               "temperature (K), velocity (m/s), and the signed distance of the liquid's surface (m)"),
    RILL_POSITIVE("thickness", scene_volume, thickness, 1, 1e6, "",
                  "how much light smoke takes away in pictures, 1: as much as the mist of tracers"),
    {0},
};

const rill_param scene_params[] = {
    {.name = "rill",
     .kind = PARAM_INTEGER,
     .offset = offsetof(rill_scene, version),
     .value = 1,
     .min = 1,
     .max = 1,
     .required = true,
     .help = "version of the scene format"},
    RILL_TEXT("name", rill_scene, name, "", "what the scene is called"),
    RILL_INTEGER("dimensions", rill_scene, dimensions, 3, 2, 3, "",
                 "2 or 3; in two dimensions points have two numbers and z is left out"),
    {.name = "domain",
     .kind = PARAM_BLOCK,
     .offset = offsetof(rill_scene, domain),
     .table = scene_domain_params,
     .required = true,
     .help = "the box everything happens in"},
    LENGTH_REQUIRED("spacing", rill_scene, spacing, 1e3,
                    "size of the finest element; means the same to every method"),
    {.name = "gravity",
     .kind = PARAM_POINT,
     .offset = offsetof(rill_scene, gravity),
     .point = {0, -9.81, 0},
     .min = -1e4,
     .max = 1e4,
     .varies = true,
     .keys_offset = offsetof(rill_scene, gravity_keys),
     .unit = "m/s^2",
     .help = "acceleration of everything"},
    BLOCK("time", time, scene_time_params, "how long and how finely"),
    BLOCK("fluid", fluid, scene_fluid_params, "the liquid's properties"),
    {.name = "method",
     .kind = PARAM_METHOD,
     .offset = offsetof(rill_scene, method),
     .help = "how it is simulated; each method has a block of its own, by its name"},
    LIST("liquid", liquid, liquid_count, scene_liquid_params, scene_liquid, 10000, "the liquid at the start"),
    LIST("emitters", emitters, emitter_count, scene_emitter_params, scene_emitter, 10000,
         "where liquid comes in"),
    LIST("drains", drains, drain_count, scene_drain_params, scene_drain, 10000, "where liquid goes away"),
    LIST("tracers", tracers, tracers_count, scene_tracers_params, scene_tracers, 1000,
         "where tracers come from: particles without mass that go with the fluid, as smoke or dye"),
    RILL_BOOL("fill", rill_scene, fill, false,
              "the fluid fills the domain and has no free surface; \"liquid\" then tells its velocity at the "
              "start"),
    LIST("smoke", smoke, smoke_count, scene_smoke_params, scene_smoke, 1000,
         "where smoke comes from, with a method that can"),
    BLOCK("gas", gas, scene_gas_params, "what becomes of smoke by itself"),
    {.name = "whitewater",
     .kind = PARAM_BLOCK,
     .offset = offsetof(rill_scene, whitewater),
     .count_offset = offsetof(rill_scene, has_whitewater),
     .optional = true,
     .table = scene_whitewater_params,
     .help = "spray, foam and bubbles of the liquid; an empty block has the defaults"},
    LIST("solids", solids, solid_count, scene_solid_params, scene_solid, 10000,
         "obstacles, besides the sides of the domain"),
    LIST("gauges", gauges, gauge_count, scene_gauge_params, scene_gauge, 1000, "probes, read at every step"),
    {.name = "camera",
     .kind = PARAM_BLOCK,
     .offset = offsetof(rill_scene, camera),
     .table = scene_camera_params,
     .picture = true,
     .help = "the view of the images"},
    BLOCK("output", output, scene_output_params, "what a run writes"),
    BLOCK("surface", surface, scene_surface_params, "how the surface is made from particles"),
    BLOCK("volume", volume, scene_volume_params,
          "fields on a sparse grid, for files and for smoke in pictures"),
    {.name = "render",
     .kind = PARAM_BLOCK,
     .offset = offsetof(rill_scene, render),
     .table = scene_render_params,
     .picture = true,
     .help = "pictures of final quality, by rill render: light, materials, effort"},
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

const char *const gauge_names[GAUGE_KINDS + 1] = {"pressure", "height", "velocity", "flow", "force", NULL};
const char *const gauge_helps[GAUGE_KINDS] = {
    "the pressure at [x, y, z], in two dimensions [x, y], in Pa",
    "the height of the liquid above the domain's floor at [x, z], in two dimensions [x], in m",
    "the velocity of the fluid at [x, y, z], in two dimensions [x, y], in m/s: columns NAME.x, NAME.y, "
    "NAME.z",
    "the volume that flows through a disc, in m^3/s; in two dimensions through a line, in m^2/s",
    "the force of the fluid's pressure on the solid of this name in N, in two dimensions per metre, and its "
    "torque in N m, of a body about its centre of mass, of others about the pivot of their motion: columns "
    "NAME.x to NAME.z, NAME.tx to NAME.tz. On a body, and in sph on any solid, friction counts too",
};

static const rill_param rotation_params[] = {
    {.name = "angular_velocity",
     .kind = PARAM_POINT3,
     .offset = offsetof(velocity_field, value),
     .min = -1e6,
     .max = 1e6,
     .unit = "rad/s",
     .required = true,
     .help = "along the axis it turns about, right-handed"},
    POINT("center", velocity_field, center, 0, 0, 0, FAR, "m", "a point of the axis"),
    {0},
};
static const rill_param taylor_green_params[] = {
    RILL_POSITIVE("speed", velocity_field, value.x, 1, 1e4, "m/s", "largest speed"),
    {0},
};

const rill_param *const velocity_params[VELOCITY_KINDS] = {NULL, rotation_params, taylor_green_params};
