/* Set-up: level by level, until a matrix is small enough to factor. */
#include "linalg/amg_level.h"

#include "base/parallel.h"
#include "linalg/dense.h"

/* Threshold of strong coupling on the first level, halved on each further one, and the
 * damping of the prolongation's smoothing: Vanek's choices. */
static const float strong_first = 0.08f;
static const float smoothing = 2.0f / 3.0f;
/* A level that keeps more of the rows than this is not worth its cost. */
static const double least_gain = 0.8;

/* What is left of a pivot that should be zero, in matrices of floats of a few hundred rows. */
static const double single_rounding = 1e-5;

/* ---- the smoother ---- */

typedef struct {
    amg_level *level;
    const double *given;
} smoother;

static void smoother_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const smoother *s = arg;
    const amg_level *l = s->level;
    for (size_t i = begin; i < end; i++) {
        if (s->given) l->diagonal[i] = (float)s->given[i];
        const float d = l->diagonal[i];
        float squares = d * d;
        for (uint32_t k = l->start[i]; k < l->start[i + 1]; k++) squares += l->weight[k] * l->weight[k];
        l->damping[i] = d > 0 && squares > 0 ? d / squares : 0;
    }
}

void amg_level_smoother(rill_ctx *ctx, amg_level *l, const double *diagonal)
{
    smoother s = {l, diagonal};
    parallel_for(ctx, l->rows, LAPLACIAN_BLOCK, smoother_rows, &s);
}

/* ---- the prolongation: (I - smoothing D_f^-1 A_f) on the aggregates' indicator, where
 * A_f has its weak couplings lumped into the diagonal, so that constants stay constant ---- */

typedef struct {
    const amg_level *level;
    const uint8_t *strong;
    const int32_t *aggregate;
} prolongation;

static size_t prolongation_bound(void *arg, uint32_t i)
{
    const prolongation *p = arg;
    return p->level->start[i + 1] - p->level->start[i] + 1;
}

static void prolongation_row(void *arg, uint32_t i, sparse_row *out)
{
    const prolongation *p = arg;
    const amg_level *l = p->level;
    if (p->aggregate[i] == AMG_ALONE) return;
    float filtered = l->diagonal[i];
    for (uint32_t k = l->start[i]; k < l->start[i + 1]; k++)
        if (!p->strong[k]) filtered -= l->weight[k];
    if (!(filtered > 0)) { /* nearly all of the row is weak: the plain indicator */
        sparse_row_add(out, (uint32_t)p->aggregate[i], 1);
        return;
    }
    const float scale = smoothing / filtered;
    sparse_row_add(out, (uint32_t)p->aggregate[i], 1 - smoothing);
    for (uint32_t k = l->start[i]; k < l->start[i + 1]; k++) {
        const int32_t c = p->aggregate[l->column[k]];
        if (p->strong[k] && c != AMG_ALONE) sparse_row_add(out, (uint32_t)c, scale * l->weight[k]);
    }
}

/* ---- products ---- */

typedef struct {
    const amg_level *level;
    const sparse *up;
} level_times_up;

static size_t level_times_up_bound(void *arg, uint32_t i)
{
    const level_times_up *s = arg;
    const uint32_t *p = s->up->start;
    size_t n = p[i + 1] - p[i];
    for (uint32_t k = s->level->start[i]; k < s->level->start[i + 1]; k++)
        n += p[s->level->column[k] + 1] - p[s->level->column[k]];
    return n;
}

static void add_row(sparse_row *out, const sparse *a, uint32_t row, float factor)
{
    for (uint32_t k = a->start[row]; k < a->start[row + 1]; k++)
        sparse_row_add(out, a->column[k], factor * a->value[k]);
}

static void level_times_up_row(void *arg, uint32_t i, sparse_row *out)
{
    const level_times_up *s = arg;
    const amg_level *l = s->level;
    add_row(out, s->up, i, l->diagonal[i]);
    for (uint32_t k = l->start[i]; k < l->start[i + 1]; k++) add_row(out, s->up, l->column[k], -l->weight[k]);
}

typedef struct {
    const sparse *a, *b;
} sparse_pair;

static size_t pair_bound(void *arg, uint32_t i)
{
    const sparse_pair *s = arg;
    size_t n = 0;
    for (uint32_t k = s->a->start[i]; k < s->a->start[i + 1]; k++)
        n += s->b->start[s->a->column[k] + 1] - s->b->start[s->a->column[k]];
    return n < s->b->columns ? n : s->b->columns;
}

static void pair_row(void *arg, uint32_t i, sparse_row *out)
{
    const sparse_pair *s = arg;
    for (uint32_t k = s->a->start[i]; k < s->a->start[i + 1]; k++)
        add_row(out, s->b, s->a->column[k], s->a->value[k]);
}

/* ---- levels ---- */

static rill_status level_vectors(rill_ctx *ctx, amg_level *l)
{
    TRY(MEM_NEW(ctx, l->damping, l->rows));
    TRY(MEM_NEW(ctx, l->x, l->rows));
    TRY(MEM_NEW(ctx, l->b, l->rows));
    TRY(MEM_NEW(ctx, l->r, l->rows));
    TRY(MEM_NEW(ctx, l->first, l->rows));
    return MEM_NEW(ctx, l->rest, l->rows);
}

