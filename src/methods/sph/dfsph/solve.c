#include "sph/dfsph/solve.h"

#include "sph/core/operations.h"
#include "sph/dfsph/pairs.h"

#include <math.h>
#include <string.h>

/* In a box that is full to the brim no arrangement but the lattice may have rest density: positions are given
 * up when PATIENCE iterations did not reduce the residual by a tenth. */
enum { MOST_ITERATIONS = 100, PATIENCE = 8, BETWEEN = 4 };

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
    double relax; /* factor of Jacobi's iteration: 0.5 at a support of two, where 0.7 diverges */
    bool jacobi;  /* the fallback, once the residual grows */
} chebyshev;

static chebyshev chebyshev_of(const sph *s, bool positions)
{
    const double wider = s->def.support / 2, largest = largest_at_two * fmax(wider * wider, 1);
    const double smallest = largest / (positions ? s->ops->position_spread : spread);
    return (chebyshev){
        .middle = 0.5 * (largest + smallest), .half = 0.5 * (largest - smallest), .relax = 2.1 / largest};
}

static void chebyshev_next(chebyshev *c, int iteration, float *keep, float *take)
{
    if (c->jacobi) {
        *keep = 0;
        *take = (float)c->relax;
    } else if (iteration == 0) {
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

solve_report solve_pressure(coarse *cells, const solve_def *def)
{
    sph *s = cells->s;
    const bool positions = def->dt > 0;
    chebyshev c = chebyshev_of(s, positions);
    solve_report report = {0};
    double best = INFINITY, mark = INFINITY, before = INFINITY;
    int since = 0; /* iterations since k was last changed from outside the iteration */
    bool coarse_helps = true, corrected = false;
    float rest = 1;
    while (report.iterations < MOST_ITERATIONS) {
        pairs_job j = {.s = s, .use = PAIRS_RELAX, .k = s->solve.k, .scale = (float)def->scale, .rest = rest};
        chebyshev_next(&c, since++, &j.keep, &j.take);
        const double residual = report.residual = relax(cells, def, &j, &rest);
        report.iterations++;
        if (residual <= def->tolerance && report.iterations >= def->least) return report;
        if (report.iterations == 1 && residual > 4 * def->at_zero) { /* a bad initial guess */
            memset(s->solve.k, 0, s->particles.count * sizeof *s->solve.k);
            since = 0;
            continue;
        }
        if (coarse_helps && corrected && residual > 2 * before) {
            coarse_undo(cells); /* the correction increased the residual */
            coarse_helps = corrected = false;
            since = 0;
            continue;
        }
        corrected = false;
        if (residual < best)
            best = residual;
        else if (residual > 2 * best && !c.jacobi)
            c.jacobi = true;
        if (positions && report.iterations % PATIENCE == 0) {
            if (best > 0.9 * mark) return report;
            mark = best;
        }
        if (coarse_helps && (!positions || residual > def->tolerance) &&
            (report.iterations - 1) % BETWEEN == 0) {
            before = residual;
            corrected = coarse_correct(cells, def->scale, !positions);
            if (corrected) since = 0;
        }
    }
    return report;
}
