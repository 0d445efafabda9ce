/* The grid method, option by option, in two and three dimensions: the order of each integrator,
 * sides open or closed one by one, solids that push, liquid without air. */
#include "method_scenes.h"
#include "support.h"

#include "grid/state.h"
#include "grid/trace.h"

#include <math.h>
#include <string.h>

/* --- integrators --- */

/* How far from where it should be a point is after a sixth of a turn in `steps` steps. */
static double trace_error(int integrator, int dimensions, int steps)
{
    enum { N = 12 };
    static float u[3][N * N * N];
    const int layers = dimensions == 2 ? 1 : N;
    for (int i = 0; i < N * N * layers; i++) { /* faces: linear, so interpolation is exact */
        u[0][i] = -((float)(i / N % N) + 0.5f - 6);
        u[1][i] = (float)(i % N) + 0.5f - 6;
        u[2][i] = 0.25f;
    }
    const velocity_block b = {
        .u = {u[0], u[1], u[2]}, .n = N, .top = N - 1.001f, .d = dimensions, .frame = point_of(0, 0, 0)};
    const float angle = (float)M_PI / 3, step = angle / (float)steps;
    point x = point_of(6.8f, 6, dimensions == 2 ? 0 : 5);
    for (int k = 0; k < steps; k++) x += step * trace(&b, integrator, x, step, velocity_at(&b, x));
    float at[4];
    _mm_storeu_ps(at, x);
    const double z = dimensions == 2 ? 0 : 5 + 0.25 * (double)angle;
    return sqrt(pow((double)at[0] - 6 - 0.8 * cos((double)angle), 2) +
                pow((double)at[1] - 6 - 0.8 * sin((double)angle), 2) + pow((double)at[2] - z, 2));
}

static void integrators_have_their_order(void **state)
{
    (void)state;
    static const double order[] = {1, 2, 2, 3, 4};
    for (int d = 2; d <= 3; d++)
        for (int k = GRID_EULER; k <= GRID_RK4; k++) {
            const double a = trace_error(k, d, 2), b = trace_error(k, d, 4);
            if (!(log2(a / b) > order[k] - 0.35 && log2(a / b) < order[k] + 0.9))
                fail_msg("integrator %d, %dD: %g then %g", k, d, a, b);
        }
}

/* --- scenes --- */

static rill_scene scene_with(rill_ctx *ctx, int dimensions, double spacing, rill_box box)
{
    rill_scene scene;
    scene_liquid *liquid;
    assert_ok(ctx, scene_default(ctx, rill_methods, rill_method_count, &scene));
    scene.method = rill_method_find("grid");
    scene.dimensions = dimensions;
    scene.spacing = spacing;
    scene.domain.min = v3(0, 0, dimensions == 2 ? -spacing / 2 : 0);
    scene.domain.max = v3(1, 1, dimensions == 2 ? spacing / 2 : 1);
    assert_ok(ctx, scene_add_liquid(ctx, &scene, &liquid));
    if (dimensions == 2) box.min.z = -1, box.max.z = 1;
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {box.min, box.max}};
    return scene;
}

static rill_sim *run_to(rill_ctx *ctx, const rill_scene *scene, double until)
{
    rill_sim *sim = method_create(ctx, scene);
    while (sim->time < until) assert_ok(ctx, method_step(sim));
    return sim;
}

static size_t particles_of(const rill_sim *sim, const particles **out)
{
    rill_view view = {0};
    sim_view(sim, &view);
    *out = view.particles;
    return view.particles->count;
}

/* A block flies towards each side in turn: it goes through when the side is open, and stays
 * when it is closed. */
