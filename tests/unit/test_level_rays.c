/* Rays against a sampled level set: beside a field that is known, beside its mesh, and beside the same
 * picture made of triangles. */
#include "support.h"

#include "base/random.h"
#include "geom/iso/isosurface.h"
#include "geom/iso/level_rays.h"
#include "geom/mesh/rays.h"
#include "render/render.h"
#include "surface/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Spheres as a field: level 0, radius minus distance; every block around them is sampled. */
static void sample_ball(rill_ctx *ctx, rill_vec3 center, double radius, double cell, level_grid *out)
{
    level_grid g = {.cell = cell, .layers = 8, .outside = -1, .inside = 1};
    g.origin = v3(-0.37, 0.11, -5);
    const rill_vec3 low = v3_sub(v3_sub(center, v3(radius, radius, radius)), g.origin);
    int32_t first[3], last[3];
    for (int a = 0; a < 3; a++) {
        first[a] = (int32_t)floor(v3_axis(low, a) / (8 * cell)) - 1;
        last[a] = (int32_t)floor((v3_axis(low, a) + 2 * radius) / (8 * cell)) + 1;
    }
    for (int32_t z = first[2]; z <= last[2]; z++)
        for (int32_t y = first[1]; y <= last[1]; y++)
            for (int32_t x = first[0]; x <= last[0]; x++) assert_ok(ctx, block_map_add(ctx, &g.map, x, y, z));
    assert_ok(ctx, MEM_NEW(ctx, g.slot, g.map.count));
    assert_ok(ctx, MEM_NEW(ctx, g.value, g.map.count * LEVEL_SAMPLES));
    for (size_t b = 0; b < g.map.count; b++) {
        g.slot[b] = (uint32_t)b;
        for (int i = 0; i < LEVEL_SAMPLES; i++) {
            const rill_vec3 at = v3(8 * g.map.block[b][0] + i % 8, 8 * g.map.block[b][1] + i / 8 % 8,
                                    8 * g.map.block[b][2] + i / 64);
            g.value[b * LEVEL_SAMPLES + (size_t)i] =
                (float)(radius - v3_distance(v3_madd(g.origin, cell, at), center));
        }
    }
    *out = g;
}

static rill_vec3 random_direction(uint64_t id)
{
    const random4 r = random_at(5, id, 0, 0), q = random_at(5, id, 0, 1);
    return v3_unit(v3(random_unit(r.v[0], r.v[1]) - 0.5, random_unit(r.v[2], r.v[3]) - 0.5,
                      random_unit(q.v[0], q.v[1]) - 0.5));
}

/* In and out again, at the places of a sphere up to the error of interpolation, which goes with h^2. */
static void a_ball_is_met_where_it_is(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const rill_vec3 center = v3(0.3, 0.7, -4.6);
    const double radius = 0.4;
    double worst[2] = {0, 0}, turned[2] = {0, 0};
    for (int fine = 0; fine < 2; fine++) {
        level_grid g;
        level_rays r;
        sample_ball(ctx, center, radius, fine ? 0.02 : 0.04, &g);
        assert_ok(ctx, level_rays_build(ctx, &g, 0, &r));
        for (uint64_t i = 0; i < 4000; i++) {
            const rill_vec3 d = random_direction(i), side = v3_cross(d, random_direction(i + 10000));
            const double off = v3_length(side) < 0.9 ? v3_length(side) * radius : 0.5 * radius;
            const rill_vec3 o = v3_madd(v3_madd(center, -3, d), off, v3_unit(side));
            const double half = sqrt(radius * radius - off * off);
            level_hit in, out;
            assert_true(level_rays_intersect(&r, o, d, 0, 9, &in));
            assert_true(level_rays_occluded(&r, o, d, 0, 9));
            assert_true(level_rays_intersect(&r, o, d, in.t + 0.05 * radius, 9, &out));
            assert_false(level_rays_intersect(&r, o, d, out.t + 1e-6, 9, &out));
            assert_false(level_rays_occluded(&r, o, d, 0, in.t - 1e-6));
            const double slant = half / radius; /* a grazing ray feels the error more */
            worst[fine] = fmax(worst[fine], fabs(in.t - (3 - half)) * slant);
            worst[fine] = fmax(worst[fine], fabs(out.t - (3 + half)) * slant);
            const rill_vec3 n = v3_unit(v3_sub(v3_madd(o, in.t, d), center));
            turned[fine] = fmax(turned[fine], v3_distance(n, in.normal));
        }
        assert_false(level_rays_intersect(&r, v3(0, 9, 0), v3(0, 1, 0), 0, 100, &(level_hit){0}));
        level_rays_clear(ctx, &r);
        level_grid_clear(ctx, &g);
    }
    assert_true(worst[0] < 1.5e-3 && worst[1] < worst[0] / 3);
    assert_true(turned[0] < 0.02 && turned[1] < turned[0] / 2);
    rill_ctx_destroy(ctx);
}

