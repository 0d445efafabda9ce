/* V-12 for the grid: liquid at rest in a box 1 m wide for 10 s, two-dimensional, with its
 * surface between cells, and in the same box tilted by 30 degrees (gravity is turned).
 *
 * With the level set nothing moves by more than the solver's tolerance, the pressure is
 * rho g times the depth below the surface, the force on the bottom the weight, the volume
 * stays; steps are long, so that few roundings of a single-precision distance add up. Without the ghost fluid
 * the tilted surface is a stair, and currents must show. From disordered particles, the default, the liquid
 * moves a little: reported. */
#include "grid/grid.h"
#include "verify/grid_cases.h"

#include <math.h>
#include <stdio.h>

enum { PER_SIDE = 32, POINTS = 24 };
static const double level = 0.507, gravity = 9.81; /* neither on a cell's side nor in its middle */

typedef struct {
    rill_vec3 up;                    /* against gravity */
    double speed, late_square, late; /* largest; mean square of the second half */
    double first_volume, volume;
    double until;
} rest;

static rill_status look(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    rest *r = user;
    r->speed = fmax(r->speed, stats->max_speed);
    if (sim->time > r->until / 2) {
        const double mass = sim->scene->fluid.density * stats->volume;
        r->late_square += 2 * stats->kinetic / mass;
        r->late++;
    }
    if (r->first_volume == 0) r->first_volume = stats->volume;
    r->volume = stats->volume;
    return RILL_OK;
}

/* Depth of a point below the surface, which passes through the middle at the level. */
static double depth_at(const rest *r, rill_vec3 x)
{
    return v3_dot(v3_sub(v3(0.5, level, 0), x), r->up);
}

/* Relative L2 error of the pressure on a lattice of points well below the surface. */
static rill_status pressure_error(const rill_sim *sim, const rest *r, double *out)
{
    double error = 0, norm = 0;
    for (int i = 0; i < POINTS * POINTS; i++) {
        const rill_vec3 x = v3((i % POINTS + 0.5) / POINTS, (i / POINTS + 0.5) / POINTS, 0);
        const double depth = depth_at(r, x), exact = sim->scene->fluid.density * gravity * depth;
        if (depth < 1.5 / PER_SIDE) continue;
        double p;
        TRY(sim->method->pressure(sim, 1, &x, &p));
        error += (p - exact) * (p - exact);
        norm += exact * exact;
    }
    *out = sqrt(error / norm);
    return RILL_OK;
}

/* Force on the bottom over the weight above it. */
static rill_status bottom_error(const rill_sim *sim, const rest *r, double *out)
{
    double force = 0, exact = 0;
    for (int i = 0; i < PER_SIDE; i++) {
        const rill_vec3 x = v3((i + 0.5) / PER_SIDE, 0, 0);
        double p;
        TRY(sim->method->pressure(sim, 1, &x, &p));
        force += p;
        exact += sim->scene->fluid.density * gravity * depth_at(r, x);
    }
    *out = fabs(force / exact - 1);
    return RILL_OK;
}

typedef struct {
    const char *name;
    double tilt; /* degrees */
    int surface;
    bool stairs; /* without ghost fluid */
} variant;

static void figure(verify *v, const variant *w, const char *what, double value, verify_kind kind,
                   double limit)
{
    char name[96];
    snprintf(name, sizeof name, "%s: %s", w->name, what);
    verify_figure(v, name, value, kind, limit);
}

static rill_status state_figures(verify *v, const variant *w, const rill_sim *sim, const rest *r)
{
    const double scale = sqrt(gravity * level);
    if (w->stairs) {
        figure(v, w, "largest speed / sqrt(g H), must show", r->speed / scale, AT_LEAST, 1e-3);
        return RILL_OK;
    }
    if (w->surface == GRID_PARTICLES) {
        figure(v, w, "rms speed / sqrt(g H) of the second half", sqrt(r->late_square / r->late) / scale,
               REPORT, 0);
        figure(v, w, "volume, drift", fabs(r->volume / r->first_volume - 1), REPORT, 0);
        return RILL_OK;
    }
    double pressure, bottom;
    TRY(pressure_error(sim, r, &pressure));
    TRY(bottom_error(sim, r, &bottom));
    figure(v, w, "largest speed / sqrt(g H)", r->speed / scale, AT_MOST, 1e-6);
    figure(v, w, "pressure, relative error", pressure, AT_MOST, 1e-3);
    figure(v, w, "force on the bottom, relative error", bottom, AT_MOST, 5e-3);
    figure(v, w, "volume, drift", fabs(r->volume / r->first_volume - 1), AT_MOST, 1e-3);
    return RILL_OK;
}

static rill_status at_rest(verify *v, const variant *w)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    const double angle = w->tilt * M_PI / 180;
    rest r = {.up = {sin(angle), cos(angle), 0}, .until = v->full ? 10 : 3};
    scene_liquid *liquid;
    rill_status st = verify_scene(v, 2, (rill_box){{0, 0, 0}, {1, 1, 0}}, 1.0 / PER_SIDE, &scene);
    if (!st) st = scene_add_liquid(v->ctx, &scene, &liquid);
    if (!st) {
        grid_def *def = scene_method_def_of(&scene, "grid");
        def->surface = w->surface;
        def->ghost = !w->stairs;
        def->tolerance = 1e-9;
        def->wave = 2;
        scene.gravity = v3_scale(r.up, -gravity);
        liquid->shape = (shape){.kind = SHAPE_PLANE, .flat = {.point = {0.5, level, 0}, .normal = r.up}};
        st = verify_create(v, &scene, &sim);
    }
    if (!st) st = verify_run(sim, r.until, look, &r);
    if (!st) st = state_figures(v, w, sim, &r);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

rill_status v12_grid(verify *v)
{
    static const variant variants[] = {
        {"level", 0, GRID_LEVEL_SET, false},
        {"tilted", 30, GRID_LEVEL_SET, false},
        {"tilted, stairs", 30, GRID_LEVEL_SET, true},
        {"particles", 0, GRID_PARTICLES, false},
    };
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) TRY(at_rest(v, &variants[i]));
    return RILL_OK;
}
