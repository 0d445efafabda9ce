#include "linalg/solver.h"

#include "base/parallel.h"
#include "linalg/amg.h"
#include "linalg/components.h"
#include "linalg/dense.h"
#include "linalg/gradients.h"
#include "linalg/incomplete.h"

#include <math.h>
#include <string.h>

struct solver {
    rill_ctx *ctx;
    solver_def def;
    const laplacian *a;
    const low_rank *coupling;
    components parts; /* the singular ones are centred */
    amg *multigrid;
    incomplete factor;
    uint32_t rows; /* capacity of the vectors */
    double *r, *p, *q;
    float *r_single, *z;
    /* Coupling: (M + V V^T)^-1 = M^-1 - W (I + V^T W)^-1 W^T with W = M^-1 V, M the
     * preconditioner without it (Woodbury). It holds from no mass to infinite mass. */
    uint32_t width;
    float *w;                      /* rows x width, by vector */
    double *gram;                  /* Cholesky factor of V^T V */
    double *small, *s, *t, *dense; /* Cholesky factor of I + V^T W; scratch of width; z in double */
};

const char *solver_outcome_text(solver_outcome outcome)
{
    static const char *const text[] = {"converged", "stalled", "diverged", "out of iterations"};
    return text[outcome];
}

solver_def solver_def_default(void)
{
    return (solver_def){.kind = SOLVER_AMG, .tolerance = 1e-6, .max_iterations = 1000};
}

void solver_set_tolerance(solver *s, double tolerance)
{
    s->def.tolerance = tolerance;
}

rill_status solver_create(rill_ctx *ctx, const solver_def *def, solver **out)
{
    solver *s;
    TRY(MEM_NEW_ZERO(ctx, s, 1));
    s->ctx = ctx;
    s->def = *def;
    *out = s;
    return RILL_OK;
}

/* ---- preparation ---- */

static void clear_coupling(solver *s)
{
    mem_free(s->ctx, s->w);
    mem_free(s->ctx, s->gram);
    mem_free(s->ctx, s->small);
    mem_free(s->ctx, s->s);
    mem_free(s->ctx, s->t);
    mem_free(s->ctx, s->dense);
    s->w = NULL;
    s->gram = s->small = s->s = s->t = s->dense = NULL;
    s->width = 0;
    s->coupling = NULL;
}

static void clear_vectors(solver *s)
{
    mem_free(s->ctx, s->r);
    mem_free(s->ctx, s->p);
    mem_free(s->ctx, s->q);
    mem_free(s->ctx, s->r_single);
    mem_free(s->ctx, s->z);
    s->r = s->p = s->q = NULL;
    s->r_single = s->z = NULL;
    s->rows = 0;
}

static void clear_multigrid(solver *s)
{
    amg_destroy(s->ctx, s->multigrid);
    s->multigrid = NULL;
}

void solver_destroy(solver *s)
{
    if (!s) return;
    clear_coupling(s);
    clear_vectors(s);
    clear_multigrid(s);
    incomplete_clear(s->ctx, &s->factor);
    components_clear(s->ctx, &s->parts);
    mem_free(s->ctx, s);
}

static rill_status make_vectors(solver *s, uint32_t rows)
{
    if (s->rows == rows) return RILL_OK;
    clear_vectors(s);
    TRY(MEM_NEW(s->ctx, s->r, rows));
    TRY(MEM_NEW(s->ctx, s->p, rows));
    TRY(MEM_NEW(s->ctx, s->q, rows));
    TRY(MEM_NEW(s->ctx, s->r_single, rows));
    TRY(MEM_NEW(s->ctx, s->z, rows));
    s->rows = rows;
    return RILL_OK;
}

static rill_status make_preconditioner(solver *s, const laplacian *a, bool keep)
{
    if (s->def.kind == SOLVER_AMG) {
        if (s->multigrid && keep) {
            amg_rebind(s->ctx, s->multigrid, a);
            return RILL_OK;
        }
        clear_multigrid(s);
        return amg_create(s->ctx, a, &s->multigrid);
    }
    incomplete_clear(s->ctx, &s->factor);
    if (s->def.kind == SOLVER_IC || s->def.kind == SOLVER_MIC)
        return incomplete_build(s->ctx, a, s->def.kind == SOLVER_MIC, &s->factor);
    return RILL_OK;
}