static rill_status prolongate(rill_ctx *ctx, amg_level *l, float threshold)
{
    uint8_t *strong = NULL;
    int32_t *aggregate = NULL;
    uint32_t *scratch = NULL;
    rill_status st = MEM_NEW(ctx, strong, l->start[l->rows]);
    if (!st) st = MEM_NEW(ctx, aggregate, l->rows);
    if (!st) st = MEM_NEW(ctx, scratch, l->rows);
    if (!st) {
        amg_strength(ctx, l, threshold, strong);
        const uint32_t count = amg_aggregate(l, strong, aggregate, scratch);
        prolongation p = {l, strong, aggregate};
        const sparse_maker maker = {prolongation_bound, prolongation_row, &p};
        if (count > 0 && count < least_gain * l->rows)
            st = sparse_make(ctx, l->rows, count, &maker, NULL, &l->up);
    }
    mem_free(ctx, strong);
    mem_free(ctx, aggregate);
    mem_free(ctx, scratch);
    return st;
}

static rill_status coarsen(rill_ctx *ctx, amg_level *l, amg_level *next)
{
    sparse product = {0};
    level_times_up first = {l, &l->up};
    const sparse_maker times_up = {level_times_up_bound, level_times_up_row, &first};
    sparse_pair second = {&l->down, &product};
    const sparse_maker times_product = {pair_bound, pair_row, &second};

    next->rows = l->up.columns;
    rill_status st = sparse_transpose(ctx, &l->up, &l->down);
    if (!st) st = sparse_make(ctx, l->rows, next->rows, &times_up, NULL, &product);
    if (!st) st = MEM_NEW(ctx, next->diagonal, next->rows);
    if (!st) st = sparse_make(ctx, next->rows, next->rows, &times_product, next->diagonal, &next->own);
    sparse_clear(ctx, &product);
    if (st) return st;
    next->start = next->own.start;
    next->column = next->own.column;
    next->weight = next->own.value;
    return RILL_OK;
}

static rill_status factor_last(rill_ctx *ctx, amg *m)
{
    const amg_level *l = &m->level[m->level_count - 1];
    if (l->rows > AMG_DIRECT_ROWS) return RILL_OK;
    TRY(MEM_NEW_ZERO(ctx, m->direct, (size_t)l->rows * l->rows));
    TRY(MEM_NEW(ctx, m->unknown, l->rows));
    for (uint32_t i = 0; i < l->rows; i++) {
        m->direct[(size_t)i * l->rows + i] = l->diagonal[i];
        for (uint32_t k = l->start[i]; k < l->start[i + 1]; k++)
            m->direct[(size_t)i * l->rows + l->column[k]] = -l->weight[k];
    }
    dense_factor(l->rows, m->direct, single_rounding);
    return RILL_OK;
}

static void bind(amg_level *l, const laplacian *a)
{
    l->rows = a->rows;
    l->start = a->start;
    l->column = a->column;
    l->weight = a->weight;
}

static rill_status build(rill_ctx *ctx, amg *m, const laplacian *a)
{
    amg_level *l = &m->level[0];
    float threshold = strong_first;
    m->level_count = 1;
    bind(l, a);
    TRY(MEM_NEW(ctx, l->diagonal, l->rows));
    TRY(level_vectors(ctx, l));
    amg_level_smoother(ctx, l, a->diagonal);
    while (l->rows > AMG_DIRECT_ROWS && m->level_count < AMG_MAX_LEVELS) {
        TRY(prolongate(ctx, l, threshold));
        if (l->up.rows == 0) break; /* no couplings left, or none that would coarsen */
        amg_level *next = &m->level[m->level_count++];
        TRY(coarsen(ctx, l, next));
        TRY(level_vectors(ctx, next));
        amg_level_smoother(ctx, next, NULL);
        threshold *= 0.5f;
        l = next;
    }
    return factor_last(ctx, m);
}

rill_status amg_create(rill_ctx *ctx, const laplacian *a, amg **out)
{
    amg *m;
    TRY(MEM_NEW_ZERO(ctx, m, 1));
    const rill_status st = build(ctx, m, a);
    if (st) {
        amg_destroy(ctx, m);
        return st;
    }
    *out = m;
    return RILL_OK;
}

void amg_destroy(rill_ctx *ctx, amg *m)
{
    if (!m) return;
    for (uint32_t k = 0; k < m->level_count; k++) {
        amg_level *l = &m->level[k];
        sparse_clear(ctx, &l->own);
        sparse_clear(ctx, &l->up);
        sparse_clear(ctx, &l->down);
        mem_free(ctx, l->diagonal);
        mem_free(ctx, l->damping);
        mem_free(ctx, l->x);
        mem_free(ctx, l->b);
        mem_free(ctx, l->r);
        mem_free(ctx, l->first);
        mem_free(ctx, l->rest);
    }
    mem_free(ctx, m->direct);
    mem_free(ctx, m->unknown);
    mem_free(ctx, m);
}

void amg_rebind(rill_ctx *ctx, amg *m, const laplacian *a)
{
    bind(&m->level[0], a);
    amg_level_smoother(ctx, &m->level[0], a->diagonal);
}

amg_stats amg_describe(const amg *m)
{
    amg_stats s = {.levels = m->level_count, .coarsest_rows = m->level[m->level_count - 1].rows};
    double entries = 0;
    for (uint32_t k = 0; k < m->level_count; k++) {
        const amg_level *l = &m->level[k];
        const size_t own = l->start[l->rows], transfer = l->up.rows ? 2 * (size_t)l->up.start[l->up.rows] : 0;
        entries += (double)(own + l->rows);
        s.bytes +=
            (transfer + (k ? own : 0)) * (sizeof(float) + sizeof(uint32_t)) + l->rows * 6 * sizeof(float);
    }
    const double first = (double)m->level[0].start[m->level[0].rows] + m->level[0].rows;
    s.operator_complexity = first > 0 ? entries / first : 1;
    return s;
}
