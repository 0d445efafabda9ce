/* rill render: pictures of a run folder once more, with another look, size or frames.
 *
 * Reads DIR/scene.json and DIR/frames, writes DIR/images and, when asked, DIR/video.mp4.
 * The simulation's own files are left alone, so that it may be called while a run goes
 * on. Pictures of final quality carry a key of all that they are made of: those that are there already
 * are not made again, so that a command that was stopped goes on where it was. */
#include "base/hash.h"
#include "base/parallel.h"
#include "base/plain.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/frame_range.h"
#include "cli/progress.h"
#include "io/file.h"
#include "io/scene_file.h"
#include "render/path/path.h"
#include "render/render.h"
#include "run/folder.h"
#include "run/frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    const char *frames, *look, *color, *slice, *range, *quality, *exr;
    int64_t width, height, samples, threads;
    bool video, iso, draft, again;
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
    {"--draft", OPTION_FLAG, offsetof(render_options, draft), NULL,
     "small previews without shadows and refraction", 0, 0},
    {"--again", OPTION_FLAG, offsetof(render_options, again), NULL,
     "of final quality: also frames whose picture is there already, made of the same files and scene", 0, 0},
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

/* A frame's picture of final quality: where it goes, and the key of all that it is made of. */
typedef struct {
    char *png, *exr;
    char key[32];
} final_files;

static void final_files_clear(rill_ctx *ctx, final_files *f)
{
    mem_free(ctx, f->png);
    mem_free(ctx, f->exr);
}

/* The scene, the options, and which files the frame has: their sizes and when they were written. */
static rill_status final_key(rill_ctx *ctx, const char *folder, const rill_scene *scene, const path_def *def,
                             int look, uint32_t frame, char key[32])
{
    text t;
    uint64_t hash = 0;
    text_init(&t, ctx);
    rill_status st = scene_hash(ctx, scene, &hash);
    text_print(&t, "%s %llx %d %d %d %d %s %a %a\n", RILL_VERSION, (unsigned long long)hash, def->width,
               def->height, def->samples, look, def->column ? def->column : "", def->low, def->high);
    for (int part = 0; part < FRAME_PARTS && !st; part++) {
        char *frames = path_join(ctx, folder, "frames"),
             *path = frames ? frame_file_path(ctx, frames, (frame_part)part, frame, "ply") : NULL;
        struct stat s;
        if (!path) st = no_path(ctx, folder);
        if (path && stat(path, &s) == 0)
            text_print(&t, "%d %lld %lld %ld\n", part, (long long)s.st_size, (long long)s.st_mtim.tv_sec,
                       (long)s.st_mtim.tv_nsec);
        mem_free(ctx, frames);
        mem_free(ctx, path);
    }
    if (!st) st = text_check(&t);
    if (!st) snprintf(key, 32, "%016llx", (unsigned long long)hash_bytes(t.data, t.length, 0));
    text_clear(&t);
    return st;
}

static rill_status final_files_find(rill_ctx *ctx, const char *folder, const rill_scene *scene,
                                    const path_def *def, int look, uint32_t frame, final_files *out)
{
    final_files f = {.png = run_file_path(ctx, folder, RUN_IMAGES, frame)};
    f.exr = f.png ? mem_text(ctx, f.png) : NULL;
    rill_status st = f.exr ? final_key(ctx, folder, scene, def, look, frame, f.key) : no_path(ctx, folder);
    if (!st) memcpy(f.exr + strlen(f.exr) - 3, "exr", 3); /* instead of png */
    if (st)
        final_files_clear(ctx, &f);
    else
        *out = f;
    return st;
}

static bool is_made(const render_options *given, const final_files *f)
{
    char note[32];
    return !given->again && image_note(f->png, note, sizeof note) && strcmp(note, f->key) == 0 &&
           (!given->exr || file_exists(f->exr));
}

/* A picture of final quality, as PNG and, when it is asked for, in linear light. */
static rill_status render_final(rill_ctx *ctx, const char *folder, const rill_scene *scene,
                                const render_options *given, const path_def *def, int look, uint32_t frame,
                                bool *made)
{
    final_files f = {0};
    path_picture light = {0};
    image picture = {0};
    rill_status st = final_files_find(ctx, folder, scene, def, look, frame, &f);
    *made = !st && !is_made(given, &f);
    if (*made) {
        st = frame_draw_final(ctx, folder, scene, def, look, frame, &light);
        if (!st && given->exr) st = picture_write_exr(ctx, f.exr, &light, strcmp(given->exr, "half") == 0);
        if (!st) st = path_develop(ctx, &light, scene->render.exposure, &picture);
        if (!st) st = image_write_noted(ctx, f.png, &picture, f.key);
    }
    picture_clear(ctx, &light);
    image_clear(ctx, &picture);
    final_files_clear(ctx, &f);
    return st;
}