typedef struct {
    const solver *s;
    const float *r;
    float *z;
} diagonal_scaling;

static void scale_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const diagonal_scaling *d = arg;
    const double *diagonal = d->s->a->diagonal;
    for (size_t i = begin; i < end; i++) d->z[i] = diagonal[i] > 0 ? d->r[i] / (float)diagonal[i] : 0;
}

/* z = M^-1 r, M for the matrix alone. */
static void precondition_matrix(const solver *s, const float *r, float *z)
{
    switch (s->def.kind) {
    case SOLVER_AMG: amg_apply(s->ctx, s->multigrid, r, z); break;
    case SOLVER_IC:
    case SOLVER_MIC: incomplete_solve(&s->factor, r, z); break;
    case SOLVER_JACOBI: {
        diagonal_scaling d = {s, r, z};
        parallel_for(s->ctx, s->a->rows, LAPLACIAN_BLOCK, scale_rows, &d);
        break;
    }
    default: memcpy(z, r, s->a->rows * sizeof *z); break;
    }
}

/* A closed body feels no constant pressure, so that the matrix stays singular with it; a
 * piston does. The components it makes regular are taken from the list. */
static void drop_regular_parts(solver *s)
{
    components *c = &s->parts;
    double *indicator = s->r;
    uint32_t kept = 0, to = 0;
    for (uint32_t k = 0; k < c->singular_count; k++) {
        const uint32_t from = c->singular_start[k], end = c->singular_start[k + 1];
        double size = 0, largest = 0;
        memset(indicator, 0, s->a->rows * sizeof *indicator);
        for (uint32_t m = from; m < end; m++) indicator[c->singular_row[m]] = 1;
        low_rank_gather(s->coupling, indicator, s->s);
        for (uint32_t m = 0; m < s->coupling->start[s->coupling->groups]; m++)
            for (int v = 0; v < LOW_RANK_WIDTH; v++)
                size += fabs(s->coupling->entry[m].v[v]) * indicator[s->coupling->entry[m].row];
        for (uint32_t v = 0; v < s->width; v++) largest = fmax(largest, fabs(s->s[v]));
        if (largest > 1e-9 * size) continue;
        c->singular_start[kept++] = to;
        memmove(c->singular_row + to, c->singular_row + from, (end - from) * sizeof *c->singular_row);
        to += end - from;
    }
    c->singular_count = kept;
    c->singular_start[kept] = to;
}

/* Column v of V into r_single, scaled to length one; returns the scale taken off. */
static double dense_column(const solver *s, uint32_t v)
{
    const low_rank *l = s->coupling;
    const uint32_t group = v / LOW_RANK_WIDTH;
    double squares = 0;
    for (uint32_t k = l->start[group]; k < l->start[group + 1]; k++)
        squares += l->entry[k].v[v % LOW_RANK_WIDTH] * l->entry[k].v[v % LOW_RANK_WIDTH];
    const double scale = sqrt(squares);
    memset(s->r_single, 0, s->a->rows * sizeof *s->r_single);
    if (scale > 0)
        for (uint32_t k = l->start[group]; k < l->start[group + 1]; k++)
            s->r_single[l->entry[k].row] = (float)(l->entry[k].v[v % LOW_RANK_WIDTH] / scale);
    return scale;
}

/* Column v of the matrix V^T W and of V^T V. */
static void small_columns(solver *s, uint32_t v)
{
    const uint32_t rows = s->a->rows;
    float *w = s->w + (size_t)v * rows;
    const double scale = dense_column(s, v);
    for (uint32_t i = 0; i < rows; i++) s->dense[i] = scale * s->r_single[i];
    low_rank_gather(s->coupling, s->dense, s->gram + (size_t)v * s->width);
    precondition_matrix(s, s->r_single, w);
    for (uint32_t i = 0; i < rows; i++) {
        w[i] *= (float)scale;
        s->dense[i] = w[i];
    }
    low_rank_gather(s->coupling, s->dense, s->small + (size_t)v * s->width);
}

