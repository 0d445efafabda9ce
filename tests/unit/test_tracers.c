/* Tracers: order of the midpoint rule, exact counts, walls, parts of the fluid, state. */
#include "support.h"

#include "base/random.h"
#include "flow/method.h"
#include "flow/snapshot.h"
#include "flow/trace_samples.h"
#include "grid/state.h"
#include "method_scenes.h"
#include "run/driver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a method that is nothing but a field ---- */

typedef enum { TURNING, STEADY, PARTED, NOTHING } field_kind;
static field_kind field;
static rill_vec3 steady;

static rill_vec3 field_at(rill_vec3 x)
{
    if (field == STEADY) return steady;
    return v3_cross(v3(0.3, -0.2, 2), v3_sub(x, v3(0.5, 0.5, 0.5)));
}

static rill_status field_velocity(const rill_sim *sim, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    (void)sim;
    for (size_t i = 0; i < n; i++) u[i] = field_at(x[i]);
    return RILL_OK;
}

/* Two parts that meet at x = 0.5 and move apart along y; a place is nearest to the one on its side. */
static rill_status field_trace(const rill_sim *sim, size_t n, const rill_vec3 *x, uint32_t *part,
                               rill_vec3 *u)
{
    (void)sim;
    for (size_t i = 0; i < n; i++) {
        if (field == NOTHING) part[i] = TRACE_NOWHERE;
        if (part[i] == TRACE_NEAREST) part[i] = x[i].x < 0.5 ? 7 : 9;
        if (part[i] != TRACE_NOWHERE) u[i] = part[i] == 7 ? v3(1, 1, 0) : v3(-1, -1, 0);
    }
    return RILL_OK;
}

static const rill_method plain_method = {.name = "plain", .velocity = field_velocity};
static const rill_method parted_method = {.name = "parted", .velocity = field_velocity, .trace = field_trace};

/* ---- scenes and steps ---- */

static rill_scene scene_of(scene_tracers *source, uint32_t count)
{
    rill_scene scene = {.dimensions = 3, .spacing = 0.05, .tracers = source, .tracers_count = count};
    scene.domain.min = v3(0, 0, 0);
    scene.domain.max = v3(1, 1, 1);
    scene.time = (scene_time){10, 30, 0};
    return scene;
}

static shape ball(rill_vec3 center, double radius)
{
    return (shape){.kind = SHAPE_SPHERE, .sphere = {center, radius}};
}

static shape box(rill_vec3 min, rill_vec3 max)
{
    return (shape){.kind = SHAPE_BOX, .box = {min, max}};
}

static scene_tracers source_of(shape form, int32_t count, double rate)
{
    return (scene_tracers){.shape = form,
                           .count = count,
                           .rate = rate,
                           .end = SCENE_FOREVER,
                           .life = SCENE_FOREVER,
                           .most = 100000000};
}

static rill_status step(rill_sim *sim, double dt)
{
    TRY(solids_prepare(sim->ctx, &sim->solids, sim->time, dt));
    TRY(tracers_step(sim, sim->time, dt));
    sim->time += dt;
    sim->step++;
    return RILL_OK;
}

static void steps(rill_sim *sim, double dt, int count)
{
    for (int k = 0; k < count; k++) assert_ok(sim->ctx, step(sim, dt));
}

/* The largest distance from where a turn by `angle` puts those of the start. */
static double turn_error(rill_ctx *ctx, const rill_scene *scene, double t, int count)
{
    rill_sim sim;
    assert_ok(ctx, sim_init(ctx, &plain_method, scene, &sim));
    const size_t n = sim.tracers.dots.count;
    rill_vec3 *start = malloc(n * sizeof *start);
    for (size_t i = 0; i < n; i++) start[sim.tracers.dots.id[i]] = sim.tracers.dots.position[i];
    steps(&sim, t / count, count);
    assert_int_equal(sim.tracers.dots.count, n);
    const rill_vec3 spin = v3(0.3, -0.2, 2), axis = v3_unit(spin), middle = v3(0.5, 0.5, 0.5);
    const double angle = v3_length(spin) * t;
    double worst = 0;
    for (size_t i = 0; i < n; i++) { /* Rodrigues */
        const rill_vec3 r = v3_sub(start[sim.tracers.dots.id[i]], middle);
        rill_vec3 x = v3_madd(v3_scale(r, cos(angle)), sin(angle), v3_cross(axis, r));
        x = v3_add(middle, v3_madd(x, (1 - cos(angle)) * v3_dot(axis, r), axis));
        worst = fmax(worst, v3_distance(x, sim.tracers.dots.position[i]));
    }
    free(start);
    sim_clear(&sim);
    return worst;
}

