#include "linalg/gradients.h"

#include <math.h>

static gradients_end reason(double rz, double pq)
{
    return isfinite(rz) && isfinite(pq) ? GRADIENTS_NOT_POSITIVE : GRADIENTS_NOT_FINITE;
}

static double as_used(const gradients *g, double factor)
{
    return g->system->single ? (double)(float)factor : factor;
}

gradients_end gradients_step(gradients *g, double *residual)
{
    const gradients_system *s = g->system;
    double dots[2] = {0, 0};
    s->precondition(g->arg, dots);
    const double rz = dots[0];
    if (!(rz > 0) || !isfinite(rz)) return reason(rz, 0);
    double beta = 0;
    if (g->rz > 0) beta = s->flexible ? -g->alpha * dots[1] / g->rz : rz / g->rz;
    s->direct(g->arg, as_used(g, beta));
    const double pq = s->apply(g->arg);
    if (!(pq > 0) || !isfinite(pq)) return reason(rz, pq);
    g->rz = rz;
    g->alpha = as_used(g, rz / pq);
    *residual = s->advance(g->arg, g->alpha);
    g->iterations++;
    return GRADIENTS_GO_ON;
}

void gradients_restart(gradients *g)
{
    g->rz = g->alpha = 0;
}
