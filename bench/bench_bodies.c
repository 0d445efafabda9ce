/* What bodies cost. Boxes at rest on a floor, by themselves: a step's motion, weight and contacts. And a pool
 * with ten boxes and balls that float in it, against the same pool with the same solids fixed. */
#include "base/text.h"
#include "bench/bench.h"
#include "bodies/world.h"
#include "io/scene_file.h"
#include "run/registry.h"
#include "run/stepper.h"

#include <time.h>

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* ---- at rest on a floor ---- */

enum { REST_STEPS = 10, SETTLING = 60 };
static const double rest_dt = 1.0 / 120, size = 0.1, apart = 0.13;

typedef struct {
    rill_ctx *ctx;
    body_world world;
    shape box, floor;
    double t, processor;
} rest;

static rill_status rest_steps(rest *r, int steps)
{
    for (int k = 0; k < steps; k++) {
        TRY(world_move(&r->world, r->t, rest_dt));
        world_push(&r->world, v3(0, -9.81, 0), NULL, NULL, rest_dt);
        r->t += rest_dt;
        TRY(world_settle(&r->world, r->t, rest_dt, 9.81));
    }
    return RILL_OK;
}

static rill_status timed_rest(void *arg)
{
    rest *r = arg;
    const double since = processor_seconds();
    TRY(rest_steps(r, REST_STEPS));
    r->processor = fmin(r->processor, (processor_seconds() - since) / REST_STEPS);
    return RILL_OK;
}

/* Boxes in a square lattice, each a little above the floor and turned by its own angle. */
static rill_status make_rest(rest *r, uint32_t n)
{
    static const struct solid_pose unturned = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, 1};
    world_body_def *body;
    const double mass = 500 * size * size * size, inertia = mass * size * size / 6;
    const uint32_t side = (uint32_t)ceil(sqrt((double)n));
    r->box = (shape){.kind = SHAPE_BOX,
                     .box = {{-size / 2, -size / 2, -size / 2}, {size / 2, size / 2, size / 2}}};
    r->floor = (shape){.kind = SHAPE_PLANE, .flat = {{0, 0, 0}, {0, 1, 0}, 0}};
    TRY(MEM_NEW_ZERO(r->ctx, body, n));
    for (uint32_t i = 0; i < n; i++) {
        world_body_def *b = &body[i];
        const double c = cos(0.3 * i), s = sin(0.3 * i) * 0.2;
        *b = (world_body_def){
            .shape = &r->box, .pose = unturned, .mass = mass, .lower = 1, .upper = -1, .friction = 0.5};
        b->center = b->pose.translate =
            v3(apart * (i % side), size / 2 + 1e-3 * (1 + c), apart * (i / side) + 0.1 * apart * s);
        for (int a = 0; a < 3; a++) b->inertia[a][a] = inertia;
    }
    const world_obstacle_def floor = {.shape = &r->floor, .pose = unturned, .friction = 0.5};
    const rill_status st = world_create(r->ctx, 3, body, n, &floor, 1, NULL, NULL, &r->world);
    mem_free(r->ctx, body);
    return st;
}

static rill_status rest_run(bench_run *b)
{
    rest r = {.ctx = b->ctx, .processor = INFINITY};
    TRY(make_rest(&r, (uint32_t)b->n));
    rill_status st = rest_steps(&r, SETTLING);
    if (!st) st = bench_time(b, NULL, timed_rest, &r);
    if (!st) {
        bench_rate(b, 1e-3 * REST_STEPS * (double)b->n, "k bodies/s");
        bench_number(b, "step_seconds", b->seconds / REST_STEPS);
        bench_number(b, "processor_seconds", r.processor);
        bench_number(b, "contacts", r.world.contacts.count);
        bench_number(b, "max_speed", world_max_speed(&r.world));
    }
    world_clear(&r.world);
    return st;
}

const bench_case bench_bodies_rest = {
    "bodies-rest", 1000, "a step of boxes at rest on a floor, without fluid; n: boxes", rest_run};

/* ---- in a pool ---- */

enum { AFLOAT = 10, STEPS = 6 };

typedef struct {
    rill_ctx *ctx;
    rill_scene scene;
    rill_sim *sim;
    double processor; /* s a step, of the steps that took least */
    double iterations, elements;
} basin;

