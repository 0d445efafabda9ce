/* Bodies of a scene: reading them, what is refused, their motion through the solids, saving. */
#include "fake.h"
#include "support.h"

#include "flow/snapshot.h"
#include "io/scene_file.h"
#include "scene_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rill_method able; /* the fake method, with bodies */

static rill_status parse(rill_ctx *ctx, const char *solids_text, rill_scene *out)
{
    char scene[4096];
    snprintf(scene, sizeof scene,
             "{ \"rill\": 1, \"spacing\": 0.1, \"method\": \"%s\",\n"
             "  \"domain\": { \"min\": [0,0,0], \"max\": [4,4,4] },\n"
             "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.5,0.5,0.5] } } } ],\n"
             "  \"solids\": [ %s ] }",
             fake_method.name, solids_text);
    able = fake_method;
    able.can |= CAN_BODIES;
    const rill_method *const methods[] = {&able};
    return scene_parse(ctx, "s.json", scene, strlen(scene), methods, 1, NULL, out);
}

#define BOX(x, y, z)                                                    \
    "{ \"shape\": { \"box\": { \"min\": [-0.25,-0.25,-0.25], \"max\": " \
    "[0.25,0.25,0.25] } }, "                                            \
    "\"transform\": { \"translate\": [" x "," y "," z "] }, "

/* What cannot be is refused with its line and a reason. */
static void bad_bodies_are_refused(void **state)
{
    (void)state;
    const struct {
        const char *solids, *says;
    } row[] = {
        {BOX("2", "2", "2") "\"body\": {} }", "has no mass"},
        {BOX("2", "2", "2") "\"body\": { \"density\": 1, \"mass\": 2 } }", "leave one of them out"},
        {BOX("2", "2", "2") "\"body\": { \"density\": -5 } }", "density"},
        {BOX("2", "2",
             "2") "\"body\": { \"density\": 500, \"hinge\": { \"point\": [0,0,0], \"axis\": [0,0,0] } } }",
         "cannot be zero"},
        {BOX("2", "2", "2") "\"body\": { \"density\": 500, \"slide\": { \"axis\": [0,0,0] } } }",
         "cannot be zero"},
        {BOX("2", "2", "2") "\"body\": { \"density\": 500, \"hinge\": { \"point\": [0,0,0], \"limits\": [10, "
                            "-10] } } }",
         "exchange them"},
        {BOX("2", "2", "2") "\"body\": { \"density\": 500, \"hinge\": { \"point\": [0,0,0] }, "
                            "\"pin\": { \"point\": [0,0,0] } } }",
         "one joint"},
        {BOX("2", "0.1", "2") "\"body\": { \"density\": 500 } }", "-y side of the domain"},
        {BOX("2", "2", "2") "\"body\": { \"density\": 500 } }, " BOX("2.2", "2.1",
                                                                     "2") "\"body\": { \"density\": 500 } }",
         "inside another solid"},
        {"{ \"shape\": { \"plane\": { \"point\": [0,3.9,0], \"normal\": [0,-1,0] } }, \"body\": { "
         "\"density\": 500 } }",
         "no end along"},
    };
    rill_ctx *ctx = test_ctx(1);
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        rill_scene scene = {0};
        assert_int_equal(parse(ctx, row[k].solids, &scene), RILL_BAD_SCENE);
        const char *message = rill_ctx_message(ctx);
        if (!strstr(message, row[k].says) || !strstr(message, "s.json:"))
            fail_msg("\"%s\" does not say \"%s\"", message, row[k].says);
    }
    rill_ctx_destroy(ctx);
}

/* A scene prints, and what it prints reads back as the same scene. */
static void scenes_with_bodies_print(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = {0}, again = {0};
    assert_ok(ctx, parse(ctx,
                         BOX("2", "2",
                             "2") "\"contact\": { \"friction\": 0.7, \"restitution\": 0.25 }, \"body\": { "
                                  "\"density\": 400, \"spin\": [0,1,2], \"hinge\": { \"point\": [0.25,0,0], "
                                  "\"axis\": [0,0,2], \"limits\": [-30, 45] } } }",
                         &scene));
    text printed = scene_printed(ctx, &scene);
    assert_non_null(strstr(printed.data, "\"limits\": [-30, 45]"));
    assert_null(strstr(printed.data, "\"pin\""));
    const rill_method *const methods[] = {&able};
    assert_ok(ctx,
              scene_parse(ctx, "again.json", printed.data, strlen(printed.data), methods, 1, NULL, &again));
    assert_true(scene.hash == again.hash);
    text_clear(&printed);
    scene_clear(ctx, &scene);
    scene_clear(ctx, &again);
    rill_ctx_destroy(ctx);
}

static void steps(rill_ctx *ctx, const rill_scene *scene, solids *walls, body_set *b, int from, int to,
                  double dt)
{
    for (int k = from; k < to; k++) {
        assert_ok(ctx, bodies_begin(b, walls, scene, k * dt, dt));
        assert_ok(ctx, solids_prepare(ctx, walls, k * dt, dt));
        assert_ok(ctx, bodies_end(b, scene, (k + 1) * dt, dt));
    }
}

