/* Marching over lists: what a point ends with is the best its neighbours know of, whatever the threads. */
#include "support.h"

#include "base/random.h"
#include "geom/search/spread.h"

#include <math.h>
#include <string.h>

enum { N = 4000, SIZES = 3 };

typedef struct {
    rill_vec3 x[N];
    float head[N]; /* what a source is worth at its own place */
} cloud;

static float worth(const cloud *c, uint32_t i, uint32_t k)
{
    return (float)v3_distance(c->x[i], c->x[k]) + c->head[k];
}

static void worths(const void *arg, const uint32_t *point, const uint32_t *source, float *out)
{
    for (int n = 0; n < SPREAD_LANES; n++) out[n] = worth(arg, point[n], source[n]);
}

typedef struct {
    float best[N];
    uint32_t source[N];
} answer;

/* Points in the unit cube, every 200th a source. */
static void march(int threads, cloud *c, answer *out, bool hold)
{
    static rill_vec3 x[N];
    static uint8_t size[N], fixed[N];
    static float enough[N];
    rill_ctx *ctx = test_ctx(threads);
    rill_arena arena;
    arena_init(&arena, ctx);
    const double reach[SIZES] = {0.11, 0.13, 0.16};
    for (uint32_t i = 0; i < N; i++) {
        const random4 a = random_at(9, i, 0, 0), b = random_at(9, i, 1, 0);
        x[i] = v3(random_unit(a.v[0], a.v[1]), random_unit(a.v[2], a.v[3]), random_unit(b.v[0], b.v[1]));
        size[i] = (uint8_t)(b.v[2] % SIZES);
    }
    sized_points p;
    sized_lists l;
    sized_lists_init(&l, ctx);
    assert_ok(ctx, sized_points_build(ctx, &arena, x, size, N, reach, SIZES, &p));
    for (uint32_t i = 0; i < N; i++) c->x[i] = x[p.order[i]];
    assert_ok(ctx, sized_lists_build(&l, &p, c->x));
    for (uint32_t i = 0; i < N; i++) {
        const bool knows = i % 200 == 0;
        c->head[i] = knows ? 0.1f * (float)(i / 200 % 3) : INFINITY;
        out->source[i] = knows ? i : SPREAD_NONE;
        out->best[i] = c->head[i];
        enough[i] = 1e-4f;
        fixed[i] = hold && knows;
    }
    const spread_def def = {.near = &l,
                            .count = N,
                            .worth = worths,
                            .arg = c,
                            .most = INFINITY,
                            .enough = enough,
                            .fixed = fixed};
    assert_ok(ctx, spread(ctx, &arena, &def, out->best, out->source));
    for (uint32_t i = 0; i < N; i++) {
        assert_true(out->source[i] != SPREAD_NONE);
        assert_true(fabsf(out->best[i] - worth(c, i, out->source[i])) < 1e-6f);
        if (fixed[i]) {
            assert_int_equal(out->source[i], i);
            continue;
        }
        const sized_list near = sized_list_of(&l, i);
        for (sized_walk w = sized_walk_over(near.at, near.end); sized_walk_on(&w);)
            assert_true(worth(c, i, out->source[w.id]) > out->best[i] - 1.1e-4f);
    }
    sized_lists_clear(&l);
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

static void best_of_all(void **state)
{
    (void)state;
    static cloud c;
    static answer one, three;
    for (int hold = 0; hold < 2; hold++) {
        march(1, &c, &one, hold);
        march(3, &c, &three, hold);
        assert_memory_equal(&one, &three, sizeof one);
        /* against all sources: few points hear of none that is as good, since lists are not straight lines */
        uint32_t off = 0;
        for (uint32_t i = 0; i < N; i++) {
            float least = INFINITY;
            for (uint32_t k = 0; k < N; k += 200) least = fminf(least, worth(&c, i, k));
            if (hold && i % 200 == 0) continue;
            assert_true(one.best[i] > least - 1e-6f && one.best[i] < least + 0.02f);
            off += one.best[i] > least + 2e-4f;
        }
        assert_true(off < N / 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(best_of_all)};
    return cmocka_run_group_tests_name("marching over lists", tests, NULL, NULL);
}
