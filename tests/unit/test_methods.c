/* What must hold for every method in the registry: counts, finite numbers, the same bits
 * for any number of threads and after saving, and an orderly end of whatever scene. */
#include "folders.h"
#include "method_scenes.h"
#include "support.h"

#include "io/checkpoint.h"
#include "io/file.h"
#include "run/driver.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *fresh_folder(void)
{
    static char path[128];
    static int k;
    snprintf(path, sizeof path, "%s/%d", own_folder, k++);
    return path;
}

#define FOR_EACH_SCENE(w) for (const method_scene *w = method_scenes(); w->method; w++)

/* ---- invariants ---- */

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Ids are those of the start and of the births, each once. */
static void ids_are_unique(rill_ctx *ctx, const particles *p)
{
    uint64_t *id = mem_alloc(ctx, p->count, sizeof *id);
    assert_non_null(id);
    memcpy(id, p->id, p->count * sizeof *id);
    qsort(id, p->count, sizeof *id, by_value);
    for (size_t i = 0; i < p->count; i++) assert_true(id[i] < p->next_id && (i == 0 || id[i] > id[i - 1]));
    mem_free(ctx, id);
}

static void within_walls(const rill_sim *sim, const particles *p)
{
    const double slack = 7 * sim->scene->spacing; /* two, and a step: what is on its way out */
    const rill_vec3 lo = sim->scene->domain.min, hi = sim->scene->domain.max;
    for (size_t i = 0; i < p->count; i++) {
        const rill_vec3 x = p->position[i];
        assert_true(v3_finite(x) && v3_finite(p->velocity[i]));
        if (!(x.x >= lo.x && x.x <= hi.x && x.y >= lo.y && x.y <= hi.y + slack && x.z >= lo.z && x.z <= hi.z))
            fail_msg("step %d: particle %d is behind a wall, at (%.9g, %.9g, %.9g)", (int)sim->step,
                     (int)p->id[i], x.x, x.y, x.z);
        for (uint32_t k = 0; k < p->column_count; k++) assert_true(isfinite(p->column[k].value[i]));
    }
}

