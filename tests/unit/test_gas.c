/* Gas in the grid: what it refuses, smoke that is kept, walls, sources, open sides. */
#include "method_scenes.h"
#include "support.h"

#include "grid/gas/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rill_status read_scene(rill_ctx *ctx, const char *rest, rill_scene *out)
{
    char json[4000];
    snprintf(json, sizeof json,
             "{ \"rill\": 1, \"method\": \"grid\", \"spacing\": 0.05,\n"
             "  \"domain\": { \"min\": [0,0,0], \"max\": [1,1,0.6]%s }",
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
    if (st != RILL_BAD_SCENE) fail_msg("not refused: %s", rest);
    const char *message = rill_ctx_message(ctx);
    if (!strstr(message, word) || (place && strncmp(message, place, strlen(place)) != 0))
        fail_msg("expected %s and \"%s\": %s", place ? place : "a message", word, message);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

#define SMOKE(at, more) \
    "\"smoke\": [ { \"shape\": { \"sphere\": { \"center\": [" at "], \"radius\": 0.15 } }" more " } ]"
#define POST "\"solids\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.5,0.3], \"radius\": 0.2 } } } ]"

static void refuses_what_it_cannot_do(void **state)
{
    (void)state;
    refused(
        "},\n\"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [1,0.5,0.5] } } } ],\n" SMOKE(
            "0.5,0.5,0.3", ""),
        "s.json:4:", "fill");
    refused("}, \"fill\": true,\n" SMOKE("5,5,5", ""), "s.json:3:", "outside");
    refused("}, \"fill\": true,\n" SMOKE("0.5,0.5,0.3", ",\n\"density\": -1"), "s.json:4:", "density");
    refused("}, \"fill\": true, \"fluid\": {\n\"viscosity\": 1 }", "s.json:3:", "viscosity");
    refused("}, \"fill\": true,\n\"grid\": { \"flip\": 0.5 }", "s.json:3:", "flip");
    refused("}, \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [1,0.5,0.5] } } } "
            "],\n\"grid\": "
            "{ \"confinement\": 1 }",
            "s.json:3:", "confinement");
    refused(",\n\"slip\": \"none\" }, \"fill\": true", "s.json:3:", "slip");
    refused("}, \"fill\": true,\n\"gas\": { \"cooling\": 1 }", "s.json:3:", "smoke");
    refused("}, \"fill\": true,\n\"emitters\": [ { \"shape\": { \"disc\": { \"center\": [0.5,0.5,0.3], "
            "\"normal\": "
            "[0,1,0], \"radius\": 0.1 } }, \"speed\": 1 } ]",
            "s.json:3:", "smoke");
    refused("}, \"fill\": true, " POST ", " SMOKE("0.5,0.5,0.3", ""), NULL, "inside of solid");
    refused(
        "}, \"fill\": true, \"smoke\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.5,0.5], \"radius\": "
        "0.001 } } } ]",
        NULL, "spacing");
}

static rill_sim *make(rill_ctx *ctx, const char *rest, rill_scene *scene)
{
    assert_ok(ctx, read_scene(ctx, rest, scene));
    return method_create(ctx, scene);
}

static void drop(rill_sim *sim, rill_scene *scene)
{
    rill_ctx *ctx = sim->ctx;
    sim->method->destroy(sim);
    scene_clear(ctx, scene);
    rill_ctx_destroy(ctx);
}

typedef struct {
    double mass, least, most, warmest, height;
} smoke_figures;

static smoke_figures look(const rill_sim *sim)
{
    const gas *s = gas_view_of(sim);
    const grid_tiles *t = &s->grid.tiles;
    smoke_figures f = {.least = INFINITY};
    for (size_t i = 0; i < grid_cell_count(t); i++) {
        const double mass = (double)s->soot[i] * (double)s->hold[i];
        f.mass += mass;
        f.least = fmin(f.least, s->soot[i]);
        f.most = fmax(f.most, s->soot[i]);
        f.warmest = fmax(f.warmest, s->heat[i]);
        f.height += mass * gas_place(t, (uint32_t)(i / (size_t)t->cells), (int)(i % (size_t)t->cells), -1).y;
    }
    f.height /= f.mass;
    return f;
}

/* In a closed box with an obstacle, strongly stirred: soot is never negative nor above what there was, and
 * its sum is kept. */
static void smoke_is_kept(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    rill_sim *sim = make(ctx,
                         "}, \"fill\": true, \"time\": { \"fps\": 10 }, " POST
                         ", " SMOKE("0.5,0.2,0.3", ", \"density\": 2, \"temperature\": 600, \"end\": 0.001"),
                         &scene);
    const smoke_figures first = look(sim);
    assert_true(first.most == 2 && first.mass > 10);
    method_steps(sim, 60);
    const smoke_figures last = look(sim);
    assert_true(last.height > first.height + 0.1); /* it has gone up */
    if (!(fabs(last.mass / first.mass - 1) <= 1e-6))
        fail_msg("mass changed by %g", last.mass / first.mass - 1);
    if (!(last.least >= 0 && last.most <= 2 * (1 + 1e-5)))
        fail_msg("soot from %g to %g", last.least, last.most);
    drop(sim, &scene);
}

/* The same around a plate that moves through the smoke: smoke that it covers is given to the cells beside. */
static void smoke_is_kept_by_moving_solids(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    rill_sim *sim =
        make(ctx,
             "}, \"fill\": true, \"gravity\": [0,0,0], \"time\": { \"fps\": 20 },\n"
             "\"solids\": [ { \"shape\": { \"box\": { \"min\": [0.1,0.3,0.1], \"max\": [0.25,0.7,0.5] } },\n"
             "  \"motion\": { \"keyframes\": [ { \"t\": 0 }, { \"t\": 1, \"translate\": [0.6,0,0] } ] } } "
             "], " SMOKE("0.5,0.5,0.3", ", \"density\": 1, \"end\": 0.001"),
             &scene);
    const smoke_figures first = look(sim);
    double least = 0, most = 0;
    while (sim->time < 1) {
        method_steps(sim, 1);
        const smoke_figures f = look(sim);
        least = fmin(least, f.least);
        most = fmax(most, f.most);
    }
    const double changed = look(sim).mass / first.mass - 1;
    if (!(fabs(changed) <= 1e-6)) fail_msg("mass changed by %g", changed);
    if (!(least >= 0 && most < 3)) fail_msg("soot from %g to %g", least, most);
    drop(sim, &scene);
}

/* After a step no cell has divergence, with walls, open sides, a source that blows in through the floor. */
static void free_of_divergence(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    rill_sim *sim =
        make(ctx,
             ", \"open\": [\"+y\", \"-x\"] }, \"fill\": true, \"time\": { \"fps\": 20 }, \"grid\": { "
             "\"tolerance\": 1e-8 }, " POST ", " SMOKE("0.5,0,0.3", ", \"velocity\": [0,1,0], "
                                                                    "\"temperature\": 400"),
             &scene);
    rill_step_stats stats = step_stats_none();
    for (int k = 0; k < 5; k++) {
        assert_ok(ctx, solids_prepare(ctx, &sim->solids, sim->time, 0.02));
        assert_ok(ctx, sim->method->step(sim, 0.02, &stats));
        sim->time += 0.02;
        sim->step++;
    }
    if (!(stats.div_max < 1e-4)) fail_msg("divergence %g", stats.div_max);
    assert_true(stats.max_speed > 0.5);
    rill_vec3 x[2] = {{0.5, 0.02, 0.3}, {0.5, 0.98, 0.3}}, u[2];
    assert_ok(ctx, sim->method->velocity(sim, 2, x, u));
    assert_true(u[0].y > 0.9 && u[1].y > 0.02); /* in through the floor, out at the top */
    drop(sim, &scene);
}

/* Sources give from start to end, by their rate and keyframes; smoke cools and goes away. */
static void sources_follow_their_keys(void **state)
{
    (void)state;
    const struct {
        const char *keys, *gas;
        double most, warmest;
    } cases[] = {
        {"", "", 1, 100},
        {", \"rate\": 5", "", 1 - exp(-5 * 0.2), 100 * (1 - exp(-5 * 0.2))},
        {", \"start\": 1", "", 0, 0},
        {", \"end\": 0.05", "\"gas\": { \"cooling\": 2, \"dissipation\": 1 }, ", exp(-0.2), 100 * exp(-0.4)},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene;
        char rest[600];
        snprintf(rest, sizeof rest, "}, \"gravity\": [0,0,0], \"fill\": true, %s" SMOKE("0.5,0.5,0.3", "%s"),
                 cases[k].gas, ", \"density\": 1, \"temperature\": 393.15");
        char *close = strrchr(rest, '}'); /* the source's own end */
        snprintf(close, sizeof rest - (size_t)(close - rest), "%s } ]", cases[k].keys);
        rill_sim *sim = make(ctx, rest, &scene);
        for (int step = 0; step < 2; step++) {
            rill_step_stats stats = step_stats_none();
            assert_ok(ctx, sim->method->step(sim, 0.1, &stats));
            sim->time += 0.1;
            sim->step++;
        }
        const smoke_figures f = look(sim);
        if (fabs(f.most - cases[k].most) > 1e-5 || fabs(f.warmest - cases[k].warmest) > 1e-3)
            fail_msg("%s%s: soot %g, heat %g", cases[k].gas, cases[k].keys, f.most, f.warmest);
        drop(sim, &scene);
    }
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene;
    rill_sim *sim =
        make(ctx,
             "}, \"gravity\": [0,0,0], \"fill\": true, " SMOKE(
                 "0.5,0.5,0.3", ", \"density\": { \"keyframes\": [ { \"t\": 0, \"value\": 0 }, { \"t\": "
                                "1, \"value\": 4 } ] }"),
             &scene);
    rill_step_stats stats = step_stats_none();
    assert_ok(ctx, sim->method->step(sim, 0.5, &stats));
    assert_true(fabs(look(sim).most - 2) < 1e-6);
    drop(sim, &scene);
}

/* A body as heavy as the gas stays where it is; a lighter one rises. */
static void bodies_float(void **state)
{
    (void)state;
    static const double density[] = {1000, 100};
    for (int k = 0; k < 2; k++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene;
        char rest[600];
        snprintf(rest, sizeof rest,
                 "}, \"fill\": true, \"time\": { \"fps\": 50 }, \"solids\": [ { \"shape\": { \"sphere\": { "
                 "\"center\": "
                 "[0.5,0.5,0.3], \"radius\": 0.15 } }, \"body\": { \"density\": %g } } ]",
                 density[k]);
        rill_sim *sim = make(ctx, rest, &scene);
        method_steps(sim, 3);
        const double rise = sim->bodies.world.body[0].velocity.y;
        /* (s - 1) / (s + 1/2) g, a little less between walls */
        if (k == 0 ? fabs(rise) > 1e-4 : !(rise > 9 * sim->time && rise < 16 * sim->time))
            fail_msg("a body of %g kg/m^3 moves at %g m/s after %g s", density[k], rise, sim->time);
        drop(sim, &scene);
    }
}

/* ---- tiles that follow the smoke ---- */

static rill_sim *make_far(rill_ctx *ctx, rill_scene *scene)
{
    static const char json[] =
        "{ \"rill\": 1, \"method\": \"grid\", \"spacing\": 0.01, \"dimensions\": 2, \"fill\": true,\n"
        "  \"domain\": { \"min\": [0,0], \"max\": [1.76,1.76], \"open\": [\"+y\"] }, \"time\": { \"fps\": 20 "
        "},\n"
        "  \"solids\": [ { \"shape\": { \"sphere\": { \"center\": [0.9,0.5], \"radius\": 0.1 } },\n"
        "    \"motion\": { \"keyframes\": [ { \"t\": 0 }, { \"t\": 2, \"translate\": [0.4,0] } ] } } ],\n"
        "  \"smoke\": [ { \"shape\": { \"sphere\": { \"center\": [0.9,0.2], \"radius\": 0.1 } }, "
        "\"density\": 0.1,\n"
        "    \"temperature\": 400, \"end\": 0.4 } ] }";
    assert_ok(ctx,
              scene_parse(ctx, "far.json", json, strlen(json), rill_methods, rill_method_count, NULL, scene));
    return method_create(ctx, scene);
}

/* The same bits for any number of threads, and after saving into a simulation with other tiles; fewer cells
 * than the domain has, around all of the smoke; a velocity everywhere. */
static void tiles_follow_the_smoke(void **state)
{
    (void)state;
    uint64_t expected = 0;
    for (int threads = 1; threads <= 3; threads++) {
        rill_ctx *ctx = test_ctx(threads);
        rill_scene scene, twin;
        rill_sim *sim = make_far(ctx, &scene), *other = make_far(ctx, &twin);
        assert_non_null(gas_of(sim)->far);
        const uint64_t first = gas_of(sim)->active;
        method_steps(sim, 12);
        snapshot saved;
        snapshot_init(&saved, ctx);
        assert_ok(ctx, sim_save(sim, &saved.writer));
        assert_ok(ctx, sim_load(other, sim->time, sim->step, &saved.reader));
        snapshot_clear(&saved);
        method_steps(sim, 6);
        method_steps(other, 6);
        assert_true(method_hash(sim) == method_hash(other));
        if (threads == 1) expected = method_hash(sim);
        assert_true(method_hash(sim) == expected);
        const gas *s = gas_of(sim);
        assert_true(s->active > first && s->active < 176 * 176 / 2);
        for (uint32_t t = 0; t < s->grid.tiles.count; t++) /* none where tiles only repeat the coarse gas */
            for (int c = 0; c < 64 && !s->core[t]; c++) assert_true(s->soot[64 * t + (uint32_t)c] < 1e-4f);
        rill_vec3 x[2] = {{0.9, 0.3, 0}, {0.2, 0.3, 0}}, u[2];
        assert_ok(ctx, sim->method->velocity(sim, 2, x, u));
        assert_true(u[0].y > 0.1 && fabs(u[1].y) > 1e-4 && fabs(u[1].y) < u[0].y);
        other->method->destroy(other);
        scene_clear(ctx, &twin);
        drop(sim, &scene);
    }
}

/* With reflection the coarse gas is reflected as well, and tracers of the scene need no cells around them:
 * velocities in smoke are within 1 % of those with cells everywhere. */
static void tiles_follow_with_reflection(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene[2];
    rill_sim *sim[2];
    for (int k = 0; k < 2; k++) {
        static const char json[] =
            "{ \"rill\": 1, \"method\": \"grid\", \"dimensions\": 2, \"spacing\": 0.01, \"fill\": true,\n"
            "  \"domain\": { \"min\": [0,0], \"max\": [1.76,1.76] }, \"time\": { \"fps\": 30 },\n"
            "  \"grid\": { \"reflection\": true, \"follow\": %s },\n"
            "  \"tracers\": [ { \"shape\": { \"box\": { \"min\": [0.1,0.1], \"max\": [1.6,1.6] } }, "
            "\"count\": 100 } ],\n"
            "  \"smoke\": [ { \"shape\": { \"sphere\": { \"center\": [0.9,0.2], \"radius\": 0.08 } }, "
            "\"density\": 0.1, \"temperature\": 400 } ] }";
        char filled[sizeof json + 8];
        snprintf(filled, sizeof filled, json, k ? "true" : "false");
        assert_ok(ctx, scene_parse(ctx, "r.json", filled, strlen(filled), rill_methods, rill_method_count,
                                   NULL, &scene[k]));
        sim[k] = method_create(ctx, &scene[k]);
        for (int step = 0; step < 24; step++) {
            rill_step_stats stats = step_stats_none();
            assert_ok(ctx, sim[k]->method->step(sim[k], 0.02, &stats));
            assert_ok(ctx, tracers_step(sim[k], sim[k]->time, 0.02));
            sim[k]->time += 0.02;
            sim[k]->step++;
        }
    }
    assert_non_null(gas_of(sim[1])->far);
    assert_null(gas_of(sim[0])->far);
    assert_true(gas_of(sim[1])->active < gas_of(sim[0])->active / 2);
    particles all = {0};
    assert_ok(ctx, sim[0]->method->cells(sim[0], &all));
    const float *soot = particles_column(&all, "soot");
    double sum = 0, whole = 0;
    for (size_t i = 0; i < all.count; i++) {
        rill_vec3 u;
        if (!(soot[i] > 0.001f)) continue;
        assert_ok(ctx, sim[1]->method->velocity(sim[1], 1, &all.position[i], &u));
        const rill_vec3 d = v3_sub(u, all.velocity[i]);
        sum += v3_dot(d, d);
        whole += v3_dot(all.velocity[i], all.velocity[i]);
    }
    if (!(sqrt(sum / whole) < 0.01)) fail_msg("velocities differ by %g", sqrt(sum / whole));
    particles_clear(ctx, &all);
    for (int k = 0; k < 2; k++) {
        sim[k]->method->destroy(sim[k]);
        scene_clear(ctx, &scene[k]);
    }
    rill_ctx_destroy(ctx);
}

static void count_warnings(void *user, rill_log_level level, const char *message)
{
    if (level == RILL_LOG_WARNING && strstr(message, "all sides are closed")) ++*(int *)user;
}

/* Gas that would come in through a side of a closed domain is told of; with an open side, or from a source
 * inside, there is nothing to tell. */
static void an_inlet_without_an_outlet_is_told(void **state)
{
    (void)state;
    static const char *const rest[] = {
        "}, \"fill\": true, " SMOKE("0.5,0.1,0.3", ", \"velocity\": [0,2,0]"),
        ", \"open\": [\"+y\"] }, \"fill\": true, " SMOKE("0.5,0.1,0.3", ", \"velocity\": [0,2,0]"),
        "}, \"fill\": true, " SMOKE("0.5,0.4,0.3", ", \"velocity\": [0,2,0]"),
    };
    for (int k = 0; k < 3; k++) {
        int warnings = 0;
        rill_ctx_def def = rill_ctx_def_default();
        def.threads = 1;
        def.log = count_warnings;
        def.user = &warnings;
        rill_ctx *ctx = NULL;
        assert_int_equal(rill_ctx_create(&def, &ctx), RILL_OK);
        rill_scene scene;
        rill_sim *sim = make(ctx, rest[k], &scene);
        assert_int_equal(warnings, k == 0);
        drop(sim, &scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_it_cannot_do),
        cmocka_unit_test(smoke_is_kept),
        cmocka_unit_test(smoke_is_kept_by_moving_solids),
        cmocka_unit_test(free_of_divergence),
        cmocka_unit_test(sources_follow_their_keys),
        cmocka_unit_test(bodies_float),
        cmocka_unit_test(tiles_follow_the_smoke),
        cmocka_unit_test(tiles_follow_with_reflection),
        cmocka_unit_test(an_inlet_without_an_outlet_is_told),
    };
    return cmocka_run_group_tests_name("gas", tests, NULL, NULL);
}
