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
    double low = INFINITY;
    for (size_t v = 0; v < s->view.vertex_count; v++) low = fmin(low, s->view.position[v].y);
    assert_true(fabs(low - 1.0) < 0.05); /* where the front is after 0.8 m */
    until(s, 1.1);                       /* it has closed */
    assert_true(fabs(s->volume / (0.9 * flow) - 1) < 0.01);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_contoured),
        cmocka_unit_test(emitters_give_their_flow),
        cmocka_unit_test(sinks_take_what_reaches_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
