/* Frames of smoke: a warm source below a ball in a closed cube of 1 m, n cells a side, frames of 1/24 s from
 * its start: the peer's set-up. Then the same plume without the ball in a box eight times as large: time and
 * memory must follow the smoke.
 * Peer: Mantaflow in Blender 3.4 on such a machine, two threads: 1.1 to 1.4 s a frame at n = 64, 9 to 11 s at
 * 128. */
#include "base/text.h"
#include "bench/bench.h"
#include "grid/grid.h"
#include "run/registry.h"

#include <malloc.h>
#include <math.h>
#include <time.h>

typedef struct {
    rill_ctx *ctx;
    rill_scene scene;
    rill_sim *sim;
    int frames;
    double steps, iterations, processor;
} plume;

static rill_status begin(void *arg)
{
    plume *p = arg;
    grid_gas_method.destroy(p->sim);
    p->sim = NULL;
    return grid_gas_method.create(p->ctx, &p->scene, &p->sim);
}

static rill_status take_frames(void *arg)
{
    plume *p = arg;
    const clock_t since = clock();
    p->steps = p->iterations = 0;
    for (int frame = 1; frame <= p->frames; frame++)
        while (p->sim->time < frame / 24.0) {
            const double left = frame / 24.0 - p->sim->time, most = grid_gas_method.max_dt(p->sim);
            const double dt = most >= left ? left : most >= left / 2 ? left / 2 : most;
            rill_step_stats stats = step_stats_none();
            TRY(grid_gas_method.step(p->sim, dt, &stats));
            p->sim->time = dt == left ? frame / 24.0 : p->sim->time + dt;
            p->sim->step++;
            p->steps++;
            p->iterations += stats.solve_iterations;
        }
    p->processor = (double)(clock() - since) / CLOCKS_PER_SEC;
    return RILL_OK;
}

/* The source in the middle of the floor of a cube of the given size. */
static rill_status make_plume(rill_ctx *ctx, size_t n, double size, bool ball, rill_scene *scene)
{
    TRY(scene_default(ctx, rill_methods, rill_method_count, scene));
    scene->method = &grid_gas_method;
    scene->fill = true;
    scene->fluid.density = 1.2;
    scene->spacing = 1.0 / (double)n;
    scene->domain.min = v3(-size / 2, 0, -size / 2);
    scene->domain.max = v3(size / 2, size, size / 2);
    scene_smoke *smoke;
    TRY(scene_add_smoke(ctx, scene, &smoke));
    smoke->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0, 0.12, 0}, 0.1}};
    smoke->density = 0.05;
    smoke->temperature = 400;
    if (!ball) return RILL_OK;
    scene_solid *solid;
    TRY(scene_add_solid(ctx, scene, &solid));
    solid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.02, 0.5, 0}, 0.12}};
    return RILL_OK;
}

/* Bytes in use. */
static double memory_now(void)
{
    const struct mallinfo2 m = mallinfo2();
    return (double)m.uordblks + (double)m.hblkhd;
}

static rill_status in_a_box(rill_ctx *ctx, size_t n, double size, double *seconds, double *bytes)
{
    plume p = {.ctx = ctx, .frames = 12};
    const double before = memory_now();
    rill_status st = make_plume(ctx, n, size, false, &p.scene);
    if (!st) st = begin(&p);
    if (!st) st = take_frames(&p);
    *seconds = p.processor;
    *bytes = memory_now() - before;
    grid_gas_method.destroy(p.sim);
    scene_clear(ctx, &p.scene);
    return st;
}

static rill_status smoke_run(bench_run *b)
{
    plume p = {.ctx = b->ctx, .frames = b->n <= 64 ? 24 : 12};
    double small = NAN, large = NAN, bytes[2] = {NAN, NAN};
    rill_status st = make_plume(b->ctx, b->n, 1, true, &p.scene);
    if (!st) st = bench_time(b, begin, take_frames, &p);
    if (!st && b->n <= 64) st = in_a_box(b->ctx, b->n, 1, &small, &bytes[0]);
    if (!st && b->n <= 64) st = in_a_box(b->ctx, b->n, 2, &large, &bytes[1]);
    if (!st) {
        rill_view view = {0};
        sim_view(p.sim, &view);
        bench_rate(b, 1e-6 * (double)view.elements * p.steps, "M cell-steps/s");
        bench_number(b, "cells", (double)view.elements);
        bench_number(b, "steps", p.steps);
        bench_number(b, "seconds_per_frame", b->seconds / p.frames);
        bench_number(b, "processor_seconds_per_frame", p.processor / p.frames);
        bench_number(b, "iterations_per_step", p.iterations / p.steps);
        if (b->n <= 64) bench_number(b, "plume_in_eight_times_the_box", large / small);
        if (b->n <= 64) bench_number(b, "plume_in_eight_times_the_box_bytes", bytes[1] / bytes[0]);
    }
    grid_gas_method.destroy(p.sim);
    scene_clear(b->ctx, &p.scene);
    return st;
}

const bench_case bench_smoke = {"smoke", 64, "frames of a plume past a ball in a cube of n cells a side",
                                smoke_run};
