/* The driver with a method that is easy to predict: particles that fly and bounce in the
 * box. Whatever stops a run, the folder it leaves after resuming is the one of a run that
 * was never stopped. */
#include "fake.h"
#include "folders.h"
#include "support.h"

#include "io/file.h"
#include "io/ply.h"
#include "io/scene_file.h"
#include "run/driver.h"
#include "run/folder.h"
#include "run/trial.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const rill_method *const methods[] = {&fake_method, NULL};

static const char scene_text[] =
    "{ \"rill\": 1, \"name\": \"bounce\", \"method\": \"fake\", \"spacing\": 0.1,\n"
    "  \"domain\": { \"min\": [0,0,0], \"max\": [1,1,1] },\n"
    "  \"time\": { \"frames\": 8, \"fps\": 25 },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.5,0.5,0.5] } } } ],\n"
    "  \"emitters\": [ { \"shape\": { \"disc\": { \"center\": [0.7,0.8,0.5], \"normal\": [0,-1,0], "
    "\"radius\": 0.2 } },\n"
    "                  \"speed\": 3, \"start\": 0.1, \"end\": 9 } ],\n"
    "  \"gauges\": [ { \"name\": \"H1\", \"height\": [0.5, 0.5] }, { \"name\": \"H2\", \"height\": [0.7, "
    "0.5] } ],\n"
    "  \"output\": { \"width\": 64, \"height\": 48, \"checkpoint\": 2, \"video\": false } }\n";

static rill_scene read_scene(rill_ctx *ctx, int64_t frames)
{
    rill_scene scene = {0};
    const scene_changes changes = {.frames = frames};
    assert_ok(ctx,
              scene_parse(ctx, "bounce.json", scene_text, strlen(scene_text), methods, 1, &changes, &scene));
    return scene;
}

/* ---- folders ---- */

static __attribute__((noinline)) char *read_text(rill_ctx *ctx, const char *folder, const char *name,
                                                 size_t *n)
{
    char *path = path_join(ctx, folder, name), *data = NULL;
    assert_ok(ctx, file_read_all(ctx, path, 1 << 30, &data, n));
    mem_free(ctx, path);
    return data;
}

/* Takes out what a clock measured. */
static void strip_clock(char *s)
{
    char *to = s;
    for (const char *c = s; *c;) {
        if (strncmp(c, "\"wall_s\":", 9) == 0)
            c += strcspn(c, ",");
        else if (strncmp(c, "\"stage_s\":{", 11) == 0)
            c += strcspn(c, "}");
        else
            *to++ = *c++;
    }
    *to = 0;
}

static void same_text(rill_ctx *ctx, const char *a, const char *b, const char *name)
{
    size_t na, nb;
    char *ta = read_text(ctx, a, name, &na), *tb = read_text(ctx, b, name, &nb);
    strip_clock(ta);
    strip_clock(tb);
    assert_true(strlen(ta) > 100);
    assert_string_equal(ta, tb);
    mem_free(ctx, ta);
    mem_free(ctx, tb);
}

static int count_entries(const char *folder)
{
    DIR *d = opendir(folder);
    int n = 0;
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        n += e->d_name[0] != '.' || strstr(e->d_name, "tmp");
    if (d) closedir(d);
    return n;
}

static void same_file(rill_ctx *ctx, const char *a, const char *b, const char *name)
{
    size_t na, nb;
    char *ta = read_text(ctx, a, name, &na), *tb = read_text(ctx, b, name, &nb);
    if (na != nb || memcmp(ta, tb, na) != 0) fail_msg("%s differs between %s and %s", name, a, b);
    mem_free(ctx, ta);
    mem_free(ctx, tb);
}

