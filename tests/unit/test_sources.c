/* Counts that must come out exactly: fills, emitters at any step size, drains. */
#include "support.h"

#include "base/random.h"
#include "flow/gauges.h"
#include "flow/method.h"
#include "flow/snapshot.h"
#include "flow/sources.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static shape box_shape(rill_vec3 min, rill_vec3 max)
{
    return (shape){.kind = SHAPE_BOX, .box = {min, max}};
}

static rill_scene scene_of(int dimensions, double spacing)
{
    rill_scene scene = {.dimensions = dimensions, .spacing = spacing};
    scene.domain.min = dimensions == 2 ? v3(-1, 0, 0) : v3(-1, 0, 0.5);
    scene.domain.max = dimensions == 2 ? v3(1, 1, 0) : v3(1, 1, 1.5);
    return scene;
}

typedef struct {
    solids walls;
    sources sources;
    particles p;
} setup;

static void set_up(rill_ctx *ctx, const rill_scene *scene, setup *s)
{
    *s = (setup){0};
    assert_ok(ctx, solids_create(ctx, scene, &s->walls));
    assert_ok(ctx, sources_create(ctx, scene, &s->sources));
}

static void tear_down(rill_ctx *ctx, setup *s)
{
    particles_clear(ctx, &s->p);
    sources_clear(ctx, &s->sources);
    solids_clear(ctx, &s->walls);
}

static size_t filled(rill_ctx *ctx, const rill_scene *scene)
{
    setup s;
    uint64_t count = 0;
    set_up(ctx, scene, &s);
    assert_ok(ctx, sources_fill(ctx, &s.sources, &s.walls, &s.p));
    assert_ok(ctx, sources_count(ctx, scene, &count));
    assert_true(count == s.p.count);
    const size_t n = s.p.count;
    for (size_t i = 0; i < n; i++) {
        assert_true(solids_distance(&s.walls, s.p.position[i], 0, NULL) > 0.2 * scene->spacing);
        assert_true(s.p.id[i] == i);
    }
    tear_down(ctx, &s);
    return n;
}

static void boxes_fill_exactly(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = scene_of(3, 0.05);
    scene_liquid liquid[2] = {{.shape = box_shape(v3(-1, 0, 0.5), v3(-0.4, 0.6, 1.5))}};
    scene.liquid = liquid;
    scene.liquid_count = 1;
    assert_int_equal(filled(ctx, &scene), 12 * 12 * 20);
    liquid[0].shape = box_shape(v3(-9, -9, -9), v3(9, 0.6, 9)); /* beyond the domain */
    assert_int_equal(filled(ctx, &scene), 40 * 12 * 20);
    liquid[0].shape = (shape){.kind = SHAPE_PLANE, .flat = {{0, 0.3, 0}, {0, 1, 0}, 0}};
    assert_int_equal(filled(ctx, &scene), 40 * 6 * 20);
    liquid[0].shape = (shape){.kind = SHAPE_PLANE, .flat = {{0, 0.0, 0}, {-1, 1, 0}, 0}}; /* to the domain */
    assert_int_equal(filled(ctx, &scene), 20 * (20 * 20 / 2)); /* half the square */

    /* overlapping liquids: each place once */
    liquid[0].shape = box_shape(v3(-1, 0, 0.5), v3(0, 0.5, 1.5));
    liquid[1].shape = box_shape(v3(-0.5, 0, 0.5), v3(0.5, 0.5, 1.5));
    scene.liquid_count = 2;
    assert_int_equal(filled(ctx, &scene), 30 * 10 * 20);

    /* a solid takes its own volume, wherever its faces are */
    scene_solid solid = {.shape = box_shape(v3(-0.5, -1, 0), v3(0, 1, 2)), .transform = {.scale = 1}};
    scene.solids = &solid;
    scene.solid_count = 1;
    assert_int_equal(filled(ctx, &scene), 20 * 10 * 20);
    solid.shape.box.max.x = 0.01;
    assert_int_equal(filled(ctx, &scene), 19.8 * 10 * 20);
    rill_ctx_destroy(ctx);
}

