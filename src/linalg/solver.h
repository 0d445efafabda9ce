/* Conjugate gradients for the matrices of laplacian.h, with a choice of preconditioner.
 *
 *     solver_create -> solver_prepare (a matrix) -> solver_solve, as often as wanted
 *
 * Vectors are double, preconditioners single precision on a residual scaled to the right
 * side. Where the matrix is singular the right side's mean is removed and the solution's
 * is made zero. The result does not depend on the number of threads. A solve that does
 * not converge is not an error: the report says so. The status is for failed
 * allocations. */
#pragma once

#include "linalg/laplacian.h"
#include "linalg/low_rank.h"

typedef enum solver_kind {
    SOLVER_CG,     /* no preconditioner */
    SOLVER_JACOBI, /* the diagonal */
    SOLVER_IC,     /* incomplete.h */
    SOLVER_MIC,
    SOLVER_AMG, /* amg.h */
    SOLVER_KINDS
} solver_kind;

typedef struct solver_def {
    solver_kind kind;
    double tolerance;        /* of |b - A x| / |b| */
    uint32_t max_iterations; /* of all, restarts included */
} solver_def;

solver_def solver_def_default(void); /* amg, 1e-6, 1000 */

typedef enum solver_outcome {
    SOLVER_CONVERGED,
    SOLVER_STALLED,  /* rounding, or no progress: x is the best iterate */
    SOLVER_DIVERGED, /* not a number, or a matrix that is not positive: x is undefined */
    SOLVER_LIMIT     /* out of iterations; x is the last iterate */
} solver_outcome;

const char *solver_outcome_text(solver_outcome outcome);

typedef struct solver_report {
    solver_outcome outcome;
    uint32_t iterations;
    double residual;  /* the true |b - A x| / |b| at the end */
    double imbalance; /* part of |b| that was removed from the worst singular component: fluxes that do not
                       * add up to zero there */
    uint32_t imbalance_row; /* a row of that component */
} solver_report;

typedef struct solver solver;

RILL_CHECKED rill_status solver_create(rill_ctx *ctx, const solver_def *def, solver **out);
void solver_destroy(solver *s);
/* For later solves: the same matrix may be solved to different accuracies. */
void solver_set_tolerance(solver *s, double tolerance);

/* Borrows the matrix and the coupling (NULL: none) until the next call or destruction. keep: when there is
 * a multigrid hierarchy for a matrix of as many rows, use it for this one too, which must be much like
 * it. On failure the solver has no matrix. */
RILL_CHECKED rill_status solver_prepare(solver *s, const laplacian *a, const low_rank *coupling, bool keep);

/* x holds the first guess. */
void solver_solve(solver *s, const double *b, double *x, solver_report *report);

/* Connected components of the prepared matrix that are singular: how many. */
uint32_t solver_singular_count(const solver *s);
