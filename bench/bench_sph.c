/* Steps of the sph method with an equation of state: a dam break of about n particles, support two spacings
 * (33 neighbours), from its start on. A step is everything: sorting, lists, walls,
 * density, forces, motion. Memory is what the method holds at its highest, apart from
 * the neighbour lists. */
#include "bench/bench.h"
#include "bench/tally.h"
#include "flow/method.h"
#include "run/registry.h"
#include "sph/sph.h"
#include "sph/uniform/uniform.h"

#include <math.h>

enum { STEPS = 10 };

/* A column one third as long as the tank, as high as it is long. */
static rill_status make_scene(rill_ctx *ctx, size_t n, rill_scene *scene)
{
    TRY(scene_default(ctx, rill_methods, rill_method_count, scene));
    ((sph_def *)scene_method_def_of(scene, "sph"))->solver = SPH_TAIT;
    const double length = 1;
    scene->spacing = length / round(cbrt((double)n));
    scene->domain.min = v3(0, 0, 0);
    scene->domain.max = v3(3 * length, 2 * length, length);
    scene_liquid *liquid;
    TRY(scene_add_liquid(ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {{0, 0, 0}, {length, length, length}}};
    return RILL_OK;
}

static rill_status take_steps(void *arg)
{
    rill_sim *sim = arg;
    for (int i = 0; i < STEPS; i++) {
        rill_step_stats stats = step_stats_none();
        const double dt = sim->method->max_dt(sim);
        TRY(sim->method->step(sim, dt, &stats));
        sim->time += dt;
        sim->step++;
    }
    return RILL_OK;
}

static rill_status measure(bench_run *b, rill_ctx *ctx, const bench_tally *memory)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    rill_status st = make_scene(ctx, b->n, &scene);
    if (!st) st = sph_method.create(ctx, &scene, &sim);
    if (!st) st = bench_time(b, NULL, take_steps, sim);
    if (!st) {
        const sph *s = sph_view_of(sim);
        const double count = (double)s->particles.count;
        bench_rate(b, 1e-6 * count * STEPS, "M particle-steps/s");
        bench_number(b, "particles", count);
        bench_number(b, "milliseconds_per_step", 1e3 * b->seconds / STEPS);
        bench_number(b, "neighbours", (double)s->uniform->lists.used / count);
        bench_number(b, "bytes_per_particle",
                     ((double)memory->most -
                      (double)(s->uniform->lists.pool_capacity * sizeof *s->uniform->lists.pool)) /
                         count);
    }
    sph_method.destroy(sim);
    scene_clear(ctx, &scene);
    return st;
}

static rill_status sph_run(bench_run *b)
{
    bench_tally memory = {0};
    rill_ctx *ctx;
    TRY(tally_ctx_create(b->ctx, &memory, &ctx));
    const rill_status st = measure(b, ctx, &memory);
    if (st) rill_fail(b->ctx, st, "%s", rill_ctx_message(ctx));
    rill_ctx_destroy(ctx);
    return st;
}

const bench_case bench_sph = {"sph", 100000, "steps of the sph method, dam break of n particles", sph_run};