/* --- volumes that do not fit the lattice --- */

/* Of the liquid's exact volume, what the particles are too many. */
static double volume_error(const rill_scene *scene, double exact)
{
    rill_ctx *ctx = test_ctx(2);
    const double h = scene->spacing;
    const size_t n = filled(ctx, scene);
    rill_ctx_destroy(ctx);
    return (double)n * (scene->dimensions == 2 ? h * h : h * h * h) / exact - 1;
}

static double offset_of(uint64_t i, int axis)
{
    return random_unit(random_at(7, i, 0, 0).v[axis], 0);
}

static double across_error(int dimensions, double across, uint64_t offset, int what)
{
    const double h = 1.0 / 32, size = across * h;
    const rill_vec3 c = v3(h * offset_of(offset, 0), 0.5 + h * offset_of(offset, 1),
                           dimensions == 2 ? 0 : 1 + h * offset_of(offset, 2)),
                    half = v3(size / 2, size / 2, size / 2);
    rill_scene scene = scene_of(dimensions, h);
    scene_liquid liquid = {.shape = box_shape(v3_sub(c, half), v3_add(c, half))};
    scene_solid solid = {.transform = {.scale = 1}};
    const double box = dimensions == 2 ? size * size : size * size * size,
                 ball = dimensions == 2 ? M_PI * size * size / 4 : M_PI * size * size * size / 6;
    scene.liquid = &liquid;
    scene.liquid_count = 1;
    if (what == 0) return volume_error(&scene, box);
    liquid.shape = (shape){.kind = SHAPE_SPHERE, .sphere = {c, size / 2}};
    if (what == 1) return volume_error(&scene, ball);
    /* half a ball over a floor off the lattice */
    solid.shape = box_shape(v3(-9, -9, -9), v3(9, c.y, 9));
    scene.solids = &solid;
    scene.solid_count = 1;
    if (what == 2) return volume_error(&scene, ball / 2);
    /* a round vessel, all of it full */
    shape part[2] = {box_shape(v3(-9, -9, -9), v3(9, 9, 9)), {.kind = SHAPE_SPHERE, .sphere = {c, size / 2}}};
    solid.shape = (shape){.kind = SHAPE_DIFFERENCE, .parts = {part, 2}};
    liquid.shape = box_shape(v3(-9, -9, -9), v3(9, 9, 9));
    return volume_error(&scene, ball);
}

static void volumes_are_right_anywhere_on_the_lattice(void **state)
{
    (void)state;
    const double across[] = {4, 10, 20.3};
    for (int what = 0; what < 4; what++)
        for (int dimensions = 2; dimensions <= 3; dimensions++)
            for (int size = 0; size < 3; size++) {
                double worst = 0;
                for (uint64_t k = 0; k < (dimensions == 2 ? 6 : 2); k++) {
                    const double e = across_error(dimensions, across[size], k, what);
                    if (fabs(e) > fabs(worst)) worst = e;
                }
                /* and half a particle: their number is a whole one */
                const double half = dimensions == 2 ? 0.5 / (0.39 * across[size] * across[size]) : 0;
                print_message("shape %d, %dD, %g across: %.4f\n", what, dimensions, across[size], worst);
                assert_true(fabs(worst) < (size == 0 ? 0.02 : 0.005) + half);
            }
}

