/* Gauss-Seidel by colours, and the moves between levels. All of them run over the tiles of a
 * level in parallel; a loop writes one colour and reads the other. */
#pragma once

#include "grid/pressure/multigrid.h"

/* Red cells and nodes from x = 0: x = b / diagonal. */
void sweep_first(rill_ctx *ctx, const level *l, float *x, const float *b);
/* The same for one tile's cells. */
void sweep_first_tile(const level *l, uint32_t tile, float *x, const float *b);
/* x = (b + neighbours) / diagonal for one colour. With q (colour 0 only), the sums of x b and
 * x q over all cells to dots[0] and dots[1]. */
void sweep(rill_ctx *ctx, const level *l, int colour, float *x, const float *b, const float *q, double *dots);

/* Sums the residual over the blocks into coarse->b, after a sweep of the black cells: the
 * residual there is zero. `fresh`: the red values are b / diagonal, so that all that is left
 * of their residual is what their neighbours say. */
void restrict_red(rill_ctx *ctx, const level *l, const level *coarse, const float *x, const float *b,
                  bool fresh);
/* Adds the blocks' corrections, coarse->x, to the red cells; the sweep of the black ones that
 * follows forgets theirs. */
void prolong_red(rill_ctx *ctx, const level *l, const level *coarse, float *x);

/* y = A x in single precision. */
void apply_single(rill_ctx *ctx, const level *l, const float *x, float *y);
