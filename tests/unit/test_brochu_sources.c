/* Liquid of voronoi that comes and goes, and first surfaces from level sets. */
#include "method_scenes.h"
#include "support.h"

#include "geom/mesh/trimesh.h"
#include "io/scene_file.h"
#include "voronoi/contour.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static brochu *make(rill_ctx *ctx, const char *from, rill_scene *scene)
{
    assert_ok(ctx,
              scene_parse(ctx, "scene", from, strlen(from), rill_methods, rill_method_count, NULL, scene));
    return brochu_of(method_create(ctx, scene));
}

static void done(rill_ctx *ctx, brochu *s, rill_scene *scene)
{
    s->sim.method->destroy(&s->sim);
    scene_clear(ctx, scene);
    rill_ctx_destroy(ctx);
}

static void until(brochu *s, double t)
{
    rill_ctx *ctx = s->sim.ctx;
    while (s->sim.time < t - 1e-12) {
        rill_step_stats stats = step_stats_none();
        const double dt = fmin(s->sim.method->max_dt(&s->sim), t - s->sim.time);
        assert_ok(ctx, solids_prepare(ctx, &s->sim.solids, s->sim.time, dt));
        assert_ok(ctx, s->sim.method->step(&s->sim, dt, &stats));
        s->sim.time += dt;
        s->sim.step++;
    }
}

/* Shapes that are not boxes, overlap, and end in walls: one closed mesh whose volume is theirs. */
static void shapes_are_contoured(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    brochu *s =
        make(ctx,
             "{ \"rill\": 1, \"method\": \"voronoi\", \"spacing\": 0.08, \"domain\": { \"min\": [0,0,0], "
             "\"max\": [2.03,1,1] }, \"liquid\": [\n"
             "{ \"shape\": { \"sphere\": { \"center\": [0.5,0,0.5], \"radius\": 0.4 } } },\n"
             "{ \"shape\": { \"cylinder\": { \"from\": [1.5,-0.5,0.5], \"to\": [1.5,0.5,0.5], \"radius\": "
             "0.3 } } } ] }",
             &scene);
    trimesh_report report;
    assert_ok(ctx, trimesh_check(ctx, &s->view, &report));
    assert_int_equal(report.open_edges + report.nonmanifold_edges + report.misoriented_edges, 0);
    const double exact = 2 * M_PI / 3 * 0.064 + M_PI * 0.09 * 0.5;
    print_message("volume of the contour: %+.3g\n", report.volume / exact - 1);
    assert_true(fabs(report.volume / exact - 1) < 0.02); /* the mesh is inside of what is round */
    size_t floor = 0;
    for (size_t v = 0; v < s->view.vertex_count; v++) {
        const rill_vec3 x = s->view.position[v];
        const double ball = v3_distance(x, v3(0.5, 0, 0.5)) - 0.4;
        floor += x.y == 0;
        if (x.y > 0 && x.x < 1) assert_true(fabs(ball) < 0.02 * s->h); /* on the sphere */
    }
    assert_true(floor > 40);
    done(ctx, s, &scene);
}

/* A jet without weight: speed times cross-section, from the first step on. */
static void emitters_give_their_flow(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    brochu *s =
        make(ctx,
             "{ \"rill\": 1, \"method\": \"voronoi\", \"spacing\": 0.1, \"gravity\": [0,0,0], \"domain\": { "
             "\"min\": [0,0,0], \"max\": [1,2,1] },\n"
             "\"emitters\": [ { \"shape\": { \"disc\": { \"center\": [0.5,1.8,0.5], \"normal\": "
             "[0,-1,0], \"radius\": 0.25 } }, \"speed\": 1, \"end\": 0.9 } ] }",
             &scene);
    const double flow = M_PI * 0.0625;
    until(s, 0.3);
    assert_true(fabs(s->volume / (0.3 * flow) - 1) < 0.01);
    until(s, 0.8);
    print_message("an emitter's volume: %+.3g\n", s->volume / (0.8 * flow) - 1);
    assert_true(fabs(s->volume / (0.8 * flow) - 1) < 0.01);
    double low = INFINITY, wide = 0;
    for (size_t v = 0; v < s->view.vertex_count; v++) {
        low = fmin(low, s->view.position[v].y);
        wide = fmax(wide, hypot(s->view.position[v].x - 0.5, s->view.position[v].z - 0.5));
    }
    print_message("a jet's front: %.3f m, widest radius %.3f of 0.25 m\n", 1.8 - low, wide);
    assert_true(fabs(low - 1.0) < 0.02 && wide < 0.275); /* where the front is after 0.8 m, as a disc */
    until(s, 1.1);                                       /* it has closed */
    assert_true(fabs(s->volume / (0.9 * flow) - 1) < 0.01);
    done(ctx, s, &scene);
}