/* A box in pieces that meet anywhere is the whole box. */
static void pieces_add_up(void **state)
{
    (void)state;
    enum { PIECES = 12 };
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (uint64_t k = 0; k < 4; k++) {
            const double h = 0.05;
            rill_scene scene = scene_of(dimensions, h);
            const double low = -0.8 + h * offset_of(k, 0), wide = 1.2 + h * offset_of(k, 1),
                         top = 0.5 + h * offset_of(k, 2), deep = dimensions == 2 ? 1 : 1;
            scene_liquid liquid[PIECES];
            shape part[PIECES];
            double from = low;
            for (int i = 0; i < PIECES; i++) { /* the thinnest is less than half a spacing wide */
                const double to = i == PIECES - 1
                                      ? low + wide
                                      : from + wide / PIECES * (0.2 + 0.8 * offset_of(k, 3) * i / 6);
                part[i] = box_shape(v3(from, -1, -9), v3(fmin(to, low + wide), top, 9));
                liquid[i] = (scene_liquid){.shape = part[i]};
                from = to;
            }
            scene.liquid = liquid;
            scene.liquid_count = PIECES;
            const double many = volume_error(&scene, wide * top * deep);
            liquid[0].shape = (shape){.kind = SHAPE_UNION, .parts = {part, PIECES}};
            scene.liquid_count = 1;
            const double one = volume_error(&scene, wide * top * deep);
            print_message("%dD: %.4f in pieces, %.4f as a union\n", dimensions, many, one);
            assert_true(fabs(many) < 0.003 && fabs(one) < 0.003);
        }
}

/* Columns half a spacing wide, refused before. */
static void thin_columns_have_their_volume(void **state)
{
    (void)state;
    rill_scene scene = scene_of(2, 0.05);
    scene_liquid liquid = {.shape = box_shape(v3(0.012, 0, 0), v3(0.037, 0.8, 0))};
    scene.liquid = &liquid;
    scene.liquid_count = 1;
    assert_true(fabs(volume_error(&scene, 0.025 * 0.8)) < 1e-3);
}

/* No two particles closer than half a spacing, none alone in a hole. */
static void places_are_even(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        const double h = 0.05;
        rill_scene scene = scene_of(dimensions, h);
        scene_liquid liquid = {.shape = {.kind = SHAPE_SPHERE, .sphere = {{0.013, 0.49, 1}, 0.4}}};
        if (dimensions == 2) liquid.shape.sphere.center.z = 0;
        scene.liquid = &liquid;
        scene.liquid_count = 1;
        setup s;
        set_up(ctx, &scene, &s);
        assert_ok(ctx, sources_fill(ctx, &s.sources, &s.walls, &s.p));
        double least = INFINITY, most = 0, out = -INFINITY;
        for (size_t i = 0; i < s.p.count; i++) {
            double d = INFINITY;
            for (size_t j = 0; j < s.p.count; j++)
                if (j != i) d = fmin(d, v3_distance(s.p.position[i], s.p.position[j]));
            least = fmin(least, d);
            most = fmax(most, d);
            out = fmax(out, shape_distance(&liquid.shape, s.p.position[i], NULL) / h);
        }
        print_message("%dD: nearest neighbours %.3f to %.3f spacings away, outside by %.3f\n", dimensions,
                      least / h, most / h, out);
        assert_true(least > 0.8 * h && most < 1.15 * h && out < -0.2);
        tear_down(ctx, &s);
        rill_ctx_destroy(ctx);
    }
}

static void two_dimensions_fill_one_layer(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = scene_of(2, 0.05);
    scene_liquid liquid = {
        .shape = box_shape(v3(-1, 0, 0), v3(-0.4, 0.6, 0)),
        .velocity = {.named = 1, .value = {0, 0, 2}, .center = {-1, 0, 0}},
    };
    scene.liquid = &liquid;
    scene.liquid_count = 1;
    assert_int_equal(filled(ctx, &scene), 12 * 12);
    setup s;
    set_up(ctx, &scene, &s);
    assert_ok(ctx, sources_fill(ctx, &s.sources, &s.walls, &s.p));
    for (size_t i = 0; i < s.p.count; i++) {
        const rill_vec3 x = s.p.position[i], v = s.p.velocity[i];
        assert_true(x.z == 0 && v.z == 0);
        assert_true(fabs(v.x + 2 * x.y) < 1e-12 && fabs(v.y - 2 * (x.x + 1)) < 1e-12);
    }
    tear_down(ctx, &s);
    rill_ctx_destroy(ctx);
}

