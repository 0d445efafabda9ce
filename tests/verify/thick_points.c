/* Thick liquids: between turning cylinders, in a column that sinks, in a drop that turns.
 *
 * Couette: a cylinder of radius 0.1 that turns in one of 0.2 at rest, no slip: u = A r + B / r. Stated is the
 * largest error of the velocity along the circles over the wall's speed, of any point. Column: 0.2 by 0.5 m
 * in a corner, walls that slip. Its peak speed in half a second beside what the grid has at the same spacing;
 * in thick liquids speeds go with one over the viscosity. Drop: viscosity takes nothing of a
 * rotation. */
#include "points/points.h"
#include "run/registry.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"points", NULL};
enum { ROTATION = 1 /* in velocity_field_names */ };

static double outside(void *user, rill_vec3 x, rill_vec3 *normal)
{
    (void)user;
    const rill_vec3 d = v3(x.x, x.y, 0);
    if (normal) *normal = v3_neg(v3_unit(d));
    return 0.2 - v3_length(d);
}

static rill_status make_cylinders(verify *v, double spacing, rill_scene *scene)
{
    scene_solid *inner, *outer;
    TRY(verify_scene(v, 2, (rill_box){{-0.25, -0.25, 0}, {0.25, 0.25, 0}}, spacing, scene));
    TRY(verify_add_box(v, scene, (rill_box){{-1, -1, -1}, {1, 1, 1}}, (velocity_field){0}));
    TRY(scene_add_solid(v->ctx, scene, &inner));
    inner->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0, 0, 0}, 0.1}};
    inner->slip = SLIP_NONE;
    TRY(MEM_NEW_ZERO(v->ctx, inner->motion.key, 2));
    inner->motion.count = 2;
    inner->motion.key[1].t = 10;
    inner->motion.key[1].rotate = v3(0, 0, 1800 / M_PI); /* 1 rad/s */
    TRY(scene_add_solid(v->ctx, scene, &outer));
    outer->shape = (shape){.kind = SHAPE_FUNCTION};
    outer->shape.by_function.function = outside;
    outer->shape.by_function.bounds = (rill_box){{-1, -1, -1}, {1, 1, 1}};
    outer->slip = SLIP_NONE;
    scene->gravity = v3(0, 0, 0);
    scene->fluid.viscosity = 10;
    ((points_def *)scene_method_def_of(scene, "points"))->filled = true; /* there is no surface */
    return RILL_OK;
}

static double couette_error(const particles *p)
{
    const double a = 0.1, b = 0.2, speed = 0.1, slope = speed * a / (a * a - b * b), rest = -slope * b * b;
    double worst = 0;
    for (size_t i = 0; i < p->count; i++) {
        const rill_vec3 x = p->position[i], u = p->velocity[i];
        const double r = hypot(x.x, x.y), along = (x.x * u.y - x.y * u.x) / r;
        worst = fmax(worst, fabs(along - (slope * r + rest / r)) / speed);
    }
    return worst;
}

static rill_status couette(verify *v, double spacing, double limit)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    char name[64];
    rill_status st = make_cylinders(v, spacing, &scene);
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = verify_run(sim, 1, NULL, NULL);
    if (!st) {
        snprintf(name, sizeof name, "Couette at spacing %g: largest error / wall speed", spacing);
        verify_figure(v, name, couette_error(verify_particles(sim)), AT_MOST, limit);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

typedef struct {
    double speed, residual;
    uint32_t iterations;
} peak;

static rill_status look(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)sim;
    peak *p = user;
    p->speed = fmax(p->speed, stats->max_speed);
    p->residual = fmax(p->residual, stats->viscous_residual);
    p->iterations = stats->viscous_iterations > p->iterations ? stats->viscous_iterations : p->iterations;
    return RILL_OK;
}

static rill_status column(verify *v, const char *method, double viscosity, peak *out)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    *out = (peak){0};
    rill_status st = verify_scene(v, 2, (rill_box){{0, 0, 0}, {1, 0.6, 0}}, 0.02, &scene);
    if (!st) st = verify_add_box(v, &scene, (rill_box){{0, 0, -1}, {0.2, 0.5, 1}}, (velocity_field){0});
    if (!st) {
        scene.method = rill_method_find(method);
        scene.fluid.viscosity = viscosity;
        st = verify_create(v, &scene, &sim);
    }
    if (!st) st = verify_run(sim, 0.5, look, out);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status columns(verify *v)
{
    static const double viscosity[] = {1e3, 1e4, 1e6};
    peak p[3], grid;
    double residual = 0, iterations = 0;
    for (int k = 0; k < 3; k++) {
        char name[80];
        TRY(column(v, "points", viscosity[k], &p[k]));
        TRY(column(v, "grid", viscosity[k], &grid));
        residual = fmax(residual, p[k].residual);
        iterations = fmax(iterations, p[k].iterations);
        snprintf(name, sizeof name, "column at %g Pa s: peak speed, difference to the grid's", viscosity[k]);
        verify_figure(v, name, fabs(p[k].speed / grid.speed - 1), AT_MOST, 0.2);
    }
    verify_figure(v, "column at 1e6 Pa s: peak speed x 100 / that at 1e4 - 1",
                  fabs(100 * p[2].speed / p[1].speed - 1), AT_MOST, 0.2);
    verify_figure(v, "columns: largest residual of the viscous solve", residual, AT_MOST, 1e-6);
    verify_figure(v, "columns: most iterations of the viscous solve", iterations, AT_MOST, 150);
    return RILL_OK;
}

static double momentum(const rill_sim *sim)
{
    const particles *p = verify_particles(sim);
    double sum = 0;
    for (size_t i = 0; i < p->count; i++)
        sum += (p->position[i].x - 0.5) * p->velocity[i].y - (p->position[i].y - 0.5) * p->velocity[i].x;
    return sum;
}

/* Of the angular momentum, what is kept after a turn of a quarter of a radian. */
static rill_status turning(verify *v, double viscosity, double *kept)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    scene_liquid *liquid;
    rill_status st = verify_scene(v, 2, (rill_box){{0, 0, 0}, {1, 1, 0}}, 1.0 / 32, &scene);
    if (!st) st = scene_add_liquid(v->ctx, &scene, &liquid);
    if (!st) {
        liquid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.5, 0}, 0.4}};
        liquid->velocity =
            (velocity_field){.named = ROTATION, .value = {0, 0, 0.25}, .center = {0.5, 0.5, 0}};
        scene.gravity = v3(0, 0, 0);
        scene.fluid.viscosity = viscosity;
        st = verify_create(v, &scene, &sim);
    }
    const double before = st ? 1 : momentum(sim);
    if (!st) st = verify_run(sim, 1, NULL, NULL);
    if (!st) *kept = momentum(sim) / before;
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run(verify *v)
{
    double kept[2];
    TRY(couette(v, 0.01, 0.03));
    if (v->full) TRY(couette(v, 0.005, 0.02));
    TRY(columns(v));
    TRY(turning(v, 0, &kept[0]));
    TRY(turning(v, 100, &kept[1]));
    verify_figure(v, "drop that turns, 100 Pa s: angular momentum taken", fabs(kept[0] - kept[1]), AT_MOST,
                  0.01);
    return RILL_OK;
}

const verify_case thick_points = {"thick-points", "Thick liquids: cylinders, a column, a drop", methods, run};