static void turns_are_of_second_order(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    scene_tracers source = source_of(ball(v3(0.5, 0.5, 0.5), 0.4), 5000, 0);
    const rill_scene scene = scene_of(&source, 1);
    field = TURNING;
    double error[3];
    for (int k = 0; k < 3; k++) error[k] = turn_error(ctx, &scene, 1, 20 << k);
    assert_true(error[0] < 3e-3);
    for (int k = 0; k < 2; k++) {
        const double order = log2(error[k] / error[k + 1]);
        assert_true(order > 1.9 && order < 2.1);
    }
    rill_ctx_destroy(ctx);
}

/* Evenly: no eighth of the ball has more than a few percent more than its share. */
static void sources_fill_their_shapes_evenly(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    scene_tracers source[2] = {
        source_of(ball(v3(0.5, 0.5, 0.5), 0.3), 40000, 0),
        source_of((shape){.kind = SHAPE_DISC, .flat = {{0.5, 0.5, 0.5}, {1, 2, 0}, 0.2}}, 8000, 0)};
    const rill_scene scene = scene_of(source, 2);
    rill_sim sim;
    assert_ok(ctx, sim_init(ctx, &plain_method, &scene, &sim));
    const particles *p = &sim.tracers.dots;
    assert_int_equal(p->count, 48000);
    int part[8] = {0}, half[2] = {0};
    for (size_t i = 0; i < p->count; i++) {
        const rill_vec3 r = v3_sub(p->position[i], v3(0.5, 0.5, 0.5));
        if (p->column[TRACER_SOURCE].value[i] == 0) {
            assert_true(v3_length(r) <= 0.3 + 1e-12);
            part[(r.x > 0) + 2 * (r.y > 0) + 4 * (r.z > 0)]++;
        } else {
            assert_true(v3_length(r) <= 0.2 + 1e-12 && fabs(v3_dot(r, v3(1, 2, 0))) < 1e-12);
            half[r.z > 0]++;
        }
    }
    for (int k = 0; k < 8; k++) assert_true(abs(part[k] - 5000) < 75); /* random numbers: 70 is one sigma */
    assert_true(abs(half[0] - 4000) < 60);
    sim_clear(&sim);
    rill_ctx_destroy(ctx);
}

/* In a steady stream those of a disc follow each other at the stream's speed over the rate. */
static void streams_have_no_gaps(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    scene_tracers source =
        source_of((shape){.kind = SHAPE_DISC, .flat = {{0.1, 0.5, 0.5}, {1, 0, 0}, 0.05}}, 0, 100);
    source.start = 0.013;
    const rill_scene scene = scene_of(&source, 1);
    field = STEADY;
    steady = v3(0.7, 0, 0);
    for (int count = 10; count <= 160; count *= 4) {
        rill_sim sim;
        assert_ok(ctx, sim_init(ctx, &plain_method, &scene, &sim));
        steps(&sim, 1.0 / count, count);
        const particles *p = &sim.tracers.dots;
        assert_int_equal(p->count, 98);         /* floor(100 * 0.987) */
        for (size_t i = 0; i < p->count; i++) { /* number k was born when k + 1 had come */
            const double born = 0.013 + (double)(p->id[i] + 1) / 100;
            assert_true(fabs(p->position[i].x - (0.1 + 0.7 * (1 - born))) < 1e-6);
            assert_true(fabs(p->column[TRACER_AGE].value[i] - (1 - born)) < 1e-5);
        }
        sim_clear(&sim);
    }
    rill_ctx_destroy(ctx);
}

