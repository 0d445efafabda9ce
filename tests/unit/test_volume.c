/* Volumes: density of dots against sums over all of them, mass and momentum kept, values between samples,
 * scattered sites, the distance of a sphere, the fields of a view, and smoke in pictures. */
#include "mesh_makers.h"
#include "method_scenes.h"
#include "support.h"

#include "base/random.h"
#include "io/vdb.h"
#include "render/render.h"
#include "render/shade.h"
#include "render/smoke.h"
#include "volume/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double noise(uint64_t id, int k)
{
    const random4 r = random_at(3, id, (uint32_t)k, 4);
    return random_unit(r.v[0], r.v[1]);
}

/* Dots in a box, a third of them in a clot. */
static particles dots_of(rill_ctx *ctx, size_t n, int dimensions)
{
    particles p = {0};
    for (size_t i = 0; i < n; i++) {
        rill_vec3 x = v3(noise(i, 0) * 2 - 0.7, noise(i, 1), noise(i, 2) * 0.8);
        if (i % 3 == 0) x = v3_madd(v3(0.3, 0.4, 0.2), 0.07, x);
        rill_vec3 v = v3(1 + x.y, -x.x, noise(i, 5));
        if (dimensions == 2) x.z = v.z = 0;
        assert_ok(ctx, particles_append(ctx, &p, 1, &x, &v));
    }
    return p;
}

static double hat(double x)
{
    return fmax(0, 1 - fabs(x));
}

static void density_matches_brute_force(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        const double cell = 0.05;
        const rill_vec3 origin = v3(-0.31, 0.02, 0.01);
        particles p = dots_of(ctx, 700, dimensions);
        volume d = {0}, u = {0};
        assert_ok(ctx, volume_of_dots(ctx, &p, origin, cell, dimensions, &d, &u));
        assert_int_equal(d.map.count, u.map.count);
        for (uint32_t b = 0; b < d.map.count; b++)
            for (int s = 0; s < (dimensions == 2 ? 64 : VOLUME_SAMPLES); s++) {
                rill_vec3 x = volume_place(&d, b, s), sum = v3(0, 0, 0);
                double all = 0;
                for (size_t i = 0; i < p.count; i++) {
                    const rill_vec3 r = v3_scale(v3_sub(p.position[i], x), 1 / cell);
                    const double w = hat(r.x) * hat(r.y) * (dimensions == 2 ? 1 : hat(r.z));
                    all += w;
                    sum = v3_madd(sum, w, p.velocity[i]);
                }
                const size_t at = (size_t)b * VOLUME_SAMPLES + (size_t)s;
                const double wanted = all / pow(cell, dimensions);
                assert_true(fabs((double)d.value[at] - wanted) <=
                            1e-6 * wanted + 1e-9 / pow(cell, dimensions));
                for (int a = 0; a < 3 && all > 1e-6; a++)
                    assert_true(fabs((double)u.value[3 * at + (size_t)a] - v3_axis(sum, a) / all) < 1e-5);
            }
        volume_clear(ctx, &d);
        volume_clear(ctx, &u);
        particles_clear(ctx, &p);
    }
    rill_ctx_destroy(ctx);
}

/* Nothing is lost, wherever the dots are and however small the cells: to 1e-6, as the task says. */
static void mass_is_kept(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    particles p = dots_of(ctx, 50000, 3);
    for (int k = 0; k < 3; k++) {
        const double cell[] = {0.3, 0.02, 0.004};
        volume d = {0};
        double mass[3];
        assert_ok(ctx, volume_of_dots(ctx, &p, v3(0.001, -3, 0.77), cell[k], 3, &d, NULL));
        volume_integral(ctx, &d, mass);
        assert_true(fabs(mass[0] - 50000) < 50000 * 1e-6);
        volume_clear(ctx, &d);
    }
    p.position[7].x = NAN; /* one that is nowhere does not count */
    volume d = {0};
    double mass[3];
    assert_ok(ctx, volume_of_dots(ctx, &p, v3(0, 0, 0), 0.1, 3, &d, NULL));
    volume_integral(ctx, &d, mass);
    assert_true(fabs(mass[0] - 49999) < 0.05);
    volume_clear(ctx, &d);
    particles_clear(ctx, &p);
    rill_ctx_destroy(ctx);
}

