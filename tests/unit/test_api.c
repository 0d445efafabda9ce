/* The public interface as a host uses it, against the driver's run folder, against
 * itself saved and loaded, and when things fail: a simulation that blows up, a request
 * to stop, failing allocations, two contexts in two threads. */
#include "fake.h"
#include "folders.h"
#include "support.h"

#include "io/ply.h"
#include "io/scene_file.h"
#include "run/driver.h"
#include "run/registry.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char drop_text[] =
    "{ \"rill\": 1, \"name\": \"drop\", \"method\": \"sph\", \"spacing\": 0.1,\n"
    "  \"domain\": { \"min\": [0,0,0], \"max\": [1,1,0.6] }, \"time\": { \"frames\": 3, \"fps\": 50 },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.5,0.5,0.6] } } } ],\n"
    "  \"emitters\": [ { \"shape\": { \"disc\": { \"center\": [0.7,0.8,0.3], \"normal\": [0,-1,0],\n"
    "                  \"radius\": 0.2 } }, \"speed\": 3, \"start\": 0.01, \"end\": 9 } ],\n"
    "  \"output\": { \"images\": false, \"checkpoint\": 1 } }\n";

typedef struct {
    char text[128];
} path_text;

static path_text path_of(const char *name)
{
    path_text p;
    snprintf(p.text, sizeof p.text, "%s/%s", own_folder, name);
    return p;
}

static rill_scene *parse(rill_ctx *ctx, const char *json)
{
    rill_scene *scene = NULL;
    assert_ok(ctx, rill_scene_parse(ctx, "drop.json", json, strlen(json), &scene));
    return scene;
}

static rill_sim *create(rill_ctx *ctx, const rill_scene *scene)
{
    rill_sim *sim = NULL;
    assert_ok(ctx, rill_sim_create(ctx, scene, &sim));
    return sim;
}

/* A state that can be compared: time, steps and particles in the order of their ids. */
typedef struct {
    double time;
    uint64_t steps;
    size_t count;
    rill_vec3 position[4000], velocity[4000];
} state_copy;

static state_copy *copy_state(const rill_sim *sim)
{
    rill_particles p;
    rill_sim_view(sim, &p);
    state_copy *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->time = rill_sim_time(sim);
    c->steps = rill_sim_steps(sim);
    c->count = p.count;
    for (size_t i = 0; i < p.count; i++) {
        assert_true(p.id[i] < 4000);
        c->position[p.id[i]] = p.position[i];
        c->velocity[p.id[i]] = p.velocity[i];
    }
    return c;
}

static void assert_state(const rill_sim *sim, const state_copy *expected)
{
    state_copy *now = copy_state(sim);
    assert_memory_equal(now, expected, sizeof *now);
    free(now);
}

/* ---- scenes ---- */

static void scenes_answer(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene *scene = parse(ctx, drop_text);
    assert_string_equal(rill_scene_name(scene), "drop");
    assert_string_equal(rill_scene_method(scene), "sph");
    assert_int_equal(rill_scene_dimensions(scene), 3);
    assert_int_equal(rill_scene_frames(scene), 3);
    assert_true(rill_scene_fps(scene) == 50 && rill_scene_spacing(scene) == 0.1);
    assert_true(rill_scene_domain(scene).max.z == 0.6 && rill_scene_domain(scene).min.x == 0);

    size_t length = 0, again = 0;
    assert_ok(ctx, rill_scene_print(scene, NULL, 0, &length));
    char *whole = malloc(length + 1), part[10];
    assert_non_null(whole);
    assert_ok(ctx, rill_scene_print(scene, whole, length + 1, NULL));
    assert_int_equal(strlen(whole), length);
    assert_ok(ctx, rill_scene_print(scene, part, sizeof part, &again));
    assert_true(again == length && strlen(part) == 9 && strncmp(part, whole, 9) == 0);
    rill_scene *same = parse(ctx, whole);
    assert_true(same->hash == scene->hash);

    const path_text path = path_of("printed.json");
    FILE *f = fopen(path.text, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(whole, 1, length, f), length);
    fclose(f);
    rill_scene *read = NULL;
    assert_ok(ctx, rill_scene_read(ctx, path.text, &read));
    assert_true(read->hash == scene->hash);
    rill_scene_destroy(read);
    rill_scene_destroy(same);
    rill_scene_destroy(scene);
    rill_scene_destroy(NULL);
    free(whole);
    rill_ctx_destroy(ctx);
}

