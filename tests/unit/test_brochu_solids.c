/* Liquid of voronoi that meets walls and solids. */
#include "method_scenes.h"
#include "support.h"

#include "io/scene_file.h"
#include "voronoi/state.h"

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

static rill_step_stats until(brochu *s, double t)
{
    rill_ctx *ctx = s->sim.ctx;
    rill_step_stats stats = step_stats_none();
    while (s->sim.time < t - 1e-12) {
        const double dt = fmin(s->sim.method->max_dt(&s->sim), t - s->sim.time);
        assert_ok(ctx, solids_prepare(ctx, &s->sim.solids, s->sim.time, dt));
        assert_ok(ctx, s->sim.method->step(&s->sim, dt, &stats));
        s->sim.time += dt;
        s->sim.step++;
    }
    return stats;
}

/* The air between a falling ball and the floor has the ball's velocity, also in the last tenths of a spacing:
 * otherwise the surface slows down there, and the ball loses volume. */
static void falling_liquid_does_not_feel_the_floor(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene;
    brochu *s =
        make(ctx,
             "{ \"rill\": 1, \"method\": \"voronoi\", \"spacing\": 0.1, \"domain\": { \"min\": [0,0,0], "
             "\"max\": [1,1,1] }, \"gravity\": [0,0,0], \"liquid\": [ { \"shape\": { \"sphere\": { "
             "\"center\": [0.5,0.4,0.5], \"radius\": 0.3 } }, \"velocity\": [0,-1,0] } ] }",
             &scene);
    double worst = 0;
    for (int k = 1; k <= 9; k++) { /* the gap goes from a spacing to a tenth of one */
        (void)until(s, 0.01 * k);
        for (size_t v = 0; v < s->view.vertex_count; v++) {
            uint32_t hint = SITE_NONE;
            const rill_vec3 u = brochu_look(s, brochu_now(s), s->view.position[v], &hint);
            worst = fmax(worst, v3_distance(u, v3(0, -1, 0)));
        }
    }
    print_message("departure of the surface from the fall: %.3g m/s\n", worst);
    assert_true(worst < 1e-6);
    done(ctx, s, &scene);
}

/* Drops of 0.75 to 2 spacings in radius slide down a ramp that reaches out of the domain on all sides: their
 * cells must not be open below it. No more energy than gravity gives, and the volume stays. */
static void drops_slide_down_a_ramp(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        static const double radius[] = {0.06, 0.1, 0.16};
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene;
        char words[1024];
        snprintf(
            words, sizeof words,
            "{ \"rill\": 1, \"method\": \"voronoi\", \"spacing\": 0.08, \"domain\": { \"min\": [0,0,0], "
            "\"max\": [1.6,1,0.8] }, \"solids\": [ { \"shape\": { \"box\": { \"min\": [-1,-1,-0.2], "
            "\"max\": [2.2,0,1] } }, \"transform\": { \"rotate\": [0,0,-20], \"translate\": [0,0.6,0] } } "
            "], \"liquid\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,%g,0.4], \"radius\": %g } } "
            "} ] }",
            0.37 + radius[k], radius[k]);
        brochu *s = make(ctx, words, &scene);
        const double volume = s->volume;
        const rill_step_stats stats = until(s, 0.4);
        /* Along the ramp, and from the middle down to it. */
        const double most =
            1000 * volume * 9.81 * (0.5 * 9.81 * 0.16 * sin(M_PI / 9) * sin(M_PI / 9) + radius[k]);
        print_message("drop of %g m: volume %+.3g, kinetic energy over what gravity gives %.3g\n", radius[k],
                      s->volume / volume - 1, stats.kinetic / most);
        assert_true(stats.kinetic < 1.2 * most);
        assert_true(fabs(s->volume / volume - 1) < (k ? 0.02 : 0.25));
        done(ctx, s, &scene);
    }
}

