/* Insertion and removal: whatever the way, the same tetrahedra as a build. */
#include "support.h"

#include "geom/delaunay/delaunay.h"
#include "site_sets.h"

#include <stdlib.h>
#include <string.h>

static rill_vec3 *points(rill_ctx *ctx, point_set set, size_t n, rill_box *box)
{
    rill_vec3 *x;
    assert_ok(ctx, MEM_NEW(ctx, x, n));
    *box = box_empty();
    for (size_t i = 0; i < n; i++) {
        x[i] = point_of(set, i, n);
        *box = box_with(*box, x[i]);
    }
    return x;
}

static void assert_same(const delaunay *a, const delaunay *b)
{
    assert_int_equal(a->finite, b->finite);
    assert_int_equal(a->tets, b->tets);
    assert_memory_equal(a->tet, b->tet, a->tets * sizeof *a->tet);
    assert_int_equal(a->vertices, b->vertices);
}

/* Some built, the rest inserted, is all built: to the bit. */
static void insertion_is_building(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (point_set set = 0; set < POINT_SETS; set++)
        for (uint32_t n = 10; n <= 1000; n *= 10) {
            rill_box box;
            rill_vec3 *x = points(ctx, set, n, &box);
            delaunay all, some;
            delaunay_init(&all, ctx);
            delaunay_init(&some, ctx);
            assert_ok(ctx, delaunay_build(&all, &(delaunay_def){x, n, box, false}, NULL));
            uint32_t start = 4;
            while (delaunay_build(&some, &(delaunay_def){x, start, box, false}, NULL)) start++; /* not flat */
            for (uint32_t i = start; i < n; i++) {
                assert_ok(ctx, delaunay_insert(&some, x[i], NULL));
                if (i < start + 20 || i % 100 == 0) assert_ok(ctx, delaunay_check(&some));
            }
            assert_int_equal(some.finite, all.finite);
            assert_ok(ctx, delaunay_tidy(&some));
            assert_ok(ctx, delaunay_check(&some));
            assert_same(&some, &all);
            assert_memory_equal(some.vertex_tet, all.vertex_tet, n * sizeof *all.vertex_tet);
            delaunay_clear(&all);
            delaunay_clear(&some);
            mem_free(ctx, x);
        }
    rill_ctx_destroy(ctx);
}

/* The last ones removed, in some order: as if they had never been. */
static void removal_undoes_insertion(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (point_set set = 0; set < POINT_SETS; set++)
        for (uint32_t n = 40; n <= 640; n *= 4) {
            rill_box box;
            rill_vec3 *x = points(ctx, set, n, &box);
            const uint32_t keep = n / 2;
            delaunay all, some;
            delaunay_init(&all, ctx);
            delaunay_init(&some, ctx);
            assert_ok(ctx, delaunay_build(&all, &(delaunay_def){x, n, box, false}, NULL));
            if (delaunay_build(&some, &(delaunay_def){x, keep, box, false}, NULL)) fail_msg("flat");
            for (uint32_t k = 0; k < n - keep; k++) {
                const uint32_t i = keep + (uint32_t)((uint64_t)k * 7919 % (n - keep));
                assert_ok(ctx, delaunay_remove(&all, i, NULL));
                if (k < 20 || k % 50 == 0) assert_ok(ctx, delaunay_check(&all));
                assert_int_equal(delaunay_remove(&all, i, NULL), RILL_USAGE);
            }
            assert_ok(ctx, delaunay_tidy(&all));
            assert_ok(ctx, delaunay_check(&all));
            assert_same(&all, &some);
            delaunay_clear(&all);
            delaunay_clear(&some);
            mem_free(ctx, x);
        }
    rill_ctx_destroy(ctx);
}

/* In and out at random, then against a build of the sites that are left. Names of sites
 * differ, but keep their order, and so do the ties. */
