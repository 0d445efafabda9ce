#include "flow/smoke.h"

/* The side of the domain that a source covers and blows in through; NULL: none. */
static const char *inlet_of(const rill_scene *scene, const scene_smoke *m)
{
    static const char *const names[3][2] = {{"-x", "+x"}, {"-y", "+y"}, {"-z", "+z"}};
    const rill_box b = shape_bounds(&m->shape);
    for (int a = 0; a < scene->dimensions; a++) {
        const double u = v3_axis(m->velocity.value, a);
        if (u > 0 && v3_axis(b.min, a) <= v3_axis(scene->domain.min, a)) return names[a][0];
        if (u < 0 && v3_axis(b.max, a) >= v3_axis(scene->domain.max, a)) return names[a][1];
    }
    return NULL;
}

void smoke_warn(rill_ctx *ctx, const rill_scene *scene)
{
    for (uint32_t k = 0; k < scene->smoke_count && !scene->domain.open; k++) {
        const char *side = smoke_blows(&scene->smoke[k]) ? inlet_of(scene, &scene->smoke[k]) : NULL;
        if (side)
            rill_log(
                ctx, RILL_LOG_WARNING,
                "smoke[%u] covers the side \"%s\", and all sides are closed: no gas comes in there, for none "
                "can leave, and its velocity only stirs; add \"open\" to the domain to let gas through",
                k, side);
    }
}
