/* Making one vertex of those that lie at exactly the same place. */
#pragma once

#include "geom/mesh/trimesh.h"

/* The first of them stays, with its normal and columns; the order is kept, and triangles are
 * not dropped. -0 and 0 are the same place. On failure the mesh is as before. */
RILL_CHECKED rill_status trimesh_merge(rill_ctx *ctx, trimesh *m);

/* Drops triangles two of whose corners are one vertex; how many. */
size_t trimesh_drop_degenerate(trimesh *m);
