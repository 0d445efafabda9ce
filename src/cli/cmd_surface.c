/* rill surface: the surfaces of a run folder once more, from its particles and without simulating. */
#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/frame_range.h"
#include "io/scene_file.h"
#include "run/frames.h"
#include "run/resurface.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const char *frames, *definition, *out;
    option_texts set;
    int64_t threads;
} surface_options;

static const option options[] = {
    {"--definition", OPTION_TEXT, offsetof(surface_options, definition), "WORD",
     "what the surface is: filtered, metaballs, zhu_bridson, distance, anisotropic, williams or "
     "williams_level; the "
     "scene's if not given",
     0, 0},
    {"--set", OPTION_TEXTS, offsetof(surface_options, set), "PATH=VALUE",
     "change a value of the scene's \"surface\", as surface.cell=0.3 or surface.smooth=10", 0, 0},
    {"--frames", OPTION_TEXT, offsetof(surface_options, frames), "A:B",
     "frames A to B, or with N alone up to frame N; all there are if not given", 0, 0},
    {"--out", OPTION_TEXT, offsetof(surface_options, out), "DIR",
     "write the surfaces there; if not given, they replace those of the run", 0, 0},
    {"--threads", OPTION_INTEGER, offsetof(surface_options, threads), "N",
     "threads; all of the machine's if not given", 1, PARALLEL_MAX_THREADS},
    {0},
};

/* The run's scene with what was given; only how the surface is made may differ. */
static rill_status read_scene(rill_ctx *ctx, const char *folder, const surface_options *given,
                              rill_scene *out)
{
    const char *set[OPTION_MAX_TEXTS + 1];
    char word[96];
    int count = 0;
    for (int k = 0; k < given->set.count; k++) {
        const char *s = given->set.text[k];
        if (strncmp(s, "surface.", 8) != 0 && strncmp(s, "output.formats", 14) != 0)
            return rill_fail(
                ctx, RILL_USAGE,
                "surface: \"%s\" does not change how a surface is made; paths begin with \"surface.\"", s);
        set[count++] = s;
    }
    if (given->definition) {
        if (strpbrk(given->definition, "\"\\") || strlen(given->definition) > 40)
            return rill_fail(ctx, RILL_USAGE,
                             "surface: \"%.40s\" is no definition; rill surface --help names them",
                             given->definition);
        snprintf(word, sizeof word, "surface.definition=\"%s\"", given->definition);
        set[count++] = word;
    }
    const scene_changes changes = {.set = set, .set_count = count, .of_run = true, .of_particles = true};
    return frames_scene_changed(ctx, folder, &changes, out);
}

static void report(const char *folder, const char *out, const resurface_report *r)
{
    if (r->missing)
        fprintf(stderr, "%s: missing frames: %u, the first of them %u\n", folder, r->missing,
                r->first_missing);
    if (r->bare)
        fprintf(stderr, "%s: frames without particles, which %s: %u, the first of them %u\n", folder,
                out ? "get no surface" : "keep the surface they have", r->bare, r->first_bare);
    if (r->done) printf("%u surfaces in %s%s\n", r->done, out ? out : folder, out ? "" : "/frames");
}

static rill_status surface_folder(rill_ctx *ctx, const char *folder, const surface_options *given)
{
    rill_scene scene = {0};
    resurface_def def = {
        .folder = folder, .to = given->out, .report = frame_progress, .defined = given->definition != NULL};
    resurface_report made = {0};
    rill_status st = read_scene(ctx, folder, given, &scene);
    if (!st) st = frame_range_of_run(ctx, "surface", folder, given->frames, &def.from, &def.last);
    if (!st) {
        st = resurface(ctx, &scene, &def, &made);
        report(folder, given->out, &made);
    }
    scene_clear(ctx, &scene);
    return st;
}

static int surface_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    surface_options given = {0};
    int count = 0;
    const rill_status st = options_parse(ctx, self, &given, argc, argv, &count);
    if (st) return cli_report(ctx, st);
    if (given.threads) ctx->def.threads = (int)given.threads;
    return cli_report(ctx, surface_folder(ctx, argv[0], &given));
}

const command cmd_surface = {"surface",   "DIR", "Makes the surfaces of a run folder again, in another way.",
                             options,     1,     1,
                             surface_main};
