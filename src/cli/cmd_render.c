/* rill render: pictures of a run folder once more, with another look, size or frames.
 *
 * Reads DIR/scene.json and DIR/frames, writes DIR/images and, when asked, DIR/video.mp4.
 * The simulation's own files are left alone, so that it may be called while a run goes
 * on. */
#include "base/parallel.h"
#include "base/plain.h"
#include "cli/commands.h"
#include "cli/frame_range.h"
#include "io/file.h"
#include "render/path/path.h"
#include "render/render.h"
#include "run/folder.h"
#include "run/frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *frames, *look, *color, *slice, *range, *quality, *exr;
    int64_t width, height, samples, threads;
    bool video, iso;
} render_options;

static const option options[] = {
    {"--frames", OPTION_TEXT, offsetof(render_options, frames), "A:B",
     "frames A to B, or with N alone up to frame N; all there are if not given", 0, 0},
    {"--look", OPTION_TEXT, offsetof(render_options, look), "LOOK",
     "surface, particles, tracers alone, or volume (tracers as smoke), the scene's if not given; of a cut: "
     "cells (the method's own, if "
     "the "
     "run has written them), voronoi (the particles'), tets or particles",
     0, 0},
    {"--iso", OPTION_FLAG, offsetof(render_options, iso), NULL,
     "the liquid's surface by casting rays at the particles' field, without a mesh", 0, 0},
    {"--color", OPTION_TEXT, offsetof(render_options, color), "COLUMN",
     "what colours particles and cells: speed, vx, density, pressure, ...; implies --look particles", 0, 0},
    {"--range", OPTION_TEXT, offsetof(render_options, range), "A:B",
     "the colours' range; if not given, fitted to the data", 0, 0},
    {"--slice", OPTION_TEXT, offsetof(render_options, slice), "PLANE",
     "a cut at x=0.5, y=..., z=... or through the middle (x, y, z), into DIR/slices", 0, 0},
    {"--width", OPTION_INTEGER, offsetof(render_options, width), "N", "pixels; the scene's if not given", 1,
     16384},
    {"--height", OPTION_INTEGER, offsetof(render_options, height), "N", "pixels; the scene's if not given", 1,
     16384},
    {"--samples", OPTION_INTEGER, offsetof(render_options, samples), "N",
     "rays a pixel: of previews a square number, 4 if not given; of final quality the most, the scene's if "
     "not given",
     1, 1000000},
    {"--quality", OPTION_TEXT, offsetof(render_options, quality), "QUALITY",
     "preview, or final: materials, refraction, indirect light; the scene's if not given", 0, 0},
    {"--exr", OPTION_TEXT, offsetof(render_options, exr), "KIND",
     "of final quality: linear light beside each picture as DIR/images/0000.exr, with half or float numbers",
     0, 0},
    {"--video", OPTION_FLAG, offsetof(render_options, video), NULL,
     "then makes DIR/video.mp4 of these frames", 0, 0},
    {"--threads", OPTION_INTEGER, offsetof(render_options, threads), "N",
     "threads; all of the machine's if not given", 1, PARALLEL_MAX_THREADS},
    {0},
};

static rill_status no_path(rill_ctx *ctx, const char *folder)
{
    return mem_failed(ctx, strlen(folder) + 64, 1);
}

/* slice: NULL for a view. */
static rill_status render_frame(rill_ctx *ctx, const char *folder, const rill_scene *scene,
                                const render_def *def, const slice_def *slice, bool iso, uint32_t frame)
{
    image picture = {0};
    char *path = run_file_path(ctx, folder, slice ? RUN_SLICES : RUN_IMAGES, frame);
    rill_status st = path ? RILL_OK : no_path(ctx, folder);
    if (!st)
        st = slice ? frame_slice(ctx, folder, scene, slice, frame, &picture)
             : iso ? frame_draw_field(ctx, folder, scene, def, frame, &picture)
                   : frame_draw(ctx, folder, scene, def, frame, &picture);
    if (!st) st = image_write_png(ctx, path, &picture);
    image_clear(ctx, &picture);
    mem_free(ctx, path);
    return st;
}

