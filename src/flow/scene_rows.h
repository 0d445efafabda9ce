/* Rows of the scene's tables by kind (param.h has the general ones), for the files that hold the tables. */
#pragma once

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
