/* V-12: liquid at rest in a box 1 m wide, 0.5 m deep, for 10 s.
 *
 * After 2 s of settling: the pressure is rho g (H - y) in the L2 norm; the force on the
 * bottom is the weight, by the balance of momentum; the level does not drift; nothing
 * moves much; the liquid is not compressed (V-21).
 *
 * A weakly compressible liquid rings: its pressure swings about the hydrostatic one for
 * longer than the run. The limit is for the profile p(y), the mean over layers one
 * spacing thick and over the time from 2 s to the end; the error of single particles in
 * single states is reported beside it. */
#include "verify/grid_cases.h"
#include "verify/points_cases.h"
#include "verify/sph_cases.h"
#include "verify/voronoi_cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct limits {
    const char *method;
    double pressure, speed, force, level, compression;
} limits[] = {
    /* A goal of 3 percent for the pressure. */
    {"sph", 0.045, 1e-2, 5e-3, 1e-3, 1e-2},
    {"points", 0.01, 1e-3, 5e-3, 1.5e-3, 1e-2},
};
static const char *const methods[] = {"sph", "grid", "points", "voronoi", NULL},
                         *const sized[] = {"sph", "points", NULL}, *const sph_alone[] = {"sph", NULL};

static const struct limits *limits_of(const char *method)
{
    const struct limits *l = limits;
    while (strcmp(l->method, method) != 0) l++; /* every name of `methods` has a row */
    return l;
}

static const double depth = 0.5, gravity = 9.81, settled = 2;

enum { LAYERS = 64 }; /* one spacing thick; more than the depth has */

typedef struct {
    rill_ctx *ctx;
    double density, spacing;
    double next;                  /* time of the next state to be looked at */
    double pressure, compression; /* sums over the states */
    double states;
    struct {
        double pressure, height, count; /* sums likewise */
    } layer[LAYERS];
    double late_square;               /* of the speed: sum of the means over the states of the second half */
    double max_speed;                 /* of all states */
    double early_level, early_states; /* sum over the states of the first half */
    double level, level_sum;          /* last state; sum over all */
    double middle;                    /* time that parts the halves */
    double momentum_before, momentum, time_before;
} rest;

typedef struct {
    double error, norm;
} l2;

static void l2_add(l2 *sum, const rest *r, double height, double pressure, double weight)
{
    const double exact = r->density * gravity * (depth - height);
    sum->error += weight * (pressure - exact) * (pressure - exact);
    sum->norm += weight * exact * exact;
}

/* Relative L2 error of the particles' pressure in one state, which also goes into the layers. */
static double pressure_error(rest *r, const particles *p, const float *pressure)
{
    l2 sum = {0};
    const float *level = particles_column(p, "level");
    for (size_t i = 0; i < p->count; i++) {
        const double y = p->position[i].y, place = y / r->spacing;
        const double share = verify_share(level, i);
        l2_add(&sum, r, y, pressure[i], share);
        if (!(place >= 0 && place < LAYERS)) continue;
        const int k = (int)place;
        r->layer[k].pressure += share * pressure[i];
        r->layer[k].height += share * y;
        r->layer[k].count += share;
    }
    return sqrt(sum.error / sum.norm);
}

static double profile_error(const rest *r)
{
    l2 sum = {0};
    for (int k = 0; k < LAYERS; k++) {
        const double n = r->layer[k].count;
        if (n > 0) l2_add(&sum, r, r->layer[k].height / n, r->layer[k].pressure / n, n);
    }
    return sqrt(sum.error / sum.norm);
}

static rill_status look(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    rest *r = user;
    if (sim->time < r->next) return RILL_OK;
    const particles *p = verify_particles(sim);
    const float *pressure = p ? particles_column(p, "pressure") : NULL;
    if (!pressure || p->count == 0)
        return rill_fail(r->ctx, RILL_BLEW_UP, "no particles with a pressure at t = %g s", sim->time);

    double square = 0, largest = 0;
    const float *level = particles_column(p, "level");
    for (size_t i = 0; i < p->count; i++) {
        const double s = v3_dot(p->velocity[i], p->velocity[i]);
        square += verify_share(level, i) * s;
        if (!(s <= largest)) largest = s;
    }
    if (!(sqrt(largest) <= r->max_speed)) r->max_speed = sqrt(largest);
    r->level = 2 * verify_mean(r->ctx, p, p->position).y / depth;
    r->momentum = verify_mean(r->ctx, p, p->velocity).y;
    r->level_sum += r->level;
    if (sim->time < r->middle) {
        r->early_level += r->level;
        r->early_states++;
    } else {
        r->late_square += square / verify_shares(p);
    }
    if (r->states == 0) {
        r->momentum_before = r->momentum;
        r->time_before = sim->time;
    }
    r->pressure += pressure_error(r, p, pressure);
    r->compression += stats->compression;
    r->states++;
    r->next += 0.02;
    return RILL_OK;
}

static void named_figure(verify *v, int dimensions, variant by, const char *what, double value,
                         verify_kind kind, double limit)
{
    char name[120];
    snprintf(name, sizeof name, "%s, %dD%s", what, dimensions, variant_name(by));
    verify_figure(v, name, value, kind, limit);
}

/* What particles of several sizes do not meet yet is a target, part of the figure's name: they have no
 * lattice to rest in, and with an equation of state those that are split or merged change the sums of their
 * neighbours, and what the pressure then does is heat. */
