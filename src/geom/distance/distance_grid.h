/* A signed distance kept on an adaptive grid, the adaptively sampled distance field of
 * Frisken et al. 2000, for millions of queries.
 *
 * The box is cut into coarse cells of 16 h, where h = the finest regular cell. A cell is
 * cut into 4 x 4 x 4 where the surface passes or where interpolation would be off, down to
 * h along the whole surface, and once more, to h / 4, along its creases. Between the
 * corners of a cell values are interpolated linearly along each axis.
 *
 * Error (distance_grid_error): h / 8 + 0.31 |distance|, where the first is what counts near
 * the surface and the second at the kinks far from it; on smooth surfaces a hundredth of it.
 * Cells are judged by samples, to four fifths of that at most; kinks may pass between them, so
 * it is measured, not proven: of 1.5 million points around a teapot as a shell and as many
 * around a bunny the worst had 0.87 of it. What must not fail (shape_free) asks the exact
 * function. (Between parts that overlap, inside the solid, it is not held.) Cells that would break
 * it at the finest level, or that a wall thinner than a cell passes through, so that the
 * corners do not tell its sign, hold no values: there the query asks the exact function,
 * and so it does for a normal at a kink. Beyond the box that is `wanted` no cell is cut: what the coarse ones
 * cannot tell there is asked of the exact function, too.
 *
 * Queries may be made by several threads at once and allocate nothing. The grid is the
 * same for any number of threads. */
#pragma once

#include "base/memory.h"
#include "base/vec.h"

typedef struct distance_grid distance_grid;

/* What the grid is built from, and calls where its cells hold no values. All may be called by
 * several threads at once. */
typedef struct distance_source {
    const void *user;
    /* Distance to the surface, never negative. *hint: from a call for a point nearby, and
     * for the next (UINT32_MAX at first); it may help, and does not change the result. side:
     * of the surface, +1 or -1, as seen from its closest point. */
    double (*surface)(const void *user, rill_vec3 x, uint32_t *hint, int *side);
    /* Whether x is inside: changes across the surface only. NULL: a shell around the surface. */
    bool (*inside)(const void *user, rill_vec3 x);
    /* The distance that is kept, and its gradient when normal is not NULL. side: +1 outside, -1 inside, where
     * that is known; 0 where it is not. */
    double (*exact)(const void *user, rill_vec3 x, int side, rill_vec3 *normal);
    double shell; /* half the thickness of the shell */
} distance_source;

typedef struct distance_grid_def {
    rill_box bounds;        /* of the solid, or of the part of it that the grid is for */
    double cell;            /* h */
    double margin;          /* how far the grid reaches beyond the bounds */
    bool part;              /* the solid goes on outside: beyond the grid the exact function is asked */
    const rill_box *wanted; /* where it will be asked often; NULL: everywhere */
    distance_source source;
} distance_grid_def;

RILL_CHECKED rill_status distance_grid_create(rill_ctx *ctx, const distance_grid_def *def,
                                              distance_grid **out);
void distance_grid_destroy(rill_ctx *ctx, distance_grid *g); /* NULL is allowed */

/* Distance and, when normal is not NULL, its unit gradient. Outside the box of a grid for the whole solid a
 * lower bound of the distance. */
double distance_grid_at(const distance_grid *g, rill_vec3 x, rill_vec3 *normal);
double distance_grid_error(const distance_grid *g, double distance);
/* The side of the surface where the grid answers `distance`, as far as that tells: +1 outside, -1 inside; 0.
 */
int distance_grid_side(const distance_grid *g, double distance);

/* The side of a point at this distance from the surface, never negative and exact: that of a corner of its
 * cell when they are farther from the surface, together, than from each other; 0 where no corner tells. */
int distance_grid_side_at(const distance_grid *g, rill_vec3 x, double distance);

typedef struct distance_grid_stats {
    size_t nodes[3]; /* cells cut, by level: of 16 h, 4 h, h */
    size_t exact;    /* cells that ask the exact function, of whatever size */
    size_t bytes;
} distance_grid_stats;
distance_grid_stats distance_grid_measure(const distance_grid *g);