static void named_fields(void **state)
{
    (void)state;
    const scene_domain domain = {.min = {-1, 0, 0}, .max = {1, 1, 0}};
    velocity_field f = {.named = 2};
    const rill_vec3 x = v3(-0.5, 0.125, 0); /* a quarter and an eighth of the way */
    rill_vec3 v = velocity_field_at(&f, &domain, x);
    assert_true(fabs(v.x - sqrt(0.5)) < 1e-12 && fabs(v.y) < 1e-12);
    f.value.x = 3;
    v = velocity_field_at(&f, &domain, v3(-0.75, 0.125, 0));
    assert_true(fabs(v.x - 1.5) < 1e-12 && fabs(v.y + 1.5) < 1e-12);
    assert_string_equal(velocity_field_names[2], "taylor-green");
    assert_null(velocity_field_names[3]);
}

static void too_fine_a_spacing_is_refused(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const double fine[] = {5e-4, 1e-6, 1e-30};
    for (int i = 0; i < 3; i++) {
        rill_scene scene = scene_of(3, fine[i]);
        scene_liquid liquid = {.shape = box_shape(v3(-1, 0, 0.5), v3(1, 1, 1.5))};
        scene.liquid = &liquid;
        scene.liquid_count = 1;
        uint64_t count = 7;
        assert_int_equal(sources_count(ctx, &scene, &count), RILL_BAD_SCENE);
        assert_true(count == 7);
        const char *would = strstr(rill_ctx_message(ctx), "; spacing ");
        assert_non_null(would);
        double better = 0;
        assert_int_equal(sscanf(would, "; spacing %lf would do", &better), 1);
        const double n = 2 / (better * better * better); /* and it would */
        assert_true(n <= 0x1p31 && n > 0.8 * 0x1p31);
    }
    rill_ctx_destroy(ctx);
}

/* --- emitters --- */

static size_t emitted(rill_ctx *ctx, const rill_scene *scene, double until, double step, bool jitter)
{
    setup s;
    set_up(ctx, scene, &s);
    double t = 0;
    for (uint64_t i = 0; t < until; i++) {
        double dt = step;
        if (jitter) dt *= 0.1 + 1.8 * random_unit(random_at(3, i, 0, 0).v[0], 0);
        if (t + dt > until) dt = until - t;
        assert_ok(ctx, sources_apply(ctx, &s.sources, &s.walls, t, dt, &s.p));
        t += dt;
    }
    const size_t n = s.p.count;
    tear_down(ctx, &s);
    return n;
}

static void emitters_count_by_time_alone(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const double h = 0.05;
    rill_scene scene = scene_of(3, h);
    scene.domain.open = 0;
    scene.domain.max.x = 100;
    scene_emitter emitter = {
        .shape = {.kind = SHAPE_DISC, .flat = {{-0.9, 0.5, 1}, {1, 0, 0}, 0.2}},
        .speed = 2,
        .start = 0.1,
        .end = 0.9,
    };
    scene.emitters = &emitter;
    scene.emitter_count = 1;

    size_t places = 0; /* of a centred lattice of 8 x 8 in the circle */
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) places += hypot(i - 3.5, j - 3.5) <= 4;
    const double thick =
        (double)places * h * h * h / (M_PI * 0.2 * 0.2); /* of a layer: the circle's area gives */

    const double steps[] = {1e-4, 1.7e-3, 1.0 / 60, 0.05, 0.3, 2};
    const double until[] = {0.05, 0.5, 0.9, 2};
    const double running[] = {0, 0.4, 0.8, 0.8};
    for (int u = 0; u < 4; u++)
        for (int k = 0; k < 6; k++)
            for (int jitter = 0; jitter < 2; jitter++)
                assert_int_equal(emitted(ctx, &scene, until[u], steps[k], jitter != 0),
                                 places * (size_t)floor(2 * running[u] / thick + 1e-6));
    rill_ctx_destroy(ctx);
}

