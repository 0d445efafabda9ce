/* Scenes for the tests of the points method: a tank, and boxes of liquid in it. */
#pragma once

#include "support.h"

#include "points/state.h"
#include "run/registry.h"

static const double D = 0.05; /* spacing */

/* From the origin on, 0.3 m deep in three dimensions. */
static inline rill_scene points_tank(rill_ctx *ctx, int dimensions, double width, double height)
{
    rill_scene scene;
    assert_ok(ctx, scene_default(ctx, rill_methods, rill_method_count, &scene));
    scene.method = &points_method;
    scene.dimensions = dimensions;
    scene.spacing = D;
    scene.domain.min = v3(0, 0, dimensions == 2 ? -D / 2 : 0);
    scene.domain.max = v3(width, height, dimensions == 2 ? D / 2 : 0.3);
    return scene;
}

static inline points_def *points_def_of(rill_scene *scene)
{
    return scene_method_def_of(scene, "points");
}

static inline scene_liquid *points_add_liquid(rill_ctx *ctx, rill_scene *scene, rill_box box,
                                              rill_vec3 velocity)
{
    scene_liquid *liquid;
    assert_ok(ctx, scene_add_liquid(ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {box.min, box.max}};
    liquid->velocity.value = velocity;
    return liquid;
}
