/* V-23: a ball of liquid falls into a pool and is left to settle for 10 s.
 *
 * Mass is a count of particles and must be exact; nothing may be outside the tank in any
 * state; and the settled level is the initial volume over the area of the floor. The
 * level is twice the height of the centre of mass, which spray and ripples hardly change,
 * as a mean over the last two seconds. */
#include "grid/grid.h"
#include "verify/sph_cases.h"
#include "verify/voronoi_cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct limits {
    const char *method;
    double volume;
} limits[] = {
    {"sph", 0.02},
    {"grid", 0.02},
    {"points", 0.05},
};
static const char *const methods[] = {"sph", "grid", "points", "voronoi", NULL}, *const sph_alone[] = {"sph",
                                                                                                       NULL};

static const double depth = 0.3, radius = 0.2, until = 10, settling = 2;

typedef struct {
    rill_ctx *ctx;
    rill_box tank;
    int dimensions;
    double start, fewest, most; /* liquid, in particles */
    double counts, states;      /* particles, summed over the states */
    double outside;             /* most in any state */
    double level, levels;       /* sum and count over the last states */
    double highest;             /* of any particle after the first state */
} record;

static rill_status look(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)stats;
    record *r = user;
    const particles *p = verify_particles(sim);
    double outside = 0;
    for (size_t i = 0; i < p->count; i++) {
        bool inside = true;
        for (int a = 0; a < r->dimensions; a++) {
            const double x = v3_axis(p->position[i], a);
            inside = inside && x >= v3_axis(r->tank.min, a) && x <= v3_axis(r->tank.max, a);
        }
        outside += !inside; /* what is not finite is not inside */
        r->highest = fmax(r->highest, p->position[i].y);
    }
    r->outside = fmax(r->outside, outside);
    const double all = verify_shares(p);
    r->fewest = fmin(r->fewest, all);
    r->most = fmax(r->most, all);
    r->counts += (double)p->count;
    r->states++;
    if (sim->time >= until - settling) {
        r->level += 2 * verify_mean(r->ctx, p, p->position).y;
        r->levels++;
    }
    return RILL_OK;
}

static rill_status add_ball(verify *v, rill_scene *scene, rill_vec3 center)
{
    scene_liquid *liquid;
    TRY(scene_add_liquid(v->ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {center, radius}};
    liquid->velocity.value = v3(0, -1, 0);
    return RILL_OK;
}

static void state_figures(verify *v, variant by, const record *r, double volume)
{
    const struct limits *limit = limits;
    while (strcmp(limit->method, v->method) != 0) limit++; /* every name of `methods` has a row */
    char name[80];
    const int d = r->dimensions;
    const char *with = variant_name(by);
    snprintf(name, sizeof name, "particles lost or gained, %dD%s", d, with);
    /* Points too near each other are merged, and others put in: their count is not their mass. */
    const bool counted = strcmp(v->method, "points") != 0;
    verify_figure(v, name, r->most - r->fewest, counted ? AT_MOST : REPORT, 0);
    snprintf(name, sizeof name, "particles outside the tank, %dD%s", d, with);
    verify_figure(v, name, r->outside, AT_MOST, 0);
    snprintf(name, sizeof name, "settled volume, error, %dD%s", d, with);
    verify_figure(v, name, fabs(r->level / r->levels / volume - 1), AT_MOST, limit->volume);
    snprintf(name, sizeof name, "settled volume / initial, %dD%s", d, with);
    verify_figure(v, name, r->level / r->levels / volume, REPORT, 0);
    snprintf(name, sizeof name, "highest splash (m), %dD%s", d, with);
    verify_figure(v, name, r->highest, REPORT, 0);
    if (!variant_sized(by)) return;
    snprintf(name, sizeof name, "particles, those of one size over the mean, %dD%s", d, with);
    verify_figure(v, name, r->start * r->states / r->counts, REPORT, 0);
}

static rill_status splash(verify *v, variant by, int dimensions, double spacing)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    record r = {.ctx = v->ctx, .tank = {{0, 0, 0}, {1, 2, 1}}, .dimensions = dimensions};
    rill_status st = verify_scene(v, dimensions, r.tank, spacing, &scene);
    if (!st) verify_param(&scene, "wave", 0.25); /* grid: steps that follow short waves */
    if (!st) variant_choose(&scene, by);
    if (!st) st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {1, depth, 1}}, (velocity_field){0});
    if (!st) st = add_ball(v, &scene, v3(0.45, 0.7, dimensions == 3 ? 0.5 : 0));
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) {
        r.start = r.fewest = r.most = verify_shares(verify_particles(sim));
        st = verify_run(sim, until, look, &r);
    }
    /* The floor has an area of 1. */
    if (!st) state_figures(v, by, &r, r.start * pow(scene_particle_spacing(&scene), dimensions));
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* The grid's level sets: their own volume, at any time after the first state. */
typedef struct {
    double first, most, last;
} drift;

static rill_status look_at_volume(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)sim;
    drift *d = user;
    if (d->first == 0) d->first = stats->volume;
    d->last = fabs(stats->volume / d->first - 1);
    d->most = fmax(d->most, d->last);
    return RILL_OK;
}

static rill_status level_set(verify *v, int surface, const char *name, double limit)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    drift d = {0};
    rill_status st = verify_scene(v, 2, (rill_box){{0, 0, 0}, {1, 2, 1}}, 1.0 / 40, &scene);
    if (!st) st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {1, depth, 1}}, (velocity_field){0});
    if (!st) st = add_ball(v, &scene, v3(0.45, 0.7, 0));
    if (!st) {
        ((grid_def *)scene_method_def_of(&scene, "grid"))->surface = surface;
        st = verify_create(v, &scene, &sim);
    }
    if (!st) st = verify_run(sim, until, look_at_volume, &d);
    if (!st) {
        char text[80];
        snprintf(text, sizeof text, "%s: volume after 10 s, error", name);
        verify_figure(v, text, d.last, AT_MOST, limit);
        snprintf(text, sizeof text, "%s: volume at any time, error", name);
        verify_figure(v, text, d.most, REPORT, 0);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run(verify *v)
{
    if (strcmp(v->method, "voronoi") == 0) return v23_voronoi(v);
    TRY(splash(v, BY_DEFAULT, 2, 1.0 / 40));
    if (v->full) TRY(splash(v, BY_DEFAULT, 3, 1.0 / 20));
    if (strcmp(v->method, "grid") != 0) return RILL_OK;
    TRY(level_set(v, GRID_LEVEL_SET, "level set, 2D", 0.10));
    return level_set(v, GRID_PARTICLE_SET, "level set with particles, 2D", 0.02);
}

static rill_status run_levels(verify *v)
{
    const variant both[2] = {BY_LEVELS, BY_TAIT_LEVELS};
    for (int k = 0; k < 2; k++) {
        TRY(splash(v, both[k], 2, 1.0 / 40));
        if (v->full) TRY(splash(v, both[k], 3, 1.0 / 20));
    }
    return RILL_OK;
}

const verify_case v23_levels = {"V-23-levels", "Splash, long-run volume, with several sizes", sph_alone,
                                run_levels};
const verify_case v23_splash = {"V-23", "Splash, long-run volume", methods, run};
