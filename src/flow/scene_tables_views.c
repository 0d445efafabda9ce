/* The keys of what is measured, drawn and written: gauges, camera, output, surface, volumes. */
#include "flow/scene_rows.h"

static const char *const formats[] = {"ply", "vtk", NULL};
static const char *const looks[] = {"surface", "particles", "tracers", "volume", NULL};
static const char *const colors[] = {"speed", "density", "pressure", NULL};

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