/* Half of it and its transpose: they are symmetric but for rounding. */
static void symmetrize(uint32_t n, double *m)
{
    for (size_t v = 0; v < n; v++)
        for (size_t u = 0; u < v; u++) m[v * n + u] = m[u * n + v] = 0.5 * (m[v * n + u] + m[u * n + v]);
}

static rill_status make_coupling(solver *s, const low_rank *coupling)
{
    clear_coupling(s);
    if (!coupling || coupling->groups == 0) return RILL_OK;
    const uint32_t rows = s->a->rows, width = LOW_RANK_WIDTH * coupling->groups;
    TRY(MEM_NEW(s->ctx, s->w, (size_t)rows * width));
    TRY(MEM_NEW(s->ctx, s->gram, (size_t)width * width));
    TRY(MEM_NEW(s->ctx, s->small, (size_t)width * width));
    TRY(MEM_NEW(s->ctx, s->s, width));
    TRY(MEM_NEW(s->ctx, s->t, width));
    TRY(MEM_NEW(s->ctx, s->dense, rows));
    s->coupling = coupling;
    s->width = width;
    drop_regular_parts(s);
    for (uint32_t v = 0; v < width; v++) small_columns(s, v);
    for (size_t v = 0; v < width; v++) s->small[v * width + v] += 1;
    symmetrize(width, s->gram);
    symmetrize(width, s->small);
    dense_factor(width, s->gram, 1e-12);
    dense_factor(width, s->small, 1e-14);
    return RILL_OK;
}

rill_status solver_prepare(solver *s, const laplacian *a, const low_rank *coupling, bool keep)
{
    const bool same = s->rows == a->rows && keep;
    s->a = NULL;
    components_clear(s->ctx, &s->parts);
    TRY(make_vectors(s, a->rows));
    TRY(components_build(s->ctx, a, &s->parts));
    TRY(make_preconditioner(s, a, same));
    s->a = a;
    const rill_status st = make_coupling(s, coupling);
    if (st) {
        clear_coupling(s);
        s->a = NULL;
    }
    return st;
}

uint32_t solver_singular_count(const solver *s)
{
    return s->parts.singular_count;
}

/* ---- conjugate gradients ---- */

typedef struct {
    solver *s;
    const double *b;
    double *x;
    double scale; /* 1 / |b|: r and x are of the scaled system */
    double alpha, beta;
} iteration;

static double square_of(void *arg, size_t begin, size_t end)
{
    const double *v = arg;
    double sum = 0;
    for (size_t i = begin; i < end; i++) sum += v[i] * v[i];
    return sum;
}

static double norm(const solver *s, const double *v)
{
    return sqrt(parallel_sum(s->ctx, s->a->rows, square_of, (void *)v));
}

static double residual_norm(const solver *s)
{
    return norm(s, s->r);
}

static double multiply_rows(void *arg, size_t begin, size_t end)
{
    const iteration *it = arg;
    return laplacian_rows(it->s->a, it->s->p, it->s->q, begin, end);
}

/* q = (A + V V^T) p; returns p.q. */
static double multiply(const iteration *it)
{
    const solver *s = it->s;
    double dot = parallel_sum(s->ctx, s->a->rows, multiply_rows, (void *)it);
    if (s->coupling) {
        low_rank_gather(s->coupling, s->p, s->s);
        low_rank_scatter(s->coupling, s->s, s->q);
        for (uint32_t v = 0; v < s->width; v++) dot += s->s[v] * s->s[v];
    }
    return dot;
}

static void step_terms(void *arg, size_t begin, size_t end, double *out)
{
    const iteration *it = arg;
    const solver *s = it->s;
    double sum = 0;
    for (size_t i = begin; i < end; i++) {
        it->x[i] += it->alpha * s->p[i];
        s->r[i] -= it->alpha * s->q[i];
        s->r_single[i] = (float)s->r[i];
        sum += s->r[i] * s->r[i];
    }
    out[0] = sum;
}

