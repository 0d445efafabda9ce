/* V-12 and V-16 for the voronoi method: liquid at rest on a mesh off its lattice, and a standing wave. The
 * wave is a slab of four spacings, started from the flat surface with the velocities of linear theory. */
#include "verify/voronoi_cases.h"
#include "voronoi/voronoi.h"

#include <math.h>
#include <stdio.h>

static const double gravity = 9.81, depth = 0.5, wave = M_PI;

/* ---- V-12 ---- */

typedef struct {
    double speed;
} rest;

static rill_status look_rest(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)sim;
    rest *r = user;
    r->speed = fmax(r->speed, stats->max_speed);
    return RILL_OK;
}

/* Pressure along a vertical line below the surface. */
static rill_status pressure_error(verify *v, const rill_sim *sim, double *out)
{
    enum { POINTS = 20 };
    rill_vec3 x[POINTS];
    double p[POINTS];
    const double density = sim->scene->fluid.density;
    for (int i = 0; i < POINTS; i++) x[i] = v3(0.43, depth * (i + 0.5) / POINTS, 0.57);
    TRY(sim->method->pressure(sim, POINTS, x, p));
    *out = 0;
    for (int i = 0; i < POINTS; i++)
        *out = fmax(*out, fabs(p[i] / (density * gravity * (depth - x[i].y)) - 1));
    (void)v;
    return RILL_OK;
}

/* 0: the box alone; 1: with a ball in it that breaks the surface; 2: with a ramp along one side. */
static rill_status add_solid(verify *v, rill_scene *scene, int which)
{
    scene_solid *solid;
    if (!which) return RILL_OK;
    TRY(scene_add_solid(v->ctx, scene, &solid));
    if (which == 1)
        solid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.72, 0.45, 0.3}, 0.2}};
    else
        solid->shape = (shape){.kind = SHAPE_PLANE, .flat = {{0.15, 0, 0}, {0.8, 0.6, 0}, 0}};
    return RILL_OK;
}

static rill_status at_rest(verify *v, int which)
{
    static const char *const names[] = {"", ", ball", ", ramp"};
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    rest r = {0};
    char name[80];
    rill_status st = verify_scene(v, 3, (rill_box){{0, 0, 0}, {1, 1, 1}}, 0.1, &scene);
    if (!st) {
        scene.gravity = v3(0, -gravity, 0);
        verify_param(&scene, "jitter", 0.25);
        st = add_solid(v, &scene, which);
    }
    if (!st) st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {1, depth, 1}}, (velocity_field){0});
    if (!st) st = verify_create(v, &scene, &sim);
    const double before = !st ? voronoi_volume(voronoi_surface(sim)) : 0;
    double pressure = NAN;
    if (!st) st = verify_run(sim, v->full ? 10 : 1, look_rest, &r);
    if (!st) st = pressure_error(v, sim, &pressure);
    if (!st) {
        snprintf(name, sizeof name, "largest speed / sqrt(gH)%s", names[which]);
        verify_figure(v, name, r.speed / sqrt(gravity * depth), AT_MOST, 1e-6);
        snprintf(name, sizeof name, "volume, change%s", names[which]);
        verify_figure(v, name, fabs(voronoi_volume(voronoi_surface(sim)) / before - 1), AT_MOST, 1e-4);
        snprintf(name, sizeof name, "pressure, largest error%s", names[which]);
        verify_figure(v, name, pressure, AT_MOST, 1e-3);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

rill_status v12_voronoi(verify *v)
{
    for (int which = 0; which < 3; which++) TRY(at_rest(v, which));
    return RILL_OK;
}

/* ---- V-16 ---- */

enum { MOST = 64 };
static const double amplitude = 0.02;

typedef struct {
    double t, a, zero[MOST], extreme[MOST + 1];
    int zeros;
} record;

static double omega(void)
{
    return sqrt(gravity * wave * tanh(wave * depth));
}

static rill_vec3 passing(void *user, rill_vec3 x)
{
    (void)user;
    const double u = amplitude * omega() / sinh(wave * depth);
    return v3(-u * cosh(wave * x.y) * sin(wave * x.x), u * sinh(wave * x.y) * cos(wave * x.x), 0);
}

static double sine(void *user, rill_vec3 x)
{
    (void)user;
    return sin(wave * x.x) / wave;
}

/* a = (2 / (L W)) integral of cos kx over the liquid, by the divergence theorem. */
static rill_status look_wave(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)stats;
    record *r = user;
    const double width = sim->scene->domain.max.z - sim->scene->domain.min.z, t = sim->time;
    const double a = 2 * voronoi_flux(voronoi_surface(sim), 0, sine, NULL) / width;
    if ((a > 0) != (r->a > 0) && r->a != 0 && r->zeros < MOST)
        r->zero[r->zeros++] = r->t + (t - r->t) * r->a / (r->a - a);
    r->extreme[r->zeros] = fmax(r->extreme[r->zeros], fabs(a));
    r->t = t;
    r->a = a;
    return RILL_OK;
}

static rill_status slosh(verify *v, double h, double until, int interpolant, int sampling, const char *name)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    record r = {0};
    rill_status st = verify_scene(v, 3, (rill_box){{0, 0, 0}, {1, 1, 4 * h}}, h, &scene);
    if (!st) {
        scene.gravity = v3(0, -gravity, 0);
        brochu_def *def = scene_method_def_of(&scene, "voronoi");
        def->interpolant = interpolant;
        def->sampling = sampling;
        st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {1, depth, 4 * h}},
                            (velocity_field){.function = passing});
    }
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = verify_run(sim, until, look_wave, &r);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    if (st) return st;
    const int last = (r.zeros - 1) / 2 * 2;
    double period = NAN, kept = NAN;
    if (last >= 2) {
        period = (r.zero[last] - r.zero[0]) / (last / 2);
        kept = pow(r.extreme[last] / r.extreme[1], 2.0 / (last - 1));
    }
    const bool ours = interpolant == BROCHU_LINEAR && sampling == BROCHU_MATCHED;
    char text[80];
    snprintf(text, sizeof text, "period, error%s", name);
    verify_figure(v, text, fabs(period * omega() / (2 * M_PI) - 1), ours ? AT_MOST : REPORT, 0.01);
    snprintf(text, sizeof text, "damping per period%s", name);
    verify_figure(v, text, 1 - kept, ours ? AT_MOST : REPORT, 0.03);
    return RILL_OK;
}

rill_status v16_voronoi(verify *v)
{
    TRY(slosh(v, v->full ? 1.0 / 20 : 1.0 / 16, v->full ? 6.5 : 3.2, BROCHU_LINEAR, BROCHU_MATCHED, ""));
    if (!v->full) return RILL_OK;
    TRY(slosh(v, 1.0 / 20, 3.2, BROCHU_PAPER, BROCHU_MATCHED, ", the paper's interpolant"));
    TRY(slosh(v, 1.0 / 20, 3.2, BROCHU_NAIVE, BROCHU_MATCHED, ", naive interpolant"));
    TRY(slosh(v, 1.0 / 20, 3.2, BROCHU_GENERALISED, BROCHU_MATCHED, ", generalised barycentric"));
    return slosh(v, 1.0 / 20, 3.2, BROCHU_LINEAR, BROCHU_REGULAR, ", regular sampling");
}
