/* Conjugate gradients in double, plain or with incomplete Cholesky: the solvers multigrid is
 * measured against ([Braley] section 4.2.3; Bridson 2008, figure 4.2). */
#include "grid/pressure_solve.h"

#include <math.h>

typedef struct job {
    const level *l;
    double *x, *r, *p;
    const double *q, *z;
    double alpha, beta;
} job;

static void update_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    double *restrict x = w->x, *restrict r = w->r;
    const double *restrict p = w->p, *restrict q = w->q;
    for (size_t i = begin * w->l->cells; i < end * w->l->cells; i++) {
        x[i] += w->alpha * p[i];
        r[i] -= w->alpha * q[i];
    }
}

static void direction_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    for (size_t i = begin * w->l->cells; i < end * w->l->cells; i++) w->p[i] = w->z[i] + w->beta * w->p[i];
}

rill_status solve_gradients(solve *s)
{
    const level *l = &s->grid->level[0];
    const size_t n = (size_t)l->tiles * l->cells;
    double *r, *p, *q, *z;
    mic *cholesky = NULL;
    TRY(double_vector(s->memory, l, false, &r));
    TRY(double_vector(s->memory, l, false, &p));
    TRY(double_vector(s->memory, l, false, &q));
    z = r;
    if (s->def->method == PRESSURE_MIC0) {
        TRY(double_vector(s->memory, l, false, &z));
        TRY(mic_build(s->memory, l, &cholesky));
    }
    const uint32_t most = s->def->max_iterations ? s->def->max_iterations : 100000;
    const double target = s->def->tolerance * s->norm;
    double_apply(s->ctx, l, s->x, q);
    for (size_t i = 0; i < n; i++) r[i] = s->b[i] - q[i];
    double residual = sqrt(double_dot(s->ctx, l, r, r)), rz_before = 0;
    watch look = {.start = fmax(residual, s->norm), .best = residual, .patience = 5000};
    job w = {l, s->x, r, p, q, z, 0, 0};
    s->report->end = PRESSURE_CONVERGED;
    for (s->report->iterations = 0; !(residual <= target); s->report->iterations++) {
        if (s->report->iterations == most) {
            s->report->end = PRESSURE_MAX_ITERATIONS;
            break;
        }
        if (cholesky) mic_apply(cholesky, r, z);
        const double rz = double_dot(s->ctx, l, r, z);
        w.beta = s->report->iterations ? rz / rz_before : 0;
        rz_before = rz;
        level_for(s->ctx, l, direction_block, &w);
        const double pq = double_apply(s->ctx, l, p, q);
        if (!(rz > 0 && pq > 0)) {
            s->report->end = isfinite(rz) && isfinite(pq) ? PRESSURE_STALLED : PRESSURE_DIVERGED;
            break;
        }
        w.alpha = rz / pq;
        level_for(s->ctx, l, update_block, &w);
        residual = sqrt(double_dot(s->ctx, l, r, r));
        if (watch_ends(&look, residual, &s->report->end)) break;
    }
    return RILL_OK;
}
