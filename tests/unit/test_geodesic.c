/* Geodesic spheres: closed, on the sphere, of nearly equal triangles. */
#include "support.h"

#include "geom/mesh/geodesic.h"

#include <math.h>

static void spheres_are_closed(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const double ball = 4.0 / 3 * 3.14159265358979323846 * 8;
    double error[2] = {0};
    for (uint32_t n = 1; n <= 16; n++) {
        trimesh m;
        assert_ok(ctx, geodesic_sphere(ctx, v3(1, -2, 3), 2, n, &m));
        assert_int_equal(m.triangle_count, 20 * n * n);
        assert_int_equal(m.vertex_count, 10 * n * n + 2);
        trimesh_report r;
        assert_ok(ctx, trimesh_check(ctx, &m, &r));
        assert_int_equal(r.open_edges + r.nonmanifold_edges + r.misoriented_edges + r.degenerate_triangles,
                         0);
        assert_true(r.volume > 0 && r.volume < ball);
        double shortest = INFINITY, longest = 0;
        for (size_t i = 0; i < m.triangle_count; i++)
            for (int k = 0; k < 3; k++) {
                const double l =
                    v3_distance(m.position[m.triangle[i][k]], m.position[m.triangle[i][(k + 1) % 3]]);
                shortest = fmin(shortest, l);
                longest = fmax(longest, l);
            }
        assert_true(longest < 1.5 * shortest);
        for (size_t i = 0; i < m.vertex_count; i++)
            assert_true(fabs(v3_distance(m.position[i], v3(1, -2, 3)) - 2) < 1e-14 * 8);
        if (n == 8 || n == 16) error[n == 16] = 1 - r.volume / ball;
        trimesh_clear(ctx, &m);
    }
    assert_true(fabs(error[0] / error[1] - 4) < 0.1); /* second order */
    assert_int_equal(geodesic_cuts(6588), 18);
    assert_int_equal(geodesic_cuts(0), 1);
    trimesh m;
    assert_int_equal(geodesic_sphere(ctx, v3(0, 0, 0), 1, 0, &m), RILL_USAGE);
    rill_ctx_destroy(ctx);
}

static void failing_allocations(void **state)
{
    (void)state;
    for (uint64_t n = 1;; n++) {
        failing_allocator f = {0};
        rill_ctx *ctx = test_ctx_failing(1, &f);
        f.fail_at = f.calls + n;
        trimesh m = {0};
        const rill_status st = geodesic_sphere(ctx, v3(0, 0, 0), 1, 3, &m);
        if (st) assert_int_equal(st, RILL_NO_MEMORY);
        if (st) assert_null(m.position);
        trimesh_clear(ctx, &m);
        rill_ctx_destroy(ctx);
        assert_int_equal(f.live, 0);
        if (!st) break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_are_closed),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