static void same_run(rill_ctx *ctx, const char *a, const char *b, int frames)
{
    same_text(ctx, a, b, "stats.jsonl");
    same_file(ctx, a, b, "gauges.csv");
    same_file(ctx, a, b, "scene.json");
    for (int k = 0; k <= frames; k++) {
        char name[64];
        snprintf(name, sizeof name, "frames/particles_%04d.ply", k);
        same_file(ctx, a, b, name);
        snprintf(name, sizeof name, "frames/surface_%04d.ply", k);
        same_file(ctx, a, b, name);
        snprintf(name, sizeof name, "images/%04d.png", k);
        same_file(ctx, a, b, name);
    }
    char part[300];
    snprintf(part, sizeof part, "%s/frames", b);
    assert_int_equal(count_entries(part), 2 * (frames + 1));
    snprintf(part, sizeof part, "%s/images", b);
    assert_int_equal(count_entries(part), frames + 1);
    snprintf(part, sizeof part, "%s/checkpoints", b);
    assert_int_equal(count_entries(part), 2);
}

static rill_status start_stoppable(rill_ctx *ctx, const char *out, int64_t frames, bool force, run_stop *stop)
{
    rill_scene scene = read_scene(ctx, frames);
    const run_options options = {.out = out, .force = force, .stop = stop};
    run_result result;
    const rill_status st = run_start(ctx, &scene, &options, &result);
    scene_clear(ctx, &scene);
    return st;
}

static rill_status start(rill_ctx *ctx, const char *out, int64_t frames, bool force)
{
    return start_stoppable(ctx, out, frames, force, NULL);
}

static rill_status resume(rill_ctx *ctx, const char *out, int64_t frames, run_result *result)
{
    run_result mine;
    return run_resume(ctx, out, frames, false, methods, 1, result ? result : &mine);
}

/* The run that was never interrupted, made once. */
static const char *reference(void)
{
    static char path[128];
    if (!path[0]) {
        snprintf(path, sizeof path, "%s", in_own_folder("reference"));
        rill_ctx *ctx = test_ctx(2);
        assert_ok(ctx, start(ctx, path, 0, false));
        rill_ctx_destroy(ctx);
    }
    return path;
}

/* ---- tests ---- */

static void steps_fill_the_frame(void **state)
{
    (void)state;
    const double most[] = {0.3, 0.1, 0.0333, 0.07, 1.0, 0.5, 0.501, 0.499};
    for (size_t k = 0; k < sizeof most / sizeof *most; k++) {
        double t = 0, shortest = 1;
        int steps = 0;
        while (t < 1) {
            const double remaining = 1 - t, dt = run_choose_dt(remaining, most[k]);
            assert_true(dt > 0 && dt <= most[k] * (1 + 1e-9));
            shortest = fmin(shortest, dt);
            t = dt == remaining ? 1 : t + dt;
            steps++;
        }
        assert_true(shortest > 0.499 * most[k]);
        assert_int_equal(steps, (int)ceil(1 / most[k] - 1e-9));
    }
}

static void the_same_for_any_threads(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        rill_ctx *ctx = test_ctx(threads);
        const char *out = in_own_folder(threads == 1 ? "one" : "three");
        assert_ok(ctx, start(ctx, out, 0, false));
        same_run(ctx, reference(), out, 8);
        rill_ctx_destroy(ctx);
    }
}

/* Frame k ends at k / fps, steps are numbered without a gap, gauges have a row a step. */
static void records_are_right(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    size_t n;
    char *stats = read_text(ctx, reference(), "stats.jsonl", &n),
         *gauges = read_text(ctx, reference(), "gauges.csv", &n);
    assert_memory_equal(gauges, "t,H1,H2\n", 8);
    unsigned frame = 0, last_frame = 0;
    unsigned long long step = 0, expected = 1;
    double t = 0, last_t = 0, dt = 0;
    char *row = strchr(gauges, '\n') + 1;
    for (char *line = stats; *line; line = strchr(line, '\n') + 1, expected++) {
        assert_int_equal(
            sscanf(line, "{\"frame\":%u,\"step\":%llu,\"t\":%lf,\"dt\":%lf", &frame, &step, &t, &dt), 4);
        assert_true(step == expected);
        assert_true(fabs(t - last_t - dt) < 1e-12);
        if (frame != last_frame && last_frame) assert_true(last_t == last_frame / 25.0);
        assert_non_null(strstr(line, "\"stage_s\":{\"fly\":"));
        assert_non_null(strstr(line, "\"max_speed\":"));
        last_frame = frame;
        last_t = t;
        assert_true(strtod(row, NULL) == t);
        row = strchr(row, '\n') + 1;
    }
    assert_int_equal(frame, 8);
    assert_true(t == 8 / 25.0);
    assert_int_equal(*row, 0);
    assert_null(strstr(stats, "volume")); /* the fake has none */
    mem_free(ctx, stats);
    mem_free(ctx, gauges);
    rill_ctx_destroy(ctx);
}

