/* Algebraic multigrid by smoothed aggregation (Vanek, Mandel, Brezina 1996), as a
 * preconditioner of conjugate gradients for the matrices of laplacian.h.
 *
 * Rows that are strongly coupled are gathered into aggregates; each becomes one row of
 * the next matrix, P^T A P, where P is the aggregates' indicator smoothed once. A V-cycle
 * with one weighted Jacobi sweep down and one up is symmetric and positive definite, so
 * conjugate gradients may use it. Everything here is single precision: a preconditioner
 * only has to be roughly right, and bandwidth is what it costs.
 *
 * The hierarchy may be kept while the matrix changes little (amg_rebind): the smoothing
 * is then of the new matrix, the coarse levels of the old one, and the cycle stays
 * symmetric and positive definite. */
#pragma once

#include "linalg/laplacian.h"
#include "linalg/sparse.h"

typedef struct amg amg;

RILL_CHECKED rill_status amg_create(rill_ctx *ctx, const laplacian *a, amg **out); /* borrows a */
void amg_destroy(rill_ctx *ctx, amg *m);

/* The same hierarchy for another matrix of as many rows; borrows it. */
void amg_rebind(rill_ctx *ctx, amg *m, const laplacian *a);

/* z = one V-cycle on r, from zero; z and r apart. One call at a time: the levels hold scratch. */
void amg_apply(rill_ctx *ctx, const amg *m, const float *r, float *z);

typedef struct amg_stats {
    uint32_t levels, coarsest_rows;
    double operator_complexity; /* entries of all matrices over those of the first */
    size_t bytes;               /* without the first matrix, which is borrowed */
} amg_stats;
amg_stats amg_describe(const amg *m);
