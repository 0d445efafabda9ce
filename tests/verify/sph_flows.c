/* sph where users found it wrong: jets with an equation of state, thick liquid that collapses, and liquid
 * between cylinders one of which turns. */
#include "sph_cases.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"sph", NULL};
static const double spacing = 0.02;

typedef struct {
    double fastest, residual;
    uint32_t iterations;
} watched;

static rill_status watch(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)sim;
    watched *w = user;
    w->fastest = fmax(w->fastest, stats->max_speed);
    if (!(stats->viscous_iterations > 0)) return RILL_OK;
    w->residual = fmax(w->residual, stats->viscous_residual);
    if (stats->viscous_iterations > w->iterations) w->iterations = stats->viscous_iterations;
    return RILL_OK;
}

/* A jet of ten particles that meets nothing: no particle is faster than it comes out. */
static rill_status jet(verify *v, variant by)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    scene_emitter *e;
    watched w = {0};
    rill_status st = verify_scene(v, 2, (rill_box){{0, 0, 0}, {1, 1.2, 0}}, spacing, &scene);
    if (!st) st = scene_add_emitter(v->ctx, &scene, &e);
    if (!st) {
        e->shape = (shape){.kind = SHAPE_DISC, .flat = {{0.5, 1, 0}, {0, -1, 0}, 0.1}};
        e->speed = 2;
        scene.gravity = v3(0, 0, 0);
        scene.domain.open = 1u << 2; /* -y */
        variant_choose(&scene, by);
        st = verify_create(v, &scene, &sim);
    }
    if (!st) st = verify_run(sim, v->full ? 1 : 0.4, watch, &w);
    if (!st) {
        char name[80];
        snprintf(name, sizeof name, "jet%s: largest speed over the emitter's", variant_name(by));
        verify_figure(v, name, w.fastest / 2, AT_MOST, 1.2);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* A column of a liquid so thick that it creeps: rho g h^2 / mu, without the inertia that water has. */
static rill_status creep(verify *v, double viscosity, double limit)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    watched w = {0};
    rill_status st = verify_scene(v, 2, (rill_box){{0, 0, 0}, {1.2, 0.8, 0}}, spacing, &scene);
    if (!st) st = verify_add_box(v, &scene, (rill_box){{0.4, 0, 0}, {0.8, 0.4, 0}}, (velocity_field){0});
    if (!st) {
        scene.fluid.viscosity = viscosity;
        st = verify_create(v, &scene, &sim);
    }
    if (!st) st = verify_run(sim, 0.05, NULL, NULL); /* pressure comes up */
    if (!st) st = verify_run(sim, 0.2, watch, &w);
    if (!st) {
        char name[80];
        snprintf(name, sizeof name, "column of %g Pa s: largest speed (m/s)", viscosity);
        verify_figure(v, name, w.fastest, viscosity > 1e5 ? WANTED : AT_MOST, limit);
        snprintf(name, sizeof name, "column of %g Pa s: residual of the viscous solve", viscosity);
        verify_figure(v, name, w.residual, AT_MOST, 1e-3);
        snprintf(name, sizeof name, "column of %g Pa s: iterations, most", viscosity);
        verify_figure(v, name, w.iterations, REPORT, NAN);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* ---- between turning cylinders ---- */

static double outside(void *user, rill_vec3 x, rill_vec3 *normal)
{
    (void)user;
    const rill_vec3 d = v3(x.x, x.y, 0);
    if (normal) *normal = v3_neg(v3_unit(d));
    return 0.2 - v3_length(d);
}

static rill_status make_cylinders(verify *v, double size, rill_scene *scene)
{
    scene_solid *inner, *outer;
    TRY(verify_scene(v, 2, (rill_box){{-0.25, -0.25, 0}, {0.25, 0.25, 0}}, size, scene));
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
    return RILL_OK;
}

/* Largest and mean error of the velocity along circles, over the wall's speed; u = A r + B / r. */
static rill_status couette(verify *v, variant by)
{
    const double a = 0.1, b = 0.2, speed = 0.1, slope = speed * a / (a * a - b * b), rest = -slope * b * b;
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    rill_status st = make_cylinders(v, v->full ? 0.005 : 0.01, &scene);
    if (!st) {
        variant_choose(&scene, by);
        st = verify_create(v, &scene, &sim);
    }
    if (!st) st = verify_run(sim, 1, NULL, NULL);
    if (!st) {
        const particles *p = verify_particles(sim);
        double worst = 0, sum = 0;
        for (size_t i = 0; i < p->count; i++) {
            const rill_vec3 x = p->position[i], u = p->velocity[i];
            const double r = hypot(x.x, x.y), along = (x.x * u.y - x.y * u.x) / r;
            const double error = fabs(along - (slope * r + rest / r)) / speed;
            worst = fmax(worst, error);
            sum += error * error;
        }
        char name[80];
        snprintf(name, sizeof name, "Couette%s: largest error over the wall's speed", variant_name(by));
        verify_figure(v, name, worst, WANTED, 0.02);
        snprintf(name, sizeof name, "Couette%s: rms error over the wall's speed", variant_name(by));
        verify_figure(v, name, sqrt(sum / (double)p->count), by == BY_DEFAULT ? AT_MOST : WANTED, 0.02);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run(verify *v)
{
    TRY(couette(v, BY_DEFAULT));
    TRY(couette(v, BY_TAIT));
    for (variant by = BY_DEFAULT; by <= BY_TAIT_LEVELS; by++) TRY(jet(v, by));
    TRY(creep(v, 1e3, 0.29)); /* the grid's 0.245, 0.034 and 0.0055, and a fifth */
    TRY(creep(v, 1e4, 0.04));
    return creep(v, 1e6, 0.0066);
}

const verify_case sph_flows = {"sph-flows", "Jets, thick liquid, Couette flow", methods, run};
