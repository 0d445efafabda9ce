/* What the tracker is given: meshes it must refuse or repair, motions it must refuse, allocations that fail.
 */
#include "tracker_support.h"

#include <string.h>

static void refuses_bad_meshes(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const tracker_def def = tracker_def_default();
    tracker *t = NULL;
    trimesh m = make_bowl(ctx, 1, 12, 5);
    assert_int_equal(tracker_create(ctx, &def, &m, &t), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "open at"));
    assert_non_null(strstr(rill_ctx_message(ctx), "near ("));
    trimesh_clear(ctx, &m);
    m = make_joined(ctx, make_icosphere(ctx, 1, 2),
                    make_moved(make_icosphere(ctx, 1, 2), v3(1, 0.1, 0.2), v3(1, 1, 1)));
    assert_int_equal(tracker_create(ctx, &def, &m, &t), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "intersect, the first near ("));
    trimesh_clear(ctx, &m);
    m = make_cube(ctx, 1);
    const uint32_t swap = m.triangle[3][0];
    m.triangle[3][0] = m.triangle[3][1];
    m.triangle[3][1] = swap;
    assert_int_equal(tracker_create(ctx, &def, &m, &t), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "face opposite ways"));
    assert_non_null(strstr(rill_ctx_message(ctx), "near ("));
    trimesh_clear(ctx, &m);
    for (int corner = 0; corner < 2; corner++) { /* two cubes with an edge in common, or a corner */
        m = make_joined(ctx, make_cube(ctx, 1),
                        make_moved(make_cube(ctx, 1), v3(2, 2, corner ? 2 : 0), v3(1, 1, 1)));
        for (size_t i = 0; i < m.triangle_count; i++)
            for (int k = 0; k < 3; k++)
                for (uint32_t v = 0; v < 8; v++)
                    if (v3_distance(m.position[m.triangle[i][k]], m.position[v]) == 0) m.triangle[i][k] = v;
        assert_int_equal(tracker_create(ctx, &def, &m, &t), RILL_BAD_FILE);
        assert_non_null(strstr(rill_ctx_message(ctx), corner ? "in a point, the first near (1, 1, 1)"
                                                             : "more than two triangles, near (1, 1, 0)"));
        trimesh_clear(ctx, &m);
    }
    m = make_cube(ctx, 1);
    m.position[2].y = NAN;
    assert_int_equal(tracker_create(ctx, &def, &m, &t), RILL_BAD_FILE);
    m.position[2].y = 1;
    tracker_def odd = def;
    odd.longest = 0.6;
    assert_int_equal(tracker_create(ctx, &odd, &m, &t), RILL_USAGE);
    trimesh_clear(ctx, &m);
    static const struct { /* sizes that cannot be reckoned with */
        double by, scale, edge;
        rill_status status;
        const char *says;
    } size[] = {{0, 1e30, 0, RILL_BAD_FILE, "too far away"},
                {0, 1e-30, 0, RILL_BAD_FILE, "scale it up"},
                {1e10, 1, 0, RILL_BAD_FILE, "bring the mesh nearer"},
                {0, 1, 1e-6, RILL_USAGE, "triangles; make them longer"},
                {0, 1, 1e30, RILL_USAGE, "edges of 1e+30 m"}};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        const double s = size[i].scale;
        odd = def;
        odd.edge = size[i].edge;
        m = make_moved(make_cube(ctx, 1), v3(size[i].by, 0, 0), v3(s, s, s));
        assert_int_equal(tracker_create(ctx, &odd, &m, &t), size[i].status);
        assert_non_null(strstr(rill_ctx_message(ctx), size[i].says));
        trimesh_clear(ctx, &m);
    }
    m = (trimesh){0};
    assert_ok(ctx, tracker_create(ctx, &def, &m, &t)); /* no liquid is liquid enough */
    assert_ok(ctx, tracker_advance(t, 0.1, turning, NULL, NULL));
    tracker_destroy(t);
    rill_ctx_destroy(ctx);
}

/* Asked to, it makes do: two spheres that overlap become their union, a bowl with a hole is closed. */
static void repairs_on_request(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    tracker_def def = tracker_def_default();
    def.repair = true;
    def.edge = 0.1;
    trimesh m = make_joined(ctx, make_icosphere(ctx, 1, 3),
                            make_moved(make_icosphere(ctx, 1, 3), v3(1, 0.1, 0.2), v3(1, 1, 1)));
    tracker *t = make(ctx, &def, &m);
    assert_sound(ctx, t);
    const tracker_part *part;
    size_t parts;
    tracker_parts(t, &part, &parts);
    assert_int_equal(parts, 1);
    /* Two balls of radius 1 less their lens, d apart: pi (4 + d)(2 - d)^2 / 12. */
    const double d = sqrt(1.05), pi = 3.14159265358979, lens = pi * (4 + d) * (2 - d) * (2 - d) / 12;
    assert_true(fabs(part->volume / (8 * pi / 3 - lens) - 1) < 0.02);
    assert_ok(ctx, tracker_advance(t, 0.05, turning, NULL, NULL));
    assert_sound(ctx, t);
    tracker_destroy(t);

    m = make_icosphere(ctx, 1, 3);
    m.triangle_count -= 2;
    t = make(ctx, &def, &m);
    tracker_parts(t, &part, &parts);
    assert_true(fabs(part->volume / (4 * pi / 3) - 1) < 0.03);
    tracker_destroy(t);

    m = make_icosphere(ctx, 1, 3);
    for (size_t i = 0; i < m.triangle_count; i += 7) { /* some triangles look inward */
        const uint32_t swap = m.triangle[i][0];
        m.triangle[i][0] = m.triangle[i][1];
        m.triangle[i][1] = swap;
    }
    t = make(ctx, &def, &m);
    tracker_parts(t, &part, &parts);
    assert_int_equal(parts, 1);
    assert_true(fabs(part->volume / (4 * pi / 3) - 1) < 0.03);
    tracker_destroy(t);

    m = make_cube(ctx, 1);
    m.position[0].x = NAN;
    assert_int_equal(tracker_create(ctx, &def, &m, &t), RILL_BAD_FILE); /* there is no shape to take */
    trimesh_clear(ctx, &m);
    rill_ctx_destroy(ctx);
}

