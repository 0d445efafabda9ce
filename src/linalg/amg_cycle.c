/* One cycle. Down: x = D b, the residual, its restriction. Up: the correction, then
 * x += D (b - A x). D is the damped diagonal of amg_level. */
#include "linalg/amg_level.h"

#include "base/parallel.h"
#include "linalg/dense.h"

typedef struct {
    const amg_level *l, *next;
    const float *b;          /* right side */
    const float *correction; /* from the next level */
    float *x, *r, *out;      /* iterate, residual, what a sweep writes */
} sweep;

static float residual(const sweep *s, size_t i)
{
    const amg_level *l = s->l;
    return s->b[i] - l->diagonal[i] * s->x[i] +
           sparse_dot(l->column, l->weight, l->start[i], l->start[i + 1], s->x);
}

static void start_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sweep *s = arg;
    for (size_t i = begin; i < end; i++) s->x[i] = s->l->damping[i] * s->b[i];
}

static void residual_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sweep *s = arg;
    for (size_t i = begin; i < end; i++) s->r[i] = residual(s, i);
}

/* The next level's right side, and its first iterate while it is at hand. */
static void restrict_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sweep *s = arg;
    const sparse *down = &s->l->down;
    for (size_t i = begin; i < end; i++) {
        s->next->b[i] = sparse_dot(down->column, down->value, down->start[i], down->start[i + 1], s->r);
        s->next->x[i] = s->next->damping[i] * s->next->b[i];
    }
}

static void correct_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sweep *s = arg;
    const sparse *up = &s->l->up;
    for (size_t i = begin; i < end; i++)
        s->x[i] += sparse_dot(up->column, up->value, up->start[i], up->start[i + 1], s->correction);
}

static void smooth_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sweep *s = arg;
    for (size_t i = begin; i < end; i++) s->out[i] = s->x[i] + s->l->damping[i] * residual(s, i);
}

static void solve_last(rill_ctx *ctx, const amg *m, const amg_level *l, const float *b, float *out)
{
    if (!m->direct) { /* rows without couplings, which x = D b has solved, or a graph that would not coarsen
                       */
        sweep s = {.l = l, .b = b, .x = l->x, .out = out};
        parallel_for(ctx, l->rows, LAPLACIAN_BLOCK, smooth_rows, &s);
        return;
    }
    for (uint32_t i = 0; i < l->rows; i++) m->unknown[i] = b[i];
    dense_solve(l->rows, m->direct, m->unknown);
    for (uint32_t i = 0; i < l->rows; i++) out[i] = (float)m->unknown[i];
}

static void cycle(rill_ctx *ctx, const amg *m, uint32_t k, const float *b, float *out);

/* The rest that the first cycle left, and where the second begins. */
static void rest_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sweep *s = arg;
    for (size_t i = begin; i < end; i++) {
        s->out[i] = residual(s, i);
        s->r[i] = s->l->damping[i] * s->out[i];
    }
}

static void add_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sweep *s = arg;
    for (size_t i = begin; i < end; i++) s->r[i] += s->x[i];
}

/* Level k for the level above it: b is given and x = D b; the result is in r. */
static void solve_level(rill_ctx *ctx, const amg *m, uint32_t k)
{
    const amg_level *l = &m->level[k];
    const bool twice = k >= AMG_TWICE && k + 1 < m->level_count;
    cycle(ctx, m, k, l->b, twice ? l->first : l->r);
    if (!twice) return;
    sweep s = {.l = l, .b = l->b, .x = l->first, .r = l->x, .out = l->rest};
    parallel_for(ctx, l->rows, LAPLACIAN_BLOCK, rest_rows, &s);
    cycle(ctx, m, k, l->rest, l->r);
    s.r = l->r;
    parallel_for(ctx, l->rows, LAPLACIAN_BLOCK, add_rows, &s);
}

/* x = D b is there already. out may be the level's r. */
static void cycle(rill_ctx *ctx, const amg *m, uint32_t k, const float *b, float *out)
{
    const amg_level *l = &m->level[k];
    if (k + 1 == m->level_count) {
        solve_last(ctx, m, l, b, out);
        return;
    }
    const amg_level *next = l + 1;
    sweep s = {.l = l, .next = next, .b = b, .correction = next->r, .x = l->x, .r = l->r, .out = out};
    parallel_for(ctx, l->rows, LAPLACIAN_BLOCK, residual_rows, &s);
    parallel_for(ctx, next->rows, LAPLACIAN_BLOCK / 4, restrict_rows, &s);
    solve_level(ctx, m, k + 1);
    parallel_for(ctx, l->rows, LAPLACIAN_BLOCK, correct_rows, &s);
    parallel_for(ctx, l->rows, LAPLACIAN_BLOCK, smooth_rows, &s);
}

void amg_apply(rill_ctx *ctx, const amg *m, const float *r, float *z)
{
    const amg_level *l = &m->level[0];
    sweep s = {.l = l, .b = r, .x = l->x};
    parallel_for(ctx, l->rows, LAPLACIAN_BLOCK, start_rows, &s);
    cycle(ctx, m, 0, r, z);
}
