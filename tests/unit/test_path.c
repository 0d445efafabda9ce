/* The path tracer: optics by formulas, energy, absorption, media, convergence, and pictures that are the
 * same for any number of threads and never without a number. */
#include "mesh_makers.h"
#include "path_sets.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = OPTICS_PI;

/* ---- optics ---- */

/* Against the forms with angles (Fresnel 1823), which share no line with the ones in use. */
static double fresnel_by_angles(double a, double index)
{
    const double s = sin(a) / index;
    if (s >= 1) return 1;
    const double b = asin(s);
    if (a < 1e-9) return pow((index - 1) / (index + 1), 2);
    const double across = sin(a - b) / sin(a + b), along = tan(a - b) / tan(a + b);
    return (across * across + along * along) / 2;
}

static void fresnel_and_snell_hold(void **state)
{
    (void)state;
    static const double index[] = {1.333, 1.5, 2.4, 1 / 1.333, 1 / 1.5};
    const rill_vec3 n = v3(0, 0, 1);
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 90; i++) {
            const double a = i * pi / 180;
            const rill_vec3 d = v3(sin(a), 0, -cos(a));
            rill_vec3 through;
            assert_true(fabs(optics_fresnel(cos(a), index[k]) - fresnel_by_angles(a, index[k])) < 1e-9);
            const bool goes = optics_refract(d, n, index[k], &through);
            assert_true(goes == (sin(a) / index[k] < 1));
            if (goes) assert_true(fabs(atan2(through.x, -through.z) - asin(sin(a) / index[k])) < 1e-9);
            assert_true(v3_distance(optics_reflect(d, n), v3(sin(a), 0, cos(a))) < 1e-12);
        }
    /* At Brewster's angle only light across the plane is reflected. */
    const double brewster = atan(1.5), across = sin(brewster - (pi / 2 - brewster));
    assert_true(fabs(optics_fresnel(cos(brewster), 1.5) - across * across / 2) < 1e-12);
}

/* The density is that of the samples: their mean of 1 / pdf is the solid angle they can reach. */
static void materials_are_reciprocal_and_normal(void **state)
{
    (void)state;
    for (int kind = MATERIAL_DIFFUSE; kind <= MATERIAL_METAL; kind++)
        for (double rough = 0.2; rough < 1.1; rough += 0.4) {
            const scene_material look = {
                .kind = kind, .color = {0.8, 0.5, 0.3}, .roughness = rough, .index = 1.5};
            const material m = material_of(&look);
            const rill_vec3 out = v3_unit(v3(0.6, 0.2, 0.7));
            double whole = 0;
            enum { SIDE = 256 };
            for (int i = 0; i < SIDE; i++)
                for (int j = 0; j < SIDE; j++) { /* even over the hemisphere */
                    const double z = (i + 0.5) / SIDE, r = sqrt(1 - z * z), t = 2 * pi * (j + 0.5) / SIDE;
                    const rill_vec3 in = v3(r * cos(t), r * sin(t), z);
                    whole += material_pdf(&m, look.color, out, in) * 2 * pi / (SIDE * SIDE);
                    const rill_vec3 there = v3_scale(material_eval(&m, look.color, out, in), 1 / in.z),
                                    back = v3_scale(material_eval(&m, look.color, in, out), 1 / out.z);
                    assert_true(v3_distance(there, back) <= 1e-9 * (1 + v3_length(there)));
                }
            assert_true(whole < 1.002 && whole > (kind == MATERIAL_DIFFUSE ? 0.998 : 0.8));
        }
}

/* Any sixteen first samples lie in sixteen different squares. */
static void dice_are_stratified(void **state)
{
    (void)state;
    for (uint64_t pixel = 0; pixel < 50; pixel++)
        for (uint32_t dimension = 0; dimension < 5; dimension++) {
            bool taken[16] = {false};
            for (uint32_t k = 0; k < 16; k++) {
                dice d = dice_of(pixel, k, 1);
                double at[2];
                for (uint32_t i = 0; i <= dimension; i++) dice_throw(&d, at);
                assert_true(at[0] >= 0 && at[0] < 1 && at[1] >= 0 && at[1] < 1);
                const int square = (int)(at[0] * 4) * 4 + (int)(at[1] * 4);
                assert_false(taken[square]);
                taken[square] = true;
            }
        }
}