static void cancel_and_resume(void **state)
{
    (void)state;
    const uint64_t at[] = {1, 4, 5, 13, 30};
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        char name[32];
        snprintf(name, sizeof name, "cancel%zu", k);
        const char *out = in_own_folder(name);
        rill_ctx *ctx = test_ctx(1 + (int)k % 3);
        fake_fault.cancel_at = at[k];
        assert_int_equal(start(ctx, out, 0, false), RILL_CANCELLED);
        assert_non_null(strstr(rill_ctx_message(ctx), "rill resume"));
        fake_fault.cancel_at = 0;
        rill_ctx_destroy(ctx);
        ctx = test_ctx(3 - (int)k % 3);
        assert_ok(ctx, resume(ctx, out, 0, NULL));
        same_run(ctx, reference(), out, 8);
        run_result result;
        assert_ok(ctx, resume(ctx, out, 0, &result));
        assert_true(result.was_finished);
        assert_int_equal(result.frame, 8);
        same_run(ctx, reference(), out, 8);
        rill_ctx_destroy(ctx);
    }
}

static atomic_bool saved_in_step;
static void saved(rill_status st, const char *message)
{
    assert_int_equal(st, RILL_CANCELLED);
    assert_non_null(strstr(message, "rill resume"));
    atomic_store(&saved_in_step, true);
}

/* A step that does not end is not waited for: the start of its frame is saved meanwhile. */
static void cancel_in_a_long_step(void **state)
{
    (void)state;
    const uint64_t at[] = {4, 13, 30};
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        char name[32], checkpoints[300];
        snprintf(name, sizeof name, "long_step%zu", k);
        const char *out = in_own_folder(name);
        rill_ctx *ctx = test_ctx(2);
        atomic_store(&saved_in_step, false);
        fake_fault.cancel_at = at[k];
        fake_fault.until = &saved_in_step;
        assert_int_equal(start_stoppable(ctx, out, 0, false, saved), RILL_CANCELLED);
        assert_true(atomic_load(&saved_in_step));
        fake_fault.cancel_at = 0;
        fake_fault.until = NULL;
        rill_ctx_destroy(ctx);
        ctx = test_ctx(1);
        snprintf(checkpoints, sizeof checkpoints, "%s/checkpoints", out);
        assert_true(count_entries(checkpoints) > 0);
        assert_ok(ctx, resume(ctx, out, 0, NULL));
        same_run(ctx, reference(), out, 8);
        rill_ctx_destroy(ctx);
    }
}

/* A child is killed in a step, again and again, until one finishes. */
static void kill_and_resume(void **state)
{
    (void)state;
    reference();
    const char *out = in_own_folder("killed");
    uint64_t at = 2;
    for (int runs = 0;; runs++, at += 7) {
        assert_true(runs < 20);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            fake_fault.kill_at = at;
            rill_ctx_def def = rill_ctx_def_default();
            def.threads = 1;
            rill_ctx *ctx = NULL;
            if (rill_ctx_create(&def, &ctx) != RILL_OK) _exit(99);
            _exit((int)(runs == 0 ? start(ctx, out, 0, false) : resume(ctx, out, 0, NULL)));
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFEXITED(status)) {
            assert_int_equal(WEXITSTATUS(status), 0);
            assert_true(runs > 2);
            break;
        }
        assert_int_equal(WTERMSIG(status), SIGKILL);
        /* What a kill in the middle of a file leaves behind. */
        FILE *f = fopen(in_own_folder("killed/frames/.particles_0003.ply.tmp"), "w");
        fputs("half", f);
        fclose(f);
        f = fopen(in_own_folder("killed/stats.jsonl"), "a");
        fputs("{\"frame\":", f);
        fclose(f);
    }
    rill_ctx *ctx = test_ctx(1);
    same_run(ctx, reference(), out, 8);
    rill_ctx_destroy(ctx);
}

