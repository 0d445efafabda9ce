/* Advection-reflection, Zehnder, Narain and Thomaszewski 2018: in the middle of a step the velocity u* that
 * advection brought is mirrored at the divergence-free one, and the second half of the step carries
 * 2 P u* - u* along P u*. What pressure takes out twice is the kinetic energy that a single projection loses.
 *
 * Gravity and tension act on what is carried once: with them the velocity of the middle is u = P(P u* + f
 * dt/2), and 2 P u* - u* + (u - P u*) is carried. Liquid at rest stays at rest, and falling liquid falls with
 * g. */
#include "base/parallel.h"
#include "voronoi/correct.h"

#include <string.h>

static bool has_forces(const brochu *s, double t)
{
    const rill_vec3 g = scene_gravity(s->sim.scene, t);
    return v3_dot(g, g) > 0 || s->sim.scene->fluid.surface_tension > 0;
}

rill_status brochu_project_mirrored(brochu *s, brochu_diagram *d, double t, double dt, rill_step_stats *stats)
{
    const uint32_t n = d->faces.count;
    double *speed = d->faces.speed;
    TRY(ARENA_NEW(&d->arena, d->mirrored, n + 1));
    memcpy(d->mirrored, speed, n * sizeof *speed);
    TRY(brochu_project(s, d, t, dt, false, stats));
    projection_reflect(s->sim.ctx, n, d->mirrored, speed, d->mirrored);
    d->moving = d->pressure;
    if (!has_forces(s, t)) return RILL_OK;
    const uint32_t iterations = stats->solve_iterations;
    for (uint32_t e = 0; e < n; e++) d->mirrored[e] -= speed[e];
    TRY(brochu_project(s, d, t, dt, true, stats));
    for (uint32_t e = 0; e < n; e++) d->mirrored[e] += speed[e];
    for (uint32_t i = 0; i < d->sites.real; i++) d->pressure[i] += d->moving[i];
    stats->solve_iterations += iterations;
    return RILL_OK;
}

rill_status brochu_mirror(brochu *s, brochu_diagram *d)
{
    brochu_field *mirror;
    TRY(ARENA_NEW(&d->arena, mirror, 1));
    TRY(brochu_field_of(s, d, d->mirrored, false, mirror));
    d->mirror = mirror;
    return RILL_OK;
}

static void pressure_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    brochu *s = arg;
    brochu_diagram *d = brochu_now(s);
    const brochu_diagram *middle = &s->diagram[1 - s->now];
    for (size_t i = begin; middle->sites.real && i < end; i++)
        if (d->sites.liquid[i])
            d->pressure[i] += middle->moving[brochu_nearest(s, middle, d->sites.x[i], SITE_NONE)];
}

void brochu_mirror_pressure(brochu *s)
{
    parallel_for(s->sim.ctx, brochu_now(s)->sites.real, BROCHU_BLOCK, pressure_block, s);
}
