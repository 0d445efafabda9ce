/* What may be done to the mesh of a surface after it is cut: each keeps it closed, manifold and oriented, and
 * leaves it as it was on failure. */
#pragma once

#include "geom/mesh/trimesh.h"

/* Drops what is connected and encloses less than `volume`: drops, and cavities as much. */
RILL_CHECKED rill_status finish_components(rill_ctx *ctx, trimesh *m, double volume);

/* Smooths by `rounds` of Laplacian steps there and back (Taubin 1995), so that volume is kept, each vertex by
 * its weight from 0 to 1 (Loeschner et al. 2023): liquid is smoothed, spray is not. planar: an extruded
 * contour, which is smoothed in its plane; what is within it on the caps follows. Normals are made anew from
 * the triangles. */
RILL_CHECKED rill_status finish_smooth(rill_ctx *ctx, trimesh *m, int rounds, const float *weight,
                                       bool planar);

/* Removes slivers: collapses edges below `least`, and turns the longest edge of low triangles, where the
 * surface stays what it is. */
RILL_CHECKED rill_status finish_slivers(rill_ctx *ctx, trimesh *m, double least);

/* Area-weighted vertex normals. */
void finish_normals(trimesh *m);

/* Keeps the triangles that are marked and the vertices they use, in order. scratch: per vertex. */
void finish_keep(trimesh *m, const uint8_t *keep, uint32_t *scratch);