static void a_longer_run(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const char *out = in_own_folder("longer");
    assert_ok(ctx, start(ctx, out, 3, false));
    assert_ok(ctx, resume(ctx, out, 8, NULL));
    same_run(ctx, reference(), out, 8);
    assert_int_equal(resume(ctx, out, 5, NULL), RILL_USAGE);
    assert_int_equal(resume(ctx, in_own_folder("nothing"), 0, NULL), RILL_BAD_FILE);
    assert_false(file_exists(in_own_folder("nothing")));
    rill_ctx_destroy(ctx);
}

static rill_status start_early(rill_ctx *ctx, const char *out)
{
    static const char gravity[] = "gravity={\"keyframes\":[{\"t\":-0.1,\"value\":[0,0,0]},"
                                  "{\"t\":0.1,\"value\":[0,-9,0]}]}";
    static const char *const set[] = {"time.preroll=0.1", "time.frames=4", "emitters[0].start=-0.08",
                                      gravity};
    const scene_changes changes = {.set = set, .set_count = 4};
    rill_scene scene = {0};
    assert_ok(ctx,
              scene_parse(ctx, "bounce.json", scene_text, strlen(scene_text), methods, 1, &changes, &scene));
    const run_options options = {.out = out};
    run_result result;
    const rill_status st = run_start(ctx, &scene, &options, &result);
    scene_clear(ctx, &scene);
    return st;
}

/* Three frames before 0, the first shorter steps of which begin at -0.1 s: in the records,
 * in checkpoints, but not in the frames. Interrupted anywhere, the run ends the same. */
static void before_frame_0(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const char *whole = in_own_folder("early");
    assert_ok(ctx, start_early(ctx, whole));
    same_run(ctx, whole, whole, 4);
    size_t n;
    char *stats = read_text(ctx, whole, "stats.jsonl", &n);
    int frame = -9, first = -9;
    double t = -9, dt = 0, at_0 = -9, begin = -9;
    for (char *line = stats; *line; line = strchr(line, '\n') + 1) {
        assert_int_equal(sscanf(line, "{\"frame\":%d,\"step\":%*u,\"t\":%lf,\"dt\":%lf", &frame, &t, &dt), 3);
        if (first == -9) first = frame, begin = t - dt;
        if (frame == 0) at_0 = t;
    }
    assert_int_equal(first, -2);
    assert_int_equal(frame, 4);
    assert_true(fabs(begin + 0.1) < 1e-15 && at_0 == 0 && t == 4 / 25.0);
    mem_free(ctx, stats);
    char *head = read_text(ctx, whole, "frames/particles_0000.ply", &n);
    assert_non_null(strstr(head, "comment time 0\n"));
    mem_free(ctx, head);
    rill_ctx_destroy(ctx);

    const uint64_t at[] = {1, 3, 5, 7, 9, 12};
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        char name[32];
        snprintf(name, sizeof name, "early%zu", k);
        const char *out = in_own_folder(name);
        ctx = test_ctx(1);
        fake_fault.cancel_at = at[k];
        assert_int_equal(start_early(ctx, out), RILL_CANCELLED);
        fake_fault.cancel_at = 0;
        rill_ctx_destroy(ctx);
        ctx = test_ctx(3);
        run_result result;
        assert_ok(ctx, resume(ctx, out, 0, &result));
        assert_true(result.frame == 4 && result.frames == 4 && result.time == 4 / 25.0);
        same_run(ctx, whole, out, 4);
        rill_ctx_destroy(ctx);
    }
}

