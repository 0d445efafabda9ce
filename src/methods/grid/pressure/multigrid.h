/* The multigrid hierarchy of a pressure system and its cycle: the default preconditioner.
 *
 * Coarsening: the nodes of a 2 x 2 x 2 block that hang together become one coarse node each
 * (Notay 2010's aggregation, by geometry), so that liquids on two sides of a wall stay
 * apart on every level. Parts of one block never touch: the chess board colours every
 * level. Coefficients: a link a between nodes i and j of two blocks counts a / (1 + s_i +
 * s_j), s = min(1, outer / (2 inner)) the resistance from the block's middle to i in units of
 * the link's: plain Galerkin sums (s = 0) are twice too stiff in the open, and half of them
 * is too soft at a door between two rooms. Links to air: half their sum.
 *
 * Cycle, in single precision: red and black Gauss-Seidel before, black and red after, once
 * on the finest level and twice on the others; the residual is summed over a block and the
 * correction handed to all of it. Restriction is the transpose of prolongation, coarse
 * matrices are symmetric: a V-cycle is symmetric positive definite. Coarsening goes on
 * until nothing hangs together: a node without links is solved by the sweep and not
 * carried on, so there is no solver at the bottom.
 *
 * Long chains of rooms (a maze) defeat a V-cycle; `k_cycle` makes each coarse level take
 * two steps of conjugate gradients (Notay's K-cycle) with the next as preconditioner. */
#pragma once

#include "grid/pressure/level.h"

typedef struct multigrid {
    rill_ctx *ctx;
    level level[MAX_LEVELS];
    int levels;
    bool k_cycle;
} multigrid;

/* Levels 1 and up of m->level[0], which is built. */
RILL_CHECKED rill_status multigrid_build(rill_arena *memory, rill_arena *scratch, multigrid *m);

/* Room for the vectors of the K-cycle, and the switch. */
RILL_CHECKED rill_status multigrid_use_k_cycle(rill_arena *memory, multigrid *m);

/* Coarser level from l; *more is false when l has no links left. Leaves in l what transfers
 * between the two need. */
RILL_CHECKED rill_status multigrid_coarsen(rill_arena *memory, rill_arena *scratch, level *l, level *out,
                                           bool *more);

/* x = M b on level 0: all of the cycle but the first half sweep, which leaves x = b / diagonal
 * on the red cells and which the caller has done (multigrid_first_half does). With q, the
 * sums x.b and x.q go to dots[0], dots[1]. */
void multigrid_cycle(multigrid *m, float *x, const float *b, const float *q, double *dots);
void multigrid_first_half(multigrid *m, float *x, const float *b);

/* A link between two nodes, put on a list that link_rows_build sorts and adds up. */
typedef struct link {
    uint32_t i, j;
    float a;
} link;
/* Rows of both ends of each link, and one (maybe empty) for every loose node. */
RILL_CHECKED rill_status link_rows_build(rill_arena *memory, rill_arena *scratch, const level *l,
                                         const link *list, size_t count, link_rows *out);

/* Coarse node of a node of l; UINT32_MAX: none. */
uint32_t multigrid_parent(const level *l, const level *coarse, uint32_t index);

/* Parts without a free surface. label: per index of level 0, number of the part, or
 * UINT32_MAX; NULL when there are none. */
RILL_CHECKED rill_status multigrid_labels(rill_arena *memory, rill_arena *scratch, const multigrid *m,
                                          uint32_t **label, uint32_t *count);
