/* Holding a surface to the liquid's volume, errata E-A5.
 *
 * The surface is moved outward by what the volume lacks over its area until it encloses what the particles
 * stand for: at most a quarter of a spacing in all (of sizes that differ, their mean by volume). More than
 * that is no drift: particles are crowded or torn apart. Inward a caller may allow more. */
#pragma once

#include "surface/surface.h"

/* Where the search ended. */
typedef struct anchor_end {
    double volume;  /* that is wanted, m^3 */
    double rate;    /* m^3 per cell that the surface is moved */
    double outward; /* limit of the move, cells */
    double inward;  /* likewise the other way, above 0 */
    double moved;   /* cells */
} anchor_end;

static const double anchor_most = 0.25; /* spacings */

/* The surface moved outward by so many cells, roughly; the last call counts. */
typedef rill_status anchor_cut(void *user, double moved, trimesh *mesh);
/* inward: the limit of an inward move, spacings. */
RILL_CHECKED rill_status anchor_mesh(rill_ctx *ctx, const particles *p, const surface_def *def, double inward,
                                     anchor_cut *cut, void *user, trimesh *mesh, anchor_end *end);
/* The move that would make up for the volume of a mesh that was changed after it was cut; false: it is within
 * `tolerance` of what is wanted, relative, or cannot be moved. */
bool anchor_again(rill_ctx *ctx, const surface_def *def, const trimesh *mesh, double tolerance,
                  anchor_end *end);
