/* What can be asked of a surface besides its definition: smoothing, small parts, slivers, a box, columns. */
#include "support.h"

#include "base/random.h"
#include "surface/finish.h"
#include "surface/surface.h"

#include <math.h>
#include <string.h>

static double uniform(uint64_t seed, uint64_t i, uint64_t which)
{
    const random4 r = random_at(seed, i, which, 0);
    return random_unit(r.v[0], r.v[1]);
}

/* A block of 12 x 12 x 12 (12 x 12), and far above it a lone particle and a drop of 27 (9). */
static particles block_and_drops(rill_ctx *ctx, int dim)
{
    particles p = {0};
    assert_ok(ctx, particles_add_column(ctx, &p, "level"));
    const int n = dim == 2 ? 144 : 1728, drop = dim == 2 ? 9 : 27;
    for (int i = 0; i < n + drop + 1; i++) {
        const uint64_t k = (uint64_t)i;
        rill_vec3 x = v3(i % 12 + 0.5 * uniform(1, k, 0), i / 12 % 12 + 0.5 * uniform(1, k, 1),
                         dim == 2 ? 0 : i / 144 + 0.5 * uniform(1, k, 2));
        if (i >= n) x = v3((i - n) % 3, 20 + (i - n) / 3 % 3, dim == 2 ? 0 : (i - n) / 9);
        if (i == n + drop) x = v3(9, 22, 0);
        assert_ok(ctx, particles_append(ctx, &p, 1, &x, NULL));
        p.velocity[i] = x; /* linear in space */
        p.column[0].value[i] = (float)(1 + 2 * x.x - x.y);
    }
    return p;
}

static trimesh surface(rill_ctx *ctx, const particles *p, const surface_def *def, trimesh_report *r)
{
    trimesh m = {0};
    assert_ok(ctx, surface_from_particles(ctx, p, def, &m));
    assert_ok(ctx, trimesh_check(ctx, &m, r));
    assert_int_equal(r->open_edges + r->nonmanifold_edges + r->misoriented_edges + r->nonmanifold_vertices +
                         r->degenerate_triangles,
                     0);
    for (size_t v = 0; v < m.vertex_count; v++)
        for (int k = 0; k < 3; k++) assert_true(isfinite(m.normal[v][k]));
    return m;
}

static long parts(const trimesh *m) /* all balls: Euler */
{
    return ((long)m->vertex_count - (long)m->triangle_count / 2) / 2;
}

static void small_parts_go(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int dim = 2; dim <= 3; dim++) {
        particles p = block_and_drops(ctx, dim);
        static const double smallest[] = {0, 3, 60};
        for (int k = 0; k < 3; k++) {
            surface_def def = surface_def_default();
            trimesh_report r;
            def.dimensions = dim;
            def.smallest = smallest[k];
            trimesh m = surface(ctx, &p, &def, &r);
            assert_int_equal(parts(&m), 3 - k);
            assert_true(trimesh_bounds(&m).max.y < (k == 2 ? 14 : 24));
            assert_int_equal(m.column_count, 1);
            for (size_t v = 0; v < m.vertex_count; v++) /* columns went along: velocity is the place */
                assert_true(fabs(m.column[0].value[3 * v] - m.position[v].x) < 1.5);
            trimesh_clear(ctx, &m);
        }
        particles_clear(ctx, &p);
    }
    rill_ctx_destroy(ctx);
}

/* How much the normals of the block's side turn from it. */
static double roughness(const trimesh *m, bool planar)
{
    double sum = 0;
    size_t count = 0;
    for (size_t v = 0; v < m->vertex_count; v++) {
        const rill_vec3 x = m->position[v];
        if (x.y > 9 || x.y < 3 || x.x < 8 || (!planar && (x.z < 3 || x.z > 9))) continue;
        const double nx = m->normal[v][0], ny = m->normal[v][1], nz = planar ? 0 : m->normal[v][2];
        if (nx < 0.4) continue; /* another side, or a cap */
        sum += acos(fmin(1, nx / sqrt(nx * nx + ny * ny + nz * nz)));
        count++;
    }
    return sum / (double)count;
}

