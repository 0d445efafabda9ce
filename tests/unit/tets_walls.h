/* Walls for tests of the tets mesher: a box with solids in it, placed without a scene. */
#pragma once

#include "base/vec.h"
#include "tets/mesher.h"

static inline solid_place placed(rill_vec3 at, rill_vec3 axis, double angle)
{
    const double c = cos(angle), s = sin(angle);
    solid_place p = {.center = at};
    axis = v3_unit(axis);
    for (int k = 0; k < 3; k++) {
        rill_vec3 e = {k == 0, k == 1, k == 2};
        p.pose.row[k] = v3_add(v3_scale(e, c), v3_add(v3_scale(v3_cross(axis, e), s),
                                                      v3_scale(axis, (1 - c) * v3_dot(axis, e))));
    }
    p.pose.translate = at;
    p.pose.scale = 1;
    p.bounds = (rill_box){{-1e9, -1e9, -1e9}, {1e9, 1e9, 1e9}};
    return p;
}

static inline wall ball_wall(double radius, rill_vec3 at)
{
    return (wall){.form = {.kind = SHAPE_SPHERE, .sphere = {.radius = radius}},
                  .place = placed(at, v3(0, 0, 1), 0),
                  .refined = true,
                  .body = UINT32_MAX};
}

static inline wall box_wall(rill_vec3 half, rill_vec3 at, rill_vec3 axis, double angle)
{
    return (wall){.form = {.kind = SHAPE_BOX, .box = {v3_neg(half), half}},
                  .place = placed(at, axis, angle),
                  .refined = true,
                  .body = UINT32_MAX};
}
