#include "flow/drift.h"

#include "flow/tracers.h"

rill_status drift_init(rill_arena *arena, const rill_scene *scene, const solids *walls, double time,
                       double dt, drift *out)
{
    rill_box *drain;
    TRY(ARENA_NEW(arena, drain, scene->drain_count));
    for (uint32_t k = 0; k < scene->drain_count; k++) drain[k] = shape_bounds(&scene->drains[k].shape);
    *out = (drift){.scene = scene,
                   .walls = walls,
                   .time = time,
                   .dt = dt,
                   .drain = drain,
                   .clearance = tracers_clearance(scene),
                   .wander = walls->moving ? dt * solids_max_speed(walls, time, time + dt) : 0,
                   .farthest = 100 * v3_distance(scene->domain.min, scene->domain.max)};
    return RILL_OK;
}

bool drift_near(const drift *d, size_t count, const rill_vec3 *from, const rill_vec3 *to)
{
    if (d->walls->count == 0) return false;
    rill_box b = {v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
    double longest = 0;
    for (size_t j = 0; j < count; j++) {
        b.min = v3_min(b.min, from[j]);
        b.max = v3_max(b.max, from[j]);
        longest = fmax(longest, v3_distance(from[j], to[j]));
    }
    const rill_vec3 center = box_center(b);
    const double reach = v3_distance(center, b.max) + longest + d->wander + d->clearance;
    for (uint32_t k = 0; k < d->walls->count; k++)
        if (!(solids_room(d->walls, k, center, d->time + d->dt, 2 * reach) > reach)) return true;
    return false;
}

/* The closed sides of the domain: a convex box needs no following of the way. */
static void keep_inside(const drift *d, rill_vec3 *x, rill_vec3 *v)
{
    const scene_domain *domain = &d->scene->domain;
    for (int a = 0; a < d->scene->dimensions; a++) {
        const double low = v3_axis(domain->min, a) + d->clearance,
                     high = v3_axis(domain->max, a) - d->clearance;
        const double at = v3_axis(*x, a), speed = v3_axis(*v, a);
        if (at < low && !(domain->open & 1u << (2 * a))) {
            v3_set_axis(x, a, low);
            if (speed < 0) v3_set_axis(v, a, 0);
        } else if (at > high && !(domain->open & 1u << (2 * a + 1))) {
            v3_set_axis(x, a, high);
            if (speed > 0) v3_set_axis(v, a, 0);
        }
    }
}

static uint8_t fate_of(const drift *d, rill_vec3 x)
{
    const rill_scene *scene = d->scene;
    const scene_domain *domain = &scene->domain;
    for (int a = 0; a < scene->dimensions; a++) {
        const double low = v3_axis(domain->min, a), high = v3_axis(domain->max, a), at = v3_axis(x, a);
        if (!(at >= low && at <= high))
            return FATE_LEFT; /* through an open side; from the others it is kept */
    }
    for (uint32_t k = 0; k < scene->drain_count; k++)
        if (box_contains(d->drain[k], x) && shape_distance(&scene->drains[k].shape, x, NULL) < 0)
            return FATE_DRAINED;
    return FATE_STAYS;
}

uint8_t drift_point(const drift *d, bool near, double dt, rill_vec3 to, rill_vec3 *x, rill_vec3 *v)
{
    if (!(v3_distance(to, *x) < d->farthest)) return FATE_ENDED;
    if (near)
        solids_push_out(d->walls, d->time + d->dt - dt, d->time + d->dt, d->clearance, *x, &to, v);
    else
        keep_inside(d, &to, v);
    *x = to;
    return fate_of(d, to);
}
