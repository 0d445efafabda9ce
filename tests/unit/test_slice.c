/* Cuts: what stands at a pixel against a search that cannot be wrong, values that are linear between
 * corners, and the cells a method writes against what it answers when asked. */
#include "support.h"

#include "base/random.h"
#include "method_scenes.h"
#include "render/slice.h"
#include "render/slice_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 3000 };

static double linear(rill_vec3 x)
{
    return 2 + 3 * x.x - 5 * x.y + 7 * x.z;
}

/* A jittered block of [0, 1]^3 and another beside it with a gap of a third; "value" is linear. */
static void make_sites(rill_ctx *ctx, particles *p, int dimensions)
{
    *p = (particles){0};
    assert_ok(ctx, particles_add_column(ctx, p, "value"));
    const int n = 10, deep = dimensions == 2 ? 1 : n;
    for (int b = 0; b < 2; b++)
        for (int i = 0; i < n * n * deep; i++) {
            const random4 r = random_at(3, (uint64_t)(i + b * 5000), 0, 0);
            rill_vec3 x = v3(i % n + 0.5, i / n % n + 0.5, dimensions == 2 ? 0 : i / n / n + 0.5);
            x.x += 0.3 * (random_unit(r.v[0], r.v[1]) - 0.5);
            x.y += 0.3 * (random_unit(r.v[2], r.v[3]) - 0.5);
            x = v3_scale(x, 0.1);
            x.x += b * (1 + 1.0 / 3);
            assert_ok(ctx, particles_append(ctx, p, 1, &x, NULL));
            p->column[0].value[p->count - 1] = (float)linear(x);
        }
}

static void make_places(rill_vec3 *x, int dimensions)
{
    for (int i = 0; i < PLACES; i++) {
        const random4 r = random_at(9, (uint64_t)i, 0, 0);
        x[i] = v3(-0.2 + 2.8 * random_unit(r.v[0], r.v[1]), -0.2 + 1.4 * random_unit(r.v[2], r.v[3]),
                  dimensions == 2 ? 0 : 0.5);
    }
}

static slice_sites sites_of(rill_ctx *ctx, const particles *p, view_shape kind, int dimensions)
{
    slice_sites s = {.sites = p, .shape = kind, .spacing = 0.1, .dimensions = dimensions};
    assert_ok(ctx, range_find(ctx, p, "value", &s.column));
    return s;
}

static void cells_are_the_nearest(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_arena arena;
    arena_init(&arena, ctx);
    static rill_vec3 x[PLACES];
    static uint32_t element[PLACES];
    static float value[PLACES];
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        particles p;
        int found = 0, none = 0;
        make_sites(ctx, &p, dimensions);
        make_places(x, dimensions);
        const slice_sites s = sites_of(ctx, &p, VIEW_VORONOI, dimensions);
        assert_ok(ctx, slice_find(ctx, &arena, &s, PLACES, x, element, value));
        for (int i = 0; i < PLACES; i++) {
            double least = 0.1;
            uint32_t best = UINT32_MAX;
            for (size_t k = 0; k < p.count; k++)
                if (v3_distance(p.position[k], x[i]) < least) {
                    least = v3_distance(p.position[k], x[i]);
                    best = (uint32_t)k;
                }
            assert_int_equal(element[i], best);
            if (best == UINT32_MAX)
                none++;
            else
                assert_true(value[i] == p.column[0].value[best]);
            found += best != UINT32_MAX;
        }
        assert_true(found > 500 && none > 500);
        particles_clear(ctx, &p);
    }
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

