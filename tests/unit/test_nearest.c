/* Nearest points and bins against the search over all. */
#include "support.h"

#include "base/random.h"
#include "geom/search/nearest.h"
#include "point_sets.h"

#include <stdlib.h>

/* Every point is where the bins say, once. */
static void assert_bins(const bins *b, const rill_vec3 *x, uint32_t count)
{
    assert_int_equal(b->count, count);
    uint8_t *seen = calloc(count + 1, 1);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t id = b->order[k];
        assert_true(id < count && !seen[id]);
        seen[id] = 1;
        assert_true(b->x[k] == x[id].x && b->y[k] == x[id].y && b->z[k] == x[id].z);
        uint32_t at[3];
        const bins_grid *g = bins_at(b, x[id].x, x[id].y, x[id].z, at);
        const uint32_t bin = bins_index(g, at[0], at[1], at[2]);
        assert_true(k >= g->start[bin] && k < g->start[bin + 1]);
        const uint32_t n = g->start[bin + 1] - g->start[bin], first = b->order[g->start[bin]];
        if (n > BINS_MOST) assert_true(v3_distance(x[first], x[id]) == 0);
        if (k > g->start[bin]) assert_true(b->order[k - 1] < id);
    }
    free(seen);
}

typedef struct {
    double d2;
    uint32_t id;
} hit;

static int compare(const void *a, const void *b)
{
    const hit *x = a, *y = b;
    if (x->d2 != y->d2) return x->d2 < y->d2 ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void like_all_points(void **state)
{
    (void)state;
    static const uint32_t ks[] = {1, 7, 40};
    static const double withins[] = {INFINITY, 0.15, 1e-3};
    enum { N = 2500, Q = 120 };
    rill_vec3 *x = malloc(N * sizeof *x);
    hit *all = malloc(N * sizeof *all);
    uint32_t *label = malloc(N * sizeof *label), label_of[Q], found[Q], out[Q * 40];
    double d2[Q * 40];
    rill_ctx *ctx = test_ctx(2);
    for (int set = 0; set < SETS; set++)
        for (int few = 0; few < 2; few++) {
            const uint32_t n = point_set_make((point_set)set, few ? 30 : N, 1, x);
            for (uint32_t i = 0; i < n; i++) label[i] = x[i].x > 0.5;
            rill_arena arena;
            arena_init(&arena, ctx);
            bins b;
            assert_ok(ctx, bins_build(ctx, &arena, x, n, &b));
            assert_bins(&b, x, n);
            rill_vec3 place[Q];
            for (uint32_t i = 0; i < Q; i++) { /* at points, among them, and far outside */
                const random4 r = random_at(3, i, 0, 0);
                const rill_vec3 u =
                    v3(random_unit(r.v[0], 0), random_unit(r.v[1], 0), random_unit(r.v[2], 0));
                place[i] = i % 3 == 0   ? x[i % n]
                           : i % 3 == 1 ? u
                                        : v3_scale(v3_sub(u, v3(0.5, 0.5, 0.5)), 20);
                label_of[i] = i % 2;
            }
            for (size_t c = 0; c < 9; c++)
                for (int labelled = 0; labelled < 2; labelled++) {
                    nearest_query q = {
                        .points = &b, .x = place, .count = Q, .k = ks[c % 3], .within = withins[c / 3]};
                    if (labelled) q.label = label, q.label_of = label_of;
                    assert_ok(ctx, nearest_find(ctx, &q, out, found, d2));
                    for (uint32_t i = 0; i < Q; i++) {
                        uint32_t m = 0;
                        for (uint32_t p = 0; p < n; p++) {
                            const rill_vec3 d = v3_sub(x[p], place[i]);
                            const double r2 = d.x * d.x + d.y * d.y + d.z * d.z;
                            if (r2 < q.within * q.within && (!labelled || label[p] == label_of[i]))
                                all[m++] = (hit){r2, p};
                        }
                        qsort(all, m, sizeof *all, compare);
                        assert_int_equal(found[i], m < q.k ? m : q.k);
                        for (uint32_t k = 0; k < q.k; k++) {
                            assert_int_equal(out[i * q.k + k], k < m ? all[k].id : UINT32_MAX);
                            assert_true(d2[i * q.k + k] == (k < m ? all[k].d2 : INFINITY));
                        }
                    }
                }
            arena_clear(&arena);
        }
    free(x);
    free(all);
    free(label);
    rill_ctx_destroy(ctx);
}

static void wrong_questions_are_told(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_arena arena;
    arena_init(&arena, ctx);
    bins b;
    rill_vec3 x[3] = {{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}};
    assert_ok(ctx, bins_build(ctx, &arena, x, 2, &b));
    uint32_t out[3] = {7, 7, 7};
    nearest_query q = {.points = &b, .x = x, .count = 3, .k = 1, .within = INFINITY};
    assert_int_equal(nearest_find(ctx, &q, out, NULL, NULL), RILL_BLEW_UP);
    assert_string_equal(rill_ctx_message(ctx), "place 2 is not finite");
    q.k = 0;
    assert_int_equal(nearest_find(ctx, &q, out, NULL, NULL), RILL_USAGE);
    q.k = NEAREST_MOST + 1;
    assert_int_equal(nearest_find(ctx, &q, out, NULL, NULL), RILL_USAGE);
    assert_true(out[0] == 7 && out[2] == 7);
    q.k = 1;
    q.count = 2;
    bins none; /* of nothing there is nothing near */
    assert_ok(ctx, bins_build(ctx, &arena, x, 0, &none));
    q.points = &none;
    assert_ok(ctx, nearest_find(ctx, &q, out, NULL, NULL));
    assert_true(out[0] == UINT32_MAX && out[1] == UINT32_MAX && out[2] == 7);
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(like_all_points),
                                       cmocka_unit_test(wrong_questions_are_told)};
    return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
