/* Velocity between samples that are points: what methods with particles have for tracers.
 *
 * An average over the samples within reach, weighted by k(s) = (1 - s^2)^3, s = distance / reach:
 * [Sin09] eq. 12. DEVIATES: the kernel takes no root where eq. 13 does, and its width is fixed where theirs
 * is the distance of the n-th neighbour: tracers come in millions. Only samples of the place's part count.
 *
 * Samples are put into cells as wide as the reach; places are best sorted in space, since what is around a
 * cell is gathered once for those that follow each other in it. The result does not depend on that,
 * nor on threads. */
#pragma once

#include "base/memory.h"
#include "base/vec.h"

typedef struct trace_samples_def {
    const rill_vec3 *position, *velocity;
    const float *part; /* per sample: a whole number, not negative; NULL: there is one part, 0 */
    size_t count;
    double reach;
    int dimensions;
    /* Whether something is between a sample and a place, so that it does not count; NULL: never. */
    bool (*parted)(const void *user, rill_vec3 sample, rill_vec3 place);
    const void *user;
} trace_samples_def;

/* As rill_method.trace. Samples that are not finite, or more than 2^28 reaches from the first, do not count.
 */
RILL_CHECKED rill_status trace_samples(rill_ctx *ctx, const trace_samples_def *def, size_t n,
                                       const rill_vec3 *x, uint32_t *part, rill_vec3 *u);
