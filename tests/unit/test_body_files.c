/* What a run tells about its bodies: bodies.csv, the poses of every frame, pictures from them, plots, the
 * library. The fake method carries half of every body, so that they fall at g / 2. */
#include "fake.h"
#include "folders.h"
#include "support.h"

#include "flow/body_poses.h"
#include "io/file.h"
#include "io/scene_file.h"
#include "io/table.h"
#include "run/driver.h"
#include "run/figure.h"
#include "run/frames.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static rill_method able; /* the fake method, with bodies */

static const char scene_text[] =
    "{ \"rill\": 1, \"name\": \"bodies\", \"method\": \"fake\", \"spacing\": 0.1,\n"
    "  \"domain\": { \"min\": [0,0,0], \"max\": [2,2,2] }, \"gravity\": [0,-10,0],\n"
    "  \"time\": { \"frames\": 8, \"fps\": 25 },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.5,0.5,0.5] } } } ],\n"
    "  \"solids\": [\n"
    "    { \"name\": \"post\", \"shape\": { \"box\": { \"min\": [1.7,0,1.7], \"max\": [1.9,0.2,1.9] } } },\n"
    "    { \"name\": \"crate, \\\"red\\\"\", \"shape\": { \"box\": { \"min\": [-0.1,-0.15,-0.2], \"max\": "
    "[0.1,0.15,0.2] } },\n"
    "      \"transform\": { \"translate\": [1.2,1.4,0.6], \"rotate\": [0,0,30], \"scale\": 1.5 },\n"
    "      \"body\": { \"density\": 400, \"spin\": [1,2,3], \"velocity\": [0.5,0,0] } },\n"
    "    { \"name\": \"ball\", \"shape\": { \"sphere\": { \"center\": [0.4,0.3,1.5], \"radius\": 0.2 } },\n"
    "      \"body\": { \"density\": 400 }, \"contact\": { \"restitution\": 0.5 } } ],\n"
    "  \"output\": { \"width\": 96, \"height\": 72, \"checkpoint\": 2, \"video\": false } }\n";

static const rill_method *const *methods_able(void)
{
    static const rill_method *const methods[] = {&able, NULL};
    able = fake_method;
    able.can |= CAN_BODIES;
    return methods;
}

static rill_scene read_scene(rill_ctx *ctx)
{
    rill_scene scene = {0};
    assert_ok(ctx, scene_parse(ctx, "bodies.json", scene_text, strlen(scene_text), methods_able(), 1, NULL,
                               &scene));
    return scene;
}

static void start(rill_ctx *ctx, const char *out)
{
    rill_scene scene = read_scene(ctx);
    const run_options options = {.out = out};
    run_result result;
    assert_ok(ctx, run_start(ctx, &scene, &options, &result));
    scene_clear(ctx, &scene);
}

static const char *reference(void)
{
    static char path[128];
    if (!path[0]) {
        snprintf(path, sizeof path, "%s", in_own_folder("reference"));
        rill_ctx *ctx = test_ctx(2);
        start(ctx, path);
        rill_ctx_destroy(ctx);
    }
    return path;
}

static char *read_file(rill_ctx *ctx, const char *folder, const char *name, size_t *n)
{
    char *path = path_join(ctx, folder, name), *data = NULL;
    assert_ok(ctx, file_read_all(ctx, path, 1 << 30, &data, n));
    mem_free(ctx, path);
    return data;
}

static void same_file(rill_ctx *ctx, const char *a, const char *b, const char *name)
{
    size_t na, nb;
    char *ta = read_file(ctx, a, name, &na), *tb = read_file(ctx, b, name, &nb);
    if (na != nb || memcmp(ta, tb, na) != 0) fail_msg("%s differs between %s and %s", name, a, b);
    mem_free(ctx, ta);
    mem_free(ctx, tb);
}