static void a_long_life(void **state)
{
    (void)state;
    enum { N = 300, STEPS = 1500 };
    rill_ctx *ctx = test_ctx(1);
    const point_set sets[] = {POINTS_RANDOM, POINTS_CUBIC, POINTS_FCC, POINTS_SPHERE};
    for (size_t s = 0; s < 4; s++) {
        rill_box box;
        rill_vec3 *x = points(ctx, sets[s], N, &box), *left;
        uint32_t *name;
        delaunay d, fresh;
        delaunay_init(&d, ctx);
        delaunay_init(&fresh, ctx);
        assert_ok(ctx, delaunay_build(&d, &(delaunay_def){x, N, box, false}, NULL));
        for (uint32_t step = 0; step < STEPS; step++) {
            const uint32_t i = random_at(5, step, 0, 0).v[0] % d.sites;
            if (d.vertex_tet[i] == DELAUNAY_INFINITE || d.vertices < N / 2) continue;
            const rill_vec3 p = delaunay_site(&d, i);
            assert_ok(ctx, delaunay_remove(&d, i, NULL));
            if (step % 3) assert_ok(ctx, delaunay_insert(&d, p, NULL));
        }
        assert_ok(ctx, delaunay_check(&d));
        assert_ok(ctx, delaunay_tidy(&d));
        assert_ok(ctx, MEM_NEW(ctx, left, d.sites));
        assert_ok(ctx, MEM_NEW(ctx, name, d.sites));
        uint32_t n = 0;
        for (uint32_t i = 0; i < d.sites; i++)
            if (d.vertex_tet[i] != DELAUNAY_INFINITE) {
                left[n] = delaunay_site(&d, i);
                name[i] = n++;
            }
        assert_ok(ctx, delaunay_build(&fresh, &(delaunay_def){left, n, box, false}, NULL));
        assert_int_equal(d.tets, fresh.tets);
        for (uint32_t k = 0; k < d.tets; k++)
            for (int i = 0; i < 4; i++) {
                const uint32_t v = d.tet[k].v[i];
                assert_int_equal(fresh.tet[k].v[i], v == DELAUNAY_INFINITE ? v : name[v]);
                assert_int_equal(fresh.tet[k].neighbour[i], d.tet[k].neighbour[i]);
            }
        mem_free(ctx, x);
        mem_free(ctx, left);
        mem_free(ctx, name);
        delaunay_clear(&d);
        delaunay_clear(&fresh);
    }
    rill_ctx_destroy(ctx);
}

/* The middle of a sphere sees every site on it: a cavity of thousands, and a star as large to fill. */
static void a_middle_that_sees_everything(void **state)
{
    (void)state;
    enum { N = 4000 };
    rill_ctx *ctx = test_ctx(2);
    rill_box box;
    rill_vec3 *x = points(ctx, POINTS_SPHERE, N, &box);
    x[N - 1] = v3(0, 0, 0);
    delaunay all, some, without;
    delaunay_init(&all, ctx);
    delaunay_init(&some, ctx);
    delaunay_init(&without, ctx);
    assert_ok(ctx, delaunay_build(&all, &(delaunay_def){x, N, box, false}, NULL));
    assert_ok(ctx, delaunay_build(&some, &(delaunay_def){x, N - 1, box, false}, NULL));
    assert_ok(ctx, delaunay_build(&without, &(delaunay_def){x, N - 1, box, false}, NULL));
    assert_ok(ctx, delaunay_insert(&some, x[N - 1], NULL));
    assert_ok(ctx, delaunay_tidy(&some));
    assert_ok(ctx, delaunay_check(&some));
    assert_same(&some, &all);
    uint32_t star = 0;
    for (uint32_t k = 0; k < all.finite; k++)
        for (int i = 0; i < 4; i++) star += all.tet[k].v[i] == N - 1;
    assert_true(star > N);
    assert_ok(ctx, delaunay_remove(&some, N - 1, NULL));
    assert_ok(ctx, delaunay_tidy(&some));
    assert_ok(ctx, delaunay_check(&some));
    assert_same(&some, &without);
    delaunay_clear(&all);
    delaunay_clear(&some);
    delaunay_clear(&without);
    mem_free(ctx, x);
    rill_ctx_destroy(ctx);
}

