/* Particles of several sizes beside particles of one: a block of about n particles of the finest spacing that
 * is thrown into a tank, the same solver and the same steps, run both ways in this process. n counts the
 * equal particles; the adaptive run has fewer.
 *
 * A round of the adaptive run is from one resampling to the third after it, so that every stage has its
 * share; of the equal particles it is as many steps as make a fair mean. Rounds of both alternate, and each
 * counts with its fastest, so that a loaded machine disturbs the ratio least; processor time is given
 * besides. Memory is what each holds at its highest after its start: lists and scratch included, what the
 * start itself needs (the equal particles it is made from) not. The paper's own steps take 0.025, 0.041 and
 * 0.071 s at 3k, 8k and 20k particles ([Adams] section 7). */
#include "base/text.h"
#include "bench/bench.h"
#include "bench/tally.h"
#include "run/registry.h"
#include "sph/sized/sized.h"
#include "sph/sph.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { LEVELS = 9, STEPS = 40, RESAMPLINGS = 3 };

typedef struct {
    bench_tally memory;
    rill_ctx *ctx;
    rill_scene scene;
    rill_sim *sim;
    double seconds, lists, resampling; /* a step, of the fastest round */
    int steps;
    double processor; /* s a step, of the cheapest round */
    double start;     /* s, of its making */
} side;

static rill_vec3 turning(void *user, rill_vec3 x)
{
    (void)user;
    return v3(-6 * (x.y - 0.5), 6 * (x.x - 0.5), 0);
}

