/* The quick answers about meshes that deform against the exact ones. */
#include "support.h"

#include "base/random.h"
#include "tets/sides.h"

#include <math.h>

enum { AROUND = 16, ALONG = 24 };

/* A ring of radius 0.3 about the y axis through `at`, as thick as `r`. */
static void add_ring(trimesh *m, rill_vec3 at, double r)
{
    const uint32_t first = (uint32_t)m->vertex_count;
    for (int i = 0; i < ALONG; i++)
        for (int j = 0; j < AROUND; j++) {
            const double a = 2 * M_PI * i / ALONG, b = 2 * M_PI * j / AROUND, d = 0.3 + r * cos(b);
            m->position[m->vertex_count++] = v3_add(at, v3(d * cos(a), r * sin(b), d * sin(a)));
            const uint32_t p = first + (uint32_t)(i * AROUND + j),
                           q = first + (uint32_t)(i * AROUND + (j + 1) % AROUND),
                           s = first + (uint32_t)((i + 1) % ALONG * AROUND + j),
                           t = first + (uint32_t)((i + 1) % ALONG * AROUND + (j + 1) % AROUND);
            uint32_t(*f)[3] = m->triangle + m->triangle_count;
            f[0][0] = p, f[0][1] = q, f[0][2] = t;
            f[1][0] = p, f[1][1] = t, f[1][2] = s;
            m->triangle_count += 2;
        }
}

/* One ring, or two that pass through each other. */
static trimesh rings(rill_ctx *ctx, int count, double r)
{
    trimesh m = {0};
    assert_ok(ctx, MEM_NEW(ctx, m.position, (size_t)count * AROUND * ALONG));
    assert_ok(ctx, MEM_NEW(ctx, m.triangle, (size_t)count * 2 * AROUND * ALONG));
    for (int k = 0; k < count; k++) add_ring(&m, v3(0.17 * k, 0, 0.02 * k), r);
    return m;
}

static void agrees_with_exact_distances(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int count = 1; count <= 2; count++) {
        mesh_sequence *frames = NULL;
        side_grid g = {0};
        assert_ok(ctx, mesh_sequence_create(ctx, &(mesh_sequence_def){0}, &frames));
        for (int k = 0; k < 2; k++) {
            trimesh m = rings(ctx, count, k ? 0.15 : 0.1);
            assert_ok(ctx, mesh_sequence_add(ctx, frames, &m, k));
            trimesh_clear(ctx, &m);
        }
        mesh_morph morph = {.frames = frames};
        assert_ok(ctx, mesh_morph_prepare(ctx, &morph, 0.2, 0.4));
        const mesh_moment now = mesh_morph_at(&morph, 0.3);
        const rill_box box = {{-0.6, -0.3, -0.6}, {0.8, 0.3, 0.6}};
        assert_ok(ctx, side_grid_fill(ctx, &g, now, box, 0.05));
        assert_true(g.clean == (count == 1));
        for (uint32_t k = 0; k < 4000; k++) {
            const random4 r = random_at(7, k, 0, 0);
            rill_vec3 n, e;
            const rill_vec3 x = {-0.7 + 1.6 * random_unit(r.v[0], 0), -0.3 + 0.7 * random_unit(r.v[1], 0),
                                 -0.7 + 1.4 * random_unit(r.v[2], 0)};
            const double exact = mesh_distance_exact_at(now.span, now.share, x, &e),
                         quick = side_grid_distance(&g, x, &n);
            assert_true(fabs(quick - exact) < 1e-9);
            assert_true(v3_distance(n, e) < 1e-4 || fabs(exact) < 1e-4);
            assert_true(side_grid_bound(&g, x) <= fmax(exact, 0) + 1e-9);
        }
        side_grid_clear(ctx, &g);
        mesh_morph_clear(ctx, &morph);
        mesh_sequence_destroy(ctx, frames);
    }
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_exact_distances)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
