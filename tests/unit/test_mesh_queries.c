/* What mesh distances are made of: the closest point of a triangle and of a mesh, the
 * winding number, and closing holes. */
#include "meshes.h"

#include "geom/distance/winding.h"
#include "geom/mesh/mesh_close.h"
#include "geom/mesh/rays.h"
#include "geom/mesh/triangle.h"

static const rill_box unit_box = {{0, 0, 0}, {1, 1, 1}};

static rill_vec3 weighted(const double w[3], rill_vec3 a, rill_vec3 b, rill_vec3 c)
{
    return v3_madd(v3_madd(v3_scale(a, w[0]), w[1], b), w[2], c);
}

/* q is the point of a convex set closest to x when no point of the set is in front of the
 * plane through q that faces x: for a triangle, none of its corners. */
static void assert_closest(rill_vec3 x, rill_vec3 a, rill_vec3 b, rill_vec3 c, double tolerance)
{
    const triangle_near t = triangle_closest(x, a, b, c);
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        assert_true(t.weight[k] >= 0 && t.weight[k] <= 1);
        sum += t.weight[k];
    }
    assert_true(fabs(sum - 1) < 1e-14);
    const rill_vec3 q = weighted(t.weight, a, b, c), r = v3_sub(x, q);
    assert_true(fabs(v3_length(r) - sqrt(t.square)) <= tolerance);
    assert_true(v3_dot(r, v3_sub(a, q)) <= tolerance);
    assert_true(v3_dot(r, v3_sub(b, q)) <= tolerance);
    assert_true(v3_dot(r, v3_sub(c, q)) <= tolerance);
}

static void triangles_of_every_kind(void **state)
{
    (void)state;
    int region[8] = {0};
    for (uint64_t i = 0; i < 20000; i++) {
        const rill_vec3 a = random_point(unit_box, 1, 4 * i), b = random_point(unit_box, 1, 4 * i + 1),
                        c = random_point(unit_box, 1, 4 * i + 2);
        const rill_vec3 x = random_point(box_grown(unit_box, 0.7), 1, 4 * i + 3);
        assert_closest(x, a, b, c, 1e-12);
        const triangle_near t = triangle_closest(x, a, b, c);
        region[(t.weight[0] > 0) + 2 * (t.weight[1] > 0) + 4 * (t.weight[2] > 0)]++;
        /* nearly flat ones: needles and caps; points and segments */
        assert_closest(x, a, b, v3_madd(v3_scale(v3_add(a, b), 0.5), 1e-7, c), 1e-9);
        assert_closest(x, a, b, v3_madd(b, 1e-9, c), 1e-9);
        assert_closest(x, a, b, v3_scale(v3_add(a, b), 0.5), 1e-12);
        assert_closest(x, a, b, b, 1e-12);
        assert_closest(x, a, a, a, 1e-12);
    }
    for (int r = 1; r < 8; r++) assert_true(region[r] > 300); /* corners, sides and the inside */
}

static void angles_and_solid_angles(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    const rill_vec3 a = v3(0, 0, 0), b = v3(1, 0, 0), c = v3(0, 1, 0);
    assert_float_equal(triangle_angle_at((double[]){1, 0, 0}, a, b, c), pi / 2, 1e-12);
    assert_float_equal(triangle_angle_at((double[]){0, 1, 0}, a, b, c), pi / 4, 1e-12);
    assert_float_equal(triangle_angle_at((double[]){0.5, 0.5, 0}, a, b, c), pi, 1e-12);
    assert_float_equal(triangle_angle_at((double[]){0.4, 0.3, 0.3}, a, b, c), 2 * pi, 1e-12);
    /* an eighth of the directions */
    assert_float_equal(triangle_solid_angle(v3(1, 0, 0), v3(0, 2, 0), v3(0, 0, 3)), pi / 2, 1e-12);
    assert_float_equal(triangle_solid_angle(v3(1, 0, 0), v3(0, 0, 3), v3(0, 2, 0)), -pi / 2, 1e-12);
}

