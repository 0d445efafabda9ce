/* The path tracer's other light and matter: frosted glass, smoke, solids that shine, textures, liquid with
 * colours, solids that are cut or hidden, cameras that move. */
#include "folders.h"
#include "mesh_makers.h"
#include "path_sets.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

static const double pi = OPTICS_PI;

/* ---- frosted glass ---- */

/* Nothing is lost in it, and it spreads what it lets through. */
static void frosted_glass_loses_nothing(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (double frost = 0.2; frost <= 1; frost += 0.4) {
        set s = set_make(ctx);
        studio w = {0};
        sky k = {0};
        scene_solid *solid = set_solid(ctx, &s, ball(1, 0.5, 0.5, 0.3), MATERIAL_GLASS);
        solid->material.index = 1.5;
        solid->material.frost = frost;
        assert_ok(ctx, studio_create(ctx, &s.scene, &s.view, NULL, NULL, &w));
        assert_ok(ctx, sky_uniform(ctx, v3(1, 1, 1), &k));
        w.has_ground = false;
        const tracer t = {.studio = &w, .sky = &k, .bounces = 400};
        const rill_vec3 c = mean_along(&t, v3(1, 0.5, 3), v3(1, 0.5, 0.5), 0.5, 4096);
        if (fabs(c.y - 1) > 0.005) fail_msg("frost %g: %g", frost, c.y);

        /* The spread of directions behind the first surface grows with it. */
        double spread = 0;
        for (int i = 0; i < 500; i++) {
            dice d = dice_of(1, (uint32_t)i, 3);
            double random[4];
            dice_throw(&d, random);
            dice_throw(&d, random + 2);
            random[0] = 0.99;
            rill_vec3 way = v3(0, 0, -1), weight = v3(1, 1, 1);
            const studio_ray r = {.origin = v3(1, 0.5, 2), .direction = way, .to = INFINITY};
            media m = {.count = 0};
            studio_hit h;
            assert_true(studio_intersect(&w, &r, &h));
            assert_true(studio_cross(&w, &h, random, &m, &way, &weight));
            assert_true(fabs(v3_length(way) - 1) < 1e-9 && v3_finite(weight));
            spread += acos(fmin(1, fabs(way.z))) / 500;
        }
        assert_true(spread > 0.05 * frost && spread < 1);
        studio_clear(ctx, &w);
        sky_clear(ctx, &k);
        set_clear(ctx, &s);
    }
    rill_ctx_destroy(ctx);
}

/* ---- smoke ---- */

/* A cloud of even density between 0.2 and 0.8 along x, with a soft border of one cell. */
static haze even_cloud(rill_ctx *ctx, double extinction, rill_vec3 color, double forward)
{
    enum { SIDE = 24 };
    particles dots = {0};
    const double cell = 0.025;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            for (int k = 0; k < SIDE; k++) {
                const rill_vec3 x =
                    v3(0.2 + (i + 0.5) * cell, 0.2 + (j + 0.5) * cell, 0.2 + (k + 0.5) * cell);
                assert_ok(ctx, particles_append(ctx, &dots, 1, &x, NULL));
            }
    volume density = {0};
    assert_ok(ctx, volume_of_dots(ctx, &dots, v3(0, 0, 0), cell, 3, &density, NULL));
    const scene_haze look = {.color = color, .forward = forward};
    haze h = {0};
    assert_ok(ctx, haze_of_volume(ctx, &density, extinction * cell * cell * cell, &look, &h));
    particles_clear(ctx, &dots);
    return h;
}

