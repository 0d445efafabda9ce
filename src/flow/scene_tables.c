/* The keys of a scene file: one table per block. Here the fluid, where it comes from, and the scene itself;
 * scene_tables_solids.c has the domain and solids, scene_tables_views.c what is measured, drawn and written.
 *
 * Everything that is read, checked, printed and documented about a scene walks these
 * rows; a new key is a new row. Ranges are those of sense, not of taste: they keep
 * numbers where doubles resolve them (a kilometre-sized domain to a nanometre) and
 * catch slips of unit. The values of required keys serve scenes built in C. */
#include "flow/scene.h"
#include "flow/scene_rows.h"

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
                  "lifetime of each; the default is for ever"),
    RILL_INTEGER("most", scene_tracers, most, 100000000, 1, 1000000000, "",
                 "largest number of tracers of this source at a time, which bounds the memory of long runs"),
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
    RILL_INTEGER("seed", scene_whitewater, seed, 0, 0, 1000000000, "", "seed of the random numbers"),
    {0},
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
     .help = "gravitational acceleration"},
    BLOCK("time", time, scene_time_params, "length of the run and frames per second"),
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
    RILL_BOOL(
        "fill", rill_scene, fill, false,
        "the fluid fills the domain and has no free surface; \"liquid\" then gives its initial velocity"),
    LIST("smoke", smoke, smoke_count, scene_smoke_params, scene_smoke, 1000,
         "sources of smoke, in a domain that gas fills (\"fill\")"),
    BLOCK("gas", gas, scene_gas_params, "how fast smoke cools and dissipates"),
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
