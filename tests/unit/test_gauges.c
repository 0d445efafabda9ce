/* Gauges of force, velocity and flow, read from fields that are known: still water, and uniform or turning
 * flow. The pieces of a surface add up to its volume; what covers it is found; gauges move with solids. */
#include "fake.h"
#include "support.h"

#include "flow/gauges.h"
#include "io/scene_file.h"
#include "run/stepper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double weight = 9810; /* N/m^3 of still water, whose level is y = 2 */
static rill_vec3 stream, turning;  /* the flow: stream + turning x x */

static rill_status still_water(const rill_sim *sim, size_t n, const rill_vec3 *x, double *p)
{
    (void)sim;
    for (size_t i = 0; i < n; i++) p[i] = weight * fmax(2 - x[i].y, 0);
    return RILL_OK;
}

static rill_status flowing(const rill_sim *sim, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    (void)sim;
    for (size_t i = 0; i < n; i++) u[i] = v3_add(stream, v3_cross(turning, x[i]));
    return RILL_OK;
}

static rill_method known; /* the fake method with these fields */

/* A simulation of the scene with these solids and gauges, at this time. */
static rill_sim *simulate(rill_ctx *ctx, int dimensions, const char *solids_text, const char *gauges,
                          double time, rill_scene *scene)
{
    char written[4096];
    snprintf(written, sizeof written,
             "{ \"rill\": 1, \"spacing\": 0.1, \"method\": \"fake\", \"dimensions\": %d,\n"
             "  \"domain\": { \"min\": [0,0%s], \"max\": [4,3%s] },\n"
             "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0%s], \"max\": [0.3,0.3%s] } } } ],\n"
             "  \"solids\": [ %s ], \"gauges\": [ %s ] }",
             dimensions, dimensions == 2 ? "" : ",0", dimensions == 2 ? "" : ",4",
             dimensions == 2 ? "" : ",0", dimensions == 2 ? "" : ",0.3", solids_text, gauges);
    known = fake_method;
    known.pressure = still_water;
    known.velocity = flowing;
    const rill_method *const methods[] = {&known};
    assert_ok(ctx, scene_parse(ctx, "gauges.json", written, strlen(written), methods, 1, NULL, scene));
    rill_sim *sim = NULL;
    assert_ok(ctx, sim_start(ctx, scene, &sim));
    sim->method = &known;
    sim->time = time;
    assert_ok(ctx, solids_prepare(ctx, &sim->solids, time, 0));
    return sim;
}

static void finish(rill_ctx *ctx, rill_sim *sim, rill_scene *scene)
{
    fake_method.destroy(sim);
    scene_clear(ctx, scene);
    rill_ctx_destroy(ctx);
}

#define FORCE   "{ \"name\": \"F\", \"force\": \"it\" }"
#define IT(...) "{ \"name\": \"it\", " __VA_ARGS__ " }"

/* Archimedes: what is under water is pushed up by the weight of the water in its place, at the middle of
 * that; with the half of a spacing as the size of the pieces, to within a hundredth for ten spacings across.
 */
static void forces_of_still_water(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    const struct {
        int dimensions;
        const char *solid;
        double volume, tolerance;
        rill_vec3 middle; /* of the volume, from the pivot */
    } row[] = {
        {3,
         IT("\"shape\": { \"sphere\": { \"center\": [2,1,2], \"radius\": 0.5 } }"),
         pi / 6,
         0.003,
         {2, 1, 2}},
        {3,
         IT("\"shape\": { \"box\": { \"min\": [-0.5,-0.4,-0.5], \"max\": [0.5,0.4,0.5] } }, \"transform\": { "
            "\"translate\": [2,1,2], \"rotate\": [20,30,40] }"),
         0.8,
         0.006,
         {0, 0, 0}},
        {3,
         IT("\"shape\": { \"cylinder\": { \"from\": [0,-1,0], \"to\": [0,1,0], \"radius\": 0.5 } }, "
            "\"transform\": { \"translate\": [2,1,2], \"scale\": 0.8, \"rotate\": [90,0,0] }"),
         pi * 0.16 * 1.6,
         0.008,
         {0, 0, 0}},
        {3,
         IT("\"shape\": { \"difference\": [ { \"box\": { \"min\": [1.5,0.5,1.5], \"max\": [2.5,1.5,2.5] } }, "
            "{ "
            "\"sphere\": { \"center\": [2,1.5,2], \"radius\": 0.4 } } ] }"),
         1 - 2 * pi / 3 * 0.064,
         0.008,
         {NAN, 0, 0}},
        {2,
         IT("\"shape\": { \"sphere\": { \"center\": [2,1], \"radius\": 0.5 } }"),
         pi / 4,
         0.003,
         {2, 1, 0}},
        {2,
         IT("\"shape\": { \"box\": { \"min\": [-0.5,-0.5], \"max\": [0.5,0.5] } }, \"transform\": { "
            "\"translate\": "
            "[2,1], \"rotate\": [0,0,25] }"),
         1,
         0.004,
         {0, 0, 0}},
        /* half out of the water */
        {3,
         IT("\"shape\": { \"sphere\": { \"center\": [2,2,2], \"radius\": 0.5 } }"),
         pi / 12,
         0.01,
         {NAN, 0, 0}},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = {0};
        rill_sim *sim = simulate(ctx, row[k].dimensions, row[k].solid, FORCE, 0, &scene);
        double f[6] = {0};
        assert_int_equal(gauges_columns(&scene), row[k].dimensions == 2 ? 3 : 6);
        assert_ok(ctx, gauges_read(sim, f));
        const double expected = weight * row[k].volume, most = row[k].tolerance * expected;
        if (!(fabs(f[1] - expected) < most && fabs(f[0]) < most))
            fail_msg("case %zu: %g, %g N, not 0, %g", k, f[0], f[1], expected);
        if (row[k].middle.x == row[k].middle.x) { /* r x (0, F, 0) = (-z F, 0, x F) */
            const double about = row[k].dimensions == 2 ? f[2] : f[5];
            if (!(fabs(about - row[k].middle.x * expected) < 3 * most))
                fail_msg("case %zu: torque %g, not %g", k, about, row[k].middle.x * expected);
        }
        finish(ctx, sim, &scene);
    }
}