static void rates_may_vary_and_end(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    keyframe key[2] = {{0, {0, 0, 0}}, {1, {1000, 0, 0}}};
    scene_tracers source = source_of(ball(v3(0.5, 0.5, 0.5), 0.2), 10, 5);
    source.rate_keys = (keyframes){key, 2, false};
    source.end = 0.8;
    const rill_scene scene = scene_of(&source, 1);
    field = STEADY;
    steady = v3(0, 0, 0);
    assert_int_equal(tracers_most(&scene), 67); /* 10 + 55.6 in the third of a second that the scene has */
    for (int count = 7; count < 70; count += 31) {
        rill_sim sim;
        assert_ok(ctx, sim_init(ctx, &plain_method, &scene, &sim));
        assert_int_equal(sim.tracers.dots.count, 10);
        steps(&sim, 1.2 / count, count);
        assert_int_equal(sim.tracers.dots.count, 330); /* 10 + 1000 * 0.8^2 / 2 */
        sim_clear(&sim);
    }
    rill_ctx_destroy(ctx);
}

static void they_go_by_age_sides_and_drains(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    scene_tracers source = source_of(box(v3(0.1, 0.1, 0.1), v3(0.9, 0.9, 0.9)), 8000, 0);
    scene_drain drain = {box(v3(0.8, -1, -1), v3(2, 0.5, 2))};
    rill_scene scene = scene_of(&source, 1);
    scene.drains = &drain;
    scene.drain_count = 1;
    scene.domain.open = 1u << 1; /* +x */
    field = STEADY;
    steady = v3(1, 0, 0);
    rill_sim sim;
    assert_ok(ctx, sim_init(ctx, &plain_method, &scene, &sim));
    steps(&sim, 0.05, 40);
    assert_int_equal(sim.tracers.dots.count, 0);
    assert_int_equal(sim.tracers.drained + sim.tracers.left, 8000);
    assert_true(llabs((long long)sim.tracers.drained - 4000) < 100);
    assert_int_equal(sim.tracers.alive[0], 0);
    sim_clear(&sim);

    source.rate = 1000;
    source.count = 0;
    source.life = 0.1;
    scene.drain_count = 0;
    scene.domain.open = 0;
    scene.domain.periodic = 1;
    assert_ok(ctx, sim_init(ctx, &plain_method, &scene, &sim));
    steps(&sim, 0.02, 100);
    assert_true(llabs((long long)sim.tracers.dots.count - 100) <= 1);
    assert_true(sim.tracers.ended >= 1899);
    assert_true(tracers_most(&scene) >= (double)sim.tracers.dots.count);
    for (size_t i = 0; i < sim.tracers.dots.count; i++)
        assert_true(sim.tracers.dots.position[i].x >= 0 && sim.tracers.dots.position[i].x < 1);
    sim_clear(&sim);

    source.life = SCENE_FOREVER;
    source.most = 250;
    assert_ok(ctx, sim_init(ctx, &plain_method, &scene, &sim));
    steps(&sim, 0.02, 100);
    assert_int_equal(sim.tracers.dots.count, 250);
    assert_int_equal(sim.tracers.made[0], 2000); /* it waited, and does not make up for it */
    sim_clear(&sim);
    rill_ctx_destroy(ctx);
}

