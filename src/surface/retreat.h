/* How far samples follow a surface that moves inward to hold its volume.
 *
 * Liquid whose particles have come apart encloses more than they stand for, and its field is not far above
 * the level anywhere: adding the same to every sample would open hollows in it, and part thin films from the
 * walls they wet. So
 *   - samples move by their distance from air, of which the share of a Gaussian of one spacing around them
 *     tells: wholly within half a spacing of a flat surface, not at all beyond one and a half;
 *   - samples between a wall and a particle within 0.6 spacings of it stay, where liquid covers the wall. At
 *     the line where a free surface meets the wall, where liquid lies beside and not above, they move. */
#pragma once

#include "surface/borders.h"
#include "surface/sampler.h"

typedef struct retreat {
    const sampler *s;
    const borders *ends;
    const level_grid *grid; /* its blocks and level */
    const float *value;     /* per sample: of the field, without borders */
    const float *end;       /* per sample: distance of the borders, in cells; NULL: there are none */
    size_t count;           /* the first particles are real, the others images */
    double radius;          /* reach of a particle, in its spacings */
    double spacing;         /* in cells */
} retreat;

/* out: per sample, share times how much of an inward move it takes. */
RILL_CHECKED rill_status retreat_shares(rill_ctx *ctx, const retreat *def, const float *share, float *out);
