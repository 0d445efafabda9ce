/* Viscosity: walls that cut the cells, walls that slip, the free surface, and rest.
 *
 * Liquid that turns in a round vessel it sticks to slows down; when the other modes are gone,
 * at the rate nu (3.83171 / R)^2 in a circle and nu (4.49341 / R)^2 in a ball (the first zeros
 * of the Bessel functions J1 and j1). Steps are short and their own 1 + rate dt is taken off.
 * A vessel that slips takes nothing, nor does the air around a drop: rotation has no strain.
 * (Pressure at walls that cut the cells makes a little, of first order.)
 * And liquid at rest between walls it sticks to stays at rest: gravity is held by pressure. */
#include "grid/grid.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"grid", NULL};
static const double radius = 0.4, omega = 0.05;
enum { ROTATION = 1 /* in velocity_field_names */ };

static double around(void *user, rill_vec3 x, rill_vec3 *normal)
{
    rill_vec3 d = v3_sub(x, v3(0.5, 0.5, 0.5));
    if (*(const int *)user == 2) d.z = 0;
    if (normal) *normal = v3_scale(v3_unit(d), -1);
    return radius - v3_length(d); /* the vessel is solid outside */
}

static double momentum(const rill_sim *sim)
{
    const particles *p = verify_particles(sim);
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) {
        const rill_vec3 x = v3_sub(p->position[i], v3(0.5, 0.5, 0)), u = p->velocity[i];
        sum += x.x * u.y - x.y * u.x;
    }
    return sum;
}

typedef struct {
    int dimensions, cells; /* along the domain's side, 1 m */
    bool vessel;
    int slip;
    double nu;
} turning;

static rill_status make_turning(verify *v, turning *w, rill_scene *scene)
{
    scene_liquid *liquid;
    const rill_vec3 center = v3(0.5, 0.5, w->dimensions == 2 ? 0 : 0.5);
    TRY(verify_scene(v, w->dimensions, (rill_box){{0, 0, 0}, {1, 1, 1}}, 1.0 / w->cells, scene));
    TRY(scene_add_liquid(v->ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {{0, 0, -1}, {1, 1, 2}}};
    if (!w->vessel) liquid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {center, radius}};
    liquid->velocity = (velocity_field){.named = ROTATION, .value = {0, 0, omega}, .center = center};
    if (w->vessel) {
        scene_solid *vessel;
        TRY(scene_add_solid(v->ctx, scene, &vessel));
        vessel->shape = (shape){.kind = SHAPE_FUNCTION};
        vessel->shape.by_function.function = around;
        vessel->shape.by_function.user = &w->dimensions;
        vessel->shape.by_function.bounds = (rill_box){{-1, -1, -1}, {2, 2, 2}};
        vessel->slip = w->slip;
    }
    grid_def *def = scene_method_def_of(scene, "grid");
    def->surface = GRID_LEVEL_SET;
    def->pack = 0;
    scene->gravity = v3(0, 0, 0);
    scene->fluid.viscosity = w->nu * scene->fluid.density;
    return RILL_OK;
}

/* Steps of dt; the momentum after `from` of them and after `to`. */
static rill_status turn(verify *v, turning w, double dt, int from, int to, double *first, double *last)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    rill_step_stats stats;
    rill_status st = make_turning(v, &w, &scene);
    if (!st) st = verify_create(v, &scene, &sim);
    for (int k = 0; k <= to && !st; k++) {
        st = verify_step(sim, dt, &stats);
        if (k == from) *first = momentum(sim);
        if (k == to) *last = momentum(sim);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* Relative error of the rate at which a no-slip vessel stops the liquid. */
static rill_status stopping(verify *v, int dimensions, int cells, double *error)
{
    const turning w = {dimensions, cells, true, SLIP_NONE, 0.01};
    const double zero = dimensions == 2 ? 3.83171 : 4.49341, rate = w.nu * pow(zero / radius, 2);
    const int steps = 12;
    const double dt = 0.08 / rate;
    double first, last;
    TRY(turn(v, w, dt, 2 * steps, 3 * steps, &first, &last));
    *error = fabs((pow(first / last, 1.0 / steps) - 1) / dt / rate - 1);
    return RILL_OK;
}

/* What viscosity takes of the rotation beyond what transport does. */
static rill_status keeping(verify *v, const char *name, turning w, double limit)
{
    double first, last, kept, kept_without;
    TRY(turn(v, w, 0.05, 0, 40, &first, &last));
    kept = last / first;
    w.nu = 0;
    TRY(turn(v, w, 0.05, 0, 40, &first, &last));
    kept_without = last / first;
    verify_figure(v, name, fabs(kept_without - kept), AT_MOST, limit);
    return RILL_OK;
}

static rill_status fastest(void *user, const rill_sim *sim, const rill_step_stats *stats)
{
    (void)sim;
    *(double *)user = fmax(*(double *)user, stats->max_speed);
    return RILL_OK;
}

static rill_status resting(verify *v)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    double most = 0;
    rill_status st = verify_scene(v, 2, (rill_box){{0, 0, 0}, {1, 1, 0}}, 1.0 / 32, &scene);
    if (!st) st = verify_add_box(v, &scene, (rill_box){{0, 0, 0}, {1, 0.507, 0}}, (velocity_field){0});
    if (!st) {
        grid_def *def = scene_method_def_of(&scene, "grid");
        def->surface = GRID_LEVEL_SET;
        def->tolerance = 1e-9;
        scene.domain.slip = SLIP_NONE;
        scene.fluid.viscosity = 0.1 * scene.fluid.density;
        st = verify_create(v, &scene, &sim);
    }
    if (!st) st = verify_run(sim, 1, fastest, &most);
    if (!st)
        verify_figure(v, "at rest between walls: largest speed / sqrt(g H)", most / sqrt(9.81 * 0.507),
                      AT_MOST, 1e-5);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run(verify *v)
{
    double error[3], h[3];
    for (int k = 0; k < 3; k++) {
        h[k] = 1.0 / (16 << k);
        TRY(stopping(v, 2, 16 << k, &error[k]));
    }
    verify_figure(v, "circle without slip: decay rate, error at 64 cells", error[2], AT_MOST, 0.01);
    verify_figure(v, "circle without slip: order", verify_order(h, error, 3), AT_LEAST, 1);
    TRY(stopping(v, 3, 20, &error[0]));
    verify_figure(v, "ball without slip, 20 cells: decay rate, error", error[0], AT_MOST, 0.05);
    TRY(keeping(v, "circle that slips, 64 cells: angular momentum lost",
                (turning){2, 64, true, SLIP_FREE, 0.1}, 0.01));
    TRY(keeping(v, "free drop, 2D: angular momentum lost", (turning){2, 32, false, SLIP_FREE, 0.1}, 5e-4));
    TRY(keeping(v, "free drop, 3D: angular momentum lost", (turning){3, 20, false, SLIP_FREE, 0.1}, 5e-4));
    return resting(v);
}

const verify_case viscosity_case = {"viscosity", "Viscosity: walls, surface and rest", methods, run};