/* Both ways to estimate it against the integral of the density along the ray. */
static void smoke_absorbs_as_beer_and_lambert(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    haze h = even_cloud(ctx, 3, v3(1, 1, 1), 0);
    static const rill_vec3 ways[] = {{1, 0, 0}, {0.9, 0.3, 0.1}, {0.6, -0.5, 0.4}};
    for (int k = 0; k < 3; k++) {
        enum { COUNT = 20000, STEPS = 20000 };
        const rill_vec3 d = v3_unit(ways[k]), o = v3_madd(v3(0.5, 0.51, 0.49), -1, d);
        double depth = 0, tracked = 0, free = 0;
        for (int i = 0; i < STEPS; i++) {
            float density;
            volume_at(&h.density, v3_madd(o, 2 * (i + 0.5) / STEPS, d), &density);
            depth += (double)density * h.extinction * 2 / STEPS;
        }
        for (int i = 0; i < COUNT; i++) {
            dice one = dice_of(4, (uint32_t)i, 9), two = dice_of(5, (uint32_t)i, 9);
            double t;
            tracked += haze_through(&h, o, d, 2, &one) / COUNT;
            free += !haze_collide(&h, o, d, 2, &two, &t);
        }
        free /= COUNT;
        const double want = exp(-depth);
        if (fabs(tracked - want) > 0.012 || fabs(free - want) > 0.012)
            fail_msg("way %d: %g and %g, not %g", k, tracked, free, want);
    }
    haze_clear(ctx, &h);
    rill_ctx_destroy(ctx);
}

static void phase_function_is_its_sampling(void **state)
{
    (void)state;
    static const double forward[] = {-0.5, 0, 0.25, 0.8};
    for (int k = 0; k < 4; k++) {
        const haze h = {.look = {.forward = forward[k]}};
        double whole = 0, mean = 0;
        for (int i = 0; i < 2000; i++) {
            const double c = -1 + 2 * (i + 0.5) / 2000;
            whole += haze_phase(&h, c) * 2 * pi * 2 / 2000;
            dice d = dice_of(1, (uint32_t)i, 2);
            double two[2];
            dice_throw(&d, two);
            const rill_vec3 from = v3_unit(v3(1, 2, -1)), to = haze_scatter(&h, from, two);
            mean += v3_dot(from, to) / 2000;
        }
        assert_true(fabs(whole - 1) < 1e-3 && fabs(mean - forward[k]) < 0.02);
    }
}

/* Smoke that absorbs nothing is not to be seen in white light from everywhere, however often it scatters. */
static void white_smoke_in_a_furnace_is_white(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (double forward = -0.4; forward < 0.9; forward += 0.6) {
        set s = set_make(ctx);
        studio w = {0};
        sky k = {0};
        haze h = even_cloud(ctx, 8, v3(1, 1, 1), forward);
        assert_ok(ctx, studio_create(ctx, &s.scene, &s.view, NULL, NULL, &w));
        assert_ok(ctx, sky_uniform(ctx, v3(1, 1, 1), &k));
        w.has_ground = false;
        const tracer t = {.studio = &w, .sky = &k, .haze = &h, .bounces = 1000};
        const rill_vec3 c =
            mean_along(&t, v3(0.5, 0.5, 3), v3(0.5, 0.5, 0.5), 0.4, unless_sanitized(4096, 512));
        if (fabs(c.y - 1) > unless_sanitized(1, 4) * 0.015) fail_msg("forward %g: %g", forward, c.y);
        haze_clear(ctx, &h);
        studio_clear(ctx, &w);
        sky_clear(ctx, &k);
        set_clear(ctx, &s);
    }
    rill_ctx_destroy(ctx);
}

/* ---- solids that shine ---- */

/* The ground below a ball of radiance 3: (r / d)^2 of it, since white ground spreads pi L (r / d)^2 evenly. A
 * block and a mesh against the same light found by chance. */
