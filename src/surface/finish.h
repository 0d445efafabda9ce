/* What may be done to the mesh of a surface after it is cut: each keeps it closed, manifold and oriented, and
 * leaves it as it was on failure. */
#pragma once

#include "geom/mesh/trimesh.h"
#include "surface/borders.h"
#include "surface/surface.h"

/* The scene's options that work on a mesh, of particles or of a method that makes its own. */
typedef struct finish_def {
    const surface_def *surface; /* smooth, smallest, slivers */
    const borders *ends;
    double cell;       /* of the grid the mesh was cut from, in metres */
    const uint8_t *on; /* per vertex: on a border, where it stays (settle.h); NULL: there are none */
    float *weight;     /* per vertex, 0 to 1: how much it may be smoothed; changed; NULL without `smooth` */
    bool moved;        /* vertices may be beyond the borders already */
} finish_def;
RILL_CHECKED rill_status finish_mesh(rill_ctx *ctx, const finish_def *def, trimesh *m);

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
