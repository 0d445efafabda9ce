/* Particles against the slow way of doing the same, and saved states there and back. */
#include "support.h"

#include "base/random.h"
#include "flow/method.h"
#include "flow/particles.h"
#include "flow/save.h"
#include "flow/snapshot.h"

#include <math.h>
#include <string.h>

/* A particle whose every value tells its id. */
static void fill(rill_ctx *ctx, particles *p, size_t count)
{
    assert_ok(ctx, particles_add_column(ctx, p, "mass"));
    for (size_t i = 0; i < count; i++) {
        const rill_vec3 x = v3((double)i, 2.0 * (double)i, -(double)i), v = v3((double)i + 0.5, 1, 2);
        assert_ok(ctx, particles_append(ctx, p, 1, &x, &v));
    }
    assert_ok(ctx, particles_add_column(ctx, p, "density"));
    for (size_t i = 0; i < count; i++) {
        assert_true(p->column[1].value[i] == 0);
        p->column[0].value[i] = (float)i;
        p->column[1].value[i] = 3.0f * (float)i;
    }
}

static void assert_is(const particles *p, size_t place, uint64_t id)
{
    assert_true(p->id[place] == id);
    assert_true(p->position[place].x == (double)id && p->position[place].y == 2.0 * (double)id &&
                p->position[place].z == -(double)id);
    assert_true(p->velocity[place].x == (double)id + 0.5 && p->velocity[place].z == 2);
    assert_true(particles_column(p, "mass")[place] == (float)id);
    assert_true(particles_column(p, "density")[place] == 3.0f * (float)id);
}

static void permutes_every_array(void **state)
{
    (void)state;
    enum { N = 50000 };
    rill_ctx *ctx = test_ctx(2);
    particles p = {0};
    fill(ctx, &p, N);
    assert_null(particles_column(&p, "colour"));

    uint32_t *order = mem_alloc(ctx, N, sizeof *order);
    uint32_t *expected = mem_alloc(ctx, N, sizeof *expected);
    for (uint32_t i = 0; i < N; i++) order[i] = expected[i] = i;
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = N - 1; i > 0; i--) {
            const uint32_t j = random_at(7, i, round, 0).v[0] % (i + 1), t = order[i];
            order[i] = order[j];
            order[j] = t;
        }
        uint32_t *next = mem_alloc(ctx, N, sizeof *next);
        for (uint32_t i = 0; i < N; i++) next[i] = expected[order[i]];
        memcpy(expected, next, N * sizeof *next);
        mem_free(ctx, next);
        assert_ok(ctx, particles_permute(ctx, &p, order));
        for (size_t i = 0; i < N; i++) assert_is(&p, i, expected[i]);
    }
    /* Growth after a permutation: the spares are of the right size again. */
    const rill_vec3 x = {0};
    assert_ok(ctx, particles_reserve(ctx, &p, 2 * N));
    assert_ok(ctx, particles_append(ctx, &p, 1, &x, NULL));
    assert_true(p.velocity[N].x == 0 && p.id[N] == N && p.column[1].value[N] == 0);
    p.count--;
    assert_ok(ctx, particles_permute(ctx, &p, order));
    for (size_t i = 0; i < N; i++) assert_is(&p, i, expected[order[i]]);

    mem_free(ctx, order);
    mem_free(ctx, expected);
    particles_clear(ctx, &p);
    rill_ctx_destroy(ctx);
}

static void keeps_in_order(void **state)
{
    (void)state;
    enum { N = 1000 };
    rill_ctx *ctx = test_ctx(1);
    for (uint32_t kind = 0; kind < 4; kind++) { /* none, all, random, all but the ends */
        particles p = {0};
        fill(ctx, &p, N);
        uint8_t keep[N];
        size_t kept = 0;
        for (uint32_t i = 0; i < N; i++) {
            keep[i] = kind == 0   ? 0
                      : kind == 1 ? 1
                      : kind == 2 ? random_at(1, i, 0, 0).v[0] & 1
                                  : i > 0 && i < N - 1;
            kept += keep[i] != 0;
        }
        assert_true(particles_keep(&p, keep) == N - kept);
        assert_true(p.count == kept);
        for (size_t i = 0, k = 0; i < N; i++)
            if (keep[i]) assert_is(&p, k++, i);
        assert_true(p.next_id == N); /* ids are not used again */
        particles_clear(ctx, &p);
    }
    rill_ctx_destroy(ctx);
}

static void refuses_bad_columns(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    particles p = {0};
    assert_int_equal(particles_add_column(ctx, &p, "a name that is a little too long"), RILL_USAGE);
    for (int i = 0; i < PARTICLE_MAX_COLUMNS; i++) {
        const char name[] = {(char)('a' + i), 0};
        assert_ok(ctx, particles_add_column(ctx, &p, name));
    }
    assert_int_equal(particles_add_column(ctx, &p, "a"), RILL_USAGE);
    assert_int_equal(particles_add_column(ctx, &p, "one more"), RILL_USAGE);
    assert_int_equal(particles_reserve(ctx, &p, UINT32_MAX), RILL_NO_MEMORY);
    assert_true(p.capacity == 0);
    particles_clear(ctx, &p);
    rill_ctx_destroy(ctx);
}

