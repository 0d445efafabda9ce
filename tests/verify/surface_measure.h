/* What a surface is measured by: how rough it is, how it meets walls, what it tears and what it encloses.
 *
 * Lengths are in spacings of the particles, angles in radians. */
#pragma once

#include "flow/particles.h"
#include "flow/solids.h"
#include "geom/mesh/trimesh.h"

/* Root mean square of how far normals turn along the edges of the mesh, over the root mean square of the
 * edges' lengths: radians per spacing. Edges count that lie in the box and whose normals have y above
 * `up`. of_triangles: the normals are made from the triangles; otherwise the mesh's own. */
RILL_CHECKED rill_status surface_bend(rill_ctx *ctx, const trimesh *m, double spacing, rill_box box,
                                      double up, bool of_triangles, double *out);

typedef struct surface_at_walls {
    double overshoot; /* the farthest a vertex, an edge or a triangle is inside a solid */
    double gap;       /* the widest air between the surface and a wall that is wet */
} surface_at_walls;
/* A wall is wet where a particle is within 0.6 spacings of it; a gap is between such a particle and the wall.
 */
RILL_CHECKED rill_status surface_walls(rill_ctx *ctx, const trimesh *m, const particles *p,
                                       const solids *walls, double time, double spacing,
                                       surface_at_walls *out);

typedef struct surface_parts {
    uint32_t singles; /* parts of less than 1.6 particles, around one particle */
    uint32_t beads;   /* parts of less than 1.6 particles whose particle has another within 1.5 spacings */
    uint32_t drops;   /* lone particles: nothing within 3 spacings, and no wall */
    double drop;      /* their mean volume, in that of a particle; 0 without drops */
    double volume;    /* enclosed, in that of all particles */
    double farthest;  /* of a vertex from the nearest particle, up to 3 spacings: liquid without particles */
} surface_parts;
RILL_CHECKED rill_status surface_measure_parts(rill_ctx *ctx, const trimesh *m, const particles *p,
                                               const solids *walls, double time, double spacing,
                                               surface_parts *out);