/* Friction asks for the pressure of the step before: there is none when the first liquid comes. */
static void emitters_begin_in_empty_boxes_that_rub(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene;
    brochu *s =
        make(ctx,
             "{ \"rill\": 1, \"method\": \"voronoi\", \"spacing\": 0.1, \"domain\": { \"min\": [0,0,0], "
             "\"max\": [1,1,1], \"friction\": 0.5 },\n"
             "\"emitters\": [ { \"shape\": { \"disc\": { \"center\": [0.5,0.8,0.5], \"normal\": "
             "[0,-1,0], \"radius\": 0.25 } }, \"speed\": 1 } ] }",
             &scene);
    until(s, 0.2);
    assert_true(s->volume > 0);
    done(ctx, s, &scene);
}

/* A block in steady flight leaves through an open side, and into a drain, at speed times cross-section. */
static void sinks_take_what_reaches_them(void **state)
{
    (void)state;
    const char *const sinks[2] = {"\"open\": [\"+x\"] }",
                                  "}, \"drains\": [ { \"shape\": { \"box\": { \"min\": "
                                  "[1.2,-1,-1], \"max\": [9,9,9] } } } ]"};
    for (int k = 0; k < 2; k++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene;
        char t[1024];
        snprintf(
            t, sizeof t,
            "{ \"rill\": 1, \"method\": \"voronoi\", \"spacing\": 0.1, \"gravity\": [0,0,0],\n"
            "\"liquid\": [ { \"shape\": { \"box\": { \"min\": [0.3,0.3,0.3], \"max\": [0.9,0.8,0.7] } }, "
            "\"velocity\": [1,0,0] } ],\n"
            "\"domain\": { \"min\": [0,0,0], \"max\": [%s,1,1] %s%s }",
            k ? "2" : "1", k ? "" : ", ", sinks[k]);
        brochu *s = make(ctx, t, &scene);
        until(s, 0.3); /* the front reaches 1.2 */
        assert_true(fabs(s->volume / 0.12 - 1) < 1e-3);
        until(s, 0.6);
        print_message("half of a block has left: %+.3g of it is there\n", s->volume / 0.12);
        assert_true(fabs(s->volume / 0.06 - 1) < 0.01);
        until(s, 1.0);
        assert_int_equal(s->view.triangle_count, 0); /* all of it */
        done(ctx, s, &scene);
    }
}

/* A weightless drop between walls: two dimensions are a slab whose figures are those of a metre. */
static void a_slab_is_two_dimensions(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    brochu *s =
        make(ctx,
             "{ \"rill\": 1, \"method\": \"voronoi\", \"spacing\": 0.1, \"dimensions\": 2, \"domain\": { "
             "\"min\": [0,0], \"max\": [2,2] }, \"liquid\": [ { \"shape\": { \"sphere\": { \"center\": "
             "[1,1.4], \"radius\": 0.5 } } } ] }",
             &scene);
    rill_step_stats stats = step_stats_none();
    assert_ok(ctx, s->sim.method->step(&s->sim, 0.01, &stats));
    s->sim.time = 0.01;
    print_message("area of a disc: %+.3g\n", stats.volume / (M_PI * 0.25) - 1);
    assert_true(fabs(stats.volume / (M_PI * 0.25) - 1) < 0.02);
    assert_true(fabs(stats.kinetic / (0.5 * 1000 * stats.volume * 0.0981 * 0.0981) - 1) < 0.02);
    trimesh m = {0};
    assert_ok(ctx, s->sim.method->surface(&s->sim, &m));
    for (size_t v = 0; v < m.vertex_count; v++) assert_true(fabs(m.position[v].z) <= 0.0501);
    trimesh_clear(ctx, &m);
    rill_vec3 x = v3(1, 1.4, 0), u;
    assert_ok(ctx, s->sim.method->velocity(&s->sim, 1, &x, &u));
    assert_true(fabs(u.y + 0.0981) < 1e-6 && u.z == 0); /* it falls as a whole */
    done(ctx, s, &scene);
}

