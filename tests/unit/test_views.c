/* Methods without particles, one with a surface and one without: the driver, the gauges and the library ask
 * the method, and the folders they leave are the same after every interruption. tests/robust/views.sh takes
 * the same methods through the commands. */
#include "fake.h"
#include "fake_cells.h"
#include "folders.h"
#include "support.h"

#include "flow/gauges.h"
#include "geom/mesh/trimesh.h"
#include "io/file.h"
#include "io/scene_file.h"
#include "run/driver.h"
#include "run/estimate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const rill_method *const methods[] = {&slosh_method, &breeze_method, NULL};

static const char scene_text[] =
    "{ \"rill\": 1, \"name\": \"sway\", \"method\": \"slosh\", \"spacing\": 0.1,\n"
    "  \"domain\": { \"min\": [0,0.5,0], \"max\": [1,1.5,0.4] },\n"
    "  \"time\": { \"frames\": 6, \"fps\": 25 },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0.5,0], \"max\": [1,1,0.4] } } } ],\n"
    "  \"tracers\": [ { \"shape\": { \"box\": { \"min\": [0.2,0.6,0.1], \"max\": [0.5,0.8,0.3] } }, "
    "\"count\": 50 } ],\n"
    "  \"gauges\": [ { \"name\": \"P\", \"pressure\": [0.3, 0.7, 0.2] }, { \"name\": \"H\", \"height\": "
    "[0.3, "
    "0.2] } ],\n"
    "  \"output\": { \"width\": 48, \"height\": 32, \"checkpoint\": 2, \"video\": false, \"cells\": true } "
    "}\n";

static rill_scene read_scene(rill_ctx *ctx, const char *method, const char *const *set)
{
    rill_scene scene = {0};
    scene_changes changes = {.method = method, .set = set};
    while (set && set[changes.set_count]) changes.set_count++;
    assert_ok(ctx,
              scene_parse(ctx, "sway.json", scene_text, strlen(scene_text), methods, 2, &changes, &scene));
    return scene;
}

static const char *const as_gas[] = {"liquid=[]", "gauges=[]", NULL};
static const struct kind {
    const char *method;
    const char *const *set;
    const char *files[4];
} kinds[] = {{"slosh", NULL, {"surface", "cells", "tracers", NULL}},
             {"breeze", as_gas, {"cells", "tracers", NULL}}};
#define FOR_EACH_KIND(k) for (const struct kind *k = kinds; k < kinds + 2; k++)

static rill_status start(rill_ctx *ctx, const struct kind *kind, const char *out)
{
    rill_scene scene = read_scene(ctx, kind->method, kind->set);
    const run_options options = {.out = out};
    run_result result;
    const rill_status st = run_start(ctx, &scene, &options, &result);
    if (!st) assert_true(result.elements > 0);
    scene_clear(ctx, &scene);
    return st;
}

static void same_file(rill_ctx *ctx, const char *a, const char *b, const char *name)
{
    char *path_a = path_join(ctx, a, name), *path_b = path_join(ctx, b, name), *data_a = NULL, *data_b = NULL;
    size_t na = 0, nb = 0;
    assert_ok(ctx, file_read_all(ctx, path_a, 1 << 30, &data_a, &na));
    assert_ok(ctx, file_read_all(ctx, path_b, 1 << 30, &data_b, &nb));
    if (na != nb || memcmp(data_a, data_b, na) != 0) fail_msg("%s differs between %s and %s", name, a, b);
    mem_free(ctx, path_a);
    mem_free(ctx, path_b);
    mem_free(ctx, data_a);
    mem_free(ctx, data_b);
}

static void same_run(rill_ctx *ctx, const struct kind *kind, const char *a, const char *b)
{
    char name[64];
    for (unsigned frame = 0; frame <= 6; frame++) {
        for (const char *const *file = kind->files; *file; file++) {
            snprintf(name, sizeof name, "frames/%s_%04u.ply", *file, frame);
            same_file(ctx, a, b, name);
        }
        snprintf(name, sizeof name, "images/%04u.png", frame);
        same_file(ctx, a, b, name);
    }
    if (!kind->set) same_file(ctx, a, b, "gauges.csv");
}

