/* The library against hosts that make mistakes: NULL everywhere, a fork, calls from inside callbacks. */
#include "folders.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char scene_text[] =
    "{ \"rill\": 1, \"method\": \"sph\", \"spacing\": 0.1,\n"
    "  \"domain\": { \"min\": [0,0,0], \"max\": [1,1,0.6] }, \"time\": { \"frames\": 3, \"fps\": 50 },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.5,0.5,0.6] } } } ] }\n";

static rill_sim *make(rill_ctx *ctx, rill_scene **scene)
{
    rill_sim *sim = NULL;
    assert_ok(ctx, rill_scene_parse(ctx, "s.json", scene_text, strlen(scene_text), scene));
    assert_ok(ctx, rill_sim_create(ctx, *scene, &sim));
    return sim;
}

/* NULL is RILL_USAGE, or nothing. */
static void null_is_an_answer(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1), *made = NULL;
    rill_ctx_def def = rill_ctx_def_default();
    rill_scene *scene = NULL;
    rill_sim *sim = make(ctx, &scene), *other = NULL;
    rill_mesh *mesh = NULL;
    rill_cells *cells = NULL;
    rill_particles p;
    rill_tracker *tracker = NULL;
    const rill_tracker_def tracking = rill_tracker_def_default();
    rill_vec3 x = {0.1, 0.1, 0.1};
    double value;

    assert_int_equal(rill_ctx_create(NULL, &made), RILL_USAGE);
    assert_int_equal(rill_ctx_create(&def, NULL), RILL_USAGE);
    rill_ctx_destroy(NULL);
    rill_ctx_cancel(NULL);
    assert_string_equal(rill_ctx_message(NULL), "");
    assert_non_null(rill_status_text((rill_status)99));

    assert_int_equal(rill_scene_read(NULL, "x", &scene), RILL_USAGE);
    assert_int_equal(rill_scene_read(ctx, NULL, &scene), RILL_USAGE);
    assert_int_equal(rill_scene_read(ctx, "x", NULL), RILL_USAGE);
    assert_int_equal(rill_scene_parse(NULL, "x", "{}", 2, &scene), RILL_USAGE);
    assert_int_equal(rill_scene_parse(ctx, NULL, "{}", 2, &scene), RILL_USAGE);
    assert_int_equal(rill_scene_parse(ctx, "x", NULL, 2, &scene), RILL_USAGE);
    assert_int_equal(rill_scene_parse(ctx, "x", "{}", 2, NULL), RILL_USAGE);
    assert_int_equal(rill_scene_print(NULL, NULL, 0, NULL), RILL_USAGE);
    assert_ok(ctx, rill_scene_print(scene, NULL, 0, NULL));
    rill_scene_destroy(NULL);
    assert_string_equal(rill_scene_name(NULL), "");
    assert_string_equal(rill_scene_method(NULL), "");
    assert_true(rill_scene_dimensions(NULL) == 0 && rill_scene_frames(NULL) == 0 &&
                rill_scene_fps(NULL) == 0);
    assert_true(rill_scene_spacing(NULL) == 0 && rill_scene_domain(NULL).max.x == 0);

    assert_int_equal(rill_sim_create(NULL, scene, &other), RILL_USAGE);
    assert_int_equal(rill_sim_create(ctx, NULL, &other), RILL_USAGE);
    assert_int_equal(rill_sim_create(ctx, scene, NULL), RILL_USAGE);
    assert_true(rill_sim_time(NULL) == 0 && rill_sim_steps(NULL) == 0 && rill_sim_elements(NULL) == 0);
    assert_int_equal(rill_sim_advance(NULL, 1), RILL_USAGE);
    assert_int_equal(rill_sim_step(NULL, 1, NULL), RILL_USAGE);
    assert_int_equal(rill_sim_save(NULL, "x"), RILL_USAGE);
    assert_int_equal(rill_sim_save(sim, NULL), RILL_USAGE);
    assert_int_equal(rill_sim_load(NULL, "x"), RILL_USAGE);
    assert_int_equal(rill_sim_load(sim, NULL), RILL_USAGE);
    rill_sim_destroy(NULL);

    rill_sim_view(NULL, &p);
    assert_true(p.count == 0);
    rill_sim_view(sim, NULL);
    rill_sim_tracers(NULL, &p);
    rill_sim_tracers(sim, NULL);
    assert_null(rill_sim_column(NULL, "density"));
    assert_null(rill_sim_column(sim, NULL));
    assert_null(rill_sim_column_name(NULL, 0));
    assert_int_equal(rill_sim_cells(NULL, &cells), RILL_USAGE);
    assert_int_equal(rill_sim_velocity(NULL, 1, &x, &x), RILL_USAGE);
    assert_int_equal(rill_sim_velocity(sim, 1, NULL, &x), RILL_USAGE);
    assert_int_equal(rill_sim_velocity(sim, 1, &x, NULL), RILL_USAGE);
    assert_int_equal(rill_sim_pressure(NULL, 1, &x, &value), RILL_USAGE);
    assert_int_equal(rill_sim_pressure(sim, 1, &x, NULL), RILL_USAGE);
    assert_int_equal(rill_sim_surface(NULL, &mesh), RILL_USAGE);
    assert_int_equal(rill_sim_surface(sim, NULL), RILL_USAGE);
    rill_mesh_destroy(NULL);
    rill_cells_destroy(NULL);

    rill_mesh none = {0};
    rill_tracker_part part;
    assert_int_equal(rill_tracker_create(NULL, &tracking, &none, &tracker), RILL_USAGE);
    assert_int_equal(rill_tracker_create(ctx, NULL, &none, &tracker), RILL_USAGE);
    assert_int_equal(rill_tracker_create(ctx, &tracking, NULL, &tracker), RILL_USAGE);
    assert_int_equal(rill_tracker_create(ctx, &tracking, &none, NULL), RILL_USAGE);
    assert_int_equal(rill_tracker_advance(NULL, 0.1, NULL, NULL, NULL), RILL_USAGE);
    assert_true(rill_tracker_time(NULL) == 0 && rill_tracker_part_count(NULL) == 0);
    rill_tracker_view(NULL, &none);
    rill_tracker_view(NULL, NULL);
    assert_int_equal(rill_tracker_part_at(NULL, 0, &part), RILL_USAGE);
    rill_tracker_destroy(NULL);

    rill_sim_destroy(sim);
    rill_scene_destroy(scene);
    rill_ctx_destroy(ctx);
}