static void wrong_calls_are_answered(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene *scene = NULL;
    rill_sim *sim = NULL;
    assert_int_equal(rill_scene_read(ctx, path_of("nothing.json").text, &scene), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "nothing.json"));
    assert_int_equal(rill_scene_parse(ctx, "here", "{ \"rill\": 1, \"spacng\": 1 }", 26, &scene),
                     RILL_BAD_SCENE);
    assert_non_null(strstr(rill_ctx_message(ctx), "here:1:14"));
    assert_non_null(strstr(rill_ctx_message(ctx), "did you mean \"spacing\""));
    assert_int_equal(rill_scene_read(NULL, "x", &scene), RILL_USAGE);
    assert_int_equal(rill_scene_read(ctx, NULL, &scene), RILL_USAGE);
    assert_int_equal(rill_scene_parse(ctx, "x", NULL, 0, &scene), RILL_USAGE);
    assert_int_equal(rill_sim_create(ctx, NULL, &sim), RILL_USAGE);
    assert_int_equal(rill_sim_advance(NULL, 1), RILL_USAGE);
    assert_int_equal(rill_sim_step(NULL, 1, NULL), RILL_USAGE);
    assert_null(scene);
    assert_null(sim);

    scene = parse(ctx, drop_text);
    sim = create(ctx, scene);
    const double bad[] = {0, -1, NAN, -INFINITY};
    double taken = 5;
    for (size_t i = 0; i < 4; i++) assert_int_equal(rill_sim_step(sim, bad[i], &taken), RILL_USAGE);
    assert_true(taken == 5);
    assert_int_equal(rill_sim_advance(sim, -1), RILL_USAGE);
    assert_int_equal(rill_sim_advance(sim, INFINITY), RILL_USAGE);
    assert_ok(ctx, rill_sim_advance(sim, 0)); /* nothing to do */
    assert_int_equal(rill_sim_steps(sim), 0);
    char *buffer = NULL;
    assert_int_equal(rill_scene_print(scene, buffer, 3, NULL), RILL_USAGE);
    assert_int_equal(rill_sim_velocity(sim, 2, NULL, NULL), RILL_USAGE);
    assert_int_equal(rill_sim_surface(sim, NULL), RILL_USAGE);
    assert_int_equal(rill_sim_save(sim, path_of("no/such/folder").text), RILL_DISK);
    assert_int_equal(rill_sim_load(sim, path_of("nothing").text), RILL_BAD_FILE);
    for (int s = 0; s < 140; s++) assert_true(strlen(rill_status_text((rill_status)s)) > 3);
    assert_string_equal(rill_version(), RILL_VERSION);
    rill_sim_destroy(sim);
    rill_sim_destroy(NULL);
    rill_mesh_destroy(NULL);
    rill_scene_destroy(scene);
    rill_ctx_destroy(ctx);
}

/* ---- time ---- */

/* From frame to frame: the bits of a run folder, and its checkpoints can be loaded. */
static void compare_with_run(const char *json, unsigned preroll)
{
    rill_ctx *ctx = test_ctx(2);
    rill_scene *scene = parse(ctx, json);
    const path_text out = path_of("run");
    const run_options options = {.out = out.text, .force = true};
    run_result result;
    assert_ok(ctx, run_start(ctx, scene, &options, &result));

    rill_sim *sim = create(ctx, scene), *loaded = create(ctx, scene);
    for (unsigned k = 0; k <= 3; k++) {
        assert_ok(ctx, rill_sim_advance(sim, k / rill_scene_fps(scene)));
        char name[64];
        snprintf(name, sizeof name, "run/frames/particles_%04u.ply", k);
        particles p = {0};
        ply_header header;
        assert_ok(ctx, ply_read_particles(ctx, path_of(name).text, &p, &header));
        rill_particles now;
        rill_sim_view(sim, &now);
        assert_true(header.time == rill_sim_time(sim));
        assert_int_equal(p.count, now.count);
        assert_memory_equal(p.position, now.position, p.count * sizeof *p.position);
        assert_memory_equal(p.id, now.id, p.count * sizeof *p.id);
        const float *density = rill_sim_column(sim, "density");
        assert_memory_equal(particles_column(&p, "density"), density, p.count * sizeof *density);
        particles_clear(ctx, &p);
    }
    assert_int_equal(rill_sim_steps(sim), result.step);
    char name[64];
    snprintf(name, sizeof name, "run/checkpoints/%04u.rill", preroll + 2);
    assert_ok(ctx, rill_sim_load(loaded, path_of(name).text));
    assert_ok(ctx, rill_sim_advance(loaded, 3 / rill_scene_fps(scene)));
    state_copy *expected = copy_state(sim);
    assert_state(loaded, expected);
    free(expected);
    rill_sim_destroy(loaded);
    rill_sim_destroy(sim);
    rill_scene_destroy(scene);
    rill_ctx_destroy(ctx);
}

