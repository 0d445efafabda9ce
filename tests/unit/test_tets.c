/* The tets method: what it refuses, smoke that stays smoke, bodies on hinges. */
#include "support.h"

#include "io/scene_file.h"
#include "method_scenes.h"
#include "run/registry.h"
#include "tets/state.h"

#include <stdio.h>
#include <string.h>

static rill_status read_scene(rill_ctx *ctx, const char *rest, rill_scene *out)
{
    char json[2000];
    snprintf(json, sizeof json,
             "{ \"rill\": 1, \"method\": \"tets\", \"spacing\": 0.2,\n"
             "  \"domain\": { \"min\": [0,0,0], \"max\": [1,1,1], \"open\": [\"+y\"] },\n%s }",
             rest);
    return scene_parse(ctx, "s.json", json, strlen(json), rill_methods, rill_method_count, NULL, out);
}

static void refused(const char *rest, const char *place, const char *word)
{
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    rill_status st = read_scene(ctx, rest, &scene);
    if (!st) st = scene.method->create(ctx, &scene, &sim);
    assert_int_equal(st, RILL_BAD_SCENE);
    const char *message = rill_ctx_message(ctx);
    if (!strstr(message, word) || (place && strncmp(message, place, strlen(place)) != 0))
        fail_msg("expected %s and \"%s\": %s", place ? place : "a message", word, message);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

static void refuses_what_it_cannot_do(void **state)
{
    (void)state;
    refused("\"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [1,0.5,1] } } } ]",
            "s.json:3:", "fill");
    refused(
        "\"fill\": true,\n\"emitters\": [ { \"shape\": { \"disc\": { \"center\": [0.5,0.5,0.5], \"normal\": "
        "[0,1,0], \"radius\": 0.1 } }, \"speed\": 1 } ]",
        "s.json:4:", "smoke");
    refused("\"fill\": true, \"fluid\": {\n\"viscosity\": 1 }", "s.json:4:", "viscosity");
    refused("\"fill\": true, \"smoke\": [ {\n\"shape\": { \"sphere\": { \"center\": [5,5,5], \"radius\": 0.1 "
            "} } } ]",
            "s.json:4:", "outside");
    refused("\"fill\": true, \"smoke\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.5,0.5], "
            "\"radius\": 0.05 } } } ],"
            "\"solids\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.5,0.5], \"radius\": 0.3 } } } ]",
            NULL, "inside of solid");
    refused("\"fill\": true, \"solids\": [ { \"shape\": { \"box\": { \"min\": [-1,-1,-1], \"max\": [2,2,2] } "
            "} } ]",
            NULL, "no room");
}

/* Soot is never more than a source gives, nor less than none. */
static void smoke_stays_within_bounds(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    assert_ok(
        ctx,
        read_scene(
            ctx,
            "\"fill\": true, \"tets\": { \"coarsest\": 2, \"smoke\": 1, \"vorticity\": 1 },\n"
            "\"smoke\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.2,0.5], \"radius\": 0.2 } }, "
            "\"density\": 2, \"temperature\": 500, \"velocity\": [0,1,0], \"tracers_per_second\": 100 } ]",
            &scene));
    rill_sim *sim = method_create(ctx, &scene);
    double most = 0, warmest = 0;
    for (int k = 0; k < 6; k++) {
        rill_step_stats stats = step_stats_none();
        assert_ok(ctx, solids_prepare(ctx, &sim->solids, sim->time, 0.05));
        assert_ok(ctx, sim->method->step(sim, 0.05, &stats));
        assert_ok(ctx, tracers_step(sim, sim->time, 0.05));
        sim->time += 0.05;
        sim->step++;
    }
    const tets_state *a = tets_now(tets_of(sim));
    for (uint32_t i = 0; i < a->mesh.count; i++) {
        assert_true(a->soot[i] >= 0 && a->soot[i] <= 2 * (1 + 1e-9));
        most = fmax(most, a->soot[i]);
        warmest = fmax(warmest, a->heat[i]);
    }
    assert_true(most > 1.9 && warmest > 200);
    assert_true(sim->tracers.dots.count > 20);
    sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* A flap heavier than the fluid swings down about its hinge and stays on it. */
static void a_hinged_body_stays_on_its_hinge(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    assert_ok(
        ctx,
        read_scene(ctx,
                   "\"fill\": true, \"solids\": [ { \"shape\": { \"box\": { \"min\": [0.3,0.6,0.3], \"max\": "
                   "[0.7,0.64,0.7] } } } ]",
                   &scene));
    rill_sim *sim = method_create(ctx, &scene);
    rigid_body flap = {.mass = 3 * 1000 * 0.4 * 0.4 * 0.04,
                       .center = {0.5, 0.62, 0.5},
                       .constraint = BODY_HINGED,
                       .point = {0.3, 0.62, 0.5},
                       .axis = {0, 0, 1}};
    for (int k = 0; k < 3; k++) flap.inertia[k][k] = flap.mass * 0.16 / 12;
    assert_int_equal(tets_add_body(sim, 7, &flap), RILL_USAGE);
    assert_ok(ctx, tets_add_body(sim, 0, &flap));
    assert_int_equal(tets_add_body(sim, 0, &flap), RILL_USAGE);
    for (int k = 0; k < 5; k++) {
        rill_step_stats stats = step_stats_none();
        assert_ok(ctx, solids_prepare(ctx, &sim->solids, sim->time, 0.02));
        assert_ok(ctx, sim->method->step(sim, 0.02, &stats));
        sim->time += 0.02;
        sim->step++;
    }
    const rigid_body *now = tets_body(sim, 0);
    assert_null(tets_body(sim, 1));
    assert_true(now->spin.z < -0.1 && now->spin.x == 0 && now->spin.y == 0);
    assert_true(fabs(v3_distance(now->center, flap.point) - 0.2) < 1e-12);
    assert_true(now->center.y < flap.center.y);
    assert_true(v3_length(v3_sub(now->velocity, v3_cross(now->spin, v3_sub(now->center, now->point)))) <
                1e-9);
    sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_it_cannot_do),
        cmocka_unit_test(smoke_stays_within_bounds),
        cmocka_unit_test(a_hinged_body_stays_on_its_hinge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