/* A frame that fails with long steps is done with shorter ones, and the attempts that
 * were given up leave nothing. */
static void blow_up_and_retry(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way++) {
        rill_ctx *ctx = test_ctx(1);
        char name[32];
        snprintf(name, sizeof name, "retry%d", way);
        const char *out = in_own_folder(name);
        fake_fault.way = way;
        fake_fault.fragile_from = 0.11;
        fake_fault.fragile_to = 0.15;
        fake_fault.fragile_dt = 0.0123 / 4; /* from the third attempt on it holds */
        assert_ok(ctx, start(ctx, out, 0, false));
        size_t n;
        char *stats = read_text(ctx, out, "stats.jsonl", &n);
        unsigned frame;
        unsigned long long step, expected = 1;
        double t, dt, last = 0;
        for (char *line = stats; *line; line = strchr(line, '\n') + 1, expected++) {
            assert_int_equal(
                sscanf(line, "{\"frame\":%u,\"step\":%llu,\"t\":%lf,\"dt\":%lf", &frame, &step, &t, &dt), 4);
            assert_true(step == expected);
            assert_true(t > last && t - last <= 0.0124);
            last = t;
            /* 0.11 to 0.15 is in frames 3 and 4; the others take their usual steps */
            assert_true(frame == 3 || frame == 4 ? dt <= 0.0123 / 4 : dt > 0.005);
        }
        mem_free(ctx, stats);
        rill_ctx_destroy(ctx);
    }
    memset(&fake_fault, 0, sizeof fake_fault);
}

static void blow_up_for_good(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const char *out = in_own_folder("blown");
    fake_fault.way = 1;
    fake_fault.fragile_from = 0.13; /* in frame 4 */
    fake_fault.fragile_to = 1;
    assert_int_equal(start(ctx, out, 0, false), RILL_BLEW_UP);
    assert_non_null(strstr(rill_ctx_message(ctx), "frame 4"));
    assert_non_null(strstr(rill_ctx_message(ctx), "m/s"));
    memset(&fake_fault, 0, sizeof fake_fault);
    assert_true(file_exists(in_own_folder("blown/frames/surface_0003.ply")));
    assert_false(file_exists(in_own_folder("blown/frames/particles_0004.ply")));
    assert_true(file_exists(in_own_folder("blown/checkpoints/0002.rill")));
    assert_ok(ctx, resume(ctx, out, 0, NULL)); /* the fault is gone, and all is as if it had never been */
    same_run(ctx, reference(), out, 8);
    rill_ctx_destroy(ctx);
}