/* A crate falls, and the solids are where it is: distance, velocity, and the way between. */
static void solids_follow_bodies(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = {0};
    solids walls;
    body_set b;
    const double dt = 0.01;
    assert_ok(ctx, parse(ctx, BOX("2", "3", "2") "\"body\": { \"density\": 400 } }", &scene));
    assert_ok(ctx, solids_create(ctx, &scene, &walls));
    assert_ok(ctx, bodies_create(ctx, &scene, &walls, &b));
    assert_true(fabs(b.world.body[0].mass - 400 * 0.125) < 1e-9);
    steps(ctx, &scene, &walls, &b, 0, 30, dt);
    const double y = b.world.body[0].center.y, fallen = 9.81 * dt * dt * 29 * 30 / 2;
    assert_true(fabs(y - (3 - fallen)) < 1e-9);
    solid_contact c;
    const double t = 30 * dt, d = solids_distance(&walls, v3(2, y + 0.35, 2), t, &c);
    assert_true(fabs(d - 0.1) < 1e-9);
    assert_true(fabs(c.velocity.y + 9.81 * dt * 29) < 1e-9);
    /* half way through the last step it was half way between */
    const double before = y + 9.81 * dt * 29 * dt;
    assert_true(fabs(solids_distance(&walls, v3(2, 0.5 * (y + before) + 0.35, 2), t - dt / 2, NULL) - 0.1) <
                1e-9);
    bodies_clear(ctx, &b);
    solids_clear(ctx, &walls);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* A body with a motion goes as that says until its last key, then it is free. */
static void motion_then_free(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = {0};
    solids walls;
    body_set b;
    const double dt = 0.01;
    assert_ok(ctx, parse(ctx,
                         BOX("1", "2",
                             "2") "\"motion\": { \"keyframes\": [ { \"t\": 0 }, { \"t\": 0.5, \"translate\": "
                                  "[1,0,0], \"rotate\": [0,0,90] } ] }, \"body\": { \"density\": 400 } }",
                         &scene));
    assert_ok(ctx, solids_create(ctx, &scene, &walls));
    assert_ok(ctx, bodies_create(ctx, &scene, &walls, &b));
    steps(ctx, &scene, &walls, &b, 0, 25, dt);
    const solid_place keyed = solids_keyed_place(&walls, 0, 0.25);
    assert_true(v3_distance(b.world.body[0].center, keyed.pose.translate) < 1e-9);
    assert_true(v3_length(solid_pose_turn(world_pose(&b.world, 0), &keyed.pose)) < 1e-9);
    assert_true(b.world.body[0].held);
    steps(ctx, &scene, &walls, &b, 25, 80, dt);
    assert_false(b.world.body[0].held);
    assert_true(b.world.body[0].center.y < 1.8);
    assert_true(fabs(b.world.body[0].velocity.x - 2) < 1e-6);
    bodies_clear(ctx, &b);
    solids_clear(ctx, &walls);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* Three crates and a ball that have come to lie on each other: saved in the middle, loaded into others, the
 * rest of the way has the same bits. */
static void saved_bodies_go_on_alike(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = {0};
    const double dt = 0.005;
    assert_ok(
        ctx,
        parse(ctx,
              BOX("2", "0.3", "2") "\"body\": { \"density\": 400 } }, " BOX(
                  "2.1", "0.9",
                  "2") "\"body\": { \"density\": 800 } }, " BOX("1.9", "1.6",
                                                                "2.1") "\"body\": { "
                                                                       "\"density\": 200 } }, "
                                                                       "{ \"shape\": { \"sphere\": { "
                                                                       "\"center\": [2,2.5,2], \"radius\": "
                                                                       "0.2 } }, "
                                                                       "\"contact\": { \"restitution\": 0.5 "
                                                                       "}, \"body\": { \"mass\": 3 } }",
              &scene));
    solids walls[2];
    body_set b[2];
    snapshot saved;
    snapshot_init(&saved, ctx);
    for (int k = 0; k < 2; k++) {
        assert_ok(ctx, solids_create(ctx, &scene, &walls[k]));
        assert_ok(ctx, bodies_create(ctx, &scene, &walls[k], &b[k]));
    }
    steps(ctx, &scene, &walls[0], &b[0], 0, 300, dt);
    assert_ok(ctx, bodies_save(&b[0], &saved.writer));
    assert_ok(ctx, bodies_load(ctx, &b[1], &walls[1], 300 * dt, &saved.reader));
    for (int k = 0; k < 2; k++) steps(ctx, &scene, &walls[k], &b[k], 300, 500, dt);
    assert_memory_equal(b[0].world.state, b[1].world.state, 4 * sizeof(world_state));
    assert_true(b[0].world.overlap < 0.005);
    for (int k = 0; k < 2; k++) {
        bodies_clear(ctx, &b[k]);
        solids_clear(ctx, &walls[k]);
    }
    snapshot_clear(&saved);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_bodies_are_refused),   cmocka_unit_test(scenes_with_bodies_print),
        cmocka_unit_test(solids_follow_bodies),     cmocka_unit_test(motion_then_free),
        cmocka_unit_test(saved_bodies_go_on_alike),
    };
    return cmocka_run_group_tests_name("scene_bodies", tests, NULL, NULL);
}
