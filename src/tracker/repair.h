/* Making a mesh the tracker can hold out of one it cannot: open, crossing itself, of loose triangles, with
 * some turned the wrong way.
 *
 * Triangles connected through edges that have two are turned the way most of their area looks. Then the shape
 * is taken from its signed distance (geom/distance/mesh_distance.h: small holes closed, overlapping parts one
 * body) and meshed anew on a grid. Details below a cell are lost, ridges rounded, columns dropped: a repair,
 * not a copy. */
#pragma once

#include "geom/mesh/trimesh.h"

/* cell: of the grid; 0: the mean edge of the mesh. At most 512 cells along the longest side. */
RILL_CHECKED rill_status tracker_repair(rill_ctx *ctx, const trimesh *mesh, double cell, trimesh *out);