static void the_same_as_a_run(void **state)
{
    (void)state;
    compare_with_run(drop_text, 0);
}

static void the_same_as_a_run_with_preroll(void **state)
{
    (void)state;
    static const char plain[] = "\"fps\": 50", with[] = "\"fps\": 50, \"preroll\": 0.05";
    char json[sizeof drop_text + sizeof with];
    const char *at = strstr(drop_text, plain);
    snprintf(json, sizeof json, "%.*s%s%s", (int)(at - drop_text), drop_text, with, at + sizeof plain - 1);
    compare_with_run(json, 3); /* two frames and a half */
}

static void steps_add_up(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene *scene = parse(ctx, drop_text);
    rill_sim *sim = create(ctx, scene);
    double most = 0, taken = 0, sum = 0;
    assert_ok(ctx, rill_sim_step(sim, INFINITY, &most));
    assert_true(most > 0 && most < 0.1 && rill_sim_time(sim) == most);
    sum = most;
    for (int i = 0; i < 5; i++) {
        assert_ok(ctx, rill_sim_step(sim, most / 3, &taken));
        assert_true(taken > 0 && taken <= most / 3 * (1 + 1e-12));
        sum += taken;
    }
    assert_true(fabs(rill_sim_time(sim) - sum) < 1e-15);
    assert_int_equal(rill_sim_steps(sim), 6);
    assert_ok(ctx, rill_sim_step(sim, 1e-3, NULL));
    assert_ok(ctx, rill_sim_advance(sim, 0.0375));
    assert_true(rill_sim_time(sim) == 0.0375);
    rill_sim_destroy(sim);
    rill_scene_destroy(scene);
    rill_ctx_destroy(ctx);
}

static void saved_and_loaded(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene *scene = parse(ctx, drop_text);
    rill_sim *sim = create(ctx, scene), *other = create(ctx, scene);
    const path_text path = path_of("state.rill");
    assert_ok(ctx, rill_sim_advance(sim, 0.0333));
    assert_ok(ctx, rill_sim_save(sim, path.text));
    state_copy *half = copy_state(sim);
    assert_ok(ctx, rill_sim_load(other, path.text));
    assert_state(other, half);
    assert_ok(ctx, rill_sim_advance(sim, 0.05));
    assert_ok(ctx, rill_sim_advance(other, 0.05));
    state_copy *end = copy_state(sim);
    assert_state(other, end);

    /* Not into another scene, and not when it is damaged; the state stays. */
    char changed[sizeof drop_text];
    memcpy(changed, drop_text, sizeof changed);
    memcpy(strstr(changed, "\"speed\": 3"), "\"speed\": 4", 10);
    rill_scene *scene2 = parse(ctx, changed);
    rill_sim *sim2 = create(ctx, scene2);
    state_copy *start = copy_state(sim2);
    assert_int_equal(rill_sim_load(sim2, path.text), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "another scene"));
    assert_state(sim2, start);
    FILE *f = fopen(path.text, "r+b");
    assert_non_null(f);
    fseek(f, 400, SEEK_SET);
    fputs("damage", f);
    fclose(f);
    assert_int_equal(rill_sim_load(sim, path.text), RILL_BAD_FILE);
    assert_state(sim, end);
    free(start);
    free(half);
    free(end);
    rill_sim_destroy(sim2);
    rill_scene_destroy(scene2);
    rill_sim_destroy(other);
    rill_sim_destroy(sim);
    rill_scene_destroy(scene);
    rill_ctx_destroy(ctx);
}

