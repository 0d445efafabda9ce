/* Neighbours of points of several sizes against comparing everything with everything. */
#include "support.h"

#include "base/random.h"
#include "geom/search/sized_lists.h"

#include <stdlib.h>
#include <string.h>

enum { N = 1500, SIZES = 6 };

typedef struct {
    rill_vec3 x[N];
    uint8_t size[N];
    double reach[SIZES];
} cloud;

/* Small points on the left, larger ones to the right, and some strays. */
static void make_cloud(cloud *c, int dimensions)
{
    for (int k = 0; k < SIZES; k++) c->reach[k] = 0.05 * pow(2, k / (double)dimensions);
    for (uint32_t i = 0; i < N; i++) {
        const random4 a = random_at(5, i, 0, 0), b = random_at(5, i, 1, 0);
        c->x[i] = v3(random_unit(a.v[0], a.v[1]), random_unit(a.v[2], a.v[3]),
                     dimensions == 2 ? 0 : 0.6 * random_unit(b.v[0], b.v[1]));
        c->size[i] = (uint8_t)(b.v[2] % 16 == 0 ? b.v[3] % SIZES : (uint32_t)(c->x[i].x * SIZES));
    }
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static size_t compare_all(const cloud *c, const sized_points *p, const sized_lists *l, const rill_vec3 *x,
                          const uint8_t *size)
{
    size_t pairs = 0;
    for (uint32_t i = 0; i < N; i++) {
        uint32_t found[2][N], want[2][N];
        size_t have[2] = {0}, need[2] = {0};
        const sized_list a = sized_list_of(l, i);
        for (sized_walk w = sized_walk_over(a.at, a.end); sized_walk_on(&w);) {
            const int part = size[w.id] != size[i];
            found[part][have[part]++] = w.id;
            assert_true(w.at >= a.mixed || !part);
            assert_int_equal(w.at->sizes >> 4 * w.lane & 15, size[w.id]);
        }
        for (uint32_t k = 0; k < N; k++) {
            const double reach = fmax(c->reach[size[i]], c->reach[size[k]]);
            if (v3_distance(x[i], x[k]) < reach) {
                const int part = size[k] != size[i];
                want[part][need[part]++] = k;
            }
        }
        for (int part = 0; part < 2; part++) {
            assert_int_equal(have[part], need[part]);
            qsort(found[part], have[part], sizeof(uint32_t), ascending);
            if (need[part]) assert_memory_equal(found[part], want[part], need[part] * sizeof(uint32_t));
            pairs += need[part];
        }
        assert_int_equal(p->size[i], size[i]);
    }
    return pairs;
}

static void brute_force(void **state)
{
    (void)state;
    static cloud c;
    static rill_vec3 x[N];
    static uint8_t size[N];
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int threads = 1; threads <= 3; threads++) {
            rill_ctx *ctx = test_ctx(threads);
            rill_arena arena;
            arena_init(&arena, ctx);
            make_cloud(&c, dimensions);
            sized_points p;
            sized_lists l;
            sized_lists_init(&l, ctx);
            assert_ok(ctx, sized_points_build(ctx, &arena, c.x, c.size, N, c.reach, SIZES, &p));
            for (uint32_t i = 0; i < N; i++) {
                x[i] = c.x[p.order[i]];
                size[i] = c.size[p.order[i]];
            }
            for (int again = 0; again < 2; again++) assert_ok(ctx, sized_lists_build(&l, &p, x));
            assert_true(compare_all(&c, &p, &l, x, size) > 10 * N);
            sized_lists_clear(&l);
            arena_clear(&arena);
            rill_ctx_destroy(ctx);
        }
}