static void shining_solids_light_the_ground(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (int which = 0; which < 3; which++) {
        set s = set_make(ctx);
        studio w = {0};
        sky k = {0};
        glow g = {0};
        s.scene.render.ground.color = v3(1, 1, 1);
        s.scene.render.ground.checker = 0;
        const shape form = which == 0   ? ball(1, 0.6, 0.5, 0.15)
                           : which == 1 ? block(v3(0.8, 0.5, 0.4), v3(1.2, 0.7, 0.6))
                                        : ball(0.3, 0.3, 0.3, 0.01);
        scene_solid *solid = set_solid(ctx, &s, form, MATERIAL_DIFFUSE);
        solid->material.color = v3(0, 0, 0);
        if (which < 2) solid->material.emission = v3(3, 2, 1);
        if (which == 2) {
            s.surface = make_moved(make_icosphere(ctx, 0.15, 3), v3(1, 0.6, 0.5), v3(1, 1, 1));
            s.scene.render.liquid.kind = MATERIAL_DIFFUSE;
            s.scene.render.liquid.color = v3(0, 0, 0);
            s.scene.render.liquid.emission = v3(3, 2, 1);
        }
        assert_ok(ctx, studio_create(ctx, &s.scene, &s.view, which == 2 ? &s.surface : NULL, NULL, &w));
        assert_ok(ctx, sky_uniform(ctx, v3(0, 0, 0), &k));
        assert_ok(ctx, glow_create(ctx, &w, &g));
        assert_int_equal(g.count, 1);
        const tracer sampled = {.studio = &w, .sky = &k, .glow = &g, .bounces = 2};
        const tracer found = {.studio = &w, .sky = &k, .bounces = 2};
        const rill_vec3 a = mean_along(&sampled, v3(1, 0.1, 0.5), v3(1, 0, 0.5), 0, 2048),
                        b = mean_along(&found, v3(1, 0.1, 0.5), v3(1, 0, 0.5), 0,
                                       unless_sanitized(65536, 8192));
        const double want = which == 1 ? b.x : 3 * pow(0.15 / 0.6, 2);
        if (fabs(a.x / want - 1) > 0.02 || fabs(a.x / b.x - 1) > unless_sanitized(1, 4) * 0.03)
            fail_msg("light %d: %g sampled, %g found by chance, %g expected", which, a.x, b.x, want);
        assert_true(fabs(a.y / a.x - 2.0 / 3) < 1e-9);
        glow_clear(ctx, &g);
        studio_clear(ctx, &w);
        sky_clear(ctx, &k);
        set_clear(ctx, &s);
    }
    rill_ctx_destroy(ctx);
}

/* ---- lamps through water ---- */

static set lit_pool(rill_ctx *ctx, double height, double radius, int ground)
{
    set s = set_make(ctx);
    s.surface = make_moved(make_cube(ctx, 0.5), v3(1, 0.1, 0.5), v3(1.9, 0.2, 0.9)); /* on the ground */
    s.scene.render.liquid.absorption = v3(0, 0.5, 1);
    scene_material *under = &s.scene.render.ground;
    under->kind = ground;
    under->color = v3(0.7, 0.7, 0.7);
    under->roughness = 0.5;
    under->index = 1.5;
    assert_ok(ctx, MEM_NEW_ZERO(ctx, s.scene.render.lamps, 2));
    s.scene.render.lamp_count = 2; /* the second one shines away from the pool */
    s.scene.render.lamps[0] = (scene_lamp){{1, height, 0.5}, {0, -1, 0}, {1, 1, 1}, radius, 4};
    s.scene.render.lamps[1] = (scene_lamp){{1, 3, 0.5}, {0, 1, 0}, {1, 1, 1}, 0.1, 1e3};
    return s;
}

