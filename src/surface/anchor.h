/* Holding a surface to the liquid's volume, errata E-A5.
 *
 * The surface is moved outward by what the volume lacks over its area until it encloses what the particles
 * stand for: at most a quarter of a spacing in all (of sizes that differ, their mean by volume). More than
 * that is no drift: particles are crowded or torn apart. */
#pragma once

#include "surface/surface.h"

/* The surface moved outward by so many cells, roughly; the last call counts. */
typedef rill_status anchor_cut(void *user, double moved, trimesh *mesh);
RILL_CHECKED rill_status anchor_mesh(rill_ctx *ctx, const particles *p, const surface_def *def,
                                     anchor_cut *cut, void *user, trimesh *mesh);
