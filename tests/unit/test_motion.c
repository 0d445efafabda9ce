/* Moving solids: where they are, how fast, and particles that go with them. */
#include "solid_scenes.h"

/* Every solid's point keeps its place in the solid; its velocity is what differences say. */
static void velocities_are_differences(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    scene_motion_key key[] = {
        {-0.5, {0.1, 0, 0}, {10, -20, 5}},
        {0.4, {0.3, 0.2, -0.1}, {100, 50, 400}},
        {1.5, {0, 0.4, 0.2}, {-30, 200, 380}},
    };
    for (int k = 0; k < 8; k++) {
        const int dimensions = k & 1 ? 3 : 2;
        scene_solid solid = {
            .shape = box_shape(v3(-0.2, -0.1, -0.05), v3(0.1, 0.2, 0.3)),
            .transform = {.translate = {1, 0.5, 0.5}, .rotate = {30, 60, 15}, .scale = 0.7},
            .motion = {key, 3, k & 2, k & 4 ? v3(0.1, -0.3, 0.2) : v3(0, 0, 0)},
        };
        if (dimensions == 2) solid.transform.rotate = v3(0, 0, 15);
        const rill_scene scene = scene_of(dimensions, &solid, 1);
        solids s;
        assert_ok(ctx, solids_create(ctx, &scene, &s));
        assert_int_equal(s.moving, 1);
        for (uint64_t i = 0; i < 300; i++) {
            const double t = uniform(i, 4, -1, 2), h = 1e-6;
            if (fabs(t + 0.5) < 2 * h || fabs(t - 0.4) < 2 * h || fabs(t - 1.5) < 2 * h) continue;
            rill_vec3 local = random_in((rill_box){{-1, -1, -1}, {1, 1, 1}}, i);
            if (dimensions == 2) local.z = 0;
            solid_place a, b, now;
            const rill_vec3 before = solid_to_world(&solids_place_at(&s, 0, t - h, &a)->pose, local),
                            after = solid_to_world(&solids_place_at(&s, 0, t + h, &b)->pose, local);
            const solid_place *p = solids_place_at(&s, 0, t, &now);
            const rill_vec3 x = solid_to_world(&p->pose, local);
            const rill_vec3 v = v3_scale(v3_sub(after, before), 0.5 / h);
            assert_true(v3_distance(v, solid_velocity(p, x)) < 1e-6);
            assert_true(v3_distance(solid_to_local(&p->pose, x), local) < 1e-12);

            solid_contact c;
            solids_distance(&s, x, t, &c);
            if (c.solid != 0) continue;
            const rill_vec3 face = v3_madd(x, -c.distance, c.normal);
            assert_true(v3_distance(c.velocity, solid_velocity(p, face)) < 1e-12);
            assert_true(box_contains(box_grown(p->bounds, 1e-9), face));
            if (box_contains((rill_box){scene.domain.min, scene.domain.max}, face))
                assert_true(v3_length(c.velocity) <= solids_max_speed(&s, t, t) * (1 + 1e-9));
        }
        /* Places worked out beforehand are the same. */
        solid_place room;
        const solid_place fresh = *solids_place_at(&s, 0, 0.35, &room);
        assert_ok(ctx, solids_prepare(ctx, &s, 0.3, 0.1));
        const solid_place *kept = solids_place_at(&s, 0, 0.3 + 0.1 / 2, &room);
        assert_ptr_not_equal(kept, &room);
        assert_memory_equal(&fresh.pose, &kept->pose, sizeof fresh.pose);
        solids_clear(ctx, &s);
    }
    rill_ctx_destroy(ctx);
}

