/* Pressures of points: on the floor under a film at rest, and on a box that a dam break hits.
 *
 * Film: five spacings deep; the floor bears its weight, in the mean from 0.5 s on. Impact: the largest of the
 * means over 5 ms of the pressure at the face of the box, beside the grid's at the same spacing. A single
 * solve's pressure may spike where points meet the box; what lasts must not. */
#include "run/registry.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"points", NULL};
static const double gravity = 9.81;

enum { PLACES = 16 };
typedef struct {
    rill_vec3 x[PLACES];
    double since, before, time, sum;
} floor_mean;

static rill_status look_at_floor(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)stats;
    floor_mean *f = user;
    const double dt = sim->time - f->before;
    double p[PLACES];
    f->before = sim->time;
    if (sim->time < f->since) return RILL_OK;
    TRY(sim->method->pressure(sim, PLACES, f->x, p));
    for (int k = 0; k < PLACES; k++) f->sum += dt * p[k] / PLACES;
    f->time += dt;
    return RILL_OK;
}

static rill_status film(verify *v, int dimensions)
{
    const double spacing = 0.04, depth = 5 * spacing, width = dimensions == 2 ? 1 : 0.4;
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    char name[64];
    floor_mean f = {.since = 0.5};
    for (int k = 0; k < PLACES; k++)
        f.x[k] = v3((k + 0.5) / PLACES * width, 0, dimensions == 2 ? 0 : (k % 4 + 0.5) / 4 * width);
    rill_status st = verify_scene(v, dimensions, (rill_box){{0, 0, 0}, {width, 0.4, width}}, spacing, &scene);
    if (!st) {
        scene.gravity = v3(0, -gravity, 0);
        st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {width, depth, width}}, (velocity_field){0});
    }
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = verify_run(sim, v->full ? 2 : 0.7, look_at_floor, &f);
    if (!st) {
        snprintf(name, sizeof name, "film, %dD: pressure on the floor / (rho g depth) - 1", dimensions);
        verify_figure(v, name, fabs(f.sum / f.time / (scene.fluid.density * gravity * depth) - 1), AT_MOST,
                      0.05);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* Means over windows of 5 ms, one after the other, at each place; the largest of all. */
typedef struct {
    rill_vec3 x[PLACES];
    double before, time, sum[PLACES], peak;
} impact_peak;

static rill_status look_at_box(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)stats;
    impact_peak *f = user;
    const double dt = sim->time - f->before;
    double p[PLACES];
    f->before = sim->time;
    TRY(sim->method->pressure(sim, PLACES, f->x, p));
    for (int k = 0; k < PLACES; k++) f->sum[k] += dt * p[k];
    f->time += dt;
    if (f->time < 0.005) return RILL_OK;
    for (int k = 0; k < PLACES; k++) {
        f->peak = fmax(f->peak, f->sum[k] / f->time);
        f->sum[k] = 0;
    }
    f->time = 0;
    return RILL_OK;
}

static rill_status impact(verify *v, const char *method, int dimensions, double spacing, double *peak)
{
    const double deep = dimensions == 2 ? 0 : 0.4, side = 0.16, front = 1;
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    scene_solid *box;
    impact_peak f = {.peak = 0};
    for (int k = 0; k < PLACES; k++)
        f.x[k] = v3(front, (k % 4 + 0.5) / 4 * side,
                    dimensions == 2 ? 0 : 0.5 * (deep - side) + (k / 4 + 0.5) / 4 * side);
    rill_status st = verify_scene(v, dimensions, (rill_box){{0, 0, 0}, {1.6, 0.8, deep}}, spacing, &scene);
    if (!st) {
        scene.method = rill_method_find(method);
        scene.gravity = v3(0, -gravity, 0);
        st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {0.5, 0.5, deep}}, (velocity_field){0});
    }
    if (!st) st = scene_add_solid(v->ctx, &scene, &box);
    if (!st) {
        const double z = 0.5 * (deep - side);
        box->shape = (shape){.kind = SHAPE_BOX,
                             .box = {{front, -1, dimensions == 2 ? -1 : z},
                                     {front + side, side, dimensions == 2 ? 1 : z + side}}};
        st = verify_create(v, &scene, &sim);
    }
    if (!st) st = verify_run(sim, 0.5, look_at_box, &f);
    *peak = f.peak;
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status beside_grid(verify *v, int dimensions, double spacing)
{
    double own, grid;
    char name[80];
    TRY(impact(v, "points", dimensions, spacing, &own));
    TRY(impact(v, "grid", dimensions, spacing, &grid));
    snprintf(name, sizeof name, "impact, %dD, spacing %g: peak over 5 ms / the grid's", dimensions, spacing);
    verify_figure(v, name, own / grid, dimensions == 2 ? AT_MOST : WANTED, 2);
    snprintf(name, sizeof name, "impact, %dD, spacing %g: the grid's peak, kPa", dimensions, spacing);
    verify_figure(v, name, 1e-3 * grid, REPORT, 0);
    return RILL_OK;
}

static rill_status run(verify *v)
{
    TRY(film(v, 2));
    TRY(film(v, 3));
    TRY(beside_grid(v, 2, 0.02));
    if (v->full) TRY(beside_grid(v, 3, 0.04));
    return RILL_OK;
}

const verify_case points_pressure = {"points-pressure", "Pressures under a film and at an impact", methods,
                                     run};