static void saves_and_loads(void **state)
{
    (void)state;
    enum { N = 777 };
    rill_ctx *ctx = test_ctx(1);
    snapshot s;
    snapshot_init(&s, ctx);
    for (int round = 0; round < 3; round++) { /* memory is used again; the last is empty */
        particles p = {0}, q = {0};
        fill(ctx, &p, round == 2 ? 0 : N + (size_t)round);
        fill(ctx, &q, 3);
        snapshot_reset(&s);
        assert_ok(ctx, particles_save(&p, "water", &s.writer));
        assert_ok(ctx, particles_load(ctx, &q, "water", &s.reader));
        assert_true(q.count == p.count && q.next_id == p.next_id);
        for (size_t i = 0; i < q.count; i++) assert_is(&q, i, i);
        particles_clear(ctx, &p);
        particles_clear(ctx, &q);
    }
    assert_true(snapshot_bytes(&s) > N * 60);
    snapshot_clear(&s);
    rill_ctx_destroy(ctx);
}

/* A state that does not fit is refused, and what was there stays. */
static void refuses_bad_states(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    particles p = {0}, q = {0};
    fill(ctx, &p, 20);
    fill(ctx, &q, 3);
    snapshot s;
    snapshot_init(&s, ctx);
    for (size_t bad = 0;; bad++) { /* each chunk in turn: one short, of another type, gone */
        snapshot_reset(&s);
        assert_ok(ctx, particles_save(&p, "water", &s.writer));
        if (bad == 3 * s.count) break;
        snapshot_chunk *c = &s.chunk[bad / 3];
        if (bad % 3 == 0) c->count--;
        if (bad % 3 == 1) c->type = c->type == SAVE_U8 ? SAVE_I32 : SAVE_U8;
        if (bad % 3 == 2) c->name[0] = '?';
        assert_int_equal(particles_load(ctx, &q, "water", &s.reader), RILL_BAD_FILE);
        assert_true(q.count == 3 && q.next_id == 3);
        for (size_t i = 0; i < 3; i++) assert_is(&q, i, i);
    }
    for (size_t i = 0; i < s.count; i++) /* an id that is not yet given */
        if (strcmp(s.chunk[i].name, "water.id") == 0) ((uint64_t *)s.chunk[i].data)[5] = 20;
    assert_int_equal(particles_load(ctx, &q, "water", &s.reader), RILL_BAD_FILE);

    snapshot_reset(&s);
    assert_ok(ctx, particles_save(&p, "water", &s.writer));
    assert_ok(ctx, particles_add_column(ctx, &q, "more"));
    assert_int_equal(particles_load(ctx, &q, "water", &s.reader), RILL_BAD_FILE);
    assert_int_equal(particles_save(&p, "water", &s.writer), RILL_USAGE); /* the same names again */
    assert_int_equal(particles_save(&p, "a prefix so long that it leaves no room for names", &s.writer),
                     RILL_USAGE);
    snapshot_clear(&s);
    particles_clear(ctx, &p);
    particles_clear(ctx, &q);
    rill_ctx_destroy(ctx);
}

static void survives_failing_allocations(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    const uint64_t held = f.live;
    bool done = false;
    for (uint64_t n = 1; !done; n++) {
        particles p = {0}, q = {0};
        snapshot s;
        snapshot_init(&s, ctx);
        f.fail_at = 0;
        fill(ctx, &p, 10);
        fill(ctx, &q, 2);
        const uint32_t order[10] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
        const rill_vec3 x[50] = {0};

        f.fail_at = f.calls + n;
        rill_status st = particles_permute(ctx, &p, order);
        if (!st) st = particles_append(ctx, &p, 50, x, NULL);
        const bool appended = !st;
        assert_true(p.count == (appended ? 60 : 10));
        if (!st) st = particles_add_column(ctx, &p, "more");
        if (!st) st = particles_add_column(ctx, &q, "more");
        if (!st) st = particles_save(&p, "p", &s.writer);
        if (!st) st = particles_load(ctx, &q, "p", &s.reader);
        assert_true(q.count == (st ? 2 : 60));
        done = !st;
        if (!done) assert_int_equal(st, RILL_NO_MEMORY);
        for (size_t i = 0; st && i < 2; i++) assert_is(&q, i, i);

        snapshot_clear(&s);
        particles_clear(ctx, &p);
        particles_clear(ctx, &q);
        assert_true(f.live == held);
        assert_true(n < 100);
    }
    rill_ctx_destroy(ctx);
}

static void stages_add_up(void **state)
{
    (void)state;
    rill_step_stats s = step_stats_none();
    assert_true(isnan(s.kinetic) && isnan(s.div_rms) && s.stage_count == 0);
    static const char *const name[] = {"sort", "forces"};
    double since = 0; /* long ago: the first stage takes all that time */
    step_stats_stage(&s, name[0], &since);
    step_stats_stage(&s, name[1], &since);
    step_stats_stage(&s, name[0], &since);
    assert_int_equal(s.stage_count, 2);
    assert_true(s.stage[0].seconds > s.stage[1].seconds && s.stage[1].seconds >= 0);
    int words = 0;
    while (can_words[words]) words++;
    assert_int_equal(1 << (words - 1), CAN_REFINE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permutes_every_array), cmocka_unit_test(keeps_in_order),
        cmocka_unit_test(refuses_bad_columns),  cmocka_unit_test(saves_and_loads),
        cmocka_unit_test(refuses_bad_states),   cmocka_unit_test(survives_failing_allocations),
        cmocka_unit_test(stages_add_up),
    };
    return cmocka_run_group_tests_name("particles", tests, NULL, NULL);
}
