/* Which side of a mesh places are on, at one moment.
 *
 * The winding number that tells costs far more than the closest point. Distances on a grid, with their signs,
 * give the side of all places nearer to a grid point than that is to the mesh, and a bound of their distance.
 * Nearer to the mesh the plane of the triangle next to a place tells, unless an edge or a corner is nearest;
 * it can be wrong where the mesh passes through itself, so that it is used only when it agrees with the
 * winding number at all grid points near the mesh. */
#pragma once

#include "base/memory.h"
#include "geom/distance/mesh_sequence.h"

typedef struct side_grid {
    mesh_moment now;
    rill_box box;       /* in the mesh's own coordinates */
    double cell;        /* m */
    uint32_t n[3];      /* points along each axis; 0: nothing is known */
    float *d;           /* owned, by point: signed distances, rounded towards the mesh */
    uint32_t *triangle; /* owned, by point: the nearest, where searches begin */
    size_t capacity, triangle_capacity;
    bool clean; /* the mesh does not pass through itself: the nearest triangle tells the side */
} side_grid;

/* For the places of the mesh within `box`; cell: about the size of elements. A shell needs none. */
RILL_CHECKED rill_status side_grid_fill(rill_ctx *ctx, side_grid *g, mesh_moment now, rill_box box,
                                        double cell);
void side_grid_clear(rill_ctx *ctx, side_grid *g);

/* A lower bound of the distance of x, outside of the mesh; not positive: not known. */
double side_grid_bound(const side_grid *g, rill_vec3 x);
/* Signed distance and, unless NULL, normal: as mesh_distance_exact_at. */
double side_grid_distance(const side_grid *g, rill_vec3 x, rill_vec3 *normal);