static void smoothing_spares_volume_and_spray(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int dim = 2; dim <= 3; dim++) {
        particles p = block_and_drops(ctx, dim);
        surface_def def = surface_def_default();
        trimesh_report r0, r1;
        def.dimensions = dim;
        def.definition = SURFACE_METABALLS; /* has something to smooth */
        trimesh a = surface(ctx, &p, &def, &r0);
        def.smooth = 15;
        trimesh b = surface(ctx, &p, &def, &r1);
        assert_int_equal(a.vertex_count, b.vertex_count);
        assert_int_equal(b.column_count, 1);
        double spray = 0, moved = 0;
        for (size_t v = 0; v < a.vertex_count; v++) {
            const double d = v3_distance(a.position[v], b.position[v]);
            const rill_vec3 x = a.position[v];
            if (x.y > 18 && x.x > 6)
                spray = fmax(spray, dim == 3 || fabs(b.normal[v][2]) < 0.9 ? d : 0);
            else
                moved = fmax(moved, d);
            if (dim == 2) assert_true(a.position[v].z == b.position[v].z);
        }
        print_message("%dD: volume %.2f to %.2f, roughness %.3f to %.3f, moved %.2f, spray %.3f\n", dim,
                      r0.volume, r1.volume, roughness(&a, dim == 2), roughness(&b, dim == 2), moved, spray);
        assert_true(fabs(r1.volume / r0.volume - 1) < 0.01);
        assert_true(roughness(&b, dim == 2) < 0.85 * roughness(&a, dim == 2));
        assert_true(spray < 1e-3 && moved > 0.05);
        trimesh_clear(ctx, &a);
        trimesh_clear(ctx, &b);
        particles_clear(ctx, &p);
    }
    rill_ctx_destroy(ctx);
}

static double share_below(const trimesh *m, double degrees)
{
    size_t low = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        double least = 180;
        for (int k = 0; k < 3; k++) {
            const rill_vec3 o = m->position[m->triangle[t][k]],
                            a = v3_unit(v3_sub(m->position[m->triangle[t][(k + 1) % 3]], o)),
                            b = v3_unit(v3_sub(m->position[m->triangle[t][(k + 2) % 3]], o));
            least = fmin(least, acos(fmin(1, fmax(-1, v3_dot(a, b)))) * 180 / M_PI);
        }
        low += least < degrees;
    }
    return (double)low / (double)m->triangle_count;
}

static void slivers_go(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    particles p = block_and_drops(ctx, 3);
    for (int d = 0; d < SURFACE_DEFINITIONS; d++) {
        surface_def def = surface_def_default();
        trimesh_report r0, r1;
        def.definition = d;
        trimesh a = surface(ctx, &p, &def, &r0);
        def.slivers = 0.3;
        trimesh b = surface(ctx, &p, &def, &r1);
        print_message("%s: below 15 degrees %.1f to %.1f percent, below 5 %.2f to %.2f\n",
                      scene_surface_words[d], 100 * share_below(&a, 15), 100 * share_below(&b, 15),
                      100 * share_below(&a, 5), 100 * share_below(&b, 5));
        assert_true(share_below(&b, 15) < 0.02 && share_below(&b, 5) < 0.002);
        assert_true(parts(&a) == parts(&b) && fabs(r1.volume / r0.volume - 1) < 0.005);
        trimesh_clear(ctx, &a);
        trimesh_clear(ctx, &b);
    }
    particles_clear(ctx, &p);
    rill_ctx_destroy(ctx);
}