static void sides_are_open_or_closed(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++)
        for (int side = 0; side < 2 * d; side++)
            for (int open = 0; open < 2; open++) {
                rill_ctx *ctx = test_ctx(1);
                rill_scene scene =
                    scene_with(ctx, d, 1.0 / 12, (rill_box){{0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}});
                rill_vec3 v = {0};
                v3_set_axis(&v, side / 2, side % 2 ? 4 : -4);
                scene.liquid[0].velocity.value = v;
                scene.gravity = v3(0, 0, 0);
                scene.domain.open = open ? 1u << side : ((1u << 2 * d) - 1) & ~(1u << side);
                rill_sim *sim = run_to(ctx, &scene, open ? 0.4 : 0.1);
                const particles *p;
                const size_t left = particles_of(sim, &p);
                if (open) assert_int_equal(left, 0);
                for (size_t i = 0; i < left; i++)
                    assert_true(v3_axis(p->position[i], side / 2) > 0 &&
                                v3_axis(p->position[i], side / 2) < 1);
                if (!open) assert_int_equal(left, p->next_id);
                sim->method->destroy(sim);
                scene_clear(ctx, &scene);
                rill_ctx_destroy(ctx);
            }
}

/* A piston moves through a full channel with an open end: the liquid has its speed. */
static void a_piston_pushes(void **state)
{
    (void)state;
    static const int surfaces[] = {GRID_PARTICLES, GRID_LEVEL_SET};
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 2; k++) {
            rill_ctx *ctx = test_ctx(2);
            rill_scene scene = scene_with(ctx, d, 1.0 / 12, (rill_box){{0, 0, 0}, {1, 1, 1}});
            scene_solid *piston;
            assert_ok(ctx, scene_add_solid(ctx, &scene, &piston));
            piston->shape = (shape){.kind = SHAPE_BOX, .box = {{-3, -1, -1}, {0.23, 2, 2}}};
            assert_ok(ctx, MEM_NEW_ZERO(ctx, piston->motion.key, 2));
            piston->motion.count = 2;
            piston->motion.key[1].t = 10;
            piston->motion.key[1].translate = v3(5, 0, 0); /* 0.5 m/s */
            scene.gravity = v3(0, 0, 0);
            scene.domain.open = 2; /* +x */
            grid_def *def = scene_method_def_of(&scene, "grid");
            def->surface = surfaces[k];
            def->pack = 0;
            rill_sim *sim = method_create(ctx, &scene);
            rill_step_stats stats = step_stats_none();
            assert_ok(ctx, solids_prepare(ctx, &sim->solids, 0, 0.01));
            assert_ok(ctx, sim->method->step(sim, 0.01, &stats));
            for (int i = 0; i < 5; i++) {
                const rill_vec3 x = v3(0.4 + 0.1 * i, 0.3 + 0.1 * i, d == 2 ? 0 : 0.6 - 0.1 * i);
                rill_vec3 u;
                assert_ok(ctx, sim->method->velocity(sim, 1, &x, &u));
                if (!(v3_distance(u, v3(0.5, 0, 0)) < 5e-3))
                    fail_msg("surface %d, %dD: (%g, %g, %g) m/s", surfaces[k], d, u.x, u.y, u.z);
            }
            sim->method->destroy(sim);
            scene_clear(ctx, &scene);
            rill_ctx_destroy(ctx);
        }
}

/* A closed box that is full has no air: its pressure is known up to a constant, and nothing
 * moves; nor when a solid that floats in it cuts it in two. */
static void full_boxes_stay_at_rest(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++)
        for (int wall = 0; wall < 2; wall++) {
            rill_ctx *ctx = test_ctx(2);
            rill_scene scene = scene_with(ctx, d, 1.0 / 12, (rill_box){{0, 0, 0}, {1, 1, 1}});
            scene_solid *between;
            if (wall) {
                assert_ok(ctx, scene_add_solid(ctx, &scene, &between));
                between->shape = (shape){.kind = SHAPE_BOX, .box = {{0.4, -1, -1}, {0.6, 2, 2}}};
            }
            grid_def *def = scene_method_def_of(&scene, "grid");
            def->surface = GRID_LEVEL_SET;
            def->tolerance = 1e-8;
            rill_sim *sim = run_to(ctx, &scene, 0.1);
            const particles *p;
            double most = 0;
            for (size_t i = particles_of(sim, &p); i-- > 0;) most = fmax(most, v3_length(p->velocity[i]));
            assert_true(most < 1e-5);
            const rill_vec3 x[2] = {v3(0.2, 0.25, d == 2 ? 0 : 0.5), v3(0.2, 0.75, d == 2 ? 0 : 0.5)};
            double pressure[2];
            assert_ok(ctx, sim->method->pressure(sim, 2, x, pressure));
            assert_true(fabs((pressure[0] - pressure[1]) / (1000 * 9.81 * 0.5) - 1) < 1e-4);
            sim->method->destroy(sim);
            scene_clear(ctx, &scene);
            rill_ctx_destroy(ctx);
        }
}