static void bad_changes_change_nothing(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const rill_vec3 x[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 0}, {0, 0, 1}};
    const rill_box box = {{0, 0, 0}, {1, 1, 1}};
    delaunay d, before;
    delaunay_fault f;
    delaunay_init(&d, ctx);
    delaunay_init(&before, ctx);
    assert_int_equal(delaunay_insert(&d, x[0], NULL), RILL_USAGE);
    assert_int_equal(delaunay_remove(&d, 0, NULL), RILL_USAGE);
    assert_ok(ctx, delaunay_build(&d, &(delaunay_def){x, 5, box, false}, NULL));
    assert_ok(ctx, delaunay_build(&before, &(delaunay_def){x, 5, box, false}, NULL));

    assert_int_equal(delaunay_insert(&d, v3(0, NAN, 0), &f), RILL_BLEW_UP);
    assert_true(f.problem == DELAUNAY_NOT_FINITE && f.site == 5);
    assert_int_equal(delaunay_insert(&d, v3(0, 0, 2), &f), RILL_BLEW_UP);
    assert_true(f.problem == DELAUNAY_OUTSIDE && f.site == 5);
    assert_int_equal(delaunay_insert(&d, v3(0.2, 0.2, 1e-12), &f), RILL_BLEW_UP);
    assert_true(f.problem == DELAUNAY_TWINS && f.site == 5 && f.other == 3);
    assert_int_equal(delaunay_remove(&d, 4, &f), RILL_BLEW_UP); /* the others are in a plane */
    assert_true(f.problem == DELAUNAY_FLAT && f.site == 4);
    assert_int_equal(delaunay_remove(&d, 5, NULL), RILL_USAGE);
    assert_ok(ctx, delaunay_check(&d));
    assert_same(&d, &before);

    assert_ok(ctx, delaunay_remove(&d, 3, NULL)); /* leaves a flat link behind, and four sites */
    assert_ok(ctx, delaunay_check(&d));
    assert_int_equal(d.finite, 1);

    assert_ok(ctx, delaunay_build(&d, &(delaunay_def){x, 5, box, true}, NULL));
    assert_ok(ctx, delaunay_insert(&d, v3(0.2, 0.2, 1e-12), NULL)); /* merged */
    assert_true(d.sites == 6 && d.vertices == 5 && d.twin[5] == 3);
    assert_int_equal(d.vertex_tet[5], DELAUNAY_INFINITE);
    assert_ok(ctx, delaunay_check(&d));
    delaunay_clear(&d);
    delaunay_clear(&before);
    rill_ctx_destroy(ctx);
}

static void failing_allocations(void **state)
{
    (void)state;
    enum { N = 200 };
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    rill_vec3 x[N];
    for (uint32_t i = 0; i < N; i++) x[i] = point_of(POINTS_CUBIC, i, N);
    rill_box box = box_empty();
    for (uint32_t i = 0; i < N; i++) box = box_with(box, x[i]);
    const uint64_t live = f.live;
    uint64_t fails = 0;
    for (int what = 0; what < 3; what++) /* insert, remove, tidy */
        for (uint64_t at = 1;; at++) {
            delaunay d, before;
            delaunay_init(&d, ctx);
            delaunay_init(&before, ctx);
            const delaunay_def def = {x, N - 1, box, false};
            f.fail_at = 0;
            assert_ok(ctx, delaunay_build(&d, &def, NULL));
            assert_ok(ctx, delaunay_build(&before, &def, NULL));
            if (what == 2) {
                assert_ok(ctx, delaunay_remove(&d, 7, NULL));
                assert_ok(ctx, delaunay_remove(&before, 7, NULL));
            }
            f.calls = 0;
            f.fail_at = at;
            f.sticky = true;
            rill_status st = what == 0   ? delaunay_insert(&d, x[N - 1], NULL)
                             : what == 1 ? delaunay_remove(&d, 77, NULL)
                                         : delaunay_tidy(&d);
            f.fail_at = 0;
            const bool done = st == RILL_OK;
            if (!done) {
                fails++;
                assert_int_equal(st, RILL_NO_MEMORY);
                assert_ok(ctx, delaunay_check(&d));
                d.tidy = before.tidy = false; /* the same arrays in the end */
                assert_ok(ctx, delaunay_tidy(&d));
                assert_ok(ctx, delaunay_tidy(&before));
                assert_same(&d, &before);
            }
            delaunay_clear(&d);
            delaunay_clear(&before);
            assert_int_equal(f.live, live);
            if (done) break;
        }
    assert_true(fails > 5);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(insertion_is_building),
                                       cmocka_unit_test(removal_undoes_insertion),
                                       cmocka_unit_test(a_long_life),
                                       cmocka_unit_test(a_middle_that_sees_everything),
                                       cmocka_unit_test(bad_changes_change_nothing),
                                       cmocka_unit_test(failing_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
