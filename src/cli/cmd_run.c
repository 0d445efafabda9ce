/* rill run, and the summary it shares with rill resume. */
#include "base/text.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/summary.h"
#include "cli/viewing.h"
#include "io/scene_file.h"
#include "run/driver.h"
#include "run/registry.h"
#include "run/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct run_values {
    const char *out, *method;
    int64_t frames, threads;
    option_texts set;
    bool render, no_render, draft, estimate, json, force, quiet, view;
} run_values;

/* Of steps in a trial. */
static const double trial_seconds = 4;

static const option run_table[] = {
    {"--out", OPTION_TEXT, offsetof(run_values, out), "DIR",
     "the run's folder (default: out/ and the scene's name)", 0, 0},
    {"--method", OPTION_TEXT, offsetof(run_values, method), "M", "use this method instead of the scene's", 0,
     0},
    {"--frames", OPTION_INTEGER, offsetof(run_values, frames), "N",
     "up to frame N instead of the scene's last", 1, 1000000},
    {"--threads", OPTION_INTEGER, offsetof(run_values, threads), "N", "threads (default: all)", 1, 256},
    {"--set", OPTION_TEXTS, offsetof(run_values, set), "PATH=VALUE",
     "change a value of the scene, as sph.cfl=0.3", 0, 0},
    {"--render", OPTION_FLAG, offsetof(run_values, render), NULL,
     "draw images even if the scene does not ask for them", 0, 0},
    {"--no-render", OPTION_FLAG, offsetof(run_values, no_render), NULL, "draw no images", 0, 0},
    {"--draft", OPTION_FLAG, offsetof(run_values, draft), NULL,
     "draw small images without shadows and refraction, quickly; rill render makes better ones later", 0, 0},
    {"--estimate", OPTION_FLAG, offsetof(run_values, estimate), NULL,
     "time the first steps and a picture, print what the whole run would take, and stop", 0, 0},
    {"--json", OPTION_FLAG, offsetof(run_values, json), NULL, "the answer as JSON", 0, 0},
    {"--force", OPTION_FLAG, offsetof(run_values, force), NULL, "replace a run that is in the folder", 0, 0},
    {"--quiet", OPTION_FLAG, offsetof(run_values, quiet), NULL, "no progress", 0, 0},
    {"--view", OPTION_FLAG, offsetof(run_values, view), NULL,
     "watch it grow in the browser, as rill view does", 0, 0},
    {0},
};

/* out/NAME for .../NAME.json */
static rill_status default_folder(rill_ctx *ctx, const char *scene, text *out)
{
    const char *slash = strrchr(scene, '/'), *name = slash ? slash + 1 : scene;
    size_t n = strlen(name);
    if (n > 5 && strcmp(name + n - 5, ".json") == 0) n -= 5;
    bool dots = true; /* "...json" would be out/.., the folder one is in */
    for (size_t k = 0; k < n; k++) dots = dots && name[k] == '.';
    if (dots)
        return rill_fail(ctx, RILL_USAGE, "run: \"%s\" gives the run no name; give it a folder with --out",
                         name);
    text_add(out, "out/");
    text_bytes(out, name, n);
    return text_check(out);
}

static void print_estimate(const rill_scene *scene, const run_estimate *e, const char *out, bool json)
{
    const uint64_t memory = machine_free_memory(), disk = machine_free_disk(out);
    if (json) {
        printf("{\"%s\":%llu,\"at_most\":%s,\"emitted\":%llu,\"memory_bytes\":%.0f,\"free_memory_"
               "bytes\":%.0f,"
               "\"frame_bytes\":%.0f,\"disk_bytes\":%.0f,\"free_disk_bytes\":%.0f",
               method_elements_word(scene->method), (unsigned long long)e->elements,
               e->at_most ? "true" : "false", (unsigned long long)e->emitted, e->memory, (double)memory,
               e->frame_disk, e->disk, (double)disk);
        if (isfinite(e->seconds)) printf(",\"steps\":%.0f,\"seconds\":%.1f", e->steps, e->seconds);
        printf("}\n");
        return;
    }
    char a[32], b[32], c[32];
    const char *about = e->at_most ? "at most" : "about";
    printf("method     %s\n%-9s  %s%llu%s", scene->method->name, method_elements_word(scene->method),
           e->at_most ? "at most " : "", (unsigned long long)e->elements,
           e->at_most ? ", were all of the finest size" : "");
    if (e->emitted) printf(", and up to %llu emitted", (unsigned long long)e->emitted);
    bytes_text(e->memory, a, sizeof a);
    bytes_text((double)memory, b, sizeof b);
    printf("\nmemory     %s %s; %s are free\n", about, a, b);
    bytes_text(e->disk, a, sizeof a);
    bytes_text(e->frame_disk, b, sizeof b);
    bytes_text((double)disk, c, sizeof c);
    printf("disk       %s %s (%s a frame); %s are free\n", about, a, b, c);
    if (isfinite(e->seconds)) {
        seconds_text(e->seconds, a, sizeof a);
        seconds_text(e->frame_seconds * (scene->time.frames + 1), b, sizeof b);
        printf("time       %s %s for %.0f steps, %s of it for surfaces, images and files\n", about, a,
               e->steps, b);
    }
}