static void stopped_and_resumed(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    FOR_EACH_KIND(kind)
    {
        char whole[128], part[128];
        snprintf(whole, sizeof whole, "%s/whole_%s", own_folder, kind->method);
        snprintf(part, sizeof part, "%s/part_%s", own_folder, kind->method);
        assert_ok(ctx, start(ctx, kind, whole));
        fake_fault.cancel_at = 15; /* in frame 4 */
        assert_int_equal(start(ctx, kind, part), RILL_CANCELLED);
        fake_fault.cancel_at = 0;
        atomic_store(&ctx->cancelled, 0);
        run_result result;
        assert_ok(ctx, run_resume(ctx, part, 0, false, methods, 2, &result));
        assert_int_equal(result.frame, 6);
        same_run(ctx, kind, whole, part);
    }
    rill_ctx_destroy(ctx);
}

/* What is not finite, or too fast, is found by asking the method, and the frame is taken again. */
static void blow_ups_are_found(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (int way = 0; way < 3; way++) FOR_EACH_KIND(kind)
        {
            rill_scene scene = read_scene(ctx, kind->method, kind->set);
            rill_sim *sim = NULL;
            assert_ok(ctx, rill_sim_create(ctx, &scene, &sim));
            assert_true(sim->speed_limit > 100 && sim->speed_limit < 2000);
            fake_fault =
                (struct fake_fault){.fragile_from = 0.03, .fragile_to = 0.1, .fragile_dt = 0.007, .way = way};
            assert_ok(ctx, rill_sim_advance(sim, 0.2)); /* with half the step */
            assert_true(rill_sim_steps(sim) > 0.2 / 0.007);
            fake_fault.fragile_dt = 0;
            fake_fault.fragile_to = 9;
            assert_int_equal(rill_sim_advance(sim, 0.3), RILL_BLEW_UP);
            static const char *const says[] = {"is not finite any more", "moves at 1e+06 m/s",
                                               "the fake says so"};
            if (!strstr(rill_ctx_message(ctx), says[way])) fail_msg("%s", rill_ctx_message(ctx));
            assert_true(rill_sim_time(sim) == 0.2);
            fake_fault = (struct fake_fault){0};
            rill_sim_destroy(sim);
            scene_clear(ctx, &scene);
        }
    rill_ctx_destroy(ctx);
}

/* The height of the mesh on a vertical line against the formula: second order in the spacing. */
static void heights_come_from_the_surface(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    double error[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        const char *const set[] = {k ? "spacing=0.05" : "spacing=0.1", NULL};
        rill_scene scene = read_scene(ctx, "slosh", set);
        rill_sim *sim = NULL;
        assert_ok(ctx, rill_sim_create(ctx, &scene, &sim));
        for (int step = 0; step < 20; step++) {
            double value[2];
            assert_ok(ctx, rill_sim_step(sim, INFINITY, NULL));
            assert_ok(ctx, gauges_read(sim, value));
            error[k] = fmax(error[k], fabs(value[1] - slosh_height(sim, 0.3)));
            assert_true(fabs(value[0] - 1000 * 9.81 * (slosh_height(sim, 0.3) - 0.2)) < 1e-6);
        }
        rill_sim_destroy(sim);
        scene_clear(ctx, &scene);
    }
    assert_true(error[0] < 1e-3 && (error[1] < error[0] / 3 || error[1] < 1e-12));
    rill_ctx_destroy(ctx);
}