static void cubes_end_at_their_sides(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_arena arena;
    arena_init(&arena, ctx);
    static rill_vec3 x[PLACES];
    static uint32_t element[PLACES];
    static float value[PLACES];
    particles p = {0};
    assert_ok(ctx, particles_add_column(ctx, &p, "value"));
    for (int i = 0; i < 60; i++) { /* a stair of cubes */
        const rill_vec3 at = v3(0.05 + 0.1 * (i % 10), 0.05 + 0.1 * (i / 10), 0.45);
        if (i % 10 > i / 10 + 3) continue;
        assert_ok(ctx, particles_append(ctx, &p, 1, &at, NULL));
        p.column[0].value[p.count - 1] = (float)i;
    }
    for (int i = 0; i < PLACES; i++) {
        const random4 r = random_at(9, (uint64_t)i, 0, 0);
        x[i] = v3(1.2 * random_unit(r.v[0], r.v[1]) - 0.1, 0.8 * random_unit(r.v[2], r.v[3]) - 0.1, 0.43);
    }
    const slice_sites s = sites_of(ctx, &p, VIEW_CUBES, 3);
    assert_ok(ctx, slice_find(ctx, &arena, &s, PLACES, x, element, value));
    for (int i = 0; i < PLACES; i++) {
        const int column = (int)floor(x[i].x / 0.1), row = (int)floor(x[i].y / 0.1);
        const bool in = column >= 0 && column < 10 && row >= 0 && row < 6 && column <= row + 3;
        assert_int_equal(element[i] != UINT32_MAX, in);
        if (in) assert_true(value[i] == (float)(10 * row + column));
    }
    particles_clear(ctx, &p);
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

/* Between the corners of a tetrahedron, or a triangle, a linear function is itself; the gap and
 * everything outside are empty. */
static void tetrahedra_interpolate(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_arena arena;
    arena_init(&arena, ctx);
    static rill_vec3 x[PLACES];
    static uint32_t element[PLACES];
    static float value[PLACES];
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        particles p;
        make_sites(ctx, &p, dimensions);
        make_places(x, dimensions);
        const slice_sites s = sites_of(ctx, &p, VIEW_TETS, dimensions);
        assert_ok(ctx, slice_find(ctx, &arena, &s, PLACES, x, element, value));
        for (int i = 0; i < PLACES; i++) {
            const bool filled = element[i] != UINT32_MAX;
            const double a = x[i].x > 1.2 ? x[i].x - 4.0 / 3 : x[i].x; /* in its block */
            const double rim = fmin(fmin(a, 1 - a), fmin(x[i].y, 1 - x[i].y));
            if (rim < 0) assert_false(filled);
            if (rim > 0.1) assert_true(filled);
            if (filled) assert_true(fabs(value[i] - linear(x[i])) < (dimensions == 2 ? 2e-2 : 1e-4));
        }
        /* with a level, those below it alone */
        assert_ok(ctx, particles_add_column(ctx, &p, "level"));
        for (size_t k = 0; k < p.count; k++) p.column[1].value[k] = (float)(p.position[k].x - 0.6);
        slice_sites cut = s;
        cut.level = p.column[1].value;
        cut.column.value = p.column[0].value;
        assert_ok(ctx, slice_find(ctx, &arena, &cut, PLACES, x, element, value));
        for (int i = 0; i < PLACES; i++) {
            if (x[i].x > 0.75) assert_true(element[i] == UINT32_MAX);
            if (x[i].x > 0.1 && x[i].x < 0.4 && x[i].y > 0.1 && x[i].y < 0.9)
                assert_true(element[i] != UINT32_MAX);
        }
        particles_clear(ctx, &p);
    }
    arena_clear(&arena);
    rill_ctx_destroy(ctx);
}

/* ---- whole pictures ---- */

static rill_scene scene_of(int dimensions)
{
    return (rill_scene){.dimensions = dimensions, .domain = {.max = {2.4, 1, 1}}, .spacing = 0.1};
}

static rill_view view_of(const particles *p, int dimensions)
{
    rill_view v = {
        .spacing = 0.1, .dimensions = dimensions, .domain = {{0, 0, 0}, {2.4, 1, 1}}, .particles = p};
    if (dimensions == 2) v.domain.min.z = -0.05, v.domain.max.z = 0.05;
    return v;
}