/* A speed that varies gives its integral in layers, by any steps, also when it pauses. */
static void varying_speed_keeps_the_volume(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const double h = 0.05;
    rill_scene scene = scene_of(3, h);
    scene.domain.max.x = 100;
    keyframe key[] = {
        {-0.5, {1, 0, 0}}, {0.3, {4, 0, 0}}, {0.6, {0, 0, 0}}, {0.9, {0, 0, 0}}, {1.5, {3, 0, 0}}};
    scene_emitter emitter = {
        .shape = {.kind = SHAPE_DISC, .flat = {{-0.9, 0.5, 1}, {1, 0, 0}, 0.2}},
        .speed = 1,
        .speed_keys = {key, 5, false},
        .start = 0.1,
        .end = 1.8,
    };
    scene.emitters = &emitter;
    scene.emitter_count = 1;
    const double thick = 52 * h * h * h / (M_PI * 0.2 * 0.2);
    const double steps[] = {1e-3, 1.0 / 60, 0.3, 2}, until[] = {0.3, 0.7, 1.2, 2};
    for (int smooth = 0; smooth < 2; smooth++) {
        emitter.speed_keys.smooth = smooth;
        for (int u = 0; u < 4; u++) {
            double way = 0; /* by a sum */
            const double to = fmin(until[u], 1.8), dt = (to - 0.1) / 1e5;
            for (int i = 0; i < 100000; i++) way += dt * emitter_speed(&emitter, 0.1 + (i + 0.5) * dt);
            for (int k = 0; k < 4; k++)
                for (int jitter = 0; jitter < 2; jitter++)
                    assert_int_equal(emitted(ctx, &scene, until[u], steps[k], jitter != 0),
                                     52 * (size_t)floor(way / thick + 1e-6));
        }
    }
    assert_true(fabs(emitter_way(&emitter, 0.9, 1.5) - 0.9) < 1e-12 && emitter_speed_most(&emitter) == 4);
    rill_ctx_destroy(ctx);
}