/* --- liquid that is not there --- */

/* Swallowed by a solid, beyond the domain, or too thin for the spacing: told, whatever carries it. */
static void no_liquid_is_told(void **state)
{
    (void)state;
    const rill_box boxes[3] = {
        {{0.3, 0.3, 0.3}, {0.6, 0.6, 0.6}}, {{1.2, 0, 0}, {1.5, 1, 1}}, {{0, 0.001, 0}, {1, 0.002, 1}}};
    for (int d = 2; d <= 3; d++)
        for (int surface = GRID_PARTICLES; surface <= GRID_PARTICLE_SET; surface++)
            for (int k = 0; k < 3; k++) {
                rill_ctx *ctx = test_ctx(1);
                rill_scene scene = scene_with(ctx, d, 1.0 / 16, boxes[k]);
                ((grid_def *)scene_method_def_of(&scene, "grid"))->surface = surface;
                if (k == 0) {
                    scene_solid *solid;
                    assert_ok(ctx, scene_add_solid(ctx, &scene, &solid));
                    solid->shape = (shape){.kind = SHAPE_BOX, .box = {{0.2, 0.2, -2}, {0.7, 0.7, 2}}};
                }
                rill_sim *sim = NULL;
                assert_int_equal(scene.method->create(ctx, &scene, &sim), RILL_BAD_SCENE);
                assert_null(sim);
                assert_non_null(strstr(rill_ctx_message(ctx), "no liquid is left"));
                scene_clear(ctx, &scene);
                rill_ctx_destroy(ctx);
            }
}

/* A lid that comes down to the floor: its step fails with the place, and until then everything is
 * finite. */
static void crushed_liquid_is_reported(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++)
        for (int surface = GRID_PARTICLES; surface <= (d == 2 ? GRID_PARTICLE_SET : GRID_PARTICLES);
             surface++) {
            rill_ctx *ctx = test_ctx(1);
            rill_scene scene = scene_with(ctx, d, 1.0 / 16, (rill_box){{0, 0, 0}, {1, 0.3, 1}});
            scene_solid *solid;
            ((grid_def *)scene_method_def_of(&scene, "grid"))->surface = surface;
            assert_ok(ctx, scene_add_solid(ctx, &scene, &solid));
            solid->shape = (shape){.kind = SHAPE_BOX, .box = {{-1, 0.5, -2}, {2, 2, 2}}};
            assert_ok(ctx, MEM_NEW_ZERO(ctx, solid->motion.key, 2));
            solid->motion.count = 2;
            solid->motion.key[1].t = 0.5;
            solid->motion.key[1].translate = v3(0, -0.5, 0);
            rill_sim *sim = method_create(ctx, &scene);
            rill_status st = RILL_OK;
            while (!st && sim->time < 1) {
                rill_view view = {0};
                st = method_step(sim);
                sim_view(sim, &view);
                for (size_t i = 0; i < view.particles->count; i++) {
                    assert_true(v3_finite(view.particles->position[i]));
                    assert_true(v3_finite(view.particles->velocity[i]));
                }
            }
            if (st != RILL_BLEW_UP) fail_msg("surface %d, %dD: %d", surface, d, st);
            assert_non_null(strstr(rill_ctx_message(ctx), "crush the liquid near ("));
            assert_true(sim->time > 0.1);
            scene.method->destroy(sim);
            scene_clear(ctx, &scene);
            rill_ctx_destroy(ctx);
        }
}

/* Two jaws that leave 0.94 of its volume to the liquid in a closed box: it is crowded nowhere, for it fills
 * all of the space, but it does not fit; and jaws that leave 1.05 of it end nothing. */
