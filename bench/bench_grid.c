/* Frames of the grid method: a dam of 0.4 x 0.6 x 1 m in a cube of 1 m, n cells a side, 24
 * frames of 1/24 s from its start, 8 particles a cell in the 3 cells below the surface, and the
 * mesh of each at half a cell: the peer's set-up. Up to 64 cells also with particles
 * everywhere. Then a drop that falls in a box and in one eight times as large: time and
 * memory must follow the liquid.
 * Peer: Mantaflow in Blender 3.4 on such a machine, two threads, the same set-up, 50
 * frames: 1.1 s a frame simulated and 0.58 s meshed at n = 64, 14 to 15 s and 3.9 s at 128. */
#include "base/text.h"
#include "bench/bench.h"
#include "geom/mesh/trimesh.h"
#include "grid/grid.h"
#include "run/registry.h"

#include <malloc.h>
#include <math.h>
#include <sys/resource.h>

typedef struct {
    rill_ctx *ctx;
    rill_scene scene;
    rill_sim *sim;
    int frames;
    double steps, iterations, mesh_seconds, worst_volume, first_volume;
} dam;

static rill_status begin(void *arg)
{
    dam *d = arg;
    grid_method.destroy(d->sim);
    d->sim = NULL;
    return grid_method.create(d->ctx, &d->scene, &d->sim);
}

static rill_status step_to(dam *d, double end)
{
    while (d->sim->time < end) {
        const double left = end - d->sim->time, most = grid_method.max_dt(d->sim);
        const double dt = most >= left ? left : most >= left / 2 ? left / 2 : most;
        rill_step_stats stats = step_stats_none();
        TRY(grid_method.step(d->sim, dt, &stats));
        d->sim->time = dt == left ? end : d->sim->time + dt;
        d->sim->step++;
        d->steps++;
        d->iterations += stats.solve_iterations;
    }
    return RILL_OK;
}

static rill_status take_frames(void *arg)
{
    dam *d = arg;
    d->steps = d->iterations = 0;
    for (int frame = 1; frame <= d->frames; frame++) TRY(step_to(d, frame / 24.0));
    return RILL_OK;
}

/* The same once more, with a mesh of every frame. */
static rill_status mesh_frames(dam *d)
{
    TRY(begin(d));
    d->mesh_seconds = d->worst_volume = 0;
    for (int frame = 0; frame <= d->frames; frame++) {
        TRY(step_to(d, frame / 24.0));
        trimesh mesh = {0};
        trimesh_report report;
        const double since = clock_seconds();
        TRY(grid_method.surface(d->sim, &mesh));
        if (frame) d->mesh_seconds += clock_seconds() - since;
        const rill_status st = trimesh_check(d->ctx, &mesh, &report);
        trimesh_clear(d->ctx, &mesh);
        TRY(st);
        if (frame == 0) d->first_volume = report.volume;
        d->worst_volume = fmax(d->worst_volume, fabs(report.volume / d->first_volume - 1));
    }
    return RILL_OK;
}