/* ---- light ---- */

/* In white light from everywhere a white thing is not to be seen, whatever it is made of. */
static void white_furnace_is_white(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (int kind = MATERIAL_DIFFUSE; kind <= MATERIAL_GLASS; kind++)
        for (double rough = 0; rough <= 1; rough += 0.25) {
            set s = set_make(ctx);
            studio w = {0};
            sky k = {0};
            scene_solid *solid = set_solid(ctx, &s, ball(1, 0.5, 0.5, 0.3), kind);
            solid->material.roughness = rough;
            assert_ok(ctx, studio_create(ctx, &s.scene, &s.view, NULL, NULL, &w));
            assert_ok(ctx, sky_uniform(ctx, v3(1, 1, 1), &k));
            w.has_ground = false;
            const tracer t = {.studio = &w, .sky = &k, .bounces = 200};
            const rill_vec3 c = mean_along(&t, v3(1, 0.5, 3), v3(1, 0.5, 0.5), 0.5, 4096);
            if (fabs(c.y - 1) > 0.005) fail_msg("kind %d, roughness %g: %g", kind, rough, c.y);
            studio_clear(ctx, &w);
            sky_clear(ctx, &k);
            set_clear(ctx, &s);
        }
    rill_ctx_destroy(ctx);
}

/* A slab 0.4 m thick, with and without reflection at its faces: (1-R)^2 T / (1 - R T) ... of all orders. */
static void slab_absorbs_as_beer_and_lambert(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (int liquid = 0; liquid < 2; liquid++)
        for (int dense = 0; dense < 2; dense++) {
            set s = set_make(ctx);
            studio w = {0};
            sky k = {0};
            scene_material *look = &s.scene.render.liquid;
            if (liquid)
                s.surface = make_moved(make_cube(ctx, 0.5), v3(1, 0.5, 0.5), v3(1.8, 0.9, 0.4));
            else
                look = &set_solid(ctx, &s, block(v3(0.1, 0.05, 0.3), v3(1.9, 0.95, 0.7)), MATERIAL_GLASS)
                            ->material;
            look->index = dense ? 1.333 : 1;
            look->absorption = v3(0.5, 3, 0);
            assert_ok(ctx, studio_create(ctx, &s.scene, &s.view, liquid ? &s.surface : NULL, NULL, &w));
            assert_ok(ctx, sky_uniform(ctx, v3(1, 1, 1), &k));
            w.has_ground = false;
            const tracer t = {.studio = &w, .sky = &k, .bounces = 1000};
            const rill_vec3 c = mean_along(&t, v3(1.01, 0.52, 3), v3(1.01, 0.52, 0.5), 0, 8192);
            const double r = dense ? pow(0.333 / 2.333, 2) : 0, a[3] = {0.5, 3, 0};
            const double got[3] = {c.x, c.y, c.z};
            for (int i = 0; i < 3; i++) {
                const double kept = exp(-0.4 * a[i]);
                const double want = r + (1 - r) * (1 - r) * kept / (1 - r * kept);
                if (fabs(got[i] / want - 1) > 0.005) fail_msg("channel %d: %g, not %g", i, got[i], want);
            }
            studio_clear(ctx, &w);
            sky_clear(ctx, &k);
            set_clear(ctx, &s);
        }
    rill_ctx_destroy(ctx);
}