/* A child has none of the context's threads: it gets an error, may destroy what it has, and make a context of
 * its own. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_TSAN 1
#endif
#endif

static void a_fork_gets_an_error(void **state)
{
    (void)state;
#ifdef UNDER_TSAN
    skip(); /* the thread sanitizer ends a child of many threads that makes new ones */
#endif
    rill_ctx *ctx = test_ctx(3);
    rill_scene *scene = NULL;
    rill_sim *sim = make(ctx, &scene);
    assert_ok(ctx, rill_sim_advance(sim, 0.02)); /* the threads are there */
    const pid_t child = fork();
    if (child == 0) {
        rill_vec3 x = {0.1, 0.1, 0.1};
        rill_mesh *mesh = NULL;
        int good = rill_sim_advance(sim, 0.04) == RILL_USAGE && strstr(rill_ctx_message(ctx), "fork") != NULL;
        good =
            good && rill_sim_step(sim, 1, NULL) == RILL_USAGE && rill_sim_surface(sim, &mesh) == RILL_USAGE &&
            rill_sim_velocity(sim, 1, &x, &x) == RILL_USAGE && rill_sim_save(sim, "nowhere") == RILL_USAGE &&
            rill_scene_print(scene, NULL, 0, NULL) == RILL_USAGE;
        rill_ctx_def def = rill_ctx_def_default();
        rill_ctx *own = NULL;
        rill_scene *its_scene = NULL;
        rill_sim *its_sim = NULL;
        def.threads = 2;
        good = good && rill_ctx_create(&def, &own) == RILL_OK &&
               rill_scene_parse(own, "s", scene_text, strlen(scene_text), &its_scene) == RILL_OK &&
               rill_sim_create(own, its_scene, &its_sim) == RILL_OK &&
               rill_sim_advance(its_sim, 0.02) == RILL_OK;
        rill_sim_destroy(its_sim);
        rill_scene_destroy(its_scene);
        rill_ctx_destroy(own);
        rill_sim_destroy(sim);
        rill_scene_destroy(scene);
        rill_ctx_destroy(ctx);
        _exit(good ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_ok(ctx, rill_sim_advance(sim, 0.04)); /* the parent goes on */
    rill_sim_destroy(sim);
    rill_scene_destroy(scene);
    rill_ctx_destroy(ctx);
}

static struct nosy {
    rill_ctx *ctx;
    rill_sim *sim;
    int told, changed, read;
} nosy;

static void look_and_touch(void *user, const rill_progress *progress)
{
    (void)user, (void)progress;
    rill_particles p;
    rill_mesh *mesh = NULL;
    rill_vec3 x = {0.2, 0.2, 0.2}, u;
    nosy.told++;
    nosy.changed += rill_sim_advance(nosy.sim, 9) != RILL_USAGE ||
                    rill_sim_step(nosy.sim, 1, NULL) != RILL_USAGE ||
                    rill_sim_load(nosy.sim, "nowhere") != RILL_USAGE;
    rill_sim_destroy(nosy.sim); /* ignored */
    rill_ctx_destroy(nosy.ctx);
    rill_sim_view(nosy.sim, &p);
    nosy.read += p.count > 0 && rill_sim_velocity(nosy.sim, 1, &x, &u) == RILL_OK &&
                 rill_sim_surface(nosy.sim, &mesh) == RILL_OK && mesh->triangle_count > 0;
    rill_mesh_destroy(mesh);
}

static void callbacks_read_and_do_not_change(void **state)
{
    (void)state;
    rill_ctx_def def = rill_ctx_def_default();
    rill_ctx *ctx = NULL, *quiet = test_ctx(1);
    def.progress = look_and_touch;
    def.threads = 2;
    assert_int_equal(rill_ctx_create(&def, &ctx), RILL_OK);
    rill_scene *scene = NULL, *same = NULL;
    rill_sim *sim = make(ctx, &scene), *undisturbed = make(quiet, &same);
    nosy = (struct nosy){.ctx = ctx, .sim = sim};
    assert_ok(ctx, rill_sim_advance(sim, 0.04));
    assert_ok(quiet, rill_sim_advance(undisturbed, 0.04));
    assert_true(nosy.told > 1 && nosy.read == nosy.told && nosy.changed == 0);
    rill_particles a, b;
    rill_sim_view(sim, &a);
    rill_sim_view(undisturbed, &b);
    assert_true(a.count == b.count && memcmp(a.position, b.position, a.count * sizeof *a.position) == 0);
    rill_sim_destroy(sim);
    rill_sim_destroy(undisturbed);
    rill_scene_destroy(scene);
    rill_scene_destroy(same);
    rill_ctx_destroy(ctx);
    rill_ctx_destroy(quiet);
}

static rill_tracker *tracked;
static int again;
static rill_status ask_again(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    (void)user, (void)time, (void)x;
    rill_mesh mesh;
    again += rill_tracker_advance(tracked, 0.1, ask_again, NULL, NULL) != RILL_USAGE;
    rill_tracker_destroy(tracked);
    rill_tracker_view(tracked, &mesh);
    for (size_t i = 0; i < n; i++) u[i] = (rill_vec3){1, 0, 0};
    return RILL_OK;
}

static void a_tracker_is_not_entered_twice(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const rill_vec3 x[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const uint32_t t[][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    const rill_mesh mesh = {.vertex_count = 4, .triangle_count = 4, .position = x, .triangle = t};
    rill_tracker_def def = rill_tracker_def_default();
    def.edge = 0.5;
    assert_ok(ctx, rill_tracker_create(ctx, &def, &mesh, &tracked));
    assert_ok(ctx, rill_tracker_advance(tracked, 0.1, ask_again, NULL, NULL));
    assert_int_equal(again, 0);
    assert_true(fabs(rill_tracker_time(tracked) - 0.1) < 1e-12);
    rill_tracker_destroy(tracked);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_is_an_answer),
        cmocka_unit_test(a_fork_gets_an_error),
        cmocka_unit_test(callbacks_read_and_do_not_change),
        cmocka_unit_test(a_tracker_is_not_entered_twice),
    };
    return cmocka_run_group_tests_name("api_host", tests, NULL, NULL);
}
