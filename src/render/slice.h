/* Cut views: what a plane through the domain meets, from the front and to scale, with a legend.
 *
 * Particles are drawn as the cells they stand for: each pixel takes the colour of the particle that is
 * nearest to it in space, up to one spacing away, with lines between cells; or as discs, those
 * within half a spacing of the plane. Solids are grey, hatched at their edge. */
#pragma once

#include "render/render.h"

typedef struct slice_def {
    int axis;           /* the plane's normal: 0, 1, 2 for x, y, z */
    double at;          /* its place on that axis, m */
    bool cells;         /* cells, or discs */
    const char *column; /* the colour, as render_def */
    double low, high;   /* the range; equal: fitted to the data */
    int width, height;  /* of the picture */
} slice_def;

/* "x=0.5", "z" (through the middle of the domain). RILL_USAGE when it is neither. */
RILL_CHECKED rill_status slice_parse(rill_ctx *ctx, const char *given, rill_box domain, slice_def *out);

RILL_CHECKED rill_status slice_draw(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                                    const slice_def *def, image *out);
