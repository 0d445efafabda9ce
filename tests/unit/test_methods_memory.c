/* Every allocation of every method in the registry fails once, alone and with all that
 * follow: in reading a scene, in setting up, in a step, in saving, loading and asking, and
 * in a whole run. The status is the right one, nothing leaks, and what was there before
 * goes on as if nothing had happened. */
#include "folders.h"
#include "method_scenes.h"
#include "support.h"

#include "run/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOR_EACH_SCENE(w) for (const method_scene *w = method_scenes(); w->method; w++)

static unsigned failures; /* allocations failed, over all tests */

/* Arms the n-th allocation from now. */
static void arm(failing_allocator *a, uint64_t n, bool sticky)
{
    a->calls = 0;
    a->fail_at = n;
    a->sticky = sticky;
}

/* Disarms, and returns whether the failure was reached. */
static bool reached(failing_allocator *a)
{
    const bool hit = a->calls >= a->fail_at;
    a->fail_at = 0;
    failures += hit;
    return hit;
}

/* One allocation of some, so that the test costs about the same however many methods there are.
 * RILL_STRIDE=1: every allocation; takes minutes (ctest -R test_methods_memory_all). */
static uint64_t stride_or(int usual)
{
    return test_stride((uint32_t)unless_sanitized(usual, 3 * usual));
}

/* The same, with at most 8 of `calls` allocations (16 with RILL_FULL=1) unless RILL_STRIDE is set. Odd, so
 * that it reaches every allocation of a loop. */
static uint64_t stride_over(int usual, uint64_t calls)
{
    const char *full = getenv("RILL_FULL");
    const uint64_t most = full && full[0] == '1' ? 16 : 8;
    const uint64_t stride = stride_or(usual), wide = calls / most | 1;
    return getenv("RILL_STRIDE") || stride > wide ? stride : wide;
}

static void reading(void **state)
{
    (void)state;
    FOR_EACH_SCENE(which)
    for (int sticky = 0; sticky < 2; sticky++) {
        failing_allocator a = {0};
        rill_ctx *ctx = test_ctx_failing(1, &a);
        text t;
        method_scene_text(ctx, which, &t);
        const char *const set[] = {"time.frames=3"};
        const scene_changes changes = {
            .set = set, .set_count = 1, .frames = 2, .method = which->method->name};
        for (uint64_t n = 1;; n++) {
            rill_scene scene = {0};
            const uint64_t live = a.live;
            arm(&a, n, sticky);
            const rill_status st = scene_parse(ctx, "memory", t.data, t.length, rill_methods,
                                               rill_method_count, &changes, &scene);
            if (!reached(&a)) {
                assert_ok(ctx, st);
                scene_clear(ctx, &scene);
                assert_int_equal(a.live, live);
                break;
            }
            if (st == RILL_OK && !sticky) { /* an arena makes do with a smaller block */
                scene_clear(ctx, &scene);
            } else {
                assert_int_equal(st, RILL_NO_MEMORY);
                assert_null(scene.liquid);
            }
            assert_int_equal(a.live, live);
        }
        text_clear(&t);
        rill_ctx_destroy(ctx);
        assert_int_equal(a.live, 0);
    }
}

static void setting_up(void **state)
{
    (void)state;
    FOR_EACH_SCENE(which)
    for (int sticky = 0; sticky < 2; sticky++) {
        failing_allocator a = {0};
        rill_ctx *ctx = test_ctx_failing(2, &a);
        rill_scene scene = method_scene_read(ctx, which, NULL);
        rill_sim *whole = NULL;
        arm(&a, UINT64_MAX, false);
        assert_ok(ctx, scene.method->create(ctx, &scene, &whole));
        const uint64_t stride = stride_over(5, a.calls);
        scene.method->destroy(whole);
        for (uint64_t n = 1;; n += stride) {
            rill_sim *sim = NULL;
            const uint64_t live = a.live;
            arm(&a, n, sticky);
            const rill_status st = scene.method->create(ctx, &scene, &sim);
            if (!reached(&a)) {
                assert_ok(ctx, st);
                scene.method->destroy(sim);
                assert_int_equal(a.live, live);
                break;
            }
            if (st == RILL_OK && !sticky) { /* an arena makes do with a smaller block */
                scene.method->destroy(sim);
            } else {
                assert_int_equal(st, RILL_NO_MEMORY);
                assert_null(sim);
            }
            assert_int_equal(a.live, live);
        }
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
        assert_int_equal(a.live, 0);
    }
}