/* A box on the floor has no water below it, one on a plate neither: pressed down by the column above. */
static void covered_faces_have_no_pressure(void **state)
{
    (void)state;
    static const char *const solid[] = {
        IT("\"shape\": { \"box\": { \"min\": [1.5,0,1.5], \"max\": [2.5,1,2.5] } }"),
        "{ \"shape\": { \"box\": { \"min\": [1,0,1], \"max\": [3,0.5,3] } } }, " IT(
            "\"shape\": { \"box\": { \"min\": [1.5,0.5,1.5], \"max\": [2.5,1,2.5] } }")};
    for (int k = 0; k < 2; k++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = {0};
        rill_sim *sim = simulate(ctx, 3, solid[k], FORCE, 0, &scene);
        double f[6];
        assert_ok(ctx, gauges_read(sim, f));
        if (!(fabs(f[1] + weight) < 0.03 * weight && fabs(f[0]) < 0.01 * weight))
            fail_msg("case %d: %g, %g N", k, f[0], f[1]);
        finish(ctx, sim, &scene);
    }
}

/* Velocity at points; flow through a disc by the velocity, cut by a solid, and by particles. */
/* In the simulation's own copy of its scene. */
static void set_fill(rill_sim *sim, bool fill)
{
    ((rill_scene *)sim->scene)->fill = fill;
}

static void velocity_and_flow(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene = {0};
    stream = v3(2, 1, 0);
    turning = v3(0, 0, 0.5);
    rill_sim *sim = simulate(
        ctx, 3, "{ \"shape\": { \"box\": { \"min\": [0,0,2], \"max\": [4,3,4] } } }",
        "{ \"name\": \"U\", \"velocity\": [1,2,1] }, { \"name\": \"Q\", \"flow\": { \"center\": [2,1.5,1], "
        "\"normal\": [3,0,0], \"radius\": 0.5 } }, { \"name\": \"half\", \"flow\": { \"center\": [2,1.5,2], "
        "\"normal\": [-1,0,0], \"radius\": 0.5 } }",
        0, &scene);
    double v[5];
    set_fill(sim, true); /* the fields are everywhere */
    assert_int_equal(gauges_columns(&scene), 5);
    assert_string_equal(gauge_column_ending(&scene, &scene.gauges[0], 2), ".z");
    assert_string_equal(gauge_column_ending(&scene, &scene.gauges[1], 0), "");
    assert_ok(ctx, gauges_read(sim, v));
    assert_true(fabs(v[0] - (2 - 0.5 * 2)) < 1e-12 && fabs(v[1] - 1.5) < 1e-12 && v[2] == 0);
    const double flow = 3.14159265358979323846 * 0.25 * (2 - 0.5 * 1.5);
    assert_true(fabs(v[3] - flow) < 1e-9);
    assert_true(fabs(v[4] + flow / 2) < 0.03 * flow);

    set_fill(sim, false); /* particles of a box 0.3 m wide, all at (1, 0, 0) m/s */
    rill_view view = {0};
    sim_view(sim, &view);
    for (size_t i = 0; i < view.particles->count; i++) view.particles->velocity[i] = v3(1, 0, 0);
    scene.gauges[1].point = v3(0.15, 0.15, 0.15);
    assert_ok(ctx, gauges_read(sim, v));
    assert_true(fabs(v[3] - 0.09) < 1e-9);
    finish(ctx, sim, &scene);
}