static rill_status not_finite(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    (void)user, (void)time, (void)x;
    for (size_t i = 0; i < n; i++) u[i] = v3(0, i == 3 ? NAN : 0, 0);
    return RILL_OK;
}

static rill_status far_away(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    (void)user, (void)time, (void)x;
    for (size_t i = 0; i < n; i++) u[i] = v3(0, i == 3 ? 1e200 : 0, 0);
    return RILL_OK;
}

static rill_status refuses_to_tell(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    (void)user, (void)time, (void)n, (void)x, (void)u;
    return RILL_CANCELLED;
}

static void bad_velocities_change_nothing(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const tracker_def def = tracker_def_default();
    trimesh m = make_icosphere(ctx, 1, 2);
    tracker *t = make(ctx, &def, &m);
    assert_int_equal(tracker_advance(t, 0.1, not_finite, NULL, NULL), RILL_BLEW_UP);
    assert_int_equal(tracker_advance(t, 0.1, far_away, NULL, NULL), RILL_BLEW_UP);
    assert_int_equal(tracker_advance(t, 0.1, refuses_to_tell, NULL, NULL), RILL_CANCELLED);
    assert_int_equal(tracker_advance(t, NAN, turning, NULL, NULL), RILL_USAGE);
    assert_true(tracker_time(t) == 0);
    assert_sound(ctx, t);
    tracker_destroy(t);
    rill_ctx_destroy(ctx);
}

static void failing_allocations(void **state)
{
    (void)state;
    rill_ctx *plain = test_ctx(1);
    trimesh m = make_joined(plain, make_moved(make_icosphere(plain, 0.3, 1), v3(-0.32, 0, 0), v3(1, 1, 1)),
                            make_moved(make_icosphere(plain, 0.3, 1), v3(0.32, 0.02, 0.01), v3(1, 1, 1)));
    for (uint64_t n = 1;; n++) {
        failing_allocator f = {0};
        rill_ctx *ctx = test_ctx_failing(2, &f);
        f.fail_at = f.calls + n;
        tracker_def def = tracker_def_default();
        def.edge = 0.15;
        tracker *t = NULL;
        rill_status st = tracker_create(ctx, &def, &m, &t);
        if (st) assert_null(t);
        for (int i = 0; !st && i < 2; i++) st = tracker_advance(t, 0.03, together, NULL, NULL);
        for (int i = 0; !st && i < 2; i++) st = tracker_advance_to(t, 0.03, growing, NULL, NULL);
        if (st) assert_int_equal(st, RILL_NO_MEMORY);
        if (t && st) { /* what is left is a sound mesh, and goes on */
            f.fail_at = 0;
            assert_ok(ctx, tracker_advance(t, 0.01, together, NULL, NULL));
            assert_sound(ctx, t);
        }
        tracker_destroy(t);
        rill_ctx_destroy(ctx);
        assert_int_equal(f.live, 0);
        if (!st) break;
    }
    trimesh_clear(plain, &m);
    rill_ctx_destroy(plain);
}

/* The same where necks are cut: a ring so thin that every way around its tube is three short edges. */
static void failing_cuts(void **state)
{
    (void)state;
    rill_ctx *plain = test_ctx(1);
    trimesh m = make_torus(plain, 1, 0.1, 24, 3);
    tracker_def def = tracker_def_default();
    def.edge = 0.4;
    for (uint64_t n = 1;; n++) {
        failing_allocator f = {0};
        rill_ctx *ctx = test_ctx_failing(1, &f);
        f.fail_at = f.calls + n;
        tracker *t = NULL;
        tracker_stats s = {0};
        rill_status st = tracker_create(ctx, &def, &m, &t);
        if (!st) st = tracker_improve(t, &s);
        if (st) assert_int_equal(st, RILL_NO_MEMORY);
        if (t && st) {
            f.fail_at = 0;
            assert_ok(ctx, tracker_improve(t, &s));
            assert_sound(ctx, t);
        }
        if (!st) assert_true(s.cuts > 0);
        tracker_destroy(t);
        rill_ctx_destroy(ctx);
        assert_int_equal(f.live, 0);
        if (!st) break;
    }
    trimesh_clear(plain, &m);
    rill_ctx_destroy(plain);
}

int main(int argc, char **argv) /* a pattern of test names, to run those alone */
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_bad_meshes),
        cmocka_unit_test(repairs_on_request),
        cmocka_unit_test(bad_velocities_change_nothing),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(failing_cuts),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
