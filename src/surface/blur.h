/* Gaussian blur of the samples of a sparse grid, one axis after the other.
 *
 * Samples that are not kept count as the grid's `inside` or `outside`. The reach is that of one block: a
 * wider blur is several in a row. */
#pragma once

#include "geom/iso/level_grid.h"

typedef struct blur {
    const level_grid *grid; /* its blocks; its values are not looked at */
    double width;           /* standard deviation, in cells; at most BLUR_WIDEST */
    const float *share;     /* per sample, 0 to 1: how much of the blur it takes; NULL: all of it */
} blur;

#define BLUR_WIDEST 3.2

/* Samples in the order of the grid's values; `to` may be `from`, scratch is neither. */
void blur_samples(rill_ctx *ctx, const blur *b, const float *from, float *to, float *scratch);

/* Samples that a grid keeps. */
size_t level_kept(const level_grid *grid);
