#include "sph/dfsph/solve.h"

#include "sph/core/operations.h"
#include "sph/dfsph/pairs.h"
#include "sph/dfsph/residuals.h"

#include <math.h>
#include <string.h>

/* In a box that is full to the brim no arrangement but the lattice may have rest density: positions are given
 * up when PATIENCE iterations did not reduce the residual by a tenth, elsewhere by a fiftieth. */
enum {
    MOST_ITERATIONS = 100,
    MOST_OF_POSITIONS = 32,
    PATIENCE = 8,
    CYCLE = 4,
    LONG_CYCLE = 12,
    MOST_OF_CYCLE = 24
};

/* Longest correction of a position, in spacings: half of it does not suffice at impacts. In a full box there
 * is no space for it, and particles would jump to and fro. */
static const double longest = 0.2, longest_in_full = 0.1;

/* Eigenvalues of the relaxed operator, in units of the factor: with a support of two spacings the largest
 * observed at 10^6 particles was above 3.4, and 4.2 held. It grows with the number of neighbours (at 3.5
 * spacings in two dimensions 4.2 diverges). */
static const double largest_at_two = 4.2, spread = 10;

/* Coefficients of the Chebyshev iteration for eigenvalues in [smallest, largest]:
 * change = keep * change + take * residual. */
typedef struct {
    double middle, half, ratio;
} chebyshev;

static chebyshev chebyshev_of(const sph *s, bool positions)
{
    const double wider = s->def.support / 2, largest = largest_at_two * fmax(wider * wider, 1);
    const double smallest = largest / (positions ? s->ops->position_spread : spread);
    return (chebyshev){.middle = 0.5 * (largest + smallest), .half = 0.5 * (largest - smallest)};
}

double solve_middle(const sph *s)
{
    return chebyshev_of(s, false).middle;
}

static void chebyshev_next(chebyshev *c, int iteration, float *keep, float *take)
{
    if (iteration == 0) {
        c->ratio = c->half / c->middle;
        *keep = 0;
        *take = (float)(1 / c->middle);
    } else {
        const double next = 1 / (2 * c->middle / c->half - c->ratio);
        *keep = (float)(next * c->ratio);
        *take = (float)(2 * next / c->half);
        c->ratio = next;
    }
}

/* One pass: the acceleration by k, its residual, and the next k. */
static double relax(coarse *cells, const solve_def *def, pairs_job *j, float *rest)
{
    sph *s = cells->s;
    if (def->dt > 0) {
        pairs_shift(s, s->solve.k, def->dt, cells->closed ? longest_in_full : longest);
        pairs_squeeze(j);
        if (cells->closed) *rest += (float)j->mean; /* a full box cannot change its mean density */
    } else {
        pairs_accelerate(s, s->solve.k);
        pairs_divergence(j);
    }
    return j->residual;
}

/* The best combination of the cycles so far, and the next coarse correction; none after a cycle that was
 * mostly taken back: relaxations then go on alone, for longer. True: a cycle begins, of *length iterations.
 */
static bool correct_velocities(coarse *cells, const solve_def *def, int *length)
{
    residuals *cycles = cells->cycles;
    const bool first = !cycles->begun;
    residuals_combine(cycles);
    const bool poor = !first && cycles->factor < 0.5 && *length == CYCLE;
    *length = poor ? LONG_CYCLE : CYCLE;
    if (!poor) coarse_correct(cells, def->scale, true);
    residuals_relax(cycles);
    return true;
}

/* Densities are not linear in k, which is bounded besides: a correction is kept if the cycle after it reduced
 * the residual, and is the last one if not by much. */
static bool correct_positions(coarse *cells, const solve_def *def, double residual, double *before)
{
    if (*before < 0) return false;
    const bool helped = residual <= 0.7 * *before;
    if (residual > *before) residuals_return(cells->cycles);
    residuals_restart(cells->cycles, true);
    residuals_combine(cells->cycles);
    const bool corrected = helped && coarse_correct(cells, def->scale, false);
    residuals_relax(cells->cycles);
    *before = corrected ? residual : -1;
    return corrected;
}

solve_report solve_pressure(coarse *cells, const solve_def *def)
{
    sph *s = cells->s;
    const bool positions = def->dt > 0;
    chebyshev c = chebyshev_of(s, positions);
    residuals_restart(cells->cycles, positions);
    solve_report report = {0};
    double best = INFINITY, mark = INFINITY;
    int since = 0; /* iterations of this cycle */
    int length = CYCLE;
    double last = INFINITY;
    double before = INFINITY; /* positions: residual when the cycle began; < 0: no further corrections */
    float rest = 1;
    while (report.iterations < MOST_ITERATIONS) {
        pairs_job j = {.s = s,
                       .use = PAIRS_RELAX,
                       .k = s->solve.k,
                       .scale = (float)def->scale,
                       .rest = rest,
                       .tau = (float)c.middle};
        chebyshev_next(&c, since++, &j.keep, &j.take);
        const double residual = report.residual = relax(cells, def, &j, &rest);
        report.iterations++;
        /* the mean over all particles does not show what is left for a body */
        if (fmax(residual, j.body_error) <= def->tolerance && report.iterations >= def->least) return report;
        if (report.iterations == 1 && residual > 4 * def->at_zero) { /* a bad initial guess */
            memset(s->solve.k, 0, s->particles.count * sizeof *s->solve.k);
            memset(s->solve.change, 0, s->particles.count * sizeof *s->solve.change);
            since = length;
            continue;
        }
        best = fmin(best, residual);
        if (positions && report.iterations % PATIENCE == 0) {
            if (best > (cells->closed ? 0.9 : 0.98) * mark || report.iterations >= MOST_OF_POSITIONS)
                return report;
            mark = best;
        }
        const bool falling = positions && since < MOST_OF_CYCLE && residual < 0.9 * last;
        last = residual;
        if (report.iterations > 1 && (since < length || falling)) continue;
        if (positions ? correct_positions(cells, def, residual, &before)
                      : correct_velocities(cells, def, &length))
            since = 0;
    }
    return report;
}
