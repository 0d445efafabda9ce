/* The matrix of a pressure projection: a weighted graph with a diagonal.
 *
 *     (A p)_i = extra_i p_i + sum_j weight_ij (p_i - p_j),    weight, extra >= 0
 *
 * One row per cell, one edge per open face between two cells (weight: area over the
 * distance of the pressure sites), extra where a face has a given pressure behind it.
 * A is symmetric and positive semi-definite by construction, an M-matrix, and singular
 * exactly on the connected components without extra (components.h).
 *
 * Weights are single precision: they are the definition of the matrix, and code that
 * updates a flux uses laplacian's own weight, so that nothing is lost by it; the vectors
 * of a solve are double. Memory: 8 bytes per entry and 24 per row. */
#pragma once

#include "base/memory.h"

typedef struct laplacian {
    uint32_t rows;
    uint32_t *start;  /* rows + 1 */
    uint32_t *column; /* of row i: [start[i], start[i+1]), ascending, without i */
    float *weight;
    double *diagonal; /* extra + the sum of the row's weights */
    double *extra;
} laplacian;

/* An edge between two different rows. Edges that join the same two rows add up. */
typedef struct laplacian_edge {
    uint32_t a, b;
    float weight;
} laplacian_edge;

/* extra: one value per row, or NULL for none. Fails with RILL_USAGE and names the edge or
 * row when a weight or extra is negative or not finite, or an end is not a row. An edge of
 * weight 0 joins nothing and is left out. */
RILL_CHECKED rill_status laplacian_build(rill_ctx *ctx, uint32_t rows, size_t edges,
                                         const laplacian_edge *edge, const double *extra, laplacian *out);
void laplacian_clear(rill_ctx *ctx, laplacian *a);

/* q = A p. */
void laplacian_apply(rill_ctx *ctx, const laplacian *a, const double *p, double *q);

enum { LAPLACIAN_BLOCK = 4096 }; /* rows handed to a thread at a time */

/* The rows [begin, end) of q = A p; returns their part of p.q. */
double laplacian_rows(const laplacian *a, const double *p, double *q, size_t begin, size_t end);
