/* V-16: a standing wave in a box L = 1 wide and 0.5 deep, its first mode, two-dimensional:
 * T = 2 pi / sqrt(g k tanh kh), k = pi / L, 1.18182 s.
 *
 * Amplitude 0.05 L, on grids 0.02 L. Its phase is that of the surface's projection on the mode: with n
 * particles of the same volume, a(t) = (2/L) integral of eta cos kx = 2 h mean(cos k x_i). The period is the
 * mean between zeros of a(t), the damping the mean loss between its extremes.
 *
 * Two starts. From the flat surface, with the velocities of linear theory at the moment
 * the wave passes through it: the lattice is undisturbed, and the limits are for that.
 * And from rest with the surface h + a cos kx, cut out of the lattice in steps of one
 * spacing, which also raises short waves. */
#include "verify/sph_cases.h"
#include "verify/voronoi_cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct limits {
    const char *method;
    double period;  /* relative error */
    double damping; /* share of the amplitude lost per period */
    bool met;       /* false: a target, to be reported */
} limits[] = {
    {"sph", 0.03, 0.10, true},
    {"grid", 0.01, 0.05, true},
    {"points", 0.02, 0.10, true},
};
static const char *const methods[] = {"sph", "grid", "points", "voronoi", NULL}, *const sized[] = {
                                                                                     "sph", "points", NULL};

static const double depth = 0.5, gravity = 9.81, wave = M_PI; /* k */
static double amplitude; /* 0.05 for particles alone, 0.02 where a grid has the surface */
enum { MOST = 64 };

static double omega(void)
{
    return sqrt(gravity * wave * tanh(wave * depth));
}

/* Zeros and extremes of a(t). */
typedef struct {
    double t, a;              /* of the state before */
    double zero[MOST];        /* times */
    double extreme[MOST + 1]; /* largest |a| between zero k - 1 and k, the start counting as a zero */
    int zeros;
    double compression, states;
} record;

static double projection(const rill_sim *sim)
{
    const particles *p = verify_particles(sim);
    const float *level = particles_column(p, "level");
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) sum += verify_share(level, i) * cos(wave * p->position[i].x);
    return 2 * depth * sum / verify_shares(p);
}

static rill_status look(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    record *r = user;
    const double a = projection(sim), t = sim->time;
    if ((a > 0) != (r->a > 0) && r->a != 0 && r->zeros < MOST)
        r->zero[r->zeros++] = r->t + (t - r->t) * r->a / (r->a - a);
    r->extreme[r->zeros] = fmax(r->extreme[r->zeros], fabs(a));
    r->t = t;
    r->a = a;
    if (stats) {
        r->compression += stats->compression;
        r->states++;
    }
    return RILL_OK;
}

static rill_vec3 passing(void *user, rill_vec3 x)
{
    (void)user;
    const double u = amplitude * omega() / sinh(wave * depth);
    return v3(-u * cosh(wave * x.y) * sin(wave * x.x), u * sinh(wave * x.y) * cos(wave * x.x), 0);
}

/* Below h + a cos kx. Only the sign matters for filling; scaled to be no farther than the
 * surface, whose slope is at most a k. */
static double below(void *user, rill_vec3 x, rill_vec3 *normal)
{
    (void)user;
    const double slope = -amplitude * wave * sin(wave * x.x);
    if (normal) *normal = v3_unit(v3(-slope, 1, 0));
    return (x.y - depth - amplitude * cos(wave * x.x)) / sqrt(1 + amplitude * amplitude * wave * wave);
}