/* A row per body and step; the crate falls freely with half its weight taken off. */
static void the_table_is_right(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    size_t n;
    table stats = {0}, t = {0};
    char *all = read_file(ctx, reference(), "bodies.csv", &n),
         *path = path_join(ctx, reference(), "bodies.csv"),
         *lines = path_join(ctx, reference(), "stats.jsonl");
    assert_memory_equal(all, "t,body,x,y,z,qw,", 16);
    assert_non_null(strstr(all, ",\"crate, \"\"red\"\"\"\n"));
    assert_ok(ctx, table_read_csv(ctx, path, &t));
    assert_ok(ctx, table_read_jsonl(ctx, lines, &stats));
    assert_int_equal(t.damaged, 0);
    assert_int_equal(t.rows, 2 * stats.rows);
    const double *body = table_find(&t, "body"), *time = table_find(&t, "t"), *x = table_find(&t, "x"),
                 *vy = table_find(&t, "vy"), *fy = table_find(&t, "fy"), *fx = table_find(&t, "fx"),
                 *step = table_find(&stats, "t");
    const double mass = 400 * 0.2 * 0.3 * 0.4 * pow(1.5, 3);
    for (size_t i = 0; i < t.rows; i++) {
        assert_true(body[i] == (double)(i % 2) && time[i] == step[i / 2]);
        if (i % 2 || time[i] > 0.2) continue;
        assert_true(fabs(vy[i] + 5 * time[i]) < 1e-9);
        assert_true(fabs(x[i] - 1.2 - 0.5 * time[i]) < 1e-9);
        assert_true(fabs(fy[i] - 5 * mass) < 1e-6 * mass && fx[i] == 0);
    }
    table_clear(&t);
    table_clear(&stats);
    mem_free(ctx, all);
    mem_free(ctx, path);
    mem_free(ctx, lines);
    rill_ctx_destroy(ctx);
}

/* Killed at any step, with another number of threads, and resumed: the same files. */
static void killed_and_resumed(void **state)
{
    (void)state;
    static const uint64_t at[] = {3, 17, 29};
    for (int k = 0; k < 3; k++) {
        char name[32];
        snprintf(name, sizeof name, "killed%d", k);
        const char *out = in_own_folder(name);
        const pid_t child = fork();
        if (child == 0) {
            rill_ctx *ctx = test_ctx(1);
            fake_fault.kill_at = at[k];
            start(ctx, out);
            _exit(0);
        }
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        rill_ctx *ctx = test_ctx(1 + k);
        run_result result;
        assert_ok(ctx, run_resume(ctx, out, 0, false, methods_able(), 1, &result));
        same_file(ctx, reference(), out, "bodies.csv");
        for (int f = 0; f <= 8; f++) {
            char file[64];
            snprintf(file, sizeof file, "frames/bodies_%04d.ply", f);
            same_file(ctx, reference(), out, file);
            snprintf(file, sizeof file, "images/%04d.png", f);
            same_file(ctx, reference(), out, file);
        }
        rill_ctx_destroy(ctx);
    }
}

/* A file shorter than the checkpoint says, or missing, is found: the run begins again. */
static void a_short_table_is_found(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const char *out = in_own_folder("short");
    start(ctx, out);
    char *path = path_join(ctx, out, "bodies.csv");
    assert_int_equal(truncate(path, 100), 0);
    run_result result;
    assert_ok(ctx, run_resume(ctx, out, 0, false, methods_able(), 1, &result));
    same_file(ctx, reference(), out, "bodies.csv");
    mem_free(ctx, path);
    rill_ctx_destroy(ctx);
}