/* Triangle soup, and the same twice over, so that every distance is there twice. */
static trimesh make_soup(rill_ctx *ctx, size_t n, double size)
{
    trimesh m = mesh_room(ctx, 3 * n, 2 * n);
    for (size_t i = 0; i < n; i++) {
        const rill_vec3 p = random_point(unit_box, 2, i);
        for (uint64_t k = 0; k < 3; k++) mesh_vertex(&m, v3_madd(p, size, random_point(unit_box, 3 + k, i)));
    }
    for (int twice = 0; twice < 2; twice++)
        for (uint32_t i = 0; i < n; i++) mesh_triangle(&m, 3 * i, 3 * i + 1, 3 * i + 2);
    return m;
}

static rays_near closest_by_all(const trimesh *m, rill_vec3 x)
{
    rays_near best = {.distance = INFINITY};
    for (size_t i = 0; i < m->triangle_count; i++) {
        const uint32_t *c = m->triangle[i];
        const triangle_near t = triangle_closest(x, m->position[c[0]], m->position[c[1]], m->position[c[2]]);
        if (!(t.square < best.distance)) continue;
        best = (rays_near){t.square, {t.weight[0], t.weight[1], t.weight[2]}, (uint32_t)i};
    }
    best.distance = sqrt(best.distance);
    return best;
}

static void count_visit(void *user, const rays_near *near)
{
    (void)near;
    ++*(size_t *)user;
}

static void closest_matches_brute_force(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const double sizes[] = {0.002, 0.1, 1};
    for (int s = 0; s < 3; s++)
        for (int far = 0; far < 2; far++) { /* away from the origin, where float is coarse */
            trimesh m = make_soup(ctx, 400, sizes[s]);
            const rill_vec3 shift = far ? v3(1e4, -2e4, 3e4) : v3(0, 0, 0);
            for (size_t i = 0; i < m.vertex_count; i++) m.position[i] = v3_add(m.position[i], shift);
            rays *r = NULL;
            const rays_def def = {.origin = v3_add(shift, v3(0.5, 0.5, 0.5)), .mesh = &m, .closest = true};
            assert_ok(ctx, rays_create(ctx, &def, &r));
            for (uint64_t i = 0; i < 500; i++) {
                const double room = i % 3 == 0 ? 0.1 : i % 3 == 1 ? 2 : 100;
                const rill_vec3 x = v3_add(shift, random_point(box_grown(unit_box, room), 9, i));
                const rays_near want = closest_by_all(&m, x);
                rays_near got = {0};
                assert_true(rays_closest(r, x, INFINITY, RAYS_NO_HINT, &got));
                assert_true(got.distance == want.distance && got.triangle == want.triangle);
                assert_memory_equal(got.weight, want.weight, sizeof got.weight);
                const uint32_t hint = (uint32_t)(i % m.triangle_count);
                rays_near hinted = {0};
                assert_true(rays_closest(r, x, want.distance * 1.01, hint, &hinted));
                assert_true(hinted.distance == want.distance && hinted.triangle == want.triangle);
                assert_false(rays_closest(r, x, want.distance * 0.99, RAYS_NO_HINT, &hinted));

                size_t visited = 0, expected = 0;
                const double reach = want.distance * 1.5;
                rays_within(r, x, reach, count_visit, &visited);
                for (size_t k = 0; k < m.triangle_count; k++) {
                    const uint32_t *c = m.triangle[k];
                    expected += sqrt(triangle_closest(x, m.position[c[0]], m.position[c[1]], m.position[c[2]])
                                         .square) <= reach;
                }
                assert_int_equal(visited, expected);
            }
            rays_near none;
            assert_false(rays_closest(r, v3(NAN, 0, 0), INFINITY, RAYS_NO_HINT, &none));
            rays_destroy(ctx, r);
            trimesh_clear(ctx, &m);
        }
    rill_ctx_destroy(ctx);
}