static rill_status add_liquid(verify *v, rill_scene *scene, bool displaced)
{
    const rill_box flat = {{0, 0, 0}, {1, depth, 0}};
    if (!displaced) return verify_add_box(v, scene, flat, (velocity_field){.function = passing});
    scene_liquid *liquid;
    TRY(scene_add_liquid(v->ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_FUNCTION};
    liquid->shape.by_function.function = below;
    liquid->shape.by_function.bounds = (rill_box){{0, 0, -1}, {1, depth + amplitude, 1}};
    return RILL_OK;
}

static void named_figure(verify *v, const char *start, const char *what, double value)
{
    char name[80];
    snprintf(name, sizeof name, "%s: %s", start, what);
    verify_figure(v, name, value, REPORT, 0);
}

/* A figure with a limit, or with a target that is not met yet and part of its name. */
static void aimed_figure(verify *v, const char *start, const char *what, double value, double limit, bool met)
{
    char name[80];
    if (met)
        snprintf(name, sizeof name, "%s: %s", start, what);
    else
        snprintf(name, sizeof name, "%s: %s (target %.2f)", start, what, limit);
    verify_figure(v, name, value, met ? AT_MOST : REPORT, limit);
}

static void state_figures(verify *v, variant by, const record *r, bool displaced)
{
    const struct limits *limit = limits;
    while (strcmp(limit->method, v->method) != 0) limit++; /* every name of `methods` has a row */
    char start[40];
    snprintf(start, sizeof start, "%s start%s", displaced ? "displaced" : "flat", variant_name(by));
    /* Both halves of a wave of finite height do not last equally long: whole periods. */
    const int last = (r->zeros - 1) / 2 * 2;
    double period = NAN, kept = NAN;
    if (last >= 2) {
        period = (r->zero[last] - r->zero[0]) / (last / 2);
        kept = pow(r->extreme[last] / r->extreme[1], 2.0 / (last - 1)); /* two extremes a period */
    }
    const double ratio = period * omega() / (2 * M_PI);
    aimed_figure(v, start, "period, error", fabs(ratio - 1), limit->period, limit->met);
    /* splitting and merging cost energy */
    aimed_figure(v, start, "damping per period", 1 - kept, limit->damping,
                 limit->met && (!variant_sized(by) || strcmp(v->method, "points") == 0));
    named_figure(v, start, "period / exact", ratio);
    named_figure(v, start, "first extreme / amplitude", r->extreme[1] / amplitude);
    if (!isnan(r->compression)) named_figure(v, start, "mean compression", r->compression / r->states);
}

static rill_status slosh(verify *v, variant by, bool displaced, double until)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    record r = {0};
    rill_status st = verify_scene(v, 2, (rill_box){{0, 0, 0}, {1, 1, 0}}, 1.0 / 64, &scene);
    if (!st) scene.gravity = v3(0, -gravity, 0);
    if (!st) variant_choose(&scene, by);
    /* The wave of the theory has no viscosity. That of the scheme grows with the particles: the usual damping
     * takes 13 and 14 percent a period, dfsph and tait, and with 0.01 tait particles that are hardly stirred
     * resist shear, of one size, too: the period is 4 percent too short. */
    if (!st && variant_sized(by)) verify_param(&scene, "damping", 0);
    if (!st) st = add_liquid(v, &scene, displaced);
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = look(&r, sim, NULL);
    if (!st) st = verify_run(sim, until, look, &r);
    if (!st) state_figures(v, by, &r, displaced);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run(verify *v)
{
    if (strcmp(v->method, "voronoi") == 0) return v16_voronoi(v);
    const double until = v->full ? 6.5 : 3; /* s */
    amplitude = strcmp(v->method, "grid") == 0 ? 0.02 : 0.05;
    TRY(slosh(v, BY_DEFAULT, false, until));
    if (v->full) TRY(slosh(v, BY_DEFAULT, true, until));
    return RILL_OK;
}

static rill_status run_levels(verify *v)
{
    amplitude = 0.05;
    TRY(slosh(v, BY_LEVELS, false, v->full ? 6.5 : 3));
    return strcmp(v->method, "points") == 0 ? RILL_OK : slosh(v, BY_TAIT_LEVELS, false, v->full ? 6.5 : 3);
}

const verify_case v16_levels = {"V-16-levels", "Standing wave with several sizes", sized, run_levels};
const verify_case v16_sloshing = {"V-16", "Standing wave", methods, run};