/* A frame's file puts the solids where the simulation had them, and its picture is the one of the run. */
static void frames_hold_the_poses(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = read_scene(ctx);
    rill_sim *sim = NULL;
    frame_data d;
    solids walls;
    assert_ok(ctx, sim_start(ctx, &scene, &sim));
    double dt;
    rill_step_stats stats;
    for (int f = 1; f <= 8; f++)
        while (sim->time < f / 25.0) assert_ok(ctx, run_step(sim, 1, f / 25.0, &dt, &stats));
    assert_ok(ctx, frame_read(ctx, reference(), &scene, 8, &d));
    assert_true(frame_has(&d, FRAME_BODIES) && d.points[FRAME_BODIES].count == 2);
    assert_int_equal(d.points[FRAME_BODIES].id[1], 2);
    assert_ok(ctx, solids_create(ctx, &scene, &walls));
    solids_follow(&walls, d.rides);
    assert_ok(ctx, solids_prepare(ctx, &walls, d.time, 0));
    for (int k = 0; k < 500; k++) {
        const rill_vec3 x = {0.04 * (k % 50), 0.13 * (k % 15), 0.019 * (k % 100)};
        solid_contact a, b;
        const double p = solids_distance(&walls, x, d.time, &a),
                     q = solids_distance(&sim->solids, x, sim->time, &b);
        assert_true(fabs(p - q) < 1e-5 && a.solid == b.solid);
    }
    const render_def def = render_def_of_scene(&scene);
    image again = {0};
    assert_ok(ctx, frame_draw(ctx, reference(), &scene, &def, 8, &again));
    const char *path = in_own_folder("again.png");
    assert_ok(ctx, image_write_png(ctx, path, &again));
    char *one = NULL, *other = NULL;
    size_t n, m;
    assert_ok(ctx, file_read_all(ctx, path, 1 << 20, &one, &n));
    other = read_file(ctx, reference(), "images/0008.png", &m);
    assert_true(n > m / 2 && n < 2 * m); /* poses in the file are floats: pixels at edges may differ */
    mem_free(ctx, one);
    mem_free(ctx, other);
    image_clear(ctx, &again);
    solids_clear(ctx, &walls);
    frame_data_clear(ctx, &d);
    sim->method->destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* Poses that make no sense are left out. */
static void bad_poses_are_left_out(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = read_scene(ctx);
    frame_data d;
    struct solid_ride *rides = NULL;
    assert_ok(ctx, frame_read(ctx, reference(), &scene, 3, &d));
    particles *p = &d.points[FRAME_BODIES];
    p->id[0] = 77;
    particles_column(p, "qw")[1] = 5;
    assert_ok(ctx, body_poses_rides(ctx, &scene, p, &rides));
    for (int k = 0; k < 3; k++) assert_false(rides[k].riding);
    mem_free(ctx, rides);
    snprintf(p->column[2].name, PARTICLE_NAME, "other");
    assert_ok(ctx, body_poses_rides(ctx, &scene, p, &rides));
    assert_false(rides[2].riding);
    mem_free(ctx, rides);
    frame_data_clear(ctx, &d);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* Turned up, a point of the shape is where the turned world has it. */
static void poses_turn_up(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = read_scene(ctx);
    frame_data d;
    struct solid_ride *before = NULL, *after = NULL;
    assert_ok(ctx, frame_read(ctx, reference(), &scene, 5, &d));
    particles *p = &d.points[FRAME_BODIES];
    assert_ok(ctx, body_poses_rides(ctx, &scene, p, &before));
    for (size_t i = 0; i < p->count; i++)
        p->position[i] = v3(p->position[i].x, -p->position[i].z, p->position[i].y);
    body_poses_turn_up(p);
    assert_ok(ctx, body_poses_rides(ctx, &scene, p, &after));
    const rill_vec3 local = {0.3, -0.7, 0.2}, a = solid_to_world(&before[1].pose, local),
                    b = solid_to_world(&after[1].pose, local);
    assert_true(v3_distance(b, v3(a.x, -a.z, a.y)) < 1e-6);
    mem_free(ctx, before);
    mem_free(ctx, after);
    frame_data_clear(ctx, &d);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* A panel of the path of every body, and one of its force. */
static void paths_are_plotted(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = read_scene(ctx);
    run_tables t;
    plot_def def = {0};
    rill_arena arena;
    arena_init(&arena, ctx);
    assert_ok(ctx, run_tables_read(ctx, reference(), "", &t));
    t.scene = &scene;
    assert_ok(ctx, figure_build(&arena, 1, &t, 0, NULL, &def));
    int found = 0;
    for (uint32_t k = 0; k < def.panel_count; k++) {
        if (strcmp(def.panel[k].title, "ball: place, m") != 0) continue;
        found++;
        assert_int_equal(def.panel[k].series_count, 3);
        const plot_series *y = &def.panel[k].series[1];
        assert_true(y->count * 2 == t.bodies.rows && fabs(y->y[0] - 0.3) < 1e-9 && y->y[y->count - 1] < 0.25);
    }
    assert_int_equal(found, 1);
    run_tables_clear(&t);
    arena_clear(&arena);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* The library: poses and velocities; a force of the host that holds a body up. */
static void a_host_sees_and_pushes_bodies(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = read_scene(ctx);
    rill_sim *sim = NULL;
    rill_body_pose pose, before;
    rill_vec3 v, w, f;
    assert_ok(ctx, rill_sim_create(ctx, &scene, &sim));
    assert_int_equal(rill_sim_body_count(sim), 2);
    assert_int_equal(rill_sim_body_count(NULL), 0);
    assert_string_equal(rill_sim_body_name(sim, 1), "ball");
    assert_null(rill_sim_body_name(sim, 2));
    assert_int_equal(rill_sim_body_pose(sim, 2, &pose), RILL_USAGE);
    assert_int_equal(rill_sim_body_pose(sim, 0, NULL), RILL_USAGE);
    assert_int_equal(rill_sim_body_pose(NULL, 0, &pose), RILL_USAGE);
    assert_int_equal(rill_sim_body_apply(sim, 0, v3(NAN, 0, 0), v3(0, 0, 0)), RILL_USAGE);
    assert_ok(ctx, rill_sim_body_pose(sim, 0, &before));
    assert_true(before.position.y == 1.4 && before.scale == 1.5);
    assert_true(fabs(before.rotation[0] - cos(3.14159265358979 / 12)) < 1e-12 && before.rotation[3] > 0.25);
    const double mass = 400 * 4.0 / 3 * 3.14159265358979323846 * 0.008;
    assert_ok(ctx, rill_sim_body_apply(sim, 1, v3(2 * mass, 5 * mass, 0), v3(0, 0, 0))); /* the other half */
    assert_ok(ctx, rill_sim_advance(sim, 0.2));
    assert_ok(ctx, rill_sim_body_velocity(sim, 1, &v, &w));
    assert_true(fabs(v.y) < 1e-6 && fabs(v.x - 0.4) < 1e-6 && v3_length(w) < 1);
    assert_ok(ctx, rill_sim_body_force(sim, 1, &f, NULL));
    assert_true(fabs(f.y - 5 * mass) < 1e-6 && f.x == 0); /* the fluid's alone */
    assert_ok(ctx, rill_sim_body_apply(sim, 1, v3(0, 0, 0), v3(0, 0, 0)));
    assert_ok(ctx, rill_sim_advance(sim, 0.24));
    assert_ok(ctx, rill_sim_body_velocity(sim, 1, &v, NULL));
    assert_true(fabs(v.y + 0.2) < 1e-6 && fabs(v.x - 0.4) < 1e-6);
    assert_ok(ctx, rill_sim_body_pose(sim, 0, &pose));
    assert_true(v3_distance(pose.position, before.position) > 0.1);
    rill_sim_destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_right),     cmocka_unit_test(killed_and_resumed),
        cmocka_unit_test(a_short_table_is_found), cmocka_unit_test(frames_hold_the_poses),
        cmocka_unit_test(bad_poses_are_left_out), cmocka_unit_test(poses_turn_up),
        cmocka_unit_test(paths_are_plotted),      cmocka_unit_test(a_host_sees_and_pushes_bodies),
    };
    return cmocka_run_group_tests(tests, own_folder_make, own_folder_remove);
}
