/* Vertices of a surface at its borders: walls and the box that cuts it.
 *
 * The samples are the least of the field and the borders' distance. Along edges of the grid on which one of
 * them alone counts, vertices are where they belong; where both do, they are too far inside, and the line
 * where the free surface meets the border is cut off in steps. Vertices near a border are therefore put onto
 * it or onto the field's level, whichever is nearer; those on the border next to the free surface, where both
 * are; and triangles that cut across an edge of a solid are moved out of it. */
#pragma once

#include "geom/iso/isosurface.h"
#include "surface/borders.h"

/* field: samples of the mesh's field without borders. on (of the caller, to free): 1 for vertices on a
 * border. */
RILL_CHECKED rill_status settle_vertices(rill_ctx *ctx, const borders *b, const level_grid *field,
                                         const level_patches *patches, trimesh *m, uint8_t **on);
/* The borders' normals for vertices on them, but where the free surface begins. */
RILL_CHECKED rill_status settle_normals(rill_ctx *ctx, const borders *b, const uint8_t *on, trimesh *m);
/* Moves what is beyond a border back, after vertices were moved; those on it, and triangles besides. */
RILL_CHECKED rill_status settle_back(rill_ctx *ctx, const borders *b, double cell, trimesh *m);
