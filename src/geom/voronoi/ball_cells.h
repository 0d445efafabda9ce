/* Voronoi cells cut to balls around their sites, exactly.
 *
 * The liquid as a union of spheres ([Sin09] section 3.2), without the paper's approximation of
 * it by average vertices: a face is cut by the disc its plane has in the ball, which is the
 * same for both cells, and what a cell has of its sphere is the air patch. Volumes are then
 * smooth in the points' places and their derivative is
 *
 *     (D u)_i = sum_j a/l [(f - x_i).u_i - (f - x_j).u_j] + A_i.u_i + sum_wall a n.u_wall
 *
 * with a, f the area and centroid of the cut face, l the points' distance and A_i the area
 * vector of the air patch: the divergence a projection of such cells must use.
 *
 * The scalar area of the patch is what the faces leave of the full solid angle, seen from the
 * site; no topology is asked. Cells may have been clipped by solids before (voronoi_clip.h);
 * they must be seen whole from their sites. A cap must not be below the radius.
 *
 * In a flat diagram (one element thick along z, the points in its middle) the balls are
 * cylinders. Holds: the area vectors of a cell and its patch add up to zero. */
#pragma once

#include "geom/voronoi/voronoi.h"

typedef struct ball_face {
    rill_vec3 area;     /* from a to b, of what is inside the ball */
    rill_vec3 centroid; /* of that; of nothing: the face's own */
    double angle;       /* solid, seen from a; flat: the plane angle; 0 where no cell is cut */
    double angle_b;     /* seen from b: the same unless radii differ */
    double cone;        /* area times distance from the site of a */
    bool whole;         /* nothing of it is outside of the ball */
} ball_face;

typedef struct ball_cell {
    double volume;
    rill_vec3 centroid;
    rill_vec3 air_area; /* A: minus the sum of the faces' */
    double air;         /* S: scalar area of the patch; 0: no air */
} ball_cell;

typedef struct ball_cells {
    rill_ctx *ctx;
    uint32_t count, face_count; /* as those of the diagram */
    ball_cell *cell;
    ball_face *face;
    uint8_t *cut; /* per cell: something of it is outside of its ball */
    size_t cell_capacity, face_capacity, cut_capacity;
} ball_cells;

void ball_cells_init(ball_cells *b, rill_ctx *ctx);
void ball_cells_clear(ball_cells *b);
/* v: with vertices. May be called again; as before when it fails. */
RILL_CHECKED rill_status ball_cells_build(ball_cells *b, const voronoi *v, const rill_vec3 *site,
                                          double radius, bool flat);
/* Balls of several radii. v: the power diagram whose weights are the radii squared, so that the plane between
 * two cells is the one in which their balls meet: both cells cut their face by the same disc, and the
 * derivative above holds as it stands. A site may be outside of its cell.
 * closed: per cell, NULL for none; faces between two such cells, and their walls, are not cut, so that no
 * hole opens between balls that do not quite meet. A cap must leave them whole. */
RILL_CHECKED rill_status ball_cells_build_sized(ball_cells *b, const voronoi *v, const rill_vec3 *site,
                                                const double *radii, const uint8_t *closed, bool flat);
