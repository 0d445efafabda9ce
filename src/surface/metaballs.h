/* The metaball field, [Braley] eq. 38: F(x) = sum w_i k(|x - x_i| / h), with w from spray.h.
 *
 * k(s) = (1 - s^2)^3 for s < 1, otherwise 0: eq. 38 leaves the kernel open; this one
 * takes no root and has a smooth gradient at its rim. k(0) = 1. */
#pragma once

#include "geom/isosurface.h"
#include "surface/sampler.h"

/* The level that puts a flat liquid's surface half a spacing outside its outermost
 * layer: the field there of a cubic (square) lattice that fills half the space, averaged
 * over the lattice's period. radius in spacings. */
double metaballs_level(double radius, int dimensions);
/* The same at a height above the outermost layer, in spacings: at 1/2 it is the level. */
double metaballs_above(double radius, int dimensions, double height);

/* Samples the field wherever the level's surface may pass. */
RILL_CHECKED rill_status metaballs_sample(rill_ctx *ctx, const sampler *s, double level, level_grid *out);

/* Normals (unit, down the field's slope) and the column "velocity" (the particles',
 * weighted by k) of a mesh made from those samples. */
RILL_CHECKED rill_status metaballs_dress(rill_ctx *ctx, const sampler *s, const level_patches *patches,
                                         trimesh *mesh);
