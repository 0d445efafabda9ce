/* The finite-volume mesh of Voronoi cells, clipped or whole: pressures at the points
 * ([Sin09] section 3.3, [Brochu10]).
 *
 * The face between two points is normal to the line between them, so that the difference of
 * their pressures over their distance is the normal gradient ([Sin09] eq. 5). Behind a free
 * surface pressure is given at the boundary face itself, at its distance from the point along
 * its normal: DEVIATES from eq. 11, which puts it twice as far (errata E-S3).
 *
 * Cells without volume are not in the mesh; faces towards them are walls. */
#pragma once

#include "base/arena.h"
#include "flow/fv_mesh.h"
#include "geom/voronoi/voronoi.h"

typedef struct fv_cells_def {
    const voronoi *cells;  /* borrowed */
    const rill_vec3 *site; /* borrowed, per cell */
    double least;          /* smallest distance of a point from a surface's pressure, metres */
    uint32_t open;         /* sides of the box, by bit -x, +x, ..., that have air behind them */
} fv_cells_def;

/* How the mesh lies in the diagram; in the arena. */
typedef struct fv_cells {
    uint32_t *cell;  /* by Voronoi cell; FV_NONE: has no volume */
    uint32_t *face;  /* by face of the mesh: that of the diagram */
    uint32_t *point; /* by cell of the mesh: its Voronoi cell */
} fv_cells;

/* Walls are at rest and air has no pressure: set what is different by the faces' place in the
 * diagram. On failure the outputs are as before. */
RILL_CHECKED rill_status fv_mesh_from_cells(rill_arena *arena, const fv_cells_def *def, fv_mesh *mesh,
                                            fv_cells *out);
