/* Contact sheets: frames of one run, or of several side by side, in one picture. */
#pragma once

#include "run/frames.h"

typedef struct sheet_run {
    const char *folder, *name; /* borrowed */
    const rill_scene *scene;
    const frame_list *frames;
} sheet_run;

/* About `count` frames of one run, evenly over its time. */
RILL_CHECKED rill_status sheet_draw(rill_ctx *ctx, const sheet_run *run, uint32_t count, int width,
                                    image *out);
/* The same moment of several runs beside each other: of each the frame nearest to it,
 * `width` pixels a picture. */
RILL_CHECKED rill_status sheet_moment(rill_ctx *ctx, uint32_t runs, const sheet_run *run, double time,
                                      int width, image *out);
/* `count` moments below each other. */
RILL_CHECKED rill_status sheet_compare(rill_ctx *ctx, uint32_t runs, const sheet_run *run, uint32_t count,
                                       int width, image *out);
