/* Deforming solids: distance and velocity between two keyed meshes. */
#include "meshes.h"

#include "geom/distance/mesh_sequence.h"

static const rill_box unit_box = {{0, 0, 0}, {1, 1, 1}};

static mesh_sequence *sequence_of(rill_ctx *ctx, mesh_sequence_def def, trimesh *mesh, const double *time,
                                  int count)
{
    mesh_sequence *s = NULL;
    assert_ok(ctx, mesh_sequence_create(ctx, &def, &s));
    for (int k = 0; k < count; k++) {
        assert_ok(ctx, mesh_sequence_add(ctx, s, &mesh[k], time[k]));
        trimesh_clear(ctx, &mesh[k]);
    }
    assert_int_equal(mesh_sequence_count(s), count);
    return s;
}

static double distance_at(const mesh_morph *m, double t, rill_vec3 x)
{
    const mesh_moment now = mesh_morph_at(m, t);
    return mesh_distance_exact_at(now.span, now.share, x, NULL);
}

/* A box that moves and stretches: corners of the mesh, and so of the box, move linearly. */
static void box_that_stretches(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const rill_box at[3] = {unit_box, {{1, 0, 0}, {3, 1, 1}}, {{1, 0, 0}, {3, 1, 1}}};
    for (int open = 0; open < 2; open++) {
        trimesh m[3];
        for (int k = 0; k < 3; k++) m[k] = mesh_of_box(ctx, at[k], 3, open ? 63 - 2 : 63);
        mesh_sequence *s = sequence_of(ctx, (mesh_sequence_def){.holes = open}, m, (double[]){1, 3, 4}, 3);
        mesh_morph morph = {.frames = s};
        const double times[] = {0, 1, 1.5, 2.25, 3, 3.5, 9, 2.25};
        for (int i = 0; i < 8; i++) {
            assert_ok(ctx, mesh_morph_prepare(ctx, &morph, times[i], times[i]));
            const mesh_moment now = mesh_morph_at(&morph, times[i]);
            const double share = times[i] < 1 ? 0 : times[i] > 3 ? 1 : (times[i] - 1) / 2;
            const bool moves = times[i] >= 1 && times[i] < 3;
            const double low = share, high = 1 + 2 * share;
            const rill_vec3 right = v3(high + 0.2, 0.4, 0.3), left = v3(low - 0.1, 0.5, 0.2);
            const rill_vec3 above = v3(0.5 * (low + high), 1.1, 0.5), in = v3(low + 0.05, 0.5, 0.5);
            assert_float_equal(distance_at(&morph, times[i], right), 0.2, 1e-12);
            assert_float_equal(distance_at(&morph, times[i], left), 0.1, 1e-12);
            assert_float_equal(distance_at(&morph, times[i], in), -0.05, 1e-12);
            assert_true(v3_distance(mesh_moment_velocity(now, right), v3(moves ? 1 : 0, 0, 0)) < 1e-12);
            assert_true(v3_distance(mesh_moment_velocity(now, left), v3(moves ? 0.5 : 0, 0, 0)) < 1e-12);
            assert_true(v3_distance(mesh_moment_velocity(now, above), v3(moves ? 0.75 : 0, 0, 0)) < 1e-12);
        }
        const rill_box b = mesh_sequence_bounds(s);
        assert_true(b.min.x == 0 && b.max.x == 3 && b.max.y == 1);
        assert_float_equal(mesh_sequence_max_speed(s, 0, 9), 1, 1e-12);
        assert_float_equal(mesh_sequence_max_speed(s, 2, 2), 1, 1e-12);
        assert_true(mesh_sequence_max_speed(s, 3.2, 9) == 0 && mesh_sequence_max_speed(s, -1, 0.9) == 0);

        /* carried from the start to the end, where the side it is at is by then */
        assert_ok(ctx, mesh_morph_prepare(ctx, &morph, 1, 3.5));
        const mesh_moment from = mesh_morph_at(&morph, 1.5), to = mesh_morph_at(&morph, 3.5);
        assert_true(v3_distance(mesh_moment_carry(from, to, v3(1.6, 0.5, 0.5)), v3(3.1, 0.5, 0.5)) < 1e-12);
        mesh_morph_clear(ctx, &morph);
        mesh_sequence_destroy(ctx, s);
    }
    rill_ctx_destroy(ctx);
}

