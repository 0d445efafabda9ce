/* The metaball field, [Braley] eq. 38: F(x) = sum w_i k(|x - x_i| / h_i), with w from spray.h.
 *
 * k(s) = (1 - s^2)^3 for s < 1, otherwise 0: eq. 38 leaves the kernel open; this one
 * takes no root and has a smooth gradient at its rim. k(0) = 1. Where particles of one
 * size lie in a lattice, F does not depend on that size: one level fits them all. */
#pragma once

#include "surface/field.h"
#include "surface/surface.h"

/* The level that puts a flat liquid's surface half a spacing outside its outermost
 * layer: the field there of a cubic (square) lattice that fills half the space, averaged
 * over the lattice's period. radius in spacings. */
double metaballs_level(double radius, int dimensions);
/* The same at a height above the outermost layer, in spacings: at 1/2 it is the level. */
double metaballs_above(double radius, int dimensions, double height);

/* The field of particles that have weights already, as cube roots, the sampler's first value; most: the
 * largest a weight can be. */
void metaballs_field(const surface_def *def, const sampler *s, float most, field *out);
/* Its samples in a block, of these weights, as cube roots. */
void metaballs_rows(int layers, const sampler_near *near, const float *root, f8 *row);
/* Weighs the sampler's particles and fills in the field. */
RILL_CHECKED rill_status metaballs_prepare(rill_ctx *ctx, const surface_def *def, sampler *s, field *out);