/* A dot that moves by a small way changes no sample by more than in proportion: anti-aliased. */
static void density_does_not_jump(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    double before[64] = {0};
    for (int step = 0; step <= 400; step++) {
        particles p = {0};
        volume d = {0};
        const rill_vec3 x = v3(0.01 * step, 0.5, 0.5), v = v3(0, 0, 0);
        assert_ok(ctx, particles_append(ctx, &p, 1, &x, &v));
        assert_ok(ctx, volume_of_dots(ctx, &p, v3(0, 0, 0), 1, 3, &d, NULL));
        for (int i = 0; i < 64; i++) {
            float value;
            volume_at(&d, v3(0.1 * i, 0.5, 0.5), &value);
            if (step) assert_true(fabs((double)value - before[i]) < 0.011);
            before[i] = (double)value;
        }
        volume_clear(ctx, &d);
        particles_clear(ctx, &p);
    }
    rill_ctx_destroy(ctx);
}

static void same_for_any_threads(void **state)
{
    (void)state;
    volume made[2];
    memset(made, 0, sizeof made);
    rill_ctx *ctx[2] = {test_ctx(1), test_ctx(3)};
    for (int k = 0; k < 2; k++) {
        particles p = dots_of(ctx[k], 20000, 3);
        assert_ok(ctx[k], volume_of_dots(ctx[k], &p, v3(0, 0, 0), 0.03, 3, &made[k], NULL));
        particles_clear(ctx[k], &p);
    }
    assert_int_equal(made[0].map.count, made[1].map.count);
    assert_memory_equal(made[0].value, made[1].value, made[0].map.count * VOLUME_SAMPLES * sizeof(float));
    for (int k = 0; k < 2; k++) {
        volume_clear(ctx[k], &made[k]);
        rill_ctx_destroy(ctx[k]);
    }
}

/* A linear field of cubes is that field at every sample with cubes all around, in the plane and in space, and
 * a cube that is missing does not count. */
static void cubes_are_linear_between_their_middles(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        const int n = 20, deep = dimensions == 3 ? n : 1;
        const double side = 0.1;
        particles cubes = {0}, one = {0};
        assert_ok(ctx, particles_add_column(ctx, &cubes, "heat"));
        for (int k = 0; k < n * n * deep; k++) {
            const int at[3] = {k % n, k / n % n, k / n / n};
            const rill_vec3 x = {(at[0] + 0.5) * side, (at[1] + 0.5) * side,
                                 dimensions == 3 ? (at[2] + 0.5) * side : 0};
            const rill_vec3 u = {x.x, 2 * x.y, -x.z};
            if (at[0] == 2 && at[1] == 2) continue;
            assert_ok(ctx, particles_append(ctx, &cubes, 1, &x, &u));
            particles_column(&cubes, "heat")[cubes.count - 1] = (float)(1 + 3 * x.x - x.y + 2 * x.z);
        }
        const float *heat = particles_column(&cubes, "heat");
        for (int k = 0; k < 40; k++) {
            const rill_vec3 x = {0.4 + 0.031 * k, 0.9 + 0.017 * k, dimensions == 3 ? 0.3 + 0.029 * k : 0},
                            v = {0, 0, 0};
            assert_ok(ctx, particles_append(ctx, &one, 1, &x, &v));
        }
        volume where = {0}, value = {0}, velocity = {0};
        assert_ok(ctx, volume_of_dots(ctx, &one, v3(0, 0, 0), 0.07, dimensions, &where, NULL));
        assert_ok(ctx, volume_of_sites(ctx, &cubes, side, heat, 10, &where, &value));
        assert_ok(ctx, volume_of_sites(ctx, &cubes, side, NULL, 0, &where, &velocity));
        size_t seen = 0;
        for (size_t s = 0; s < where.map.count * VOLUME_SAMPLES; s++) {
            if (where.value[s] == 0) {
                assert_true(value.value[s] == 0);
                continue;
            }
            const rill_vec3 x =
                volume_place(&where, (uint32_t)(s / VOLUME_SAMPLES), (int)(s % VOLUME_SAMPLES));
            assert_true(fabs((double)value.value[s] - (11 + 3 * x.x - x.y + 2 * x.z)) < 1e-4);
            assert_true(fabs((double)velocity.value[3 * s + 1] - 2 * x.y) < 1e-4);
            seen++;
        }
        assert_true(seen > 40);
        volume_clear(ctx, &value);
        volume_clear(ctx, &velocity);
        volume_clear(ctx, &where);
        particles_clear(ctx, &one);
        const rill_vec3 beside = {0.25, 0.31, dimensions == 3 ? 0.55 : 0}, v = {0, 0, 0};
        assert_ok(ctx, particles_append(ctx, &one, 1, &beside, &v)); /* over the missing one */
        assert_ok(ctx, volume_of_dots(ctx, &one, v3(0, 0, 0), 0.05, dimensions, &where, NULL));
        assert_ok(ctx, volume_of_sites(ctx, &cubes, side, heat, 0, &where, &value));
        for (size_t s = 0; s < where.map.count * VOLUME_SAMPLES; s++)
            assert_true(where.value[s] == 0 || value.value[s] == 0 || value.value[s] > 1);
        volume_clear(ctx, &value);
        volume_clear(ctx, &where);
        particles_clear(ctx, &one);
        particles_clear(ctx, &cubes);
    }
    rill_ctx_destroy(ctx);
}