/* Where the mesh is at a share of the way to `end`. */
static trimesh at_share(rill_ctx *ctx, const trimesh *m, const rill_vec3 *end, double share)
{
    trimesh at = mesh_room(ctx, m->vertex_count, m->triangle_count);
    for (size_t i = 0; i < m->vertex_count; i++) mesh_vertex(&at, v3_mix(m->position[i], end[i], share));
    memcpy(at.triangle, m->triangle, m->triangle_count * sizeof *m->triangle);
    at.triangle_count = m->triangle_count;
    return at;
}

static rill_vec3 *random_end(rill_ctx *ctx, const trimesh *m, double by)
{
    rill_vec3 *end;
    assert_ok(ctx, MEM_NEW(ctx, end, m->vertex_count));
    for (size_t i = 0; i < m->vertex_count; i++)
        end[i] = v3_add(m->position[i], random_point((rill_box){{-by, -by, -by}, {by, by, by}}, 31, i));
    return end;
}

/* A mesh on its way, against the mesh that stands where it is then. */
static void moving_matches_standing(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const double shares[] = {0, 0.125, 0.5, 0.9, 1}, by[] = {1e-3, 0.2, 5};
    double worst = 0;
    for (int k = 0; k < 3; k++)
        for (int kind = 0; kind < 2; kind++) {
            trimesh m =
                kind ? mesh_of_sphere(ctx, v3(0.5, 0.5, 0.5), 0.4, 0.06, 16) : make_soup(ctx, 400, 0.1);
            rill_vec3 *end = random_end(ctx, &m, kind ? 0.02 * by[k] : by[k]);
            rays *r = NULL;
            winding *w = NULL;
            const rays_def def = {.origin = v3(0.5, 0.5, 0.5), .mesh = &m, .end = end, .closest = true};
            assert_ok(ctx, rays_create(ctx, &def, &r));
            assert_ok(ctx, winding_create_moving(ctx, &m, end, &w));
            for (int s = 0; s < 5; s++) {
                trimesh at = at_share(ctx, &m, end, shares[s]);
                for (uint64_t i = 0; i < 300; i++) {
                    const rill_vec3 x = random_point(box_grown(unit_box, i % 2 ? 0.1 : 3), 8, i);
                    const rays_near want = closest_by_all(&at, x);
                    rays_near got = {0};
                    assert_true(rays_closest_at(r, shares[s], x, INFINITY, RAYS_NO_HINT, &got));
                    assert_true(got.distance == want.distance && got.triangle == want.triangle);
                    size_t visited = 0, expected = 0;
                    rays_within_at(r, shares[s], x, want.distance * 1.5, count_visit, &visited);
                    for (size_t n = 0; n < at.triangle_count; n++) {
                        const uint32_t *c = at.triangle[n];
                        expected +=
                            sqrt(triangle_closest(x, at.position[c[0]], at.position[c[1]], at.position[c[2]])
                                     .square) <= want.distance * 1.5;
                    }
                    assert_int_equal(visited, expected);
                    const double sum = winding_exact(&at, x);
                    worst = fmax(worst, fabs(winding_moving_at(w, shares[s], x) - sum) / (kind ? 1 : 8));
                }
                trimesh_clear(ctx, &at);
            }
            winding_destroy(ctx, w);
            rays_destroy(ctx, r);
            mem_free(ctx, end);
            trimesh_clear(ctx, &m);
        }
    print_message("winding number on the way: largest error %.4f\n", worst);
    assert_true(worst < 0.06);
    rill_ctx_destroy(ctx);
}

