/* What spray counts for in the metaball field.
 *
 * The level of a flat surface is above what a particle on its own reaches (2.54 at a radius of
 * 2 spacings, against k(0) = 1), so that drops of one or a few particles would not be drawn.
 * A particle i counts w_i-fold: w falls in a straight line from w_0, with which a lone particle
 * becomes a ball of its own volume, to 1 for those that see as much as the corner of a block of
 * liquid does, S_i = sum_j k(|x_i - x_j| / h_j) >= S_1. Bodies of liquid are drawn as without it, and
 * nothing pops: w is continuous in the positions. */
#pragma once

#include "surface/sampler.h"

typedef struct spray_weights {
    float most;  /* w_0; 1: particles are drawn without any help */
    float alone; /* S of a lone particle, 1 */
    float body;  /* S_1 */
} spray_weights;

spray_weights spray_weights_make(double radius, double level, int dimensions); /* radius in spacings */

/* How much liquid each of the sampler's particles sees, S_i; at least `enough` where it is more than
 * that. out: per particle in the sampler's order. */
RILL_CHECKED rill_status spray_seen(rill_ctx *ctx, const sampler *s, float enough, float *out);
/* Gives the sampler's particles their weights, as cube roots: one more value. */
RILL_CHECKED rill_status spray_weigh(rill_ctx *ctx, sampler *s, const spray_weights *w);