static void put_solid(text *t, int k, bool free)
{
    const double x = 0.1 + 0.2 * (k % 5), z = k < 5 ? 0.15 : 0.35, r = 0.045;
    text_print(t, "%s{ \"shape\": ", k ? ", " : "");
    if (k % 2)
        text_print(t, "{ \"sphere\": { \"center\": [%g, 0.25, %g], \"radius\": %g } }", x, z, r);
    else
        text_print(t, "{ \"box\": { \"min\": [%g, %g, %g], \"max\": [%g, %g, %g] } }", x - r, 0.25 - r, z - r,
                   x + r, 0.25 + r, z + r);
    text_print(t, "%s }", free ? ", \"body\": { \"density\": 500 }" : "");
}

/* 1 x 0.5 x 0.5 m with 0.25 m of water. */
static rill_status make_basin(basin *p, const char *method, double spacing, bool free)
{
    text t;
    text_init(&t, p->ctx);
    text_print(&t, "{ \"rill\": 1, \"method\": \"%s\", \"spacing\": %.9g, ", method, spacing);
    text_add(&t,
             "\"domain\": { \"min\": [0, 0, 0], \"max\": [1, 0.5, 0.5] }, \"time\": { \"frames\": 10, "
             "\"fps\": 30 }, "
             "\"liquid\": [ { \"shape\": { \"box\": { \"min\": [0, 0, 0], \"max\": [1, 0.25, 0.5] } } } ], "
             "\"solids\": [ ");
    for (int k = 0; k < AFLOAT; k++) put_solid(&t, k, free);
    text_add(&t, " ] }");
    rill_status st = text_check(&t);
    if (!st)
        st = scene_parse(p->ctx, "pool", t.data, t.length, rill_methods, rill_method_count, NULL, &p->scene);
    text_clear(&t);
    return st ? st : sim_start(p->ctx, &p->scene, &p->sim);
}

static rill_status basin_steps(void *arg)
{
    basin *p = arg;
    const double since = processor_seconds();
    p->iterations = 0;
    for (int k = 0; k < STEPS; k++) {
        double dt;
        rill_step_stats stats = step_stats_none();
        TRY(run_step(p->sim, 1, p->sim->time + 1.0 / 120, &dt, &stats));
        p->iterations += (double)stats.solve_iterations / STEPS;
        p->elements = (double)stats.elements;
    }
    p->processor = fmin(p->processor, (processor_seconds() - since) / STEPS);
    return RILL_OK;
}

static void basin_clear(basin *p)
{
    if (p->sim) p->sim->method->destroy(p->sim);
    scene_clear(p->ctx, &p->scene);
}

static rill_status measure(bench_run *b, const char *method, double spacing)
{
    basin fixed = {.ctx = b->ctx, .processor = INFINITY}, free = {.ctx = b->ctx, .processor = INFINITY};
    rill_status st = make_basin(&fixed, method, spacing, false);
    if (!st) st = make_basin(&free, method, spacing, true);
    /* By turns, so that what else the machine does hits both. */
    for (int k = 0; k < b->repeat && !st; k++) st = basin_steps(&fixed);
    if (!st) st = bench_time(b, NULL, basin_steps, &free);
    for (int k = 0; k < b->repeat && !st; k++) st = basin_steps(&fixed);
    if (!st) {
        bench_rate(b, 1e-3 * STEPS * free.elements, "k elements/s");
        bench_number(b, "ratio", free.processor / fixed.processor);
        bench_number(b, "bodies_processor_seconds", free.processor);
        bench_number(b, "fixed_processor_seconds", fixed.processor);
        bench_number(b, "bodies_iterations", free.iterations);
        bench_number(b, "fixed_iterations", fixed.iterations);
        bench_number(b, "elements", free.elements);
    }
    basin_clear(&free);
    basin_clear(&fixed);
    return st;
}

static rill_status grid_run(bench_run *b)
{
    return measure(b, "grid", 1.0 / (double)b->n);
}

static rill_status sph_run(bench_run *b)
{
    return measure(b, "sph", cbrt(0.125 / (double)b->n));
}

const bench_case bench_bodies_grid = {
    "bodies-grid", 64, "grid with ten bodies afloat against the same solids fixed; n: cells along the pool",
    grid_run};
const bench_case bench_bodies_sph = {
    "bodies-sph", 100000, "sph with ten bodies afloat against the same solids fixed; n: particles", sph_run};
