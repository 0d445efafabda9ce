/* Jacobi, and red-black over-relaxation ([Braley] section 4.2.3). A sweep of one colour reads
 * only the other, so that the result does not depend on the order of the sweeps. */
#include "grid/pressure/solve.h"

#include <math.h>

enum { LOOK_EVERY = 8 }; /* iterations between two residuals */

/* Without air a chess board of plus and minus is turned over by Jacobi and never gets less:
 * where there are closed parts the step is shortened a little. */
#define JACOBI_CLOSED 0.9

/* The best factor for a closed box of n cells a side, Young 1954: the spectral
 * radius of Jacobi there is (d - 1 + cos(pi / n)) / d. */
static double best_omega(const level *l)
{
    int32_t lo[3] = {INT32_MAX, INT32_MAX, INT32_MAX}, hi[3] = {0, 0, 0};
    const int axes = l->planes == 1 ? 2 : 3;
    for (uint32_t t = 0; t < l->tiles; t++)
        for (uint32_t k = 0; k < l->cells; k++) {
            if (!l->active[(size_t)l->source[t] * l->cells + k]) continue;
            const int32_t at[3] = {l->tile[t][0] * 8 + (int32_t)(k & 7),
                                   l->tile[t][1] * 8 + (int32_t)(k >> 3 & 7),
                                   l->tile[t][2] * 8 + (int32_t)(k >> 6)};
            for (int d = 0; d < axes; d++) {
                if (at[d] < lo[d]) lo[d] = at[d];
                if (at[d] > hi[d]) hi[d] = at[d];
            }
        }
    int32_t n = 1;
    for (int d = 0; d < axes; d++)
        if (hi[d] - lo[d] + 1 > n) n = hi[d] - lo[d] + 1;
    const double radius = (axes - 1 + cos(M_PI / n)) / axes;
    return 2 / (1 + sqrt(1 - radius * radius));
}

rill_status solve_relaxation(solve *s)
{
    const level *l = &s->grid->level[0];
    const bool jacobi = s->def->method == PRESSURE_JACOBI;
    const double best = !jacobi ? best_omega(l) : s->labels ? JACOBI_CLOSED : 1;
    const double omega = s->def->omega > 0 ? s->def->omega : best;
    const uint32_t most = s->def->max_iterations ? s->def->max_iterations : 100000;
    const double target = s->def->tolerance * s->norm;
    double *other = NULL;
    if (jacobi) TRY(double_vector(s->memory, l, false, &other));
    double residual = sqrt(double_residual(s->ctx, l, s->x, s->b, 1, NULL));
    watch look = {.start = fmax(residual, s->norm), .best = residual, .patience = 20000 / LOOK_EVERY};
    s->report->end = PRESSURE_CONVERGED;
    s->report->iterations = 0;
    while (!(residual <= target)) {
        if (s->report->iterations >= most) {
            s->report->end = PRESSURE_MAX_ITERATIONS;
            break;
        }
        if (jacobi) {
            /* Twice, back into x. */
            double_jacobi(s->ctx, l, omega, s->x, s->b, other);
            double_jacobi(s->ctx, l, omega, other, s->b, s->x);
            s->report->iterations += 2;
        } else {
            double_relax(s->ctx, l, 0, omega, s->x, s->b);
            double_relax(s->ctx, l, 1, omega, s->x, s->b);
            s->report->iterations++;
        }
        if (s->report->iterations % LOOK_EVERY) continue;
        residual = sqrt(double_residual(s->ctx, l, s->x, s->b, 1, NULL));
        if (watch_ends(&look, residual, &s->report->end)) break;
    }
    return RILL_OK;
}
