/* Rigid bodies in the grid: parts of cubes, the pressure's system with bodies, momentum, the same bits, and
 * scenes that broke it. */
#include "method_scenes.h"
#include "support.h"

#include "flow/snapshot.h"
#include "grid/cut.h"
#include "grid/pressure/cells.h"
#include "grid/state.h"
#include "io/scene_file.h"
#include "run/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- parts of cubes --- */

static double plane(const double n[4], double x, double y, double z)
{
    return n[0] * x + n[1] * y + n[2] * z - n[3];
}

/* Against counting points, for planes that cut corners, edges and faces. */
static void parts_match_counting(void **state)
{
    (void)state;
    enum { M = 64 };
    static const double planes[][4] = {{1, 0, 0, 0.3}, {-1, 0.2, 0.1, -0.4}, {1, 1, 1, 0.4},
                                       {1, 1, 1, 1.5}, {1, -1, 0.5, 0.1},    {0.3, 1, -0.7, 0.2},
                                       {1, 1, 1, 2.9}, {0, 0, 1, 0.999},     {-2, 1, 0.4, -0.6},
                                       {1, 1, 1, 5},   {1, 0, 0, -1}};
    for (size_t k = 0; k < sizeof planes / sizeof *planes; k++)
        for (int flat = 0; flat < 2; flat++) {
            double corner[8], count = 0;
            for (int c = 0; c < 8; c++) corner[c] = plane(planes[k], c & 1, c >> 1 & 1, flat ? 0 : c >> 2);
            for (int i = 0; i < M * M * (flat ? 1 : M); i++)
                count += plane(planes[k], (i % M + 0.5) / M, (i / M % M + 0.5) / M,
                               flat ? 0 : (i / M / M + 0.5) / M) > 0;
            count /= M * M * (flat ? 1 : M);
            if (!(fabs(cut_part(flat, corner) - count) < 0.012))
                fail_msg("plane %zu, flat %d: %g, counted %g", k, flat, cut_part(flat, corner), count);
        }
}

/* --- the pressure's system --- */

enum { SIDE = 20 };

static double basin(const void *user, int i, int j, int k)
{
    (void)i, (void)k;
    return *(const bool *)user ? -1 : j + 0.5 - 14.3; /* closed, or with a surface */
}

/* Rows of a ball in the middle as the ones of a body would be, with a given mass. */
static void ball_rows(const pressure_cells *c, int d, double mass, pressure_bodies *out)
{
    uint32_t n = 0;
    out->count = 1;
    out->start = calloc(2, sizeof *out->start);
    out->end = calloc(1, sizeof *out->end);
    out->light = calloc(1, 1);
    out->heavier = calloc(1, sizeof *out->heavier);
    out->motion = calloc(1, sizeof *out->motion);
    out->motion[0][1] = 0.3;
    out->root = calloc(1, sizeof *out->root);
    out->entry = calloc(c->count, sizeof *out->entry);
    for (size_t i = 0; i < c->count; i++) {
        int at[3];
        pressure_cells_place(c, i, at);
        double r2 = 0, x[3] = {at[0] - 9.7, at[1] - 8.2, d == 3 ? at[2] - 9.4 : 0};
        for (int a = 0; a < d; a++) r2 += x[a] * x[a];
        if (!c->active[i] || r2 > 20 || r2 < 9) continue;
        low_rank_entry *e = &out->entry[n++];
        e->row = (uint32_t)i;
        for (int a = 0; a < d; a++) e->v[a] = -x[a] / sqrt(r2);
        e->v[5] = 0.1 * x[0] * x[1] / r2; /* no ball's, but some row */
    }
    out->start[1] = out->end[0] = n;
    out->light[0] = 1;
    for (int a = 0; a < 6; a++) out->root[0][a][a] = 1 / sqrt(a < 3 ? mass : 4 * mass);
}

static void free_rows(pressure_bodies *b)
{
    free(b->start), free(b->end), free(b->light), free(b->heavier), free(b->motion), free(b->root),
        free(b->entry);
}

