/* Steps of the sph method with its incompressible solver: the dam break that
 * SPlisHSPlasH ships (1 m cube of liquid in a tank of 4 x 3 x 1.5 m, support two
 * spacings, tolerances 0.05 and 0.1 percent), from its start for half a second, at most
 * 62 steps beyond 200k particles. Peer figures of that program's 2.16 on such a machine,
 * two threads: 35.6, 160 and 610 ms a step at 30k, 97k and 301k particles.
 *
 * dfsph-scale: scenes/dam_break.json at the default tolerances, through the impact on the far wall.
 * Iterations and the time of a particle and step must not grow with the number of particles. By default at
 * 23k, 184k and 360k particles; --n 622000 and 1000000 on request. */
#include "base/text.h"
#include "bench/bench.h"
#include "run/registry.h"
#include "sph/core/state.h"
#include "sph/sph.h"

#include <math.h>
#include <time.h>

typedef struct {
    rill_ctx *ctx;
    rill_scene scene;
    rill_sim *sim;
    double end; /* s */
    double iterations, most_iterations, compression;
    double goal;                        /* of the residual of positions */
    uint64_t steps, most_steps, missed; /* missed: steps that did not reach it */
} dam;

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static rill_status make_scene(rill_ctx *ctx, size_t n, rill_scene *scene)
{
    TRY(scene_default(ctx, rill_methods, rill_method_count, scene));
    sph_def *def = scene_method_def_of(scene, "sph");
    def->compression = 5e-4;
    def->divergence = 1e-3;
    scene->spacing = 1 / round(cbrt((double)n));
    scene->domain.min = v3(0, 0, -0.75);
    scene->domain.max = v3(4, 3, 0.75);
    scene_liquid *liquid;
    TRY(scene_add_liquid(ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {{0, 0, -0.5}, {1, 1, 0.5}}};
    return RILL_OK;
}

static rill_status begin(void *arg)
{
    dam *d = arg;
    sph_method.destroy(d->sim);
    d->sim = NULL;
    return sph_method.create(d->ctx, &d->scene, &d->sim);
}

static rill_status take_steps(void *arg)
{
    dam *d = arg;
    d->iterations = d->most_iterations = d->compression = 0;
    d->steps = d->missed = 0;
    while (d->sim->time < d->end && d->steps < d->most_steps) {
        rill_step_stats stats = step_stats_none();
        const double dt = sph_method.max_dt(d->sim);
        TRY(sph_method.step(d->sim, dt, &stats));
        d->sim->time += dt;
        d->sim->step++;
        d->steps++;
        d->iterations += stats.solve_iterations;
        d->most_iterations = fmax(d->most_iterations, stats.solve_iterations);
        d->missed += !(stats.solve_residual <= d->goal);
        d->compression = fmax(d->compression, stats.compression);
    }
    return RILL_OK;
}

static rill_status report(bench_run *b, const dam *d)
{
    const double count = (double)sph_view_of(d->sim)->particles.count, steps = (double)d->steps;
    bench_rate(b, 1e-6 * count * steps, "M particle-steps/s");
    bench_number(b, "particles", count);
    bench_number(b, "steps", steps);
    bench_number(b, "milliseconds_per_step", 1e3 * b->seconds / steps);
    bench_number(b, "iterations_per_step", d->iterations / steps);
    bench_number(b, "most_iterations_in_a_step", d->most_iterations);
    bench_number(b, "nanoseconds_per_particle_iteration", 1e9 * b->seconds / count / d->iterations);
    bench_number(b, "largest_mean_compression", d->compression);
    if (isfinite(d->goal)) bench_number(b, "steps_above_tolerance", (double)d->missed);
    return RILL_OK;
}

static rill_status measure(bench_run *b, dam *d)
{
    TRY(bench_time(b, begin, take_steps, d));
    return report(b, d);
}

/* Once and without warming up: hundreds of steps are their own warm-up. */
static rill_status measure_once(bench_run *b, dam *d)
{
    TRY(begin(d));
    const double since = clock_seconds(), processor = processor_seconds();
    TRY(take_steps(d));
    b->seconds = clock_seconds() - since;
    TRY(report(b, d));
    bench_number(b, "processor_nanoseconds_per_particle_step",
                 1e9 * (processor_seconds() - processor) / (double)d->steps /
                     (double)sph_view_of(d->sim)->particles.count);
    return RILL_OK;
}

static rill_status dfsph_run(bench_run *b)
{
    dam d = {.ctx = b->ctx, .end = 0.5, .goal = INFINITY, .most_steps = b->n > 200000 ? 62 : 1000};
    rill_status st = make_scene(b->ctx, b->n, &d.scene);
    if (!st) st = measure(b, &d);
    sph_method.destroy(d.sim);
    scene_clear(b->ctx, &d.scene);
    return st;
}

static rill_status scale_scene(rill_ctx *ctx, size_t n, rill_scene *scene)
{
    TRY(scene_default(ctx, rill_methods, rill_method_count, scene));
    scene->spacing = cbrt(0.36 / (double)n);
    scene->domain.min = v3(0, 0, 0);
    scene->domain.max = v3(2, 1, 1);
    scene_liquid *liquid;
    TRY(scene_add_liquid(ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {{0, 0, 0}, {0.6, 0.6, 1}}};
    return RILL_OK;
}

/* One larger size, once and without warming up: a name for each of its figures. */
typedef struct larger {
    size_t n;
    const char *iterations, *most, *missed, *seconds;
} larger;

static rill_status scale_more(bench_run *b, const larger *l)
{
    dam d = {.ctx = b->ctx, .end = 0.6, .most_steps = UINT64_MAX};
    rill_status st = scale_scene(b->ctx, l->n, &d.scene);
    if (!st) d.goal = ((const sph_def *)scene_method_def_of(&d.scene, "sph"))->compression;
    if (!st) st = begin(&d);
    const double since = processor_seconds();
    if (!st) st = take_steps(&d);
    if (!st) {
        const double steps = (double)d.steps, count = (double)sph_view_of(d.sim)->particles.count;
        bench_number(b, l->iterations, d.iterations / steps);
        bench_number(b, l->most, d.most_iterations);
        bench_number(b, l->missed, (double)d.missed);
        bench_number(b, l->seconds, 1e9 * (processor_seconds() - since) / steps / count);
    }
    sph_method.destroy(d.sim);
    scene_clear(b->ctx, &d.scene);
    return st;
}

enum { SCALE_FIRST = 23000 };

static const larger scale_larger[] = {
    {184000, "184k_iterations_per_step", "184k_most_iterations_in_a_step", "184k_steps_above_tolerance",
     "184k_processor_nanoseconds_per_particle_step"},
    {360000, "360k_iterations_per_step", "360k_most_iterations_in_a_step", "360k_steps_above_tolerance",
     "360k_processor_nanoseconds_per_particle_step"},
};

static rill_status scale_run(bench_run *b)
{
    dam d = {.ctx = b->ctx, .end = 0.6, .most_steps = UINT64_MAX};
    rill_status st = scale_scene(b->ctx, b->n, &d.scene);
    if (!st) d.goal = ((const sph_def *)scene_method_def_of(&d.scene, "sph"))->compression;
    if (!st) st = measure_once(b, &d);
    sph_method.destroy(d.sim);
    scene_clear(b->ctx, &d.scene);
    for (size_t k = 0; !st && b->n == SCALE_FIRST && k < sizeof scale_larger / sizeof *scale_larger; k++)
        st = scale_more(b, &scale_larger[k]);
    return st;
}

const bench_case bench_dfsph = {"dfsph", 30000,
                                "steps of the incompressible solver, SPlisHSPlasH's dam break", dfsph_run};
const bench_case bench_dfsph_scale = {
    "dfsph-scale", SCALE_FIRST,
    "the same at default tolerances, through an impact: does it grow with size? By default 184k and 360k too",
    scale_run};
