/* Points sorted in space into bins of a few each, however unevenly they lie.
 *
 * A grid of bins covers the points' bounding box, its bins sized for about BINS_FEW points
 * each where there are points. A bin with more than BINS_MOST has a grid of its own, over
 * the bounding box of its points, and so on: dense clusters cost what they hold and not
 * what surrounds them. Points of a bin, and the bins of a row along x, are contiguous.
 *
 * Holds: every point is in the bin that bins_at gives for its position; a bin without a
 * grid of its own holds at most BINS_MOST points, or points that all coincide; within a
 * bin points keep their order.
 * Lives in the arena it was built in. Positions are finite. */
#pragma once

#include "base/arena.h"
#include "base/parallel.h"
#include "base/vec.h"

enum { BINS_FEW = 4, BINS_MOST = 40, BINS_PADDING = 16 };

typedef struct bins_grid {
    double origin[3], width[3], per[3]; /* per: bins per length */
    uint32_t n[3];
    uint32_t *start;  /* per bin, x fastest: first point in sorted order; and the end */
    uint32_t *child;  /* per bin: its own grid, 0 for none; NULL: no bin has one */
    uint32_t parent;  /* grid whose bin this one refines; the first is its own parent */
    uint32_t slot[3]; /* that bin */
} bins_grid;

typedef struct bins {
    uint32_t count;
    double *x, *y, *z; /* in sorted order, padded by BINS_PADDING points at infinity */
    uint32_t *order;   /* the k-th point in sorted order was point order[k] */
    bins_grid *grid;   /* the first is the root */
    uint32_t grid_count;
} bins;

RILL_CHECKED rill_status bins_build(rill_ctx *ctx, rill_arena *arena, const rill_vec3 *x, uint32_t count,
                                    bins *out);

/* Leaves out the points with drop[k] != 0 (k in sorted order). scratch: count + 1. */
void bins_drop(bins *b, const uint8_t *drop, uint32_t *scratch);

static inline uint32_t bins_along(const bins_grid *g, int axis, double x)
{
    const double t = (x - g->origin[axis]) * g->per[axis];
    if (!(t > 0)) return 0;
    return t < g->n[axis] ? (uint32_t)t : g->n[axis] - 1;
}

static inline uint32_t bins_index(const bins_grid *g, uint32_t i, uint32_t j, uint32_t k)
{
    return (k * g->n[1] + j) * g->n[0] + i;
}

/* The innermost grid over a position and the bin there: the nearest one for positions
 * outside the points' bounding box. */
static inline const bins_grid *bins_at(const bins *b, double x, double y, double z, uint32_t at[3])
{
    const bins_grid *g = b->grid;
    for (;;) {
        at[0] = bins_along(g, 0, x);
        at[1] = bins_along(g, 1, y);
        at[2] = bins_along(g, 2, z);
        const uint32_t c = g->child ? g->child[bins_index(g, at[0], at[1], at[2])] : 0;
        if (!c) return g;
        g = b->grid + c;
    }
}