/* A box that is full, with an emitter in it: nothing can come in, and nothing breaks. */
static void full_box_stays_full(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene;
    brochu *s =
        make(ctx,
             "{ \"rill\": 1, \"method\": \"voronoi\", \"spacing\": 0.125, \"domain\": { \"min\": [0,0,0], "
             "\"max\": [1,1,1] }, \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": "
             "[1,1,1] } } } ], \"emitters\": [ { \"shape\": { \"disc\": { \"center\": [0.5,0.5,0.5], "
             "\"normal\": [0,-1,0], \"radius\": 0.2 } }, \"speed\": 1 } ] }",
             &scene);
    const rill_step_stats stats = until(s, 0.15);
    assert_true(fabs(s->volume - 1) < 1e-9 && stats.max_speed < 2);
    done(ctx, s, &scene);
}

/* Volume of the liquid with x below `at`, by the surface's flux along x: it does not cross that plane. */
static double volume_below(const brochu *s, double at)
{
    double sum = 0;
    for (size_t t = 0; t < s->view.triangle_count; t++) {
        const rill_vec3 a = s->view.position[s->view.triangle[t][0]],
                        b = s->view.position[s->view.triangle[t][1]],
                        c = s->view.position[s->view.triangle[t][2]];
        if ((a.x + b.x + c.x) / 3 < at) sum += v3_dot(a, v3_cross(b, c)) / 6;
    }
    return sum;
}

/* A plate of 0.4 spacings between a full basin and one that is empty, or half full: nothing passes, and the
 * liquid stays at rest. */
static void thin_plates_hold(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene;
        char words[1024];
        snprintf(words, sizeof words,
                 "{ \"rill\": 1, \"method\": \"voronoi\", \"spacing\": 0.08, \"domain\": { \"min\": "
                 "[0,0,0], \"max\": [1,0.7,0.4] }, \"solids\": [ { \"shape\": { \"box\": { \"min\": "
                 "[0.484,-0.1,-0.1], \"max\": [0.516,0.8,0.5] } } } ], \"liquid\": [ { \"shape\": { "
                 "\"box\": { \"min\": [0,0,0], \"max\": [0.484,0.45,0.4] } } }%s ] }",
                 k ? ", { \"shape\": { \"box\": { \"min\": [0.516,0,0], \"max\": [1,0.2,0.4] } } }" : "");
        brochu *s = make(ctx, words, &scene);
        const double left = volume_below(s, 0.5), all = s->volume;
        double fastest = 0;
        for (int i = 1; i <= 10; i++) fastest = fmax(fastest, until(s, 0.05 * i).max_speed);
        print_message("thin plate: %+.3g of the liquid has passed, fastest %.3g m/s\n",
                      1 - volume_below(s, 0.5) / left, fastest);
        assert_true(fabs(volume_below(s, 0.5) / left - 1) < 1e-6 && fabs(s->volume / all - 1) < 1e-6);
        assert_true(fastest < 1e-6);
        done(ctx, s, &scene);
    }
}

/* Liquid level with the upper edge of a step, beside it, stays at rest. */
static void liquid_rests_at_an_edge(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene;
    brochu *s =
        make(ctx,
             "{ \"rill\": 1, \"method\": \"voronoi\", \"spacing\": 0.08, \"domain\": { \"min\": [0,0,0], "
             "\"max\": [1,0.8,0.4] }, \"solids\": [ { \"shape\": { \"box\": { \"min\": [0.5,-0.1,-0.1], "
             "\"max\": [1.1,0.4,0.5] } } } ], \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], "
             "\"max\": [0.5,0.4,0.4] } } } ] }",
             &scene);
    const double volume = s->volume;
    double fastest = 0;
    for (int i = 1; i <= 10; i++) fastest = fmax(fastest, until(s, 0.05 * i).max_speed);
    print_message("liquid at an edge: fastest %.3g m/s, volume %+.3g\n", fastest, s->volume / volume - 1);
    assert_true(fastest < 1e-6 && fabs(s->volume / volume - 1) < 1e-6);
    done(ctx, s, &scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falling_liquid_does_not_feel_the_floor),
        cmocka_unit_test(drops_slide_down_a_ramp),
        cmocka_unit_test(full_box_stays_full),
        cmocka_unit_test(thin_plates_hold),
        cmocka_unit_test(liquid_rests_at_an_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
