/* The isosurfacer on fields that are hard on it (random signs) and fields whose surface
 * is known. */
#include "mesh_makers.h"
#include "support.h"

#include "base/random.h"
#include "geom/iso/cube_cases.h"
#include "geom/iso/isosurface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef float field_at(const void *arg, const int at[3]);

/* Blocks low to high on each axis, every sample given by the function of its place. */
static level_grid grid_of(rill_ctx *ctx, double cell, const int32_t low[3], const int32_t high[3],
                          field_at *field, const void *arg)
{
    level_grid g = {.cell = cell, .layers = 8, .level = 0, .outside = -1, .inside = 1};
    for (int32_t c = low[2]; c <= high[2]; c++)
        for (int32_t b = low[1]; b <= high[1]; b++)
            for (int32_t a = low[0]; a <= high[0]; a++) assert_ok(ctx, block_map_add(ctx, &g.map, a, b, c));
    assert_ok(ctx, MEM_NEW(ctx, g.slot, g.map.count));
    assert_ok(ctx, MEM_NEW(ctx, g.value, g.map.count * LEVEL_SAMPLES));
    for (size_t i = 0; i < g.map.count; i++) {
        g.slot[i] = (uint32_t)i;
        for (int s = 0; s < LEVEL_SAMPLES; s++) {
            const int32_t *b = g.map.block[i];
            const int at[3] = {8 * b[0] + (s & 7), 8 * b[1] + (s >> 3 & 7), 8 * b[2] + (s >> 6)};
            g.value[i * LEVEL_SAMPLES + (size_t)s] = field(arg, at);
        }
    }
    return g;
}

/* The euler characteristic and nothing left over: every vertex is used. */
static void assert_all_used(const trimesh *m)
{
    uint8_t *used = calloc(m->vertex_count ? m->vertex_count : 1, 1);
    for (size_t i = 0; i < m->triangle_count; i++)
        for (int k = 0; k < 3; k++) used[m->triangle[i][k]] = 1;
    for (size_t i = 0; i < m->vertex_count; i++) assert_true(used[i]);
    free(used);
}

static void every_pattern_has_triangles(void **state)
{
    (void)state;
    cube_cases c;
    assert_true(cube_cases_build(&c));
    for (int pattern = 0; pattern < 256; pattern++) {
        /* each crossed edge is in the case, and no other */
        uint32_t want = 0, got = 0;
        for (int axis = 0; axis < 3; axis++)
            for (int corner = 0; corner < 8; corner++)
                if (!(corner >> axis & 1) && (pattern >> corner & 1) != (pattern >> (corner | 1 << axis) & 1))
                    want |= 1u << (axis << 3 | corner);
        for (int t = 0; t < c.count[pattern]; t++)
            for (int k = 0; k < 3; k++) got |= 1u << c.edge[pattern][t][k];
        assert_int_equal(want, got);
    }
}

typedef struct {
    uint64_t seed;
    int size, signs; /* signs: +-1 alone, exactly at the level included */
    double chance;
} noise;

static float noise_at(const void *arg, const int at[3])
{
    const noise *n = arg;
    for (int k = 0; k < 3; k++)
        if (at[k] < 0 || at[k] >= n->size) return -1;
    const uint64_t id = (uint64_t)at[0] + 64 * (uint64_t)at[1] + 4096 * (uint64_t)at[2];
    const random4 r = random_at(n->seed, id, 0, 0);
    const double u = random_unit(r.v[0], r.v[1]);
    if (n->signs) return u < n->chance ? (r.v[2] & 1 ? 1.0f : 0.0f) : -1.0f;
    return (float)(n->chance - u);
}

/* Random signs: every pattern beside every other. Blocks from 0 on, so that the cells
 * below the lowest block must be found too. */
static void random_fields_are_closed_manifolds(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const int32_t low[3] = {0, 0, 0};
    for (uint64_t seed = 0; seed < 3000; seed++) {
        const noise n = {seed, seed % 5 == 0 ? 16 : 3 + (int)(seed % 6), seed % 2,
                         seed % 3 == 0   ? 0.5
                         : seed % 3 == 1 ? 0.25
                                         : 0.8};
        const int32_t top = n.size > 8 ? 1 : 0, high[3] = {top, top, top};
        level_grid g = grid_of(ctx, 0.5, low, high, noise_at, &n);
        trimesh m = {0};
        trimesh_report r;
        assert_ok(ctx, isosurface_build(ctx, &g, &m, NULL));
        assert_sound_mesh(ctx, &m, &r);
        assert_all_used(&m);
        assert_true(r.volume > 0);
        trimesh_clear(ctx, &m);
        level_grid_clear(ctx, &g);
    }
    rill_ctx_destroy(ctx);
}