/* From 0 to 720 degrees are two turns, and half of that is where it started. */
static void two_turns(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    scene_motion_key key[] = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {0, 0, 0}, {0, 720, 0}}};
    scene_solid solid = {.shape = box_shape(v3(0, -0.1, -0.1), v3(0.4, 0.1, 0.1)),
                         .transform = {.translate = {1, 0.5, 0.5}},
                         .motion = {key, 2, false, {0, 0, 0}}};
    const rill_scene scene = scene_of(3, &solid, 1);
    solids s;
    assert_ok(ctx, solids_create(ctx, &scene, &s));
    const struct {
        double t;
        rill_vec3 inside;
    } seen[] = {{0, {1.3, 0.5, 0.5}},   {0.125, {1, 0.5, 0.2}}, {0.25, {0.7, 0.5, 0.5}},
                {0.375, {1, 0.5, 0.8}}, {0.5, {1.3, 0.5, 0.5}}, {0.625, {1, 0.5, 0.2}},
                {-5, {1.3, 0.5, 0.5}},  {7, {1.3, 0.5, 0.5}}};
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        assert_true(fabs(solids_distance(&s, seen[i].inside, seen[i].t, NULL) + 0.1) < 1e-12);
        assert_true(solids_distance(&s, v3_sub(v3(2, 1, 1), seen[i].inside), seen[i].t, NULL) > 0);
    }
    assert_true(fabs(solids_max_speed(&s, 0, 1) - 4 * M_PI * sqrt(0.18)) < 1e-9);
    assert_true(solids_max_speed(&s, 1.5, 2) == 0);
    solids_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* A piston pushes everything before it, in steps longer than it is thick. */
static void piston(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const double clearance = 0.001;
    for (int k = 0; k < 12; k++) {
        const double speed = k & 1 ? 5 : 1, thick = k & 2 ? 0.002 : 0.05, dt = k & 4 ? 0.002 : 0.03;
        const bool stick = k >= 8;
        const double end = 1.5 / speed;
        scene_motion_key key[] = {{0, {0, 0, 0}, {0, 0, 0}}, {end, {1.5, 0, 0}, {0, 0, 0}}};
        scene_solid solid = {.shape = box_shape(v3(0.1 - thick, -1, -1), v3(0.1, 2, 2)),
                             .motion = {key, 2, false, {0, 0, 0}},
                             .slip = stick ? SLIP_NONE : SLIP_FREE};
        const rill_scene scene = scene_of(3, &solid, 1);
        solids s;
        assert_ok(ctx, solids_create(ctx, &scene, &s));
        for (uint64_t i = 0; i < 60; i++) {
            rill_vec3 x = random_in((rill_box){{0.11, 0.1, 0.1}, {1.5, 0.9, 0.9}}, i + 100 * (uint64_t)k);
            rill_vec3 v = v3(uniform(i, 7, -3, 0.5), uniform(i, 8, -0.1, 0.1), 0);
            double t = 0;
            while (t < end - 1e-12) {
                const double step = fmin(dt, end - t), wall = 0.1 + speed * (t + step);
                const rill_vec3 from = x;
                x = v3_madd(from, step, v);
                assert_ok(ctx, solids_prepare(ctx, &s, t, step));
                const bool met = solids_push_out(&s, t, t + step, clearance, from, &x, &v);
                t += step;
                assert_true(x.x >= fmin(wall, 1.6) + clearance * (1 - 1e-5));
                if (met && v3_distance(from, v3(from.x, 0.5, 0.5)) < 0.3 && x.x < 1.9 && t < end - 1e-9) {
                    assert_true(v.x >= speed * (1 - 1e-9) || x.x > wall + 1.001 * clearance);
                    if (stick && x.x <= wall + 1.001 * clearance) assert_true(v.y == 0);
                }
            }
            assert_true(x.x >= 1.6 && x.x <= 2);
        }
        solids_clear(ctx, &s);
    }
    rill_ctx_destroy(ctx);
}