/* A sphere whose radius breathes as the keys sample it: its surface moves along its normal
 * as fast as the radius grows, and as the distance changes. */
static void sphere_that_breathes(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    enum { KEYS = 9 };
    trimesh m[KEYS];
    double time[KEYS], radius[KEYS];
    for (int k = 0; k < KEYS; k++) {
        time[k] = 0.25 * k;
        radius[k] = 1 + 0.3 * sin(2.0 * time[k]);
        m[k] = mesh_of_sphere(ctx, v3(0, 0, 0), radius[k], 0, 40);
    }
    mesh_sequence *s = sequence_of(ctx, (mesh_sequence_def){0}, m, time, KEYS);
    mesh_morph morph = {.frames = s};
    for (uint64_t i = 0; i < 2000; i++) {
        const double t = 1.99 * (double)i / 2000 + 1e-3, h = 1e-5;
        const int k = (int)(t / 0.25);
        const double rate = (radius[k + 1] - radius[k]) / 0.25, r = radius[k] + rate * (t - time[k]);
        if (t - time[k] < h || time[k + 1] - t < h) continue;
        assert_ok(ctx, mesh_morph_prepare(ctx, &morph, t - h, t + h));
        const rill_vec3 x = random_point((rill_box){{-1.6, -1.6, -1.6}, {1.6, 1.6, 1.6}}, 1, i);
        if (v3_length(x) < 0.3) continue;
        const double d = distance_at(&morph, t, x);
        assert_float_equal(d, v3_length(x) - r, 0.006); /* facets: r (1 - cos(pi / 80)) and more */
        const rill_vec3 v = mesh_moment_velocity(mesh_morph_at(&morph, t), x);
        assert_float_equal(v3_dot(v, v3_unit(x)), rate, 0.004 * fabs(rate) + 1e-9);
        const double change = (distance_at(&morph, t + h, x) - distance_at(&morph, t - h, x)) / (2 * h);
        assert_float_equal(change, -rate, 0.004 * fabs(rate) + 1e-9);
    }
    mesh_morph_clear(ctx, &morph);
    mesh_sequence_destroy(ctx, s);
    rill_ctx_destroy(ctx);
}

/* What is asked does not depend on what was prepared before, nor on how much at once. */
static void any_way_of_preparing(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    trimesh m[4];
    const double time[] = {0, 0.1, 0.25, 0.7};
    for (int k = 0; k < 4; k++) m[k] = mesh_of_sphere(ctx, v3(0.1 * k, 0, 0), 1 + 0.1 * (k % 2), 0.05, 12);
    mesh_sequence *s = sequence_of(ctx, (mesh_sequence_def){.shell = 0.01}, m, time, 4);
    mesh_morph all = {.frames = s}, one = {.frames = s};
    assert_ok(ctx, mesh_morph_prepare(ctx, &all, -1, 1));
    for (uint64_t i = 0; i < 200; i++) {
        const double t = -0.1 + 0.9 * (double)(i * 37 % 200) / 200;
        const rill_vec3 x = random_point((rill_box){{-2, -2, -2}, {2, 2, 2}}, 3, i);
        assert_ok(ctx, mesh_morph_prepare(ctx, &one, t - 0.02 * (double)(i % 3), t));
        assert_true(distance_at(&one, t, x) == distance_at(&all, t, x));
        const rill_vec3 a = mesh_moment_velocity(mesh_morph_at(&one, t), x),
                        b = mesh_moment_velocity(mesh_morph_at(&all, t), x);
        assert_true(a.x == b.x && a.y == b.y && a.z == b.z);
    }
    mesh_morph_clear(ctx, &all);
    mesh_morph_clear(ctx, &one);
    mesh_sequence_destroy(ctx, s);
    rill_ctx_destroy(ctx);
}

/* Until the share said to be free, the point is no nearer than promised at any moment; what
 * goes along with the mesh is not held up. */