/* ---- looking ---- */

static void views_and_surfaces(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene *scene = parse(ctx, drop_text);
    rill_sim *sim = create(ctx, scene);
    assert_ok(ctx, rill_sim_advance(sim, 0.02));
    rill_particles p;
    rill_sim_view(sim, &p);
    assert_true(p.count >= 5 * 5 * 6 && p.column_count >= 2);
    for (uint32_t c = 0; c < p.column_count; c++) {
        assert_non_null(rill_sim_column_name(sim, c));
        assert_non_null(rill_sim_column(sim, rill_sim_column_name(sim, c)));
    }
    assert_null(rill_sim_column_name(sim, p.column_count));
    assert_null(rill_sim_column(sim, "taste"));

    const rill_vec3 point[3] = {{0.25, 0.15, 0.3}, {0.95, 0.95, 0.05}, {50, 50, 50}};
    rill_vec3 u[3];
    double pressure[3];
    assert_ok(ctx, rill_sim_velocity(sim, 3, point, u));
    assert_ok(ctx, rill_sim_pressure(sim, 3, point, pressure));
    assert_true(u[0].y < 0 && fabs(u[0].y) < 1); /* the block has begun to fall */
    assert_true(pressure[0] > 0 && pressure[1] == 0 && u[1].y == 0 && u[2].x == 0);
    assert_int_equal(rill_sim_velocity(sim, 0, NULL, NULL), RILL_OK);

    rill_mesh *mesh = NULL;
    assert_ok(ctx, rill_sim_surface(sim, &mesh));
    assert_non_null(mesh->normal);
    assert_non_null(mesh->velocity);
    double volume = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *c = mesh->triangle[t];
        assert_true(c[0] < mesh->vertex_count && c[1] < mesh->vertex_count && c[2] < mesh->vertex_count);
        volume += v3_dot(mesh->position[c[0]], v3_cross(mesh->position[c[1]], mesh->position[c[2]])) / 6;
    }
    assert_true(volume > 0.8 * 0.15 && volume < 1.2 * 0.15); /* the block's */
    const rill_vec3 first = mesh->position[0];
    assert_ok(ctx, rill_sim_advance(sim, 0.03)); /* the mesh is the host's */
    assert_true(memcmp(&mesh->position[0], &first, sizeof first) == 0);
    rill_sim_destroy(sim);
    rill_mesh_destroy(mesh);
    rill_scene_destroy(scene);
    rill_ctx_destroy(ctx);
}

/* ---- when it goes wrong ---- */

static rill_scene fake_scene(rill_ctx *ctx)
{
    static const rill_method *const methods[] = {&fake_method, NULL};
    static const char json[] = "{ \"rill\": 1, \"method\": \"fake\", \"spacing\": 0.1,\n"
                               "  \"domain\": { \"min\": [0,0,0], \"max\": [1,1,1] },\n"
                               "  \"liquid\": [ { \"shape\": { \"sphere\": { \"center\": [0.5,0.5,0.5], "
                               "\"radius\": 0.3 } } } ] }";
    rill_scene scene = {0};
    assert_ok(ctx, scene_parse(ctx, "fake", json, strlen(json), methods, 1, NULL, &scene));
    return scene;
}