/* Undisturbed, what came out is the lattice of a jet, whatever the steps. */
static void emitted_particles_form_a_lattice(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const double h = 0.05, dt = 0.0137;
    rill_scene scene = scene_of(3, h);
    scene_emitter emitter = {
        .shape = box_shape(v3(-0.1, 0.6, 0.8), v3(0.1, 0.8, 1.1)),
        .direction = {0, -3, 0},
        .speed = 1.5,
        .end = 0.3,
    };
    scene.emitters = &emitter;
    scene.emitter_count = 1;
    setup s;
    set_up(ctx, &scene, &s);
    assert_int_equal(s.sources.layer[0].count, 4 * 6);
    for (int i = 0; i < 30; i++) {
        for (size_t k = 0; k < s.p.count; k++)
            s.p.position[k] = v3_madd(s.p.position[k], dt, s.p.velocity[k]);
        assert_ok(ctx, sources_apply(ctx, &s.sources, &s.walls, i * dt, dt, &s.p));
    }
    assert_int_equal(s.p.count, 24 * 9);
    for (size_t k = 0; k < s.p.count; k++) {
        assert_true(s.p.velocity[k].y == -1.5 && s.p.id[k] == k);
        /* layer l passed the middle plane l + 1/2 spacings after the start */
        const double expected = 0.7 - (1.5 * 30 * dt - ((double)(k / 24) + 0.5) * h);
        assert_true(fabs(s.p.position[k].y - expected) < 1e-9);
    }
    tear_down(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* Speed times cross-section times time, to a layer, whatever the shape and its size. */
static void flow_is_exact(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int k = 0; k < 8; k++) {
            const double h = 0.05, size = h * (0.6 + 0.77 * k);
            rill_scene scene = scene_of(dimensions, h);
            scene.domain.max.x = 200;
            scene_emitter emitter = {
                .shape = {.kind = SHAPE_DISC,
                          .flat = {{-0.5, 0.5, dimensions == 2 ? 0 : 1}, {1, 0, 0}, size}},
                .speed = 10,
                .end = 10,
            };
            double area = dimensions == 2 ? 2 * size : M_PI * size * size, slack = 1e-9;
            if (k % 2) { /* a rod along its direction */
                const rill_vec3 c = emitter.shape.flat.point;
                emitter.shape = (shape){.kind = SHAPE_CYLINDER,
                                        .rod = {v3_sub(c, v3(0.1, 0, 0)), v3_add(c, v3(0.1, 0, 0)), size}};
                emitter.direction = v3(1, 0, 0);
                slack = dimensions == 2 ? 1e-9 : 1e-3; /* sampled */
            }
            scene.emitters = &emitter;
            scene.emitter_count = 1;
            setup s;
            set_up(ctx, &scene, &s);
            const double layer = s.sources.layer[0].count * pow(h, dimensions),
                         given = pow(h, dimensions) * (double)emitted(ctx, &scene, 10, 0.37, false);
            assert_true(fabs(given - 100 * area) <= layer + 100 * area * slack);
            assert_true(fabs(layer / s.sources.layer[0].thickness - area) < 1e-9 + slack * area);
            for (uint32_t i = 0; i < s.sources.layer[0].count; i++) /* and out of what it is */
                assert_true(v3_distance(s.sources.layer[0].point[i], v3(-0.5, 0.5, dimensions == 2 ? 0 : 1)) <
                            1.05 * size);
            tear_down(ctx, &s);
        }
    rill_ctx_destroy(ctx);
}

static void slanted_discs_keep_the_volume(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = scene_of(2, 0.01);
    scene.domain.max = v3(9, 9, 0);
    scene_emitter emitter = {
        .shape = {.kind = SHAPE_DISC, .flat = {{0, 0.5, 0}, {1, 0, 0}, 0.1}},
        .direction = {1, 1, 0},
        .speed = 1,
        .end = 1,
    };
    scene.emitters = &emitter;
    scene.emitter_count = 1;
    const double volume = 0.01 * 0.01 * (double)emitted(ctx, &scene, 1, 0.01, false);
    assert_true(fabs(volume - 0.2 * sqrt(0.5)) < 0.2 * 0.01 + 1e-9); /* a layer */
    rill_ctx_destroy(ctx);
}

static void bad_emitters_are_refused(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = scene_of(3, 0.05);
    scene_emitter emitter = {.shape = box_shape(v3(-0.1, 0.6, 0.8), v3(0.1, 0.8, 1.1)), .speed = 1, .end = 1};
    scene.emitters = &emitter;
    scene.emitter_count = 1;
    sources s = {.drained = 5};
    assert_int_equal(sources_create(ctx, &scene, &s), RILL_BAD_SCENE); /* no direction */
    emitter.shape = (shape){.kind = SHAPE_DISC, .flat = {{0, 0.5, 1}, {1, 0, 0}, 0.1}};
    emitter.direction = v3(0, 1, 0);
    assert_int_equal(sources_create(ctx, &scene, &s), RILL_BAD_SCENE); /* along the disc */
    emitter.direction = v3(0, 0, 0);
    emitter.shape.flat.radius = 1e9;
    assert_int_equal(sources_create(ctx, &scene, &s), RILL_BAD_SCENE);
    assert_true(s.drained == 5);
    emitter.shape.flat.radius = 1e-9; /* thinner than a particle: a line of them */
    assert_ok(ctx, sources_create(ctx, &scene, &s));
    assert_int_equal(s.layer[0].count, 1);
    sources_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* --- removal --- */

static void drains_and_open_sides_remove(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene = scene_of(3, 0.05);
    scene.domain.open = 1u << 1; /* +x */
    scene_drain drain = {.shape = {.kind = SHAPE_SPHERE, .sphere = {{0, 0.5, 1}, 0.2}}};
    scene.drains = &drain;
    scene.drain_count = 1;
    setup s;
    set_up(ctx, &scene, &s);
    const rill_vec3 x[] = {
        {0, 0.5, 1.1},      /* drained */
        {0, 0.5, 1.21},     /* not */
        {1.09, 0.5, 1},     /* near outside */
        {1.11, 0.5, 1},     /* left */
        {-1.2, 0.5, 1},     /* through a closed side: not ours */
        {NAN, 0.5, 1},      /* for the driver */
        {INFINITY, 0.5, 1}, /* too */
    };
    assert_ok(ctx, particles_append(ctx, &s.p, sizeof x / sizeof *x, x, NULL));
    assert_ok(ctx, sources_apply(ctx, &s.sources, &s.walls, 0, 0.01, &s.p));
    const uint64_t kept[] = {1, 2, 4, 5, 6};
    assert_int_equal(s.p.count, 5);
    for (size_t i = 0; i < 5; i++) assert_true(s.p.id[i] == kept[i]);
    assert_true(s.sources.drained == 1 && s.sources.left == 1);
    tear_down(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* Saved in the middle of a layer and loaded elsewhere, an emitter goes on as before. */
static void state_goes_on(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = scene_of(3, 0.05);
    scene_emitter emitter = {
        .shape = {.kind = SHAPE_DISC, .flat = {{0, 0.5, 1}, {1, 0, 0}, 0.1}}, .speed = 1, .end = 1};
    scene.emitters = &emitter;
    scene.emitter_count = 1;
    setup a, b;
    set_up(ctx, &scene, &a);
    set_up(ctx, &scene, &b);
    assert_ok(ctx, sources_apply(ctx, &a.sources, &a.walls, 0, 0.26, &a.p));
    a.sources.drained = 3;
    snapshot snap;
    snapshot_init(&snap, ctx);
    assert_ok(ctx, sources_save(&a.sources, &snap.writer));
    assert_ok(ctx, sources_load(&b.sources, &snap.reader));
    assert_true(b.sources.drained == 3);
    a.p.count = 0;
    assert_ok(ctx, sources_apply(ctx, &a.sources, &a.walls, 0.26, 0.05, &a.p));
    assert_ok(ctx, sources_apply(ctx, &b.sources, &b.walls, 0.26, 0.05, &b.p));
    assert_true(a.p.count == b.p.count && a.p.count == b.sources.layer[0].count);
    assert_memory_equal(a.p.position, b.p.position, a.p.count * sizeof *a.p.position);

    scene.emitter_count = 0; /* a state of another scene */
    sources other;
    assert_ok(ctx, sources_create(ctx, &scene, &other));
    assert_int_equal(sources_load(&other, &snap.reader), RILL_BAD_FILE);
    sources_clear(ctx, &other);
    scene.emitter_count = 1;
    snapshot_clear(&snap);
    tear_down(ctx, &a);
    tear_down(ctx, &b);
    rill_ctx_destroy(ctx);
}

/* --- the shared part of a simulation, and gauges --- */

typedef struct {
    rill_sim sim;
    particles p;
} toy;

static void toy_view(const rill_sim *sim, rill_view *out)
{
    *out = (rill_view){.particles = &((const toy *)sim)->p};
}

static rill_status toy_pressure(const rill_sim *sim, size_t n, const rill_vec3 *x, double *p)
{
    (void)sim;
    for (size_t i = 0; i < n; i++) p[i] = 100 * x[i].y;
    return RILL_OK;
}

static void gauges_read_height_and_pressure(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = scene_of(3, 0.05);
    scene.domain.min.y = -1;
    scene_liquid liquid = {.shape = box_shape(v3(-1, -1, 0.5), v3(0, -0.4, 1.5))};
    scene.liquid = &liquid;
    scene.liquid_count = 1;
    scene_gauge gauge[] = {
        {.kind = GAUGE_HEIGHT, .point = {-0.51, 0, 1.01}},
        {.kind = GAUGE_PRESSURE, .point = {0, 3, 0}},
        {.kind = GAUGE_HEIGHT, .point = {0.5, 0, 1}},
        {.kind = GAUGE_PRESSURE, .point = {0, 4, 0}},
    };
    scene.gauges = gauge;
    scene.gauge_count = 4;
    rill_method method = {.name = "toy", .view = toy_view, .pressure = toy_pressure};
    toy t = {0};
    assert_ok(ctx, sim_init(ctx, &method, &scene, &t.sim));
    assert_ok(ctx, sources_fill(ctx, &t.sim.sources, &t.sim.solids, &t.p));
    double out[4];
    assert_ok(ctx, gauges_read(&t.sim, out));
    assert_true(fabs(out[0] - 0.6) < 1e-12 && out[2] == 0 && out[1] == 300 && out[3] == 400);
    method.pressure = NULL;
    assert_ok(ctx, gauges_read(&t.sim, out));
    assert_true(isnan(out[1]) && isnan(out[3]) && out[2] == 0);
    particles_clear(ctx, &t.p);
    sim_clear(&t.sim);
    rill_ctx_destroy(ctx);
}

static void survives_failing_allocations(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    const uint64_t held = f.live;
    rill_scene scene = scene_of(3, 0.1);
    scene_liquid liquid = {.shape = box_shape(v3(-1, 0, 0.5), v3(0, 0.5, 1.5))};
    scene.liquid = &liquid;
    scene.liquid_count = 1;
    scene_emitter emitter = {
        .shape = {.kind = SHAPE_DISC, .flat = {{0.2, 0.5, 1}, {1, 0, 0}, 0.4}}, .speed = 1, .end = 1};
    scene.emitters = &emitter;
    scene.emitter_count = 1;
    scene_drain drain = {.shape = {.kind = SHAPE_SPHERE, .sphere = {{0.3, 0.5, 1}, 0.1}}};
    scene.drains = &drain;
    scene.drain_count = 1;
    scene_gauge gauge = {.kind = GAUGE_HEIGHT, .point = {-0.5, 0, 1}};
    scene.gauges = &gauge;
    scene.gauge_count = 1;
    const rill_method method = {.view = toy_view};
    bool done = false;
    for (uint64_t n = 1; !done; n++) {
        toy t = {0};
        double out[1] = {-1};
        uint64_t count = 77;
        f.fail_at = f.calls + n;
        rill_status st = sim_init(ctx, &method, &scene, &t.sim);
        if (st) assert_null(t.sim.ctx);
        if (!st) st = sources_fill(ctx, &t.sim.sources, &t.sim.solids, &t.p);
        if (st) assert_true(t.p.count == 0 && t.p.next_id == 0);
        if (!st) {
            const size_t before = t.p.count;
            st = sources_apply(ctx, &t.sim.sources, &t.sim.solids, 0, 0.95, &t.p);
            if (st) assert_true(t.p.count == before && t.sim.sources.travelled[0] == 0);
        }
        if (!st) st = gauges_read(&t.sim, out);
        if (st) assert_true(out[0] == -1);
        if (!st) st = sources_count(ctx, &scene, &count);
        if (st) assert_true(count == 77);
        done = !st;
        if (!done) assert_int_equal(st, RILL_NO_MEMORY);
        particles_clear(ctx, &t.p);
        sim_clear(&t.sim);
        assert_true(f.live == held);
        assert_true(n < 200);
    }
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_fill_exactly),
        cmocka_unit_test(volumes_are_right_anywhere_on_the_lattice),
        cmocka_unit_test(pieces_add_up),
        cmocka_unit_test(thin_columns_have_their_volume),
        cmocka_unit_test(places_are_even),
        cmocka_unit_test(two_dimensions_fill_one_layer),
        cmocka_unit_test(named_fields),
        cmocka_unit_test(too_fine_a_spacing_is_refused),
        cmocka_unit_test(emitters_count_by_time_alone),
        cmocka_unit_test(varying_speed_keeps_the_volume),
        cmocka_unit_test(emitted_particles_form_a_lattice),
        cmocka_unit_test(flow_is_exact),
        cmocka_unit_test(slanted_discs_keep_the_volume),
        cmocka_unit_test(bad_emitters_are_refused),
        cmocka_unit_test(drains_and_open_sides_remove),
        cmocka_unit_test(state_goes_on),
        cmocka_unit_test(gauges_read_height_and_pressure),
        cmocka_unit_test(survives_failing_allocations),
    };
    return cmocka_run_group_tests_name("sources", tests, NULL, NULL);
}
