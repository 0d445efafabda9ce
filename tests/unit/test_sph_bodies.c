/* Bodies in sph: what rows give against momentum, the same bits whatever the threads and after loading, and
 * bodies that are thin, fast, nearly massless, pressed on a film or into a corner. */
#include "sph_sims.h"

#include "method_scenes.h"
#include "run/stepper.h"
#include "sph/core/body_rows.h"

#include <math.h>
#include <string.h>

static const double spacing = 0.04;

typedef struct {
    const char *name;
    rill_box liquid;
    shape shape;
    scene_body body;
} body_scene;

static shape disc(double x, double y, double r)
{
    return (shape){.kind = SHAPE_SPHERE, .sphere = {{x, y, 0}, r}};
}

/* A tank of 1.2 m with a body and a second one, a light box, that floats beside it. */
static rill_scene tank_with(rill_ctx *ctx, const body_scene *b, int solver, int levels, double viscosity)
{
    rill_scene scene = {0};
    scene_liquid *liquid;
    scene_solid *solid;
    assert_ok(ctx, scene_default(ctx, rill_methods, rill_method_count, &scene));
    scene.method = &sph_method;
    scene.dimensions = 2;
    scene.spacing = spacing;
    scene.domain.min = v3(0, 0, -spacing / 2);
    scene.domain.max = v3(1.2, 1.2, spacing / 2);
    scene.fluid.viscosity = viscosity;
    assert_ok(ctx, scene_add_liquid(ctx, &scene, &liquid));
    liquid->shape = box_shaped(b->liquid.min, b->liquid.max);
    assert_ok(ctx, scene_add_solid(ctx, &scene, &solid));
    solid->shape = b->shape;
    solid->is_body = true;
    solid->body = b->body;
    solid->friction = 0.2;
    if (viscosity > 0) solid->slip = SLIP_NONE;
    assert_ok(ctx, scene_add_solid(ctx, &scene, &solid));
    solid->shape = box_shaped(v3(0.82, 0.5, -1), v3(1.02, 0.7, 1));
    solid->is_body = true;
    solid->body = (scene_body){.density = 100};
    def_of(&scene)->solver = solver;
    def_of(&scene)->levels = levels;
    return scene;
}

static const body_scene dropped = {
    "disc", {{0, 0, -1}, {1.2, 0.5, 1}}, {0}, {.density = 400, .spin = {0, 0, 5}}};

static rill_sim *create(rill_ctx *ctx, const rill_scene *scene)
{
    rill_sim *sim = NULL;
    assert_ok(ctx, sph_method.create(ctx, scene, &sim));
    sim->speed_limit = 1000;
    return sim;
}

static void advance(rill_sim *sim, int steps)
{
    for (int k = 0; k < steps; k++) {
        double dt;
        rill_step_stats stats;
        assert_ok(sim->ctx, run_step(sim, 1, 10, &dt, &stats));
    }
}

/* To the start of a frame. */
static void run_frames(rill_sim *sim, int frame)
{
    const double end = frame / sim->scene->time.fps;
    double dt;
    rill_step_stats stats;
    while (sim->time < end) assert_ok(sim->ctx, run_step(sim, 1, end, &dt, &stats));
}

static void the_same_for_any_threads_and_after_loading(void **state)
{
    (void)state;
    body_scene b = dropped;
    b.shape = disc(0.4, 0.55, 0.15);
    for (int kind = 0; kind < 4; kind++) {
        uint64_t expected = 0;
        for (int threads = 1; threads <= 3; threads++) {
            rill_ctx *ctx = test_ctx(threads);
            rill_scene scene =
                tank_with(ctx, &b, kind & 1 ? SPH_TAIT : SPH_DFSPH, kind & 2 ? 2 : 0, kind == 0 ? 5 : 0);
            rill_sim *sim = create(ctx, &scene);
            run_frames(sim, 2);
            snapshot kept;
            snapshot_init(&kept, ctx);
            assert_ok(ctx, sim_save(sim, &kept.writer));
            rill_sim *other = create(ctx, &scene);
            assert_ok(ctx, sim_load(other, sim->time, sim->step, &kept.reader));
            snapshot_clear(&kept);
            run_frames(sim, 3);
            run_frames(other, 3);
            const uint64_t hash = method_hash(sim);
            assert_true(method_hash(other) == hash);
            if (threads == 1) expected = hash;
            assert_true(hash == expected);
            sph_method.destroy(sim);
            sph_method.destroy(other);
            scene_clear(ctx, &scene);
            rill_ctx_destroy(ctx);
        }
    }
}

/* ---- rows ---- */