/* |b - (A + J W J^T) p| / |b|, by the definition. */
static double plain_residual(const pressure_cells *c, const pressure_bodies *body, const double *p)
{
    double sum = 0, all = 0, push[6] = {0}, *r = calloc(c->count, sizeof *r);
    const int d = c->def.dimensions;
    for (uint32_t k = body->start[0]; k < body->end[0]; k++)
        for (int a = 0; a < 6; a++) push[a] += body->entry[k].v[a] * p[body->entry[k].row];
    for (int a = 0; a < 6; a++) push[a] *= body->root[0][a][a] * body->root[0][a][a];
    for (size_t i = 0; i < c->count; i++) {
        if (!c->active[i]) continue;
        int at[3];
        pressure_cells_place(c, i, at);
        r[i] = c->b[i] - c->e[i] * p[i];
        for (int a = 0; a < d; a++)
            for (int up = 0; up < 2; up++) {
                int q[3] = {at[0], at[1], at[2]};
                q[a] += up ? 1 : -1;
                const size_t j = pressure_cells_index(c, q[0], q[1], q[2]);
                if (j != SIZE_MAX && c->active[j]) r[i] -= c->a[a][up ? i : j] * (p[i] - p[j]);
            }
    }
    for (uint32_t k = body->start[0]; k < body->end[0]; k++)
        for (int a = 0; a < 6; a++)
            r[body->entry[k].row] -= body->entry[k].v[a] * (push[a] + body->motion[0][a]);
    for (size_t i = 0; i < c->count; i++) sum += r[i] * r[i], all += c->b[i] * c->b[i];
    free(r);
    return sqrt(sum / all);
}

/* Every solver, from almost no mass to a heavy body, with a surface and without. */
static void solvers_move_bodies(void **state)
{
    (void)state;
    static const pressure_method methods[] = {PRESSURE_MULTIGRID, PRESSURE_CG, PRESSURE_MIC0};
    static const double masses[] = {0.1, 1, 1e4};
    rill_ctx *ctx = test_ctx(2);
    for (int d = 2; d <= 3; d++)
        for (int m = 0; m < 3; m++)
            for (int k = 0; k < 3; k++)
                for (int closed = 0; closed < 2; closed++) {
                    const bool is_closed = closed;
                    const pressure_cells_def def = {.dimensions = d,
                                                    .n = {SIDE, SIDE, d == 2 ? 1 : SIDE},
                                                    .phi = basin,
                                                    .user = &is_closed};
                    pressure_cells c;
                    pressure_bodies body = {0};
                    pressure_report report;
                    pressure_solver solver;
                    pressure_solver_init(&solver, ctx);
                    assert_ok(ctx, pressure_cells_make(ctx, &def, &c));
                    ball_rows(&c, d, masses[m], &body);
                    for (size_t i = 0; i < c.count; i++) c.b[i] = c.active[i] ? sin(0.37 * (double)i) : 0;
                    for (uint32_t i = 0; i < body.end[0]; i++) c.b[body.entry[i].row] += body.entry[i].v[1];
                    double mean = 0, active = 0;
                    for (size_t i = 0; i < c.count; i++) mean += c.b[i], active += c.active[i];
                    for (size_t i = 0; i < c.count; i++)
                        if (closed && c.active[i]) c.b[i] -= mean / active;
                    pressure_system system = c.system;
                    system.bodies = &body;
                    pressure_def solve = pressure_def_default();
                    solve.method = methods[k];
                    assert_ok(ctx, pressure_solve(&solver, &system, &solve, c.p, &report));
                    const double left = plain_residual(&c, &body, c.p);
                    if (report.end != PRESSURE_CONVERGED || !(left < 2e-6) ||
                        (k == 0 && report.iterations > 40))
                        fail_msg("%dD, mass %g, %s, closed %d: residual %g, reported %g, after %u", d,
                                 masses[m], pressure_method_words[methods[k]], closed, left, report.residual,
                                 report.iterations);
                    free_rows(&body);
                    pressure_cells_clear(&c);
                    pressure_solver_clear(&solver);
                }
    rill_ctx_destroy(ctx);
}

/* --- scenes --- */