static void pictures_do_not_depend_on_threads(void **state)
{
    (void)state;
    for (int kind = SLICE_CELLS; kind <= SLICE_DISCS; kind++)
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            static uint8_t first[3 * 400 * 220];
            for (int threads = 1; threads <= 3; threads += 2) {
                rill_ctx *ctx = test_ctx(threads);
                particles p;
                image im;
                make_sites(ctx, &p, dimensions);
                const rill_scene scene = scene_of(dimensions);
                const rill_view view = view_of(&p, dimensions);
                const slice_def def = {.axis = 2,
                                       .at = dimensions == 2 ? 0 : 0.5,
                                       .kind = (slice_kind)kind,
                                       .column = "value",
                                       .width = 400,
                                       .height = 220};
                assert_ok(ctx, slice_draw(ctx, &scene, &view, &def, &im));
                if (threads == 1) memcpy(first, im.rgb, sizeof first);
                assert_memory_equal(first, im.rgb, sizeof first);
                int coloured = 0;
                for (size_t i = 0; i < sizeof first; i += 3) coloured += abs(first[i] - first[i + 2]) > 30;
                assert_true(coloured > 2000);
                image_clear(ctx, &im);
                particles_clear(ctx, &p);
                rill_ctx_destroy(ctx);
            }
        }
}

/* Pixels of a disc: those that are there in the one picture and not in that of an empty tank. */
static double disc_pixels(rill_ctx *ctx, const particles *p)
{
    const particles none = {0};
    const rill_scene scene = scene_of(3);
    const slice_def def = {
        .axis = 2, .at = 0.5, .kind = SLICE_DISCS, .width = 400, .height = 220, .low = 0, .high = 1};
    image im[2];
    for (int k = 0; k < 2; k++) {
        const rill_view view = view_of(k ? &none : p, 3);
        assert_ok(ctx, slice_draw(ctx, &scene, &view, &def, &im[k]));
    }
    double count = 0;
    for (size_t i = 0; i < (size_t)3 * 400 * 220; i += 3)
        count += memcmp(im[0].rgb + i, im[1].rgb + i, 3) != 0;
    for (int k = 0; k < 2; k++) image_clear(ctx, &im[k]);
    return count;
}

/* Particles of several sizes are drawn in their own, and are in the cut as far as they reach. */
static void discs_have_their_sizes(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    particles p = {0};
    const rill_vec3 near = v3(1.2, 0.5, 0.52), aside = v3(1.2, 0.5, 0.65);
    assert_ok(ctx, particles_append(ctx, &p, 1, &near, NULL));
    const double plain = disc_pixels(ctx, &p);
    assert_ok(ctx, particles_add_column(ctx, &p, "spacing"));
    p.column[0].value[0] = 0.1f;
    assert_true(disc_pixels(ctx, &p) == plain);
    p.column[0].value[0] = 0.4f;
    const double large = disc_pixels(ctx, &p);
    assert_true(large > 11 * plain && large < 21 * plain);
    p.position[0] = aside;
    assert_true(disc_pixels(ctx, &p) == large);
    p.column[0].value[0] = 0.1f;
    assert_true(disc_pixels(ctx, &p) == 0);
    particles_clear(ctx, &p);
    rill_ctx_destroy(ctx);
}

static void bad_questions(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    particles p, none = {0};
    image im = {.width = 7};
    make_sites(ctx, &p, 3);
    const rill_scene scene = scene_of(3);
    rill_view view = view_of(&p, 3);
    slice_def def = {.axis = 2, .at = 0.5, .column = "nothing", .width = 400, .height = 220};
    assert_int_equal(slice_draw(ctx, &scene, &view, &def, &im), RILL_USAGE);
    assert_non_null(strstr(rill_ctx_message(ctx), "speed, vx, vy, vz, value"));
    def.column = "vy";
    view.particles = &none;
    for (int kind = SLICE_CELLS; kind <= SLICE_DISCS; kind++) { /* an empty tank is a picture */
        def.kind = (slice_kind)kind;
        assert_ok(ctx, slice_draw(ctx, &scene, &view, &def, &im));
        image_clear(ctx, &im);
    }
    view.particles = NULL;
    assert_int_equal(slice_draw(ctx, &scene, &view, &def, &im), RILL_USAGE);
    particles_clear(ctx, &p);
    rill_ctx_destroy(ctx);
}

