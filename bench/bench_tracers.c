/* Steps of n tracers through the field of the grid method: a dam of 0.4 x 0.6 x 1 m in a cube of 1 m, 64
 * cells a side, 0.2 s from its start, with a pillar in it; the tracers fill the liquid. A move is one
 * tracer taken through one step by the midpoint rule: two looks at the velocity, walls, sides,
 * and its part of the sorting. */
#include "bench/bench.h"
#include "grid/grid.h"
#include "run/driver.h"
#include "run/registry.h"

enum { STEPS = 16 }; /* one of them sorts */

typedef struct {
    rill_sim *sim;
    double dt;
} job;

static rill_status make_scene(rill_ctx *ctx, size_t n, rill_scene *scene)
{
    TRY(scene_default(ctx, rill_methods, rill_method_count, scene));
    scene->method = &grid_method;
    scene->spacing = 1.0 / 64;
    scene->domain.min = v3(0, 0, 0);
    scene->domain.max = v3(1, 1, 1);
    scene_liquid *liquid;
    scene_tracers *source;
    scene_solid *pillar;
    TRY(scene_add_liquid(ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {{0, 0, 0}, {0.4, 0.6, 1}}};
    TRY(scene_add_tracers(ctx, scene, &source));
    source->shape = liquid->shape;
    source->count = (int32_t)n;
    TRY(scene_add_solid(ctx, scene, &pillar));
    pillar->shape = (shape){.kind = SHAPE_CYLINDER, .rod = {{0.7, 0, 0.5}, {0.7, 1, 0.5}, 0.1}};
    return RILL_OK;
}

static rill_status take_steps(void *arg)
{
    job *j = arg;
    for (int k = 0; k < STEPS; k++, j->sim->step++) TRY(tracers_step(j->sim, j->sim->time - j->dt, j->dt));
    return RILL_OK;
}

static rill_status tracers_run(bench_run *b)
{
    rill_scene scene = {0};
    job j = {0};
    rill_status st = make_scene(b->ctx, b->n, &scene);
    if (!st) st = grid_method.create(b->ctx, &scene, &j.sim);
    if (!st) j.sim->speed_limit = 1e3;
    while (!st && j.sim->time < 0.2) {
        rill_step_stats stats;
        st = run_step(j.sim, 1, 0.2, &j.dt, &stats);
    }
    if (!st) {
        j.dt = 1.0 / 240; /* short: the field stands still while they go */
        st = bench_time(b, NULL, take_steps, &j);
    }
    if (!st) {
        bench_rate(b, 1e-6 * STEPS * (double)j.sim->tracers.dots.count, "M moves/s");
        bench_number(b, "tracers", (double)j.sim->tracers.dots.count);
    }
    grid_method.destroy(j.sim);
    scene_clear(b->ctx, &scene);
    return st;
}

const bench_case bench_tracers = {"tracers", 1000000,
                                  "steps of n tracers through the velocity of the grid method", tracers_run};