/* Straight below a point of light: its image in the water is as far up as air and water / 1.333 together. */
static void photons_carry_a_point_lamp(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    set s = lit_pool(ctx, 0.9, 0, MATERIAL_DIFFUSE);
    studio w = {0};
    sky k = {0};
    photon_map map = {0};
    assert_ok(ctx, studio_create(ctx, &s.scene, &s.view, &s.surface, NULL, &w));
    assert_ok(ctx, sky_uniform(ctx, v3(0, 0, 0), &k));
    assert_ok(ctx, photon_map_create(ctx, &w, &k, 1 << 19, 32, &map));
    const double away = 0.7 + 0.2 / 1.333;
    const double want =
        4 / (4 * pi * away * away) * (1 - optics_fresnel(1, 1.333)) * exp(-0.5 * 0.2) / (1.333 * 1.333);
    double sum = 0;
    for (int i = 0; i < 9; i++)
        sum += photon_map_light(&map, v3(0.98 + 0.02 * (i % 3), 0, 0.48 + 0.02 * (i / 3)), v3(0, 1, 0)).y / 9;
    if (fabs(sum / want - 1) > 0.03) fail_msg("light below a point: %g, not %g", sum, want);
    photon_map_clear(ctx, &map);
    studio_clear(ctx, &w);
    sky_clear(ctx, &k);
    set_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* A large lamp can be found by paths alone: the same light, whatever the ground is made of and wherever it is
 * seen from; from near the pool and from so far that photons are aimed at it. */
static void photons_of_a_lamp_match_paths(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int k = 0; k < 6; k++) {
        const int kind = MATERIAL_DIFFUSE + k / 2;
        set s = lit_pool(ctx, k % 2 ? 2 : 0.9, k % 2 ? 1.5 : 0.4, kind);
        studio w = {0};
        sky dark = {0};
        photon_map map = {0};
        assert_ok(ctx, studio_create(ctx, &s.scene, &s.view, &s.surface, NULL, &w));
        assert_ok(ctx, sky_uniform(ctx, v3(0, 0, 0), &dark));
        assert_ok(ctx, photon_map_create(ctx, &w, &dark, 1 << 19, 32, &map));
        const media in = studio_media_at(&w, v3(1, k % 2 ? 0.6 : 0.19, 0.5));
        const tracer mapped = {.studio = &w, .sky = &dark, .photons = &map, .bounces = 32, .start = in};
        const tracer found = {.studio = &w, .sky = &dark, .bounces = 32, .start = in};
        rill_vec3 a = v3(0, 0, 0), b = v3(0, 0, 0);
        for (int i = 0; i < 36; i++) { /* straight down, over many of the map's discs */
            const rill_vec3 eye = v3(0.5 + 0.03 * i, k % 2 ? 0.6 : 0.19, 0.3 + 0.01 * (i * 17 % 41)),
                            down = v3_sub(eye, v3(0, 1, 0));
            a = v3_add(a, mean_along(&mapped, eye, down, 0.8, unless_sanitized(1024, 128)));
            b = v3_add(b, mean_along(&found, eye, down, 0.8, unless_sanitized(1024, 128)));
        }
        if (fabs(a.y / b.y - 1) > unless_sanitized(1, 3) * 0.03)
            fail_msg("case %d: %g with photons, %g by paths", k, a.y, b.y);
        photon_map_clear(ctx, &map);
        studio_clear(ctx, &w);
        sky_clear(ctx, &dark);
        set_clear(ctx, &s);
    }
    rill_ctx_destroy(ctx);
}

/* ---- textures ---- */

static void textures_lie_on_faces(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const char *path = in_own_folder("four.png");
    /* two by two: red, green; blue, white */
    uint8_t rgb[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};
    const image four = {2, 2, rgb};
    assert_ok(ctx, image_write_png(ctx, path, &four));
    path_picture p = {0};
    assert_ok(ctx, picture_read(ctx, path, &p));
    const scene_material look = {.color = {1, 0.5, 1}, .texture_size = 0.4};
    material m = material_of(&look);
    m.texture = &p;
    /* from the front, u to the right and v up; the middles of pixels are 0.1 and 0.3 from the left */
    static const rill_vec3 want[4] = {{1, 0, 0}, {0, 0.5, 0}, {0, 0, 1}, {1, 0.5, 1}};
    for (int k = 0; k < 4; k++)
        for (int turn = -1; turn <= 1; turn++) {
            const double u = 0.1 + 0.2 * (k % 2) + 0.4 * turn, v = -0.1 - 0.2 * (k / 2) + 0.8 * turn;
            const rill_vec3 sides[5] = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}};
            const rill_vec3 at[5] = {{u, v, 7}, {-u, v, 7}, {7, v, -u}, {7, v, u}, {u, 7, -v}};
            for (int side = 0; side < 5; side++)
                assert_true(v3_distance(material_color(&m, at[side], sides[side]), want[k]) < 1e-6);
        }
    picture_clear(ctx, &p);

    /* Damaged files are refused, not read beyond. */
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, 30, SEEK_SET), 0);
    fputs("damaged, surely", f);
    fclose(f);
    assert_int_equal(picture_read(ctx, path, &p), RILL_BAD_FILE);
    set s = set_make(ctx);
    mem_free(ctx, s.scene.render.ground.texture);
    s.scene.render.ground.texture = mem_text(ctx, "/nowhere/at/all.png");
    path_def def = tiny(8, 5, 2);
    path_picture out = {0};
    assert_int_equal(path_draw(ctx, &s.scene, &s.view, NULL, &def, &out), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "all.png"));
    set_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