static void free_shares_are_free(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const double time[] = {0, 1, 2.5};
    int all = 0, none = 0, some = 0;
    for (int shell = 0; shell < 2; shell++) {
        trimesh m[3];
        for (int k = 0; k < 3; k++) m[k] = mesh_of_sphere(ctx, v3(0.4 * k, 0, 0), 1 - 0.2 * k, 0.1, 12);
        mesh_sequence *s = sequence_of(ctx, (mesh_sequence_def){.shell = 0.05 * shell}, m, time, 3);
        mesh_morph morph = {.frames = s};
        assert_ok(ctx, mesh_morph_prepare(ctx, &morph, -1, 4));
        for (uint64_t i = 0; i < 3000; i++) {
            const random4 r = random_at(3, i, 0, 0);
            const double from = -0.5 + 3.5 * random_unit(r.v[0], r.v[1]), margin = 0.03;
            const double to = from + random_unit(r.v[2], r.v[3]);
            const rill_vec3 x = random_point((rill_box){{-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}}, 4, i);
            const rill_vec3 step = random_point((rill_box){{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}}, 5, i);
            const double d = distance_at(&morph, from, x);
            const double share = mesh_morph_free_share(&morph, from, to, x, step, margin);
            assert_true(share >= 0 && share <= 1);
            if (d <= 0) assert_true(share == 0);
            all += share == 1, none += share == 0, some += share > 0 && share < 1;
            for (int k = 0; k <= 20 && share > 0; k++) {
                const double part = share * k / 20;
                const double there = distance_at(&morph, from + part * (to - from), v3_madd(x, part, step));
                assert_true(there >= fmin(margin, 0.5 * d) - 1e-12);
            }
        }
        /* along with the mesh at its own speed */
        const rill_vec3 x = v3(-1.2, 0, 0);
        const mesh_moment now = mesh_morph_at(&morph, 0.1);
        const rill_vec3 way = v3_scale(mesh_moment_velocity(now, x), 0.5);
        assert_true(v3_length(way) > 0.25);
        assert_true(mesh_morph_free_share(&morph, 0.1, 0.6, x, way, 0.03) == 1);
        mesh_morph_clear(ctx, &morph);
        mesh_sequence_destroy(ctx, s);
    }
    print_message("free shares: %d whole, %d in part, %d none\n", all, some, none);
    assert_true(all > 500 && some > 500 && none > 200);
    rill_ctx_destroy(ctx);
}

/* --- what is refused --- */

static trimesh two_quads(rill_ctx *ctx, bool other_way, double lift)
{
    trimesh m = mesh_room(ctx, 6, 4);
    for (int i = 0; i < 6; i++) mesh_vertex(&m, v3(i % 3, i == 4 ? lift : 0, i / 3));
    if (other_way) {
        mesh_triangle(&m, 0, 3, 1);
        mesh_triangle(&m, 1, 3, 4);
    } else {
        mesh_triangle(&m, 0, 3, 4);
        mesh_triangle(&m, 0, 4, 1);
    }
    mesh_triangle(&m, 1, 4, 5);
    mesh_triangle(&m, 1, 5, 2);
    return m;
}