/* A dam whose floor rubs is slower than one whose floor does not. */
static void floors_rub(void **state)
{
    (void)state;
    double front[2];
    for (int k = 0; k < 2; k++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene;
        char t[1024];
        snprintf(t, sizeof t,
                 "{ \"rill\": 1, \"method\": \"voronoi\", \"spacing\": 0.1, \"domain\": { \"min\": [0,0,0], "
                 "\"max\": [3,1,0.3], \"friction\": %s }, \"liquid\": [ { \"shape\": { \"box\": { \"min\": "
                 "[0,0,0], \"max\": [0.6,0.8,0.3] } } } ] }",
                 k ? "0.5" : "0");
        brochu *s = make(ctx, t, &scene);
        until(s, 0.4);
        front[k] = 0;
        for (size_t v = 0; v < s->view.vertex_count; v++) front[k] = fmax(front[k], s->view.position[v].x);
        done(ctx, s, &scene);
    }
    print_message("front of a dam: %.3f m, with friction %.3f m\n", front[0], front[1]);
    assert_true(front[0] > 1.2 && front[1] < front[0] - 0.1 && front[1] > 0.65);
}

/* A body heavier than the liquid sinks in it, a lighter one rises, and both push it away. */
static void bodies_sink_and_rise(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene;
        char t[1024];
        snprintf(t, sizeof t,
                 "{ \"rill\": 1, \"method\": \"voronoi\", \"spacing\": 0.1, \"domain\": { \"min\": [0,0,0], "
                 "\"max\": [1,1.3,1] }, \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": "
                 "[1,1,1] } } } ], \"solids\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.5,0.5], "
                 "\"radius\": 0.22 } }, \"body\": { \"density\": %s } } ] }",
                 k ? "500" : "2500");
        brochu *s = make(ctx, t, &scene);
        const double began = s->volume;
        double time = 0;
        while (time < 0.08) {
            rill_step_stats stats = step_stats_none();
            assert_ok(ctx, bodies_begin(&s->sim.bodies, &s->sim.solids, &scene, time, 0.01));
            assert_ok(ctx, solids_prepare(ctx, &s->sim.solids, time, 0.01));
            assert_ok(ctx, s->sim.method->step(&s->sim, 0.01, &stats));
            time += 0.01;
            assert_ok(ctx, bodies_end(&s->sim.bodies, &scene, time, 0.01));
            s->sim.time = time;
        }
        /* V-20: (s - 1) / (s + Ca) g, the added mass being that of a ball in a box, here about 0.6 */
        const double a = s->sim.bodies.world.body[0].velocity.y / time / -9.81, wanted = k ? -0.455 : 0.484;
        print_message("a body of density %s: %.3f g, %.3f expected\n", k ? "500" : "2500", a, wanted);
        assert_true(a / wanted > (k ? 0.6 : 0.9) && a / wanted < 1.1); /* 4 elements a diameter */
        assert_true(fabs(s->volume / began - 1) < 2e-3);
        done(ctx, s, &scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_contoured),
        cmocka_unit_test(emitters_give_their_flow),
        cmocka_unit_test(emitters_begin_in_empty_boxes_that_rub),
        cmocka_unit_test(sinks_take_what_reaches_them),
        cmocka_unit_test(a_slab_is_two_dimensions),
        cmocka_unit_test(floors_rub),
        cmocka_unit_test(bodies_sink_and_rise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