/* The cut is closed, flat and in its place; what is left does not depend on the box. */
static void boxes_cut(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int dim = 2; dim <= 3; dim++) {
        particles p = block_and_drops(ctx, dim);
        for (int d = 0; d < SURFACE_WILLIAMS; d++) {
            surface_def def = surface_def_default();
            trimesh_report r;
            def.dimensions = dim;
            def.definition = d;
            def.clip = (rill_box){v3(3.23, 2.11, 4.07), v3(8.61, 9.4, 9.9)};
            trimesh m = surface(ctx, &p, &def, &r);
            const rill_box b = trimesh_bounds(&m);
            const double want =
                dim == 2 ? (8.61 - 3.23) * (9.4 - 2.11) : (8.61 - 3.23) * (9.4 - 2.11) * (9.9 - 4.07);
            if (fabs(r.volume / want - 1) > 0.03)
                fail_msg("%s, %dD: %g of %g", scene_surface_words[d], dim, r.volume, want);
            assert_true(fabs(b.min.x - 3.23) < 0.01 && fabs(b.max.y - 9.4) < 0.01);
            for (size_t v = 0; v < m.vertex_count && dim == 3; v++)
                if (m.position[v].y > 9.39 && m.position[v].x > 4 && m.position[v].x < 8 &&
                    m.position[v].z > 5 && m.position[v].z < 9)
                    assert_true(m.normal[v][1] > 0.999f);
            trimesh_clear(ctx, &m);
        }
        particles_clear(ctx, &p);
    }
    rill_ctx_destroy(ctx);
}

static void columns_are_interpolated(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    particles p = block_and_drops(ctx, 3);
    surface_def def = surface_def_default();
    def.columns = "level, velocity level";
    trimesh_report r;
    trimesh m = surface(ctx, &p, &def, &r);
    assert_int_equal(m.column_count, 2);
    assert_string_equal(m.column[1].name, "level");
    assert_int_equal(m.column[1].width, 1);
    for (size_t v = 0; v < m.vertex_count; v++) { /* the same weights, so the same linear function */
        const float *u = m.column[0].value + 3 * v;
        assert_true(fabsf(m.column[1].value[v] - (1 + 2 * u[0] - u[1])) < 1e-3f);
    }
    trimesh_clear(ctx, &m);
    def.columns = "level colour";
    m.vertex_count = 77;
    assert_int_equal(surface_from_particles(ctx, &p, &def, &m), RILL_USAGE);
    assert_non_null(strstr(rill_ctx_message(ctx), "\"colour\""));
    assert_int_equal(m.vertex_count, 77);
    particles_clear(ctx, &p);
    rill_ctx_destroy(ctx);
}

static void bad_options(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    particles p = {0};
    const rill_vec3 x = {0, 0, 0};
    assert_ok(ctx, particles_add_column(ctx, &p, "spacing"));
    assert_ok(ctx, particles_append(ctx, &p, 1, &x, NULL));
    for (int k = 0; k < 5; k++) {
        surface_def def = surface_def_default();
        p.column[0].value[0] = 1;
        if (k == 4) def.definition = SURFACE_WILLIAMS; /* one size alone */
        if (k == 0) def.smooth = -1;
        if (k == 1) def.smallest = NAN;
        if (k == 2) def.slivers = 2;
        if (k == 3) p.column[0].value[0] = 0;
        trimesh m = {.vertex_count = 77};
        assert_int_equal(surface_from_particles(ctx, &p, &def, &m), k == 3 ? RILL_BLEW_UP : RILL_USAGE);
        assert_int_equal(m.vertex_count, 77);
    }
    particles_clear(ctx, &p);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_parts_go),
        cmocka_unit_test(smoothing_spares_volume_and_spray),
        cmocka_unit_test(slivers_go),
        cmocka_unit_test(boxes_cut),
        cmocka_unit_test(columns_are_interpolated),
        cmocka_unit_test(bad_options),
    };
    return cmocka_run_group_tests_name("surface options", tests, NULL, NULL);
}