/* More points than 16 bits can count: lists of those on both sides of a jump of the curve. */
static void far_along_the_curve(void **state)
{
    (void)state;
    enum { MANY = 200000, EVERY = 97 };
    const double reach[2] = {0.03, 0.04};
    rill_ctx *ctx = test_ctx(2);
    rill_arena arena;
    arena_init(&arena, ctx);
    rill_vec3 *at = mem_alloc(ctx, MANY, sizeof *at), *x = mem_alloc(ctx, MANY, sizeof *x);
    uint8_t *size = mem_alloc(ctx, MANY, 1);
    assert_true(at && x && size);
    for (uint32_t i = 0; i < MANY; i++) {
        const random4 a = random_at(7, i, 0, 0), b = random_at(7, i, 1, 0);
        at[i] = v3(random_unit(a.v[0], a.v[1]), random_unit(a.v[2], a.v[3]), random_unit(b.v[0], b.v[1]));
        size[i] = b.v[2] & 1;
    }
    sized_points p;
    sized_lists l;
    sized_lists_init(&l, ctx);
    assert_ok(ctx, sized_points_build(ctx, &arena, at, size, MANY, reach, 2, &p));
    for (uint32_t i = 0; i < MANY; i++) x[i] = at[p.order[i]];
    assert_ok(ctx, sized_lists_build(&l, &p, x));
    size_t far = 0, put = 0, refused = 0;
    for (uint32_t i = 0; i < MANY; i += EVERY) {
        size_t have = 0, need = 0;
        const sized_list list = sized_list_of(&l, i);
        for (sized_walk w = sized_walk_over(list.at, list.end); sized_walk_on(&w);) {
            assert_true(w.id < MANY && (p.size[w.id] == p.size[i] || w.at >= list.mixed));
            assert_true(v3_distance(x[i], x[w.id]) < reach[p.size[i] | p.size[w.id]]);
            far += w.id > i + UINT16_MAX || w.id + UINT16_MAX < i;
            have++;
        }
        for (uint32_t k = 0; k < MANY; k++) need += v3_distance(x[i], x[k]) < reach[p.size[i] | p.size[k]];
        assert_int_equal(have, need);
        for (uint32_t k = 0; k < MANY; k += MANY / 5) { /* from anywhere */
            if (sized_lists_hold(&l, l.pool, i, k)) continue;
            const bool done = sized_lists_put(&l, &p, l.pool, i, k);
            assert_int_equal(sized_lists_hold(&l, l.pool, i, k), done);
            put += done;
            refused += !done;
        }
        for (sized_walk w = sized_walk_over(list.at, list.end); sized_walk_on(&w);) {
            have -= v3_distance(x[i], x[w.id]) < reach[p.size[i] | p.size[w.id]];
            assert_int_equal(w.at->sizes >> 4 * w.lane & 15, p.size[w.id]);
        }
        assert_int_equal(have, 0); /* nobody was lost for those */
    }
    assert_true(far > 100 && put > 100 && refused > 100);
    mem_free(ctx, at);
    mem_free(ctx, x);
    mem_free(ctx, size);
    sized_lists_clear(&l);
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

static void places_that_are_none(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_arena arena;
    arena_init(&arena, ctx);
    rill_vec3 x[2] = {{0, 0, 0}, {0, NAN, 0}};
    const uint8_t size[2] = {0, 1};
    const double reach[2] = {0.1, 0.2};
    sized_points p = {.count = 77};
    assert_int_equal(sized_points_build(ctx, &arena, x, size, 2, reach, 2, &p), RILL_BLEW_UP);
    assert_int_equal(p.count, 77);
    assert_ok(ctx, sized_points_build(ctx, &arena, x, size, 0, reach, 2, &p));
    assert_int_equal(p.leaves, 0);
    x[1].y = 1e12; /* far beyond the finest keys */
    assert_ok(ctx, sized_points_build(ctx, &arena, x, size, 2, reach, 2, &p));
    assert_int_equal(p.leaves, 1);
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

static rill_status build_lists(rill_ctx *ctx, void *user)
{
    const cloud *c = user;
    static rill_vec3 x[N];
    rill_arena arena;
    arena_init(&arena, ctx);
    sized_points p;
    sized_lists l;
    sized_lists_init(&l, ctx);
    rill_status st = sized_points_build(ctx, &arena, c->x, c->size, N, c->reach, SIZES, &p);
    if (!st) {
        for (uint32_t i = 0; i < N; i++) x[i] = c->x[p.order[i]];
        st = sized_lists_build(&l, &p, x);
    }
    sized_lists_clear(&l);
    arena_clear(&arena);
    return st;
}

static void memory_runs_out(void **state)
{
    (void)state;
    static cloud c;
    make_cloud(&c, 3);
    assert_true(every_allocation_fails(2, build_lists, &c) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brute_force),
        cmocka_unit_test(far_along_the_curve),
        cmocka_unit_test(places_that_are_none),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests_name("neighbours of several sizes", tests, NULL, NULL);
}