static void pictures_carry_notes(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const char *path = in_own_folder("noted.png");
    char note[64];
    uint8_t rgb[3] = {1, 2, 3};
    const image one = {1, 1, rgb};
    assert_false(image_note(path, note, sizeof note));
    assert_ok(ctx, image_write_png(ctx, path, &one));
    assert_false(image_note(path, note, sizeof note));
    assert_ok(ctx, image_write_noted(ctx, path, &one, "0123456789abcdef"));
    assert_true(image_note(path, note, sizeof note));
    assert_string_equal(note, "0123456789abcdef");
    assert_false(image_note(path, note, 8)); /* no room */
    rill_ctx_destroy(ctx);
}

/* ---- liquid with colours ---- */

static void add_colors(rill_ctx *ctx, trimesh *m, rill_vec3 color)
{
    static const char *const names[3] = {"red", "green", "blue"};
    for (int c = 0; c < 3; c++) {
        trimesh_column *column = &m->column[m->column_count++];
        strcpy(column->name, names[c]);
        column->width = 1;
        assert_ok(ctx, MEM_NEW(ctx, column->value, m->vertex_count));
        for (size_t i = 0; i < m->vertex_count; i++) column->value[i] = (float)v3_axis(color, c);
    }
}

/* A slab of the thickness that has the colour itself, without reflection; and an opaque one. */
static void liquid_has_its_colors(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (int kind = 0; kind < 2; kind++) {
        set s = set_make(ctx);
        studio w = {0};
        sky k = {0};
        const double thick = sqrt(6) / 3; /* a third of the domain's diagonal */
        s.surface = make_moved(make_cube(ctx, 0.5), v3(1, 0.5, 0.5), v3(1.8, 0.9, thick));
        add_colors(ctx, &s.surface, v3(0.8, 0.3, 0.05));
        s.scene.render.liquid.index = 1;
        if (kind == 1) s.scene.render.liquid.kind = MATERIAL_DIFFUSE;
        assert_ok(ctx, studio_create(ctx, &s.scene, &s.view, &s.surface, NULL, &w));
        assert_ok(ctx, sky_uniform(ctx, v3(1, 1, 1), &k));
        w.has_ground = false;
        const tracer t = {.studio = &w, .sky = &k, .bounces = 100};
        const rill_vec3 c = mean_along(&t, v3(1.01, 0.52, 3), v3(1.01, 0.52, 0.5), 0, 1024);
        if (v3_distance(c, v3(0.8, 0.3, 0.05)) > 0.005) fail_msg("kind %d: %g %g %g", kind, c.x, c.y, c.z);
        studio_clear(ctx, &w);
        sky_clear(ctx, &k);
        set_clear(ctx, &s);
    }
    rill_ctx_destroy(ctx);
}

/* ---- solids that are not drawn whole ---- */