void summary_print(const char *folder, const run_result *r, bool json)
{
    if (json) {
        text t;
        rill_ctx_def def = rill_ctx_def_default();
        rill_ctx *ctx = NULL;
        if (rill_ctx_create(&def, &ctx) != RILL_OK) return;
        text_init(&t, ctx);
        text_add(&t, "{\"out\":");
        text_quoted(&t, folder);
        text_print(&t, ",\"frames\":%u,\"steps\":%llu,\"elements\":%llu,\"t\":", r->frame,
                   (unsigned long long)r->step, (unsigned long long)r->elements);
        text_number(&t, r->time);
        text_print(&t, ",\"wall_s\":%.3f,\"video\":%s}", r->wall_s, r->video ? "true" : "false");
        if (!t.failed) puts(t.data);
        text_clear(&t);
        rill_ctx_destroy(ctx);
        return;
    }
    char time[32];
    seconds_text(r->wall_s, time, sizeof time);
    printf("%u frames, %llu elements, %llu steps in %s\n", r->frame, (unsigned long long)r->elements,
           (unsigned long long)r->step, time);
    printf("frames  %s/frames\n", folder);
    if (r->images) printf("images  %s/images\n", folder);
    if (r->video) printf("video   %s/video.mp4\n", folder);
}

static rill_status read_scene(rill_ctx *ctx, const char *path, const run_values *v, rill_scene *scene)
{
    const char *set[OPTION_MAX_TEXTS + 2];
    int count = 0;
    for (; count < v->set.count; count++) set[count] = v->set.text[count];
    if (v->draft) set[count++] = "output.draft=true";
    if (v->render || v->no_render) set[count++] = v->render ? "output.images=true" : "output.images=false";
    const scene_changes changes = {.method = v->method, .frames = v->frames, .set = set, .set_count = count};
    return scene_read(ctx, path, rill_methods, rill_method_count, &changes, scene);
}

static rill_status run_or_estimate(rill_ctx *ctx, const char *scene_file, const char *out,
                                   const run_values *v, const rill_scene *scene)
{
    if (v->estimate) {
        run_estimate e;
        run_trial trial;
        const run_options to = {.out = out};
        TRY(run_estimate_make(ctx, scene, &e));
        if (run_estimate_check(ctx, scene, &e, &to) == RILL_OK) { /* what does not fit is not tried */
            TRY(run_trial_make(ctx, scene, trial_seconds, &trial));
            run_estimate_correct(&e, scene, &trial);
        }
        print_estimate(scene, &e, out, v->json);
        return RILL_OK;
    }
    const run_options options = {
        .out = out, .scene_file = scene_file, .force = v->force, .stop = interrupt_stop};
    run_result result = {0};
    cli_progress progress;
    progress_attach(ctx, &progress, v->quiet);
    interrupt_of_run(out);
    const rill_status st = run_start(ctx, scene, &options, &result);
    interrupt_of_run(NULL);
    progress_detach(ctx, &progress);
    if (!st) summary_print(out, &result, v->json);
    return st;
}

static int run_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    run_values v = {0};
    int count;
    viewing_run words = {0}; /* the command line as it was: parsing moves it about */
    viewing_words(&words, argc, argv);
    rill_status st = options_parse(ctx, self, &v, argc, argv, &count);
    if (!st && v.render && v.no_render)
        st = rill_fail(ctx, RILL_USAGE, "run: --render and --no-render exclude each other");
    if (st) return cli_report(ctx, st);
    if (v.threads) ctx->def.threads = (int)v.threads;

    text folder;
    text_init(&folder, ctx);
    rill_scene scene = {0};
    if (v.out)
        text_add(&folder, v.out);
    else
        st = default_folder(ctx, argv[0], &folder);
    if (!st) st = text_check(&folder);
    if (!st && folder.length == 0) st = rill_fail(ctx, RILL_USAGE, "run: --out needs a folder");
    if (!st) st = read_scene(ctx, argv[0], &v, &scene);
    if (!st && v.view && !v.estimate) {
        const int ended = viewing_start(ctx, &words, folder.data, v.force);
        scene_clear(ctx, &scene);
        text_clear(&folder);
        return ended;
    }
    if (!st) st = run_or_estimate(ctx, argv[0], folder.data, &v, &scene);
    const int code = cli_report(ctx, st);
    scene_clear(ctx, &scene);
    text_clear(&folder);
    return code;
}

const command cmd_run = {"run", "SCENE", "Simulates a scene.", run_table, 1, 1, run_main};
