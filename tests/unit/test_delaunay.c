/* Delaunay tetrahedra against the definition: spheres without sites, by trying all. */
#include "support.h"

#include "base/parallel.h"
#include "geom/delaunay/delaunay.h"
#include "site_sets.h"

#include <stdlib.h>
#include <string.h>

static void build(delaunay *d, rill_ctx *ctx, const rill_vec3 *x, size_t n)
{
    delaunay_init(d, ctx);
    assert_ok(ctx, delaunay_build(d, &(delaunay_def){.position = x, .count = n}, NULL));
    assert_ok(ctx, delaunay_check(d));
}

static rill_vec3 *points(rill_ctx *ctx, point_set set, size_t n)
{
    rill_vec3 *x;
    assert_ok(ctx, MEM_NEW(ctx, x, n));
    for (size_t i = 0; i < n; i++) x[i] = point_of(set, i, n);
    return x;
}

static int compare_u32(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Four sites are a tetrahedron when no other is inside their sphere, ties broken. */
static void tetrahedra_match_brute_force(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (point_set set = 0; set < POINT_SETS; set++)
        for (uint32_t n = 4; n <= 36; n += 8) {
            rill_vec3 *x = points(ctx, set, n);
            delaunay d;
            delaunay_init(&d, ctx);
            const rill_status st = delaunay_build(&d, &(delaunay_def){.position = x, .count = n}, NULL);
            if (st) { /* four points of a lattice may be flat */
                assert_true(n == 4 && st == RILL_BLEW_UP);
                mem_free(ctx, x);
                delaunay_clear(&d);
                continue;
            }
            assert_ok(ctx, delaunay_check(&d));
            uint32_t found = 0;
            for (uint32_t a = 0; a < n; a++)
                for (uint32_t b = a + 1; b < n; b++)
                    for (uint32_t c = b + 1; c < n; c++)
                        for (uint32_t e = c + 1; e < n; e++) {
                            uint32_t v[4] = {a, b, c, e};
                            const grid_site *s = d.site;
                            const int side = orient_sign(&s[a], &s[b], &s[c], &s[e]);
                            if (side == 0) continue;
                            if (side < 0) v[2] = e, v[3] = c;
                            const grid_site *tet[4] = {&s[v[0]], &s[v[1]], &s[v[2]], &s[v[3]]};
                            bool empty = true;
                            for (uint32_t p = 0; p < n && empty; p++)
                                if (p != a && p != b && p != c && p != e)
                                    empty = !insphere_tie(tet, v, &s[p], p);
                            if (!empty) continue;
                            found++;
                            bool there = false;
                            for (uint32_t k = 0; k < d.finite && !there; k++) {
                                uint32_t w[4], u[4] = {a, b, c, e};
                                memcpy(w, d.tet[k].v, sizeof w);
                                qsort(w, 4, sizeof *w, compare_u32);
                                there = memcmp(w, u, sizeof w) == 0;
                            }
                            assert_true(there);
                        }
            assert_int_equal(found, d.finite);
            mem_free(ctx, x);
            delaunay_clear(&d);
        }
    rill_ctx_destroy(ctx);
}

/* The sum of the tetrahedra is what the hull encloses, exactly (in sixths of a grid cell);
 * and on the closed surface of a ball of four dimensions, vertices - edges + faces - tetrahedra = 0. */
static void volumes_and_euler(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (point_set set = 0; set < POINT_SETS; set++)
        for (uint32_t n = 100; n <= 3000; n *= 5) {
            rill_vec3 *x = points(ctx, set, n);
            delaunay d;
            build(&d, ctx, x, n);
            assert_int_equal(d.vertices, n);
            __int128 inside = 0, hull = 0;
            const grid_site *s = d.site;
            for (uint32_t k = 0; k < d.tets; k++) {
                const uint32_t *v = d.tet[k].v;
                int64_t r[3][3];
                const bool finite = k < d.finite;
                for (int i = 0; i < 3; i++) {
                    const grid_site *p = &s[v[i]], origin = {0}, *o = finite ? &s[v[3]] : &origin;
                    r[i][0] = (int64_t)(p->x - o->x);
                    r[i][1] = (int64_t)(p->y - o->y);
                    r[i][2] = (int64_t)(p->z - o->z);
                }
                const __int128 det = (__int128)(r[0][0] * r[1][1] - r[0][1] * r[1][0]) * r[2][2] +
                                     (__int128)(r[1][0] * r[2][1] - r[1][1] * r[2][0]) * r[0][2] +
                                     (__int128)(r[2][0] * r[0][1] - r[2][1] * r[0][0]) * r[1][2];
                if (finite)
                    inside -= det; /* rows are v0 .. v2 from v3: minus the volume */
                else
                    hull += det; /* faces turned outward, cones from the origin */
            }
            assert_true(inside > 0);
            assert_true(inside == hull);
            /* Edges, from each vertex's link: a triangulated sphere has 3 (V - 2) edges and 2 (V - 2)
             * faces, so degrees follow from counting tetrahedra at vertices. */
            uint64_t corners = 0, infinite = d.tets - d.finite, edges2 = 0;
            uint32_t *at;
            assert_ok(ctx, MEM_NEW_ZERO(ctx, at, n + 1));
            for (uint32_t k = 0; k < d.tets; k++)
                for (int i = 0; i < 4; i++, corners++)
                    at[d.tet[k].v[i] == DELAUNAY_INFINITE ? n : d.tet[k].v[i]]++;
            for (uint32_t i = 0; i <= n; i++) {
                assert_true(at[i] >= 4 && at[i] % 2 == 0);
                edges2 += at[i] / 2 + 2;
            }
            assert_int_equal(edges2 % 2, 0);
            assert_true((int64_t)n + 1 - (int64_t)edges2 / 2 + 2 * (int64_t)d.tets - (int64_t)d.tets == 0);
            assert_int_equal(at[n], infinite);
            mem_free(ctx, at);
            mem_free(ctx, x);
            delaunay_clear(&d);
        }
    rill_ctx_destroy(ctx);
}

/* Bits, not only sets: any number of threads, and any order of insertion inside, end in the same arrays. */
static void same_bits_for_any_threads(void **state)
{
    (void)state;
    for (point_set set = 0; set < POINT_SETS; set++) {
        const uint32_t n = set == POINTS_LINE || set == POINTS_HUGE ? 2000 : 40000;
        delaunay_tet *kept = NULL;
        uint32_t tets = 0;
        for (int threads = 1; threads <= 4; threads++) {
            rill_ctx *ctx = test_ctx(threads);
            rill_vec3 *x = points(ctx, set, n);
            delaunay d;
            delaunay_init(&d, ctx);
            assert_ok(ctx,
                      delaunay_build(&d, &(delaunay_def){.position = x, .count = n, .merge = true}, NULL));
            if (threads == 1) {
                assert_ok(ctx, delaunay_check(&d));
                tets = d.tets;
                kept = malloc(tets * sizeof *kept);
                assert_non_null(kept);
                memcpy(kept, d.tet, tets * sizeof *kept);
            }
            assert_int_equal(d.tets, tets);
            assert_memory_equal(d.tet, kept, tets * sizeof *kept);
            mem_free(ctx, x);
            delaunay_clear(&d);
            rill_ctx_destroy(ctx);
        }
        free(kept);
    }
}

/* The order of the sites changes names, not shapes (no ties among random points). */
static void order_of_sites_does_not_matter(void **state)
{
    (void)state;
    enum { N = 3001 };
    rill_ctx *ctx = test_ctx(2);
    rill_vec3 *x = points(ctx, POINTS_RANDOM, N), *y = points(ctx, POINTS_RANDOM, N);
    for (uint32_t i = 0; i < N; i++) y[(uint64_t)i * 1009 % N] = x[i];
    delaunay a, b;
    build(&a, ctx, x, N);
    build(&b, ctx, y, N);
    assert_int_equal(a.tets, b.tets);
    for (uint32_t k = 0; k < a.tets; k++) {
        for (int i = 0; i < 4; i++) {
            const uint32_t v = a.tet[k].v[i];
            assert_int_equal(b.tet[k].v[i], v == DELAUNAY_INFINITE ? v : (uint64_t)v * 1009 % N);
        }
        assert_memory_equal(a.tet[k].neighbour, b.tet[k].neighbour, sizeof a.tet[k].neighbour);
    }
    mem_free(ctx, x);
    mem_free(ctx, y);
    delaunay_clear(&a);
    delaunay_clear(&b);
    rill_ctx_destroy(ctx);
}

/* Points moved, and built again in the same structure: as if new. */
static void rebuilding_is_building(void **state)
{
    (void)state;
    enum { N = 20000 };
    rill_ctx *ctx = test_ctx(2);
    rill_vec3 *x = points(ctx, POINTS_BCC, N);
    delaunay a, b;
    build(&a, ctx, x, N);
    for (int step = 0; step < 3; step++) {
        const uint32_t n = step == 1 ? N / 2 : N;
        for (uint32_t i = 0; i < N; i++) x[i] = v3_madd(x[i], 0.05, point_random(5 + (uint64_t)step, i));
        assert_ok(ctx, delaunay_build(&a, &(delaunay_def){.position = x, .count = n}, NULL));
        build(&b, ctx, x, n);
        assert_int_equal(a.tets, b.tets);
        assert_memory_equal(a.tet, b.tet, a.tets * sizeof *a.tet);
        assert_memory_equal(a.vertex_tet, b.vertex_tet, n * sizeof *a.vertex_tet);
        delaunay_clear(&b);
    }
    mem_free(ctx, x);
    delaunay_clear(&a);
    rill_ctx_destroy(ctx);
}

static void bad_sites_are_named(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    enum { N = 1000 };
    rill_vec3 *x = points(ctx, POINTS_RANDOM, N);
    delaunay d;
    delaunay_init(&d, ctx);
    delaunay_fault f;
    const delaunay_def def = {.position = x, .count = N, .box = {{0, 0, 0}, {1, 1, 1}}};
#define EXPECT(definition, kind, a, b)                                         \
    do {                                                                       \
        f = (delaunay_fault){0};                                               \
        assert_int_equal(delaunay_build(&d, &(definition), &f), RILL_BLEW_UP); \
        assert_int_equal(f.problem, kind);                                     \
        assert_int_equal(f.site, a);                                           \
        assert_int_equal(f.other, b);                                          \
        assert_true(d.sites == 0 && d.tets == 0 && d.vertices == 0);           \
    } while (0)

    const rill_vec3 keep = x[500];
    x[700].y = INFINITY;
    x[500].x = NAN;
    EXPECT(def, DELAUNAY_NOT_FINITE, 500, 500);
    assert_non_null(strstr(rill_ctx_message(ctx), "site 500"));
    x[700] = v3(0.1, 0.2, 0.3);
    x[500] = v3(0.5, 1.5, 0.5);
    EXPECT(def, DELAUNAY_OUTSIDE, 500, 500);
    x[500] = x[20];
    x[400] = x[30];
    EXPECT(def, DELAUNAY_TWINS, 400, 30);
    x[400] = v3(0.7, 0.7, 0.7);
    x[500] = v3_madd(x[20], 1e-12, v3(1, 1, 1)); /* apart, but on the same grid point */
    EXPECT(def, DELAUNAY_TWINS, 500, 20);
    x[500] = keep;
    assert_ok(ctx, delaunay_build(&d, &def, NULL)); /* and nothing of it stays */
    assert_ok(ctx, delaunay_check(&d));

    for (size_t n = 0; n < 4; n++) EXPECT(((delaunay_def){.position = x, .count = n}), DELAUNAY_FLAT, 0, 0);
    for (int flat = 0; flat < 3; flat++) { /* a plane, a line, a point */
        for (uint32_t i = 0; i < N; i++) {
            const double s = flat == 2 ? 0 : i, t = flat == 0 ? i * i % 17 : 0;
            x[i] = v3(3 * s + t, 5 * s - 2 * t, -7 * s);
        }
        const delaunay_def merged = {.position = x, .count = N, .merge = true};
        assert_int_equal(delaunay_build(&d, &merged, &f), RILL_BLEW_UP);
        assert_int_equal(f.problem, DELAUNAY_FLAT);
    }
    x[0] = v3(-1.7e308, 0, 0);
    x[1] = v3(1.7e308, 1, 1);
    EXPECT(((delaunay_def){.position = x, .count = N}), DELAUNAY_OUTSIDE, 0, 0);
#undef EXPECT
    mem_free(ctx, x);
    delaunay_clear(&d);
    rill_ctx_destroy(ctx);
}

/* Twins keep the lowest index, and the rest is as without them. */
static void twins_merge(void **state)
{
    (void)state;
    enum { N = 4000, EXTRA = 1000 };
    rill_ctx *ctx = test_ctx(2);
    rill_vec3 *x = points(ctx, POINTS_FCC, N + EXTRA);
    for (uint32_t i = 0; i < EXTRA; i++) x[N + i] = x[i * 7 % 50];
    delaunay a, b;
    build(&a, ctx, x, N);
    delaunay_init(&b, ctx);
    assert_ok(ctx,
              delaunay_build(&b, &(delaunay_def){.position = x, .count = N + EXTRA, .merge = true}, NULL));
    assert_ok(ctx, delaunay_check(&b));
    assert_int_equal(b.vertices, N);
    assert_int_equal(a.tets, b.tets);
    assert_memory_equal(a.tet, b.tet, a.tets * sizeof *a.tet);
    for (uint32_t i = 0; i < EXTRA; i++) {
        assert_int_equal(b.twin[N + i], i * 7 % 50);
        assert_int_equal(b.vertex_tet[N + i], DELAUNAY_INFINITE);
    }
    mem_free(ctx, x);
    delaunay_clear(&a);
    delaunay_clear(&b);
    rill_ctx_destroy(ctx);
}

/* Sites in the tetrahedron that holds them by barycentric coordinates; outside by planes. */
static void location_matches_coordinates(void **state)
{
    (void)state;
    enum { N = 2000, M = 5000 };
    rill_ctx *ctx = test_ctx(2);
    for (point_set set = 0; set <= POINTS_CLUSTERED; set++) {
        rill_vec3 *x = points(ctx, set, N), *p;
        uint32_t *tet;
        delaunay d;
        build(&d, ctx, x, N);
        assert_ok(ctx, MEM_NEW(ctx, p, M));
        assert_ok(ctx, MEM_NEW(ctx, tet, M));
        rill_box box = box_empty();
        for (uint32_t i = 0; i < N; i++) box = box_with(box, x[i]);
        for (uint32_t i = 0; i < M; i++) {
            const rill_vec3 r = point_random(99, i), size = box_size(box);
            p[i] = v3(box.min.x + (1.4 * r.x - 0.2) * size.x, box.min.y + (1.4 * r.y - 0.2) * size.y,
                      box.min.z + (1.4 * r.z - 0.2) * size.z);
            if (i < N) p[i] = delaunay_site(&d, i);
        }
        p[M - 1] = v3(1e30, 0, 0);
        assert_ok(ctx, delaunay_locate(&d, p, M, tet));
        uint32_t outside = 0;
        for (uint32_t i = 0; i < M; i++) {
            const grid_site q = site_snap(&d.grid, p[i]);
            if (tet[i] == DELAUNAY_INFINITE) {
                outside++;
                bool beyond = i == M - 1; /* some face of the hull has it outside */
                for (uint32_t k = d.finite; k < d.tets && !beyond; k++) {
                    const uint32_t *v = d.tet[k].v;
                    beyond = fabs(q.x) > 4e7 || fabs(q.y) > 4e7 || fabs(q.z) > 4e7 ||
                             orient_sign(&d.site[v[0]], &d.site[v[1]], &d.site[v[2]], &q) > 0;
                }
                assert_true(beyond);
                continue;
            }
            assert_true(tet[i] < d.finite);
            for (int k = 0; k < 4; k++) {
                const grid_site *v[4];
                for (int j = 0; j < 4; j++) v[j] = j == k ? &q : &d.site[d.tet[tet[i]].v[j]];
                assert_true(orient_sign(v[0], v[1], v[2], v[3]) >= 0);
            }
        }
        assert_true(outside > 0 && outside < M - N);
        p[17].x = NAN;
        assert_int_equal(delaunay_locate(&d, p, M, tet), RILL_BLEW_UP);
        assert_non_null(strstr(rill_ctx_message(ctx), "point 17"));
        mem_free(ctx, x);
        mem_free(ctx, p);
        mem_free(ctx, tet);
        delaunay_clear(&d);
    }
    rill_ctx_destroy(ctx);
}

/* Equally far from the four sites, in units of the radius times the condition of the tetrahedron. */
static void circumcentres_are_equidistant(void **state)
{
    (void)state;
    enum { N = 5000 };
    rill_ctx *ctx = test_ctx(2);
    const point_set sets[] = {POINTS_RANDOM, POINTS_BCC, POINTS_CLUSTERED, POINTS_HUGE};
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        rill_vec3 *x = points(ctx, sets[s], N);
        delaunay d;
        build(&d, ctx, x, N);
        uint32_t good = 0;
        for (uint32_t k = 0; k < d.finite; k++) {
            double r;
            const rill_vec3 c = delaunay_circumcentre(&d, k, &r);
            const uint32_t *v = d.tet[k].v;
            double longest = 0; /* in steps of the grid */
            rill_vec3 e[3];
            for (int i = 0; i < 3; i++) {
                const grid_site *p = &d.site[v[i + 1]], *o = &d.site[v[0]];
                e[i] = v3(p->x - o->x, p->y - o->y, p->z - o->z);
                longest = fmax(longest, v3_length(e[i]));
            }
            const double shape = v3_dot(e[0], v3_cross(e[1], e[2])) / longest / longest / longest;
            longest *= d.grid.step;
            if (r > 10 * longest || shape < 1e-3) continue;
            good++;
            for (int i = 0; i < 4; i++)
                assert_true(fabs(v3_distance(c, delaunay_site(&d, v[i])) - r) < 1e-9 * r);
        }
        assert_true(good > d.finite / 2);
        mem_free(ctx, x);
        delaunay_clear(&d);
    }
    rill_ctx_destroy(ctx);
}