/* A picture of final quality, as PNG and, when it is asked for, in linear light. */
static rill_status render_final(rill_ctx *ctx, const char *folder, const rill_scene *scene,
                                const render_options *given, const path_def *def, int look, uint32_t frame)
{
    path_picture light = {0};
    image picture = {0};
    char *path = run_file_path(ctx, folder, RUN_IMAGES, frame), *linear = path ? mem_text(ctx, path) : NULL;
    rill_status st = linear ? RILL_OK : no_path(ctx, folder);
    if (!st) st = frame_draw_final(ctx, folder, scene, def, look, frame, &light);
    if (!st && given->exr) {
        memcpy(linear + strlen(linear) - 3, "exr", 3); /* instead of png */
        st = picture_write_exr(ctx, linear, &light, strcmp(given->exr, "half") == 0);
    }
    if (!st) st = path_develop(ctx, &light, scene->render.exposure, &picture);
    if (!st) st = image_write_png(ctx, path, &picture);
    picture_clear(ctx, &light);
    image_clear(ctx, &picture);
    mem_free(ctx, path);
    mem_free(ctx, linear);
    return st;
}

static void tell(uint32_t frame, uint32_t last)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\rframe %u of %u%s", frame, last, frame == last ? "\n" : "");
    else
        fprintf(stderr, "frame %u of %u\n", frame, last);
}

static rill_status make_video(rill_ctx *ctx, const char *folder, const rill_scene *scene, const char *images,
                              uint32_t from, uint32_t to)
{
    char *path = path_join(ctx, folder, "video.mp4");
    if (!path) return no_path(ctx, folder);
    const rill_status st = video_write(ctx, images, from, to - from + 1, scene->time.fps, path);
    if (!st) printf("%s\n", path);
    mem_free(ctx, path);
    return st;
}

static rill_status render_listed(rill_ctx *ctx, const char *folder, const rill_scene *scene,
                                 const render_options *given, const render_def *def, const slice_def *slice,
                                 const path_def *final, const frame_list *list)
{
    uint32_t from = list->frame[0], to = list->frame[list->count - 1], done = 0, first = 0, last = 0;
    if (given->frames) TRY(frame_range_parse(ctx, "render", given->frames, to, &from, &to));
    char *images = path_join(ctx, folder, slice ? "slices" : "images");
    rill_status st = images ? folder_create(ctx, images) : no_path(ctx, folder);
    for (uint32_t k = 0; !st && k < list->count; k++) {
        const uint32_t frame = list->frame[k];
        if (frame < from || frame > to) continue;
        if (rill_cancelled(ctx)) {
            st = rill_fail(ctx, RILL_CANCELLED, "stopped before frame %u", frame);
            break;
        }
        st = final ? render_final(ctx, folder, scene, given, final, def->look, frame)
                   : render_frame(ctx, folder, scene, def, slice, given->iso, frame);
        if (st == RILL_BAD_FILE) { /* the others may be sound */
            rill_log(ctx, RILL_LOG_WARNING, "%s; no picture of it", rill_ctx_message(ctx));
            st = RILL_OK;
            continue;
        }
        if (st) break;
        tell(frame, to);
        if (!done++) first = frame;
        last = frame;
    }
    if (!st && !done)
        st = rill_fail(ctx, RILL_BAD_FILE, "%s: of the frames %u to %u none can be drawn", folder, from, to);
    if (!st) printf("%s/%04u.png to %04u.png\n", images, first, last);
    if (!st && given->video) st = make_video(ctx, folder, scene, images, first, last);
    mem_free(ctx, images);
    return st;
}

/* "A:B" as numbers. */
static rill_status parse_range(rill_ctx *ctx, const char *given, double *low, double *high)
{
    char *end;
    const locale_t before = plain_begin();
    *low = strtod(given, &end);
    bool good = end != given && *end == ':';
    const char *second = good ? end + 1 : given;
    *high = strtod(second, &end);
    good = good && end != second && !*end && isfinite(*low) && isfinite(*high) && *low < *high;
    plain_end(before);
    if (good) return RILL_OK;
    return rill_fail(ctx, RILL_USAGE, "render: --range takes A:B, a smaller and a larger number, not \"%s\"",
                     given);
}