static void survives_failed_allocations(void **state)
{
    (void)state;
    for (int kind = SLICE_CELLS; kind <= SLICE_DISCS; kind++) {
        rill_status st = RILL_NO_MEMORY;
        for (uint64_t n = 1; st; n++) {
            failing_allocator f = {.fail_at = 0};
            rill_ctx *ctx = test_ctx_failing(1, &f);
            particles p;
            image im = {.width = 7};
            make_sites(ctx, &p, 2);
            const uint64_t live = f.live;
            const rill_scene scene = scene_of(2);
            const rill_view view = view_of(&p, 2);
            const slice_def def = {.axis = 2, .kind = (slice_kind)kind, .width = 48, .height = 32};
            f.fail_at = f.calls + n;
            st = slice_draw(ctx, &scene, &view, &def, &im);
            if (st) {
                assert_int_equal(st, RILL_NO_MEMORY);
                assert_int_equal(im.width, 7);
            } else {
                image_clear(ctx, &im);
            }
            assert_int_equal(f.live, live);
            particles_clear(ctx, &p);
            rill_ctx_destroy(ctx);
        }
    }
}

/* ---- a method's own cells ---- */

static void cells_say_what_the_method_says(void **state)
{
    (void)state;
    int tried = 0;
    for (const method_scene *which = method_scenes(); which->method; which++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = method_scene_read(ctx, which, NULL);
        rill_sim *sim = method_create(ctx, &scene);
        const rill_method *method = sim->method; /* a scene that fluid fills may have another than it names */
        for (int steps = 0; steps < 2 && method->cells; steps++) { /* before the first step too */
            particles cells = {0};
            assert_true(method->cell_shape != VIEW_NO_CELLS);
            if (steps) method_steps(sim, 3);
            assert_ok(ctx, method->cells(sim, &cells));
            assert_true(cells.count > 5);
            const float *pressure = particles_column(&cells, "pressure");
            assert_non_null(pressure);
            double *asked, most = 0;
            assert_ok(ctx, MEM_NEW(ctx, asked, cells.count));
            assert_ok(ctx, method->pressure(sim, cells.count, cells.position, asked));
            for (size_t i = 0; i < cells.count; i++) {
                rill_vec3 x = cells.position[i];
                if (scene.dimensions == 2) x.z = 0; /* a method may have a slab of some elements */
                /* corners of tetrahedra are snapped to 2^-24 of the domain (geom/delaunay/predicates.h) */
                const rill_box domain = {scene.domain.min, scene.domain.max};
                if (!box_contains(method->cell_shape == VIEW_TETS ? box_grown(domain, 1e-6) : domain, x))
                    fail_msg("%s: a cell at (%.9g, %.9g, %.9g)", method->name, x.x, x.y, x.z);
                /* of gas without its weight; corners of tetrahedra have averages of those around */
                if (scene.fill) continue;
                if (pressure[i] != (float)asked[i])
                    fail_msg("%s: %g in cell %zu, %g there", method->name, (double)pressure[i], i, asked[i]);
                most = fmax(most, asked[i]);
            }
            /* before the first step 0, but for the pull of a fit towards the weight of the liquid */
            const bool as_expected = steps ? most > 0 : fabs(most) < 1e-3;
            if (!scene.fill) assert_true(as_expected);
            mem_free(ctx, asked);
            particles_clear(ctx, &cells);
            tried++;
        }
        method->destroy(sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
    assert_true(tried > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_the_nearest),       cmocka_unit_test(cubes_end_at_their_sides),
        cmocka_unit_test(tetrahedra_interpolate),      cmocka_unit_test(pictures_do_not_depend_on_threads),
        cmocka_unit_test(discs_have_their_sizes),      cmocka_unit_test(bad_questions),
        cmocka_unit_test(survives_failed_allocations), cmocka_unit_test(cells_say_what_the_method_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