static void failing_allocations(void **state)
{
    (void)state;
    enum { N = 17000 };
    for (int threads = 1; threads <= 2; threads++) {
        failing_allocator f = {.sticky = true}; /* an arena survives one failure */
        rill_ctx *ctx = test_ctx_failing(threads, &f);
        rill_vec3 *x = malloc(N * sizeof *x);
        assert_non_null(x);
        for (size_t i = 0; i < N; i++) x[i] = point_of(POINTS_RANDOM, i, N);
        const uint64_t live = f.live;
        uint64_t fails = 0;
        for (uint64_t at = 1;; at++) {
            delaunay d;
            delaunay_init(&d, ctx);
            f.calls = 0;
            f.fail_at = at;
            const rill_status st = delaunay_build(&d, &(delaunay_def){.position = x, .count = N}, NULL);
            f.fail_at = 0;
            if (st) {
                fails++;
                assert_int_equal(st, RILL_NO_MEMORY);
                assert_true(d.sites == 0 && d.tets == 0);
                if (at % 8 == 0) {
                    assert_ok(ctx, delaunay_build(&d, &(delaunay_def){.position = x, .count = N}, NULL));
                    assert_ok(ctx, delaunay_check(&d));
                }
            }
            delaunay_clear(&d);
            assert_int_equal(f.live, live);
            if (!st) break;
        }
        assert_true(fails > 5);
        free(x);
        rill_ctx_destroy(ctx);
    }
}

