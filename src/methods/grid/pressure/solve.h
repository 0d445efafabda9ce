/* A solve in progress, as the solvers see it: the finest level, the right side free of what
 * singular parts cannot have, and the answer so far. */
#pragma once

#include "grid/pressure/double.h"
#include "grid/pressure/multigrid.h"

typedef struct solve_bodies solve_bodies;

typedef struct solve {
    rill_ctx *ctx;
    rill_arena *memory, *scratch;
    const pressure_def *def;
    multigrid *grid; /* level[0] built; the others for multigrid alone */
    double *x, *b;
    double norm;     /* |b| */
    uint32_t *label; /* per index: singular part or NO_NODE; NULL when there are none */
    uint32_t labels;
    solve_bodies *bodies;    /* NULL: none */
    pressure_report *report; /* for the solver: end, iterations, and residual if it knows it */
} solve;

/* Takes the mean over each singular part off v. */
RILL_CHECKED rill_status solve_remove_means(const solve *s, double *v, double *largest_sum);

/* |b - A x|^2, with the bodies' part of A; as double_residual. */
double solve_residual(const solve *s, const double *x, double scale, float *r);

RILL_CHECKED rill_status solve_multigrid(solve *s);
RILL_CHECKED rill_status solve_gradients(solve *s);  /* PRESSURE_CG and PRESSURE_MIC0 */
RILL_CHECKED rill_status solve_relaxation(solve *s); /* PRESSURE_SOR and PRESSURE_JACOBI */

/* Watches the residual of an iteration. */
typedef struct watch {
    double start, best;
    uint32_t since; /* iterations without a new best */
    uint32_t patience;
} watch;

/* True when it is no use to go on; *end says why. */
static inline bool watch_ends(watch *w, double residual, pressure_end *end)
{
    if (!(residual <= 1e6 * w->start)) { /* also when it is no number */
        *end = PRESSURE_DIVERGED;
        return true;
    }
    if (residual < 0.99 * w->best) {
        w->best = residual;
        w->since = 0;
    } else if (++w->since > w->patience) {
        *end = PRESSURE_STALLED;
        return true;
    }
    return false;
}

/* Incomplete Cholesky: mic.c. */
typedef struct mic mic;
RILL_CHECKED rill_status mic_build(rill_arena *memory, const level *l, mic **out);
void mic_apply(const mic *m, const double *r, double *z);
