/* The tiles and the lists against the search that cannot be wrong. */
#include "support.h"

#include "base/random.h"
#include "geom/search/neighbours.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t *pair; /* i << 32 | j */
    size_t count, capacity;
} pair_set;

static void pair_add(void *arg, uint32_t i, uint32_t j)
{
    pair_set *s = arg;
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 1024;
        s->pair = realloc(s->pair, s->capacity * sizeof *s->pair);
        assert_non_null(s->pair);
    }
    s->pair[s->count++] = (uint64_t)i << 32 | j;
}

static int compare_pairs(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The lists as pairs of the points' own ids; also checks order, cells and padding. */
static pair_set pairs_by_tiles(rill_ctx *ctx, const rill_vec3 *x, const double *each, double reach,
                               uint32_t count, int dimensions)
{
    double cell = reach;
    for (uint32_t i = 0; each && i < count; i++) cell = fmax(cell, each[i]);
    rill_arena arena;
    arena_init(&arena, ctx);
    tiles t;
    assert_ok(ctx, tiles_build(ctx, &arena, x, count, cell * 1.000001, dimensions, &t));
    float(*position)[4] = malloc((count + 1) * sizeof *position);
    for (uint32_t k = 0; k < t.count; k++) {
        const rill_vec3 corner = tile_corner(&t, &t.tile[k]);
        for (uint32_t i = t.tile[k].begin; i < t.tile[k].end; i++) {
            const rill_vec3 d = v3_sub(x[t.order[i]], corner);
            position[i][0] = (float)d.x;
            position[i][1] = (float)d.y;
            position[i][2] = dimensions == 2 ? 0 : (float)d.z;
            position[i][3] = each ? (float)each[t.order[i]] : 0;
        }
    }
    neighbours n;
    neighbours_init(&n, ctx);
    assert_ok(ctx, neighbours_build(&n, &t, (const float(*)[4])position, each ? 0 : (float)reach));

    pair_set out = {0};
    for (uint32_t k = 0; k < t.count; k++) {
        halo h;
        halo_build(&t, k, &h);
        uint32_t *global = malloc((h.count + 1) * sizeof *global);
        uint32_t at = 1;
        for (int r = 0; r < h.run_count; r++)
            for (uint32_t i = 0; i < h.run[r].count; i++) global[at++] = h.run[r].begin + i;
        assert_int_equal(at, h.count + 1);
        const uint16_t *list = n.pool + n.segment[k];
        for (uint32_t i = t.tile[k].begin; i < t.tile[k].end; i++) {
            assert_int_equal(n.count[i] % NEIGHBOUR_LANES, 0);
            for (uint16_t e = 0; e < n.count[i]; e++)
                if (list[e]) pair_add(&out, t.order[i], t.order[global[list[e]]]);
            list += n.count[i];
        }
        free(global);
    }
    neighbours_clear(&n);
    free(position);
    arena_clear(&arena);
    qsort(out.pair, out.count, sizeof *out.pair, compare_pairs);
    return out;
}

/* Equal up to pairs whose distance is the reach to 1e-6. */
static void assert_same_pairs(const pair_set *a, const pair_set *b, const rill_vec3 *x, const double *each,
                              double reach)
{
    size_t i = 0, j = 0;
    while (i < a->count || j < b->count) {
        const uint64_t p = i < a->count ? a->pair[i] : UINT64_MAX, q = j < b->count ? b->pair[j] : UINT64_MAX;
        if (p == q) {
            i++, j++;
            continue;
        }
        const uint64_t odd = p < q ? p : q;
        const uint32_t m = (uint32_t)(odd >> 32), n = (uint32_t)odd;
        const double limit = each ? fmax(each[m], each[n]) : reach;
        const double error = fabs(v3_distance(x[m], x[n]) / limit - 1);
        if (error > 2e-6) fail_msg("pair %u %u at %g reaches is in one list only", m, n, 1 + error);
        if (p < q)
            i++;
        else
            j++;
    }
}

typedef enum { LATTICE, RANDOM, CLUSTERED, COINCIDENT, FAR_APART, PLANE, SETS } point_set;

static void make_points(point_set set, uint32_t count, int dimensions, rill_vec3 *x)
{
    const uint32_t side = (uint32_t)ceil(dimensions == 2 ? sqrt(count) : cbrt(count));
    for (uint32_t i = 0; i < count; i++) {
        const random4 r = random_at(7, i, 0, set), q = random_at(7, i, 1, set);
        const rill_vec3 u =
            v3(random_unit(r.v[0], r.v[1]), random_unit(r.v[2], r.v[3]), random_unit(q.v[0], q.v[1]));
        switch (set) {
        case LATTICE: x[i] = v3(i % side * 1.0, i / side % side * 1.0, i / side / side * 1.0); break;
        case RANDOM: x[i] = v3_madd(v3(-3, 100, 7), side, u); break;
        case CLUSTERED: x[i] = v3_scale(v3(u.x * u.x * u.x, u.y * u.y, u.z * u.z * u.z), side * 2.0); break;
        case COINCIDENT: x[i] = i % 3 ? v3(1, 1, 1) : v3_scale(u, side); break;
        case FAR_APART: x[i] = v3_madd(v3(i % 2 ? 1e5 : 0, i % 5 ? 0 : -3e4, 0), 4, u); break;
        default: x[i] = v3(u.x * side, 2.5, u.z * side);
        }
        if (dimensions == 2) x[i].z = 0;
    }
}

static void lists_match_brute_force(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 2, 17, 900};
    static const double reaches[] = {0.5, 1.0, 2.5};
    rill_ctx *ctx = test_ctx(2);
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int set = 0; set < SETS; set++)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
                for (size_t r = 0; r < sizeof reaches / sizeof *reaches; r++)
                    for (int own = 0; own < 2; own++) {
                        const uint32_t n = counts[c];
                        rill_vec3 *x = malloc(n * sizeof *x);
                        double *each = malloc(n * sizeof *each);
                        make_points((point_set)set, n, dimensions, x);
                        for (uint32_t i = 0; i < n; i++)
                            each[i] =
                                (float)(reaches[r] * (0.5 + random_unit(random_at(1, i, 2, 3).v[0], 0)));
                        pair_set brute = {0};
                        neighbours_by_pairs(x, own ? each : NULL, reaches[r], n, pair_add, &brute);
                        pair_set fast = pairs_by_tiles(ctx, x, own ? each : NULL, reaches[r], n, dimensions);
                        assert_same_pairs(&brute, &fast, x, own ? each : NULL, reaches[r]);
                        free(brute.pair);
                        free(fast.pair);
                        free(each);
                        free(x);
                    }
    rill_ctx_destroy(ctx);
}