static void aimed_figure(verify *v, int dimensions, variant by, const char *what, double value, double limit,
                         bool met)
{
    char name[80];
    snprintf(name, sizeof name, met ? "%s" : "%s (target %g)", what, limit);
    named_figure(v, dimensions, by, name, value, met ? AT_MOST : REPORT, limit);
}

static void state_figures(verify *v, int dimensions, variant by, const rest *r, double until)
{
    const struct limits *limit = limits_of(v->method);
    const double wave = sqrt(gravity * depth);
    const bool sized_points = variant_sized(by) && strcmp(v->method, "points") == 0;
    /* Weight plus the rate of change of momentum, over the weight. */
    const double force = (r->momentum - r->momentum_before) / (until - r->time_before) / gravity;
    named_figure(v, dimensions, by, "pressure profile, L2 error", profile_error(r), AT_MOST, limit->pressure);
    named_figure(v, dimensions, by, "pressure of single particles, L2 error", r->pressure / r->states, REPORT,
                 0);
    const double late_states = r->states - r->early_states;
    aimed_figure(v, dimensions, by, "rms speed in the second half / sqrt(gH)",
                 sqrt(r->late_square / late_states) / wave, limit->speed, sized_points || !variant_sized(by));
    named_figure(v, dimensions, by, "largest speed after 2 s / sqrt(gH)", r->max_speed / wave, REPORT, 0);
    named_figure(v, dimensions, by, "force on the bottom, error", fabs(force), AT_MOST, limit->force);
    const double early = r->early_level / r->early_states;
    const double late = (r->level_sum - r->early_level) / late_states;
    named_figure(v, dimensions, by, "drift of the mean level after 2 s", fabs(late - early), AT_MOST,
                 limit->level);
    named_figure(v, dimensions, by, "level / depth at the end", r->level, REPORT, 0);
    named_figure(v, dimensions, by, "mean compression", r->compression / r->states, AT_MOST,
                 limit->compression);
}

/* Pressure at the bottom, where no particle is: the method's own interpolation. */
static rill_status bottom_pressure(verify *v, int dimensions, variant by, const rill_sim *sim, double density)
{
    enum { POINTS = 20 };
    rill_vec3 x[POINTS];
    double p[POINTS], sum = 0;
    for (int i = 0; i < POINTS; i++) x[i] = v3((i + 0.5) / POINTS, 0, dimensions == 3 ? 0.5 : 0);
    TRY(sim->method->pressure(sim, POINTS, x, p));
    for (int i = 0; i < POINTS; i++) sum += p[i];
    named_figure(v, dimensions, by, "pressure at the bottom / (rho g H)",
                 sum / POINTS / (density * gravity * depth), REPORT, 0);
    return RILL_OK;
}

static rill_status tank(verify *v, int dimensions, variant by, double spacing, double until)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;

    rill_status st = verify_scene(v, dimensions, (rill_box){{0, 0, 0}, {1, 1, 1}}, spacing, &scene);
    if (!st) variant_choose(&scene, by);
    if (!st) scene.gravity = v3(0, -gravity, 0);
    if (!st) st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {1, depth, 1}}, (velocity_field){0});
    if (!st) st = verify_create(v, &scene, &sim);
    rest r = {.ctx = v->ctx,
              .density = scene.fluid.density,
              .spacing = spacing,
              .next = settled,
              .middle = (settled + until) / 2};
    const double before = !st ? verify_shares(verify_particles(sim)) : 0;
    if (!st) st = verify_run(sim, until, look, &r);
    if (!st) {
        state_figures(v, dimensions, by, &r, until);
        const double lost = before - verify_shares(verify_particles(sim));
        named_figure(v, dimensions, by, "particles lost", lost, AT_MOST, 0);
        if (variant_sized(by))
            named_figure(v, dimensions, by, "particles / those of one size",
                         (double)verify_particles(sim)->count / before, REPORT, 0);
        st = bottom_pressure(v, dimensions, by, sim, r.density);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run(verify *v)
{
    if (strcmp(v->method, "voronoi") == 0) return v12_voronoi(v);
    if (strcmp(v->method, "grid") == 0) return v12_grid(v);
    const bool points = strcmp(v->method, "points") == 0; /* a cell each: dear */
    TRY(tank(v, 2, BY_DEFAULT, 0.025, v->full || !points ? 10 : 4));
    if (v->full) TRY(tank(v, 3, BY_DEFAULT, points ? 1.0 / 16 : 1.0 / 24, 10));
    if (points) return v12_points(v);
    return strcmp(v->method, "sph") == 0 ? tank(v, 2, BY_TAIT, 0.025, 4) : RILL_OK;
}

/* With levels the liquid has to be deep to have coarse particles: finer than above. */
static rill_status run_levels(verify *v)
{
    TRY(tank(v, 2, BY_LEVELS, 0.0125, 5));
    return strcmp(v->method, "points") == 0 ? RILL_OK : tank(v, 2, BY_TAIT_LEVELS, 0.0125, 5);
}

static rill_status run_levels_3d(verify *v)
{
    TRY(tank(v, 3, BY_LEVELS, 1.0 / 28, 3));
    return tank(v, 3, BY_TAIT_LEVELS, 1.0 / 28, 3);
}

const verify_case v12_levels_3d = {
    "V-12-levels-3D", "Hydrostatic rest with several sizes in three dimensions", sph_alone, run_levels_3d};
const verify_case v12_levels = {"V-12-levels", "Hydrostatic rest with several sizes", sized, run_levels};
const verify_case v12_hydrostatic = {"V-12", "Hydrostatic rest", methods, run};