/* A ray through a plate leaves in its own direction, shifted as Snell's law says. */
static void plate_shifts_a_ray(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    set s = set_make(ctx);
    studio w = {0};
    scene_solid *plate = set_solid(ctx, &s, block(v3(0.05, 0.4, 0.05), v3(1.95, 0.6, 0.95)), MATERIAL_GLASS);
    plate->material.index = 1.5;
    const double through[3] = {0.999999, 0, 0};
    assert_ok(ctx, studio_create(ctx, &s.scene, &s.view, NULL, NULL, &w));
    for (int i = 0; i < 60; i++) {
        const double a = i * pi / 180, b = asin(sin(a) / 1.5);
        rill_vec3 d = v3(sin(a), -cos(a), 0), weight = v3(1, 1, 1);
        studio_ray r = {.origin = v3_madd(v3(1, 0.6, 0.5), -0.3, d), .direction = d, .to = INFINITY};
        media m = studio_media_at(&w, r.origin);
        studio_hit h;
        assert_true(studio_intersect(&w, &r, &h) && fabs(h.t - 0.3) < 1e-9);
        assert_true(studio_cross(&w, &h, through, &m, &d, &weight));
        assert_true(fabs(atan2(d.x, -d.y) - b) < 1e-4 && m.count == 1);
        r.origin = v3_madd(h.point, -w.skin, h.face), r.direction = d;
        assert_true(studio_intersect(&w, &r, &h) && h.thing == 0);
        assert_true(fabs(h.point.x - (1 + 0.2 * tan(b))) < 1e-4);
        assert_true(studio_cross(&w, &h, through, &m, &d, &weight));
        assert_true(fabs(atan2(d.x, -d.y) - a) < 1e-4 && m.count == 0);
    }
    studio_clear(ctx, &w);
    set_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* Water that reaches into the wall of its glass: air, glass, water, and no water in the glass. */
static void priorities_tell_what_is_there(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    set s = set_make(ctx);
    studio w = {0};
    scene_solid *wall = set_solid(ctx, &s, block(v3(0.5, 0, 0.1), v3(0.6, 0.9, 0.9)), MATERIAL_GLASS);
    wall->material.index = 1.5;
    s.surface = make_moved(make_cube(ctx, 0.5), v3(0.9, 0.4, 0.5), v3(0.7, 0.6, 0.6)); /* from x = 0.55 */
    assert_ok(ctx, studio_create(ctx, &s.scene, &s.view, &s.surface, NULL, &w));
    static const double index[] = {1, 1.5, 1.5, 1.333, 1}; /* between the surfaces at 0.5, 0.55, 0.6, 1.25 */
    studio_ray r = {.origin = v3(0.2, 0.41, 0.52), .direction = v3(1, 0, 0), .to = INFINITY};
    media m = studio_media_at(&w, r.origin);
    for (int k = 0; k < 4; k++) {
        studio_hit h;
        assert_true(studio_intersect(&w, &r, &h));
        const media_border b = studio_border(&w, &m, h.thing, h.face.x < 0);
        assert_true(studio_index(&w, b.from) == index[k] && studio_index(&w, b.to) == index[k + 1]);
        assert_true((b.from == b.to) == (k == 1));
        m = b.after;
        r.origin = v3_madd(h.point, w.skin, r.direction);
    }
    const media in_both = studio_media_at(&w, v3(0.57, 0.41, 0.52));
    assert_int_equal(in_both.count, 2);
    assert_int_equal(studio_medium(&w, &in_both), 0);
    const media in_water = studio_media_at(&w, v3(0.9, 0.41, 0.52));
    assert_true(in_water.count == 1 && in_water.thing[0] == studio_liquid(&w));
    studio_clear(ctx, &w);
    set_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* What surfaces a ray meets by stepping, against the formulas of the same solids. */
static void stepping_finds_what_formulas_find(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    set plain = set_make(ctx), combined = set_make(ctx);
    studio a = {0}, b = {0};
    scene_solid *solid = set_solid(ctx, &plain, ball(1, 0.5, 0.5, 0.3), MATERIAL_GLASS);
    solid->transform.rotate = v3(0, 0, 20);
    shape *part = NULL;
    assert_ok(ctx, MEM_NEW_ZERO(ctx, part, 1));
    part[0] = ball(1, 0.5, 0.5, 0.3);
    const shape whole = {.kind = SHAPE_UNION, .parts = {part, 1}};
    solid = set_solid(ctx, &combined, whole, MATERIAL_GLASS);
    solid->transform.rotate = v3(0, 0, 20);
    assert_ok(ctx, studio_create(ctx, &plain.scene, &plain.view, NULL, NULL, &a));
    assert_ok(ctx, studio_create(ctx, &combined.scene, &combined.view, NULL, NULL, &b));
    for (uint32_t i = 0; i < 2000; i++) {
        dice d = dice_of(3, i, 2);
        double u[6];
        for (int k = 0; k < 3; k++) dice_throw(&d, u + 2 * k);
        const studio_ray r = {.origin = v3(2 * u[0], 0.05 + 0.9 * u[1], u[2]),
                              .direction = v3_unit(v3(u[3] - 0.5, u[4] - 0.5, u[5] - 0.5)),
                              .to = INFINITY};
        studio_hit x, y;
        const bool one = studio_meet_solid(&a, 0, &r, 10, &x), other = studio_meet_solid(&b, 0, &r, 10, &y);
        if (one && other) {
            assert_true(fabs(x.t - y.t) < 1e-6);
            assert_true(v3_distance(x.face, y.face) < 1e-4);
        } else if (one) /* a chord shorter than a step */
            assert_true(fabs(v3_dot(x.face, r.direction)) < 0.02);
        else
            assert_false(other);
    }
    studio_clear(ctx, &a);
    studio_clear(ctx, &b);
    set_clear(ctx, &plain);
    set_clear(ctx, &combined);
    rill_ctx_destroy(ctx);
}

/* ---- pictures ---- */

/* Glass, plastic, metal, water, two lamps; the ground and the sky. */
static set full_set(rill_ctx *ctx)
{
    set s = set_make(ctx);
    set_solid(ctx, &s, ball(1.5, 0.2, 0.7, 0.2), MATERIAL_GLASS);
    set_solid(ctx, &s, block(v3(1.2, 0, 0.1), v3(1.5, 0.4, 0.3)), MATERIAL_PLASTIC)->material.color =
        v3(0.7, 0.2, 0.1);
    set_solid(ctx, &s, ball(0.3, 0.3, 0.8, 0.15), MATERIAL_METAL)->material.emission = v3(0.1, 0.2, 0.1);
    s.surface = make_moved(make_icosphere(ctx, 0.3, 3), v3(0.7, 0.3, 0.5), v3(1, 1, 1));
    assert_ok(ctx, MEM_NEW_ZERO(ctx, s.scene.render.lamps, 2));
    s.scene.render.lamp_count = 2;
    s.scene.render.lamps[0] = (scene_lamp){{1, 1.5, 1}, {0, -1, 0}, {1, 0.9, 0.8}, 0.3, 4};
    s.scene.render.lamps[1] = (scene_lamp){{0.2, 0.9, 0.2}, {0, -1, 0}, {1, 1, 1}, 0, 1};
    return s;
}

static void same_for_any_threads(void **state)
{
    (void)state;
    for (int caustics = CAUSTICS_NONE; caustics <= CAUSTICS_PHOTONS; caustics++) {
        path_picture first = {0};
        rill_ctx *keep = test_ctx(1);
        for (int threads = 1; threads <= 3; threads++) {
            rill_ctx *ctx = test_ctx(threads);
            set s = full_set(ctx);
            s.scene.render.caustics = caustics;
            s.scene.render.edges = true;
            path_def def = tiny(48, 27, 32);
            def.noise = 0.1;
            path_picture p = {0};
            assert_ok(ctx, path_draw(ctx, &s.scene, &s.view, &s.surface, &def, &p));
            if (threads == 1) {
                assert_ok(keep, picture_create(keep, 48, 27, &first));
                memcpy(first.rgb, p.rgb, 48 * 27 * 3 * sizeof(float));
            }
            assert_memory_equal(first.rgb, p.rgb, 48 * 27 * 3 * sizeof(float));
            picture_clear(ctx, &p);
            set_clear(ctx, &s);
            rill_ctx_destroy(ctx);
        }
        picture_clear(keep, &first);
        rill_ctx_destroy(keep);
    }
}

/* Inside the water, the glass and the metal, on a lamp, under the ground, at a surface. */
static void every_pixel_is_a_number(void **state)
{
    (void)state;
    static const rill_vec3 eyes[] = {{0.7, 0.3, 0.5}, {1.5, 0.2, 0.7}, {0.3, 0.3, 0.8}, {0.2, 0.9, 0.2},
                                     {1, -1, 0.5},    {1, 0.3, 0.5},   {1, 1.5, 1},     {1.3, 0.2, 0.2}};
    rill_ctx *ctx = test_ctx(2);
    for (size_t k = 0; k < sizeof eyes / sizeof *eyes; k++)
        for (int round = 0; round < 3; round++) {
            set s = full_set(ctx);
            s.scene.camera.eye = eyes[k];
            s.scene.camera.target = v3(1.02, 0.33, 0.47);
            s.scene.camera.aperture = round == 1 ? 0.1 : 0;
            s.scene.render.shutter = round == 1 ? 1 : 0;
            s.scene.render.sky.sun_size = round == 2 ? 0 : 1;
            s.scene.render.lamps[0].radius = round == 2 ? 0 : 0.3;
            if (round == 2) { /* none was given */
                mem_free(ctx, s.scene.solids[1].material.texture);
                s.scene.solids[1].material = (scene_material){0};
            }
            path_def def = tiny(12, 7, 8);
            def.denoise = round != 0;
            path_picture p = {0};
            assert_ok(ctx, path_draw(ctx, &s.scene, &s.view, &s.surface, &def, &p));
            for (int i = 0; i < 12 * 7 * 3; i++) assert_true(isfinite(p.rgb[i]) && p.rgb[i] >= 0);
            picture_clear(ctx, &p);
            set_clear(ctx, &s);
        }
    rill_ctx_destroy(ctx);
}

/* From inside an opaque solid one sees what is around it; a lamp too small to be met is a point. */
static void odd_cameras_and_lamps_still_see(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    double mean[3] = {0};
    for (int round = 0; round < 3; round++) {
        set s = full_set(ctx);
        s.scene.render.caustics = CAUSTICS_PHOTONS;
        s.scene.render.lamps[0].radius = round == 1 ? 0 : round == 2 ? 1e-300 : 0.3;
        s.scene.camera.eye = round == 0 ? v3(1.35, 0.2, 0.2) : v3(3, 1, 3); /* inside the block */
        s.scene.camera.target = v3(0.7, 0.3, 0.5);
        path_def def = tiny(16, 9, 16);
        path_picture p = {0};
        assert_ok(ctx, path_draw(ctx, &s.scene, &s.view, &s.surface, &def, &p));
        for (int i = 0; i < 16 * 9 * 3; i++) mean[round] += p.rgb[i] / (16 * 9 * 3.0);
        picture_clear(ctx, &p);
        set_clear(ctx, &s);
    }
    assert_true(mean[0] > 0.02 && fabs(mean[1] / mean[2] - 1) < 1e-6);
    rill_ctx_destroy(ctx);
}

/* The error of a picture falls by half, or more, with four times the samples. */
static void error_falls_with_samples(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    set s = full_set(ctx);
    enum { W = 16, H = 9, PIXELS = 3 * W * H };
    static const int samples[] = {4096, 16, 64, 256};
    path_picture p[4] = {{0}};
    double error[4] = {0};
    for (int k = 0; k < 4; k++) {
        path_def def = tiny(W, H, unless_sanitized(samples[k], 1 + samples[k] / 64));
        def.denoise = false;
        assert_ok(ctx, path_draw(ctx, &s.scene, &s.view, &s.surface, &def, &p[k]));
        for (int i = 0; i < PIXELS; i++) {
            const double d = p[k].rgb[i] - p[0].rgb[i];
            error[k] += d * d / (0.01 + p[0].rgb[i] * p[0].rgb[i]) / PIXELS;
        }
    }
    print_message("relative error at 16, 64, 256 samples: %.4f %.4f %.4f\n", sqrt(error[1]), sqrt(error[2]),
                  sqrt(error[3]));
    if (unless_sanitized(1, 0)) {
        assert_true(sqrt(error[3] / error[1]) < 0.25 * 1.15);
    }
    for (int k = 0; k < 4; k++) picture_clear(ctx, &p[k]);
    set_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* A blurred picture is the mean of pictures at times while the shutter is open. */
static void motion_blur_is_a_mean_over_time(void **state)
{
    (void)state;
    enum { W = 32, H = 18, TIMES = 32, VALUES = 3 * W * H };
    rill_ctx *ctx = test_ctx(2);
    set s = set_make(ctx);
    static const rill_vec3 velocity = {9, 3, 0};
    s.surface = make_moved(make_icosphere(ctx, 0.25, 3), v3(1, 0.5, 0.5), v3(1, 1, 1));
    s.scene.render.liquid.kind = MATERIAL_PLASTIC;
    s.scene.time.fps = 30;
    trimesh_column *column = &s.surface.column[s.surface.column_count++];
    strcpy(column->name, "velocity");
    column->width = 3;
    assert_ok(ctx, MEM_NEW(ctx, column->value, 3 * s.surface.vertex_count));
    for (size_t i = 0; i < s.surface.vertex_count; i++)
        for (int k = 0; k < 3; k++) column->value[3 * i + (size_t)k] = (float)v3_axis(velocity, k);
    path_def def = tiny(W, H, 512);
    def.denoise = false;
    path_picture blurred = {0};
    s.scene.render.shutter = 1;
    assert_ok(ctx, path_draw(ctx, &s.scene, &s.view, &s.surface, &def, &blurred));
    s.scene.render.shutter = 0;
    double mean[VALUES] = {0}, error = 0;
    def.samples = 32;
    for (int t = 0; t < TIMES; t++) {
        const rill_vec3 by = v3_scale(velocity, ((t + 0.5) / TIMES - 0.5) / 30);
        trimesh moved = make_moved(make_icosphere(ctx, 0.25, 3), v3_add(v3(1, 0.5, 0.5), by), v3(1, 1, 1));
        path_picture p = {0};
        assert_ok(ctx, path_draw(ctx, &s.scene, &s.view, &moved, &def, &p));
        for (int i = 0; i < VALUES; i++) mean[i] += fmin(p.rgb[i], 1) / TIMES;
        picture_clear(ctx, &p);
        trimesh_clear(ctx, &moved);
    }
    for (int i = 0; i < VALUES; i++) error += pow(fmin(blurred.rgb[i], 1) - mean[i], 2) / VALUES;
    const double db = -10 * log10(error);
    print_message("motion blur against the mean of 32 pictures: %.1f dB\n", db);
    assert_true(db > 35);
    picture_clear(ctx, &blurred);
    set_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* Photons carry what a flat layer lets through: the light on the floor below, by Fresnel and Beer. */
static void photons_carry_the_sun(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    set s = set_make(ctx);
    studio w = {0};
    sky k = {0};
    photon_map map = {0};
    s.surface = make_moved(make_cube(ctx, 0.5), v3(1, 0.1, 0.5), v3(1.9, 0.2, 0.9)); /* on the ground */
    s.scene.render.liquid.absorption = v3(0, 0.5, 1);
    assert_ok(ctx, studio_create(ctx, &s.scene, &s.view, &s.surface, NULL, &w));
    assert_ok(ctx, sky_create(ctx, &s.scene.render.sky, &k));
    assert_ok(ctx, photon_map_create(ctx, &w, &k, 1 << 18, 32, &map));
    const double up = k.sun.y, inside = sqrt(1 - (1 - up * up) / (1.333 * 1.333));
    const double share = up * (1 - optics_fresnel(up, 1.333)) * exp(-0.5 * 0.2 / inside) / (1.333 * 1.333);
    double sum = 0;
    int count = 0;
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 5; j++, count++)
            sum += photon_map_light(&map, v3(0.8 + 0.04 * i, 0, 0.4 + 0.04 * j), v3(0, 1, 0)).y;
    if (fabs(sum / count / (share * k.sun_light.y) - 1) > 0.02)
        fail_msg("light on the floor: %g, not %g", sum / count, share * k.sun_light.y);
    photon_map_clear(ctx, &map);
    studio_clear(ctx, &w);
    sky_clear(ctx, &k);
    set_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

static rill_status draw_without_memory(rill_ctx *ctx, void *user)
{
    const set *s = user;
    const path_def def = tiny(8, 5, 2);
    path_picture p = {0};
    TRY(path_draw(ctx, &s->scene, &s->view, &s->surface, &def, &p));
    picture_clear(ctx, &p);
    return RILL_OK;
}

static void survives_without_memory(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    set s = full_set(ctx);
    s.scene.render.caustics = CAUSTICS_NONE;
    assert_true(every_allocation_fails(1, draw_without_memory, &s) > 10);
    set_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fresnel_and_snell_hold),
        cmocka_unit_test(materials_are_reciprocal_and_normal),
        cmocka_unit_test(dice_are_stratified),
        cmocka_unit_test(white_furnace_is_white),
        cmocka_unit_test(slab_absorbs_as_beer_and_lambert),
        cmocka_unit_test(plate_shifts_a_ray),
        cmocka_unit_test(priorities_tell_what_is_there),
        cmocka_unit_test(stepping_finds_what_formulas_find),
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(every_pixel_is_a_number),
        cmocka_unit_test(odd_cameras_and_lamps_still_see),
        cmocka_unit_test(error_falls_with_samples),
        cmocka_unit_test(motion_blur_is_a_mean_over_time),
        cmocka_unit_test(photons_carry_the_sun),
        cmocka_unit_test(survives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