/* Sites with one value give that value; a site's own place gives its own value; means lie between. */
static void sites_are_interpolated(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    particles sites = dots_of(ctx, 3000, 3), one = {0};
    assert_ok(ctx, particles_add_column(ctx, &sites, "heat"));
    float *heat = particles_column(&sites, "heat");
    for (size_t i = 0; i < sites.count; i++) heat[i] = 80;
    volume where = {0}, value = {0};
    const rill_vec3 x = sites.position[11], v = v3(0, 0, 0);
    assert_ok(ctx, particles_append(ctx, &one, 1, &x, &v));
    assert_ok(ctx, volume_of_dots(ctx, &one, x, 0.05, 3, &where, NULL)); /* a sample at the site */
    assert_ok(ctx, volume_of_sites(ctx, &sites, 0, heat, 293.15, &where, &value));
    float at;
    volume_at(&value, x, &at);
    assert_true(fabsf(at - 373.15f) < 1e-3f);
    volume_clear(ctx, &value);
    heat[11] = 200;
    assert_ok(ctx, volume_of_sites(ctx, &sites, 0, heat, 0, &where, &value));
    volume_at(&value, x, &at);
    assert_true(fabsf(at - 200) < 1e-3f);
    volume_clear(ctx, &value);
    volume_clear(ctx, &where);

    assert_ok(ctx,
              volume_around_sites(ctx, &sites, 0, heat, 150, v3(0, 0, 0), 0.02, &value)); /* around one */
    assert_true(value.map.count >= 1 && value.map.count <= 8);
    for (size_t s = 0; s < value.map.count * VOLUME_SAMPLES; s++)
        assert_true(value.value[s] >= 79.99f && value.value[s] <= 200.01f);
    volume_clear(ctx, &value);
    particles_clear(ctx, &sites);
    particles_clear(ctx, &one);
    rill_ctx_destroy(ctx);
}

/* The distance of a fine sphere, within its facets' depth, cut off at the band. */
static void distance_of_a_sphere(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    trimesh ball = make_moved(make_icosphere(ctx, 0.5, 5), v3(0.3, 0.1, -0.2), v3(1, 1, 1));
    volume d = {0};
    const double cell = 0.04, band = 3 * cell;
    assert_ok(ctx, volume_of_surface(ctx, &ball, v3(0, 0, 0), cell, 3, &d));
    size_t inside = 0, cut = 0;
    for (uint32_t b = 0; b < d.map.count; b++)
        for (int s = 0; s < VOLUME_SAMPLES; s++) {
            const double exact = v3_distance(volume_place(&d, b, s), v3(0.3, 0.1, -0.2)) - 0.5;
            const double value = (double)d.value[(size_t)b * VOLUME_SAMPLES + (size_t)s];
            assert_true(fabs(value - fmax(fmin(exact, band), -band)) < 1e-3);
            inside += value < 0;
            cut += fabs(value) >= band * (1 - 1e-6);
        }
    assert_true(inside > 1000 && cut > 1000);
    volume_clear(ctx, &d);
    trimesh_clear(ctx, &ball);
    assert_ok(ctx, volume_of_surface(ctx, &ball, v3(0, 0, 0), cell, 3, &d)); /* empty now */
    assert_int_equal(d.map.count, 0);
    volume_clear(ctx, &d);
    rill_ctx_destroy(ctx);
}

/* ---- a scene's fields, and smoke ---- */