/* What the options make of the scene's own picture. */
static rill_status choose_look(rill_ctx *ctx, const render_options *given, render_def *def, slice_kind *kind)
{
    static const char *const cuts[] = {"cells", "voronoi", "tets", "particles"}; /* as slice_kind counts */
    if (given->width) def->width = (int)given->width;
    if (given->height) def->height = (int)given->height;
    if (given->samples) def->samples = (int)given->samples;
    if (given->color) {
        def->column = given->color;
        def->look = LOOK_PARTICLES;
        if (strcmp(given->color, "speed") != 0) def->low = def->high = 0;
    }
    if (given->range) TRY(parse_range(ctx, given->range, &def->low, &def->high));
    if (given->slice && given->iso)
        return rill_fail(ctx, RILL_USAGE, "render: --iso and --slice exclude each other");
    if (!given->look) return RILL_OK;
    for (int k = 0; given->slice && k < 4; k++)
        if (strcmp(given->look, cuts[k]) == 0) {
            *kind = (slice_kind)k;
            return RILL_OK;
        }
    if (given->slice)
        return rill_fail(ctx, RILL_USAGE,
                         "render: --look of a cut is cells, voronoi, tets or particles, not \"%s\"",
                         given->look);
    static const char *const looks[] = {"surface", "particles", "tracers", "volume"}; /* as LOOK_ counts */
    for (int k = 0; k < 4; k++)
        if (strcmp(given->look, looks[k]) == 0) {
            def->look = k;
            return RILL_OK;
        }
    return rill_fail(ctx, RILL_USAGE, "render: --look is surface, particles, tracers or volume, not \"%s\"",
                     given->look);
}

/* Whether final quality is asked for, by the options or the scene. */
static rill_status choose_quality(rill_ctx *ctx, const render_options *given, const rill_scene *scene,
                                  bool *final)
{
    if (given->quality && strcmp(given->quality, "preview") != 0 && strcmp(given->quality, "final") != 0)
        return rill_fail(ctx, RILL_USAGE, "render: --quality is preview or final, not \"%s\"",
                         given->quality);
    if (given->exr && strcmp(given->exr, "half") != 0 && strcmp(given->exr, "float") != 0)
        return rill_fail(ctx, RILL_USAGE, "render: --exr is half or float, not \"%s\"", given->exr);
    const bool other = given->slice || given->iso;
    *final = given->quality ? strcmp(given->quality, "final") == 0
                            : scene->render.quality == QUALITY_FINAL && !other && scene->dimensions == 3;
    if (*final && other)
        return rill_fail(ctx, RILL_USAGE, "render: --slice and --iso are drawn as previews only");
    if (given->exr && !*final) return rill_fail(ctx, RILL_USAGE, "render: --exr needs --quality final");
    return RILL_OK;
}

static rill_status render_folder(rill_ctx *ctx, const char *folder, const rill_scene *scene,
                                 const render_options *given)
{
    render_def def = render_def_of_scene(scene);
    slice_kind kind = SLICE_CELLS;
    bool final = false;
    TRY(choose_look(ctx, given, &def, &kind));
    TRY(choose_quality(ctx, given, scene, &final));
    path_def best = path_def_of_scene(scene);
    best.width = def.width, best.height = def.height;
    best.column = def.column, best.low = def.low, best.high = def.high;
    if (given->samples) best.samples = (int)given->samples;
    frame_list list;
    TRY(frames_list(ctx, folder, &list));
    slice_def slice = {.kind = kind,
                       .column = def.column,
                       .low = def.low,
                       .high = def.high,
                       .width = def.width,
                       .height = def.height};
    rill_status st = RILL_OK;
    if (given->slice)
        st = slice_parse(ctx, given->slice, (rill_box){scene->domain.min, scene->domain.max}, &slice);
    if (!st)
        st = render_listed(ctx, folder, scene, given, &def, given->slice ? &slice : NULL,
                           final ? &best : NULL, &list);
    frames_clear(ctx, &list);
    return st;
}

static int render_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    render_options given = {0};
    int count = 0;
    rill_scene scene = {0};
    rill_status st = options_parse(ctx, self, &given, argc, argv, &count);
    if (st) return cli_report(ctx, st);
    if (given.threads) ctx->def.threads = (int)given.threads;

    st = frames_scene(ctx, argv[0], &scene);
    if (!st) st = render_folder(ctx, argv[0], &scene, &given);
    scene_clear(ctx, &scene);
    return cli_report(ctx, st);
}

const command cmd_render = {"render", "DIR",      "Makes the pictures of a run folder again.", options, 1,
                            1,        render_main};
