/* Thin walls: what liquid on one side of a plate makes of the field on its other side.
 *
 * Particles and their images reach through walls thinner than their radius. A sample next to a solid counts
 * as liquid only where a particle is near that the solid does not hide from it. */
#pragma once

#include "surface/borders.h"
#include "surface/sampler.h"

typedef struct support {
    const sampler *s;
    const borders *ends;
    const level_grid *grid;
    const float *value; /* of the field, by slots as the grid's */
    size_t count;       /* the first particles are real, the others images */
    float reach;        /* how far a particle supports samples, over its reach in the sampler */
} support;

/* end: per sample the distance of the borders, in cells. That of samples that nothing supports becomes
 * negative. */
RILL_CHECKED rill_status support_samples(rill_ctx *ctx, const support *def, float *end);
