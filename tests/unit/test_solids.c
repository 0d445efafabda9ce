/* Distance and faces of placed solids, and particles that must not get through. */
#include "solid_scenes.h"

static void sides_of_the_domain(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = scene_of(3, NULL, 0);
    scene.domain.open = 1u << 3 | 3u << 4; /* +y, and both along z */
    solids s;
    solid_contact c[SOLID_MAX_CONTACTS];
    assert_ok(ctx, solids_create(ctx, &scene, &s));
    assert_true(solids_distance(&s, v3(0.3, 0.9, 0.01), 0, c) == 0.3);
    assert_true(c[0].solid == SOLID_DOMAIN && c[0].normal.x == 1 && c[0].slip == SLIP_FREE);
    assert_true(solids_distance(&s, v3(2.5, 5, 0), 0, c) == -0.5);
    assert_true(c[0].solid == SOLID_DOMAIN + 1 && c[0].normal.x == -1);
    assert_int_equal(solids_contacts(&s, v3(0.1, 0.05, 0.5), 0, 0.2, c), 2);
    assert_true(c[0].distance == 0.05 && c[0].normal.y == 1 && c[1].distance == 0.1);
    assert_int_equal(solids_contacts(&s, v3(1, 0.5, 0.5), 0, 0.2, c), 0);
    solids_clear(ctx, &s);

    scene.domain.open = 63;
    assert_ok(ctx, solids_create(ctx, &scene, &s));
    assert_true(isinf(solids_distance(&s, v3(5, 5, 5), 0, c)));
    solids_clear(ctx, &s);

    scene = scene_of(2, NULL, 0);
    assert_ok(ctx, solids_create(ctx, &scene, &s));
    assert_true(solids_distance(&s, v3(1, 0.6, 0), 0, c) == 0.4 && c[0].normal.z == 0);
    solids_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* Placed points of the shape itself: rotation by matrices written out once more. */
static rill_vec3 placed(const scene_transform *t, rill_vec3 a)
{
    const double r = M_PI / 180;
    const double cx = cos(t->rotate.x * r), sx = sin(t->rotate.x * r), cy = cos(t->rotate.y * r),
                 sy = sin(t->rotate.y * r), cz = cos(t->rotate.z * r), sz = sin(t->rotate.z * r);
    const double m[3][3] = {
        {cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx},
        {sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx},
        {-sy, cy * sx, cy * cx},
    };
    const rill_vec3 b =
        v3(m[0][0] * a.x + m[0][1] * a.y + m[0][2] * a.z, m[1][0] * a.x + m[1][1] * a.y + m[1][2] * a.z,
           m[2][0] * a.x + m[2][1] * a.y + m[2][2] * a.z);
    return v3_madd(t->translate, t->scale, b);
}

static void transforms_place_solids(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    scene_solid solid[] = {
        {.shape = box_shape(v3(-0.2, -0.1, -0.3), v3(0.3, 0.4, 0.1)),
         .transform = {{0.7, 0.4, 0.5}, {30, -50, 110}, 0.6}},
        {.shape = {.kind = SHAPE_CYLINDER, .rod = {{0, 0, 0}, {0, 1, 0}, 0.1}},
         .transform = {{1.5, 0.2, 0.5}, {0, 0, 90}, 1}},
        {.shape = {.kind = SHAPE_PLANE, .flat = {{0, 0, 0}, {0, 1, 0}, 0}},
         .transform = {{1.9, 0, 0}, {0, 0, 45}, 2}},
    };
    rill_scene scene = scene_of(3, solid, 3);
    scene.domain.open = 63; /* the solids alone */
    solids s;
    assert_ok(ctx, solids_create(ctx, &scene, &s));
    for (uint64_t i = 0; i < 2000; i++) {
        const rill_vec3 local = random_in((rill_box){{-1, -1, -1}, {1, 1, 1}}, i);
        for (uint32_t k = 0; k < 3; k++) {
            /* at the placed point the solid is as far as the shape was, scaled, or
             * another one is nearer */
            const scene_transform *t = &solid[k].transform;
            const rill_vec3 x = placed(t, local);
            const double d = t->scale * shape_distance(&solid[k].shape, local, NULL);
            solid_contact c;
            const double all = solids_distance(&s, x, 0, &c);
            assert_true(all <= d + 1e-12);
            if (c.solid == k) assert_true(fabs(all - d) < 1e-12);
            assert_true(fabs(v3_length(c.normal) - 1) < 1e-12);
            assert_true(solids_distance(&s, v3_madd(x, 1e-6, c.normal), 0, NULL) > all + 0.9e-6);
            assert_true(solids_distance(&s, x, 0, NULL) == all);
        }
    }
    /* the cylinder now lies along -x */
    assert_true(fabs(solids_distance(&s, v3(1.0, 0.2, 0.7), 0, NULL) - 0.1) < 1e-12);
    solids_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

static void contacts_are_real_faces(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    scene_solid solid[] = {
        {.shape = box_shape(v3(0.5, -1, -1), v3(0.8, 0.3, 2))}, /* through the floor */
        {.shape = {.kind = SHAPE_PLANE, .flat = {{1.5, 0, 0}, {-1, 1, 0}, 0}},
         .slip = SLIP_NONE}, /* a slope */
    };
    rill_scene scene = scene_of(3, solid, 2);
    solids s;
    solid_contact c[SOLID_MAX_CONTACTS];
    assert_ok(ctx, solids_create(ctx, &scene, &s));
    int n = solids_contacts(&s, v3(0.45, 0.04, 0.5), 0, 0.2, c); /* floor and box */
    assert_int_equal(n, 2);
    assert_true(c[0].solid == SOLID_DOMAIN + 2 && c[1].solid == 0 && fabs(c[1].distance - 0.05) < 1e-12 &&
                c[1].normal.x == -1);
    n = solids_contacts(&s, v3(1.4, 0.05, 0.5), 0, 0.2, c); /* floor and slope */
    assert_int_equal(n, 2);
    assert_true(c[0].solid == SOLID_DOMAIN + 2 && c[1].solid == 1 && c[1].slip == SLIP_NONE);
    n = solids_contacts(&s, v3(1.7, 0.25, 0.5), 0, 0.3, c); /* above the slope, the floor near by */
    assert_int_equal(n, 2);
    assert_true(c[0].solid == 1 && c[1].solid == SOLID_DOMAIN + 2);
    n = solids_contacts(&s, v3(0.65, 0.32, 0.5), 0, 0.4, c); /* the floor is inside the box here */
    assert_int_equal(n, 1);
    assert_true(c[0].solid == 0);
    n = solids_contacts(&s, v3(1.1, 0.01, 0.5), 0, 0.15, c); /* the slope is out of reach */
    assert_int_equal(n, 1);
    solids_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

static void corners_end_outside_all(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    scene_solid solid[] = {
        {.shape = box_shape(v3(0.5, -1, -1), v3(0.8, 0.3, 2))},
        {.shape = {.kind = SHAPE_PLANE, .flat = {{1.5, 0, 0}, {-1, 1, 0}, 0}}},
    };
    rill_scene scene = scene_of(3, solid, 2);
    solids s;
    assert_ok(ctx, solids_create(ctx, &scene, &s));
    const double clearance = 0.02;
    for (uint64_t i = 0; i < 4000; i++) {
        const rill_vec3 from = random_in((rill_box){{0.02, 0.02, 0.02}, {1.98, 0.98, 0.98}}, 2 * i);
        if (solids_distance(&s, from, 0, NULL) < clearance) continue;
        rill_vec3 x = random_in((rill_box){{-3, -3, -3}, {4, 4, 4}}, 2 * i + 1), v = v3_sub(x, from);
        const rill_vec3 wish = x;
        const double before = v3_length(v);
        const bool changed = solids_push_out(&s, 0, 0, clearance, from, &x, &v);
        assert_true(solids_distance(&s, x, 0, NULL) > clearance * (1 - 1e-5));
        assert_true(changed || (x.x == wish.x && x.y == wish.y && x.z == wish.z));
        assert_true(v3_length(v) <= before * (1 + 1e-12));
        solid_contact c[SOLID_MAX_CONTACTS];
        const int n = solids_contacts(&s, x, 0, clearance * (1 + 1e-7), c);
        for (int k = 0; k < n; k++) assert_true(v3_dot(v, c[k].normal) > -1e-5 * before);
    }
    /* from inside a solid and from outside the domain, too */
    rill_vec3 x = v3(0.52, 0.1, 0.5), v = v3(1, 0, 0);
    assert_true(solids_push_out(&s, 0, 0, clearance, x, &x, &v));
    assert_true(fabs(x.x - 0.48) < 1e-6 && fabs(x.y - 0.1) < 1e-6);
    x = v3(-1, -2, -3), v = v3(-1, -2, -3);
    assert_true(solids_push_out(&s, 0, 0, clearance, x, &x, &v));
    assert_true(v3_distance(x, v3(0.02, 0.02, 0.02)) < 1e-6 && v3_length(v) < 1e-12);
    solids_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* A box with walls of a quarter spacing, a flat disc, and particles that fly hundreds of
 * wall thicknesses in a step: none gets in or out. */
static void thin_plates_are_not_jumped(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const double spacing = 0.02, thick = 0.25 * spacing;
    shape part[] = {
        box_shape(v3(0.5, 0.2, 0.2), v3(1.5, 0.8, 0.8)),
        box_shape(v3(0.5 + thick, 0.2 + thick, 0.2 + thick), v3(1.5 - thick, 0.8 - thick, 0.8 - thick)),
    };
    scene_solid solid[] = {
        {.shape = {.kind = SHAPE_DIFFERENCE, .parts = {part, 2}}},
        {.shape = {.kind = SHAPE_DISC, .flat = {{1, 0.5, 0.5}, {1, 1, 0}, 0.1}}},
        {.shape = box_shape(v3(-0.1, -0.1, 0), v3(0.1, 0.1, thick)),
         .transform = {{1.8, 0.4, 0.5}, {20, 30, 40}, 1}},
    };
    rill_scene scene = scene_of(3, solid, 3);
    solids s;
    assert_ok(ctx, solids_create(ctx, &scene, &s));
    const double clearances[] = {0.5 * spacing, 0.1 * spacing, 0.01 * spacing};
    for (int k = 0; k < 3; k++)
        for (uint64_t walk = 0; walk < 20; walk++) {
            rill_vec3 x = walk % 2 ? v3(1.3, 0.5, 0.5) : v3(0.2, 0.5, 0.5);
            for (uint64_t i = 0; i < 100; i++) {
                const rill_vec3 from = x;
                const double fast = i % 3 == 0 ? 2 : i % 3 == 1 ? 0.1 : 0.01;
                const rill_vec3 step =
                    random_in((rill_box){{-fast, -fast, -fast}, {fast, fast, fast}}, walk * 1000 + i);
                rill_vec3 v = step;
                x = v3_add(x, step);
                solids_push_out(&s, 0, 0, clearances[k], from, &x, &v);
                assert_true(box_contains((rill_box){scene.domain.min, scene.domain.max}, x));
                assert_true(solids_distance(&s, x, 0, NULL) > clearances[k] * (1 - 1e-5));
                const bool in = box_contains((rill_box){part[0].box.min, part[0].box.max}, x);
                assert_true(in == (walk % 2 == 1));
            }
        }
    /* straight at the disc: it stops in front of it */
    rill_vec3 x = v3(1.2, 0.7, 0.5), v = v3(1, 1, 0);
    assert_true(solids_push_out(&s, 0, 0, 0.01, v3(0.85, 0.35, 0.5), &x, &v));
    assert_true(fabs(v3_dot(v3_sub(x, v3(1, 0.5, 0.5)), v3(sqrt(0.5), sqrt(0.5), 0)) + 0.01) < 1e-6);
    assert_true(v3_length(v) < 1e-9);
    solids_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* Between plates nearer than two clearances a particle stays between them. */
static void gaps_hold_what_is_in_them(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    scene_solid solid[] = {
        {.shape = box_shape(v3(0.99, -1, -1), v3(1.0, 2, 2))},
        {.shape = box_shape(v3(1.01, -1, -1), v3(1.02, 2, 2))},
    };
    rill_scene scene = scene_of(3, solid, 2);
    solids s;
    assert_ok(ctx, solids_create(ctx, &scene, &s));
    rill_vec3 x = v3(1.005, 0.5, 0.5);
    for (uint64_t i = 0; i < 200; i++) {
        const rill_vec3 from = x, step = random_in((rill_box){{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}}, i);
        rill_vec3 v = step;
        x = v3_add(x, step);
        solids_push_out(&s, 0, 0, 0.02, from, &x, &v);
        assert_true(x.x > 1.0 && x.x < 1.01);
    }
    solids_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

static void slip_none_holds(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    scene_solid solid[] = {
        {.shape = box_shape(v3(0, -1, -1), v3(1, 0.3, 2)), .slip = SLIP_NONE},
        {.shape = box_shape(v3(1, -1, -1), v3(2, 0.3, 2)), .slip = SLIP_FREE},
    };
    rill_scene scene = scene_of(3, solid, 2);
    solids s;
    assert_ok(ctx, solids_create(ctx, &scene, &s));
    rill_vec3 x = v3(0.5, 0.28, 0.5), v = v3(0.7, -1, 0.2);
    assert_true(solids_push_out(&s, 0, 0, 0.02, v3(0.5, 0.35, 0.5), &x, &v));
    assert_true(v3_length(v) == 0);
    x = v3(1.5, 0.28, 0.5), v = v3(0.7, -1, 0.2);
    assert_true(solids_push_out(&s, 0, 0, 0.02, v3(1.5, 0.35, 0.5), &x, &v));
    assert_true(v.x == 0.7 && v.y == 0 && v.z == 0.2 && fabs(x.y - 0.32) < 1e-6);
    x = v3(0.5, 0.33, 0.5), v = v3(0.7, 1, 0.2); /* leaving */
    assert_false(solids_push_out(&s, 0, 0, 0.02, v3(0.5, 0.32, 0.5), &x, &v));
    x = v3(NAN, 0, 0);
    assert_false(solids_push_out(&s, 0, 0, 0.02, v3(0.5, 0.32, 0.5), &x, &v));
    solids_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

static void two_dimensions_stay_flat(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    scene_solid solid[] = {
        {.shape = box_shape(v3(-0.1, -0.1, 0), v3(0.1, 0.1, 0)), .transform = {{1, 0.3, 0}, {0, 0, 30}, 1}},
        {.shape = {.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.5, 0}, 0.1}}},
    };
    rill_scene scene = scene_of(2, solid, 2);
    solids s;
    assert_ok(ctx, solids_create(ctx, &scene, &s));
    for (uint64_t i = 0; i < 1000; i++) {
        rill_vec3 from = random_in((rill_box){{0.02, 0.02, 0}, {1.98, 0.98, 0}}, i), x, v;
        if (solids_distance(&s, from, 0, NULL) < 0.01) continue;
        x = v3_add(from, random_in((rill_box){{-1, -1, 0}, {1, 1, 0}}, i + 5000));
        v = v3_sub(x, from);
        solids_push_out(&s, 0, 0, 0.01, from, &x, &v);
        solid_contact c;
        assert_true(solids_distance(&s, x, 0, &c) > 0.01 * (1 - 1e-5));
        assert_true(x.z == 0 && v.z == 0 && c.normal.z == 0);
    }
    solids_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* A solid in a corner leaves liquid no space: it covers the liquid and does not push it through the sides. */
static void covered_liquid_stays_in_the_domain(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    scene_solid solid[] = {{.shape = box_shape(v3(-0.001, -0.001, -0.001), v3(0.1, 0.1, 0.1))}};
    rill_scene scene = scene_of(3, solid, 1);
    solids s;
    assert_ok(ctx, solids_create(ctx, &scene, &s));
    for (uint64_t i = 0; i < 200; i++) {
        rill_vec3 x = random_in((rill_box){{0, 0, 0}, {0.03, 0.03, 0.03}}, i), v = v3(-1, 0, 0);
        solids_push_out(&s, 0, 0, 0.003, x, &x, &v);
        assert_true(box_contains((rill_box){scene.domain.min, scene.domain.max}, x));
    }
    solids_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

static void survives_failing_allocations(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    const uint64_t held = f.live;
    scene_solid solid[] = {{.shape = box_shape(v3(0, 0, 0), v3(1, 1, 1))}};
    rill_scene scene = scene_of(3, solid, 1);
    for (uint64_t n = 1;; n++) {
        solids s = {.count = 77};
        f.fail_at = f.calls + n;
        const rill_status st = solids_create(ctx, &scene, &s);
        if (!st) {
            solids_clear(ctx, &s);
            assert_true(f.live == held && n == 5);
            break;
        }
        assert_int_equal(st, RILL_NO_MEMORY);
        assert_true(s.count == 77 && f.live == held);
    }
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_of_the_domain),
        cmocka_unit_test(transforms_place_solids),
        cmocka_unit_test(contacts_are_real_faces),
        cmocka_unit_test(corners_end_outside_all),
        cmocka_unit_test(thin_plates_are_not_jumped),
        cmocka_unit_test(gaps_hold_what_is_in_them),
        cmocka_unit_test(slip_none_holds),
        cmocka_unit_test(two_dimensions_stay_flat),
        cmocka_unit_test(covered_liquid_stays_in_the_domain),
        cmocka_unit_test(survives_failing_allocations),
    };
    return cmocka_run_group_tests_name("solids", tests, NULL, NULL);
}
