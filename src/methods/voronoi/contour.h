/* The surface of a level set as a closed mesh: marching over the tetrahedra of a lattice of boxes.
 *
 * Where the level set is negative at the lattice's own sides, the surface is closed there, exactly in the
 * side: a lattice whose sides are walls gives a mesh whose vertices lie in them. Every cell is six
 * tetrahedra around its main diagonal, so that the result is closed and manifold whatever the values are.
 * Features finer than a cell are lost, and edges are cut off: brochu_fit_level draws the vertices back. */
#pragma once

#include "voronoi/state.h"

/* Negative inside. Called by several threads at once. */
typedef double brochu_level(const void *user, rill_vec3 x);

typedef struct brochu_frame {
    rill_vec3 origin, axis[3]; /* unit, at right angles, right-handed */
    double lo[3], hi[3];       /* of the lattice along them */
    uint32_t cells[3];
} brochu_frame;

/* The lattice of cells about a spacing wide whose sides are those of the box, cut to those near `where`. */
brochu_frame brochu_box_frame(const brochu *s, rill_box where);

/* The mesh grows by the surface. RILL_BAD_SCENE when there are too many cells. */
RILL_CHECKED rill_status brochu_contour(brochu *s, const brochu_frame *frame, brochu_level *level,
                                        const void *user, trimesh *mesh);
/* Moves the vertices onto the level set without letting them cross, and makes the triangles even: *mesh is
 * replaced. The level set is a distance, or near the surface nearly one. */
RILL_CHECKED rill_status brochu_fit_level(brochu *s, brochu_level *level, const void *user, trimesh *mesh);
