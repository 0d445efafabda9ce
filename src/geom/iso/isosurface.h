/* The level set of a sparse grid as a triangle mesh.
 *
 * One vertex per grid edge the surface crosses, shared by its triangles. The mesh is
 * closed, manifold and oriented outward whatever the samples are (see cube_cases.h, and
 * in the plane isocontour.c). Vertices and triangles come block by block in the order
 * of the grid's blocks: the same bits for any number of threads. Normals and columns
 * are left to the caller, which knows the field.
 *
 * Block places lie within +-2^30. `patches`, when not NULL, receives the blocks' runs of
 * vertices, an array of the caller's to free; only blocks with vertices have one. */
#pragma once

#include "geom/iso/level_grid.h"
#include "geom/mesh/trimesh.h"

typedef struct level_patches {
    level_patch *patch; /* owned */
    size_t count;
} level_patches;

RILL_CHECKED rill_status isosurface_build(rill_ctx *ctx, const level_grid *grid, trimesh *out,
                                          level_patches *patches);

/* A planar field (layers == 1): its inside, extruded to `thickness` about z = origin.z,
 * with flat caps. The patch's flat vertices are the samples inside, the others those
 * where the contour crosses; each is there twice, at the lower end and then at the
 * upper. */
RILL_CHECKED rill_status isocontour_build(rill_ctx *ctx, const level_grid *grid, double thickness,
                                          trimesh *out, level_patches *patches);
