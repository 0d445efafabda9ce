/* The grid method with particles near the surface alone: it must move as it does with
 * particles everywhere, keep its volume, and be the same for any number of threads. And what
 * it says of scenes it cannot run. */
#include "method_scenes.h"
#include "support.h"

#include "geom/mesh/trimesh.h"
#include "grid/grid.h"
#include "run/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rill_scene scene_of(rill_ctx *ctx, int dimensions, const char *const *more)
{
    const method_scene which = {&grid_method, dimensions, NULL, NULL};
    const char *set[8] = {dimensions == 2 ? "spacing=0.02" : "spacing=0.04"};
    int n = 1;
    while (*more) set[n++] = *more++;
    return method_scene_read(ctx, &which, set);
}

/* A column that falls apart in a closed box. */
static rill_scene dam(rill_ctx *ctx, int dimensions, const char *band)
{
    const char *const box[] = {"domain.open=[]", "emitters=[]", "drains=[]", "solids=[]",
                               "gauges=[]",      band,          NULL};
    return scene_of(ctx, dimensions, box);
}

typedef struct {
    size_t particles;
    double energy, volume, mesh;
    rill_vec3 middle; /* of the mesh's vertices */
} state_figures;

static state_figures run_dam(int dimensions, const char *band, double time)
{
    state_figures f = {0};
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene = dam(ctx, dimensions, band);
    rill_sim *sim = method_create(ctx, &scene);
    while (sim->time < time) {
        rill_step_stats stats = step_stats_none();
        const double dt = fmin(sim->method->max_dt(sim), time - sim->time + 1e-9);
        assert_ok(ctx, sim->method->step(sim, dt, &stats));
        sim->time += dt;
        sim->step++;
        f.energy = stats.kinetic + stats.potential;
        f.volume = stats.volume;
    }
    rill_view view = {0};
    sim_view(sim, &view);
    f.particles = view.particles->count;
    trimesh mesh = {0};
    trimesh_report report;
    assert_ok(ctx, sim->method->surface(sim, &mesh));
    assert_ok(ctx, trimesh_check(ctx, &mesh, &report));
    assert_true(report.open_edges == 0 && report.nonmanifold_edges == 0);
    f.mesh = report.volume;
    for (size_t i = 0; i < mesh.vertex_count; i++)
        f.middle = v3_add(f.middle, v3_scale(mesh.position[i], 1 / (double)mesh.vertex_count));
    trimesh_clear(ctx, &mesh);
    sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
    return f;
}

static void moves_as_with_particles_everywhere(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        const state_figures start = run_dam(dimensions, "grid.particle_band=0", 0),
                            all = run_dam(dimensions, "grid.particle_band=0", 0.25),
                            few = run_dam(dimensions, "grid.particle_band=3", 0.25);
        if (getenv("RILL_SHOW"))
            print_message("%d: %zu %zu particles, energy %g %g, mesh %g %g %g, apart %g\n", dimensions,
                          all.particles, few.particles, all.energy, few.energy, start.mesh, all.mesh,
                          few.mesh, v3_distance(few.middle, all.middle));
        assert_true(few.particles < (dimensions == 2 ? 0.6 : 0.9) * (double)all.particles);
        assert_true(fabs(few.energy / all.energy - 1) < 0.03);
        assert_true(fabs(few.mesh / start.mesh - 1) < 0.03);
        assert_true(v3_distance(few.middle, all.middle) < 0.02);
    }
}

static uint64_t hash_after(int dimensions, int threads, bool saved, const char *const *set)
{
    rill_ctx *ctx = test_ctx(threads);
    rill_scene scene = scene_of(ctx, dimensions, set);
    rill_sim *sim = method_create(ctx, &scene);
    method_steps(sim, 5);
    if (saved) { /* into one that knows nothing */
        rill_sim *other = method_create(ctx, &scene);
        snapshot kept;
        snapshot_init(&kept, ctx);
        assert_ok(ctx, sim_save(sim, &kept.writer));
        assert_ok(ctx, sim_load(other, sim->time, sim->step, &kept.reader));
        snapshot_clear(&kept);
        sim->method->destroy(sim);
        sim = other;
        assert_true(method_hash(sim) == method_hash(sim));
    }
    method_steps(sim, 5);
    const uint64_t hash = method_hash(sim);
    sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
    return hash;
}

