/* rill render: pictures of a run folder once more, with another look, size or frames.
 *
 * Reads DIR/scene.json and DIR/frames, writes DIR/images and, when asked, DIR/video.mp4.
 * The simulation's own files are left alone, so that it may be called while a run goes
 * on. */
#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/frame_range.h"
#include "io/file.h"
#include "render/render.h"
#include "run/frames.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *frames, *look, *color, *slice;
    int64_t width, height, samples, threads;
    bool video;
} render_options;

static const option options[] = {
    {"--frames", OPTION_TEXT, offsetof(render_options, frames), "A:B",
     "frames A to B; all there are if not given", 0, 0},
    {"--look", OPTION_TEXT, offsetof(render_options, look), "LOOK",
     "surface, particles, or tracers alone; the scene's if not given", 0, 0},
    {"--color", OPTION_TEXT, offsetof(render_options, color), "COLUMN",
     "what colours the particles: speed, density, ...; implies --look particles", 0, 0},
    {"--slice", OPTION_TEXT, offsetof(render_options, slice), "PLANE",
     "a cut at x=0.5, y=..., z=... or through the middle (x, y, z): the particles' cells, with --look "
     "particles discs",
     0, 0},
    {"--width", OPTION_INTEGER, offsetof(render_options, width), "N", "pixels; the scene's if not given", 1,
     16384},
    {"--height", OPTION_INTEGER, offsetof(render_options, height), "N", "pixels; the scene's if not given", 1,
     16384},
    {"--samples", OPTION_INTEGER, offsetof(render_options, samples), "N",
     "rays a pixel, a square number; 4 if not given", 1, 1024},
    {"--video", OPTION_FLAG, offsetof(render_options, video), NULL,
     "then makes DIR/video.mp4 of these frames", 0, 0},
    {"--threads", OPTION_INTEGER, offsetof(render_options, threads), "N",
     "threads; all of the machine's if not given", 1, PARALLEL_MAX_THREADS},
    {0},
};

static char *folder_path(rill_ctx *ctx, const char *folder, const char *format, uint32_t frame)
{
    char name[64];
    snprintf(name, sizeof name, format, frame);
    return path_join(ctx, folder, name);
}

static rill_status no_path(rill_ctx *ctx, const char *folder)
{
    return mem_failed(ctx, strlen(folder) + 64, 1);
}

/* slice: NULL for a view. */
static rill_status render_frame(rill_ctx *ctx, const char *folder, const rill_scene *scene,
                                const render_def *def, const slice_def *slice, uint32_t frame)
{
    image picture = {0};
    char *path = folder_path(ctx, folder, slice ? "slices/%04u.png" : "images/%04u.png", frame);
    rill_status st = path ? RILL_OK : no_path(ctx, folder);
    if (!st)
        st = slice ? frame_slice(ctx, folder, scene, slice, frame, &picture)
                   : frame_draw(ctx, folder, scene, def, frame, &picture);
    if (!st) st = image_write_png(ctx, path, &picture);
    image_clear(ctx, &picture);
    mem_free(ctx, path);
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
                                 const frame_list *list)
{
    uint32_t from = list->frame[0], to = list->frame[list->count - 1], done = 0;
    if (given->frames) TRY(frame_range_parse(ctx, "render", given->frames, to, &from, &to));
    if (list->missing)
        fprintf(stderr, "%s: %u frames are missing between %u and %u, the first of them %u\n", folder,
                list->missing, list->frame[0], list->frame[list->count - 1], list->first_missing);
    char *images = path_join(ctx, folder, slice ? "slices" : "images");
    rill_status st = images ? folder_create(ctx, images) : no_path(ctx, folder);
    for (uint32_t k = 0; !st && k < list->count; k++) {
        const uint32_t frame = list->frame[k];
        if (frame < from || frame > to) continue;
        if (rill_cancelled(ctx)) {
            st = rill_fail(ctx, RILL_CANCELLED, "stopped before frame %u", frame);
            break;
        }
        st = render_frame(ctx, folder, scene, def, slice, frame);
        if (!st) tell(frame, to);
        done++;
    }
    if (!st && !done)
        st = rill_fail(ctx, RILL_BAD_FILE, "%s: the files of the frames %u to %u are not there", folder, from,
                       to);
    if (!st) printf("%s/%04u.png to %04u.png\n", images, from, to);
    if (!st && given->video) st = make_video(ctx, folder, scene, images, from, to);
    mem_free(ctx, images);
    return st;
}

static rill_status render_folder(rill_ctx *ctx, const char *folder, const rill_scene *scene,
                                 const render_options *given)
{
    render_def def = render_def_of_scene(scene);
    if (given->width) def.width = (int)given->width;
    if (given->height) def.height = (int)given->height;
    if (given->samples) def.samples = (int)given->samples;
    if (given->color) {
        def.column = given->color;
        def.look = LOOK_PARTICLES;
        if (strcmp(given->color, "speed") != 0) def.low = def.high = 0;
    }
    if (given->look) {
        static const char *const looks[] = {"surface", "particles", "tracers"}; /* as LOOK_ counts */
        def.look = 0;
        while (def.look < 3 && strcmp(given->look, looks[def.look]) != 0) def.look++;
        if (def.look == 3)
            return rill_fail(ctx, RILL_USAGE, "render: --look is surface, particles or tracers, not \"%s\"",
                             given->look);
    }

    frame_list list;
    TRY(frames_list(ctx, folder, &list));
    slice_def slice = {.cells = !given->look || strcmp(given->look, "particles") != 0,
                       .column = def.column,
                       .low = def.low,
                       .high = def.high,
                       .width = def.width,
                       .height = def.height};
    rill_status st = RILL_OK;
    if (given->slice)
        st = slice_parse(ctx, given->slice, (rill_box){scene->domain.min, scene->domain.max}, &slice);
    if (!st) st = render_listed(ctx, folder, scene, given, &def, given->slice ? &slice : NULL, &list);
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