static rill_scene scene_of(scene_tracers *source)
{
    rill_scene scene = {.dimensions = 3, .spacing = 0.05, .tracers = source, .tracers_count = 1};
    scene.domain.min = v3(-1, 0, -1);
    scene.domain.max = v3(1, 2, 1);
    scene.time = (scene_time){10, 30, 0};
    scene.volume = (scene_volume){.cell = 1, .fields = 15, .thickness = 1};
    scene.gravity = v3(0, -9.81, 0);
    *source = (scene_tracers){.count = 20000, .most = 100000000, .end = SCENE_FOREVER, .life = SCENE_FOREVER};
    return scene;
}

/* A ball of dots, evenly. */
static particles ball_of_dots(rill_ctx *ctx, rill_vec3 center, double radius, size_t n)
{
    particles p = {0};
    for (uint64_t i = 0; p.count < n; i++) {
        const rill_vec3 r = v3(2 * noise(i, 7) - 1, 2 * noise(i, 8) - 1, 2 * noise(i, 9) - 1),
                        v = v3(0, 1, 0);
        const rill_vec3 x = v3_madd(center, radius, r);
        if (v3_length(r) < 1) assert_ok(ctx, particles_append(ctx, &p, 1, &x, &v));
    }
    return p;
}

static const volume *field_of(const volume_set *s, const char *name)
{
    for (int k = 0; k < s->count; k++)
        if (strcmp(s->field[k].name, name) == 0) return &s->field[k];
    return NULL;
}

static void fields_of_a_view(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    scene_tracers source;
    rill_scene scene = scene_of(&source);
    particles dots = ball_of_dots(ctx, v3(0, 1, 0), 0.4, 5000), cells = dots_of(ctx, 500, 3);
    assert_ok(ctx, particles_add_column(ctx, &cells, "soot"));
    assert_ok(ctx, particles_add_column(ctx, &cells, "heat"));
    for (size_t i = 0; i < cells.count; i++) cells.column[0].value[i] = 0.1f, cells.column[1].value[i] = 50;
    trimesh ball = make_moved(make_icosphere(ctx, 0.4, 3), v3(0, 1, 0), v3(1, 1, 1));
    rill_view view = {.spacing = 0.05, .dimensions = 3, .tracers = &dots, .cells = &cells};
    volume_set set = {0};
    scene_smoke cannon = {0};
    scene.smoke = &cannon;
    scene.smoke_count = 1;
    assert_ok(ctx, volume_set_build(ctx, &scene, &view, &ball, &set));
    assert_int_equal(set.count, 5);
    double mass[3];
    volume_integral(ctx, field_of(&set, "density"), mass);
    assert_true(fabs(mass[0] - 5000) < 5000 * 1e-6);
    float value[3];
    volume_at(field_of(&set, "temperature"), v3(0, 1, 0), value);
    assert_true(fabsf(value[0] - 343.15f) < 1e-2f);
    volume_at(field_of(&set, "velocity"), v3(0, 1, 0), value);
    assert_true(fabsf(value[1] - 1) < 1e-5f && fabsf(value[0]) < 1e-5f);
    volume_at(field_of(&set, "level_set"), v3(0, 1.4, 0), value);
    assert_true(fabsf(value[0]) < 0.02f);
    assert_non_null(field_of(&set, "soot"));
    volume_set_clear(ctx, &set);

    scene.smoke_count = 0;
    scene.volume.fields = 1 << VOLUME_VELOCITY;
    view = (rill_view){.spacing = 0.05, .dimensions = 3, .particles = &dots}; /* a liquid */
    assert_ok(ctx, volume_set_build(ctx, &scene, &view, &ball, &set));
    assert_int_equal(set.count, 1);
    assert_string_equal(set.field[0].name, "velocity");
    volume_set_clear(ctx, &set);
    trimesh_clear(ctx, &ball);
    particles_clear(ctx, &dots);
    particles_clear(ctx, &cells);
    rill_ctx_destroy(ctx);
}