static void threads_and_saving_change_nothing(void **state)
{
    (void)state;
    static const char *const ways[][3] = {{"grid.particle_band=3"},
                                          {"grid.particle_band=2", "grid.transfer=\"flip\""},
                                          {"grid.particle_band=2", "grid.reflection=true"}};
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (size_t k = 0; k < 3; k++)
            assert_true(hash_after(dimensions, 1, false, ways[k]) ==
                        hash_after(dimensions, 3, true, ways[k]));
}

static void failed_allocations(void **state)
{
    (void)state;
    for (uint64_t n = 1;; n += 1 + n / 8) {
        failing_allocator f = {0};
        rill_ctx *ctx = test_ctx_failing(1, &f);
        rill_scene scene = dam(ctx, 2, "grid.particle_band=3");
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

/* --- bad input --- */

static void scenes_without_liquid(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "liquid=[]", /* nothing at all */
        "solids=[{\"name\":\"all\",\"shape\":{\"box\":{\"min\":[-1,-1,-1],\"max\":[0.7,0.8,1]}}}]",
        "liquid=[{\"shape\":{\"box\":{\"min\":[3,3,3],\"max\":[4,4,4]}}}]"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        rill_ctx *ctx = test_ctx(1);
        const method_scene which = {&grid_method, 3, NULL, NULL};
        text t;
        method_scene_text(ctx, &which, &t);
        const char *const set[] = {"emitters=[]", bad[k]};
        const scene_changes changes = {.set = set, .set_count = 2};
        rill_scene scene = {0};
        rill_sim *sim = NULL;
        rill_status st =
            scene_parse(ctx, "bad", t.data, t.length, rill_methods, rill_method_count, &changes, &scene);
        if (!st) st = grid_method.create(ctx, &scene, &sim);
        assert_int_equal(st, RILL_BAD_SCENE);
        assert_non_null(strstr(rill_ctx_message(ctx), "liquid"));
        assert_null(sim);
        scene_clear(ctx, &scene);
        text_clear(&t);
        rill_ctx_destroy(ctx);
    }
}

/* More than the memory there is: told before starting, with a spacing that fits. */
static void too_fine(void **state)
{
    (void)state;
    for (int narrow = 0; narrow < 2; narrow++) {
        rill_ctx *ctx = test_ctx(1);
        rill_scene scene = dam(ctx, 3, narrow ? "grid.particle_band=3" : "grid.particle_band=0");
        scene.spacing = 0.004;
        const run_options options = {.out = "nowhere", .free_memory = 300000000};
        run_estimate e;
        assert_ok(ctx, run_estimate_make(ctx, &scene, &e));
        assert_int_equal(run_estimate_check(ctx, &scene, &e, &options), RILL_NO_MEMORY);
        const char *told = strstr(rill_ctx_message(ctx), "spacing ");
        assert_non_null(told);
        scene.spacing = strtod(told + strlen("spacing "), NULL);
        assert_true(scene.spacing > 0.004 && scene.spacing < 0.05);
        assert_ok(ctx, run_estimate_make(ctx, &scene, &e));
        assert_ok(ctx, run_estimate_check(ctx, &scene, &e, &options));
        scene_clear(ctx, &scene);
        rill_ctx_destroy(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_as_with_particles_everywhere),
        cmocka_unit_test(threads_and_saving_change_nothing),
        cmocka_unit_test(failed_allocations),
        cmocka_unit_test(scenes_without_liquid),
        cmocka_unit_test(too_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
