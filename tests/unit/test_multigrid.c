/* The parts of multigrid against what must hold of them: transfers that are each other's
 * transpose, symmetric matrices and cycles, and the parts without a free surface. */
#include "base/random.h"
#include "bench/pressure_domains.h"
#include "grid/pressure/components.h"
#include "grid/pressure/multigrid.h"
#include "grid/pressure/sweep.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static pressure_cells make(rill_ctx *ctx, pressure_domain domain, int dimensions, int n)
{
    pressure_cells c;
    assert_ok(ctx, pressure_domain_make(ctx, domain, dimensions, n, &c));
    return c;
}

typedef struct hierarchy {
    rill_arena memory, scratch;
    multigrid grid;
} hierarchy;

static void hierarchy_make(rill_ctx *ctx, const pressure_cells *c, hierarchy *h)
{
    *h = (hierarchy){.grid = {.ctx = ctx}};
    arena_init(&h->memory, ctx);
    arena_init(&h->scratch, ctx);
    assert_ok(ctx, level_from_system(&h->memory, &c->system, &h->grid.level[0]));
    assert_ok(ctx, level_build(&h->memory, &h->grid.level[0]));
    assert_ok(ctx, multigrid_build(&h->memory, &h->scratch, &h->grid));
}

static void hierarchy_clear(hierarchy *h)
{
    arena_clear(&h->memory);
    arena_clear(&h->scratch);
}

static bool node_active(const level *l, uint32_t index)
{
    if (is_loose(l, index)) return true;
    const place p = level_place(l, index);
    return p.tile < l->tiles && l->active[(size_t)l->source[p.tile] * l->cells + cell_of(p)];
}

/* Random values on active nodes (of one colour, or both: -1). */
static float *random_vector(hierarchy *h, const level *l, uint32_t stream, int colour)
{
    float *v;
    assert_int_equal(level_vector(&h->memory, l, &v), RILL_OK);
    for (uint32_t i = 0; i < l->length; i++) {
        const random4 r = random_at(3, i, 0, stream);
        if (node_active(l, i) && (colour < 0 || (int)level_colour(l, i) == colour))
            v[i] = (float)(random_unit(r.v[0], r.v[1]) - 0.5);
    }
    return v;
}

static double dot(const level *l, const float *u, const float *v)
{
    double sum = 0;
    for (size_t i = 0; i < l->length; i++) sum += (double)u[i] * v[i];
    return sum;
}

/* On every level: R is the transpose of P, and the matrix is symmetric to the last bit. */
static void transfers_are_transposes(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int domain = 0; domain < DOMAINS; domain++) {
            pressure_cells c = make(ctx, (pressure_domain)domain, dimensions, 40);
            hierarchy h;
            hierarchy_make(ctx, &c, &h);
            for (int i = 0; i + 1 < h.grid.levels; i++) {
                const level *l = &h.grid.level[i];
                level *up = &h.grid.level[i + 1];
                const float *r = random_vector(&h, l, 1, 0), *coarse = random_vector(&h, up, 2, -1);
                float *zero, *x;
                assert_ok(ctx, level_vector(&h.memory, l, &zero));
                assert_ok(ctx, level_vector(&h.memory, l, &x));
                restrict_red(ctx, l, up, zero, r, false);
                const double down = dot(up, up->b, coarse);
                memcpy(up->x, coarse, up->length * sizeof *coarse);
                prolong_red(ctx, l, up, x);
                const double size = sqrt(dot(l, r, r) * dot(up, coarse, coarse));
                assert_true(fabs(down - dot(l, x, r)) <= 1e-6 * size);

                const link_rows *k = &up->links;
                for (uint32_t row = 0; row < k->count[0] + k->count[1]; row++)
                    for (uint32_t t = k->begin[row]; t < k->begin[row + 1]; t++) {
                        const uint32_t back = k->row_of[k->to[t]];
                        bool found = false;
                        assert_true(level_colour(up, k->node[row]) != level_colour(up, k->to[t]));
                        for (uint32_t s = k->begin[back]; s < k->begin[back + 1]; s++)
                            found |=
                                k->to[s] == k->node[row] && memcmp(&k->a[s], &k->a[t], sizeof(float)) == 0;
                        assert_true(found);
                    }
            }
            hierarchy_clear(&h);
            pressure_cells_clear(&c);
        }
    rill_ctx_destroy(ctx);
}