static double dot_rz(void *arg, size_t begin, size_t end)
{
    const iteration *it = arg;
    double sum = 0;
    const solver *s = it->s;
    if (s->coupling)
        for (size_t i = begin; i < end; i++) sum += s->r[i] * s->dense[i];
    else
        for (size_t i = begin; i < end; i++) sum += s->r[i] * s->z[i];
    return sum;
}

static void direction_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const iteration *it = arg;
    const solver *s = it->s;
    if (s->coupling)
        for (size_t i = begin; i < end; i++) s->p[i] = s->dense[i] + it->beta * s->p[i];
    else
        for (size_t i = begin; i < end; i++) s->p[i] = s->z[i] + it->beta * s->p[i];
}

/* dense -= W t. In double: for a body of almost no mass what is left of a vector of V is
 * a tiny part of it, which the matrix multiplies by an enormous one. */
static void subtract_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const solver *s = arg;
    for (uint32_t v = 0; v < s->width; v++) {
        const float *w = s->w + (size_t)v * s->a->rows;
        for (size_t i = begin; i < end; i++) s->dense[i] -= s->t[v] * w[i];
    }
}

static void narrow_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const solver *s = arg;
    for (size_t i = begin; i < end; i++) s->r_single[i] = (float)s->dense[i];
}

static void widen_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const solver *s = arg;
    for (size_t i = begin; i < end; i++) s->dense[i] = s->z[i];
}

/* The result is in z, or with a coupling in dense.
 *
 * With a coupling r = r' + V c, r' orthogonal to V, and
 *     (M + V V^T)^-1 r = M^-1 r' - W (I + V^T W)^-1 (V^T M^-1 r' - c).
 * The part along V, which for a light body is by far the largest, never meets the
 * rounding of the single-precision cycle. */
static void precondition(solver *s)
{
    const uint32_t rows = s->a->rows;
    if (!s->coupling) {
        precondition_matrix(s, s->r_single, s->z);
        return;
    }
    memcpy(s->dense, s->r, rows * sizeof *s->dense);
    low_rank_gather(s->coupling, s->r, s->s);
    dense_solve(s->width, s->gram, s->s);
    for (uint32_t v = 0; v < s->width; v++) s->t[v] = -s->s[v];
    low_rank_scatter(s->coupling, s->t, s->dense);
    parallel_for(s->ctx, rows, LAPLACIAN_BLOCK, narrow_rows, s);
    precondition_matrix(s, s->r_single, s->z);
    parallel_for(s->ctx, rows, LAPLACIAN_BLOCK, widen_rows, s);
    low_rank_gather(s->coupling, s->dense, s->t);
    for (uint32_t v = 0; v < s->width; v++) s->t[v] -= s->s[v];
    dense_solve(s->width, s->small, s->t);
    parallel_for(s->ctx, rows, LAPLACIAN_BLOCK, subtract_rows, s);
}

static void residual_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const iteration *it = arg;
    const solver *s = it->s;
    for (size_t i = begin; i < end; i++) {
        s->r[i] = it->scale * it->b[i] - s->q[i];
        s->r_single[i] = (float)s->r[i];
    }
}

/* r = scale b - A x, by way of p and q. */
static void true_residual(const iteration *it)
{
    const solver *s = it->s;
    memcpy(s->p, it->x, s->a->rows * sizeof *s->p);
    (void)multiply(it);
    parallel_for(s->ctx, s->a->rows, LAPLACIAN_BLOCK, residual_rows, (void *)it);
    if (s->parts.singular_count) {
        (void)components_center(s->ctx, &s->parts, s->r, NULL);
        for (uint32_t i = 0; i < s->a->rows; i++) s->r_single[i] = (float)s->r[i];
    }
}

/* Iterations without a new lowest residual before a solve is given up: the residual of a slow one rises
 * for hundreds before it falls. */
static uint32_t patience(const solver *s)
{
    return s->def.max_iterations > 400 ? s->def.max_iterations / 4 : 100;
}

/* ---- the operations of gradients.h ---- */

static void precondition_step(void *arg, double dots[2])
{
    iteration *it = arg;
    precondition(it->s);
    dots[0] = parallel_sum(it->s->ctx, it->s->a->rows, dot_rz, it);
}