/* Straight along the grid's planes and through its corners. */
static void along_the_grid(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    level_grid g;
    level_rays r;
    const double cell = 0.04, radius = 0.4;
    sample_ball(ctx, v3(-0.37 + 16 * cell, 0.11 + 16 * cell, -5 + 16 * cell), radius, cell, &g);
    assert_ok(ctx, level_rays_build(ctx, &g, 0, &r));
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2)
            for (int shift = -2; shift <= 2; shift++) {
                rill_vec3 d = v3(0, 0, 0), o = v3_madd(g.origin, 16 * cell, v3(1, 1, 1));
                v3_set_axis(&d, axis, sign);
                v3_set_axis(&o, (axis + 1) % 3, v3_axis(o, (axis + 1) % 3) + shift * cell);
                level_hit h;
                assert_true(level_rays_intersect(&r, v3_madd(o, -2, d), d, 0, 9, &h));
                assert_true(fabs(h.t - (2 - sqrt(radius * radius - shift * shift * cell * cell))) < 1e-3);
                assert_true(level_rays_intersect(&r, o, d, 0, 9, &h)); /* from inside, out */
                assert_true(v3_dot(h.normal, d) > 0.9);
            }
    level_rays_clear(ctx, &r);
    level_grid_clear(ctx, &g);
    rill_ctx_destroy(ctx);
}

/* A drop of jittered particles over a sheet of them. */
static void make_liquid(rill_ctx *ctx, particles *p, int dimensions)
{
    *p = (particles){0};
    for (int i = 0; i < 40 * 20 * (dimensions == 2 ? 1 : 20); i++) {
        const random4 r = random_at(7, (uint64_t)i, 0, 0);
        const rill_vec3 x =
            v3(i % 40 + 0.5 + 0.3 * random_unit(r.v[0], r.v[1]),
               i / 40 % 20 + 0.5 + 0.3 * random_unit(r.v[2], r.v[3]), dimensions == 2 ? 0 : i / 800 + 0.5);
        const rill_vec3 away = v3_sub(x, v3(25, 13, dimensions == 2 ? 0 : 10));
        if (x.y > 4 && v3_length(away) > 5) continue;
        const rill_vec3 at = v3_scale(x, 0.05);
        assert_ok(ctx, particles_append(ctx, p, 1, &at, NULL));
    }
}

/* The mesh is made of the same samples: almost every ray meets both within a fraction of a cell, with
 * normals that agree. */
static void the_mesh_is_in_the_same_place(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        particles p;
        level_grid g;
        level_rays r;
        trimesh m;
        rays *e;
        make_liquid(ctx, &p, dimensions);
        surface_def def = surface_def_default();
        def.spacing = 0.05;
        def.dimensions = dimensions;
        assert_ok(ctx, surface_field(ctx, &p, &def, &g));
        assert_ok(ctx, level_rays_build(ctx, &g, def.spacing, &r));
        assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
        const rays_def how = {.origin = v3(1, 0.5, 0.5), .mesh = &m};
        assert_ok(ctx, rays_create(ctx, &how, &e));
        int both = 0, one = 0, near = 0, agree = 0;
        for (uint64_t i = 0; i < 20000; i++) {
            rill_vec3 d = random_direction(i);
            const rill_vec3 t = random_direction(i + 50000);
            if (dimensions == 2) d = v3_unit(v3(d.x, d.y, 0.3 * d.z));
            const rill_vec3 target =
                                v3(1 + t.x, 0.5 + 0.5 * t.y, dimensions == 2 ? 0.02 * t.z : 0.5 + 0.5 * t.z),
                            o = v3_madd(target, -4, d);
            level_hit h;
            rays_hit f;
            const bool a = level_rays_intersect(&r, o, d, 0, 99, &h), b = rays_intersect(e, o, d, 0, 99, &f);
            one += a != b;
            if (!a || !b) continue;
            both++;
            near += fabs(h.t - f.t) < 0.25 * g.cell;
            agree += v3_dot(h.normal, f.normal) > 0.9;
        }
        assert_true(both > 5000);
        assert_true(one < both / 50);
        assert_true(near > both - both / 25);
        assert_true(agree > both - both / 12); /* of triangles, which are flat */
        rays_destroy(ctx, e);
        trimesh_clear(ctx, &m);
        level_rays_clear(ctx, &r);
        level_grid_clear(ctx, &g);
        particles_clear(ctx, &p);
    }
    rill_ctx_destroy(ctx);
}