static void blow_ups(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = fake_scene(ctx);
    rill_sim *sim = create(ctx, &scene);
    const path_text path = path_of("before.rill");
    assert_ok(ctx, rill_sim_advance(sim, 0.1));
    assert_ok(ctx, rill_sim_save(sim, path.text));
    state_copy *before = copy_state(sim);
    for (int way = 0; way < 4; way++) {
        /* Half the step helps. */
        fake_fault =
            (struct fake_fault){.fragile_from = 0.12, .fragile_to = 0.2, .fragile_dt = 0.007, .way = way};
        assert_ok(ctx, rill_sim_advance(sim, 0.15));
        assert_true(rill_sim_time(sim) == 0.15);
        fake_fault = (struct fake_fault){0};
        assert_ok(ctx, rill_sim_load(sim, path.text));
        assert_state(sim, before);

        /* Nothing helps: the state is the one before the call, and goes on from there. */
        fake_fault = (struct fake_fault){.fragile_from = 0.12, .fragile_to = 0.2, .way = way};
        assert_int_equal(rill_sim_advance(sim, 0.15), RILL_BLEW_UP);
        assert_state(sim, before);

        /* A single step keeps nothing: it says so until something is loaded. */
        fake_fault = (struct fake_fault){.fragile_to = 9, .way = way};
        double taken = 5;
        assert_int_equal(rill_sim_step(sim, INFINITY, &taken), RILL_BLEW_UP);
        fake_fault = (struct fake_fault){0};
        rill_mesh *mesh = NULL;
        assert_true(taken == 5);
        assert_int_equal(rill_sim_step(sim, INFINITY, &taken), RILL_USAGE);
        assert_int_equal(rill_sim_advance(sim, 1), RILL_USAGE);
        assert_int_equal(rill_sim_save(sim, path.text), RILL_USAGE);
        assert_int_equal(rill_sim_surface(sim, &mesh), RILL_USAGE);
        assert_int_equal(rill_sim_load(sim, path_of("nothing").text), RILL_BAD_FILE);
        assert_int_equal(rill_sim_step(sim, INFINITY, &taken), RILL_USAGE);
        assert_ok(ctx, rill_sim_load(sim, path.text));
        assert_state(sim, before);
        assert_ok(ctx, rill_sim_step(sim, INFINITY, &taken));
        assert_ok(ctx, rill_sim_load(sim, path.text));
    }
    rill_vec3 u;
    double p;
    assert_int_equal(rill_sim_velocity(sim, 1, &u, &u), RILL_USAGE); /* a fake has none */
    assert_int_equal(rill_sim_pressure(sim, 1, &u, &p), RILL_USAGE);
    free(before);
    rill_sim_destroy(sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

static int told;
static void cancel_at_third(void *user, const rill_progress *progress)
{
    assert_true(progress->elements > 0 && progress->dt > 0 && progress->seconds_left >= 0);
    if (++told == 3) rill_ctx_cancel(*(rill_ctx **)user);
}

static void stops_on_request(void **state)
{
    (void)state;
    rill_ctx *ctx = NULL;
    rill_ctx_def def = rill_ctx_def_default();
    def.progress = cancel_at_third;
    def.user = &ctx;
    assert_int_equal(rill_ctx_create(&def, &ctx), RILL_OK);
    rill_scene *scene = parse(ctx, drop_text);
    rill_sim *sim = create(ctx, scene);
    state_copy *start = copy_state(sim);
    told = 0;
    assert_int_equal(rill_sim_advance(sim, 0.06), RILL_CANCELLED);
    assert_int_equal(told, 3);
    assert_state(sim, start);
    assert_ok(ctx, rill_sim_advance(sim, 0.06)); /* the request has been dealt with */
    rill_ctx_cancel(ctx);
    assert_int_equal(rill_sim_step(sim, 1, NULL), RILL_CANCELLED); /* found later, before the step */
    assert_ok(ctx, rill_sim_step(sim, 1, NULL));
    free(start);
    rill_sim_destroy(sim);
    rill_scene_destroy(scene);
    rill_ctx_destroy(ctx);
}

/* A host's session from end to end. */
static rill_status session(rill_ctx *ctx, const char *path, rill_scene **scene, rill_sim **sim,
                           rill_mesh **mesh)
{
    const rill_vec3 point = {0.2, 0.2, 0.2};
    rill_vec3 u;
    size_t length;
    TRY(rill_scene_parse(ctx, "drop", drop_text, strlen(drop_text), scene));
    TRY(rill_scene_print(*scene, NULL, 0, &length));
    TRY(rill_sim_create(ctx, *scene, sim));
    TRY(rill_sim_advance(*sim, 0.004));
    TRY(rill_sim_step(*sim, 0.004, NULL));
    TRY(rill_sim_velocity(*sim, 1, &point, &u));
    TRY(rill_sim_surface(*sim, mesh));
    TRY(rill_sim_save(*sim, path));
    return rill_sim_load(*sim, path);
}

static void failing_allocations(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    const path_text path = path_of("memory.rill");
    for (uint64_t n = 1;; n++) {
        rill_scene *scene = NULL;
        rill_sim *sim = NULL;
        rill_mesh *mesh = NULL;
        f.calls = 0;
        f.fail_at = n;
        const rill_status st = session(ctx, path.text, &scene, &sim, &mesh);
        const bool done = f.calls < n;
        rill_mesh_destroy(mesh);
        rill_sim_destroy(sim);
        rill_scene_destroy(scene);
        assert_int_equal(f.live, 1);
        if (done) {
            assert_int_equal(st, RILL_OK);
            break;
        }
        if (st) assert_int_equal(st, RILL_NO_MEMORY); /* the arena can do with less */
    }
    f.fail_at = 0;
    rill_ctx_destroy(ctx);
}

/* An advance that runs out of memory leaves the state as it was. */
static void advance_without_memory(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    rill_scene *scene = parse(ctx, drop_text);
    rill_sim *sim = create(ctx, scene);
    assert_ok(ctx, rill_sim_advance(sim, 0.01));
    state_copy *before = copy_state(sim);
    const uint64_t live = f.live;
    for (uint64_t n = 1;; n++) {
        f.calls = 0;
        f.fail_at = n;
        const rill_status st = rill_sim_advance(sim, 0.03);
        if (st == RILL_OK && f.calls < n) break;
        f.fail_at = 0;
        assert_int_equal(st, RILL_NO_MEMORY);
        assert_state(sim, before);
    }
    f.fail_at = 0;
    assert_true(f.live <= live + 8); /* room the method made for new particles */
    free(before);
    rill_sim_destroy(sim);
    rill_scene_destroy(scene);
    assert_int_equal(f.live, 1);
    rill_ctx_destroy(ctx);
}

/* ---- threads ---- */

typedef struct {
    const char *speed;
    state_copy *end;
    rill_status status;
} worker;

static void *work(void *arg)
{
    worker *w = arg;
    char json[sizeof drop_text];
    memcpy(json, drop_text, sizeof json);
    memcpy(strstr(json, "\"speed\": 3"), w->speed, 10);
    rill_ctx_def def = rill_ctx_def_default();
    def.threads = 2;
    rill_ctx *ctx = NULL;
    rill_scene *scene = NULL;
    rill_sim *sim = NULL;
    w->status = rill_ctx_create(&def, &ctx);
    if (!w->status) w->status = rill_scene_parse(ctx, "thread", json, strlen(json), &scene);
    if (!w->status) w->status = rill_sim_create(ctx, scene, &sim);
    for (int k = 1; k <= 3 && !w->status; k++) w->status = rill_sim_advance(sim, k / rill_scene_fps(scene));
    if (!w->status) w->end = copy_state(sim);
    rill_sim_destroy(sim);
    rill_scene_destroy(scene);
    rill_ctx_destroy(ctx);
    return NULL;
}

static void two_contexts_at_once(void **state)
{
    (void)state;
    worker alone[2] = {{.speed = "\"speed\": 3"}, {.speed = "\"speed\": 4"}};
    worker both[2] = {{.speed = "\"speed\": 3"}, {.speed = "\"speed\": 4"}};
    pthread_t thread[2];
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&thread[i], NULL, work, &both[i]), 0);
    for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < 2; i++) work(&alone[i]);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(alone[i].status, RILL_OK);
        assert_int_equal(both[i].status, RILL_OK);
        assert_memory_equal(alone[i].end, both[i].end, sizeof *alone[i].end);
    }
    assert_true(memcmp(alone[0].end, alone[1].end, sizeof *alone[0].end) != 0);
    for (int i = 0; i < 2; i++) free(alone[i].end), free(both[i].end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_answer),          cmocka_unit_test(wrong_calls_are_answered),
        cmocka_unit_test(the_same_as_a_run),      cmocka_unit_test(the_same_as_a_run_with_preroll),
        cmocka_unit_test(steps_add_up),           cmocka_unit_test(saved_and_loaded),
        cmocka_unit_test(views_and_surfaces),     cmocka_unit_test(blow_ups),
        cmocka_unit_test(stops_on_request),       cmocka_unit_test(failing_allocations),
        cmocka_unit_test(advance_without_memory), cmocka_unit_test(two_contexts_at_once),
    };
    return cmocka_run_group_tests_name("api", tests, own_folder_make, own_folder_remove);
}