/* u.Mv = v.Mu and u.Mu > 0 for the V-cycle. */
static void cycle_is_symmetric(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int domain = 0; domain < DOMAINS; domain++) {
            pressure_cells c = make(ctx, (pressure_domain)domain, dimensions, 40);
            hierarchy h;
            hierarchy_make(ctx, &c, &h);
            const level *l = &h.grid.level[0];
            for (uint32_t trial = 0; trial < 3; trial++) {
                const float *u = random_vector(&h, l, 10 + trial, -1),
                            *v = random_vector(&h, l, 20 + trial, -1);
                float *mu, *mv;
                assert_ok(ctx, level_vector(&h.memory, l, &mu));
                assert_ok(ctx, level_vector(&h.memory, l, &mv));
                double dots[2];
                multigrid_first_half(&h.grid, mu, u);
                multigrid_cycle(&h.grid, mu, u, u, dots);
                assert_true(fabs(dots[0] - dot(l, mu, u)) <= 1e-9 * fabs(dots[0]));
                multigrid_first_half(&h.grid, mv, v);
                multigrid_cycle(&h.grid, mv, v, NULL, NULL);
                const double uu = dot(l, u, mu), vv = dot(l, v, mv);
                assert_true(uu > 0 && vv > 0);
                const double asymmetry = fabs(dot(l, u, mv) - dot(l, v, mu)) / sqrt(uu * vv);
                if (!(asymmetry < 1e-6))
                    fail_msg("%s %dD: %g", pressure_domain_words[domain], dimensions, asymmetry);
            }
            hierarchy_clear(&h);
            pressure_cells_clear(&c);
        }
    rill_ctx_destroy(ctx);
}

/* The parts that the hierarchy finds are those a walk finds. */
static void labels_match_walk(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    static const pressure_domain domains[] = {DOMAIN_CLOSED, DOMAIN_SPHERES, DOMAIN_RANDOM, DOMAIN_FULL};
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (size_t d = 0; d < sizeof domains / sizeof *domains; d++) {
            pressure_cells c = make(ctx, domains[d], dimensions, 33);
            /* Random cells without air: many parts. */
            if (domains[d] == DOMAIN_RANDOM) memset(c.e, 0, c.count * sizeof *c.e);
            hierarchy h;
            hierarchy_make(ctx, &c, &h);
            const level *l = &h.grid.level[0];
            uint32_t *label, count, *walked, walked_count;
            assert_ok(ctx, multigrid_labels(&h.memory, &h.scratch, &h.grid, &label, &count));
            assert_ok(ctx, components_label(&h.memory, &h.scratch, l, &walked, &walked_count));
            assert_int_equal(count, walked_count);
            if (domains[d] == DOMAIN_RANDOM) assert_true(count > 20);
            uint32_t *same = malloc((count + 1) * sizeof *same);
            memset(same, 0xff, (count + 1) * sizeof *same);
            for (uint32_t i = 0; i < l->tiles * l->cells && count; i++) {
                assert_int_equal(label[i] == NO_NODE, walked[i] == NO_NODE);
                if (label[i] == NO_NODE) continue;
                if (same[label[i]] == NO_NODE) same[label[i]] = walked[i];
                assert_int_equal(same[label[i]], walked[i]);
            }
            free(same);
            hierarchy_clear(&h);
            pressure_cells_clear(&c);
        }
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transfers_are_transposes),
        cmocka_unit_test(cycle_is_symmetric),
        cmocka_unit_test(labels_match_walk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