/* The same scene drawn both ways: silhouettes and colours agree but for a rim of pixels, and the
 * picture does not depend on threads. */
static void pictures_agree(void **state)
{
    (void)state;
    image shown[4] = {0};
    rill_ctx *keep = test_ctx(1);
    for (int k = 0; k < 4; k++) { /* none, mesh, field, field with other threads */
        rill_ctx *ctx = test_ctx(k == 3 ? 3 : 1);
        particles p;
        level_grid g;
        trimesh m;
        make_liquid(ctx, &p, 3);
        surface_def def = surface_def_default();
        def.spacing = 0.05;
        assert_ok(ctx, surface_field(ctx, &p, &def, &g));
        assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
        const rill_scene scene = {
            .dimensions = 3, .domain = {.max = {2, 1, 1}}, .gravity = {0, -9.81, 0}, .spacing = 0.05};
        const rill_view view = {.spacing = 0.05, .dimensions = 3, .domain = {{0, 0, 0}, {2, 1, 1}}};
        render_def how = render_def_default();
        how.width = 240, how.height = 135;
        image im = {0};
        assert_ok(ctx, k >= 2 ? render_field(ctx, &scene, &view, &g, &how, &im)
                              : render_view(ctx, &scene, &view, k == 1 ? &m : NULL, &how, &im));
        shown[k] = im;
        assert_ok(keep, MEM_NEW(keep, shown[k].rgb, 3u * 240 * 135));
        memcpy(shown[k].rgb, im.rgb, 3u * 240 * 135);
        image_clear(ctx, &im);
        trimesh_clear(ctx, &m);
        level_grid_clear(ctx, &g);
        particles_clear(ctx, &p);
        rill_ctx_destroy(ctx);
    }
    assert_memory_equal(shown[2].rgb, shown[3].rgb, 3u * 240 * 135);
    int water[2] = {0, 0}, differ = 0;
    double off = 0;
    for (int i = 0; i < 240 * 135; i++) {
        bool wet[2];
        for (int k = 0; k < 2; k++) {
            int change = 0;
            for (int c = 0; c < 3; c++) change += abs(shown[k + 1].rgb[3 * i + c] - shown[0].rgb[3 * i + c]);
            wet[k] = change > 24;
            water[k] += wet[k];
        }
        differ += wet[0] != wet[1];
        for (int c = 0; c < 3 && wet[0] && wet[1]; c++)
            off += abs(shown[1].rgb[3 * i + c] - shown[2].rgb[3 * i + c]);
    }
    assert_true(water[0] > 4000);
    assert_true(differ < water[0] / 50);
    assert_true(off / (3.0 * water[0]) < 6); /* of 255 */
    for (int k = 0; k < 4; k++) image_clear(keep, &shown[k]);
    rill_ctx_destroy(keep);
}

static void nothing_to_meet(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const particles none = {0};
    const surface_def def = surface_def_default();
    level_grid g;
    level_rays r;
    assert_ok(ctx, surface_field(ctx, &none, &def, &g));
    assert_ok(ctx, level_rays_build(ctx, &g, 0, &r));
    assert_false(level_rays_occluded(&r, v3(0, 0, 0), v3(1, 0, 0), 0, 1e9));
    level_rays_clear(ctx, &r);
    level_grid_clear(ctx, &g);
    rill_ctx_destroy(ctx);
}

static void survives_failed_allocations(void **state)
{
    (void)state;
    rill_status st = RILL_NO_MEMORY;
    for (uint64_t n = 1; st; n++) {
        failing_allocator f = {.fail_at = 0};
        rill_ctx *ctx = test_ctx_failing(1, &f);
        particles p;
        make_liquid(ctx, &p, 2);
        const uint64_t live = f.live;
        surface_def def = surface_def_default();
        def.spacing = 0.05;
        def.dimensions = 2;
        level_grid g = {.cell = -7};
        level_rays r = {.thickness = -7};
        f.fail_at = f.calls + n;
        st = surface_field(ctx, &p, &def, &g);
        if (!st) st = level_rays_build(ctx, &g, def.spacing, &r);
        if (st) {
            assert_int_equal(st, RILL_NO_MEMORY);
            assert_true(r.thickness == -7);
        } else {
            level_rays_clear(ctx, &r);
        }
        if (g.cell != -7) level_grid_clear(ctx, &g);
        assert_int_equal(f.live, live);
        particles_clear(ctx, &p);
        rill_ctx_destroy(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_is_met_where_it_is),
        cmocka_unit_test(along_the_grid),
        cmocka_unit_test(the_mesh_is_in_the_same_place),
        cmocka_unit_test(pictures_agree),
        cmocka_unit_test(nothing_to_meet),
        cmocka_unit_test(survives_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