static void jaws_are_reported(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = scene_with(ctx, 2, 1.0 / 24, (rill_box){{0, 0, 0}, {1, 0.5, 1}});
        for (int side = 0; side < 2; side++) {
            scene_solid *jaw;
            assert_ok(ctx, scene_add_solid(ctx, &scene, &jaw));
            jaw->shape = (shape){.kind = SHAPE_BOX, .box = {{side ? 1 : -1, -1, -2}, {side ? 2 : 0, 2, 2}}};
            assert_ok(ctx, MEM_NEW_ZERO(ctx, jaw->motion.key, 2));
            jaw->motion.count = 2;
            jaw->motion.key[1].t = 0.8;
            jaw->motion.key[1].translate = v3((side ? -0.5 : 0.5) * (1 - (k ? 0.525 : 0.47)), 0, 0);
        }
        rill_sim *sim = method_create(ctx, &scene);
        rill_status st = RILL_OK;
        while (!st && sim->time < 1.2) st = method_step(sim);
        if (st != (k ? RILL_OK : RILL_BLEW_UP)) fail_msg("jaws %d: %d", k, st);
        if (!k) assert_non_null(strstr(rill_ctx_message(ctx), "crush the liquid near ("));
        scene.method->destroy(sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

/* A closed box with an emitter: it takes what it holds, and the steps go on. */
static void a_full_box_takes_no_more(void **state)
{
    (void)state;
    for (int surface = GRID_PARTICLES; surface <= GRID_PARTICLE_SET; surface++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = scene_with(ctx, 2, 1.0 / 12, (rill_box){{0, 0, 0}, {1, 0.75, 1}});
        scene_emitter *emitter;
        ((grid_def *)scene_method_def_of(&scene, "grid"))->surface = surface;
        assert_ok(ctx, scene_add_emitter(ctx, &scene, &emitter));
        emitter->shape = (shape){.kind = SHAPE_DISC,
                                 .flat = {.point = {0.5, 0.3, 0}, .normal = {0, 1, 0}, .radius = 0.25}};
        emitter->speed = 2;
        emitter->end = SCENE_FOREVER;
        rill_sim *sim = run_to(ctx, &scene, 1);
        const particles *p;
        const double volume = (double)particles_of(sim, &p) / (24 * 24);
        if (!(volume > 0.9 && volume < 1.05)) fail_msg("surface %d: %g m^2 in 1 m^2", surface, volume);
        sim->method->destroy(sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

/* Particles that were packed are spread again, and hardly any of that is in their velocity: a drop in free
 * fall with a quarter too many particles (a third in three dimensions) grows and falls on as it was. */
static void packed_liquid_spreads_quietly(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = scene_with(ctx, d, 1.0 / 24, (rill_box){{0.25, 0.45, 0.25}, {0.75, 0.95, 0.75}});
        const rill_vec3 middle = v3(0.5, 0.7, d == 2 ? 0 : 0.5);
        rill_sim *sim = method_create(ctx, &scene);
        particles *p = &grid_of(sim)->particles;
        for (size_t i = 0; i < p->count; i++)
            p->position[i] = v3_madd(middle, 0.9, v3_sub(p->position[i], middle));
        double width[2] = {0}, most = 0;
        for (int k = 0; k <= 40; k++) {
            rill_step_stats stats = step_stats_none();
            double sum = 0;
            for (size_t i = 0; i < p->count; i++) sum += fabs(p->position[i].x - 0.5);
            width[k > 0] = sum / (double)p->count;
            assert_ok(ctx, sim->method->step(sim, 0.005, &stats));
            sim->time += 0.005;
            sim->step++;
            const rill_vec3 fall = v3_scale(scene.gravity, sim->time);
            for (size_t i = 0; i < p->count; i++) most = fmax(most, v3_distance(p->velocity[i], fall));
        }
        const double growth = width[1] / width[0];
        if (!(growth > 1.06 && growth < 1.13 && most < 0.1))
            fail_msg("%dD: grew %g times, with up to %g m/s", d, growth, most);
        sim->method->destroy(sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrators_have_their_order),
        cmocka_unit_test(sides_are_open_or_closed),
        cmocka_unit_test(a_piston_pushes),
        cmocka_unit_test(full_boxes_stay_at_rest),
        cmocka_unit_test(no_liquid_is_told),
        cmocka_unit_test(crushed_liquid_is_reported),
        cmocka_unit_test(jaws_are_reported),
        cmocka_unit_test(a_full_box_takes_no_more),
        cmocka_unit_test(packed_liquid_spreads_quietly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