static rill_scene parse(rill_ctx *ctx, const char *source)
{
    rill_scene scene;
    assert_ok(ctx, scene_parse(ctx, "bodies.json", source, strlen(source), rill_methods, rill_method_count,
                               NULL, &scene));
    return scene;
}

#define HEAD(dimensions, spacing, block, side)                                                         \
    "{ \"rill\": 1, \"name\": \"b\", \"method\": \"grid\", \"dimensions\": " dimensions                \
    ", \"spacing\": " spacing ", \"grid\": { " block " }, \"time\": { \"frames\": 4, \"fps\": 25 },\n" \
    "  \"domain\": { \"min\": [0,0" side "], \"max\": [1,1" side "] },\n"

/* Momentum that pressure gives to the liquid, at the faces, and to the body: the sum is nothing. */
static void momentum_is_kept(void **state)
{
    (void)state;
    static const char *const source[2] = {
        HEAD("2", "0.04", "\"pack\": 0",
             "") "\"gravity\": [0,0],\n"
                 "\"liquid\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.5], \"radius\": 0.35 } } } "
                 "],\n"
                 "\"solids\": [ { \"shape\": { \"box\": { \"min\": [-0.1,-0.07], \"max\": [0.1,0.07] } }, "
                 "\"transform\": "
                 "{ \"translate\": [0.52,0.47], \"rotate\": [0,0,25] },\n"
                 "   \"body\": { \"density\": 300, \"velocity\": [1,0.5], \"spin\": [0,0,4] } } ] }",
        "{ \"rill\": 1, \"name\": \"b\", \"method\": \"grid\", \"spacing\": 0.06, \"grid\": { \"pack\": 0 "
        "},\n"
        "\"domain\": { \"min\": [0,0,0], \"max\": [1,1,1] }, \"gravity\": [0,0,0],\n"
        "\"liquid\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.5,0.5], \"radius\": 0.35 } } } ],\n"
        "\"solids\": [ { \"shape\": { \"sphere\": { \"center\": [0,0,0], \"radius\": 0.13 } }, "
        "\"transform\": "
        "{ \"translate\": [0.52,0.47,0.5] },\n"
        "   \"body\": { \"density\": 10, \"velocity\": [1,0.5,0.2], \"spin\": [0,3,4] } } ] }"};
    for (int k = 0; k < 2; k++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = parse(ctx, source[k]);
        rill_sim *sim = method_create(ctx, &scene);
        for (int step = 0; step < 5; step++) {
            const rigid_body *b = &sim->bodies.world.body[0];
            const rill_vec3 before = b->velocity;
            assert_ok(ctx, method_step(sim));
            const grid *s = grid_view_of(sim);
            const double unit = scene.fluid.density * pow(s->h, scene.dimensions);
            double sum[3] = {0}, size = 0;
            for (uint32_t t = 0; t < s->tiles.count; t++)
                for (int c = 0; c < s->tiles.cells; c++)
                    for (int a = 0; a < scene.dimensions; a++) {
                        const size_t i = (size_t)t * (size_t)s->tiles.cells + (size_t)c;
                        const size_t m = grid_cell_near(&s->tiles, t, c % 8 - (a == 0), c / 8 % 8 - (a == 1),
                                                        c / 64 - (a == 2));
                        const double here = s->field.active[i] ? s->field.q[i] : 0,
                                     there = m != SIZE_MAX && s->field.active[m] ? s->field.q[m] : 0;
                        sum[a] -= unit * (double)s->field.open[a][i] * (here - there);
                    }
            const double body[3] = {b->mass * (b->velocity.x - before.x),
                                    b->mass * (b->velocity.y - before.y),
                                    b->mass * (b->velocity.z - before.z)};
            for (int a = 0; a < 3; a++) size += fabs(body[a]) + b->mass * fabs(v3_axis(before, a));
            for (int a = 0; a < scene.dimensions; a++)
                if (!(fabs(sum[a] + body[a]) < 1e-5 * size))
                    fail_msg("%s, step %d, axis %d: liquid %g, body %g", k ? "3D" : "2D", step, a, sum[a],
                             body[a]);
        }
        sim->method->destroy(sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

static const char stack_text[] =
    HEAD("2", "0.05", "\"surface\": \"%s\"",
         "") "\"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0], \"max\": [1,0.4] } } } ],\n"
             "\"solids\": [\n"
             " { \"shape\": { \"box\": { \"min\": [-0.1,-0.1], \"max\": [0.1,0.1] } }, \"transform\": { "
             "\"translate\": "
             "[0.3,0.12] }, \"body\": { \"density\": 3000 } },\n"
             " { \"shape\": { \"box\": { \"min\": [-0.1,-0.1], \"max\": [0.1,0.1] } }, \"transform\": { "
             "\"translate\": "
             "[0.33,0.33], \"rotate\": [0,0,5] }, \"body\": { \"density\": 1500 } },\n"
             " { \"shape\": { \"sphere\": { \"center\": [0,0], \"radius\": 0.09 } }, \"transform\": { "
             "\"translate\": "
             "[0.7,0.5] }, \"body\": { \"density\": 1 } },\n"
             " { \"shape\": { \"box\": { \"min\": [-0.15,-0.01], \"max\": [0.15,0.01] } }, \"transform\": { "
             "\"translate\": [0.75,0.25] }, \"body\": { \"density\": 700, \"hinge\": { \"point\": [0,0], "
             "\"limits\": "
             "[-30,60] } } } ] }";

/* One, two and three threads, and from a saved state: heavy, light, stacked and hinged bodies. */
static void same_bits(void **state)
{
    (void)state;
    static const char *const surfaces[] = {"particles", "markers", "particle-level-set"};
    for (int k = 0; k < 3; k++) {
        char source[4096];
        uint64_t hash = 0;
        snprintf(source, sizeof source, stack_text, surfaces[k]);
        for (int threads = 1; threads <= 3; threads++) {
            rill_ctx *ctx = test_ctx(threads);
            rill_scene scene = parse(ctx, source);
            rill_sim *sim = method_create(ctx, &scene);
            method_steps(sim, 12);
            snapshot saved;
            snapshot_init(&saved, ctx);
            assert_ok(ctx, sim_save(sim, &saved.writer));
            const double time = sim->time;
            method_steps(sim, 12);
            const uint64_t found = method_hash(sim);
            if (threads == 1) hash = found;
            if (found != hash) fail_msg("%s: %d threads differ", surfaces[k], threads);
            rill_sim *again = method_create(ctx, &scene);
            assert_ok(ctx, sim_load(again, time, 12, &saved.reader));
            method_steps(again, 12);
            if (method_hash(again) != hash) fail_msg("%s: resumed, it differs", surfaces[k]);
            snapshot_clear(&saved);
            sim->method->destroy(sim);
            again->method->destroy(again);
            scene_clear(ctx, &scene);
            rill_ctx_destroy(ctx);
        }
    }
}

/* A hinge stays where it is, and its limits hold. */
static void hinges_hold(void **state)
{
    (void)state;
    char source[4096];
    snprintf(source, sizeof source, stack_text, "particles");
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = parse(ctx, source);
    rill_sim *sim = method_create(ctx, &scene);
    while (sim->time < 1) {
        assert_ok(ctx, method_step(sim));
        const world_state *s = &sim->bodies.world.state[3];
        assert_true(v3_distance(s->center, v3(0.75, 0.25, 0)) < 1e-9);
        assert_true(s->limit_at > -0.53 && s->limit_at < 1.06);
    }
    sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* What it came to at the end: the liquid that the grid sees over that of the start. */
static double volume_left(const char *source, double until, double *deepest)
{
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = parse(ctx, source);
    rill_sim *sim = method_create(ctx, &scene);
    assert_ok(ctx, method_step(sim));
    const double first = grid_view_of(sim)->seen;
    while (sim->time < until) assert_ok(ctx, method_step(sim));
    const grid *s = grid_view_of(sim);
    const double left = s->seen / first;
    *deepest = 0;
    solids within = sim->solids;
    within.domain.open = (1u << SIDE_COUNT) - 1;
    for (size_t i = 0; i < s->particles.count; i++)
        *deepest =
            fmax(*deepest, -solids_distance(&within, s->particles.position[i], sim->time, NULL) / s->h);
    sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
    return left;
}

/* Scenes that lost their liquid or ended: a slab that falls on a film, a body as wide as the closed box it is
 * in, a plate thinner than a hair, a fast one, one of almost no mass, one that is thrown into a corner. */
static void hard_scenes_go_on(void **state)
{
    (void)state;
#define BODY(half_x, half_y, place, turn, body)                                                     \
    "\"solids\": [ { \"shape\": { \"box\": { \"min\": [-" half_x ",-" half_y "], \"max\": [" half_x \
    "," half_y "] } }, \"transform\": { \"translate\": [" place "], \"rotate\": [0,0," turn         \
    "] }, \"body\": { " body " } } ] }"
#define LIQUID(height) \
    "\"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0], \"max\": [1," height "] } } } ],\n"
    static const struct {
        const char *name, *source;
        double least;
    } row[] = {
        {"film",
         HEAD("2", "0.04", "", "") LIQUID("0.06") BODY("0.4", "0.2", "0.5,0.4", "0", "\"density\": 20000"),
         0.9},
        {"full",
         HEAD("2", "0.04", "", "") LIQUID("1") BODY("0.4999", "0.2", "0.5,0.52", "0", "\"density\": 500"),
         0.99},
        {"hair",
         HEAD("2", "0.04", "", "") LIQUID("0.4") BODY("0.3", "0.001", "0.5,0.6", "10", "\"density\": 5000"),
         0.95},
        {"fast",
         HEAD("2", "0.04", "", "") LIQUID("0.5")
             BODY("0.1", "0.1", "0.5,0.8", "30", "\"density\": 800, \"velocity\": [0,-40]"),
         0.9},
        {"light",
         HEAD("2", "0.04", "", "") LIQUID("0.5") BODY("0.1", "0.1", "0.5,0.25", "30", "\"density\": 0.1"),
         0.95},
        {"corner",
         HEAD("2", "0.04", "", "") LIQUID("0.3")
             BODY("0.15", "0.15", "0.4,0.6", "45", "\"density\": 3000, \"velocity\": [-6,-6]"),
         0.9},
        {"level set",
         HEAD("2", "0.04", "\"surface\": \"level-set\"", "") LIQUID("0.5")
             BODY("0.1", "0.1", "0.5,0.25", "30", "\"density\": 0.1"),
         0.95},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        double deepest;
        const double left = volume_left(row[k].source, 1.5, &deepest);
        if (!(left > row[k].least && left < 1.1)) fail_msg("%s: %g of the liquid is left", row[k].name, left);
        if (!(deepest < 0.1)) fail_msg("%s: a particle is %g spacings inside", row[k].name, deepest);
    }
}

/* What it cannot do is refused. */
static void what_it_cannot_do_is_refused(void **state)
{
    (void)state;
    static const char *const block[] = {"\"reflection\": true", "\"pressure\": \"sor\""};
    for (int k = 0; k < 2; k++) {
        char source[4096];
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene;
        snprintf(
            source, sizeof source,
            "{ \"rill\": 1, \"method\": \"grid\", \"dimensions\": 2, \"spacing\": 0.05, \"grid\": { %s },\n"
            "\"domain\": { \"min\": [0,0], \"max\": [1,1] },\n" LIQUID("0.4")
                BODY("0.1", "0.1", "0.5,0.5", "0", "\"density\": 500"),
            block[k]);
        assert_int_equal(scene_parse(ctx, "bodies.json", source, strlen(source), rill_methods,
                                     rill_method_count, NULL, &scene),
                         RILL_BAD_SCENE);
        assert_non_null(strstr(rill_ctx_message(ctx), "bodies.json:1:"));
        rill_ctx_destroy(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_match_counting),
        cmocka_unit_test(solvers_move_bodies),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(hinges_hold),
        cmocka_unit_test(hard_scenes_go_on),
        cmocka_unit_test(what_it_cannot_do_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
