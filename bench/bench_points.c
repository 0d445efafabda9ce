/* Steps of the points method: a ball of liquid that has just met a pool, as in the splash of figure 7 of
 * [Sin09] (100,671 points, steps of 4.16 ms; the authors' took 70 s each). Points start off their
 * lattice, as they are in the middle of a splash. Beside the time of a step: of the diagram and
 * its clipping, and memory, then that of the same with four balls in the pool, by which cells are clipped. */
#include "base/text.h"
#include "bench/bench.h"
#include "points/state.h"
#include "run/registry.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

enum { STEPS = 4 };

typedef struct {
    rill_ctx *ctx;
    rill_scene scene;
    rill_sim *sim;
    rill_step_stats stats;
    double cells; /* seconds for diagram and clipping, of the shortest repetition's last step */
    double best;
} splash;

/* A unit tank filled to 0.3, and a ball of radius 0.2 that touches the surface. */
static rill_status make_scene(rill_ctx *ctx, size_t n, bool with_solids, rill_scene *scene)
{
    TRY(scene_default(ctx, rill_methods, rill_method_count, scene));
    points_def *def = scene_method_def_of(scene, "points");
    def->jitter = 0.5;
    scene->method = &points_method;
    const double volume = 0.3 + 4.0 / 3 * M_PI * 0.008;
    scene->spacing = 1 / round(cbrt((double)n / volume));
    scene->domain.min = v3(0, 0, 0);
    scene->domain.max = v3(1, 1, 1);
    scene->domain.open = 8; /* +y */
    scene_liquid *liquid;
    TRY(scene_add_liquid(ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {{0, 0, 0}, {1, 0.3, 1}}};
    TRY(scene_add_liquid(ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.49, 0.5}, 0.2}};
    liquid->velocity.value = v3(0, -2, 0);
    for (int k = 0; k < 4 && with_solids; k++) {
        scene_solid *ball;
        TRY(scene_add_solid(ctx, scene, &ball));
        ball->shape = (shape){.kind = SHAPE_SPHERE,
                              .sphere = {{0.25 + 0.5 * (k & 1), 0.13, 0.25 + 0.5 * (k >> 1)}, 0.09}};
    }
    return RILL_OK;
}

static rill_status begin(void *arg)
{
    splash *d = arg;
    points_method.destroy(d->sim);
    d->sim = NULL;
    return points_method.create(d->ctx, &d->scene, &d->sim);
}

static rill_status take_steps(void *arg)
{
    splash *d = arg;
    for (int k = 0; k < STEPS; k++) {
        d->stats = step_stats_none();
        const double dt = fmin(1 / 240.0, points_method.max_dt(d->sim));
        TRY(points_method.step(d->sim, dt, &d->stats));
        d->sim->time += dt;
        d->sim->step++;
    }
    double all = 0, cells = 0;
    for (uint32_t k = 0; k < d->stats.stage_count; k++) {
        const char *name = d->stats.stage[k].name;
        all += d->stats.stage[k].seconds;
        if (strcmp(name, "diagram") == 0 || strcmp(name, "clip") == 0) cells += d->stats.stage[k].seconds;
    }
    if (!(all >= d->best)) {
        d->best = all;
        d->cells = cells;
    }
    return RILL_OK;
}

/* The most the process ever had. */
static double most_bytes(void)
{
    struct rusage r;
    return getrusage(RUSAGE_SELF, &r) == 0 ? 1024.0 * (double)r.ru_maxrss : NAN;
}

/* A few steps with solids, after those without, which need less: the most so far is theirs. */
static rill_status steps_with_solids(bench_run *b)
{
    splash d = {.ctx = b->ctx, .best = INFINITY};
    rill_status st = make_scene(b->ctx, b->n, true, &d.scene);
    if (!st) st = begin(&d);
    const double clock = clock_seconds();
    if (!st) st = take_steps(&d);
    if (!st) {
        const double count = (double)points_view_of(d.sim)->particles.count;
        bench_number(b, "with_solids_points", count);
        bench_number(b, "with_solids_seconds_per_step", (clock_seconds() - clock) / STEPS);
        bench_number(b, "with_solids_process_bytes_per_point", most_bytes() / count);
    }
    points_method.destroy(d.sim);
    scene_clear(b->ctx, &d.scene);
    return st;
}

static rill_status points_run(bench_run *b)
{
    splash d = {.ctx = b->ctx, .best = INFINITY};
    rill_status st = make_scene(b->ctx, b->n, false, &d.scene);
    if (!st) st = bench_time(b, begin, take_steps, &d);
    if (!st) {
        const points *s = points_view_of(d.sim);
        const double count = (double)s->particles.count;
        bench_rate(b, 1e-6 * count * STEPS, "M point-steps/s");
        bench_number(b, "points", count);
        bench_number(b, "seconds_per_step", b->seconds / STEPS);
        bench_number(b, "microseconds_per_point", 1e6 * b->seconds / STEPS / count);
        bench_number(b, "diagram_and_clipping_seconds", d.cells);
        bench_number(b, "iterations", d.stats.solve_iterations);
        for (uint32_t k = 0; k < d.stats.stage_count; k++)
            bench_number(b, d.stats.stage[k].name, d.stats.stage[k].seconds);
        bench_number(b, "process_bytes_per_point", most_bytes() / count);
    }
    points_method.destroy(d.sim);
    scene_clear(b->ctx, &d.scene);
    return st ? st : steps_with_solids(b);
}

const bench_case bench_points = {"points", 100671, "steps of the points method, a splash; n: points",
                                 points_run};