/* The n-th allocation of `steps` steps after `warm` others fails, for some of them; going back
 * to the saved state, which the driver does, leads to where a simulation without trouble gets. */
static void steps_failing(const method_scene *which, int warm, int steps, int usual, bool sticky)
{
    failing_allocator a = {0};
    rill_ctx *ctx = test_ctx_failing(2, &a);
    rill_scene scene = method_scene_read(ctx, which, NULL);
    rill_sim *good = method_create(ctx, &scene);
    method_steps(good, warm);
    snapshot start;
    snapshot_init(&start, ctx);
    assert_ok(ctx, sim_save(good, &start.writer));
    const double time = good->time;
    const uint64_t step = good->step;
    arm(&a, UINT64_MAX, false);
    method_steps(good, steps);
    const uint64_t stride = stride_over(usual, a.calls), expected = method_hash(good);
    good->method->destroy(good);

    for (uint64_t n = 1 + sticky;; n += stride) {
        const uint64_t live = a.live;
        rill_sim *sim = method_create(ctx, &scene);
        if (warm > 0) assert_ok(ctx, sim_load(sim, time, step, &start.reader));
        sim->time = time;
        sim->step = step;

        arm(&a, n, sticky);
        rill_status st = RILL_OK;
        for (int k = 0; k < steps && !st; k++) st = method_step(sim);
        const bool hit = reached(&a);
        if (st) { /* as the driver goes on when it is resumed */
            assert_true(hit);
            assert_int_equal(st, RILL_NO_MEMORY);
            assert_ok(ctx, sim_load(sim, sim->time, sim->step, &start.reader));
            sim->time = time;
            sim->step = step;
            method_steps(sim, steps);
        }
        assert_true(method_hash(sim) == expected);
        sim->method->destroy(sim);
        assert_int_equal(a.live, live);
        if (!hit) break;
        /* And thrown away without another word. */
        sim = method_create(ctx, &scene);
        arm(&a, n, sticky);
        for (int k = 0; k < steps; k++)
            if (method_step(sim) != RILL_OK) break;
        reached(&a);
        sim->method->destroy(sim);
        assert_int_equal(a.live, live);
    }
    snapshot_clear(&start);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
    assert_int_equal(a.live, 0);
}

static void stepping(void **state)
{
    (void)state;
    FOR_EACH_SCENE(which)
    for (int sticky = 0; sticky < 2; sticky++) {
        steps_failing(which, 0, 1, 5, sticky);
        steps_failing(which, 12, 4, 37, sticky);
    }
}

