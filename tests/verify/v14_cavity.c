/* V-14: the lid-driven cavity. A unit box full of viscous liquid, its walls without slip, the
 * lid moving at 1 m/s; when it no longer changes, the velocities along the two middle lines
 * are those of Ghia, Ghia and Shin 1982, J. Comput. Phys. 48:387 (with the misprint of
 * v at Re 400, x = 0.9063, corrected).
 *
 * The lid is a solid that slides over the box; the other walls are the domain's sides. */
#include "grid/grid.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"grid", NULL};

enum { POINTS = 17 };
/* Coordinate, and the velocity at Re 100, 400, 1000. */
static const double u_along_y[POINTS][4] = {
    {1.0000, 1, 1, 1},
    {0.9766, 0.84123, 0.75837, 0.65928},
    {0.9688, 0.78871, 0.68439, 0.57492},
    {0.9609, 0.73722, 0.61756, 0.51117},
    {0.9531, 0.68717, 0.55892, 0.46604},
    {0.8516, 0.23151, 0.29093, 0.33304},
    {0.7344, 0.00332, 0.16256, 0.18719},
    {0.6172, -0.13641, 0.02135, 0.05702},
    {0.5000, -0.20581, -0.11477, -0.06080},
    {0.4531, -0.21090, -0.17119, -0.10648},
    {0.2813, -0.15662, -0.32726, -0.27805},
    {0.1719, -0.10150, -0.24299, -0.38289},
    {0.1016, -0.06434, -0.14612, -0.29730},
    {0.0703, -0.04775, -0.10338, -0.22220},
    {0.0625, -0.04192, -0.09266, -0.20196},
    {0.0547, -0.03717, -0.08186, -0.18109},
    {0.0000, 0, 0, 0},
};
static const double v_along_x[POINTS][4] = {
    {1.0000, 0, 0, 0},
    {0.9688, -0.05906, -0.12146, -0.21388},
    {0.9609, -0.07391, -0.15663, -0.27669},
    {0.9531, -0.08864, -0.19254, -0.33714},
    {0.9453, -0.10313, -0.22847, -0.39188},
    {0.9063, -0.16914, -0.33827, -0.51550},
    {0.8594, -0.22445, -0.44993, -0.42665},
    {0.8047, -0.24533, -0.38598, -0.31966},
    {0.5000, 0.05454, 0.05188, 0.02526},
    {0.2344, 0.17527, 0.30174, 0.32235},
    {0.2266, 0.17507, 0.30203, 0.33075},
    {0.1563, 0.16077, 0.28124, 0.37095},
    {0.0938, 0.12317, 0.22965, 0.32627},
    {0.0781, 0.10890, 0.20920, 0.30353},
    {0.0703, 0.10091, 0.19713, 0.29012},
    {0.0625, 0.09233, 0.18360, 0.27485},
    {0.0000, 0, 0, 0},
};

typedef struct {
    double reynolds;
    int column, cells;
    double until, cfl, limit; /* limit NAN: reported */
} flow;

static rill_status make_scene(verify *v, const flow *f, rill_scene *scene)
{
    scene_solid *lid;
    scene_liquid *liquid;
    const double h = 1.0 / f->cells;
    TRY(verify_scene(v, 2, (rill_box){{0, 0, 0}, {1, 1 + 4 * h, 0}}, h, scene));
    TRY(scene_add_solid(v->ctx, scene, &lid));
    TRY(scene_add_liquid(v->ctx, scene, &liquid));
    lid->shape = (shape){.kind = SHAPE_BOX, .box = {{-1000, 1, -1}, {1000, 2, 1}}};
    lid->slip = SLIP_NONE;
    TRY(MEM_NEW_ZERO(v->ctx, lid->motion.key, 2));
    lid->motion.count = 2;
    lid->motion.key[1].t = 500;
    lid->motion.key[1].translate = v3(500, 0, 0);
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {{-1, -1, -1}, {2, 3, 1}}};
    grid_def *def = scene_method_def_of(scene, "grid");
    def->surface = GRID_LEVEL_SET;
    def->advection = GRID_CUBIC;
    def->reflection = true;
    def->integrator = GRID_RALSTON;
    def->cfl = f->cfl;
    def->pack = 0; /* no surface, so no volume to lose */
    scene->domain.slip = SLIP_NONE;
    scene->gravity = v3(0, 0, 0);
    scene->fluid.viscosity = scene->fluid.density / f->reynolds;
    return RILL_OK;
}

/* The largest difference from the table along one of the lines. */
static rill_status difference(const rill_sim *sim, const flow *f, int axis, double *out)
{
    *out = 0;
    for (int k = 0; k < POINTS; k++) {
        const double *row = axis == 0 ? u_along_y[k] : v_along_x[k];
        const rill_vec3 x = axis == 0 ? v3(0.5, row[0], 0) : v3(row[0], 0.5, 0);
        rill_vec3 u;
        TRY(sim->method->velocity(sim, 1, &x, &u));
        *out = fmax(*out, fabs(v3_axis(u, axis) - row[f->column]));
    }
    return RILL_OK;
}

static rill_status cavity(verify *v, const flow *f)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    double u = NAN, w = NAN;
    char name[80];
    rill_status st = make_scene(v, f, &scene);
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = verify_run(sim, f->until, NULL, NULL);
    if (!st) st = difference(sim, f, 0, &u);
    if (!st) st = difference(sim, f, 1, &w);
    if (!st) {
        const verify_kind kind = isnan(f->limit) ? REPORT : AT_MOST;
        snprintf(name, sizeof name, "Re %g, %d cells: u along y, largest difference", f->reynolds, f->cells);
        verify_figure(v, name, u, kind, f->limit);
        snprintf(name, sizeof name, "Re %g, %d cells: v along x, largest difference", f->reynolds, f->cells);
        verify_figure(v, name, w, kind, f->limit);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status slow(verify *v)
{
    const flow coarse = {100, 1, 32, 8, 1, NAN}, fine = {100, 1, 64, 10, 1.5, 0.01};
    if (!v->full) return cavity(v, &coarse);
    return cavity(v, &fine);
}

static rill_status fast(verify *v)
{
    static const flow flows[] = {{400, 2, 64, 30, 2, NAN}, {1000, 3, 128, 40, 2, 0.02}};
    for (size_t k = 0; k < sizeof flows / sizeof *flows; k++) TRY(cavity(v, &flows[k]));
    return RILL_OK;
}

const verify_case v14_cavity = {"V-14", "Lid-driven cavity, Re 100", methods, slow};
const verify_case v14_cavity_fast = {"V-14-fast", "Lid-driven cavity, Re 400 and 1000", methods, fast};
