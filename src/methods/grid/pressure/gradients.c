/* Conjugate gradients in double, plain or with incomplete Cholesky: the solvers multigrid is
 * measured against ([Braley] section 4.2.3; Bridson 2008, figure 4.2). */
#include "grid/pressure/bodies.h"

#include "linalg/gradients.h"

#include <math.h>

typedef struct job {
    solve *s;
    const level *l;
    double *x, *r, *p, *q, *z; /* z: r itself without a preconditioner */
    mic *cholesky;             /* NULL: none */
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

/* The operations of linalg/gradients.h. */
static void precondition(void *arg, double dots[2])
{
    const job *w = arg;
    if (w->cholesky) mic_apply(w->cholesky, w->r, w->z);
    dots[0] = double_dot(w->s->ctx, w->l, w->r, w->z);
}

static void direct(void *arg, double beta)
{
    job *w = arg;
    w->beta = beta;
    level_for(w->s->ctx, w->l, direction_block, w);
}

static double apply(void *arg)
{
    const job *w = arg;
    const double pq = double_apply(w->s->ctx, w->l, w->p, w->q);
    if (!w->s->bodies) return pq;
    solve_bodies_apply(w->s, w->p, 1, w->q);
    return double_dot(w->s->ctx, w->l, w->p, w->q);
}

static double advance(void *arg, double alpha)
{
    job *w = arg;
    w->alpha = alpha;
    level_for(w->s->ctx, w->l, update_block, w);
    return sqrt(double_dot(w->s->ctx, w->l, w->r, w->r));
}

static const gradients_system operations = {
    .precondition = precondition, .direct = direct, .apply = apply, .advance = advance};

rill_status solve_gradients(solve *s)
{
    const level *l = &s->grid->level[0];
    const size_t n = (size_t)l->tiles * l->cells;
    job w = {.s = s, .l = l, .x = s->x};
    TRY(double_vector(s->memory, l, false, &w.r));
    TRY(double_vector(s->memory, l, false, &w.p));
    TRY(double_vector(s->memory, l, false, &w.q));
    w.z = w.r;
    if (s->def->method == PRESSURE_MIC0) {
        TRY(double_vector(s->memory, l, false, &w.z));
        TRY(mic_build(s->memory, l, &w.cholesky));
    }
    const uint32_t most = s->def->max_iterations ? s->def->max_iterations : 100000;
    const double target = s->def->tolerance * s->norm;
    double_apply(s->ctx, l, s->x, w.q);
    for (size_t i = 0; i < n; i++) w.r[i] = s->b[i] - w.q[i];
    double residual = sqrt(double_dot(s->ctx, l, w.r, w.r));
    watch look = {.start = fmax(residual, s->norm), .best = residual, .patience = 5000};
    gradients g = {.system = &operations, .arg = &w};
    s->report->end = PRESSURE_CONVERGED;
    while (!(residual <= target)) {
        gradients_end end = GRADIENTS_GO_ON;
        if (g.iterations == most)
            s->report->end = PRESSURE_MAX_ITERATIONS;
        else if ((end = gradients_step(&g, &residual)) != GRADIENTS_GO_ON)
            s->report->end = end == GRADIENTS_NOT_POSITIVE ? PRESSURE_STALLED : PRESSURE_DIVERGED;
        else if (!watch_ends(&look, residual, &s->report->end))
            continue;
        break;
    }
    s->report->iterations = g.iterations;
    return RILL_OK;
}
