/* Voronoi cells and the solids of a scene: clipping, and the velocities of the resulting
 * walls.
 *
 * The domain's own sides are sides of the cells already (VORONOI_WALL); here solids alone
 * count. */
#pragma once

#include "flow/fv_from_cells.h"
#include "flow/solids.h"

/* [Sin09] 3.2: cells without what is inside of solids at time t, thin ones found between vertices.
 * clearance: lower bound of each site's distance from the solids, which spares most cells the query; NULL:
 * not known. out: initialised, another than in; without cells when it fails. in gives it its vertices and
 * has no corners afterwards (voronoi_clip_taking). */
RILL_CHECKED rill_status cells_clip_solids(voronoi *in, const solids *s, double t, const rill_vec3 *site,
                                           const double *clearance, voronoi *out);

/* Velocities of the mesh's walls where a solid is: that of the solid nearest to the face's
 * centroid, there. owner (per face of the boundary; NULL: not wanted): which solid it is,
 * FV_NONE for other faces. */
void cells_move_walls(const voronoi *cells, const solids *s, double t, const fv_cells *map, fv_mesh *mesh,
                      uint32_t *owner);
