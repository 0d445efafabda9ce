/* Scenes of solids alone, and points in them, for the tests of solids. */
#pragma once

#include "support.h"

#include "base/random.h"
#include "flow/solids.h"

#include <math.h>

/* A number of a series; streams 1 to 3 are those of random_in. */
static inline double uniform(uint64_t id, uint32_t stream, double lo, double hi)
{
    const random4 r = random_at(23, id, 0, stream);
    return lo + (hi - lo) * random_unit(r.v[0], r.v[1]);
}

static inline rill_vec3 random_in(rill_box b, uint64_t id)
{
    return v3(uniform(id, 1, b.min.x, b.max.x), uniform(id, 2, b.min.y, b.max.y),
              uniform(id, 3, b.min.z, b.max.z));
}

static inline shape box_shape(rill_vec3 min, rill_vec3 max)
{
    return (shape){.kind = SHAPE_BOX, .box = {min, max}};
}

/* 2 by 1 by 1 m, closed; the solids are the caller's. */
static inline rill_scene scene_of(int dimensions, scene_solid *solid, uint32_t count)
{
    rill_scene scene = {.dimensions = dimensions, .spacing = 0.1};
    scene.domain.max = dimensions == 2 ? v3(2, 1, 0) : v3(2, 1, 1);
    scene.solids = solid;
    scene.solid_count = count;
    for (uint32_t i = 0; i < count; i++)
        if (solid[i].transform.scale == 0) solid[i].transform.scale = 1;
    return scene;
}
