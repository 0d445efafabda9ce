/* Voronoi cells clipped to where a function is positive: by solids, then by a free surface
 * ([Sin09] section 3.2).
 *
 * The function is asked at the vertices of faces and for roots along their edges. Each face
 * is cut once, by its owner, so that both its cells see the same polygons. What is cut off a
 * cell is closed by boundary faces, one per loop of the cut: the corners are the roots,
 * joined in pairs across faces, the centroid is their average, and the face is the fan of
 * triangles around it. So the boundary is kept at the scale of cells, as in the paper.
 * The area vector of a cell's boundary is minus the sum of its other faces': the closed-cell
 * identity holds whatever the function does (errata E-S7).
 *
 * DEVIATES: where the paper looks at vertices alone, edges that a solid could cross between
 * two free vertices are searched (errata E-S9); of a cell that a thin wall divides, what the
 * site does not see is given up.
 *
 * Holds: voronoi_check without the volume of the box; a face (a, b) may be there in several
 * pieces; a cell that has nothing left has no faces and no volume. */
#pragma once

#include "geom/mesh/trimesh.h"
#include "geom/voronoi/voronoi.h"

/* value[i] at x[i], which is in or on cell[i]: positive where the cells are kept. Called from
 * several threads at once. */
typedef void voronoi_value(void *user, const uint32_t *cell, const rill_vec3 *x, size_t n, double *value);

typedef struct voronoi_clip_def {
    voronoi_value *value;
    void *user;
    uint32_t kind;         /* of the boundary's faces: VORONOI_SOLID or VORONOI_AIR */
    bool distance;         /* value never changes faster than distance: thin solids are looked for */
    const rill_vec3 *site; /* borrowed, per cell */
} voronoi_clip_def;

/* out: initialised, another than in. On failure it is left without cells. */
RILL_CHECKED rill_status voronoi_clip(const voronoi *in, const voronoi_clip_def *def, voronoi *out);

/* The same, but in gives its vertices to out instead of a copy, which would be a third of the memory:
 * whatever comes of it, in has cells and faces afterwards, and no corners (voronoi_forget_corners). */
RILL_CHECKED rill_status voronoi_clip_taking(voronoi *in, const voronoi_clip_def *def, voronoi *out);

/* For clipping to the union of balls of one radius around the sites, [Sin09] 3.2: the nearest
 * site to a point of a cell is the cell's own, so nothing need be searched. */
typedef struct voronoi_balls {
    const rill_vec3 *site;
    double radius;
} voronoi_balls;
voronoi_value voronoi_balls_value; /* radius minus the distance from the nearest site */

/* Which cells hang together through faces that two cells share, never through a boundary
 * ([Sin09] 3.4): label[i] is the first cell of its component; UINT32_MAX for an empty cell.
 * Returns the number of components. */
uint32_t voronoi_components(const voronoi *v, uint32_t *label);

/* The fans of triangles of one cell, or (cell UINT32_MAX) of all faces that have no second
 * cell, with b from `from` to `to`. Vertices are not shared between faces. */
RILL_CHECKED rill_status voronoi_mesh(rill_ctx *ctx, const voronoi *v, uint32_t cell, uint32_t from,
                                      uint32_t to, trimesh *out);

/* Signed volume of the cone from x over the fan of face f, seen from cell a, and its moment
 * (volume times centroid relative to x). For tests. */
double voronoi_cone(const voronoi *v, const voronoi_face *f, rill_vec3 x, rill_vec3 *moment);
