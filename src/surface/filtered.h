/* Metaballs, smoothed where the liquid is whole: the field of metaballs.h, filtered on the sampling grid.
 *
 * C is the metaball field over what it is deep inside: about 1 in the liquid, 1/2 at a flat surface. Its
 * bumps are as wide as a spacing or two. B = 2 G C - G G C, with G a Gaussian, has lost them and
 * keeps what is larger than some five spacings where it is (the first order of what G does to curved surfaces
 * cancels). But B has also lost sheets, drops, and the air between two bodies. Those differ from it by
 * much more than the noise of the sampling does, so that
 *
 *     F = B + t (1 - (1 - s((|t| - t_0) / (t_1 - t_0))) (1 - s((|B - 1/2| - b_0) / (b_1 - b_0)))
 *                    (1 - s((g_0 - G C) / (g_0 - g_1)))),   t = C - B,
 *
 * with s(u) = 3 u^2 - 2 u^3 from 0 to 1; the last factor where t > 0. Near the surface of the smoothed liquid
 * small differences are noise and go. Large ones are detail and stay, as does all that is far from that
 * surface, and what has little liquid around: G C is 1/2 at a flat surface, a third in a sheet of one
 * particle. Nothing in it has a jump.
 *
 * A particle that sees little liquid, S_i = sum_j k(|x_i - x_j| / r_j), counts w_i-fold, w_i S_i = S_0 when
 * it is alone, which makes it a ball of its volume, going over to S_1 when it sees S_2 or more. The field at
 * every particle is thereby above the level, and neighbours within 1.5 spacings are joined.
 *
 * Particles of several sizes: coarse liquid is blurred in proportion, by more rounds, each sample
 * taking the share that the mean size around it asks for. */
#pragma once

#include "surface/field.h"
#include "surface/surface.h"

RILL_CHECKED rill_status filtered_prepare(rill_ctx *ctx, const surface_def *def, sampler *s, field *out);
/* On the samples of that field. share (owned by the caller): per sample, how much it moves when the surface
 * is moved to hold the volume; 0 for spray. */
RILL_CHECKED rill_status filtered_samples(rill_ctx *ctx, const surface_def *def, const sampler *s,
                                          level_grid *grid, float **share);

/* The filter alone, for samples of another field. */
typedef struct filter_gates {
    float noise, detail; /* t_0, t_1 */
    float inner, outer;  /* b_0, b_1, from the grid's level */
    float whole, sheet;  /* g_0, g_1 */
} filter_gates;
/* width: of G, in cells. value: by the grid's slots; scratch: three times as many. */
void filter_samples(rill_ctx *ctx, const level_grid *grid, double width, const filter_gates *g, float *value,
                    float *scratch);
