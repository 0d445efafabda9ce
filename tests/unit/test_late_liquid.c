/* Liquid that joins later ("start"): what joins is its volume, when it is time, whatever the steps, the
 * threads and the checkpoints; methods that cannot have it refuse it with its line. */
#include "method_scenes.h"
#include "support.h"

#include "flow/sources.h"

#include <math.h>
#include <string.h>

static const double start = 0.03, radius = 0.17;
static const rill_vec3 center = {0.7, 0.7, 0.25};

/* A ball beside the liquid of a scene that every method runs. */
static rill_scene scene_with_ball(rill_ctx *ctx, const method_scene *which)
{
    rill_scene scene = method_scene_read(ctx, which, NULL);
    scene_liquid *ball;
    assert_ok(ctx, scene_add_liquid(ctx, &scene, &ball));
    ball->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {center, radius}};
    if (which->dimensions == 2) ball->shape.sphere.center.z = 0;
    ball->velocity.value = v3(0, -1, 0);
    ball->start = start;
    return scene;
}

static uint64_t born(const rill_sim *sim)
{
    rill_view view = {0};
    sim_view(sim, &view);
    return view.particles->next_id;
}

static bool may_join(const method_scene *which)
{
    return which->method->has_particles && which->method->can & CAN_FREE_SURFACE;
}

/* Until a step has gone past `until`; *joined: new ids, but for the emitters', and *steps that gave any. */
static void run_past(rill_sim *sim, double until, uint64_t *joined, int *steps)
{
    *joined = 0;
    *steps = 0;
    while (sim->time < until) {
        const uint64_t before = born(sim);
        assert_ok(sim->ctx, method_step(sim));
        *joined += born(sim) - before;
        *steps += born(sim) > before;
    }
}

static void its_volume_joins_once(void **state)
{
    (void)state;
    for (const method_scene *which = method_scenes(); which->method; which++) {
        if (!may_join(which)) continue;
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = scene_with_ball(ctx, which);
        scene.emitter_count = scene.drain_count = 0;
        rill_sim *sim = method_create(ctx, &scene);
        const double h = scene_particle_spacing(&scene), ball = which->dimensions == 2
                                                                    ? M_PI * radius * radius / (h * h)
                                                                    : 4 * M_PI / 3 * pow(radius / h, 3);
        const uint64_t at_first = born(sim);
        uint64_t all = 0, joined;
        int steps;
        assert_ok(ctx, sources_count(ctx, &scene, &all));
        while (sim->time + fmin(sim->method->max_dt(sim), 1 / scene.time.fps) < start) {
            assert_ok(ctx, method_step(sim));
            assert_true(sim->time >= start || born(sim) == at_first);
        }
        assert_int_equal(born(sim), at_first);
        run_past(sim, start + 0.02, &joined, &steps);
        assert_int_equal(joined, all - at_first);
        assert_int_equal(steps, 1);
        assert_true(fabs((double)joined - ball) <= 1 + 0.02 * ball);
        sim->method->destroy(sim);
        scene.emitter_count = scene.drain_count = 1;
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

static uint64_t hash_after(int threads, const method_scene *which, bool reload)
{
    rill_ctx *ctx = test_ctx(threads);
    rill_scene scene = scene_with_ball(ctx, which);
    rill_sim *sim = method_create(ctx, &scene);
    uint64_t joined;
    int steps;
    run_past(sim, start - 0.01, &joined, &steps);
    if (reload) { /* into one in which the ball is already */
        rill_sim *other = method_create(ctx, &scene);
        snapshot s;
        run_past(other, start + 0.01, &joined, &steps);
        snapshot_init(&s, ctx);
        assert_ok(ctx, sim_save(sim, &s.writer));
        assert_ok(ctx, sim_load(other, sim->time, sim->step, &s.reader));
        snapshot_clear(&s);
        sim->method->destroy(sim);
        sim = other;
    }
    run_past(sim, start + 0.02, &joined, &steps);
    assert_true(joined > 0);
    const uint64_t hash = method_hash(sim);
    sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
    return hash;
}

static void the_same_bits(void **state)
{
    (void)state;
    for (const method_scene *which = method_scenes(); which->method; which++) {
        if (!may_join(which)) continue;
        const uint64_t hash = hash_after(1, which, false);
        assert_true(hash_after(3, which, false) == hash);
        assert_true(hash_after(2, which, true) == hash);
    }
}

/* What would join where liquid is stays out: no two particles begin closer than 0.9 spacings. */
static void nothing_joins_inside_liquid(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = {.dimensions = 3, .spacing = 0.1};
    scene.domain.max = v3(1, 1, 1);
    scene_liquid liquid[2] = {{.shape = {.kind = SHAPE_BOX, .box = {{0, 0, 0}, {1, 0.5, 1}}}},
                              {.shape = {.kind = SHAPE_BOX, .box = {{0, 0.2, 0}, {1, 0.8, 1}}}, .start = 1}};
    scene.liquid = liquid;
    scene.liquid_count = 2;
    solids walls;
    sources s;
    particles p = {0};
    assert_ok(ctx, solids_create(ctx, &scene, &walls));
    assert_ok(ctx, sources_create(ctx, &scene, &s));
    assert_ok(ctx, sources_fill(ctx, &s, &walls, &p));
    assert_int_equal(p.count, 500);
    for (size_t i = 0; i < p.count; i++) p.position[i].y += 0.03; /* off the lattice */
    assert_ok(ctx, sources_apply(ctx, &s, &walls, 0, 0.9, &p));
    assert_int_equal(p.count, 500);
    assert_ok(ctx, sources_apply(ctx, &s, &walls, 0.9, 0.1, &p)); /* its end is the start */
    assert_int_equal(p.count, 500 + 200); /* the lowest layer of three is 0.07 above the others */
    for (size_t i = 0; i < p.count; i++)
        for (size_t k = 500; k < p.count; k++)
            assert_true(k == i || v3_distance(p.position[i], p.position[k]) > 0.089);
    assert_ok(ctx, sources_apply(ctx, &s, &walls, 1, 0.5, &p));
    assert_int_equal(p.count, 700);
    particles_clear(ctx, &p);
    sources_clear(ctx, &s);
    solids_clear(ctx, &walls);
    rill_ctx_destroy(ctx);
}

static void survives_failing_allocations(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    rill_scene scene = {.dimensions = 3, .spacing = 0.2};
    scene.domain.max = v3(1, 1, 1);
    scene_liquid liquid[2] = {
        {.shape = {.kind = SHAPE_BOX, .box = {{0, 0, 0}, {1, 0.4, 1}}}},
        {.shape = {.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.5, 0.5}, 0.3}}, .start = 1}};
    scene.liquid = liquid;
    scene.liquid_count = 2;
    solids walls;
    sources s;
    particles p = {0};
    assert_ok(ctx, solids_create(ctx, &scene, &walls));
    assert_ok(ctx, sources_create(ctx, &scene, &s));
    assert_ok(ctx, sources_fill(ctx, &s, &walls, &p));
    const size_t before = p.count;
    rill_status st = RILL_NO_MEMORY;
    for (uint64_t n = 1; st && n < 100; n++) {
        f.fail_at = f.calls + n;
        st = sources_apply(ctx, &s, &walls, 0.5, 1, &p);
        assert_true(st == RILL_OK || (st == RILL_NO_MEMORY && p.count == before));
    }
    f.fail_at = 0;
    assert_true(!st && p.count > before);
    particles_clear(ctx, &p);
    sources_clear(ctx, &s);
    solids_clear(ctx, &walls);
    rill_ctx_destroy(ctx);
}

