#include "bench/bench.h"

#include "base/parallel.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* One line each, here and below. */
/* clang-format off */
extern const bench_case bench_stream;
extern const bench_case bench_sort;
extern const bench_case bench_neighbours;
extern const bench_case bench_sph;
extern const bench_case bench_dfsph;
extern const bench_case bench_dfsph_scale;
extern const bench_case bench_adaptive;
extern const bench_case bench_grid;
extern const bench_case bench_smoke;
extern const bench_case bench_surface;
extern const bench_case bench_metaballs;
extern const bench_case bench_zhu_bridson;
extern const bench_case bench_distances;
extern const bench_case bench_anisotropic;
extern const bench_case bench_redistance;
extern const bench_case bench_render;
extern const bench_case bench_preview, bench_denoise;
extern const bench_case bench_files;
extern const bench_case bench_plot;
extern const bench_case bench_distance;
extern const bench_case bench_voronoi;
extern const bench_case bench_delaunay;
extern const bench_case bench_amg;
extern const bench_case bench_points;
extern const bench_case bench_brochu;
extern const bench_case bench_tets;
extern const bench_case bench_pressure;
extern const bench_case bench_pressure_flat;
extern const bench_case bench_tracker;
extern const bench_case bench_tracers;
extern const bench_case bench_whitewater;
extern const bench_case bench_bodies_rest;
extern const bench_case bench_bodies_grid;
extern const bench_case bench_bodies_sph;
extern const bench_case bench_volume;

const bench_case *const bench_cases[] = {
    &bench_stream,
    &bench_sort,
    &bench_neighbours,
    &bench_sph,
    &bench_dfsph,
    &bench_dfsph_scale,
    &bench_adaptive,
    &bench_grid,
    &bench_smoke,
    &bench_surface,
    &bench_metaballs,
    &bench_zhu_bridson,
    &bench_distances,
    &bench_anisotropic,
    &bench_redistance,
    &bench_render,
    &bench_preview,
    &bench_denoise,
    &bench_files,
    &bench_plot,
    &bench_distance,
    &bench_voronoi,
    &bench_delaunay,
    &bench_amg,
    &bench_points,
    &bench_brochu,
    &bench_tets,
    &bench_pressure,
    &bench_pressure_flat,
    &bench_tracker,
    &bench_tracers,
    &bench_whitewater,
    &bench_bodies_rest,
    &bench_bodies_grid,
    &bench_bodies_sph,
    &bench_volume,
    NULL,
};
/* clang-format on */

const bench_case *bench_find(const char *name)
{
    for (const bench_case *const *c = bench_cases; *c; c++)
        if (strcmp((*c)->name, name) == 0) return *c;
    return NULL;
}

rill_status bench_time(bench_run *b, bench_body *prepare, bench_body *body, void *arg)
{
    double best = INFINITY;
    for (int i = 0; i <= b->repeat; i++) {
        if (rill_cancelled(b->ctx)) return rill_fail(b->ctx, RILL_CANCELLED, "stopped on request");
        if (prepare) TRY(prepare(arg));
        const double start = clock_seconds();
        TRY(body(arg));
        const double seconds = clock_seconds() - start;
        if (i > 0 && seconds < best) best = seconds; /* 0 warms up caches, threads and pages */
    }
    b->seconds = best;
    return RILL_OK;
}

void bench_rate(bench_run *b, double work, const char *unit)
{
    b->rate = work / b->seconds;
    b->rate_unit = unit;
}

void bench_number(bench_run *b, const char *name, double value)
{
    if (b->number_count < BENCH_MAX_NUMBERS) b->number[b->number_count++] = (bench_number_row){name, value};
}

rill_status bench_measure(rill_ctx *ctx, const bench_case *c, size_t n, int repeat, bench_run *out)
{
    bench_run b = {.ctx = ctx, .n = n ? n : c->n, .repeat = repeat, .threads = parallel_workers(ctx)};
    const rill_status st = c->run(&b);
    if (st) return rill_fail_prefix(ctx, st, "bench %s with n = %zu: ", c->name, b.n);
    *out = b;
    return RILL_OK;
}