static void winding_matches_the_sum(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    double worst = 0, total = 0;
    for (int kind = 0; kind < 4; kind++) {
        trimesh m = kind == 0   ? mesh_of_sphere(ctx, v3(0.5, 0.5, 0.5), 0.4, 0.06, 40)
                    : kind == 1 ? mesh_of_torus(ctx, 0.7, 0.2, 80, 30)
                    : kind == 2 ? mesh_of_box(ctx, unit_box, 20, 63 - 8) /* without its lid */
                                : make_soup(ctx, 2000, 0.2);
        winding *w = NULL;
        assert_ok(ctx, winding_create(ctx, &m, &w));
        const rill_box box = box_grown(trimesh_bounds(&m), 0.1);
        for (uint64_t i = 0; i < 1500; i++) {
            rill_vec3 x = random_point(box, 5, i);
            if (i % 2) /* close to the surface */
                x = v3_madd(m.position[i * 7919 % m.vertex_count], 1e-3, v3_sub(x, box_center(box)));
            const double want = winding_exact(&m, x), got = winding_at(w, x);
            const double error = fabs(got - want) / (kind == 3 ? 8 : 1); /* soup adds up many layers */
            worst = fmax(worst, error);
            total += error;
            if (kind < 2) {
                assert_true(fabs(want - rint(want)) < 1e-9);
                assert_int_equal(want > 0.5, got > 0.5);
            }
        }
        winding_destroy(ctx, w);
        trimesh_clear(ctx, &m);
    }
    print_message("winding number: largest error %.4f, mean %.5f\n", worst, total / 6000);
    assert_true(worst < 0.06 && total / 6000 < 0.006);

    const trimesh nothing = {0};
    winding *w = NULL;
    assert_ok(ctx, winding_create(ctx, &nothing, &w));
    assert_true(winding_at(w, v3(0, 0, 0)) == 0);
    winding_destroy(ctx, w);
    rill_ctx_destroy(ctx);
}

/* Whatever is missing, the winding number is whole after closing. */
static void closing_closes(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (unsigned sides = 1; sides < 63; sides += 3) {
        trimesh m = mesh_of_box(ctx, unit_box, 4, sides);
        mesh_rim rim = {0};
        assert_ok(ctx, mesh_rim_build(ctx, &m, &rim));
        assert_true(rim.count > 0 && rim.turned == 0);
        assert_ok(ctx, mesh_close(ctx, &m, &rim));
        mesh_rim_clear(ctx, &rim);
        assert_ok(ctx, mesh_rim_build(ctx, &m, &rim));
        assert_int_equal(rim.count, 0);
        mesh_rim_clear(ctx, &rim);
        for (uint64_t i = 0; i < 100; i++) {
            const double w = winding_exact(&m, random_point(box_grown(unit_box, 0.2), 6, i));
            assert_true(fabs(w - rint(w)) < 1e-9);
        }
        trimesh_clear(ctx, &m);
    }
    /* one side missing: the fan lies in it, and the box is whole */
    trimesh m = mesh_of_box(ctx, unit_box, 5, 63 - 8);
    mesh_rim rim = {0};
    assert_ok(ctx, mesh_rim_build(ctx, &m, &rim));
    assert_int_equal(rim.count, 20);
    assert_ok(ctx, mesh_close(ctx, &m, &rim));
    trimesh_report report;
    assert_ok(ctx, trimesh_check(ctx, &m, &report));
    assert_float_equal(report.volume, 1, 1e-12);
    assert_float_equal(report.area, 6, 1e-12);
    mesh_rim_clear(ctx, &rim);
    trimesh_clear(ctx, &m);

    /* a turned triangle is not a hole */
    m = mesh_of_box(ctx, unit_box, 3, 63);
    const uint32_t swap = m.triangle[8][0];
    m.triangle[8][0] = m.triangle[8][1];
    m.triangle[8][1] = swap;
    assert_ok(ctx, mesh_rim_build(ctx, &m, &rim));
    assert_int_equal(rim.count, 0);
    assert_int_equal(rim.turned, 3);
    mesh_rim_clear(ctx, &rim);
    trimesh_clear(ctx, &m);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_of_every_kind),     cmocka_unit_test(angles_and_solid_angles),
        cmocka_unit_test(closest_matches_brute_force), cmocka_unit_test(moving_matches_standing),
        cmocka_unit_test(winding_matches_the_sum),     cmocka_unit_test(closing_closes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