static void direct_step(void *arg, double beta)
{
    iteration *it = arg;
    solver *s = it->s;
    it->beta = beta;
    parallel_for(s->ctx, s->a->rows, LAPLACIAN_BLOCK, direction_rows, it);
    if (s->parts.singular_count) (void)components_center(s->ctx, &s->parts, s->p, NULL);
}

static double apply_step(void *arg)
{
    return multiply(arg);
}

static double advance_step(void *arg, double alpha)
{
    iteration *it = arg;
    double squares;
    it->alpha = alpha;
    parallel_sums(it->s->ctx, it->s->a->rows, step_terms, it, 1, &squares);
    return sqrt(squares);
}

static const gradients_system operations = {
    .precondition = precondition_step, .direct = direct_step, .apply = apply_step, .advance = advance_step};

/* From the residual that is there, until the recurrence says it is small. */
static solver_outcome iterate(iteration *it, double residual, uint32_t *iterations)
{
    solver *s = it->s;
    gradients g = {.system = &operations, .arg = it};
    double lowest = residual;
    uint32_t waited = 0;
    while (residual > s->def.tolerance) {
        if (*iterations == s->def.max_iterations) return SOLVER_LIMIT;
        if (waited++ == patience(s)) return SOLVER_STALLED;
        if (gradients_step(&g, &residual)) return SOLVER_DIVERGED;
        ++*iterations;
        if (residual < lowest) {
            lowest = residual;
            waited = 0;
        }
    }
    return SOLVER_CONVERGED;
}

/* Recurrence and truth part by rounding: begin again from the truth, a few times. */
static solver_outcome solve_scaled(iteration *it, solver_report *report)
{
    enum { RESTARTS = 4 };
    const solver *s = it->s;
    memset(s->p, 0, s->a->rows * sizeof *s->p);
    solver_outcome outcome = SOLVER_STALLED;
    double before = INFINITY;
    for (int k = 0; k < RESTARTS; k++) {
        true_residual(it);
        report->residual = residual_norm(s);
        if (!isfinite(report->residual)) return SOLVER_DIVERGED;
        if (report->residual <= s->def.tolerance) return SOLVER_CONVERGED;
        if (k > 0 && (outcome == SOLVER_LIMIT || report->residual > 0.5 * before)) break;
        before = report->residual;
        memset(s->p, 0, s->a->rows * sizeof *s->p);
        outcome = iterate(it, report->residual, &report->iterations);
        if (outcome == SOLVER_DIVERGED) return outcome;
    }
    return outcome == SOLVER_LIMIT ? SOLVER_LIMIT : SOLVER_STALLED;
}

typedef struct {
    double *x;
    double factor;
} scaling;

static void multiply_all(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const scaling *c = arg;
    for (size_t i = begin; i < end; i++) c->x[i] *= c->factor;
}

void solver_solve(solver *s, const double *b, double *x, solver_report *report)
{
    const uint32_t rows = s->a->rows;
    iteration it = {.s = s, .b = b, .x = x};
    *report = (solver_report){.outcome = SOLVER_CONVERGED};
    memcpy(s->r, b, rows * sizeof *b);
    const double whole = norm(s, s->r);
    uint32_t where = 0;
    const double mean = components_center(s->ctx, &s->parts, s->r, &where);
    const double size = norm(s, s->r);
    if (!isfinite(size)) {
        report->outcome = SOLVER_DIVERGED;
        report->residual = INFINITY;
        return;
    }
    if (mean != 0 && whole > 0) {
        report->imbalance = sqrt(fmax(0, 1 - size * size / (whole * whole)));
        report->imbalance_row = where;
    }
    if (size == 0) {
        memset(x, 0, rows * sizeof *x);
        return;
    }
    it.scale = 1 / size;
    scaling c = {x, it.scale};
    parallel_for(s->ctx, rows, LAPLACIAN_BLOCK, multiply_all, &c);
    report->outcome = solve_scaled(&it, report);
    (void)components_center(s->ctx, &s->parts, x, NULL);
    c.factor = size;
    parallel_for(s->ctx, rows, LAPLACIAN_BLOCK, multiply_all, &c);
}
