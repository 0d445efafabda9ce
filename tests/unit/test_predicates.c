/* Predicates against determinants in integers of any length, and the curve's order. */
#include "support.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/random.h"
#include "geom/delaunay/hilbert.h"
#include "geom/delaunay/predicates.h"

#include <stdlib.h>
#include <string.h>

/* ---- the twin: sign and magnitude, base 2^32, schoolbook ---- */

enum { LIMBS = 8 };

typedef struct {
    int sign;
    uint32_t limb[LIMBS];
} big;

static big big_of(int64_t v)
{
    big b = {.sign = (v > 0) - (v < 0)};
    const uint64_t m = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    b.limb[0] = (uint32_t)m;
    b.limb[1] = (uint32_t)(m >> 32);
    return b;
}

static int compare_magnitude(const big *a, const big *b)
{
    for (int i = LIMBS; i-- > 0;)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static big big_add(big a, big b)
{
    if (!a.sign) return b;
    if (!b.sign) return a;
    big r = {.sign = a.sign};
    if (a.sign == b.sign) {
        uint64_t carry = 0;
        for (int i = 0; i < LIMBS; i++) {
            carry += (uint64_t)a.limb[i] + b.limb[i];
            r.limb[i] = (uint32_t)carry;
            carry >>= 32;
        }
        assert_true(carry == 0);
        return r;
    }
    const int order = compare_magnitude(&a, &b);
    if (order == 0) return (big){0};
    if (order < 0) {
        const big t = a;
        a = b;
        b = t;
        r.sign = a.sign;
    }
    int64_t borrow = 0;
    for (int i = 0; i < LIMBS; i++) {
        borrow += (int64_t)a.limb[i] - b.limb[i];
        r.limb[i] = (uint32_t)borrow;
        borrow = borrow < 0 ? -1 : 0;
    }
    return r;
}

static big big_mul(big a, big b)
{
    big r = {.sign = a.sign * b.sign};
    for (int i = 0; i < LIMBS; i++) {
        uint64_t carry = 0;
        for (int j = 0; i + j < LIMBS; j++) {
            carry += (uint64_t)a.limb[i] * b.limb[j] + r.limb[i + j];
            r.limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        assert_true(carry == 0);
    }
    return r;
}

/* By the first column. */
static big det(int n, big m[5][5])
{
    if (n == 1) return m[0][0];
    big sum = {0};
    for (int r = 0; r < n; r++) {
        if (!m[r][0].sign) continue;
        big minor[5][5];
        for (int i = 0, k = 0; i < n; i++) {
            if (i == r) continue;
            for (int j = 1; j < n; j++) minor[k][j - 1] = m[i][j];
            k++;
        }
        big term = big_mul(m[r][0], det(n - 1, minor));
        if (r % 2) term.sign = -term.sign;
        sum = big_add(sum, term);
    }
    return sum;
}

static int orient_twin(const grid_site *const p[4])
{
    big m[5][5];
    for (int i = 0; i < 4; i++) {
        m[i][0] = big_of(1);
        m[i][1] = big_of((int64_t)p[i]->x);
        m[i][2] = big_of((int64_t)p[i]->y);
        m[i][3] = big_of((int64_t)p[i]->z);
    }
    return det(4, m).sign;
}

/* Rows of (1, x, y, z, lift): positive for inside when the first four are positive. With raised >= 0,
 * the factor of that point's perturbation instead: the lifts of the others are 0. */
static int insphere_twin(const grid_site *const p[5], int raised)
{
    big m[5][5];
    for (int i = 0; i < 5; i++) {
        const int64_t x = (int64_t)p[i]->x, y = (int64_t)p[i]->y, z = (int64_t)p[i]->z;
        m[i][0] = big_of(1);
        m[i][1] = big_of(x);
        m[i][2] = big_of(y);
        m[i][3] = big_of(z);
        m[i][4] = raised < 0 ? big_of(x * x + y * y + z * z) : big_of(i == raised);
    }
    return -det(5, m).sign; /* raising the fifth alone takes it out, and its cofactor is the orientation */
}

static bool tie_twin(const grid_site *const p[5], const uint32_t index[5])
{
    const int s = insphere_twin(p, -1);
    if (s) return s > 0;
    for (uint32_t k = 100; k-- > 0;)
        for (int i = 0; i < 5; i++)
            if (index[i] == k) {
                const int f = insphere_twin(p, i);
                if (f) return f > 0;
            }
    fail_msg("five points in a plane");
    return false;
}

/* ---- points that make determinants vanish, nearly vanish, or large ---- */

static grid_site random_site(uint64_t id, uint32_t step, int kind)
{
    const random4 r = random_at(7, id, step, (uint32_t)kind);
    switch (kind) {
    case 0: /* everywhere */
        return (grid_site){r.v[0] % (SITE_MOST + 1), r.v[1] % (SITE_MOST + 1), r.v[2] % (SITE_MOST + 1), 0};
    case 1: /* corners of a small lattice: many ties */
        return (grid_site){r.v[0] % 3, r.v[1] % 3, r.v[2] % 3, 0};
    case 2: /* corners of the whole grid, or a step beside */
        return (grid_site){r.v[0] % 2 ? SITE_MOST - r.v[0] / 2 % 2 : r.v[0] / 2 % 2,
                           r.v[1] % 2 ? SITE_MOST - r.v[1] / 2 % 2 : r.v[1] / 2 % 2,
                           r.v[2] % 2 ? SITE_MOST - r.v[2] / 2 % 2 : r.v[2] / 2 % 2, 0};
    case 3: /* corners of a coarse lattice far from the origin */
        return (grid_site){4000000.0 * (1 + r.v[0] % 4), 4000000.0 * (1 + r.v[1] % 4),
                           4000000.0 * (1 + r.v[2] % 4), 0};
    default: /* nearly in a plane */
        return (grid_site){r.v[0] % SITE_MOST, r.v[1] % SITE_MOST, 5000000 + r.v[2] % 3, 0};
    }
}

static void predicates_match_long_integers(void **state)
{
    (void)state;
    int ties = 0, tested = 0;
    for (int kind = 0; kind < 5; kind++)
        for (uint32_t n = 0; n < 1500; n++) {
            grid_site s[5];
            const grid_site *p[5];
            for (uint32_t i = 0; i < 5; i++) {
                s[i] = random_site(n, i, kind);
                p[i] = &s[i];
            }
            const int o = orient_twin(p);
            assert_int_equal(orient_sign(p[0], p[1], p[2], p[3]), o);
            if (o == 0) continue;
            if (o < 0) {
                const grid_site *t = p[0];
                p[0] = p[1];
                p[1] = t;
            }
            const int in = insphere_twin(p, -1);
            assert_int_equal(insphere_sign(p, p[4]), in);
            tested++;
            ties += in == 0;

            bool same = false; /* a point twice has no side */
            for (int i = 0; i < 4; i++) same = same || memcmp(p[i], p[4], sizeof *p[i]) == 0;
            if (same) continue;
            for (uint32_t turn = 0; turn < 5; turn++) {
                uint32_t index[5];
                for (uint32_t i = 0; i < 5; i++) index[i] = (i * 7 + turn * 3 + n) % 5 * 9 + 2;
                assert_int_equal(insphere_tie(p, index, p[4], index[4]), tie_twin(p, index));
            }
        }
    assert_true(tested > 4000);
    assert_true(ties > 500);
}

static void known_signs(void **state)
{
    (void)state;
    const grid_site o = {0, 0, 0, 0}, x = {8, 0, 0, 0}, y = {0, 8, 0, 0}, z = {0, 0, 8, 0};
    const grid_site in = {4, 4, 4, 0}, on = {8, 8, 8, 0}, out = {9, 8, 8, 0};
    const grid_site *tet[4] = {&o, &x, &y, &z};
    assert_int_equal(orient_sign(&o, &x, &y, &z), 1);
    assert_int_equal(orient_sign(&o, &y, &x, &z), -1);
    assert_int_equal(insphere_sign(tet, &in), 1);
    assert_int_equal(insphere_sign(tet, &on), 0);
    assert_int_equal(insphere_sign(tet, &out), -1);
    assert_false(insphere_tie(tet, (uint32_t[]){0, 1, 2, 3}, &on, 4)); /* the highest is raised most */
}

static void grid_holds_any_box(void **state)
{
    (void)state;
    const struct {
        rill_vec3 min, max;
    } box[] = {{{0, 0, 0}, {1, 1, 1}},
               {{-1, -2, -3}, {1, 0.5, 7}},
               {{1e15, 1e15, 1e15}, {1e15 + 4, 1e15, 1e15}},
               {{1e-300, 0, 0}, {3e-300, 0, 0}},
               {{-1e300, 0, 0}, {1e300, 1, 1}},
               {{5, 5, 5}, {5, 5, 5}},
               {{0.1, 0.1, 0.1}, {0.1 + 1e-9, 0.1, 0.1}},
               {{0, 0, 0}, {0, 0, 0}}};
    for (size_t b = 0; b < sizeof box / sizeof box[0]; b++) {
        const site_grid g = site_grid_of((rill_box){box[b].min, box[b].max});
        int e;
        assert_true(frexp(g.step, &e) == 0.5);
        for (uint32_t k = 0; k < 100; k++) {
            const random4 r = random_at(3, k, (uint32_t)b, 0);
            const double t[3] = {k == 0   ? 0
                                 : k == 1 ? 1
                                          : random_unit(r.v[0], 0),
                                 k == 1 ? 1 : random_unit(r.v[1], 0), k == 1 ? 1 : random_unit(r.v[2], 0)};
            rill_vec3 p;
            p.x = t[0] == 1 ? box[b].max.x : box[b].min.x + t[0] * (box[b].max.x - box[b].min.x);
            p.y = t[1] == 1 ? box[b].max.y : box[b].min.y + t[1] * (box[b].max.y - box[b].min.y);
            p.z = t[2] == 1 ? box[b].max.z : box[b].min.z + t[2] * (box[b].max.z - box[b].min.z);
            const grid_site s = site_snap(&g, p);
            assert_true(s.x >= 0 && s.y >= 0 && s.z >= 0 && s.x <= SITE_MOST && s.y <= SITE_MOST &&
                        s.z <= SITE_MOST);
            assert_true(s.x == floor(s.x) && s.y == floor(s.y) && s.z == floor(s.z));
            const rill_vec3 q = site_position(&g, &s);
            assert_true(fabs(q.x - p.x) <= 0.5000001 * g.step && fabs(q.y - p.y) <= 0.5000001 * g.step);
            const grid_site again = site_snap(&g, q); /* a site is where it says, to the bit */
            assert_true(again.x == s.x && again.y == s.y && again.z == s.z);
        }
    }
}

/* The curve visits every cell once and moves one cell at a time. */
static void curve_is_continuous(void **state)
{
    (void)state;
    enum { BITS = 4, SIDE = 1 << BITS, CELLS = SIDE * SIDE * SIDE };
    static int cell[CELLS][3];
    static bool seen[CELLS];
    hilbert_automaton a;
    hilbert_automaton_make(&a);
    memset(seen, 0, sizeof seen);
    for (int x = 0; x < SIDE; x++)
        for (int y = 0; y < SIDE; y++)
            for (int z = 0; z < SIDE; z++) {
                const double s = 1 << (25 - BITS);
                const uint64_t key = hilbert_key(&a, &(grid_site){x * s, y * s, z * s, 0}, BITS);
                assert_true(key < CELLS && !seen[key]);
                seen[key] = true;
                cell[key][0] = x, cell[key][1] = y, cell[key][2] = z;
            }
    for (int k = 1; k < CELLS; k++)
        assert_int_equal(abs(cell[k][0] - cell[k - 1][0]) + abs(cell[k][1] - cell[k - 1][1]) +
                             abs(cell[k][2] - cell[k - 1][2]),
                         1);
}

/* Any order of the same points, some at the same place, gives the same sequence of places. */
static void order_is_of_the_points(void **state)
{
    (void)state;
    enum { N = 5000 };
    rill_ctx *ctx = test_ctx(2);
    rill_arena arena;
    arena_init(&arena, ctx);
    grid_site *s[2];
    uint32_t *order[2];
    size_t count;
    for (int k = 0; k < 2; k++) {
        assert_ok(ctx, MEM_NEW(ctx, s[k], N));
        assert_ok(ctx, MEM_NEW(ctx, order[k], N));
        for (uint32_t i = 0; i < N; i++) {
            const uint32_t id = k ? (i * 1237u) % N : i;
            s[k][i] = random_site(id % (N - 100), 0, id % 3 ? 0 : 1);
        }
        assert_ok(ctx, hilbert_order(ctx, &arena, s[k], N, NULL, order[k], &count));
        assert_int_equal(count, N);
    }
    for (uint32_t i = 0; i < N; i++)
        assert_memory_equal(&s[0][order[0][i]], &s[1][order[1][i]], sizeof(grid_site));
    for (int k = 0; k < 2; k++) {
        mem_free(ctx, s[k]);
        mem_free(ctx, order[k]);
    }
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(predicates_match_long_integers),
                                       cmocka_unit_test(known_signs), cmocka_unit_test(grid_holds_any_box),
                                       cmocka_unit_test(curve_is_continuous),
                                       cmocka_unit_test(order_is_of_the_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