static void refused(rill_ctx *ctx, const char *scene_text, const char *place)
{
    rill_scene scene = {0};
    const rill_status st = scene_parse(ctx, "late", scene_text, strlen(scene_text), rill_methods,
                                       rill_method_count, &(scene_changes){0}, &scene);
    assert_int_equal(st, RILL_BAD_SCENE);
    if (!strstr(rill_ctx_message(ctx), place)) fail_msg("%s", rill_ctx_message(ctx));
}

static void who_cannot_refuses(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    refused(ctx,
            "{ \"rill\": 1, \"method\": \"voronoi\", \"spacing\": 0.2,\n"
            "  \"domain\": { \"min\": [0,0,0], \"max\": [1,1,1] },\n"
            "  \"liquid\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.5,0.5], \"radius\": 0.3 } },\n"
            "                \"start\": 1 } ] }\n",
            "late:4:");
    refused(
        ctx,
        "{ \"rill\": 1, \"method\": \"grid\", \"spacing\": 0.1, \"grid\": { \"surface\": \"level-set\" },\n"
        "  \"domain\": { \"min\": [0,0,0], \"max\": [1,1,1] },\n"
        "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [1,0.5,1] } } },\n"
        "    { \"shape\": { \"sphere\": { \"center\": [0.5,0.8,0.5], \"radius\": 0.1 } }, \"start\": 1 } ] "
        "}\n",
        "late:4:");
    refused(
        ctx,
        "{ \"rill\": 1, \"method\": \"grid\", \"spacing\": 0.1, \"fill\": true,\n"
        "  \"domain\": { \"min\": [0,0,0], \"max\": [1,1,1] },\n"
        "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [1,0.5,1] } }, \"start\": 1 } "
        "] }\n",
        "late:3:");
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_volume_joins_once),       cmocka_unit_test(the_same_bits),
        cmocka_unit_test(nothing_joins_inside_liquid), cmocka_unit_test(survives_failing_allocations),
        cmocka_unit_test(who_cannot_refuses),
    };
    return cmocka_run_group_tests_name("late_liquid", tests, NULL, NULL);
}