/* Whether x is on the same side of the plate all along: in the plate's own frame. */
static void thin_plate_and_paddle(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const double clearance = 0.001, dt = 0.01;
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int k = 0; k < 3; k++) {
            scene_motion_key swing[] = {{0, {-0.3, 0, 0}, {0, 0, 0}},
                                        {0.1, {0.3, 0.1, 0}, {0, 0, 40}},
                                        {0.25, {-0.3, 0, 0}, {0, 0, -300}},
                                        {0.5, {0.2, 0, 0}, {0, 0, 60}}};
            scene_motion_key turn[] = {{0, {0, 0, 0}, {0, 0, 0}}, {0.5, {0, 0, 0}, {0, 0, 1440}}};
            scene_solid solid[2] = {
                {.shape = box_shape(v3(-0.0005, -3, -3), v3(0.0005, 3, 3)),
                 .transform = {.translate = {1, 0.5, 0.5}},
                 .motion = {k ? turn : swing, k ? 2 : 4, k == 2, {0, 0, 0}}},
                {.shape = {.kind = SHAPE_SPHERE, .sphere = {{1, 0.5, 0.5}, 0.15}}},
            };
            rill_scene scene = scene_of(dimensions, solid, 2);
            scene.domain.open = 63; /* nothing but the plate and the ball */
            solids s;
            assert_ok(ctx, solids_create(ctx, &scene, &s));
            uint32_t jumped = 0, met = 0;
            for (uint64_t i = 0; i < 100; i++) {
                rill_vec3 x = random_in((rill_box){{0.2, 0, 0}, {1.8, 1, 1}}, i), v = {0, 0, 0};
                if (dimensions == 2) x.z = 0;
                if (solids_distance(&s, x, 0, NULL) < 0.01) continue;
                solid_place room;
                double t = 0;
                for (int step = 0; step < 50; step++, t += dt) {
                    const bool right = solid_to_local(&solids_place_at(&s, 0, t, &room)->pose, x).x > 0;
                    const rill_vec3 from = x;
                    x = v3_madd(from, dt, v);
                    assert_ok(ctx, solids_prepare(ctx, &s, t, dt));
                    met += solids_push_out(&s, t, t + dt, clearance, from, &x, &v);
                    const bool now = solid_to_local(&solids_place_at(&s, 0, t + dt, &room)->pose, x).x > 0;
                    jumped += right != now && v3_distance(x, v3(1, 0.5, x.z)) < 2.5;
                    assert_true(solids_distance(&s, x, t + dt, NULL) > 0.4 * clearance);
                }
            }
            assert_true(met > 100);
            assert_int_equal(jumped, 0);
            solids_clear(ctx, &s);
        }
    rill_ctx_destroy(ctx);
}

/* Between a piston and a wall that it comes closer to than the clearances allow. */
static void squeezed(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    scene_motion_key key[] = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {1.8995, 0, 0}, {0, 0, 0}}};
    scene_solid solid = {.shape = box_shape(v3(-1, -1, -1), v3(0.1, 2, 2)), .motion = {key, 2, false, {0}}};
    const rill_scene scene = scene_of(3, &solid, 1);
    solids s;
    assert_ok(ctx, solids_create(ctx, &scene, &s));
    rill_vec3 x = {0.5, 0.5, 0.5}, v = {0, 0, 0};
    for (int i = 0; i < 20; i++) {
        const rill_vec3 from = x;
        x = v3_madd(x, 0.05, v);
        solids_push_out(&s, i * 0.05, (i + 1) * 0.05, 0.001, from, &x, &v);
        assert_true(v3_finite(x) && v3_finite(v));
    }
    assert_true(x.x > 1.9995 && x.x < 2);
    solids_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* No memory: nothing is left behind. */
static void failing_allocations(void **state)
{
    (void)state;
    scene_motion_key key[] = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {0, 0, 0}, {0, 720, 0}}};
    scene_solid solid[2] = {{.shape = box_shape(v3(0, 0, 0), v3(1, 1, 1)), .motion = {key, 2, false, {0}}},
                            {.shape = box_shape(v3(0, 0, 0), v3(1, 1, 1)), .motion = {key, 2, false, {0}}}};
    const rill_scene scene = scene_of(3, solid, 2);
    for (uint64_t n = 1;; n++) {
        failing_allocator f = {0};
        rill_ctx *ctx = test_ctx_failing(1, &f);
        const uint64_t live = f.live;
        f.fail_at = f.calls + n;
        solids s = {.count = 77};
        const rill_status st = solids_create(ctx, &scene, &s);
        if (st == RILL_OK) {
            solids_clear(ctx, &s);
            assert_true(n > 5 && f.live == live);
            rill_ctx_destroy(ctx);
            break;
        }
        assert_int_equal(st, RILL_NO_MEMORY);
        assert_true(f.live == live && s.count == 77);
        rill_ctx_destroy(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_differences),
        cmocka_unit_test(two_turns),
        cmocka_unit_test(piston),
        cmocka_unit_test(thin_plate_and_paddle),
        cmocka_unit_test(squeezed),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
