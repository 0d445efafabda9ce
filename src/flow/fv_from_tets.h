/* The finite-volume mesh of tetrahedra, [Klingner06] section 3: pressures at circumcentres.
 *
 * Between two circumcentres of a Delaunay mesh the line is normal to the common face and
 * goes through the circle's centre there, so that the difference of two pressures over
 * their distance is the normal gradient, exactly for linear pressures. Distances are
 * taken along the face's normal between the circumcentres of its two tetrahedra.
 *
 * Cospherical sites, every lattice has them, put two circumcentres in one place
 * (errata E-K3). Such tetrahedra become one cell with one pressure, or keep theirs with
 * the distance raised; `least` says when. Faces inside a cell are not in the mesh.
 *
 * Area vectors come from differences on the sites' grid and are the same bits for both
 * sides, so that a cell's sum to zero holds as well as doubles can add. */
#pragma once

#include "base/arena.h"
#include "flow/fv_mesh.h"
#include "geom/delaunay/delaunay.h"

typedef struct fv_tets_def {
    const delaunay *mesh; /* tidy; borrowed */
    const uint8_t *fluid; /* by finite tetrahedron: not 0 for fluid; NULL: all are */
    double least;         /* smallest distance of two pressures, in radii of the smaller sphere */
    bool merge;           /* tetrahedra closer than that are one cell; else their distance is raised to it */
} fv_tets_def;

fv_tets_def fv_tets_def_default(void); /* 1e-3, merged; without a mesh */

/* How cells and faces lie in the tetrahedra; in the arena. */
typedef struct fv_tets {
    uint32_t *cell; /* by finite tetrahedron; FV_NONE: not fluid */
    uint32_t *face; /* by face: tetrahedron on the side of a, times 4, and the vertex opposite */
} fv_tets;

/* Boundary faces, to the rest of the tetrahedra and to the outside, are walls at rest: set
 * what they are by their place in out->face. RILL_BLEW_UP when no tetrahedron is fluid. On failure the
 * outputs are as before. */
RILL_CHECKED rill_status fv_mesh_from_tets(rill_arena *arena, const fv_tets_def *def, fv_mesh *mesh,
                                           fv_tets *out);

/* Where the face's circle has its centre: the place of its normal velocity in [Klingner06]. */
rill_vec3 fv_tet_face_centre(const delaunay *d, uint32_t tet, uint32_t place);