/* A wind against a thin plate, a ball and the walls, and a paddle that sweeps the room. */
static void solids_keep_them_out(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    scene_motion_key key[2] = {{.t = 0}, {.t = 1, .translate = {0, 0, 0.6}}};
    scene_solid solid[3] = {
        {.shape = box(v3(0.6, 0, 0), v3(0.605, 0.7, 1)), .transform = {.scale = 1}},
        {.shape = ball(v3(0.4, 0.5, 0.5), 0.15), .transform = {.scale = 1}},
        {.shape = box(v3(-1, -1, 0.05), v3(2, 2, 0.06)),
         .transform = {.scale = 1},
         .motion = {key, 2, false, {0}}},
    };
    scene_tracers source = source_of(box(v3(0, 0, 0.2), v3(0.5, 1, 1)), 4000, 500);
    rill_scene scene = scene_of(&source, 1);
    scene.solids = solid;
    scene.solid_count = 3;
    field = STEADY;
    steady = v3(3, 0, 0);
    for (int count = 10; count <= 90; count += 80) {
        rill_sim sim;
        assert_ok(ctx, sim_init(ctx, &plain_method, &scene, &sim));
        const size_t before = sim.tracers.dots.count;
        steps(&sim, 1.0 / count, count);
        const particles *p = &sim.tracers.dots;
        assert_int_equal(before, 4000);
        assert_true(p->count > 4300 && p->count <= 4500);
        for (size_t i = 0; i < p->count; i++) {
            const rill_vec3 x = p->position[i];
            assert_true(solids_distance(&sim.solids, x, sim.time, NULL) > 0);
            assert_true(x.x < 0.6 || x.y > 0.69);          /* not through the plate */
            assert_true(x.z > 0.65 || p->id[i] >= before); /* the paddle took along what it met */
        }
        sim_clear(&sim);
    }
    rill_ctx_destroy(ctx);
}

/* Both looks of a step are at the part that is nearest to where it starts. */
static void looks_stay_within_a_part(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    scene_tracers source = source_of(box(v3(0.3, 0.4, 0.4), v3(0.7, 0.6, 0.6)), 3000, 0);
    const rill_scene scene = scene_of(&source, 1);
    field = PARTED;
    rill_sim sim;
    assert_ok(ctx, sim_init(ctx, &parted_method, &scene, &sim));
    rill_vec3 start[3000];
    for (size_t i = 0; i < 3000; i++) start[sim.tracers.dots.id[i]] = sim.tracers.dots.position[i];
    steps(&sim, 0.3, 1); /* the middle of many is on the other side */
    for (size_t i = 0; i < 3000; i++) {
        const rill_vec3 from = start[sim.tracers.dots.id[i]];
        const double way = from.x < 0.5 ? 0.3 : -0.3;
        assert_true(v3_distance(sim.tracers.dots.position[i], v3_add(from, v3(way, way, 0))) < 1e-12);
    }
    sim_clear(&sim);

    rill_scene falling = scene; /* out of reach of everything they fall: t (t + dt) g / 2 */
    falling.gravity = v3(0, -2, 0);
    falling.domain.open = 1u << 2;
    field = NOTHING;
    assert_ok(ctx, sim_init(ctx, &parted_method, &falling, &sim));
    for (size_t i = 0; i < 3000; i++) start[sim.tracers.dots.id[i]] = sim.tracers.dots.position[i];
    steps(&sim, 0.05, 8);
    for (size_t i = 0; i < 3000; i++) {
        const rill_vec3 x = sim.tracers.dots.position[i], from = start[sim.tracers.dots.id[i]];
        assert_true(v3_distance(x, v3_add(from, v3(0, -0.4 * 0.45, 0))) < 1e-12);
    }
    sim_clear(&sim);
    rill_ctx_destroy(ctx);
}

static void sources_without_room_are_told(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    scene_solid solid = {.shape = ball(v3(0.5, 0.5, 0.5), 0.4), .transform = {.scale = 1}};
    scene_tracers source = source_of(ball(v3(0.5, 0.5, 0.5), 0.3), 10, 0);
    rill_scene scene = scene_of(&source, 1);
    scene.solids = &solid;
    scene.solid_count = 1;
    rill_sim sim = {0};
    assert_int_equal(sim_init(ctx, &plain_method, &scene, &sim), RILL_BAD_SCENE);
    assert_non_null(strstr(rill_ctx_message(ctx), "tracers[0]"));
    assert_null(sim.ctx);
    rill_ctx_destroy(ctx);
}

/* ---- with the grid method ---- */

static const char *const grid_set[] = {
    "tracers=[{\"shape\":{\"box\":{\"min\":[0,0,0],\"max\":[0.5,0.6,0.5]}},\"count\":3000},"
    "{\"shape\":{\"sphere\":{\"center\":[0.3,0.3,0.2],\"radius\":0.1}},\"rate\":2000,\"life\":0.2}]",
    NULL};

