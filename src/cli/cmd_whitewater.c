/* rill whitewater: spray, foam and bubbles for a run that is finished, from its frames. */
#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/frame_range.h"
#include "io/scene_file.h"
#include "run/frames.h"
#include "run/whiten.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const char *frames, *out;
    option_texts set;
    int64_t steps, threads;
} whitewater_options;

static const option options[] = {
    {"--set", OPTION_TEXTS, offsetof(whitewater_options, set), "PATH=VALUE",
     "change a value of the scene's \"whitewater\", as whitewater.life_max=8", 0, 0},
    {"--frames", OPTION_TEXT, offsetof(whitewater_options, frames), "A:B",
     "frames A to B, without any at the first, or with N alone up to frame N; all there are if not given", 0,
     0},
    {"--steps", OPTION_INTEGER, offsetof(whitewater_options, steps), "N",
     "steps between two frames, at most; 8 if not given", 1, 1000},
    {"--out", OPTION_TEXT, offsetof(whitewater_options, out), "DIR",
     "write the files there; if not given, beside the frames of the run", 0, 0},
    {"--threads", OPTION_INTEGER, offsetof(whitewater_options, threads), "N",
     "threads; all of the machine's if not given", 1, PARALLEL_MAX_THREADS},
    {0},
};

/* The run's scene with what was given; only its white water may differ. */
static rill_status read_scene(rill_ctx *ctx, const char *folder, const whitewater_options *given,
                              rill_scene *out)
{
    for (int k = 0; k < given->set.count; k++)
        if (strncmp(given->set.text[k], "whitewater.", 11) != 0 &&
            strncmp(given->set.text[k], "output.formats", 14) != 0)
            return rill_fail(ctx, RILL_USAGE,
                             "whitewater: \"%s\" changes no white water; paths begin with \"whitewater.\"",
                             given->set.text[k]);
    const scene_changes changes = {
        .set = given->set.text, .set_count = given->set.count, .of_run = true, .of_particles = true};
    return frames_scene_changed(ctx, folder, &changes, out);
}

static rill_status whiten_folder(rill_ctx *ctx, const char *folder, const whitewater_options *given)
{
    rill_scene scene = {0};
    whiten_report made = {0};
    whiten_def def = {.folder = folder,
                      .to = given->out,
                      .report = frame_progress,
                      .steps = given->steps ? (uint32_t)given->steps : 8};
    rill_status st = read_scene(ctx, folder, given, &scene);
    if (!st) st = frame_range_of_run(ctx, "whitewater", folder, given->frames, &def.from, &def.last);
    if (!st) {
        st = whiten(ctx, &scene, &def, &made);
        if (made.done)
            printf(
                "%u frames in %s%s: %llu particles made; in the last frame %llu of spray, %llu of foam, %llu "
                "bubbles\n",
                made.done, given->out ? given->out : folder, given->out ? "" : "/frames",
                (unsigned long long)made.made, (unsigned long long)made.kind[0],
                (unsigned long long)made.kind[1], (unsigned long long)made.kind[2]);
    }
    scene_clear(ctx, &scene);
    return st;
}

static int whitewater_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    whitewater_options given = {0};
    int count = 0;
    const rill_status st = options_parse(ctx, self, &given, argc, argv, &count);
    if (st) return cli_report(ctx, st);
    if (given.threads) ctx->def.threads = (int)given.threads;
    return cli_report(ctx, whiten_folder(ctx, argv[0], &given));
}

const command cmd_whitewater = {
    "whitewater", "DIR", "Spray, foam and bubbles for the frames of a run.", options, 1, 1, whitewater_main};