static void other_meshes_are_refused(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const mesh_sequence_def def = {.shell = 0.1};
    mesh_sequence *s = NULL;
    assert_ok(ctx, mesh_sequence_create(ctx, &def, &s));
    trimesh m = two_quads(ctx, false, 0);
    assert_ok(ctx, mesh_sequence_add(ctx, s, &m, 1));
    assert_int_equal(mesh_sequence_add(ctx, s, &m, 1), RILL_USAGE);
    assert_int_equal(mesh_sequence_add(ctx, s, &m, NAN), RILL_USAGE);

    trimesh cut = two_quads(ctx, true, 0.4); /* the same polygon cut along the other diagonal */
    assert_ok(ctx, mesh_sequence_add(ctx, s, &cut, 2));
    cut.triangle[0][0] = 2;
    assert_int_equal(mesh_sequence_add(ctx, s, &cut, 3), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "triangle 0 joins other vertices"));
    cut.triangle[0][0] = 0;
    cut.position[3].y = NAN;
    assert_int_equal(mesh_sequence_add(ctx, s, &cut, 3), RILL_BAD_FILE);
    cut.position[3].y = 0;
    cut.triangle_count--;
    assert_int_equal(mesh_sequence_add(ctx, s, &cut, 3), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "3 triangles"));
    assert_int_equal(mesh_sequence_count(s), 2);
    mesh_sequence_destroy(ctx, s);

    const mesh_sequence_def closed = {0};
    assert_ok(ctx, mesh_sequence_create(ctx, &closed, &s));
    assert_int_equal(mesh_sequence_add(ctx, s, &m, 1), RILL_BAD_FILE); /* open */
    m.triangle[0][0] = 77;
    assert_int_equal(mesh_sequence_add(ctx, s, &m, 1), RILL_BAD_FILE);
    mesh_morph nothing = {.frames = s};
    assert_ok(ctx, mesh_morph_prepare(ctx, &nothing, 0, 1));
    assert_null(mesh_morph_at(&nothing, 0).span);
    mesh_sequence_destroy(ctx, s);
    trimesh_clear(ctx, &m);
    trimesh_clear(ctx, &cut);

    /* inside out as a whole: turned, at every key */
    trimesh out[2] = {mesh_of_box(ctx, unit_box, 2, 63), mesh_of_box(ctx, box_grown(unit_box, 0.5), 2, 63)};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < out[k].triangle_count; i++) {
            const uint32_t c = out[k].triangle[i][1];
            out[k].triangle[i][1] = out[k].triangle[i][2];
            out[k].triangle[i][2] = c;
        }
    s = sequence_of(ctx, closed, out, (double[]){0, 1}, 2);
    mesh_morph morph = {.frames = s};
    assert_ok(ctx, mesh_morph_prepare(ctx, &morph, 0.5, 0.5));
    assert_float_equal(distance_at(&morph, 0.5, v3(0.5, 1.15, 0.5)), -0.1, 1e-12);
    mesh_morph_clear(ctx, &morph);
    mesh_sequence_destroy(ctx, s);
    rill_ctx_destroy(ctx);
}

static rill_status make_all(rill_ctx *ctx, const trimesh *m, mesh_sequence **s, mesh_morph *morph)
{
    TRY(mesh_sequence_create(ctx, &(mesh_sequence_def){.holes = true}, s));
    TRY(mesh_sequence_add(ctx, *s, &m[0], 0));
    TRY(mesh_sequence_add(ctx, *s, &m[1], 1));
    TRY(mesh_sequence_add(ctx, *s, &m[0], 2));
    morph->frames = *s;
    TRY(mesh_morph_prepare(ctx, morph, 0, 0.5));
    const double d = distance_at(morph, 0.5, v3(0.5, 2, 0.5));
    const rill_status st = mesh_morph_prepare(ctx, morph, 0.5, 1.5);
    assert_true(distance_at(morph, 0.5, v3(0.5, 2, 0.5)) == d); /* also when that failed */
    return st;
}

static void failing_allocations(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    trimesh m[2];
    for (int k = 0; k < 2; k++) m[k] = mesh_of_box(ctx, box_grown(unit_box, k), 2, 63 - 8);
    const uint64_t live = f.live;
    for (uint64_t n = 1;; n++) {
        mesh_sequence *s = NULL;
        mesh_morph morph = {0};
        f.fail_at = f.calls + n;
        const rill_status st = make_all(ctx, m, &s, &morph);
        mesh_morph_clear(ctx, &morph);
        mesh_sequence_destroy(ctx, s);
        assert_int_equal(f.live, live);
        if (st == RILL_OK) {
            assert_true(n > 40);
            break;
        }
        assert_int_equal(st, RILL_NO_MEMORY);
    }
    f.fail_at = 0;
    for (int k = 0; k < 2; k++) trimesh_clear(ctx, &m[k]);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_that_stretches),       cmocka_unit_test(sphere_that_breathes),
        cmocka_unit_test(any_way_of_preparing),     cmocka_unit_test(free_shares_are_free),
        cmocka_unit_test(other_meshes_are_refused), cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
