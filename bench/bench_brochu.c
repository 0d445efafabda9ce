/* Steps of the voronoi method: a ball of liquid above a pool, as in the sphere splash of table 1 of
 * [Brochu10] (313,587 tetrahedra; the authors' frames took 171 s). Beside the wall-clock time of a step:
 * processor time, the stages of table 1, and memory. Then look-ups of velocities a second, with each of the
 * interpolants of figure 11. */
#include "base/text.h"
#include "bench/bench.h"
#include "run/registry.h"
#include "voronoi/state.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>

enum { STEPS = 2, LOOKS = 200000 };

typedef struct {
    rill_ctx *ctx;
    rill_scene scene;
    rill_sim *sim;
    rill_step_stats stats;
    double processor, best; /* s a step, of the shortest repetition */
} splash;

/* A unit tank filled to 0.3, and a ball of radius 0.15 above it; about 41 / h^2 tetrahedra. */
static rill_status make_scene(rill_ctx *ctx, size_t n, rill_scene *scene)
{
    TRY(scene_default(ctx, rill_methods, rill_method_count, scene));
    scene->method = &voronoi_method;
    scene->spacing = sqrt(41.0 / (double)n);
    scene->domain.min = v3(0, 0, 0);
    scene->domain.max = v3(1, 1, 1);
    scene_liquid *liquid;
    TRY(scene_add_liquid(ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {{0, 0, 0}, {1, 0.3, 1}}};
    TRY(scene_add_liquid(ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.5, 0.5}, 0.15}};
    liquid->velocity.value = v3(0, -2, 0);
    return RILL_OK;
}

static rill_status begin(void *arg)
{
    splash *d = arg;
    voronoi_method.destroy(d->sim);
    d->sim = NULL;
    return voronoi_method.create(d->ctx, &d->scene, &d->sim);
}

static double processor_seconds(void)
{
    struct timespec t;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec
                                                            : NAN;
}

static rill_status take_steps(void *arg)
{
    splash *d = arg;
    const double clock = processor_seconds();
    for (int k = 0; k < STEPS; k++) {
        d->stats = step_stats_none();
        const double dt = voronoi_method.max_dt(d->sim);
        TRY(voronoi_method.step(d->sim, dt, &d->stats));
        d->sim->time += dt;
        d->sim->step++;
    }
    const double taken = (processor_seconds() - clock) / STEPS;
    if (!(taken >= d->best)) d->best = taken;
    return RILL_OK;
}

static double most_bytes(void)
{
    struct rusage r;
    return getrusage(RUSAGE_SELF, &r) == 0 ? 1024.0 * (double)r.ru_maxrss : NAN;
}

/* At random points of the pool, one thread, a hint for none. */
static rill_status looks(bench_run *b, brochu *s)
{
    static const char *const names[] = {"looks_linear", "looks_paper", "looks_naive", "looks_generalised"};
    brochu_diagram *d = brochu_now(s);
    rill_vec3 sum = {0};
    for (int k = BROCHU_LINEAR; k <= BROCHU_GENERALISED; k++) {
        s->def.interpolant = k;
        TRY(brochu_fit(s, d));
        TRY(brochu_extrapolate(s, d));
        const double clock = processor_seconds();
        for (int i = 0; i < LOOKS; i++) {
            const double q = i + 0.5;
            uint32_t hint = SITE_NONE;
            sum = v3_add(
                sum, brochu_look(s, d,
                                 v3(fmod(q * 0.8191725133961645, 1), 0.3 * fmod(q * 0.6710436067037893, 1),
                                    fmod(q * 0.5497004779019703, 1)),
                                 &hint));
        }
        bench_number(b, names[k], LOOKS / (processor_seconds() - clock));
    }
    bench_number(b, "looks_sum", v3_length(sum)); /* so that they are not left out */
    return RILL_OK;
}

static rill_status brochu_run(bench_run *b)
{
    splash d = {.ctx = b->ctx, .best = INFINITY};
    rill_status st = make_scene(b->ctx, b->n, &d.scene);
    if (!st) st = bench_time(b, begin, take_steps, &d);
    if (!st) {
        brochu *s = brochu_of(d.sim);
        const brochu_diagram *m = brochu_now(s);
        const double sites = m->sites.real, bytes = most_bytes();
        bench_rate(b, 1e-3 * m->tet_count * STEPS, "k tetrahedra-steps/s");
        bench_number(b, "sites", sites);
        bench_number(b, "tetrahedra", m->tet_count);
        bench_number(b, "surface_vertices", (double)s->view.vertex_count);
        bench_number(b, "seconds_per_step", b->seconds / STEPS);
        bench_number(b, "processor_seconds_per_step", d.best);
        bench_number(b, "microseconds_per_site", 1e6 * d.best / sites);
        bench_number(b, "iterations", d.stats.solve_iterations);
        for (uint32_t k = 0; k < d.stats.stage_count; k++)
            bench_number(b, d.stats.stage[k].name, d.stats.stage[k].seconds);
        bench_number(b, "process_bytes_per_site", bytes / sites);
        st = looks(b, s);
    }
    voronoi_method.destroy(d.sim);
    scene_clear(b->ctx, &d.scene);
    return st;
}

const bench_case bench_brochu = {"voronoi-method", 313587,
                                 "steps of the voronoi method, a sphere splash; n: tetrahedra", brochu_run};