static rill_sim *grid_sim(rill_ctx *ctx, rill_scene *scene)
{
    const method_scene which = {&grid_method, 3, NULL, NULL};
    *scene = method_scene_read(ctx, &which, grid_set);
    rill_sim *sim = method_create(ctx, scene);
    sim->speed_limit = 1e3;
    return sim;
}

static void run_steps(rill_sim *sim, int count)
{
    for (int k = 0; k < count; k++) {
        double dt;
        rill_step_stats stats;
        assert_ok(sim->ctx, run_step(sim, 0.5, 10, &dt, &stats));
    }
}

static void same_tracers(const rill_sim *a, const rill_sim *b)
{
    const particles *p = &a->tracers.dots, *q = &b->tracers.dots;
    assert_int_equal(p->count, q->count);
    assert_memory_equal(p->position, q->position, p->count * sizeof *p->position);
    assert_memory_equal(p->velocity, q->velocity, p->count * sizeof *p->velocity);
    assert_memory_equal(p->id, q->id, p->count * sizeof *p->id);
    for (int c = 0; c < TRACER_COLUMNS; c++)
        assert_memory_equal(p->column[c].value, q->column[c].value, p->count * sizeof(float));
    assert_memory_equal(a->tracers.made, b->tracers.made, 2 * sizeof(uint64_t));
    assert_memory_equal(a->tracers.alive, b->tracers.alive, 2 * sizeof(uint64_t));
    assert_int_equal(a->tracers.left, b->tracers.left);
}

/* The same bits with other threads, and when a state is saved, loaded elsewhere and gone on from. */
static void threads_and_resuming_change_nothing(void **state)
{
    (void)state;
    rill_ctx *one = test_ctx(1), *four = test_ctx(4);
    rill_scene a, b;
    rill_sim *whole = grid_sim(one, &a), *resumed = grid_sim(four, &b);
    run_steps(whole, 11);
    snapshot s;
    snapshot_init(&s, one);
    assert_ok(one, sim_save(whole, &s.writer));
    run_steps(resumed, 3); /* anywhere else */
    assert_ok(four, sim_load(resumed, whole->time, whole->step, &s.reader));
    same_tracers(whole, resumed);
    run_steps(whole, 12);
    run_steps(resumed, 12);
    assert_true(whole->tracers.dots.count > 500);
    same_tracers(whole, resumed);

    s.chunk[0].count = 0; /* of the method */
    for (size_t k = 0; k < s.count; k++)
        if (strcmp(s.chunk[k].name, "tracers.source") == 0) ((float *)s.chunk[k].data)[5] = 2;
    assert_int_equal(tracers_load(one, &whole->tracers, &s.reader), RILL_BAD_FILE);
    snapshot_clear(&s);
    grid_method.destroy(whole);
    grid_method.destroy(resumed);
    scene_clear(one, &a);
    scene_clear(four, &b);
    rill_ctx_destroy(one);
    rill_ctx_destroy(four);
}