static void heights_in_two_dimensions(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const char *const set[] = {"dimensions=2",
                               "domain.min=[0,0]",
                               "domain.max=[1,1]",
                               "liquid=[{\"shape\":{\"box\":{\"min\":[0,0],\"max\":[1,0.5]}}}]",
                               "tracers=[]",
                               "gauges=[{\"name\":\"H\",\"height\":[0.31]}]",
                               NULL};
    rill_scene scene = read_scene(ctx, "slosh", set);
    rill_sim *sim = NULL;
    double value = 0;
    assert_ok(ctx, rill_sim_create(ctx, &scene, &sim));
    assert_ok(ctx, gauges_read(sim, &value));
    assert_true(fabs(value - slosh_height(sim, 0.31)) < 1e-3);
    rill_sim_destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

static void the_library_shows_them(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    FOR_EACH_KIND(kind)
    {
        const bool liquid = !kind->set;
        rill_scene scene = read_scene(ctx, kind->method, kind->set);
        rill_sim *sim = NULL;
        assert_ok(ctx, rill_sim_create(ctx, &scene, &sim));
        assert_ok(ctx, rill_sim_advance(sim, 0.1));
        rill_particles p = {.count = 7}, smoke = {0};
        rill_sim_view(sim, &p);
        rill_sim_tracers(sim, &smoke);
        assert_true(p.count == 0 && smoke.count == 50 && smoke.position);
        assert_null(rill_sim_column(sim, "pressure"));

        rill_cells *cells = NULL;
        assert_ok(ctx, rill_sim_cells(sim, &cells));
        assert_true(cells->count == rill_sim_elements(sim) && cells->column_count == 1);
        assert_string_equal(cells->column_name[0], "pressure");
        double p0;
        rill_vec3 u0;
        assert_ok(ctx, rill_sim_velocity(sim, 1, &cells->site[3], &u0));
        assert_true(v3_distance(u0, cells->velocity[3]) == 0);
        assert_ok(ctx, rill_sim_pressure(sim, 1, &cells->site[3], &p0));
        assert_true((float)p0 == cells->column[0][3]);
        rill_cells_destroy(cells);

        rill_mesh *mesh = NULL;
        assert_int_equal(rill_sim_surface(sim, &mesh), liquid ? RILL_OK : RILL_USAGE);
        if (liquid) {
            const trimesh t = {.vertex_count = mesh->vertex_count,
                               .triangle_count = mesh->triangle_count,
                               .position = (rill_vec3 *)mesh->position,
                               .triangle = (uint32_t(*)[3])mesh->triangle};
            trimesh_report report;
            assert_ok(ctx, trimesh_check(ctx, &t, &report));
            assert_true(report.open_edges == 0 && report.misoriented_edges == 0);
            assert_true(fabs(report.volume - 0.5 * 0.4) < 1e-9); /* as much goes up as down */
        }
        rill_mesh_destroy(mesh);
        rill_sim_destroy(sim);
        scene_clear(ctx, &scene);
    }
    rill_cells_destroy(NULL);
    rill_ctx_destroy(ctx);
}

static void estimates_count_cells(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    FOR_EACH_KIND(kind)
    {
        rill_scene scene = read_scene(ctx, kind->method, kind->set);
        run_estimate e;
        assert_ok(ctx, run_estimate_make(ctx, &scene, &e));
        assert_true(e.elements == 10 * 10 * 4 && e.emitted == 0);
        const run_options options = {.out = own_folder, .free_memory = 1000000};
        assert_int_equal(run_estimate_check(ctx, &scene, &e, &options), RILL_NO_MEMORY);
        assert_non_null(strstr(rill_ctx_message(ctx), "400 cells need"));
        scene_clear(ctx, &scene);
    }
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stopped_and_resumed),           cmocka_unit_test(blow_ups_are_found),
        cmocka_unit_test(heights_come_from_the_surface), cmocka_unit_test(heights_in_two_dimensions),
        cmocka_unit_test(the_library_shows_them),        cmocka_unit_test(estimates_count_cells),
    };
    return cmocka_run_group_tests_name("views", tests, own_folder_make, own_folder_remove);
}
