/* V-20 in `grid`: a ball in the middle of a closed box full of liquid, let go: its added mass.
 *
 * Walls of the box are mirrors: the dipole that stands for the ball has images on a lattice, those across
 * the walls it moves towards turned round. Their velocity at the ball changes the dipole, and with it the
 * added mass, 1.5 times the dipole over that of unbounded liquid, less 1. A ball of density ratio s starts
 * with a / g = (1 - s) / (s + Ca)   upwards. Negative control: fluid and body by turns. The force on the ball
 * that is held, given to it afterwards, makes 1 / s times the acceleration. */
#include "verify/grid_bodies.h"

#include <math.h>
#include <stdio.h>

static const double radius = 0.3, box_side = 2.4; /* m */

static double exact_ca(void)
{
    enum { FAR = 24 };
    double sum = 0;
    for (int k = -FAR; k <= FAR; k++)
        for (int j = -FAR; j <= FAR; j++)
            for (int i = -FAR; i <= FAR; i++) {
                const double r2 = i * i + j * j + k * k;
                if (r2 == 0) continue;
                sum += (i % 2 ? -1 : 1) * (3 * i * i - r2) / (r2 * r2 * sqrt(r2));
            }
    const double part = radius / box_side;
    return 1.5 / (1 + 0.5 * part * part * part * sum) - 1;
}

typedef struct {
    double acceleration, force; /* upwards, over g; over the weight of the displaced liquid */
    uint32_t iterations;
} started;

/* The first step from rest. shift: of the ball, in cells. */
static rill_status let_go(verify *v, int cells, double ratio, double shift, bool held, started *out)
{
    rill_scene scene;
    rill_sim *sim = NULL;
    const double h = 2 * radius / cells, dt = 1e-3;
    const shape ball = {.kind = SHAPE_SPHERE, .sphere = {v3(0, 0, 0), radius}};
    const rill_vec3 middle = v3(box_side / 2, box_side / 2 + shift * h, box_side / 2);
    const rill_box box = {v3(0, 0, 0), v3(box_side, box_side, box_side)};
    rill_step_stats stats;
    TRY(verify_scene(v, 3, box, h, &scene));
    verify_param(&scene, "pack", 0); /* the particles' density is another matter */
    rill_status st = verify_add_box(v, &scene, box, (velocity_field){0});
    if (!st) st = grid_add_body(v, &scene, ball, middle, ratio);
    if (!st && held) st = grid_hold(v, &scene);
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = verify_step(sim, dt, &stats);
    if (!st) {
        const double g = 9.81, displaced = scene.fluid.density * 4 / 3 * M_PI * pow(radius, 3);
        out->acceleration = sim->bodies.world.body[0].velocity.y / (g * dt);
        out->force = sim->bodies.force[0].y / (g * displaced);
        out->iterations = stats.solve_iterations;
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static double error_of(double ratio, double acceleration, double exact)
{
    return fabs((1 - ratio) / acceleration - ratio - exact) / exact;
}

static rill_status run(verify *v)
{
    static const double ratios[] = {1e-4, 1e-2, 0.5, 10};
    const double exact = exact_ca();
    started s;
    char name[80];
    verify_figure(v, "added mass, exact", exact, REPORT, NAN);
    for (size_t k = 0; k < (v->full ? 4 : 1); k++) {
        TRY(let_go(v, 12, ratios[k], 0.3, false, &s));
        snprintf(name, sizeof name, "added mass at density ratio %g, error", ratios[k]);
        /* The error of the buoyancy, 0.3 %, counts 2.3 times in the added mass of a ball ten times as heavy,
         * and not at all in that of a light one. */
        verify_figure(v, name, error_of(ratios[k], s.acceleration, exact), ratios[k] > 1 ? WANTED : AT_MOST,
                      0.02);
        verify_figure(v, "iterations", s.iterations, REPORT, NAN);
    }
    TRY(let_go(v, 12, 1, 0.3, false, &s));
    verify_figure(v, "acceleration of a neutral ball, g", fabs(s.acceleration), AT_MOST, 5e-3);
    TRY(let_go(v, 12, 1e-4, 0.3, true, &s));
    verify_figure(v, "force on the ball that is held over its buoyancy, error", fabs(s.force - 1), AT_MOST,
                  0.01);
    const double turns = -1 + s.force / 1e-4; /* weight, then the force */
    verify_figure(v, "by turns, at density ratio 1e-4: error", error_of(1e-4, turns, exact), AT_LEAST, 0.5);
    return RILL_OK;
}

static const char *const methods[] = {"grid", NULL};
const verify_case v20_grid = {"V-20-grid", "Added mass of a ball in the grid", methods, run};