/* The sums of rows by plain loops, and the small system by its residual. */
static void rows_match_plain_sums(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    body_scene b = dropped;
    b.shape = disc(0.4, 0.45, 0.15);
    rill_scene scene = tank_with(ctx, &b, SPH_DFSPH, 0, 0);
    rill_sim *sim = create(ctx, &scene);
    advance(sim, 3);
    const sph *s = sph_of(sim);
    const body_rows *r = &s->bodies;
    assert_true(r->first[1] > 10 && r->first[2] > r->first[1] && r->count == r->first[2]);
    for (uint32_t k = 0; k < 2; k++) {
        const size_t count = r->first[k + 1] - r->first[k];
        double x[BODY_FREEDOMS] = {1, -2, 0.5}, left[BODY_FREEDOMS] = {1, -2, 0.5};
        const float(*u)[BODY_FREEDOMS] = (const float(*)[BODY_FREEDOMS])r->u + r->first[k];
        float *weight;
        assert_ok(ctx, MEM_NEW(ctx, weight, count));
        for (size_t n = 0; n < count; n++) weight[n] = n % 3 ? (float)(n % 7) : 0;
        body_system_solve(ctx, 3, count, u, weight, x);
        for (int a = 0; a < 3; a++) left[a] -= x[a];
        for (size_t n = 0; n < count; n++)
            for (int a = 0; a < 3; a++)
                for (int c = 0; c < 3; c++) left[a] -= (double)(weight[n] * u[n][a] * u[n][c]) * x[c];
        for (int a = 0; a < 3; a++) assert_true(fabs(left[a]) < 1e-5);
        mem_free(ctx, weight);
        /* sorted, and of particles near the body */
        for (size_t n = r->first[k] + 1; n < r->first[k + 1]; n++)
            assert_true(r->row[n].particle > r->row[n - 1].particle);
    }
    sph_method.destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* ---- bodies that break things ---- */

static void run_hard(rill_ctx *ctx, const body_scene *b, int solver, int levels, double viscosity)
{
    rill_scene scene = tank_with(ctx, b, solver, levels, viscosity);
    rill_sim *sim = create(ctx, &scene);
    const particles *p = &sph_of(sim)->particles;
    const double liquid = scene.fluid.density * spacing * spacing * (double)p->count;
    double deepest = 0, dt;
    rill_step_stats stats;
    while (sim->time < 0.35) {
        const rill_status st = run_step(sim, 1, 0.35, &dt, &stats);
        if (st) fail_msg("%s, solver %d, levels %d: %s", b->name, solver, levels, rill_ctx_message(ctx));
        for (size_t i = 0; i < p->count; i++)
            deepest = fmax(deepest, -solids_distance(&sim->solids, p->position[i], sim->time, NULL));
    }
    if (!(deepest < 0.1 * spacing)) fail_msg("%s: a particle %g m inside", b->name, deepest);
    for (uint32_t k = 0; k < 2; k++) {
        const rigid_body *r = &sim->bodies.world.body[k];
        const double limit = 1.05 * v3_length(b->body.velocity) + 12; /* far above what falls in the tank */
        if (!(v3_length(r->velocity) < limit)) fail_msg("%s: %g m/s", b->name, v3_length(r->velocity));
    }
    assert_true(levels > 0 || liquid == scene.fluid.density * spacing * spacing * (double)p->count);
    sph_method.destroy(sim);
    scene_clear(ctx, &scene);
}

static void hard_bodies_do_not_end_a_run(void **state)
{
    (void)state;
    const rill_box deep = {{0, 0, -1}, {1.2, 0.4, 1}}, film = {{0, 0, -1}, {1.2, spacing, 1}};
    const body_scene hard[] = {
        {"thin plate",
         deep,
         box_shaped(v3(0.2, 0.6, -1), v3(0.6, 0.6 + 0.5 * spacing, 1)),
         {.density = 2000, .spin = {0, 0, 3}}},
        {"fast disc", deep, disc(0.4, 0.7, 0.1), {.density = 3000, .velocity = {2, -15, 0}}},
        {"massless disc", deep, disc(0.4, 0.2, 0.12), {.density = 1}},
        {"block on a film", film, box_shaped(v3(0.2, 0.2, -1), v3(0.6, 0.5, 1)), {.density = 5000}},
        {"into a corner", deep, disc(0.3, 0.6, 0.15), {.density = 1500, .velocity = {-6, -6, 0}}},
    };
    rill_ctx *ctx = test_ctx(2);
    for (size_t k = 0; k < sizeof hard / sizeof *hard; k++)
        for (int kind = 0; kind < 4; kind++) /* dfsph, tait, dfsph with levels, dfsph of a thick liquid */
            run_hard(ctx, &hard[k], kind == 1 ? SPH_TAIT : SPH_DFSPH, kind == 2 ? 2 : 0, kind == 3 ? 50 : 0);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_for_any_threads_and_after_loading),
        cmocka_unit_test(rows_match_plain_sums),
        cmocka_unit_test(hard_bodies_do_not_end_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