/* The same in the plane; the extruded volume is the inside's area times the thickness. */
static void random_planes_are_closed_manifolds(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (uint64_t seed = 0; seed < 1000; seed++) {
        const noise n = {seed, seed % 4 == 0 ? 16 : 2 + (int)(seed % 7), seed % 2,
                         0.3 + 0.1 * (double)(seed % 5)};
        level_grid g = {.origin = {1, 2, 3}, .cell = 0.5, .layers = 1, .outside = -1, .inside = 1};
        for (int32_t b = 0; b < 2; b++)
            for (int32_t a = 0; a < 2; a++) assert_ok(ctx, block_map_add(ctx, &g.map, a, b, 0));
        assert_ok(ctx, MEM_NEW(ctx, g.slot, 4));
        assert_ok(ctx, MEM_NEW(ctx, g.value, 4 * LEVEL_AREA));
        for (int i = 0; i < 4 * LEVEL_AREA; i++) {
            const int32_t *b = g.map.block[i / LEVEL_AREA];
            const int at[3] = {8 * b[0] + (i & 7), 8 * b[1] + (i >> 3 & 7), 0};
            g.slot[i / LEVEL_AREA] = (uint32_t)(i / LEVEL_AREA);
            g.value[i] = noise_at(&n, at);
        }
        trimesh m = {0};
        trimesh_report r;
        assert_ok(ctx, isocontour_build(ctx, &g, 0.25, &m, NULL));
        assert_sound_mesh(ctx, &m, &r);
        assert_all_used(&m);
        double cap = 0; /* area of the upper cap */
        for (size_t t = 0; t < m.triangle_count; t++) {
            const rill_vec3 p = m.position[m.triangle[t][0]], q = m.position[m.triangle[t][1]],
                            s = m.position[m.triangle[t][2]];
            if (p.z > 3 && q.z > 3 && s.z > 3) {
                const double twice = v3_cross(v3_sub(q, p), v3_sub(s, p)).z;
                assert_true(twice > 0);
                cap += twice / 2;
            }
        }
        assert_true(fabs(r.volume - 0.25 * cap) <= 1e-12);
        trimesh_clear(ctx, &m);
        level_grid_clear(ctx, &g);
    }
    rill_ctx_destroy(ctx);
}

/* Blocks with no samples: the same mesh as with samples all of one value. */
static void uniform_blocks_count(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const noise n = {7, 24, 1, 0.5};
    const int32_t low[3] = {0, 0, 0}, high[3] = {2, 2, 2};
    level_grid g = grid_of(ctx, 1, low, high, noise_at, &n);
    const size_t in = block_map_find(&g.map, 1, 1, 1), off = block_map_find(&g.map, 2, 0, 1);
    for (int s = 0; s < LEVEL_SAMPLES; s++) {
        g.value[in * LEVEL_SAMPLES + (size_t)s] = 1;
        g.value[off * LEVEL_SAMPLES + (size_t)s] = -1;
    }
    trimesh a = {0}, b = {0};
    assert_ok(ctx, isosurface_build(ctx, &g, &a, NULL));
    g.slot[in] = LEVEL_INSIDE;
    g.slot[off] = LEVEL_OUTSIDE;
    assert_ok(ctx, isosurface_build(ctx, &g, &b, NULL));
    trimesh_report r;
    assert_sound_mesh(ctx, &b, &r);
    assert_int_equal(a.vertex_count, b.vertex_count);
    assert_int_equal(a.triangle_count, b.triangle_count);
    assert_memory_equal(a.position, b.position, a.vertex_count * sizeof *a.position);
    assert_memory_equal(a.triangle, b.triangle, a.triangle_count * sizeof *a.triangle);
    trimesh_clear(ctx, &a);
    trimesh_clear(ctx, &b);
    level_grid_clear(ctx, &g);
    rill_ctx_destroy(ctx);
}

typedef struct {
    double cell;
    rill_vec3 center;
    double radius;
} ball;

static float ball_at(const void *arg, const int at[3])
{
    const ball *b = arg;
    return (float)(b->radius - v3_distance(v3(b->cell * at[0], b->cell * at[1], b->cell * at[2]), b->center));
}