/* Gauges that ride on a solid that is carried and turned; the disc's own motion counts. */
static void gauges_move_with_solids(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = {0};
    stream = v3(0, 0, 0);
    turning = v3(0, 0, 0);
    rill_sim *sim = simulate(ctx, 3,
                             IT("\"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.2,0.2,0.2] } }, "
                                "\"transform\": { \"translate\": "
                                "[1,1,1] }, \"motion\": { \"keyframes\": [ { \"t\": 0 }, { \"t\": 2, "
                                "\"translate\": [2,0,0], \"rotate\": "
                                "[0,0,180] } ] }"),
                             "{ \"name\": \"P\", \"pressure\": [1,1.5,1], \"with\": \"it\" }, { \"name\": "
                             "\"Q\", \"flow\": { \"center\": "
                             "[1,1.2,1.3], \"normal\": [0,1,0], \"radius\": 0.05 }, \"with\": \"it\" }",
                             1, &scene);
    double v[2];
    set_fill(sim, true);
    assert_ok(ctx, gauges_read(sim, v));
    /* the pivot is at (2, 1, 1), turned by 90 degrees: P is at (1.5, 1, 1), the normal is -x */
    assert_true(fabs(v[0] - weight) < 1e-6);
    /* the disc's middle is at (1.8, 1, 1.3), goes at (1, -0.2 pi / 2 , 0) m/s, and still water comes against
     * it */
    const double area = 3.14159265358979323846 * 0.0025;
    assert_true(fabs(v[1] - area) < 1e-9);
    finish(ctx, sim, &scene);
}

/* What cannot be measured is refused with its line. */
static void bad_gauges_are_refused(void **state)
{
    (void)state;
    const struct {
        const char *gauge, *says;
    } row[] = {
        {"{ \"name\": \"F\", \"force\": \"rok\" }", "did you mean \"rock\""},
        {"{ \"name\": \"F\", \"force\": [1,2,3] }", "a text"},
        {"{ \"name\": \"F\", \"force\": \"rock\", \"with\": \"rock\" }", "leave \"with\" out"},
        {"{ \"name\": \"F\", \"pressure\": [1,1,1], \"with\": \"x\" }", "the name of a solid"},
        {"{ \"name\": \"F\", \"pressure\": [1,1,1], \"force\": \"rock\" }", "only one of"},
        {"{ \"name\": \"F\", \"flow\": { \"center\": [1,1,1], \"normal\": [0,0,0], \"radius\": 1 } }",
         "cannot be zero"},
        {"{ \"name\": \"F\", \"flow\": { \"center\": [1,1,1], \"normal\": [0,0,1] } }", "radius"},
        {"{ \"name\": \"F\", \"flow\": { \"center\": [9,1,1], \"normal\": [0,0,1], \"radius\": 1 } }",
         "outside the domain"},
        {"{ \"name\": \"F\", \"velocity\": [1,1] }", "three numbers"},
    };
    rill_ctx *ctx = test_ctx(1);
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char written[1024];
        rill_scene scene = {0};
        snprintf(
            written, sizeof written,
            "{ \"rill\": 1, \"spacing\": 0.1, \"method\": \"fake\", \"domain\": { \"min\": [0,0,0], \"max\": "
            "[4,3,4] },\n \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.3,0.3,0.3] } "
            "} } "
            "],\n \"solids\": [ { \"name\": \"rock\", \"shape\": { \"sphere\": { \"center\": [2,1,2], "
            "\"radius\": "
            "0.5 } } } ],\n \"gauges\": [ %s ] }",
            row[k].gauge);
        known = fake_method;
        known.pressure = still_water;
        known.velocity = flowing;
        const rill_method *const methods[] = {&known};
        assert_int_equal(scene_parse(ctx, "g.json", written, strlen(written), methods, 1, NULL, &scene),
                         RILL_BAD_SCENE);
        const char *message = rill_ctx_message(ctx);
        if (!strstr(message, row[k].says) || !strstr(message, "g.json:4"))
            fail_msg("\"%s\" does not say \"%s\"", message, row[k].says);
    }
    rill_ctx_destroy(ctx);
}

/* ---- failed allocations ---- */

