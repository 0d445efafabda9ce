/* Gas in the grid: how smoke starts, rises, is kept, rests, and how long eddies live. */
#include "grid/grid.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

static const char *const methods[] = {"grid", NULL};

/* ---- what the cases share ---- */

static const double air = 1.2; /* kg/m^3 */

static rill_status gas_scene(verify *v, int dimensions, rill_box box, double spacing, rill_scene *out)
{
    TRY(verify_scene(v, dimensions, box, spacing, out));
    out->fill = true;
    out->fluid.density = air;
    return RILL_OK;
}

/* Smoke that is there at the start and never comes again. */
static rill_status add_smoke(verify *v, rill_scene *scene, shape form, double soot, double temperature)
{
    scene_smoke *m;
    TRY(scene_add_smoke(v->ctx, scene, &m));
    m->shape = form;
    m->density = soot;
    m->temperature = temperature;
    m->end = 1e-6;
    return RILL_OK;
}

typedef struct {
    double soot, least, most;  /* sum over the cells, extremes */
    double heat, height, rise; /* sum; mean height, weighted by it; mean vertical velocity of the warmest */
    double along[2];           /* mean place along x, of soot and of heat */
} smoke_sums;

static rill_status look(const rill_sim *sim, smoke_sums *out)
{
    particles cells = {0};
    TRY(sim->method->cells(sim, &cells));
    const float *soot = particles_column(&cells, "soot"), *heat = particles_column(&cells, "heat");
    smoke_sums f = {.least = INFINITY, .most = -INFINITY};
    double warmest = 0, within = 0;
    for (size_t i = 0; i < cells.count; i++) warmest = fmax(warmest, heat[i]);
    for (size_t i = 0; i < cells.count; i++) {
        const double c = soot[i], w = heat[i];
        f.soot += c;
        f.least = fmin(f.least, c);
        f.most = fmax(f.most, c);
        f.heat += w;
        f.height += w * cells.position[i].y;
        if (w > 0.999 * warmest) f.rise += cells.velocity[i].y, within++;
        f.along[0] += c * cells.position[i].x;
        f.along[1] += w * cells.position[i].x;
    }
    f.height /= f.heat;
    f.rise /= within;
    f.along[0] /= f.soot;
    f.along[1] /= f.heat;
    *out = f;
    particles_clear(sim->ctx, &cells);
    return RILL_OK;
}

/* ---- the first acceleration ---- */

/* Of a disc (ball) of buoyancy b in a box so many radii wide, over b: one half (two thirds), for the gas
 * around must move as well. */
static rill_status start_of(verify *v, int dimensions, int cells_a_radius, int radii, double *out)
{
    const double r = 0.1, side = radii * r, heat = 10, dt = 1e-3;
    const rill_vec3 middle = {side / 2, side / 2, dimensions == 3 ? side / 2 : 0};
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    smoke_sums f;
    rill_step_stats stats;
    TRY(gas_scene(v, dimensions, (rill_box){{0, 0, 0}, {side, side, side}}, r / cells_a_radius, &scene));
    rill_status st =
        add_smoke(v, &scene, (shape){.kind = SHAPE_SPHERE, .sphere = {middle, r}}, 0, SCENE_AMBIENT + heat);
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = verify_step(sim, dt, &stats);
    if (!st) st = look(sim, &f);
    if (!st) *out = f.rise / dt / (-scene.gravity.y * heat / SCENE_AMBIENT);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run_start(verify *v)
{
    double disc, ball;
    TRY(start_of(v, 2, v->full ? 16 : 8, 24, &disc));
    TRY(start_of(v, 3, v->full ? 10 : 6, 10, &ball));
    verify_figure(v, "disc: acceleration over buoyancy, over 1/2, less 1", fabs(2 * disc - 1), AT_MOST, 0.02);
    verify_figure(v, "ball: acceleration over buoyancy, over 2/3, less 1", fabs(1.5 * ball - 1), AT_MOST,
                  0.02);
    return RILL_OK;
}

const verify_case gas_start = {"gas-start", "Warm disc and ball in gas at rest", methods, run_start};

/* ---- a bubble ---- */

/* Height of a warm disc after 1 s: it has risen by about its diameter. */
static rill_status bubble_height(verify *v, int cells, double *out)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    smoke_sums f;
    TRY(gas_scene(v, 2, (rill_box){{0, 0, 0}, {1, 1, 0}}, 1.0 / cells, &scene));
    rill_status st = add_smoke(v, &scene, (shape){.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.3, 0}, 0.15}}, 0,
                               SCENE_AMBIENT + 20);
    verify_param(&scene, "cfl", 0.5); /* so that steps go with the cells */
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = verify_run(sim, 1, NULL, NULL);
    if (!st) st = look(sim, &f);
    if (!st) *out = f.height;
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run_bubble(verify *v)
{
    double height[3];
    const int coarse = v->full ? 48 : 32;
    for (int k = 0; k < 3; k++) TRY(bubble_height(v, coarse << k, &height[k]));
    verify_figure(v, "height after 1 s, finest", height[2], REPORT, NAN);
    verify_figure(v, "change from the middle to the finest", fabs(height[2] - height[1]), AT_MOST, 0.01);
    verify_figure(v, "order of the height", log2(fabs(height[1] - height[0]) / fabs(height[2] - height[1])),
                  AT_LEAST, 1);
    return RILL_OK;
}

