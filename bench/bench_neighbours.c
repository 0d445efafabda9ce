/* Tiles and neighbour lists of n jittered lattice points, support two spacings, beside
 * the search over all pairs ([Braley] figure 6: "over an order of magnitude"). The pairs
 * are timed at no more than 20000 points and scaled by n^2 beyond. */
#include "base/random.h"
#include "base/text.h"
#include "bench/bench.h"
#include "geom/search/neighbours.h"

#include <math.h>

enum { MOST_PAIRS = 20000 };

typedef struct {
    rill_ctx *ctx;
    size_t n;
    rill_vec3 *x;
    rill_arena arena;
    neighbours lists;
} search;

static void make_points(search *s)
{
    const size_t side = (size_t)ceil(cbrt((double)s->n));
    for (size_t i = 0; i < s->n; i++) {
        const random4 r = random_at(1, i, 0, 0);
        s->x[i] = v3((double)(i % side) + 0.2 * random_unit(r.v[0], r.v[1]),
                     (double)(i / side % side) + 0.2 * random_unit(r.v[2], r.v[3]),
                     (double)(i / side / side) + 0.2 * random_unit(r.v[1], r.v[2]));
    }
}

static rill_status search_body(void *arg)
{
    search *s = arg;
    tiles t;
    float(*position)[4];
    arena_reset(&s->arena);
    TRY(tiles_build(s->ctx, &s->arena, s->x, s->n, 2, 3, &t));
    TRY(ARENA_NEW(&s->arena, position, s->n));
    for (uint32_t k = 0; k < t.count; k++) {
        const rill_vec3 corner = tile_corner(&t, &t.tile[k]);
        for (uint32_t i = t.tile[k].begin; i < t.tile[k].end; i++) {
            const rill_vec3 d = v3_sub(s->x[t.order[i]], corner);
            position[i][0] = (float)d.x;
            position[i][1] = (float)d.y;
            position[i][2] = (float)d.z;
            position[i][3] = 0;
        }
    }
    return neighbours_build(&s->lists, &t, (const float(*)[4])position, 2);
}

static void count_pair(void *arg, uint32_t i, uint32_t j)
{
    (void)i, (void)j;
    ++*(uint64_t *)arg;
}

static rill_status neighbours_run(bench_run *b)
{
    search s = {.ctx = b->ctx, .n = b->n};
    arena_init(&s.arena, b->ctx);
    neighbours_init(&s.lists, b->ctx);
    rill_status st = MEM_NEW(b->ctx, s.x, s.n);
    if (!st) {
        make_points(&s);
        st = bench_time(b, NULL, search_body, &s);
    }
    if (!st) {
        const uint32_t few = s.n < MOST_PAIRS ? (uint32_t)s.n : MOST_PAIRS;
        uint64_t pairs = 0;
        const double start = clock_seconds();
        neighbours_by_pairs(s.x, NULL, 2, few, count_pair, &pairs);
        const double scale = (double)s.n / few;
        const double all_pairs = (clock_seconds() - start) * scale * scale;
        bench_rate(b, 1e-6 * (double)b->n, "M points/s");
        bench_number(b, "pairs_seconds", all_pairs);
        bench_number(b, "times_pairs", all_pairs / b->seconds);
        bench_number(b, "entries_per_point", (double)s.lists.used / (double)s.n);
    }
    mem_free(b->ctx, s.x);
    neighbours_clear(&s.lists);
    arena_clear(&s.arena);
    return st;
}

const bench_case bench_neighbours = {
    "neighbours", 20000, "tiles and neighbour lists of n points, beside all pairs", neighbours_run};