/* How far the command is. */
typedef struct {
    double since;
    uint32_t made, kept, left; /* pictures; frames still to come */
} headway;

static void report_progress(const headway *h, uint32_t frame, uint32_t last)
{
    char time[32], left[64] = "";
    if (h->left && h->made) {
        seconds_text((clock_seconds() - h->since) / h->made * h->left, time, sizeof time);
        snprintf(left, sizeof left, ", about %s left", time);
    }
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\rframe %u of %u%s\x1b[K%s", frame, last, left, h->left ? "" : "\n");
    else
        fprintf(stderr, "frame %u of %u%s\n", frame, last, left);
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

/* What to draw of each frame: a picture of final quality, a cut, or a preview. */
typedef struct {
    const rill_scene *scene;
    const render_options *given;
    const render_def *def;
    const slice_def *slice; /* NULL: no cut */
    const path_def *final;  /* NULL: a preview */
} drawing;

/* RILL_BAD_FILE is reported and the next frame drawn. *drawn: a picture is there. */
static rill_status render_one(rill_ctx *ctx, const char *folder, const drawing *d, uint32_t frame, headway *h,
                              bool *drawn)
{
    bool made = true;
    *drawn = false;
    if (rill_cancelled(ctx)) return rill_fail(ctx, RILL_CANCELLED, "stopped before frame %u", frame);
    const rill_status st =
        d->final ? render_final(ctx, folder, d->scene, d->given, d->final, d->def->look, frame, &made)
                 : render_frame(ctx, folder, d->scene, d->def, d->slice, d->given->iso, frame);
    if (st == RILL_BAD_FILE) {
        rill_log(ctx, RILL_LOG_WARNING, "%s; no picture of it", rill_ctx_message(ctx));
        return RILL_OK;
    }
    if (st) return st;
    *drawn = true;
    if (made)
        h->made++;
    else
        h->kept++;
    return RILL_OK;
}

static rill_status render_listed(rill_ctx *ctx, const char *folder, const drawing *d, const frame_list *list)
{
    uint32_t from = list->frame[0], to = list->frame[list->count - 1], done = 0, first = 0, last = 0;
    if (d->given->frames) TRY(frame_range_parse(ctx, "render", d->given->frames, to, &from, &to));
    char *images = path_join(ctx, folder, d->slice ? "slices" : "images");
    rill_status st = images ? folder_create(ctx, images) : no_path(ctx, folder);
    headway h = {.since = clock_seconds()};
    for (uint32_t k = 0; k < list->count; k++) h.left += list->frame[k] >= from && list->frame[k] <= to;
    for (uint32_t k = 0; !st && k < list->count; k++) {
        const uint32_t frame = list->frame[k];
        bool drawn;
        if (frame < from || frame > to) continue;
        st = render_one(ctx, folder, d, frame, &h, &drawn);
        h.left--;
        if (st || !drawn) continue;
        report_progress(&h, frame, to);
        if (!done++) first = frame;
        last = frame;
    }
    if (!st && !done)
        st = rill_fail(ctx, RILL_BAD_FILE, "%s: of the frames %u to %u none can be drawn", folder, from, to);
    if (!st && h.kept) printf("%u of them were there already; --again makes them again\n", h.kept);
    if (!st) printf("%s/%04u.png to %04u.png\n", images, first, last);
    if (!st && d->given->video) st = make_video(ctx, folder, d->scene, images, first, last);
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
    if (given->draft) render_def_draft(def);
    if (given->samples) def->samples = (int)given->samples;
    if (given->color) {
        def->column = given->color;
        def->look = LOOK_PARTICLES;
        def->own = false;
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
    const bool other = given->slice || given->iso || given->draft;
    *final = given->quality ? strcmp(given->quality, "final") == 0
                            : scene->render.quality == QUALITY_FINAL && !other && scene->dimensions == 3;
    if (*final && other)
        return rill_fail(ctx, RILL_USAGE, "render: --slice, --iso and --draft are drawn as previews only");
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
    best.column = def.column, best.low = def.low, best.high = def.high, best.own = def.own;
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
        st = render_listed(ctx, folder,
                           &(drawing){.scene = scene,
                                      .given = given,
                                      .def = &def,
                                      .slice = given->slice ? &slice : NULL,
                                      .final = final ? &best : NULL},
                           &list);
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