static rill_status make_scene(rill_ctx *ctx, size_t n, int32_t levels, rill_scene *scene)
{
    TRY(scene_default(ctx, rill_methods, rill_method_count, scene));
    sph_def *def = scene_method_def_of(scene, "sph");
    def->solver = SPH_TAIT;
    def->levels = levels;
    scene->spacing = 1 / round(cbrt((double)n));
    scene->domain.min = v3(-1, -1, 0);
    scene->domain.max = v3(2, 2, 1);
    scene_liquid *liquid;
    TRY(scene_add_liquid(ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {{0, 0, 0}, {1, 1, 1}}};
    liquid->velocity.function = turning;
    return RILL_OK;
}

static double stage_of(const rill_step_stats *stats, const char *name)
{
    double seconds = 0;
    for (uint32_t k = 0; k < stats->stage_count; k++)
        if (strcmp(stats->stage[k].name, name) == 0) seconds += stats->stage[k].seconds;
    return seconds;
}

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static rill_status one_round(side *a, bool counts)
{
    const sph *s = sph_view_of(a->sim);
    double lists = 0, resampling = 0;
    const double from = clock_seconds(), before = processor_seconds();
    int steps = 0;
    for (int left = s->sized ? RESAMPLINGS : STEPS; left > 0; steps++) {
        rill_step_stats stats = step_stats_none();
        const double dt = sph_method.max_dt(a->sim);
        TRY(sph_method.step(a->sim, dt, &stats));
        a->sim->time += dt;
        a->sim->step++;
        lists += stage_of(&stats, "neighbours");
        resampling += stage_of(&stats, "projection") + stage_of(&stats, "redistancing") +
                      stage_of(&stats, "feature_size") + stage_of(&stats, "resampling");
        left -= !s->sized || !s->sized->step_in_arena; /* resampled */
    }
    const double seconds = (clock_seconds() - from) / steps;
    if (counts) a->processor = fmin(a->processor, (processor_seconds() - before) / steps);
    if (!counts || seconds >= a->seconds) return RILL_OK;
    a->steps = steps;
    a->seconds = seconds;
    a->lists = lists / steps;
    a->resampling = resampling / steps;
    return RILL_OK;
}

static rill_status begin(side *a, size_t n, int32_t levels)
{
    a->seconds = a->processor = INFINITY;
    TRY(make_scene(a->ctx, n, levels, &a->scene));
    const double from = clock_seconds();
    TRY(sph_method.create(a->ctx, &a->scene, &a->sim));
    a->start = clock_seconds() - from;
    atomic_store(&a->memory.most, atomic_load(&a->memory.now));
    return RILL_OK;
}

static rill_status take_turns(bench_run *b, side *equal, side *sized)
{
    for (int k = 0; k <= b->repeat; k++) {
        if (rill_cancelled(b->ctx)) return rill_fail(b->ctx, RILL_CANCELLED, "stopped on request");
        TRY(one_round(equal, k > 0));
        TRY(one_round(sized, k > 0));
    }
    return RILL_OK;
}

/* What a step would cost, relative to now, if every size class took the longest step that its own kernel
 * allows, in powers of two of the finest (the radius doubles every third class), and nothing else cost
 * anything: a lower bound of the gain by time steps per level ([Adams] section 8). finest: the share of
 * particles that would take the finest step. */
static double cost_with_own_steps(const sph *s, double *finest)
{
    double sum = 0, every = 0;
    for (size_t i = 0; i < s->particles.count; i++) {
        const int k = (int)s->sized->class_number[i];
        sum += ldexp(1, -(k / 3));
        every += k < 3;
    }
    *finest = every / (double)s->particles.count;
    return sum / (double)s->particles.count;
}

static void report(bench_run *b, const side *equal, const side *sized)
{
    const double many = (double)sph_view_of(equal->sim)->particles.count,
                 few = (double)sph_view_of(sized->sim)->particles.count;
    const sized_lists *lists = &sph_view_of(sized->sim)->sized->lists;
    b->seconds = sized->seconds;
    bench_rate(b, 1e-6 * few, "M particle-steps/s");
    bench_number(b, "particles", few);
    bench_number(b, "milliseconds_per_step", 1e3 * sized->seconds);
    bench_number(b, "share_of_lists", sized->lists / sized->seconds);
    bench_number(b, "share_of_forces", 1 - (sized->lists + sized->resampling) / sized->seconds);
    bench_number(b, "share_of_resampling", sized->resampling / sized->seconds);
    bench_number(b, "steps_between_resamplings", (double)sized->steps / RESAMPLINGS);
    bench_number(b, "neighbours", (double)lists->used * SIZED_LANES / few);
    bench_number(b, "equal_particles", many);
    bench_number(b, "equal_milliseconds_per_step", 1e3 * equal->seconds);
    bench_number(b, "reduction", many / few);
    bench_number(b, "speed_up", equal->seconds / sized->seconds);
    bench_number(b, "speed_up_over_reduction", equal->seconds / sized->seconds * few / many);
    bench_number(b, "speed_up_by_processor_time", equal->processor / sized->processor);
    bench_number(b, "processor_milliseconds_per_step", 1e3 * sized->processor);
    bench_number(b, "equal_processor_milliseconds_per_step", 1e3 * equal->processor);
    bench_number(b, "simulated_time_ratio", sized->sim->time / equal->sim->time);
    bench_number(b, "megabytes", 1e-6 * (double)sized->memory.most);
    bench_number(b, "equal_megabytes", 1e-6 * (double)equal->memory.most);
    bench_number(b, "seconds_to_start", sized->start);
    double finest;
    const double bound = cost_with_own_steps(sph_view_of(sized->sim), &finest);
    bench_number(b, "share_of_finest_steps", finest);
    bench_number(b, "least_cost_with_steps_per_level", bound);
}

static rill_status adaptive_run(bench_run *b)
{
    side both[2] = {{.seconds = 0}, {.seconds = 0}};
    rill_status st = RILL_OK;
    for (int k = 0; k < 2 && !st; k++) {
        st = tally_ctx_create(b->ctx, &both[k].memory, &both[k].ctx);
        if (!st) st = begin(&both[k], b->n, k ? LEVELS : 0);
    }
    if (!st) st = take_turns(b, &both[0], &both[1]);
    if (!st) report(b, &both[0], &both[1]);
    for (int k = 0; k < 2; k++) {
        side *a = &both[k];
        if (!a->ctx) continue;
        if (st && rill_ctx_message(a->ctx)[0]) rill_fail(b->ctx, st, "%s", rill_ctx_message(a->ctx));
        sph_method.destroy(a->sim);
        scene_clear(a->ctx, &a->scene);
        rill_ctx_destroy(a->ctx);
    }
    return st;
}

const bench_case bench_adaptive = {
    "adaptive", 216000, "steps of sph with particles of several sizes, beside n equal ones", adaptive_run};