/* The fast look against the plain one, in and beyond the tiles. */
static void grid_looks_agree(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    rill_sim *sim = grid_sim(ctx, &scene);
    run_steps(sim, 6);
    enum { N = 4096 };
    static rill_vec3 x[N], u[N], v[N];
    static uint32_t part[N];
    for (int i = 0; i < N; i++) {
        const double s = i / (double)N;
        x[i] = v3(-1.5 + 5 * s, 0.45 + 0.6 * sin(40 * s), 0.25 + 0.4 * sin(313 * s));
        part[i] = 0; /* the part is known: only where there is no tile it is nowhere */
        u[i] = v3(NAN, NAN, NAN);
    }
    assert_ok(ctx, grid_method.trace(sim, N, x, part, u));
    assert_ok(ctx, grid_method.velocity(sim, N, x, v));
    int there = 0;
    for (int i = 0; i < N; i++) {
        if (part[i] == TRACE_NOWHERE) {
            assert_true(isnan(u[i].x) && v3_length(v[i]) == 0);
            continue;
        }
        there++;
        assert_true(v3_distance(u[i], v[i]) < 1e-5 * (1 + v3_length(v[i])));
    }
    assert_true(there > N / 4 && there < N);
    grid_method.destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* A ball of liquid that flies and falls: its tracers stay in it. */
static void tracers_stay_with_the_liquid(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (const rill_method *const *m = rill_methods; *m; m++) {
        if (!(*m)->has_particles) continue; /* the middle of the liquid is that of its particles */
        const method_scene which = {*m, 3, NULL, NULL};
        const char *const set[] = {
            "tracers=[{\"shape\":{\"sphere\":{\"center\":[0.4,0.6,0.5],\"radius\":0.2}},\"count\":2000}]",
            "liquid=[{\"shape\":{\"sphere\":{\"center\":[0.4,0.6,0.5],\"radius\":0.22}},\"velocity\":[1,1,0]}"
            "]",
            "emitters=[]",
            "drains=[]",
            "solids=[]",
            "gauges=[]",
            "gravity=[0,-9.81,0]",
            "spacing=0.05",
            "domain.max=[1.4,1.4,1]",
            NULL};
        rill_scene scene = method_scene_read(ctx, &which, set);
        rill_sim *sim = method_create(ctx, &scene);
        sim->speed_limit = 1e3;
        assert_int_equal(sim->tracers.dots.count, 2000);
        rill_view view = {0};
        while (sim->time < 0.25) {
            double dt;
            rill_step_stats stats;
            assert_ok(ctx, run_step(sim, 1, 0.25, &dt, &stats));
        }
        sim_view(sim, &view);
        rill_vec3 middle = v3(0, 0, 0);
        for (size_t i = 0; i < view.particles->count; i++)
            middle = v3_madd(middle, 1.0 / (double)view.particles->count, view.particles->position[i]);
        rill_vec3 own = v3(0, 0, 0); /* wherever its steps have put the liquid, they are there too */
        for (size_t i = 0; i < 2000; i++) own = v3_madd(own, 1.0 / 2000, view.tracers->position[i]);
        assert_true(v3_distance(middle, v3(0.4, 0.6, 0.5)) > 0.2);
        assert_true(v3_distance(middle, own) < 0.005);
        double worst = 0;
        for (size_t i = 0; i < 2000; i++) worst = fmax(worst, v3_distance(view.tracers->position[i], middle));
        assert_true(worst < 0.22);
        (*m)->destroy(sim);
        scene_clear(ctx, &scene);
    }
    rill_ctx_destroy(ctx);
}

/* ---- between samples ---- */

static rill_vec3 random_place(uint64_t i, double size)
{
    const random4 r = random_at(5, i, 0, 0);
    return v3(size * r.v[0] * 0x1p-32, size * r.v[1] * 0x1p-32, size * r.v[2] * 0x1p-32);
}

static bool behind(const void *user, rill_vec3 sample, rill_vec3 place)
{
    const double wall = *(const double *)user;
    return (sample.x < wall) != (place.x < wall);
}

/* Every sample asked. */
static bool by_brute_force(const trace_samples_def *d, rill_vec3 x, uint32_t *part, rill_vec3 *u)
{
    double least = INFINITY, all = 0;
    rill_vec3 sum = {0, 0, 0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < d->count; i++) {
            const rill_vec3 r = v3_sub(d->position[i], x);
            const double d2 = d->dimensions == 2 ? r.x * r.x + r.y * r.y : v3_dot(r, r),
                         t = 1 - d2 / (d->reach * d->reach);
            if (t <= 0 || (d->parted && d->parted(d->user, d->position[i], x))) continue;
            const uint32_t own = d->part ? (uint32_t)d->part[i] : 0;
            if (pass == 0 && *part == TRACE_NEAREST && d2 < least) least = d2;
            if (pass == 0) continue;
            if (*part == TRACE_NEAREST && d2 == least)
                *part = own, i = (size_t)-1, sum = v3(0, 0, 0), all = 0;
            if (i == (size_t)-1 || own != *part) continue;
            all += t * t * t;
            sum = v3_madd(sum, t * t * t, d->velocity[i]);
        }
    if (all > 0) *u = v3_scale(sum, 1 / all);
    return all > 0;
}

static void averages_are_those_of_all_samples(void **state)
{
    (void)state;
    enum { N = 1500, M = 3000 };
    static rill_vec3 position[N], velocity[N], x[M], u[M];
    static float label[N];
    static uint32_t part[M];
    const double wall = 0.6;
    rill_ctx *ctx = test_ctx(3);
    for (int kind = 0; kind < 6; kind++) {
        const int dimensions = kind & 1 ? 2 : 3;
        for (int i = 0; i < N; i++) {
            position[i] = random_place((uint64_t)i, 1);
            velocity[i] = random_place((uint64_t)(N + i), 2);
            label[i] = (float)(position[i].y < 0.5 ? 3 : 4 + (position[i].x > 0.5));
        }
        trace_samples_def d = {.position = position,
                               .velocity = velocity,
                               .part = kind / 2 ? label : NULL,
                               .count = N,
                               .reach = 0.11,
                               .dimensions = dimensions,
                               .parted = kind / 2 == 2 ? behind : NULL,
                               .user = &wall};
        for (int i = 0; i < M; i++) {
            x[i] = v3_sub(random_place((uint64_t)(2 * N + i), 1.4), v3(0.2, 0.2, 0.2));
            part[i] = i % 3 == 0 || kind < 2 ? TRACE_NEAREST : i % 3 == 1 ? 3 : TRACE_NOWHERE;
            u[i] = v3(NAN, NAN, NAN);
        }
        assert_ok(ctx, trace_samples(ctx, &d, M, x, part, u));
        int found = 0;
        for (int i = 0; i < M; i++) {
            uint32_t expected = i % 3 == 0 || kind < 2 ? TRACE_NEAREST : i % 3 == 1 ? 3 : TRACE_NOWHERE;
            rill_vec3 v = {0, 0, 0};
            if (expected == TRACE_NOWHERE || !by_brute_force(&d, x[i], &expected, &v)) {
                assert_true(part[i] == TRACE_NOWHERE && isnan(u[i].x));
                continue;
            }
            found++;
            assert_int_equal(part[i], expected);
            assert_true(v3_distance(u[i], v) < 2e-5);
        }
        assert_true(found > 200);
    }
    rill_ctx_destroy(ctx);
}

static void failed_allocations_leave_nothing(void **state)
{
    (void)state;
    scene_tracers source[2] = {source_of(ball(v3(0.5, 0.5, 0.5), 0.3), 500, 900),
                               source_of(ball(v3(0.5, 0.5, 0.5), 0.2), 20, 40)};
    const rill_scene scene = scene_of(source, 2);
    field = TURNING;
    for (uint64_t n = 1;; n++) {
        failing_allocator f = {0};
        rill_ctx *ctx = test_ctx_failing(1, &f);
        const uint64_t live = f.live;
        f.fail_at = f.calls + n;
        rill_sim sim = {0};
        snapshot s;
        snapshot_init(&s, ctx);
        rill_status st = sim_init(ctx, &plain_method, &scene, &sim);
        for (int k = 0; k < 3 && !st; k++) st = step(&sim, 0.05);
        if (!st) st = tracers_save(&sim.tracers, &s.writer);
        if (!st) st = tracers_load(ctx, &sim.tracers, &s.reader);
        assert_true(st == RILL_OK || st == RILL_NO_MEMORY);
        snapshot_clear(&s);
        sim_clear(&sim);
        assert_int_equal(f.live, live);
        rill_ctx_destroy(ctx);
        if (!st) break;
        assert_true(n < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_are_of_second_order),
        cmocka_unit_test(sources_fill_their_shapes_evenly),
        cmocka_unit_test(streams_have_no_gaps),
        cmocka_unit_test(rates_may_vary_and_end),
        cmocka_unit_test(they_go_by_age_sides_and_drains),
        cmocka_unit_test(solids_keep_them_out),
        cmocka_unit_test(looks_stay_within_a_part),
        cmocka_unit_test(sources_without_room_are_told),
        cmocka_unit_test(threads_and_resuming_change_nothing),
        cmocka_unit_test(grid_looks_agree),
        cmocka_unit_test(tracers_stay_with_the_liquid),
        cmocka_unit_test(averages_are_those_of_all_samples),
        cmocka_unit_test(failed_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
