#include "run/sheet.h"

#include "render/canvas.h"

#include <math.h>
#include <stdio.h>

enum { CAPTION = 16, GAP = 6 };
static const rgb paper = {250, 250, 250}, ink = {30, 30, 30}, empty = {225, 225, 225};

static int picture_height(const rill_scene *scene, int width)
{
    const int h = (int)((int64_t)width * scene->output.height / scene->output.width);
    return h < 1 ? 1 : h;
}

static double frame_time(const sheet_run *r, uint32_t frame)
{
    return frame / r->scene->time.fps;
}

static uint32_t nearest_frame(const sheet_run *r, double time)
{
    uint32_t best = r->frames->frame[0];
    for (uint32_t k = 1; k < r->frames->count; k++)
        if (fabs(frame_time(r, r->frames->frame[k]) - time) < fabs(frame_time(r, best) - time))
            best = r->frames->frame[k];
    return best;
}

/* A frame with its caption, at (x, y). */
static rill_status place_frame(rill_ctx *ctx, const sheet_run *r, uint32_t frame, const char *name, int x,
                               int y, int width, int height, image *onto)
{
    image picture = {0};
    char caption[160];
    render_def def = render_def_of_scene(r->scene);
    def.width = width;
    def.height = height;
    const rill_status st = frame_draw(ctx, r->folder, r->scene, &def, frame, &picture);
    if (st && st != RILL_BAD_FILE) return st;
    if (st) { /* an empty place; the others may be sound */
        rill_log(ctx, RILL_LOG_WARNING, "%s; its place is left empty", rill_ctx_message(ctx));
        canvas_fill(onto, x, y + CAPTION, width, height, empty);
    } else {
        canvas_image(onto, x, y + CAPTION, width, height, &picture);
        image_clear(ctx, &picture);
    }
    snprintf(caption, sizeof caption, "%s%sframe %u, %.3g s%s", name, *name ? "  " : "", frame,
             frame_time(r, frame), st ? ": cannot be read" : "");
    canvas_text(onto, x + 2, y + 5, 1, ink, caption);
    return RILL_OK;
}

rill_status sheet_draw(rill_ctx *ctx, const sheet_run *run, uint32_t count, int width, image *out)
{
    const uint32_t shown = run->frames->count < count ? run->frames->count : count;
    const int columns = shown <= 4   ? 2
                        : shown <= 9 ? 3
                                     : 4,
              rows = ((int)shown + columns - 1) / columns, height = picture_height(run->scene, width);
    image im;
    TRY(canvas_create(ctx, GAP + columns * (width + GAP), GAP + rows * (height + CAPTION + GAP), paper, &im));
    rill_status st = RILL_OK;
    for (uint32_t k = 0; !st && k < shown; k++) {
        const size_t last = run->frames->count - 1;
        const uint32_t frame = run->frames->frame[shown > 1 ? k * last / (shown - 1) : 0];
        st = place_frame(ctx, run, frame, "", GAP + (int)k % columns * (width + GAP),
                         GAP + (int)k / columns * (height + CAPTION + GAP), width, height, &im);
    }
    if (st) {
        image_clear(ctx, &im);
        return st;
    }
    *out = im;
    return RILL_OK;
}

static int row_height(uint32_t runs, const sheet_run *run, int width)
{
    int tallest = 1;
    for (uint32_t r = 0; r < runs; r++) {
        const int h = picture_height(run[r].scene, width);
        if (h > tallest) tallest = h;
    }
    return tallest + CAPTION + GAP;
}

static rill_status place_moment(rill_ctx *ctx, uint32_t runs, const sheet_run *run, double time, int width,
                                int y, image *onto)
{
    for (uint32_t r = 0; r < runs; r++)
        TRY(place_frame(ctx, &run[r], nearest_frame(&run[r], time), run[r].name, GAP + (int)r * (width + GAP),
                        y, width, picture_height(run[r].scene, width), onto));
    return RILL_OK;
}

static rill_status moments(rill_ctx *ctx, uint32_t runs, const sheet_run *run, uint32_t count,
                           const double *time, int width, image *out)
{
    const int row = row_height(runs, run, width);
    image im;
    /* even sides, as video encoders want them */
    const int w = GAP + (int)runs * (width + GAP), h = GAP + (int)count * row;
    TRY(canvas_create(ctx, w + w % 2, h + h % 2, paper, &im));
    rill_status st = RILL_OK;
    for (uint32_t k = 0; !st && k < count; k++)
        st = place_moment(ctx, runs, run, time[k], width, GAP + (int)k * row, &im);
    if (st) {
        image_clear(ctx, &im);
        return st;
    }
    *out = im;
    return RILL_OK;
}

rill_status sheet_moment(rill_ctx *ctx, uint32_t runs, const sheet_run *run, double time, int width,
                         image *out)
{
    return moments(ctx, runs, run, 1, &time, width, out);
}

rill_status sheet_compare(rill_ctx *ctx, uint32_t runs, const sheet_run *run, uint32_t count, int width,
                          image *out)
{
    double last = INFINITY, *time;
    for (uint32_t r = 0; r < runs; r++) /* as long as all go on */
        last = fmin(last, frame_time(&run[r], run[r].frames->frame[run[r].frames->count - 1]));
    TRY(MEM_NEW(ctx, time, count));
    for (uint32_t k = 0; k < count; k++) time[k] = count > 1 ? last * k / (count - 1) : last;
    const rill_status st = moments(ctx, runs, run, count, time, width, out);
    mem_free(ctx, time);
    return st;
}