static void saving_and_loading(void **state)
{
    (void)state;
    FOR_EACH_SCENE(which)
    for (int sticky = 0; sticky < 2; sticky++) {
        failing_allocator a = {0};
        rill_ctx *ctx = test_ctx_failing(1, &a);
        rill_scene scene = method_scene_read(ctx, which, NULL);
        rill_sim *sim = method_create(ctx, &scene);
        snapshot full;
        snapshot_init(&full, ctx);
        method_steps(sim, 15);
        const uint64_t expected = method_hash(sim);
        assert_ok(ctx, sim_save(sim, &full.writer));
        for (uint64_t n = 1;; n++) {
            const uint64_t live = a.live;
            snapshot s;
            snapshot_init(&s, ctx);
            arm(&a, n, sticky);
            const rill_status st = sim_save(sim, &s.writer);
            const bool hit = reached(&a);
            snapshot_clear(&s);
            assert_int_equal(a.live, live);
            assert_true(method_hash(sim) == expected);
            if (!hit) break;
            assert_int_equal(st, RILL_NO_MEMORY);
        }
        const double time = sim->time;
        uint64_t stride = 1;
        for (uint64_t n = 1;; n += stride) { /* into one that is smaller and must grow */
            const uint64_t live = a.live;
            rill_sim *other = method_create(ctx, &scene);
            if (n == 1) { /* how many there are */
                arm(&a, UINT64_MAX, false);
                assert_ok(ctx, sim_load(other, other->time, other->step, &full.reader));
                stride = stride_over(1, a.calls);
                other->method->destroy(other);
                other = method_create(ctx, &scene);
            }
            arm(&a, n, sticky);
            const rill_status st = sim_load(other, other->time, other->step, &full.reader);
            const bool hit = reached(&a);
            if (st) {
                assert_true(hit);
                assert_int_equal(st, RILL_NO_MEMORY);
                assert_ok(ctx, sim_load(other, other->time, other->step, &full.reader));
            }
            other->time = time;
            assert_true(method_hash(other) == expected);
            other->method->destroy(other);
            assert_int_equal(a.live, live);
            if (!hit) break;
        }
        snapshot_clear(&full);
        sim->method->destroy(sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
        assert_int_equal(a.live, 0);
    }
}

static void asking(void **state)
{
    (void)state;
    rill_vec3 x[300], u[300];
    double p[300];
    for (int i = 0; i < 300; i++) x[i] = (rill_vec3){0.004 * i, 0.003 * i, 0.1};
    FOR_EACH_SCENE(which)
    for (int sticky = 0; sticky < 2; sticky++) {
        failing_allocator a = {0};
        rill_ctx *ctx = test_ctx_failing(2, &a);
        rill_scene scene = method_scene_read(ctx, which, NULL);
        rill_sim *sim = method_create(ctx, &scene);
        method_steps(sim, 5);
        const uint64_t expected = method_hash(sim);
        for (int what = 0; what < 2; what++)
            for (uint64_t n = 1;; n++) {
                const uint64_t live = a.live;
                rill_status st = RILL_OK;
                arm(&a, n, sticky);
                if (what == 0 && sim->method->velocity) st = sim->method->velocity(sim, 300, x, u);
                if (what == 1 && sim->method->pressure) st = sim->method->pressure(sim, 300, x, p);
                const bool hit = reached(&a);
                assert_int_equal(a.live, live);
                if (st) assert_int_equal(st, RILL_NO_MEMORY);
                if (!hit) break;
            }
        assert_true(method_hash(sim) == expected);
        sim->method->destroy(sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
        assert_int_equal(a.live, 0);
    }
}

/* ---- whole runs ---- */

/* A run that runs out of memory can be resumed, unless it ended before there was a scene
 * in its folder: then it can be begun. */
static void run_failing(const method_scene *which, uint64_t stride)
{
    static const char *const short_run[] = {"time.frames=2", "output.images=true", "output.checkpoint=1",
                                            NULL};
    failing_allocator a = {0};
    rill_ctx *ctx = test_ctx_failing(1, &a);
    rill_scene scene = method_scene_read(ctx, which, short_run);
    run_result result;
    char out[128];
    snprintf(out, sizeof out, "%s/run", own_folder);
    const run_options options = {.out = out, .force = true};
    for (uint64_t n = 1;; n += stride) {
        const uint64_t live = a.live;
        arm(&a, n, n / stride % 2);
        rill_status st = run_start(ctx, &scene, &options, &result);
        const bool hit = reached(&a);
        assert_int_equal(a.live, live);
        if (st) {
            if (st != RILL_NO_MEMORY)
                fail_msg("allocation %d: status %d: %s", (int)n, st, rill_ctx_message(ctx));
            arm(&a, n, false); /* resuming may fail as well */
            st = run_resume(ctx, out, 0, false, rill_methods, rill_method_count, &result);
            const bool again = reached(&a);
            assert_int_equal(a.live, live);
            if (st && again) st = run_resume(ctx, out, 0, false, rill_methods, rill_method_count, &result);
            if (st == RILL_BAD_FILE) st = run_start(ctx, &scene, &options, &result);
            assert_ok(ctx, st);
            assert_int_equal(a.live, live);
        }
        if (!hit) break;
    }
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
    assert_int_equal(a.live, 0);
}

static void running(void **state)
{
    (void)state;
    FOR_EACH_SCENE(which) run_failing(which, stride_or(331));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading),  cmocka_unit_test(setting_up),
        cmocka_unit_test(stepping), cmocka_unit_test(saving_and_loading),
        cmocka_unit_test(asking),   cmocka_unit_test(running),
    };
    return cmocka_run_group_tests_name("methods and memory", tests, own_folder_make, own_folder_remove);
}
