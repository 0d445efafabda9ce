/* Triangles of a solid's shape, for a picture: primitives as they are, meshes by their own
 * triangles, unions part by part, other combinations from samples of their distance.
 * Unbounded shapes are cut to `bounds`. */
#pragma once

#include "geom/mesh/trimesh.h"
#include "geom/shape/shape.h"

/* *out is replaced. In the shape's own coordinates. */
RILL_CHECKED rill_status solid_mesh(rill_ctx *ctx, const shape *s, rill_box bounds, trimesh *out);
