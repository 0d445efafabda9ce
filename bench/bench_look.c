/* What looking at a run costs.
 *
 * files: what a frame of a run of n particles writes, beside the time of the frame: SPlisHSPlasH's dam
 * break from its start, the cheapest frame there is, at 30 frames a second. The surface is made, as it is
 * in a run, but not counted.
 * plot: the statistics of n steps read, and drawn as SVG and PNG. */
#include "base/text.h"
#include "bench/bench.h"
#include "io/file.h"
#include "io/ply.h"
#include "run/driver.h"
#include "run/glance.h"
#include "run/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    rill_ctx *ctx;
    char folder[64];
    rill_scene scene;
    rill_sim *sim;
    rill_view view;
    trimesh surface;
} look_work;

static rill_status make_folder(look_work *w)
{
    snprintf(w->folder, sizeof w->folder, "rill_bench_XXXXXX");
    if (mkdtemp(w->folder)) return RILL_OK;
    return rill_fail(w->ctx, RILL_DISK, "bench: cannot make a folder here; go where files can be written");
}

static void remove_folder(look_work *w, const char *const *names)
{
    char path[128];
    for (; *names; names++) {
        snprintf(path, sizeof path, "%s/%s", w->folder, *names);
        unlink(path);
    }
    rmdir(w->folder);
}

/* ---- files of a frame ---- */

static rill_status make_dam(rill_ctx *ctx, size_t n, rill_scene *scene)
{
    scene_liquid *liquid;
    TRY(scene_default(ctx, rill_methods, rill_method_count, scene));
    scene->spacing = 1 / round(cbrt((double)n));
    scene->domain.min = v3(0, 0, -0.75);
    scene->domain.max = v3(4, 3, 0.75);
    TRY(scene_add_liquid(ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {{0, 0, -0.5}, {1, 1, 0.5}}};
    return RILL_OK;
}

static rill_status write_files(void *arg)
{
    const look_work *w = arg;
    char path[128];
    snprintf(path, sizeof path, "%s/particles.ply", w->folder);
    TRY(ply_write_particles(w->ctx, path, w->view.particles, w->view.time, 1));
    snprintf(path, sizeof path, "%s/surface.ply", w->folder);
    return ply_write_mesh(w->ctx, path, &w->surface, w->view.time, 1);
}

/* One frame of the run; its wall clock. */
static rill_status take_frame(look_work *w, double *seconds)
{
    const double start = clock_seconds(), end = 1.0 / 30;
    w->sim->speed_limit = run_speed_limit(w->sim);
    while (w->sim->time < end) {
        double dt;
        rill_step_stats stats;
        TRY(run_step(w->sim, 1, end, &dt, &stats));
    }
    *seconds = clock_seconds() - start;
    return RILL_OK;
}

static rill_status files_run(bench_run *b)
{
    static const char *const names[] = {"particles.ply", "surface.ply", NULL};
    look_work w = {.ctx = b->ctx};
    double frame = 0;
    TRY(make_folder(&w));
    rill_status st = make_dam(b->ctx, b->n, &w.scene);
    if (!st) st = w.scene.method->create(b->ctx, &w.scene, &w.sim);
    if (!st) st = take_frame(&w, &frame);
    if (!st) sim_view(w.sim, &w.view);
    if (!st) st = run_surface(w.sim, &w.view, &w.surface);
    if (!st) st = bench_time(b, NULL, write_files, &w);
    if (!st) {
        const double bytes = (double)w.view.particles->count * (44 + 4.0 * w.view.particles->column_count) +
                             (double)w.surface.vertex_count * 36 + (double)w.surface.triangle_count * 13;
        bench_rate(b, 1e-9 * bytes, "GB/s");
        bench_number(b, "particles", (double)w.view.particles->count);
        bench_number(b, "triangles", (double)w.surface.triangle_count);
        bench_number(b, "frame_seconds", frame);
        bench_number(b, "percent_of_the_frame", 100 * b->seconds / frame);
    }
    trimesh_clear(b->ctx, &w.surface);
    if (w.sim) w.sim->method->destroy(w.sim);
    scene_clear(b->ctx, &w.scene);
    remove_folder(&w, names);
    return st;
}

const bench_case bench_files = {
    "files", 300000, "particles and surface of a frame written, beside the frame; n: particles", files_run};

/* ---- plots ---- */

static rill_status write_stats(look_work *w, size_t steps)
{
    text t;
    char path[128];
    text_init(&t, w->ctx);
    for (size_t i = 0; i < steps; i++) {
        const double x = (double)i / (double)steps;
        text_print(&t,
                   "{\"frame\":%zu,\"step\":%zu,\"t\":%.9g,\"dt\":%.9g,\"wall_s\":0.012345,\"particles\":%zu,"
                   "\"volume\":%.17g,\"kinetic\":%.17g,\"potential\":%.17g,\"max_speed\":%.17g,"
                   "\"compression\":%.17g,\"solve_iterations\":%zu,\"solve_residual\":%.17g,\"stage_s\":{"
                   "\"sort\":0.001234,\"neighbours\":0.002345,\"walls\":0.000456,\"density\":0.001567,"
                   "\"pressure\":0.004678,\"move\":0.000789}}\n",
                   i / 50, i, 10 * x, 1e-4 * (1 + 0.2 * sin(900 * x)), 30000 + i % 7,
                   0.36 + 1e-4 * sin(70 * x), 900 * exp(-3 * x) + sin(400 * x), 700 + 100 * cos(9 * x),
                   4 + sin(50 * x), 1e-4 * (1 + x), 9 + i % 5, 1e-6 * (1 + x));
    }
    rill_status st = text_check(&t);
    snprintf(path, sizeof path, "%s/stats.jsonl", w->folder);
    if (!st) st = file_write_all(w->ctx, path, t.data, t.length);
    text_clear(&t);
    return st;
}

static rill_status draw_plots(void *arg)
{
    const look_work *w = arg;
    return glance_plot(w->ctx, w->folder, "plot");
}

static rill_status plot_run(bench_run *b)
{
    static const char *const names[] = {"stats.jsonl", "plot.svg", "plot.png", NULL};
    look_work w = {.ctx = b->ctx};
    TRY(make_folder(&w));
    rill_status st = write_stats(&w, b->n);
    if (!st) st = bench_time(b, NULL, draw_plots, &w);
    if (!st) bench_rate(b, 1e-6 * (double)b->n, "M steps/s");
    remove_folder(&w, names);
    return st;
}

const bench_case bench_plot = {"plot", 100000, "statistics of n steps read, drawn as SVG and PNG", plot_run};
