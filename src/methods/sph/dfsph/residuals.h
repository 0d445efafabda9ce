/* Combines the cycles of a pressure solve so that the residual is smallest: generalised conjugate residuals
 * (Eisenstat, Elman and Schultz 1983), truncated, with a cycle (a coarse correction and some relaxations) as
 * its preconditioner.
 *
 * A cycle leads from (k0, r0) to (k, r). For a linear problem r is known everywhere on the line between, and
 * along the last cycles' lines, without another pass over pairs. A correction that is too large, as in liquid
 * whose density varies, is then scaled down instead of making the iteration diverge. */
#pragma once

#include "sph/core/state.h"

enum { RESIDUALS_DEPTH = 2 };

typedef struct residuals {
    sph *s;
    float *k0, *r0;                                               /* where the cycle began */
    float *step[RESIDUALS_DEPTH + 1], *drop[RESIDUALS_DEPTH + 1]; /* changes of k; what they take off r */
    double square[RESIDUALS_DEPTH + 1];                           /* of drop */
    int count;                                                    /* of these */
    bool begun;
    bool pushes; /* pressure only pushes: r < 0 with k = 0 is no residual */
    double weight[RESIDUALS_DEPTH + 1], factor;
} residuals;

RILL_CHECKED rill_status residuals_build(sph *s, rill_arena *arena, residuals *out);
void residuals_restart(residuals *a, bool pushes);
/* At the end of a cycle, and before the first: solve.residual belongs to solve.k - solve.change. Puts the
 * best k along the cycle into solve.k, its residual into solve.residual, and begins a cycle there. Keeps
 * solve.change. */
void residuals_combine(residuals *a);
/* Afterwards: the last relaxation again, on top of the best k and the coarse correction. */
void residuals_relax(residuals *a);
/* Back to where the cycle began. */
void residuals_return(residuals *a);
