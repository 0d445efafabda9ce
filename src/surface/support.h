/* Thin walls: what liquid on one side of a plate makes of the field on its other side.
 *
 * Particles and their images reach through walls thinner than their radius. A sample next to a solid counts
 * as liquid only where a particle is near that the solid does not hide from it; and where liquid is on both
 * sides, by the particles of its own side alone: its value is at most what these and their images add up to.
 */
#pragma once

#include "surface/borders.h"
#include "surface/mirror.h"
#include "surface/sampler.h"

typedef struct support {
    const sampler *s;
    const borders *ends;
    const level_grid *grid;
    float *value; /* of the field, by slots as the grid's; lowered where liquid is on both sides */
    size_t count; /* the first particles are real, the others images */
    float reach;  /* how far a particle supports samples, over its reach in the sampler */
    const mirror_image *image; /* per image; NULL: none is in the open behind a plate */
    bool balls; /* the field is a sum of (w^(1/3) (1 - s^2))^3, the sampler's first value being w^(1/3) */
    float ball; /* radius of a particle's own volume, over its reach */
} support;

/* end: per sample the distance of the borders, in cells. That of samples that nothing supports becomes
 * negative. */
RILL_CHECKED rill_status support_samples(rill_ctx *ctx, const support *def, float *end);