const verify_case gas_bubble = {"gas-bubble", "Rise of a warm bubble", methods, run_bubble};

/* ---- kept, and at rest ---- */

static rill_status run_kept(verify *v)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    smoke_sums first, last;
    scene_solid *post;
    const double side = v->full ? 48 : 32;
    TRY(gas_scene(v, 3, (rill_box){{0, 0, 0}, {1, 1, 1}}, 1 / side, &scene));
    rill_status st = add_smoke(v, &scene, (shape){.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.2, 0.5}, 0.15}}, 1,
                               SCENE_AMBIENT + 500);
    if (!st) st = scene_add_solid(v->ctx, &scene, &post);
    if (!st) post->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.45, 0.55, 0.5}, 0.12}};
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = look(sim, &first);
    if (!st) st = verify_run(sim, 2, NULL, NULL);
    if (!st) st = look(sim, &last);
    if (!st) {
        verify_figure(v, "closed box, 2 s: soot changed", fabs(last.soot / first.soot - 1), AT_MOST, 1e-6);
        verify_figure(v, "heat changed", fabs(last.heat / first.heat - 1), AT_MOST, 1e-6);
        verify_figure(v, "least soot", last.least, AT_LEAST, 0);
        verify_figure(v, "most soot over that of the start, less 1", last.most / first.most - 1, AT_MOST,
                      1e-5);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

const verify_case gas_kept = {"gas-kept", "Smoke in a closed box", methods, run_kept};

static rill_status run_rest(verify *v)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    TRY(gas_scene(v, 3, (rill_box){{0, 0, 0}, {1, 1, 1}}, 1.0 / (v->full ? 48 : 24), &scene));
    rill_status st = RILL_OK;
    verify_param(&scene, "tolerance", 1e-6); /* speeds are what the solve leaves */
    for (int k = 0; !st && k < 4; k++)       /* layers, the warmest on top */
        st = add_smoke(v, &scene,
                       (shape){.kind = SHAPE_BOX, .box = {{-1, 0.25 * k, -1}, {2, 0.25 * (k + 1), 2}}},
                       0.1 * (3 - k), SCENE_AMBIENT + 30 * k);
    rill_step_stats stats;
    double most = 0;
    if (!st) st = verify_create(v, &scene, &sim);
    for (int k = 0; !st && k < 25; k++) {
        st = verify_step(sim, 0.04, &stats);
        most = fmax(most, stats.max_speed);
    }
    if (!st) verify_figure(v, "stratified gas, 1 s, tolerance 1e-6: largest speed, m/s", most, AT_MOST, 1e-6);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

const verify_case gas_rest = {"gas-rest", "Stratified gas at rest", methods, run_rest};

/* ---- Taylor-Green ---- */

static rill_status taylor_green(verify *v, int n, int advection, bool reflection, double most)
{
    enum { TAYLOR_GREEN = 2 /* in velocity_field_names */ };
    static const char *const words[] = {"linear", "cubic", "maccormack"};
    const rill_box box = {{0, 0, 0}, {1, 1, 0}};
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    char name[120];
    TRY(gas_scene(v, 2, box, 1.0 / n, &scene));
    grid_def *def = scene_method_def_of(&scene, "grid");
    def->advection = advection;
    def->reflection = reflection;
    scene.gravity = v3(0, 0, 0);
    rill_status st =
        verify_add_box(v, &scene, box, (velocity_field){.named = TAYLOR_GREEN, .value = {1, 0, 0}});
    if (!st) st = verify_create(v, &scene, &sim);
    rill_step_stats stats;
    for (int k = 0; !st && k < n; k++) st = verify_step(sim, 1.0 / n, &stats);
    snprintf(name, sizeof name, "N = %d, CFL 1, %s, %s: energy lost at t = 1", n, words[advection],
             reflection ? "reflection" : "plain");
    if (!st) verify_figure(v, name, 1 - stats.kinetic / (0.25 * scene.fluid.density), AT_MOST, most);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run_vortices(verify *v)
{
    TRY(taylor_green(v, 64, GRID_LINEAR, false, 0.36));
    TRY(taylor_green(v, 64, GRID_CUBIC, false, 0.26));
    TRY(taylor_green(v, 64, GRID_MACCORMACK, false, 0.26));
    TRY(taylor_green(v, 64, GRID_MACCORMACK, true, 0.004));
    return taylor_green(v, 64, GRID_CUBIC, true, 0.004);
}

const verify_case v13_gas = {"V-13-gas", "Taylor-Green vortices in gas", methods, run_vortices};

/* ---- tiles that follow the smoke ---- */

static rill_status plume_scene(verify *v, int dimensions, int cells, bool follow, rill_scene *out)
{
    const double side = 1;
    scene_smoke *m;
    TRY(gas_scene(v, dimensions, (rill_box){{0, 0, 0}, {side, side, side}}, side / cells, out));
    ((grid_def *)scene_method_def_of(out, "grid"))->follow = follow;
    TRY(scene_add_smoke(v->ctx, out, &m));
    m->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.15, dimensions == 3 ? 0.5 : 0}, 0.06}};
    m->density = 0.1;
    m->temperature = SCENE_AMBIENT + 60;
    return RILL_OK;
}