/* Points on sites, edges and faces of a lattice have several answers: any number of threads gives the same.
 * And without memory for their order there is none. */
static void location_is_one_for_all(void **state)
{
    (void)state;
    enum { N = 4000, M = 20000 };
    rill_vec3 *x = malloc(N * sizeof *x), *p = malloc(M * sizeof *p);
    uint32_t *tet = malloc(M * sizeof *tet), *kept = malloc(M * sizeof *kept);
    assert_true(x && p && tet && kept);
    for (size_t i = 0; i < N; i++) x[i] = point_of(POINTS_CUBIC, i, N);
    for (size_t i = 0; i < M; i++) p[i] = v3_scale(x[i * 7919 % N], i % 3 ? 0.5 : 1);
    for (int threads = 1; threads <= 3; threads++) {
        failing_allocator f = {.sticky = true};
        rill_ctx *ctx = test_ctx_failing(threads, &f);
        delaunay d;
        build(&d, ctx, x, N);
        memset(tet, 0x77, M * sizeof *tet);
        const uint64_t live = f.live;
        uint64_t at = 0;
        rill_status st;
        do {
            f.calls = 0;
            f.fail_at = ++at;
            st = delaunay_locate(&d, p, M, tet);
            f.fail_at = 0;
            assert_int_equal(f.live, live);
            if (st) {
                assert_int_equal(st, RILL_NO_MEMORY);
                for (size_t i = 0; i < M; i++) assert_int_equal(tet[i], 0x77777777);
            }
        } while (st);
        assert_true(at > 3);
        if (threads == 1) memcpy(kept, tet, M * sizeof *tet);
        assert_memory_equal(tet, kept, M * sizeof *tet);
        delaunay_clear(&d);
        rill_ctx_destroy(ctx);
    }
    free(x);
    free(p);
    free(tet);
    free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tetrahedra_match_brute_force),
                                       cmocka_unit_test(volumes_and_euler),
                                       cmocka_unit_test(same_bits_for_any_threads),
                                       cmocka_unit_test(order_of_sites_does_not_matter),
                                       cmocka_unit_test(rebuilding_is_building),
                                       cmocka_unit_test(bad_sites_are_named),
                                       cmocka_unit_test(twins_merge),
                                       cmocka_unit_test(location_matches_coordinates),
                                       cmocka_unit_test(location_is_one_for_all),
                                       cmocka_unit_test(circumcentres_are_equidistant),
                                       cmocka_unit_test(failing_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
