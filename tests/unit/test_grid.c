/* The grid method below its interface: distances by marching and sweeping, interpolation,
 * and what must hold for each way it can carry the liquid. */
#include "method_scenes.h"
#include "support.h"

#include "flow/snapshot.h"
#include "geom/mesh/trimesh.h"
#include "grid/advect.h"
#include "grid/grid.h"
#include "grid/interpolate.h"
#include "grid/redistance.h"
#include "run/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- V-06: interpolation --- */

static float wave(double x, double y, double z)
{
    return (float)(sin(1.3 * x + 0.2) * cos(0.9 * y) + sin(0.7 * z));
}

/* The largest error of a function on nodes h apart. */
static void errors_of(double h, double *linear, double *cubic)
{
    enum { N = 12 };
    float block[N * N * N];
    for (int i = 0; i < N * N * N; i++) block[i] = wave(h * (i % N), h * (i / N % N), h * (i / (N * N)));
    *linear = *cubic = 0;
    for (int k = 0; k < 500; k++) {
        const float x = 4 + (float)(k % 8) / 8 + 0.06f, y = 4 + (float)(k / 8 % 8) / 8 + 0.03f,
                    z = 4 + (float)(k / 64) / 8 + 0.01f;
        const double exact = (double)wave(h * (double)x, h * (double)y, h * (double)z);
        const int i = (int)x, j = (int)y, q = (int)z;
        const float *node = block + (q * N + j) * N + i;
        const double a = (double)linear3(block, N, x, y, z),
                     b = (double)cubic3_from(node, N, x - (float)i, y - (float)j, z - (float)q);
        *linear = fmax(*linear, fabs(a - exact));
        *cubic = fmax(*cubic, fabs(b - exact));
    }
}

static void interpolation_has_its_order(void **state)
{
    (void)state;
    double linear[2], cubic[2];
    errors_of(0.1, &linear[0], &cubic[0]);
    errors_of(0.05, &linear[1], &cubic[1]);
    assert_true(log2(linear[0] / linear[1]) > 1.9);
    assert_true(log2(cubic[0] / cubic[1]) > 2.7);
    /* linear fields are exact, with their gradient */
    enum { N = 6 };
    float block[N * N * N], g[3];
    for (int i = 0; i < N * N * N; i++)
        block[i] = 2 + 0.5f * (float)(i % N) - 0.25f * (float)(i / N % N) + 4 * (float)(i / (N * N));
    const float x[3] = {1.3f, 2.6f, 3.1f};
    const float exact = 2 + 0.5f * x[0] - 0.25f * x[1] + 4 * x[2];
    assert_true(fabsf(linear3_gradient(block, N, x, g) - exact) < 1e-5f);
    assert_true(fabsf(g[0] - 0.5f) < 1e-5f && fabsf(g[1] + 0.25f) < 1e-5f && fabsf(g[2] - 4) < 1e-5f);
}

/* --- V-07: distances --- */

typedef struct {
    rill_ctx *ctx;
    grid_tiles tiles;
    rill_arena arena;
    float *phi, *exact;
} ball;

static const double ball_radius = 0.3, cell = 1.0 / 64;

/* A ball in the middle of a unit box, by a function that is no distance. */
static void ball_make(ball *b, int dimensions)
{
    b->ctx = test_ctx(2);
    arena_init(&b->arena, b->ctx);
    grid_tiles_init(&b->tiles, dimensions, cell, v3(0, 0, 0));
    grid_core core[512];
    size_t n = 0;
    for (int k = 0; k < 512; k++) {
        if (dimensions == 2 && k >= 64) break;
        core[n++] = (grid_core){.tile = {k % 8, k / 8 % 8, k / 64}, .hi = {7, 7, 7}};
    }
    assert_ok(b->ctx, grid_tiles_build(b->ctx, &b->tiles, core, n, 0));
    const size_t count = grid_cell_count(&b->tiles);
    b->phi = arena_alloc(&b->arena, count, sizeof(float));
    b->exact = arena_alloc(&b->arena, count, sizeof(float));
    assert_true(b->phi && b->exact);
    for (size_t i = 0; i < count; i++) {
        const int c = (int)(i % (size_t)b->tiles.cells);
        const rill_vec3 x = v3_madd(grid_tile_corner(&b->tiles, (uint32_t)(i / (size_t)b->tiles.cells)), cell,
                                    v3(c % 8 + 0.5, c / 8 % 8 + 0.5, dimensions == 2 ? 0 : c / 64 + 0.5));
        const double r = v3_distance(x, v3(0.5, 0.5, dimensions == 2 ? 0 : 0.5));
        b->exact[i] = (float)((r - ball_radius) / cell);
        b->phi[i] = (float)((r * r - ball_radius * ball_radius) / cell * 4);
    }
}

static void ball_clear(ball *b)
{
    arena_clear(&b->arena);
    grid_tiles_clear(b->ctx, &b->tiles);
    rill_ctx_destroy(b->ctx);
}