static void full_disk(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const char *out = in_own_folder("full");
    reference();
    /* Emission makes the files grow: some frame is the first too large. */
    const rlim_t bytes = file_length(in_own_folder("reference/frames/surface_0000.ply")) + 4000;
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = (struct rlimit){bytes, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const rill_status st = start(ctx, out, 0, false);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(st, RILL_DISK);
    assert_non_null(strstr(rill_ctx_message(ctx), "full/"));
    assert_non_null(strstr(rill_ctx_message(ctx), "rill resume"));
    assert_true(file_exists(in_own_folder("full/frames/surface_0000.ply")));
    assert_ok(ctx, resume(ctx, out, 0, NULL));
    same_run(ctx, reference(), out, 8);
    rill_ctx_destroy(ctx);
}

static void damage(const char *path)
{
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    const long middle = ftell(f) / 2;
    fseek(f, middle, SEEK_SET);
    const int c = fgetc(f);
    fseek(f, middle, SEEK_SET);
    fputc(c ^ 1, f);
    fclose(f);
}

static void damaged_checkpoints(void **state)
{
    (void)state;
    for (int both = 0; both < 2; both++) {
        rill_ctx *ctx = test_ctx(1);
        const char *out = in_own_folder(both ? "damaged2" : "damaged1");
        fake_fault.cancel_at = 25; /* frame 7: checkpoints of 4 and 6 are there */
        assert_int_equal(start(ctx, out, 0, false), RILL_CANCELLED);
        fake_fault.cancel_at = 0;
        rill_ctx_destroy(ctx);
        ctx = test_ctx(1);
        uint32_t frame[8];
        assert_int_equal(run_folder_checkpoints(ctx, out, frame, 8), 2);
        assert_true(frame[0] > frame[1]);
        for (int k = 0; k <= both; k++) {
            char path[300];
            snprintf(path, sizeof path, "%s/checkpoints/%04u.rill", out, frame[k]);
            damage(path);
        }
        assert_ok(ctx, resume(ctx, out, 0, NULL));
        same_run(ctx, reference(), out, 8);
        rill_ctx_destroy(ctx);
    }
}

static void folders_are_respected(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const char *out = in_own_folder("mine");
    assert_ok(ctx, start(ctx, out, 2, false));
    assert_int_equal(start(ctx, out, 2, false), RILL_USAGE);
    assert_non_null(strstr(rill_ctx_message(ctx), "--force"));
    assert_non_null(strstr(rill_ctx_message(ctx), "rill resume"));

    /* Held by another: not even with force. */
    const int lock = open(in_own_folder("mine/run.lock"), O_RDWR);
    assert_true(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0);
    assert_int_equal(start(ctx, out, 2, true), RILL_USAGE);
    assert_int_equal(resume(ctx, out, 0, NULL), RILL_USAGE);
    close(lock);

    /* Force removes what a run writes, and nothing else. */
    assert_ok(ctx, file_write_all(ctx, in_own_folder("mine/notes.txt"), "mine", 4));
    assert_ok(ctx, file_write_all(ctx, in_own_folder("mine/frames/my_0001.ply"), "mine", 4));
    assert_ok(ctx, file_write_all(ctx, in_own_folder("mine/frames/particles_0009.ply"), "old", 3));
    assert_ok(ctx, start(ctx, out, 2, true));
    assert_true(file_exists(in_own_folder("mine/notes.txt")));
    assert_true(file_exists(in_own_folder("mine/frames/my_0001.ply")));
    assert_false(file_exists(in_own_folder("mine/frames/particles_0009.ply")));

    /* A scene is not overwritten by its own run. */
    rill_scene scene = read_scene(ctx, 2);
    const run_options options = {.out = out, .force = true, .scene_file = in_own_folder("mine/scene.json")};
    run_result result;
    assert_int_equal(run_start(ctx, &scene, &options, &result), RILL_USAGE);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

static bool always(const rill_scene *scene)
{
    (void)scene;
    return true;
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = read_scene(ctx, 0);
    run_estimate e;
    assert_ok(ctx, run_estimate_make(ctx, &scene, &e));
    assert_int_equal(e.elements, 125);
    /* pi 0.2^2 x 3 m/s x 0.22 s in cells of 1e-3 m^3 */
    assert_true(e.emitted >= 82 && e.emitted <= 84);
    run_result result;
    run_options options = {.out = in_own_folder("never"), .free_memory = 1000000};
    assert_int_equal(run_start(ctx, &scene, &options, &result), RILL_NO_MEMORY);
    assert_non_null(strstr(rill_ctx_message(ctx), "spacing"));
    options = (run_options){.out = in_own_folder("never/deeper"), .free_disk = 100000};
    assert_int_equal(run_start(ctx, &scene, &options, &result), RILL_DISK);
    assert_non_null(strstr(rill_ctx_message(ctx), "spacing"));
    assert_false(file_exists(in_own_folder("never")));
    assert_true(machine_free_memory() > 1000000 && machine_free_memory() < UINT64_MAX);
    assert_true(machine_free_disk(in_own_folder("never/deeper")) < UINT64_MAX);
    assert_true(machine_free_disk("no/such") < UINT64_MAX);

    /* Of particles of several sizes it is not known how many there will be. */
    assert_false(e.at_most);
    const rill_method *const plain = scene.method;
    rill_method several = *plain;
    several.fewer = always;
    scene.method = &several;
    options = (run_options){.out = in_own_folder("never"), .free_memory = 1000000};
    assert_ok(ctx, run_estimate_make(ctx, &scene, &e));
    assert_true(e.at_most && e.elements == 125);
    assert_ok(ctx, run_estimate_check(ctx, &scene, &e, &options));
    options.free_memory = 100; /* not even for the places */
    assert_int_equal(run_estimate_check(ctx, &scene, &e, &options), RILL_NO_MEMORY);
    scene.method = plain;
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* A trial takes steps and counts; the estimate takes its times, and its count where that was not known. */
static void trials_correct_estimates(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = read_scene(ctx, 2);
    run_estimate e, several;
    run_trial trial;
    assert_ok(ctx, run_estimate_make(ctx, &scene, &e));
    assert_ok(ctx, run_trial_make(ctx, &scene, 0, &trial));
    assert_true(trial.steps == 2 && trial.elements >= 125 && trial.dt > 0 && trial.seconds_per_step > 0);
    several = e;
    several.at_most = true;
    several.elements = 1000;

    trial.seconds_per_step = 10;
    trial.seconds_per_frame = 7;
    run_estimate_correct(&e, &scene, &trial);
    const double frames = scene.time.frames + 1;
    assert_true(e.steps * trial.dt >= scene.time.frames / scene.time.fps * (1 - 1e-12));
    assert_true(e.seconds >= 10 * e.steps + 7 * frames && e.seconds <= 20 * e.steps + 8 * frames);
    run_estimate_correct(&several, &scene, &trial);
    assert_true(!several.at_most && several.elements == trial.elements);
    assert_true(several.seconds >= 10 * several.steps);

    trial.steps = 0; /* nothing was learnt */
    const run_estimate before = e;
    run_estimate_correct(&e, &scene, &trial);
    assert_memory_equal(&e, &before, sizeof e);

    rill_ctx_cancel(ctx);
    assert_int_equal(run_trial_make(ctx, &scene, 0, &trial), RILL_CANCELLED);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* Any allocation may fail: the run stops with a message, nothing leaks, and a resume or a
 * new start makes the same files. */
static void failing_allocations(void **state)
{
    (void)state;
    failing_allocator a = {0};
    rill_ctx *ctx = test_ctx_failing(1, &a);
    const char *out = in_own_folder("memory");
    for (uint64_t n = 1;; n += 1 + n / 8) {
        rill_scene scene = read_scene(ctx, 2);
        const uint64_t live = a.live;
        a.calls = 0;
        a.fail_at = n;
        const run_options options = {.out = out, .force = true};
        run_result result;
        const rill_status st = run_start(ctx, &scene, &options, &result);
        assert_int_equal(a.live, live);
        const bool done = a.calls < n;
        a.fail_at = 0;
        scene_clear(ctx, &scene);
        if (done) {
            assert_int_equal(st, RILL_OK);
            break;
        }
        if (st) assert_int_equal(st, RILL_NO_MEMORY);
        assert_false(file_exists(in_own_folder("memory/frames/.particles_0000.ply.tmp")));
    }
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_fill_the_frame),
        cmocka_unit_test(the_same_for_any_threads),
        cmocka_unit_test(records_are_right),
        cmocka_unit_test(cancel_and_resume),
        cmocka_unit_test(cancel_in_a_long_step),
        cmocka_unit_test(kill_and_resume),
        cmocka_unit_test(a_longer_run),
        cmocka_unit_test(before_frame_0),
        cmocka_unit_test(blow_up_and_retry),
        cmocka_unit_test(blow_up_for_good),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(damaged_checkpoints),
        cmocka_unit_test(folders_are_respected),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(trials_correct_estimates),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("run", tests, own_folder_make, own_folder_remove);
}
