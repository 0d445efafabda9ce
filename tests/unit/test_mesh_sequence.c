/* Deforming solids: distance and velocity between two keyed meshes. */
#include "meshes.h"

#include "geom/mesh_sequence.h"

static const rill_box unit_box = {{0, 0, 0}, {1, 1, 1}};

/* A box that moves and stretches: corners of the mesh, and so of the box, move linearly. */
static void box_that_stretches(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const rill_box at[3] = {unit_box, {{1, 0, 0}, {3, 1, 1}}, {{1, 0, 0}, {3, 1, 1}}};
    for (int open = 0; open < 2; open++) {
        trimesh m[3];
        for (int k = 0; k < 3; k++) m[k] = mesh_of_box(ctx, at[k], 3, open ? 63 - 2 : 63);
        const mesh_sequence_def def = {m, (double[]){1, 3, 4}, 3, {.holes = open, .resolution = 0}};
        mesh_sequence *s = NULL;
        assert_ok(ctx, mesh_sequence_create(ctx, &def, &s));
        for (int k = 0; k < 3; k++) trimesh_clear(ctx, &m[k]);
        const double times[] = {0, 1, 1.5, 2.25, 3, 3.5, 9};
        for (int i = 0; i < 7; i++) {
            assert_ok(ctx, mesh_sequence_set(ctx, s, times[i]));
            const double share = times[i] < 1 ? 0 : times[i] > 3 ? 1 : (times[i] - 1) / 2;
            const bool moves = times[i] >= 1 && times[i] < 3;
            const double low = share, high = 1 + 2 * share;
            const mesh_distance *d = mesh_sequence_distance(s);
            const rill_vec3 right = v3(high + 0.2, 0.4, 0.3), left = v3(low - 0.1, 0.5, 0.2);
            const rill_vec3 above = v3(0.5 * (low + high), 1.1, 0.5);
            assert_float_equal(mesh_distance_exact(d, right, NULL), 0.2, 1e-12);
            assert_float_equal(mesh_distance_exact(d, left, NULL), 0.1, 1e-12);
            assert_true(v3_distance(mesh_sequence_velocity(s, right), v3(moves ? 1 : 0, 0, 0)) < 1e-12);
            assert_true(v3_distance(mesh_sequence_velocity(s, left), v3(moves ? 0.5 : 0, 0, 0)) < 1e-12);
            assert_true(v3_distance(mesh_sequence_velocity(s, above), v3(moves ? 0.75 : 0, 0, 0)) < 1e-12);
        }
        const rill_box b = mesh_sequence_bounds(s);
        assert_true(b.min.x == 0 && b.max.x == 3 && b.max.y == 1);
        mesh_sequence_destroy(ctx, s);
    }
    rill_ctx_destroy(ctx);
}

/* A sphere that grows: its surface moves along its normal, and as the distance says. */
static void sphere_that_grows(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    trimesh m[2] = {mesh_of_sphere(ctx, v3(0, 0, 0), 1, 0, 30), mesh_of_sphere(ctx, v3(0, 0, 0), 1.5, 0, 30)};
    const mesh_sequence_def def = {m, (double[]){0, 2}, 2, {.resolution = 32}};
    mesh_sequence *s = NULL;
    assert_ok(ctx, mesh_sequence_create(ctx, &def, &s));
    double before[200];
    for (int step = 0; step < 2; step++) {
        assert_ok(ctx, mesh_sequence_set(ctx, s, 1 + 0.1 * step));
        for (uint64_t i = 0; i < 200; i++) {
            const rill_vec3 x = random_point((rill_box){{-2, -2, -2}, {2, 2, 2}}, 1, i);
            rill_vec3 n;
            const double d = mesh_distance_exact(mesh_sequence_distance(s), x, &n);
            if (step == 0) before[i] = d;
            if (step == 0) assert_float_equal(d, v3_length(x) - 1.25, 0.02);
            const rill_vec3 v = mesh_sequence_velocity(s, x);
            if (v3_length(x) > 0.3) assert_float_equal(v3_dot(v, v3_unit(x)), 0.25, 0.004);
            if (step == 1) assert_float_equal((before[i] - d) / 0.1, 0.25, 0.004);
        }
    }
    mesh_sequence_destroy(ctx, s);

    mesh_sequence *none = NULL;
    const mesh_sequence_def back = {m, (double[]){2, 1}, 2, {.resolution = 0}};
    assert_int_equal(mesh_sequence_create(ctx, &back, &none), RILL_USAGE);
    m[1].triangle[5][0]++;
    assert_int_equal(mesh_sequence_create(ctx, &def, &none), RILL_BAD_FILE);
    m[1].triangle_count--;
    assert_int_equal(mesh_sequence_create(ctx, &def, &none), RILL_BAD_FILE);
    const mesh_sequence_def nothing = {0};
    assert_int_equal(mesh_sequence_create(ctx, &nothing, &none), RILL_USAGE);
    assert_null(none);
    for (int k = 0; k < 2; k++) trimesh_clear(ctx, &m[k]);
    rill_ctx_destroy(ctx);
}

static void failing_allocations(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    trimesh m[2];
    for (int k = 0; k < 2; k++) m[k] = mesh_of_box(ctx, box_grown(unit_box, k), 2, 63 - 8);
    const mesh_sequence_def def = {m, (double[]){0, 1}, 2, {.holes = true}};
    const uint64_t live = f.live;
    for (uint64_t n = 1;; n++) {
        mesh_sequence *s = NULL;
        f.calls = 0;
        f.fail_at = n;
        const rill_status st = mesh_sequence_create(ctx, &def, &s);
        if (st == RILL_OK) {
            /* a failed set leaves what was */
            const double d = mesh_distance_exact(mesh_sequence_distance(s), v3(0.5, 2, 0.5), NULL);
            f.calls = 0;
            f.fail_at = 3;
            assert_int_equal(mesh_sequence_set(ctx, s, 0.5), RILL_NO_MEMORY);
            assert_true(mesh_distance_exact(mesh_sequence_distance(s), v3(0.5, 2, 0.5), NULL) == d);
            mesh_sequence_destroy(ctx, s);
            assert_true(n > 20);
            break;
        }
        assert_int_equal(st, RILL_NO_MEMORY);
        assert_null(s);
        assert_int_equal(f.live, live);
    }
    assert_int_equal(f.live, live);
    f.fail_at = 0;
    for (int k = 0; k < 2; k++) trimesh_clear(ctx, &m[k]);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_that_stretches),
        cmocka_unit_test(sphere_that_grows),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