/* Velocities where there is smoke, beside those of a run with cells everywhere: root of the mean square of
 * the difference over that of the velocity; cells of the one over those of the other. */
static rill_status followed(verify *v, int dimensions, int cells, double until, bool reflection,
                            double *error, double *fewer)
{
    rill_scene scene[2] = {{0}, {0}};
    rill_sim *sim[2] = {NULL, NULL};
    particles all = {0}, near = {0};
    rill_vec3 *u = NULL;
    rill_status st = RILL_OK;
    for (int k = 0; k < 2 && !st; k++) {
        st = plume_scene(v, dimensions, cells, k == 1, &scene[k]);
        if (!st) ((grid_def *)scene_method_def_of(&scene[k], "grid"))->reflection = reflection;
        if (!st) st = verify_create(v, &scene[k], &sim[k]);
        const int steps = (int)ceil(until * cells / 2);
        rill_step_stats stats;
        for (int step = 0; step < steps && !st; step++) st = verify_step(sim[k], until / steps, &stats);
    }
    if (!st) st = sim[0]->method->cells(sim[0], &all);
    if (!st) st = sim[1]->method->cells(sim[1], &near);
    if (!st) st = MEM_NEW(v->ctx, u, all.count);
    if (!st) st = sim[1]->method->velocity(sim[1], all.count, all.position, u);
    if (!st) {
        const float *soot = particles_column(&all, "soot");
        double sum = 0, whole = 0;
        for (size_t i = 0; i < all.count; i++) {
            if (!(soot[i] > 0.001)) continue; /* a hundredth of the source's */
            const rill_vec3 d = v3_sub(u[i], all.velocity[i]);
            sum += v3_dot(d, d);
            whole += v3_dot(all.velocity[i], all.velocity[i]);
        }
        *error = sqrt(sum / whole);
        *fewer = (double)near.count / (double)all.count;
    }
    mem_free(v->ctx, u);
    particles_clear(v->ctx, &all);
    particles_clear(v->ctx, &near);
    for (int k = 0; k < 2; k++) {
        verify_destroy(sim[k]);
        scene_clear(v->ctx, &scene[k]);
    }
    return st;
}

static rill_status run_tiles(verify *v)
{
    double error, fewer;
    TRY(followed(v, 2, 256, 0.8, false, &error, &fewer));
    verify_figure(v, "plane, 256 cells: velocities in smoke, difference", error, AT_MOST, 0.02);
    verify_figure(v, "cells, over those of the domain", fewer, AT_MOST, 0.5);
    TRY(followed(v, 2, 256, 0.8, true, &error, &fewer));
    verify_figure(v, "plane, with reflection: velocities in smoke, difference", error, AT_MOST, 0.02);
    TRY(followed(v, 3, 72, v->full ? 0.8 : 0.25, false, &error, &fewer));
    verify_figure(v, "space, 72 cells: velocities in smoke, difference", error, AT_MOST, 0.02);
    verify_figure(v, "cells, over those of the domain", fewer, AT_MOST, 0.5);
    return RILL_OK;
}

const verify_case gas_tiles = {"gas-tiles", "Tiles that follow the smoke", methods, run_tiles};
