/* rill volume: the fields of a finished run on sparse grids, as .vdb files. */
#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/frame_range.h"
#include "run/frames.h"
#include "run/volumes.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    const char *frames, *out, *cell;
    int64_t threads;
} volume_options;

static const option options[] = {
    {"--cell", OPTION_TEXT, offsetof(volume_options, cell), "SPACINGS",
     "cell of the grid; the scene's volume.cell if not given", 0, 0},
    {"--frames", OPTION_TEXT, offsetof(volume_options, frames), "A:B",
     "frames A to B, or with N alone up to frame N; all there are if not given", 0, 0},
    {"--out", OPTION_TEXT, offsetof(volume_options, out), "DIR",
     "write the files there; if not given, beside the frames of the run", 0, 0},
    {"--threads", OPTION_INTEGER, offsetof(volume_options, threads), "N",
     "threads; all of the machine's if not given", 1, PARALLEL_MAX_THREADS},
    {0},
};

static rill_status set_cell(rill_ctx *ctx, const char *word, rill_scene *scene)
{
    char *end = NULL;
    const double cell = word ? strtod(word, &end) : scene->volume.cell;
    if (word && (*end || end == word || !(cell >= 0.1 && cell <= 16)))
        return rill_fail(ctx, RILL_USAGE, "volume: --cell takes 0.1 to 16 spacings, not \"%s\"", word);
    scene->volume.cell = cell;
    return RILL_OK;
}

static rill_status volumes(rill_ctx *ctx, const char *folder, const volume_options *given)
{
    rill_scene scene = {0};
    volumes_def def = {.folder = folder, .to = given->out, .report = frame_progress};
    uint32_t done = 0;
    rill_status st = frames_scene(ctx, folder, &scene);
    if (!st) st = set_cell(ctx, given->cell, &scene);
    if (!st) st = frame_range_of_run(ctx, "volume", folder, given->frames, &def.from, &def.last);
    if (!st) st = volumes_of_run(ctx, &scene, &def, &done);
    if (done)
        printf("%u volumes in %s%s\n", done, given->out ? given->out : folder, given->out ? "" : "/frames");
    scene_clear(ctx, &scene);
    return st;
}

static int volume_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    volume_options given = {0};
    int count = 0;
    const rill_status st = options_parse(ctx, self, &given, argc, argv, &count);
    if (st) return cli_report(ctx, st);
    if (given.threads) ctx->def.threads = (int)given.threads;
    return cli_report(ctx, volumes(ctx, argv[0], &given));
}

const command cmd_volume = {
    "volume", "DIR",      "Fields of the frames of a run on sparse grids, as .vdb files.", options, 1,
    1,        volume_main};
