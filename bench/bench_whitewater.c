/* A step of n particles of white water on a basin of 100000 samples of liquid (100 x 20 x 50) with a swell:
 * seven in ten of them foam within a spacing of the surface, two in ten bubbles below it, the rest spray;
 * with the potentials of all samples and a thousand new particles. */
#include "base/random.h"
#include "bench/bench.h"
#include "whitewater/whitewater.h"

#include <time.h>

enum { NX = 100, NY = 20, NZ = 50, SAMPLES = NX * NY * NZ, STEPS = 4 };

typedef struct {
    rill_ctx *ctx;
    rill_scene scene;
    solids walls;
    whitewater *w;
    rill_vec3 *x, *v;
    uint64_t *id;
    double processor; /* s of the steps that took least */
} job;

static const double h = 0.02;

static double swell(double x, double z)
{
    return NY * h + 2 * h * sin(9 * x) * cos(7 * z);
}

static void fill_liquid(job *j)
{
    for (int i = 0; i < SAMPLES; i++) {
        const double x = (i % NX + 0.5) * h, z = (i / NX / NY + 0.5) * h, y = (i / NX % NY + 0.5) / NY;
        j->x[i] = v3(x, y * swell(x, z), z);
        j->v[i] = v3(0.5 * sin(5 * z), cos(9 * x), 0.3);
        j->id[i] = (uint64_t)i;
    }
}

static rill_status fill_white(job *j, size_t n)
{
    TRY(particles_reserve(j->ctx, &j->w->dots, n + 100000));
    for (size_t i = 0; i < n; i++) {
        const random4 r = random_at(1, i, 0, 0);
        const double a = r.v[0] * 0x1p-32, b = r.v[1] * 0x1p-32, c = r.v[2] * 0x1p-32;
        const double off = i % 10 < 7 ? 2 * c - 1 : i % 10 < 9 ? -8 * c : 1 + 10 * c;
        const rill_vec3 x = v3(a * NX * h, swell(a * NX * h, b * NZ * h) + off * h, b * NZ * h),
                        u = v3(0, 0, 0);
        TRY(particles_append(j->ctx, &j->w->dots, 1, &x, &u));
        j->w->dots.column[WHITEWATER_LIFE].value[i] = 1e6f;
    }
    return RILL_OK;
}

static rill_status take_steps(void *arg)
{
    job *j = arg;
    const liquid_samples liquid = {SAMPLES, j->x, j->v, j->id, NULL, NULL, h, 3};
    const clock_t since = clock();
    for (int k = 0; k < STEPS; k++) TRY(whitewater_step(j->ctx, j->w, &liquid, &j->walls, 1e-4));
    j->processor = fmin(j->processor, (double)(clock() - since) / CLOCKS_PER_SEC / STEPS);
    return RILL_OK;
}

static rill_status whitewater_run(bench_run *b)
{
    job j = {.ctx = b->ctx, .processor = INFINITY, .scene = {.dimensions = 3, .spacing = h}};
    j.scene.domain.max = v3(NX * h, 1, NZ * h);
    j.scene.gravity = v3(0, -9.81, 0);
    j.scene.whitewater = (scene_whitewater){.trapped_air = 100,
                                            .wave_crests = 100,
                                            .air_range = {0, 5},
                                            .crest_range = {0, 2},
                                            .speed_range = {0, 1},
                                            .buoyancy = 2,
                                            .drag = 80,
                                            .life_min = 1,
                                            .life_max = 2,
                                            .most = 100000000};
    rill_status st = MEM_NEW(b->ctx, j.x, SAMPLES);
    if (!st) st = MEM_NEW(b->ctx, j.v, SAMPLES);
    if (!st) st = MEM_NEW(b->ctx, j.id, SAMPLES);
    if (!st) st = solids_create(b->ctx, &j.scene, &j.walls);
    if (!st) st = whitewater_create(b->ctx, &j.scene, 0, &j.w);
    if (!st) {
        fill_liquid(&j);
        st = fill_white(&j, b->n);
    }
    if (!st) st = bench_time(b, NULL, take_steps, &j);
    if (!st) {
        bench_rate(b, 1e-6 * STEPS * (double)b->n, "M moves/s");
        bench_number(b, "step_seconds", b->seconds / STEPS);
        bench_number(b, "processor_seconds", j.processor);
        bench_number(b, "particles", (double)j.w->dots.count);
    }
    whitewater_destroy(b->ctx, j.w);
    solids_clear(b->ctx, &j.walls);
    mem_free(b->ctx, j.x);
    mem_free(b->ctx, j.v);
    mem_free(b->ctx, j.id);
    return st;
}

const bench_case bench_whitewater = {"whitewater", 1000000,
                                     "steps of white water over 100000 samples of liquid; n: its particles",
                                     whitewater_run};