static void distances_are_distances(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        ball b;
        ball_make(&b, dimensions);
        const size_t count = grid_cell_count(&b.tiles);
        float *swept = arena_alloc(&b.arena, count, sizeof(float));
        assert_non_null(swept);
        memcpy(swept, b.phi, count * sizeof(float));
        assert_ok(b.ctx, grid_redistance_field(&b.tiles, &b.arena, GRID_MARCHING, 6, NULL, NULL, b.phi));
        assert_ok(b.ctx, grid_redistance_field(&b.tiles, &b.arena, GRID_SWEEPING, 6, NULL, NULL, swept));
        double worst = 0, apart = 0, shift = 0;
        for (size_t i = 0; i < count; i++) {
            assert_true((b.phi[i] < 0) == (b.exact[i] < 0));
            if (fabsf(b.exact[i]) < 5) worst = fmax(worst, fabs((double)(b.phi[i] - b.exact[i])));
            if (fabsf(b.exact[i]) < 0.7f) shift = fmax(shift, fabs((double)(b.phi[i] - b.exact[i])));
            apart = fmax(apart, fabs((double)(b.phi[i] - swept[i])));
        }
        assert_true(worst <= 0.6);
        assert_true(apart * cell <= 1e-6);
        assert_true(shift <= 0.05);
        ball_clear(&b);
    }
}

static void redistancing_a_distance_keeps_the_surface(void **state)
{
    (void)state;
    ball b;
    ball_make(&b, 2);
    const size_t count = grid_cell_count(&b.tiles);
    memcpy(b.phi, b.exact, count * sizeof(float));
    for (int k = 0; k < 5; k++)
        assert_ok(b.ctx, grid_redistance_field(&b.tiles, &b.arena, GRID_MARCHING, 6, NULL, NULL, b.phi));
    for (size_t i = 0; i < count; i++)
        if (fabsf(b.exact[i]) < 0.5f) assert_true(b.phi[i] == b.exact[i]);
    ball_clear(&b);
}

/* --- every way to carry the liquid --- */

static const char *const ways[][3] = {
    {"grid.surface=\"markers\"", NULL},
    {"grid.surface=\"level-set\"", "grid.advection=\"maccormack\"", NULL},
    {"grid.surface=\"particle-level-set\"", "grid.redistance=\"sweeping\"", NULL},
    {"grid.transfer=\"flip\"", "grid.reflection=true", NULL},
    {"grid.reflection=true", NULL},
    {"fluid.viscosity=1", "domain.slip=\"none\"", NULL},
    {"fluid.surface_tension=5", NULL},
};
enum { WAYS = sizeof ways / sizeof *ways };

static rill_scene scene_of(rill_ctx *ctx, int dimensions, int way)
{
    const method_scene which = {rill_method_find("grid"), dimensions, NULL, NULL};
    const char *set[6] = {ways[way][0], ways[way][1]};
    return method_scene_read(ctx, &which, set);
}

static void threads_and_saving_change_nothing(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int way = 0; way < WAYS; way++) {
            uint64_t hash[2];
            for (int k = 0; k < 2; k++) {
                rill_ctx *ctx = test_ctx(1 + 2 * k);
                rill_scene scene = scene_of(ctx, dimensions, way);
                rill_sim *sim = method_create(ctx, &scene);
                method_steps(sim, 6);
                if (k) { /* into one that knows nothing */
                    rill_sim *other = method_create(ctx, &scene);
                    snapshot kept;
                    snapshot_init(&kept, ctx);
                    assert_ok(ctx, sim_save(sim, &kept.writer));
                    assert_ok(ctx, sim_load(other, sim->time, sim->step, &kept.reader));
                    snapshot_clear(&kept);
                    sim->method->destroy(sim);
                    sim = other;
                }
                method_steps(sim, 6);
                hash[k] = method_hash(sim);
                trimesh mesh = {0};
                trimesh_report report;
                assert_ok(ctx, sim->method->surface(sim, &mesh));
                assert_ok(ctx, trimesh_check(ctx, &mesh, &report));
                assert_true(report.open_edges == 0 && report.nonmanifold_edges == 0 && report.volume > 0);
                trimesh_clear(ctx, &mesh);
                sim->method->destroy(sim);
                scene_clear(ctx, &scene);
                rill_ctx_destroy(ctx);
            }
            if (hash[0] != hash[1]) fail_msg("%s, %d dimensions", ways[way][0], dimensions);
        }
}