/* The tracers of each method, after steps: the integral of the density is their number. */
static void tracers_of_every_method(void **state)
{
    (void)state;
    for (const method_scene *m = method_scenes(); m->method; m++) {
        if (m->solver || m->more) continue;
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = method_scene_read(ctx, m, NULL);
        rill_sim *sim = method_create(ctx, &scene);
        method_steps(sim, 2);
        rill_view view;
        sim_view(sim, &view);
        assert_true(view.tracers && view.tracers->count > 100);
        volume density = {0};
        assert_ok(ctx, volume_of_tracers(ctx, &scene, view.tracers, &density));
        double mass[3];
        volume_integral(ctx, &density, mass);
        const double count = (double)view.tracers->count;
        if (!(fabs(mass[0] - count) < 1e-6 * count))
            fail_msg("%s, %d dimensions: %.9g of %.9g", m->method->name, m->dimensions, mass[0], count);
        volume_clear(ctx, &density);
        sim->method->destroy(sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

static double brightness(const image *im, int x, int y)
{
    const uint8_t *p = im->rgb + 3 * ((size_t)y * (size_t)im->width + (size_t)x);
    return p[0] + p[1] + p[2];
}

/* Without tracers the soot of the method's cells is drawn: as thick as the scene says over a tenth of the
 * domain's longest side. */
static void soot_is_drawn_without_tracers(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    scene_tracers source;
    rill_scene scene = scene_of(&source);
    scene_smoke smoke_source = {.density = 0.02};
    scene.tracers_count = 0;
    scene.smoke = &smoke_source;
    scene.smoke_count = 1;
    scene.volume.thickness = 1;
    const double radius = 0.5, h = 0.05;
    const rill_vec3 center = {0, 1, 0};
    particles cells = {0};
    assert_ok(ctx, particles_add_column(ctx, &cells, "soot"));
    for (int k = 0; k < 24 * 24 * 24; k++) {
        const rill_vec3 x = v3_madd(center, h, v3(k % 24 - 11.5, k / 24 % 24 - 11.5, (int)(k / 576) - 11.5)),
                        u = {0, 0, 0};
        assert_ok(ctx, particles_append(ctx, &cells, 1, &x, &u));
        particles_column(&cells, "soot")[cells.count - 1] =
            v3_length(v3_sub(x, center)) < radius ? 0.02f : 1e-22f; /* as transport leaves it */
    }
    const rill_view view = {
        .spacing = h, .dimensions = 3, .domain = {scene.domain.min, scene.domain.max}, .cells = &cells};
    stage set;
    smoke s;
    assert_ok(ctx, stage_create(ctx, &scene, &view, NULL, NULL, &set));
    assert_ok(ctx, smoke_create(ctx, &scene, &view, &set, &s));
    const rill_vec3 size = box_size(set.domain);
    const double depth = 2 * radius * 10 / fmax(size.x, fmax(size.y, size.z));
    assert_true(fabs(-log(smoke_shadow(&s, v3(-5, 1, 0), v3(1, 0, 0))) - depth) < 0.1 * depth);
    smoke_clear(ctx, &s);
    stage_clear(ctx, &set);
    const render_def def = {.width = 96, .height = 72, .samples = 1, .look = LOOK_VOLUME, .column = "speed"};
    image with = {0}, without = {0};
    rill_view empty = view;
    empty.cells = NULL;
    assert_ok(ctx, render_view(ctx, &scene, &view, NULL, &def, &with));
    assert_ok(ctx, render_view(ctx, &scene, &empty, NULL, &def, &without));
    assert_true(memcmp(with.rgb, without.rgb, 3 * 96 * 72) != 0);
    for (int k = 0; k < 96 * 72; k++) /* smoke too thin to see is not black */
        assert_true(with.rgb[3 * k] + with.rgb[3 * k + 1] + with.rgb[3 * k + 2] > 0);
    image_clear(ctx, &with);
    image_clear(ctx, &without);
    particles_clear(ctx, &cells);
    rill_ctx_destroy(ctx);
}

/* The optical depth through a ball of smoke is what its dots cover, light fades through it from the side of
 * the sun on, and the picture has the smoke and its shadow. */
static void smoke_is_lit_and_throws_a_shadow(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    scene_tracers source;
    rill_scene scene = scene_of(&source);
    scene.volume.thickness = 3;
    const rill_vec3 center = v3(0, 1, 0);
    const double radius = 0.5;
    particles dots = ball_of_dots(ctx, center, radius, 20000);
    const rill_view view = {
        .spacing = 0.05, .dimensions = 3, .domain = {scene.domain.min, scene.domain.max}, .tracers = &dots};
    stage set;
    smoke s;
    assert_ok(ctx, stage_create(ctx, &scene, &view, NULL, NULL, &set));
    assert_ok(ctx, smoke_create(ctx, &scene, &view, &set, &s));
    const double density = 20000 / (4 * M_PI / 3 * radius * radius * radius);
    const double depth = 2 * radius * density * s.extinction;
    double mean = 0; /* over 25 rays, since dots are random: of a cell's 40 a sixth more or less */
    for (int k = 0; k < 25; k++) {
        const double y = 0.1 * (k % 5 - 2), z = 0.1 * (int)(k / 5 - 2);
        const double chord = sqrt(radius * radius - y * y - z * z) / radius;
        mean -= log(smoke_shadow(&s, v3(-5, 1 + y, z), v3(1, 0, 0))) / chord / 25;
    }
    assert_true(fabs(mean - depth) < 0.05 * depth);
    assert_true(smoke_shadow(&s, v3(-5, 1.9, 0), v3(1, 0, 0)) == 1);
    double light[2];
    for (int k = 0; k < 2; k++) /* just beyond the ball on the side of the sun, and on the other */
        light[k] = smoke_shadow(&s, v3_madd(center, k ? -0.6 : 0.6, shade_sun), shade_sun);
    assert_true(light[0] == 1 && light[1] < exp(-0.8 * depth));
    smoke_clear(ctx, &s);
    stage_clear(ctx, &set);

    render_def def = {.width = 96, .height = 72, .samples = 1, .look = LOOK_VOLUME, .column = "speed"};
    image with = {0}, without = {0}, again = {0};
    assert_ok(ctx, render_view(ctx, &scene, &view, NULL, &def, &with));
    assert_ok(ctx, render_view(ctx, &scene, &view, NULL, &def, &again));
    assert_memory_equal(with.rgb, again.rgb, 3 * 96 * 72);
    particles none = {0};
    rill_view empty = view;
    empty.tracers = &none;
    assert_ok(ctx, render_view(ctx, &scene, &empty, NULL, &def, &without));
    int darker = 0;
    for (int y = 0; y < 72; y++)
        for (int x = 0; x < 96; x++) darker += brightness(&with, x, y) < brightness(&without, x, y) - 30;
    assert_true(darker > 40);
    assert_true(fabs(brightness(&with, 48, 36) - brightness(&without, 48, 36)) > 5);
    image_clear(ctx, &with);
    image_clear(ctx, &without);
    image_clear(ctx, &again);
    particles_clear(ctx, &dots);
    rill_ctx_destroy(ctx);
}

/* ---- failures ---- */

static rill_status some_fields(rill_ctx *ctx, void *user)
{
    const rill_view *view = user;
    scene_tracers source;
    const rill_scene scene = scene_of(&source);
    volume_set set = {0};
    rill_status st = volume_set_build(ctx, &scene, view, NULL, &set);
    if (!st && vdb_available()) st = vdb_write(ctx, "/dev/shm/rill-test-volume.vdb", set.field, set.count, 0);
    volume_set_clear(ctx, &set);
    return st;
}

static void failing_allocations_are_told(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    particles dots = ball_of_dots(ctx, v3(0, 1, 0), 0.3, 300);
    rill_view view = {.spacing = 0.05, .dimensions = 3, .tracers = &dots};
    assert_true(every_allocation_fails(1, some_fields, &view) > 8);
    unlink("/dev/shm/rill-test-volume.vdb");
    particles_clear(ctx, &dots);
    rill_ctx_destroy(ctx);
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    particles dots = dots_of(ctx, 2000, 3);
    volume d = {0};
    assert_ok(ctx, volume_of_dots(ctx, &dots, v3(0, 0, 0), 0.1, 3, &d, NULL));
    const rill_status st = vdb_write(ctx, "/nowhere/at/all.vdb", &d, 1, 0);
    assert_int_equal(st, vdb_available() ? RILL_DISK : RILL_USAGE);
    assert_non_null(strstr(rill_ctx_message(ctx), vdb_available() ? "/nowhere/at" : "libopenvdb-dev"));
    volume_clear(ctx, &d);
    particles_clear(ctx, &dots);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(density_matches_brute_force),
                                       cmocka_unit_test(mass_is_kept),
                                       cmocka_unit_test(density_does_not_jump),
                                       cmocka_unit_test(same_for_any_threads),
                                       cmocka_unit_test(sites_are_interpolated),
                                       cmocka_unit_test(cubes_are_linear_between_their_middles),
                                       cmocka_unit_test(soot_is_drawn_without_tracers),
                                       cmocka_unit_test(distance_of_a_sphere),
                                       cmocka_unit_test(fields_of_a_view),
                                       cmocka_unit_test(tracers_of_every_method),
                                       cmocka_unit_test(smoke_is_lit_and_throws_a_shadow),
                                       cmocka_unit_test(failing_allocations_are_told),
                                       cmocka_unit_test(a_full_disk_is_told)};
    return cmocka_run_group_tests_name("volume", tests, NULL, NULL);
}
