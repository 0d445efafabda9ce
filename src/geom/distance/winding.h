/* The generalised winding number of a triangle mesh: how often it goes around a point.
 * 1 inside a closed mesh turned outward, 0 outside, whole numbers where closed parts
 * overlap, in between where the mesh has holes (Jacobson et al. 2013).
 *
 * Evaluated by a tree, as Barill et al. 2018 do: the triangles of a cluster that is more
 * than twice its radius away act as a dipole and its first derivative, single precision;
 * those nearby by their exact solid angle. The error is below 0.06, on average below
 * 0.006, which the sign (inside: above 0.5) does not notice, save where a hole leaves the
 * answer open anyway. */
#pragma once

#include "geom/mesh/trimesh.h"

typedef struct winding winding;

/* The mesh is borrowed until winding_destroy; its corners must be in range and finite. */
RILL_CHECKED rill_status winding_create(rill_ctx *ctx, const trimesh *mesh, winding **out);
/* Its vertices go straight from where they are to `end`, borrowed as well (NULL: they stand still);
 * asked at a share of that way, 0 to 1. */
RILL_CHECKED rill_status winding_create_moving(rill_ctx *ctx, const trimesh *mesh, const rill_vec3 *end,
                                               winding **out);
void winding_destroy(rill_ctx *ctx, winding *w); /* NULL is allowed */
double winding_at(const winding *w, rill_vec3 x);
double winding_moving_at(const winding *w, double share, rill_vec3 x);

/* The sum over all triangles: what winding_at approximates. */
double winding_exact(const trimesh *mesh, rill_vec3 x);