static rill_status read_all(rill_ctx *ctx, void *user)
{
    (void)user;
    static const char scene_text[] =
        "{ \"rill\": 1, \"spacing\": 0.1, \"method\": \"fake\", \"domain\": { \"min\": [0,0,0], \"max\": "
        "[1,1,1] }, "
        "\"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.3,0.3,0.3] } } } ], "
        "\"solids\": [ { "
        "\"name\": \"it\", \"shape\": { \"union\": [ { \"sphere\": { \"center\": [0.5,0.5,0.5], \"radius\": "
        "0.1 } }, { "
        "\"box\": { \"min\": [0.5,0.5,0.5], \"max\": [0.7,0.6,0.6] } } ] } } ], \"gauges\": [ { \"name\": "
        "\"F\", "
        "\"force\": \"it\" }, { \"name\": \"U\", \"velocity\": [0.1,0.1,0.1], \"with\": \"it\" }, { "
        "\"name\": \"Q\", "
        "\"flow\": { \"center\": [0.1,0.1,0.1], \"normal\": [1,0,0], \"radius\": 0.1 } } ] }";
    known = fake_method;
    known.pressure = still_water;
    known.velocity = flowing;
    const rill_method *const methods[] = {&known};
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    double value[10];
    rill_status st = scene_parse(ctx, "g.json", scene_text, strlen(scene_text), methods, 1, NULL, &scene);
    if (!st) st = sim_start(ctx, &scene, &sim);
    if (!st) {
        sim->method = &known;
        st = gauges_read(sim, value);
    }
    fake_method.destroy(sim);
    scene_clear(ctx, &scene);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(1, read_all, NULL) > 20);
}

/* ---- warnings ---- */

static char warned[4096];

static void keep_warning(void *user, rill_log_level level, const char *message)
{
    (void)user;
    if (level == RILL_LOG_WARNING)
        snprintf(warned + strlen(warned), sizeof warned - strlen(warned), "%s\n", message);
}

/* Gauges and emitters inside solids, and emitters that point out of the domain, are warned of; others not. */
static void odd_places_are_warned_of(void **state)
{
    (void)state;
    const struct {
        const char *more, *says;
    } row[] = {
        {"\"gauges\": [ { \"name\": \"P\", \"pressure\": [2,1,2] } ]",
         "g.json:4:41: the gauge \"P\" lies inside the solid \"rock\""},
        {"\"gauges\": [ { \"name\": \"P\", \"pressure\": [2,1.6,2] } ]", ""},
        {"\"gauges\": [ { \"name\": \"F\", \"force\": \"rock\" } ]", ""},
        {"\"emitters\": [ { \"shape\": { \"disc\": { \"center\": [2,1,2], \"normal\": [0,1,0], \"radius\": "
         "0.2 } }, "
         "\"speed\": 1 } ]",
         "the emitter lies inside the solid \"rock\""},
        {"\"emitters\": [ { \"shape\": { \"disc\": { \"center\": [1,1,1], \"normal\": [0,1,0], \"radius\": "
         "0.2 } }, "
         "\"speed\": 1 } ]",
         ""},
        {"\"emitters\": [ { \"shape\": { \"disc\": { \"center\": [0.05,1,1], \"normal\": [-1,0,0], "
         "\"radius\": 0.2 } "
         "}, \"speed\": 1 } ]",
         "points out of the domain, 0.05 m from its side -x"},
        {"\"emitters\": [ { \"shape\": { \"disc\": { \"center\": [0.05,1,1], \"normal\": [1,0,0], "
         "\"radius\": 0.2 } "
         "}, \"speed\": 1 } ]",
         ""},
    };
    rill_ctx_def def = rill_ctx_def_default();
    def.log = keep_warning;
    def.threads = 1;
    rill_ctx *ctx = NULL;
    assert_int_equal(rill_ctx_create(&def, &ctx), RILL_OK);
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char written[1024];
        rill_scene scene = {0};
        snprintf(
            written, sizeof written,
            "{ \"rill\": 1, \"spacing\": 0.1, \"method\": \"fake\", \"domain\": { \"min\": [0,0,0], \"max\": "
            "[4,3,4] },\n \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.3,0.3,0.3] } "
            "} } "
            "],\n \"solids\": [ { \"name\": \"rock\", \"shape\": { \"sphere\": { \"center\": [2,1,2], "
            "\"radius\": "
            "0.5 } } } ],\n %s }",
            row[k].more);
        known = fake_method;
        known.pressure = still_water;
        const rill_method *const methods[] = {&known};
        warned[0] = 0;
        assert_ok(ctx, scene_parse(ctx, "g.json", written, strlen(written), methods, 1, NULL, &scene));
        if (row[k].says[0] ? !strstr(warned, row[k].says) : warned[0])
            fail_msg("warned of \"%s\", not \"%s\"", warned, row[k].says);
        scene_clear(ctx, &scene);
    }
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_of_still_water),    cmocka_unit_test(covered_faces_have_no_pressure),
        cmocka_unit_test(velocity_and_flow),        cmocka_unit_test(gauges_move_with_solids),
        cmocka_unit_test(bad_gauges_are_refused),   cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(odd_places_are_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