/* 5000 points in one place need more list than was set aside: the pool grows. */
static void crowded_points_grow_the_pool(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(3);
    enum { N = 3000 };
    rill_vec3 *x = malloc(N * sizeof *x);
    for (uint32_t i = 0; i < N; i++) x[i] = v3(0.25, 0.5, 0.125);
    pair_set fast = pairs_by_tiles(ctx, x, NULL, 1, N, 3);
    assert_int_equal(fast.count, (size_t)N * N);
    free(fast.pair);
    free(x);
    rill_ctx_destroy(ctx);
}

static void wrong_points_are_told(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_arena arena;
    arena_init(&arena, ctx);
    tiles t = {.count = 77};
    rill_vec3 x[3] = {{0, 0, 0}, {1, NAN, 0}, {2, 0, 0}};
    assert_int_equal(tiles_build(ctx, &arena, x, 3, 1, 3, &t), RILL_BLEW_UP);
    x[1] = v3(1e9, 0, 0);
    assert_int_equal(tiles_build(ctx, &arena, x, 3, 1, 3, &t), RILL_BLEW_UP);
    x[1] = v3(-INFINITY, 0, 0);
    assert_int_equal(tiles_build(ctx, &arena, x, 3, 1, 3, &t), RILL_BLEW_UP);
    assert_int_equal(t.count, 77); /* untouched */
    assert_ok(ctx, tiles_build(ctx, &arena, x, 0, 1, 3, &t));
    assert_int_equal(t.count, 0);
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

enum { FEW = 300 };

static rill_status build_all(rill_ctx *ctx, void *points)
{
    const rill_vec3 *x = points;
    rill_arena arena;
    arena_init(&arena, ctx);
    neighbours n;
    neighbours_init(&n, ctx);
    tiles t;
    float(*position)[4] = calloc(FEW, sizeof *position);
    rill_status st = tiles_build(ctx, &arena, x, FEW, 1, 3, &t);
    if (!st) st = neighbours_build(&n, &t, (const float(*)[4])position, 1);
    free(position);
    neighbours_clear(&n);
    arena_clear(&arena);
    return st;
}

static void failing_allocations_are_told(void **state)
{
    (void)state;
    rill_vec3 x[FEW];
    make_points(RANDOM, FEW, 3, x);
    every_allocation_fails(2, build_all, x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_match_brute_force),
        cmocka_unit_test(crowded_points_grow_the_pool),
        cmocka_unit_test(wrong_points_are_told),
        cmocka_unit_test(failing_allocations_are_told),
    };
    return cmocka_run_group_tests_name("neighbours", tests, NULL, NULL);
}