static void sphere_converges(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    double volume_error[3], area_error[3];
    for (int k = 0; k < 3; k++) {
        const double cell = 0.2 / (1 << k);
        const ball b = {cell, {0.013, -0.021, 0.034}, 1};
        const int32_t reach = 1 << k, low[3] = {-reach, -reach, -reach},
                      high[3] = {reach - 1, reach - 1, reach - 1};
        level_grid g = grid_of(ctx, cell, low, high, ball_at, &b);
        trimesh m = {0};
        trimesh_report r;
        assert_ok(ctx, isosurface_build(ctx, &g, &m, NULL));
        assert_sound_mesh(ctx, &m, &r);
        assert_int_equal(m.triangle_count, 2 * (m.vertex_count - 2)); /* Euler: one sphere */
        for (size_t t = 0; t < m.triangle_count; t++) {
            const rill_vec3 p = m.position[m.triangle[t][0]], q = m.position[m.triangle[t][1]],
                            s = m.position[m.triangle[t][2]];
            const rill_vec3 out = v3_sub(v3_scale(v3_add(v3_add(p, q), s), 1.0 / 3), b.center);
            assert_true(v3_dot(v3_cross(v3_sub(q, p), v3_sub(s, p)), out) > 0);
        }
        volume_error[k] = fabs(r.volume / (4 * M_PI / 3) - 1);
        area_error[k] = fabs(r.area / (4 * M_PI) - 1);
        trimesh_clear(ctx, &m);
        level_grid_clear(ctx, &g);
    }
    const double order_v = log2(volume_error[0] / volume_error[2]) / 2;
    const double order_a = log2(area_error[0] / area_error[2]) / 2;
    print_message("sphere: volume error %.2e at 40 cells across, order %.2f; area %.2e, order %.2f\n",
                  volume_error[2], order_v, area_error[2], order_a);
    assert_true(order_v > 1.8 && order_a > 1.8);
    assert_true(volume_error[2] < 5e-3);
    rill_ctx_destroy(ctx);
}

static void threads_agree(void **state)
{
    (void)state;
    const noise n = {11, 40, 0, 0.4};
    const int32_t low[3] = {0, 0, 0}, high[3] = {4, 4, 4};
    trimesh first = {0};
    rill_ctx *keep = test_ctx(1);
    for (int threads = 1; threads <= 3; threads++) {
        rill_ctx *ctx = test_ctx(threads);
        level_grid g = grid_of(ctx, 1, low, high, noise_at, &n);
        trimesh m = {0};
        assert_ok(ctx, isosurface_build(ctx, &g, &m, NULL));
        if (threads == 1) {
            first = trimesh_take(&m);
        } else {
            assert_int_equal(first.vertex_count, m.vertex_count);
            assert_int_equal(first.triangle_count, m.triangle_count);
            assert_memory_equal(first.position, m.position, m.vertex_count * sizeof *m.position);
            assert_memory_equal(first.triangle, m.triangle, m.triangle_count * sizeof *m.triangle);
        }
        trimesh_clear(ctx, &m);
        level_grid_clear(ctx, &g);
        rill_ctx_destroy(ctx);
    }
    trimesh_clear(keep, &first);
    rill_ctx_destroy(keep);
}

static void empty_and_failing(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    level_grid none = {.cell = 1, .layers = 8};
    trimesh m = {0};
    assert_ok(ctx, isosurface_build(ctx, &none, &m, NULL));
    assert_true(m.vertex_count == 0 && m.triangle_count == 0);
    trimesh_clear(ctx, &m);

    const noise n = {3, 8, 0, 0.4};
    const int32_t low[3] = {0, 0, 0};
    level_grid g = grid_of(ctx, 1, low, low, noise_at, &n);
    const uint64_t before = f.live;
    rill_status st = RILL_NO_MEMORY;
    level_patches patches = {0};
    for (uint64_t k = 1; st; k++) {
        f.fail_at = f.calls + k;
        st = isosurface_build(ctx, &g, &m, &patches);
        assert_true(st == RILL_OK || st == RILL_NO_MEMORY);
        if (st) assert_true(f.live == before && m.position == NULL && patches.patch == NULL);
    }
    f.fail_at = 0;
    size_t in_patches = 0;
    for (size_t i = 0; i < patches.count; i++) {
        assert_int_equal(patches.patch[i].first, in_patches);
        in_patches += patches.patch[i].count;
    }
    assert_int_equal(in_patches, m.vertex_count);
    mem_free(ctx, patches.patch);
    trimesh_clear(ctx, &m);
    level_grid_clear(ctx, &g);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pattern_has_triangles),
        cmocka_unit_test(random_fields_are_closed_manifolds),
        cmocka_unit_test(random_planes_are_closed_manifolds),
        cmocka_unit_test(uniform_blocks_count),
        cmocka_unit_test(sphere_converges),
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(empty_and_failing),
    };
    return cmocka_run_group_tests_name("isosurface", tests, NULL, NULL);
}