/* An emitter gives cross-section times speed, whatever carries the liquid; a drain takes it. */
static void sources_of_level_sets(void **state)
{
    (void)state;
    static const char *const surface[] = {"grid.surface=\"level-set\"",
                                          "grid.surface=\"particle-level-set\""};
    for (int k = 0; k < 4; k++) {
        rill_ctx *ctx = test_ctx(2);
        const method_scene which = {rill_method_find("grid"), 2, NULL, NULL};
        const char *set[] = {surface[k % 2],
                             "spacing=0.02",
                             "solids=[]",
                             "gauges=[]",
                             "domain.open=[]",
                             "liquid=[{\"shape\":{\"box\":{\"min\":[0,0],\"max\":[1.2,0.1]}}}]",
                             k < 2 ? "drains=[]"
                                   : "drains=[{\"shape\":{\"box\":{\"min\":[0.4,0],\"max\":[0.6,0.06]}}}]",
                             k < 2 ? "emitters=[{\"shape\":{\"disc\":{\"center\":[0.8,0.7],\"normal\":[0,-1],"
                                     "\"radius\":0.15}},\"speed\":1}]"
                                   : "emitters=[]",
                             NULL};
        rill_scene scene = method_scene_read(ctx, &which, set);
        rill_sim *sim = method_create(ctx, &scene);
        double volume = 0;
        while (sim->time < 0.4) {
            rill_step_stats stats = step_stats_none();
            const double dt = sim->method->max_dt(sim);
            assert_ok(ctx, sim->method->step(sim, dt, &stats));
            sim->time += dt;
            sim->step++;
            volume = stats.volume;
        }
        const double start = 1.2 * 0.1, given = 0.3 * sim->time;
        if (getenv("RILL_SHOW")) print_message("%d: %g, expected %g\n", k, volume, k < 2 ? start + given : 0);
        if (k < 2)
            assert_true(fabs(volume - start - given) < 0.05 * given + 0.3 * 1.5 * 0.02);
        else
            assert_true(volume < 0.95 * start && volume > 0);
        sim->method->destroy(sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

/* The same where the disc lies on a wall: its column is moved off the wall and keeps its width. */
static void sources_of_level_sets_at_walls(void **state)
{
    (void)state;
    double volume[2] = {0};
    for (int k = 0; k < 2; k++) {
        rill_ctx *ctx = test_ctx(1);
        const method_scene which = {rill_method_find("grid"), 2, NULL, NULL};
        const char *set[] = {"grid.surface=\"level-set\"",
                             "spacing=0.05",
                             "gravity=[0,0]",
                             "solids=[]",
                             "gauges=[]",
                             "domain.open=[]",
                             "liquid=[]",
                             "drains=[]",
                             k == 0 ? "emitters=[{\"shape\":{\"disc\":{\"center\":[0,0.4],\"normal\":[1,0],"
                                      "\"radius\":0.1}},\"speed\":1}]"
                                    : "emitters=[{\"shape\":{\"disc\":{\"center\":[0.3,0.4],\"normal\":[1,0],"
                                      "\"radius\":0.1}},\"speed\":1}]",
                             NULL};
        rill_scene scene = method_scene_read(ctx, &which, set);
        rill_sim *sim = method_create(ctx, &scene);
        while (sim->time < 0.4) {
            rill_step_stats stats = step_stats_none();
            assert_ok(ctx, sim->method->step(sim, 0.02, &stats));
            sim->time += 0.02;
            sim->step++;
            volume[k] = stats.volume;
        }
        sim->method->destroy(sim);
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
    assert_true(fabs(volume[0] / volume[1] - 1) < 0.03);
}

/* Level sets have cells before the first step, and no pressure yet. */
static void no_pressure_before_a_step(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const method_scene which = {rill_method_find("grid"), 2, NULL, NULL};
    const char *set[] = {"grid.surface=\"level-set\"", NULL};
    rill_scene scene = method_scene_read(ctx, &which, set);
    rill_sim *sim = method_create(ctx, &scene);
    const rill_vec3 x[2] = {{0.1, 0.1, 0}, {0.2, 0.05, 0}};
    double p[2] = {1, 1};
    assert_ok(ctx, sim->method->pressure(sim, 2, x, p));
    assert_true(p[0] == 0 && p[1] == 0);
    sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

static void failed_allocations(void **state)
{
    (void)state;
    for (int way = 1; way < WAYS; way++)
        for (uint64_t n = 1;; n += way % 3 == 1 ? 3 : 11) {
            failing_allocator f = {0};
            rill_ctx *ctx = test_ctx_failing(1, &f);
            rill_scene scene = scene_of(ctx, 2, way);
            const uint64_t live = f.live;
            rill_sim *sim = NULL;
            f.fail_at = f.calls + n;
            rill_status st = grid_method.create(ctx, &scene, &sim);
            for (int k = 0; k < 2 && !st; k++) st = method_step(sim);
            trimesh mesh = {0};
            if (!st) st = grid_method.surface(sim, &mesh);
            const bool hit = f.calls >= f.fail_at;
            f.fail_at = 0;
            assert_true(st == RILL_OK || (hit && st == RILL_NO_MEMORY));
            trimesh_clear(ctx, &mesh);
            grid_method.destroy(sim);
            assert_true(f.live == live);
            scene_clear(ctx, &scene);
            rill_ctx_destroy(ctx);
            if (!hit) break;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interpolation_has_its_order),
        cmocka_unit_test(distances_are_distances),
        cmocka_unit_test(redistancing_a_distance_keeps_the_surface),
        cmocka_unit_test(threads_and_saving_change_nothing),
        cmocka_unit_test(sources_of_level_sets),
        cmocka_unit_test(sources_of_level_sets_at_walls),
        cmocka_unit_test(no_pressure_before_a_step),
        cmocka_unit_test(failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