static void nothing_is_lost(void **state)
{
    (void)state;
    FOR_EACH_SCENE(which)
    {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = method_scene_read(ctx, which, NULL);
        rill_sim *sim = method_create(ctx, &scene);
        rill_view view = {0};
        sim_view(sim, &view);
        assert_true(view.dimensions == which->dimensions && view.spacing == scene.spacing);
        assert_true((view.particles != NULL) == which->method->has_particles && view.elements > 0);
        assert_true(which->method->has_particles || (which->method->max_speed && which->method->elements));
        const uint64_t first = view.elements;
        const double limit = run_speed_limit(sim);
        for (int k = 0; k < 120; k++) {
            const run_before before = check_before(sim);
            assert_ok(ctx, method_step(sim));
            assert_ok(ctx, check_after(sim, &before, limit));
            sim_view(sim, &view);
            if (!view.particles || k % 20) continue;
            const particles *p = view.particles;
            within_walls(sim, p);
            ids_are_unique(ctx, p);
            assert_int_equal(p->count,
                             p->next_id - sim->sources.drained - sim->sources.left - sim->sources.merged);
        }
        if (view.particles) { /* the scene does what it is for */
            assert_true(first > 0 && view.particles->next_id > first);
            assert_true(sim->sources.drained > 0);
        }
        sim->method->destroy(sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

static void the_same_for_any_threads(void **state)
{
    (void)state;
    static const int counts[] = {1, 3, 8};
    FOR_EACH_SCENE(which)
    {
        uint64_t expected = 0;
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            rill_ctx *ctx = test_ctx(counts[k]);
            rill_scene scene = method_scene_read(ctx, which, NULL);
            rill_sim *sim = method_create(ctx, &scene);
            method_steps(sim, unless_sanitized(25, 12));
            const uint64_t hash = method_hash(sim);
            if (k == 0) expected = hash;
            if (hash != expected) fail_msg("%s: %d threads differ", which->method->name, counts[k]);
            sim->method->destroy(sim);
            scene_clear(ctx, &scene);
            rill_ctx_destroy(ctx);
        }
    }
}

/* Saved in the middle, through a checkpoint file, into a simulation that knows nothing. */
static void saved_and_loaded(void **state)
{
    (void)state;
    FOR_EACH_SCENE(which)
    {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = method_scene_read(ctx, which, NULL);
        rill_sim *sim = method_create(ctx, &scene), *other = method_create(ctx, &scene);
        method_steps(other, 3); /* what it holds must not matter */
        char path[160];
        snprintf(path, sizeof path, "%s.rill", fresh_folder());
        snapshot saved, loaded;
        snapshot_init(&saved, ctx);
        snapshot_init(&loaded, ctx);
        for (int round = 0; round < 3; round++) {
            snapshot_reset(&saved);
            assert_ok(ctx, sim_save(sim, &saved.writer));
            checkpoint_head head = {.time = sim->time, .step = sim->step};
            assert_ok(ctx, checkpoint_write(ctx, path, &head, &saved));
            assert_ok(ctx, checkpoint_read(ctx, path, &head, &loaded));
            assert_ok(ctx, sim_load(other, head.time, head.step, &loaded.reader));
            assert_true(method_hash(sim) == method_hash(other));
            const int steps = unless_sanitized(12, 6);
            method_steps(sim, steps);
            method_steps(other, steps);
            assert_true(method_hash(sim) == method_hash(other));
            method_steps(other, 2);
        }
        snapshot_clear(&saved);
        snapshot_clear(&loaded);
        sim->method->destroy(sim);
        other->method->destroy(other);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

/* A state that is not the method's is refused, and the simulation goes on from its own. */
static void foreign_states_are_refused(void **state)
{
    (void)state;
    FOR_EACH_SCENE(which)
    {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = method_scene_read(ctx, which, NULL);
        rill_sim *sim = method_create(ctx, &scene);
        method_steps(sim, 5);
        snapshot saved, broken;
        snapshot_init(&saved, ctx);
        snapshot_init(&broken, ctx);
        assert_ok(ctx, sim_save(sim, &saved.writer));
        assert_int_equal(sim_load(sim, sim->time, sim->step, &broken.reader), RILL_BAD_FILE); /* empty */
        for (size_t out = 0; out < saved.count; out++)
            for (int way = 0; way < 3; way++) { /* missing, of another type, one element short */
                snapshot_reset(&broken);
                for (size_t k = 0; k < saved.count; k++) {
                    const snapshot_chunk *c = &saved.chunk[k];
                    const bool hurt = k == out;
                    if (hurt && way == 0) continue;
                    const save_type type = hurt && way == 1 ? SAVE_U8 : c->type;
                    const uint64_t count = hurt && way == 2 && c->count ? c->count - 1 : c->count;
                    assert_ok(ctx, save_chunk(&broken.writer, c->name, type, count, c->data));
                }
                if (saved.chunk[out].count == 0 && way == 2) continue;
                if (saved.chunk[out].type == SAVE_U8 && way == 1) continue;
                assert_int_equal(sim_load(sim, sim->time, sim->step, &broken.reader), RILL_BAD_FILE);
                assert_true(rill_ctx_message(ctx)[0] != 0);
            }
        assert_ok(ctx, sim_load(sim, sim->time, sim->step, &saved.reader));
        method_steps(sim, 5);
        snapshot_clear(&saved);
        snapshot_clear(&broken);
        sim->method->destroy(sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

/* ---- whole runs ---- */

static rill_status whole_run(rill_ctx *ctx, const method_scene *which, const char *const *set,
                             const char *out)
{
    rill_scene scene = method_scene_read(ctx, which, set);
    const run_options options = {.out = out};
    run_result result;
    const rill_status st = run_start(ctx, &scene, &options, &result);
    scene_clear(ctx, &scene);
    return st;
}

/* The state in the last checkpoint. */
static uint64_t final_state(const char *out, uint32_t frame)
{
    rill_ctx *ctx = test_ctx(1);
    char path[200];
    snprintf(path, sizeof path, "%s/checkpoints/%04u.rill", out, frame);
    snapshot s;
    snapshot_init(&s, ctx);
    checkpoint_head head;
    assert_ok(ctx, checkpoint_read(ctx, path, &head, &s));
    uint64_t hash = head.step;
    for (size_t k = 0; k < s.count; k++) {
        const uint8_t *data = s.chunk[k].data;
        const size_t bytes = s.chunk[k].count * save_type_size(s.chunk[k].type);
        for (size_t i = 0; i < bytes; i++) hash = (hash ^ data[i]) * 0x100000001b3ull;
    }
    snapshot_clear(&s);
    rill_ctx_destroy(ctx);
    return hash;
}

/* An allocator that cancels: the n-th allocation of a run is somewhere inside a step, an
 * output or a checkpoint. */
typedef struct canceller {
    rill_allocator plain;
    rill_ctx *ctx;
    _Atomic uint64_t calls;
    uint64_t at;
} canceller;

static void *cancelling_allocate(void *user, size_t bytes, size_t alignment)
{
    canceller *c = user;
    if (atomic_fetch_add(&c->calls, 1) + 1 == c->at && c->ctx) rill_ctx_cancel(c->ctx);
    return c->plain.allocate(c->plain.user, bytes, alignment);
}

static void cancelling_release(void *user, void *memory)
{
    const canceller *c = user;
    c->plain.release(c->plain.user, memory);
}

static rill_ctx *cancelling_ctx(canceller *c, uint64_t at)
{
    rill_ctx_def def = rill_ctx_def_default();
    *c = (canceller){.plain = def.allocator, .at = at};
    def.allocator = (rill_allocator){cancelling_allocate, cancelling_release, c};
    def.threads = 1 + (int)(at % 3);
    rill_ctx *ctx = NULL;
    assert_int_equal(rill_ctx_create(&def, &ctx), RILL_OK);
    c->ctx = ctx;
    return ctx;
}

static void cancelled_anywhere(void **state)
{
    (void)state;
    unsigned stops = 0;
    FOR_EACH_SCENE(which)
    {
        char whole[128];
        strcpy(whole, fresh_folder());
        canceller c;
        rill_ctx *ctx = cancelling_ctx(&c, 0);
        assert_ok(ctx, whole_run(ctx, which, NULL, whole));
        rill_ctx_destroy(ctx);
        const uint64_t calls = c.calls, expected = final_state(whole, 4);
        for (uint64_t n = 1; n <= calls; n += 1 + calls / unless_sanitized(5, 4)) {
            const char *out = fresh_folder();
            ctx = cancelling_ctx(&c, n);
            rill_status st = whole_run(ctx, which, NULL, out);
            rill_ctx_destroy(ctx);
            /* Before there is a folder, or after the last frame, it may come too early or late. */
            if (st == RILL_CANCELLED) {
                stops++;
                ctx = test_ctx(2);
                run_result result;
                char scene[160];
                snprintf(scene, sizeof scene, "%s/scene.json", out);
                if (access(scene, F_OK) == 0)
                    assert_ok(ctx, run_resume(ctx, out, 0, false, rill_methods, rill_method_count, &result));
                else /* cancelled while the simulation was made: nothing was written */
                    assert_ok(ctx, whole_run(ctx, which, NULL, out));
                rill_ctx_destroy(ctx);
            } else {
                assert_int_equal(st, RILL_OK);
            }
            assert_true(final_state(out, 4) == expected);
        }
    }
    print_message("cancelled inside runs: %u times, all resumed to the same state\n", stops);
    assert_true(stops >= (unsigned)unless_sanitized(20, 10));
}

/* ---- scenes nobody would want ---- */

/* Some of them take a million steps a frame: stopped after a while, which is surviving. */
typedef struct patience {
    rill_ctx *ctx;
    double until;
} patience;

static void lose_patience(void *user, const rill_progress *now)
{
    (void)now;
    const patience *p = user;
    if (clock_seconds() > p->until) rill_ctx_cancel(p->ctx);
}

/* Runs that end in a blow-up or survive: never a crash, and complete frames only. */
static void blow_ups(void **state)
{
    (void)state;
    /* z is there in three dimensions only: velocities are given for both */
    static const char *const scenes[][5] = {
        {"liquid[0].velocity=[10000,10000%s]", "time.fps=1000000", NULL},
        {"liquid[0].velocity=[-10000,0%s]", "gravity=[0,-1000,0]", "time.fps=100000", NULL},
        {"gravity=[0,-10000,0]", "time.fps=10000", NULL},
        {"gravity=[9000,9000%s]", "time.fps=10000", NULL},
        {"emitters[0].speed=1000", "emitters[0].start=0", "time.fps=10000", NULL},
        {"fluid.viscosity=1000000", "time.fps=1000000", NULL},
        {"fluid.density=0.000001", "fluid.viscosity=1000", "time.fps=1000000", NULL},
        {"fluid.density=1000000", NULL},
        /* liquid on top of liquid */
        {"liquid=[{\"shape\":{\"box\":{\"min\":[0,0%s],\"max\":[0.5,0.5%s]}},\"velocity\":[9,0%s]},"
         "{\"shape\":{\"box\":{\"min\":[0,0%s],\"max\":[0.5,0.5%s]}},\"velocity\":[-9,0%s]}]",
         NULL},
        /* an emitter into a narrow gap that is full already */
        {"emitters[0].speed=100", "emitters[0].shape.disc.center=[0.2,0.3%s]", "time.fps=1000", NULL},
    };
    unsigned blown = 0, finished = 0, stopped = 0;
    FOR_EACH_SCENE(which)
    {
        for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
            bool able = which->method->can & CAN_VISCOSITY;
            bool emits = which->method->can & CAN_FREE_SURFACE; /* a full domain has no emitters */
            for (int i = 0; scenes[k][i] && !emits; i++)
                if (strstr(scenes[k][i], "emitters"))
                    break;
                else if (!scenes[k][i + 1])
                    emits = true;
            if (!emits) continue;
            for (int i = 0; scenes[k][i] && !able; i++)
                if (strstr(scenes[k][i], "viscosity"))
                    break;
                else if (!scenes[k][i + 1])
                    able = true;
            for (int i = 0; scenes[k][i] && able; i++)
                able = method_has_sources(which->method) || !strstr(scenes[k][i], "emitters");
            if (!able) continue;
            char change[4][512];
            const char *set[5] = {0};
            for (int i = 0; scenes[k][i]; i++) { /* a z for every %s */
                char *to = change[i];
                for (const char *from = scenes[k][i]; *from; from++)
                    if (from[0] == '%' && from[1] == 's') {
                        if (which->dimensions == 3)
                            to += sprintf(to, strncmp(from + 2, "]}},\"v", 6) == 0 ? ",0.5" : ",0");
                        from++;
                    } else {
                        *to++ = *from;
                    }
                *to = 0;
                set[i] = change[i];
            }
            rill_ctx *ctx = test_ctx(2);
            patience p = {ctx, clock_seconds() + 0.1};
            ctx->def.progress = lose_patience;
            ctx->def.user = &p;
            char out[128];
            strcpy(out, fresh_folder());
            const rill_status st = whole_run(ctx, which, set, out);
            if (st == RILL_BLEW_UP) {
                blown++;
                assert_non_null(strstr(rill_ctx_message(ctx), "frame "));
                assert_non_null(strstr(rill_ctx_message(ctx), "blew up"));
            } else if (st == RILL_CANCELLED) {
                stopped++;
            } else {
                finished++;
                if (st)
                    fail_msg("%s: %s: status %d: %s", which->method->name, set[0], st, rill_ctx_message(ctx));
                final_state(out, 4);
            }
            rill_ctx_destroy(ctx);
        }
    }
    print_message("scenes nobody would want: %u blew up in order, %u finished, %u stopped for taking long\n",
                  blown, finished, stopped);
}

/* A run that is resumed from velocities nothing could explain: found at the first step, tried
 * again with shorter ones, and told; the frames before stay. */
static void told_when_it_blows_up(void **state)
{
    (void)state;
    FOR_EACH_SCENE(which)
    {
        char out[128], path[200];
        strcpy(out, fresh_folder());
        rill_ctx *ctx = test_ctx(2);
        assert_ok(ctx, whole_run(ctx, which, NULL, out));
        snprintf(path, sizeof path, "%s/checkpoints/0004.rill", out);
        assert_ok(ctx, file_remove(ctx, path));
        snprintf(path, sizeof path, "%s/checkpoints/0002.rill", out);
        snapshot s;
        snapshot_init(&s, ctx);
        checkpoint_head head;
        assert_ok(ctx, checkpoint_read(ctx, path, &head, &s));
        bool changed = false;
        for (size_t k = 0; k < s.count; k++) {
            snapshot_chunk *c = &s.chunk[k];
            if (!strstr(c->name, "velocity")) continue;
            for (uint64_t i = 0; i < c->count; i++) {
                if (c->type == SAVE_F64) ((double *)c->data)[i] = 1e9;
                if (c->type == SAVE_F32) ((float *)c->data)[i] = 1e9f;
            }
            changed = c->count > 0;
        }
        if (!changed) fail_msg("%s saves no velocity this test knows of", which->method->name);
        assert_ok(ctx, checkpoint_write(ctx, path, &head, &s));
        snapshot_clear(&s);
        run_result result;
        const rill_status st = run_resume(ctx, out, 0, false, rill_methods, rill_method_count, &result);
        if (st != RILL_BLEW_UP) fail_msg("%s goes on from 1e9 m/s: %d", which->method->name, st);
        assert_non_null(strstr(rill_ctx_message(ctx), "Frames 0 to 2 are complete"));
        assert_int_equal(result.frame, 2);
        rill_ctx_destroy(ctx);
    }
}

/* Every parameter at both ends of its range, every word of a choice: steps that go on or
 * end in a blow-up. */
static void try_parameter(const method_scene *which, const char *set_one, unsigned *tried)
{
    rill_ctx *ctx = test_ctx(1);
    const char *const set[] = {set_one, NULL};
    text t;
    method_scene_text(ctx, which, &t);
    const scene_changes changes = {.set = set, .set_count = 1};
    rill_scene scene = {0};
    rill_status st =
        scene_parse(ctx, "ends", t.data, t.length, rill_methods, rill_method_count, &changes, &scene);
    text_clear(&t);
    if (st) { /* a method may refuse what does not go together, in words */
        assert_int_equal(st, RILL_BAD_SCENE);
        rill_ctx_destroy(ctx);
        return;
    }
    ++*tried;
    rill_sim *sim = method_create(ctx, &scene);
    for (int k = 0; k < unless_sanitized(5, 4) && !st; k++) {
        const double dt = sim->method->max_dt(sim);
        if (!(dt > 0)) break; /* the driver calls that a blow-up */
        const run_before before = check_before(sim);
        st = method_step(sim);
        if (!st) st = check_after(sim, &before, 1e4);
    }
    if (st && st != RILL_BLEW_UP) fail_msg("%s: status %d: %s", set_one, st, rill_ctx_message(ctx));
    sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

static void parameters_at_their_ends(void **state)
{
    (void)state;
    unsigned tried = 0;
    FOR_EACH_SCENE(which)
    for (const rill_param *row = which->method->params; row->kind; row++) {
        char set[256];
        const char *method = which->method->name;
        if (row->kind == PARAM_NUMBER || row->kind == PARAM_INTEGER)
            for (int end = 0; end < 2; end++) {
                const double tiny = (row->max - row->min) * 1e-6;
                const double value = end ? row->max : row->above_min ? row->min + tiny : row->min;
                snprintf(set, sizeof set, "%s.%s=%.9g", method, row->name, value);
                try_parameter(which, set, &tried);
            }
        if (row->kind == PARAM_BOOL)
            for (int value = 0; value < 2; value++) {
                snprintf(set, sizeof set, "%s.%s=%s", method, row->name, value ? "true" : "false");
                try_parameter(which, set, &tried);
            }
        for (int word = 0; row->kind == PARAM_CHOICE && row->words[word]; word++) {
            snprintf(set, sizeof set, "%s.%s=\"%s\"", method, row->name, row->words[word]);
            try_parameter(which, set, &tried);
        }
    }
    print_message("parameters at their ends: %u runs\n", tried);
    assert_true(tried > 0);
}

static void refused_or_answered(rill_ctx *ctx, rill_status st)
{
    if (st) assert_int_equal(st, RILL_USAGE);
    if (st) assert_non_null(strstr(rill_ctx_message(ctx), "finite"));
}

/* Asked where there is liquid, where there is none, far outside and at no place at all. */
static void asked_anywhere(void **state)
{
    (void)state;
    const rill_vec3 x[] = {{0.1, 0.1, 0.1},    {1.1, 0.85, 0.4}, {-1e6, 1e6, 3e5}, {0, 0, 0},
                           {1e300, -1e300, 0}, {NAN, 0, 0},      {0, INFINITY, 0}};
    enum { N = sizeof x / sizeof *x, FINITE = N - 2 };
    FOR_EACH_SCENE(which)
    {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = method_scene_read(ctx, which, NULL);
        rill_sim *sim = method_create(ctx, &scene);
        for (int k = 0; k < 3; k++) {
            rill_vec3 u[N];
            double p[N];
            if (sim->method->velocity) {
                assert_ok(ctx, sim->method->velocity(sim, FINITE, x, u));
                refused_or_answered(ctx, sim->method->velocity(sim, N, x, u));
                assert_ok(ctx, sim->method->velocity(sim, FINITE, x, u));
                assert_ok(ctx, sim->method->velocity(sim, 0, NULL, NULL));
                for (int i = 0; i < FINITE; i++) assert_true(v3_finite(u[i]));
            }
            if (sim->method->pressure) {
                assert_ok(ctx, sim->method->pressure(sim, FINITE, x, p));
                refused_or_answered(ctx, sim->method->pressure(sim, N, x, p));
                assert_ok(ctx, sim->method->pressure(sim, FINITE, x, p));
                for (int i = 0; i < FINITE; i++) assert_false(isinf(p[i]));
            }
            method_steps(sim, 2);
        }
        sim->method->destroy(sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),       cmocka_unit_test(the_same_for_any_threads),
        cmocka_unit_test(saved_and_loaded),      cmocka_unit_test(foreign_states_are_refused),
        cmocka_unit_test(cancelled_anywhere),    cmocka_unit_test(blow_ups),
        cmocka_unit_test(told_when_it_blows_up), cmocka_unit_test(parameters_at_their_ends),
        cmocka_unit_test(asked_anywhere),
    };
    if (getenv("RILL_ONLY")) cmocka_set_test_filter(getenv("RILL_ONLY"));
    return cmocka_run_group_tests_name("methods", tests, own_folder_make, own_folder_remove);
}