static void cut_and_hidden_solids_let_rays_past(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    set s = set_make(ctx);
    studio w = {0};
    scene_solid *solid = set_solid(ctx, &s, ball(1, 0.5, 0.5, 0.3), MATERIAL_GLASS);
    solid->material.has_cut = true;
    solid->material.cut.point = v3(1, 0.5, 0.6);
    solid->material.cut.normal = v3(0, 0, 5);
    assert_ok(ctx, studio_create(ctx, &s.scene, &s.view, NULL, NULL, &w));
    studio_hit h;
    const studio_ray front = {.origin = v3(1, 0.5, 3), .direction = {0, 0, -1}, .to = INFINITY},
                     past = {.origin = v3(1, 0.5, 0.7), .direction = {1, 0, 0}, .to = INFINITY},
                     back = {.origin = v3(1, 0.5, -1), .direction = {0, 0, 1}, .to = INFINITY};
    assert_true(studio_meet_solid(&w, 0, &front, 10, &h));
    assert_true(fabs(h.t - 2.4) < 1e-6 && v3_distance(h.face, v3(0, 0, 1)) < 1e-9);
    assert_false(studio_meet_solid(&w, 0, &past, 10, &h));
    assert_true(studio_meet_solid(&w, 0, &back, 10, &h) && fabs(h.t - 1.2) < 1e-6);
    assert_true(studio_in_solid(&w, 0, v3(1, 0.5, 0.5)) && !studio_in_solid(&w, 0, v3(1, 0.5, 0.7)));
    studio_clear(ctx, &w);

    s.scene.solids[0].material.hidden = true;
    assert_ok(ctx, studio_create(ctx, &s.scene, &s.view, NULL, NULL, &w));
    assert_false(studio_meet_solid(&w, 0, &front, 10, &h));
    assert_false(studio_in_solid(&w, 0, v3(1, 0.5, 0.5)));
    studio_clear(ctx, &w);
    set_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* ---- white water and smoke in a whole picture ---- */

/* The same bits for any number of threads, and numbers throughout; a camera that flies through all of it. */
static void everything_at_once_is_the_same_for_any_threads(void **state)
{
    (void)state;
    enum { W = 32, H = 18 };
    float first[3 * W * H];
    for (int threads = 1; threads <= 3; threads++) {
        rill_ctx *ctx = test_ctx(threads);
        set s = set_make(ctx);
        scene_tracers *source = NULL;
        particles smoke_dots = {0}, foam = {0};
        assert_ok(ctx, scene_add_tracers(ctx, &s.scene, &source));
        source->shape = ball(1, 0.5, 0.5, 0.3);
        source->count = 500;
        for (uint32_t i = 0; i < 500; i++) {
            dice d = dice_of(1, i, 1);
            double u[4];
            dice_throw(&d, u);
            dice_throw(&d, u + 2);
            const rill_vec3 x = v3(0.5 + u[0], 0.2 + 0.5 * u[1], u[2]), y = v3(2 * u[2], 0.1 * u[1], u[0]);
            assert_ok(ctx, particles_append(ctx, &smoke_dots, 1, &x, NULL));
            assert_ok(ctx, particles_append(ctx, &foam, 1, &y, NULL));
        }
        set_solid(ctx, &s, ball(0.4, 0.3, 0.5, 0.1), MATERIAL_DIFFUSE)->material.emission = v3(5, 3, 1);
        set_solid(ctx, &s, ball(1.5, 0.2, 0.7, 0.2), MATERIAL_GLASS)->material.frost = 0.3;
        s.view.tracers = &smoke_dots;
        s.view.whitewater = &foam;
        s.view.time = 0.5;
        keyframe keys[2] = {{0, {3, 1, 3}}, {1, {-1, 0.4, -2}}};
        s.scene.camera.eye_keys = (keyframes){keys, 2, false};
        s.surface = make_moved(make_icosphere(ctx, 0.3, 3), v3(0.7, 0.3, 0.5), v3(1, 1, 1));
        add_colors(ctx, &s.surface, v3(0.9, 0.2, 0.1));
        path_def def = tiny(W, H, 16);
        path_picture p = {0};
        assert_ok(ctx, path_draw(ctx, &s.scene, &s.view, &s.surface, &def, &p));
        for (int i = 0; i < 3 * W * H; i++) assert_true(isfinite(p.rgb[i]) && p.rgb[i] >= 0);
        if (threads == 1) memcpy(first, p.rgb, sizeof first);
        assert_memory_equal(first, p.rgb, sizeof first);
        s.scene.camera.eye_keys = (keyframes){0};
        picture_clear(ctx, &p);
        particles_clear(ctx, &smoke_dots);
        particles_clear(ctx, &foam);
        set_clear(ctx, &s);
        rill_ctx_destroy(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frosted_glass_loses_nothing),
        cmocka_unit_test(smoke_absorbs_as_beer_and_lambert),
        cmocka_unit_test(phase_function_is_its_sampling),
        cmocka_unit_test(white_smoke_in_a_furnace_is_white),
        cmocka_unit_test(shining_solids_light_the_ground),
        cmocka_unit_test(photons_carry_a_point_lamp),
        cmocka_unit_test(photons_of_a_lamp_match_paths),
        cmocka_unit_test(textures_lie_on_faces),
        cmocka_unit_test(pictures_carry_notes),
        cmocka_unit_test(liquid_has_its_colors),
        cmocka_unit_test(cut_and_hidden_solids_let_rays_past),
        cmocka_unit_test(everything_at_once_is_the_same_for_any_threads),
    };
    return cmocka_run_group_tests(tests, own_folder_make, own_folder_remove);
}