static rill_status make_dam(rill_ctx *ctx, size_t n, double band, rill_scene *scene)
{
    TRY(scene_default(ctx, rill_methods, rill_method_count, scene));
    scene->method = &grid_method;
    ((grid_def *)scene_method_def_of(scene, "grid"))->narrow = band;
    scene->spacing = 1.0 / (double)n;
    scene->domain.min = v3(0, 0, 0);
    scene->domain.max = v3(1, 1, 1);
    scene_liquid *liquid;
    TRY(scene_add_liquid(ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {{0, 0, 0}, {0.4, 0.6, 1}}};
    return RILL_OK;
}

/* Bytes in use. */
static double memory_now(void)
{
    const struct mallinfo2 m = mallinfo2();
    return (double)m.uordblks + (double)m.hblkhd;
}

/* Seconds a frame with particles everywhere. */
static rill_status all_particles(rill_ctx *ctx, size_t n, double *seconds)
{
    dam d = {.ctx = ctx, .frames = 24};
    rill_status st = make_dam(ctx, n, 0, &d.scene);
    if (!st) st = begin(&d);
    const double since = clock_seconds();
    if (!st) st = take_frames(&d);
    *seconds = (clock_seconds() - since) / d.frames;
    grid_method.destroy(d.sim);
    scene_clear(ctx, &d.scene);
    return st;
}

/* A drop for ten steps in a cube of the given size. */
static rill_status drop(rill_ctx *ctx, size_t n, double size, double *seconds, double *bytes)
{
    dam d = {.ctx = ctx};
    const double before = memory_now();
    rill_status st = scene_default(ctx, rill_methods, rill_method_count, &d.scene);
    scene_liquid *liquid;
    if (!st) st = scene_add_liquid(ctx, &d.scene, &liquid);
    if (!st) {
        d.scene.method = &grid_method;
        d.scene.spacing = 1.0 / (double)n;
        d.scene.domain.min = v3(-size / 2, 0, -size / 2);
        d.scene.domain.max = v3(size / 2, size, size / 2);
        liquid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0, size / 2, 0}, 0.2}};
        st = begin(&d);
    }
    *seconds = INFINITY;
    for (int k = 0; k < 12 && !st; k++) {
        rill_step_stats stats = step_stats_none();
        const double since = clock_seconds(), dt = 1.0 / 240;
        st = grid_method.step(d.sim, dt, &stats);
        d.sim->time += dt;
        d.sim->step++;
        if (k) *seconds = fmin(*seconds, clock_seconds() - since);
    }
    *bytes = memory_now() - before;
    grid_method.destroy(d.sim);
    scene_clear(ctx, &d.scene);
    return st;
}

static rill_status grid_run(bench_run *b)
{
    dam d = {.ctx = b->ctx, .frames = 24};
    double small = NAN, large = NAN, all = NAN, bytes[2] = {NAN, NAN};
    rill_status st = make_dam(b->ctx, b->n, 3, &d.scene);
    if (!st) st = bench_time(b, begin, take_frames, &d);
    const double steps = d.steps, iterations = d.iterations;
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    if (!st) st = mesh_frames(&d);
    struct rusage meshed = {0};
    getrusage(RUSAGE_SELF, &meshed);
    if (!st && b->n <= 64) st = all_particles(b->ctx, b->n, &all);
    if (!st) st = drop(b->ctx, b->n, 1, &small, &bytes[0]);
    if (!st) st = drop(b->ctx, b->n, 2, &large, &bytes[1]);
    if (!st) {
        rill_view view = {0};
        sim_view(d.sim, &view);
        bench_rate(b, 1e-6 * (double)view.particles->count * steps, "M particle-steps/s");
        bench_number(b, "particles", (double)view.particles->count);
        bench_number(b, "steps", steps);
        bench_number(b, "seconds_per_frame", b->seconds / d.frames);
        bench_number(b, "mesh_seconds_per_frame", d.mesh_seconds / d.frames);
        bench_number(b, "iterations_per_step", iterations / steps);
        bench_number(b, "volume_error", d.worst_volume);
        bench_number(b, "peak_mebibytes", (double)usage.ru_maxrss / 1024);
        bench_number(b, "peak_mebibytes_with_meshes", (double)meshed.ru_maxrss / 1024);
        if (b->n <= 64) bench_number(b, "seconds_per_frame_particles_everywhere", all);
        bench_number(b, "drop_in_eight_times_the_box", large / small);
        bench_number(b, "drop_in_eight_times_the_box_bytes", bytes[1] / bytes[0]);
    }
    grid_method.destroy(d.sim);
    scene_clear(b->ctx, &d.scene);
    return st;
}

const bench_case bench_grid = {
    "grid", 64, "frames of a dam break in a cube of n cells a side, and their meshes", grid_run};
