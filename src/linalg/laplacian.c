/* Assembly from edges: the ends are counted, each edge is dropped into both its rows in
 * whatever order the threads come, and the rows are then sorted by column and weight,
 * which makes the result independent of that order. */
#include "linalg/laplacian.h"

#include "base/parallel.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { EDGE_BLOCK = 1 << 14 };

typedef struct {
    const laplacian_edge *edge;
    const double *extra;
    laplacian a;
    _Atomic uint32_t *cursor; /* per row: how many entries, then where the next one goes */
    uint32_t *kept;           /* per row: entries after edges of the same ends were joined */
    uint32_t *column;
    float *weight;
} assembly;

/* ---- checks ---- */

static rill_status check_edge(rill_ctx *ctx, const laplacian_edge *e, size_t index, uint32_t rows)
{
    if (e->a >= rows || e->b >= rows || e->a == e->b)
        return rill_fail(ctx, RILL_USAGE,
                         "edge %zu joins rows %u and %u: two different rows below %u are needed", index, e->a,
                         e->b, rows);
    if (!(e->weight >= 0) || !isfinite(e->weight))
        return rill_fail(ctx, RILL_USAGE,
                         "edge %zu between rows %u and %u has weight %g: a finite weight >= 0 is needed "
                         "(area and distance must be positive)",
                         index, e->a, e->b, (double)e->weight);
    return RILL_OK;
}

static double count_bad_edges(void *arg, size_t begin, size_t end)
{
    const assembly *s = arg;
    const uint32_t rows = s->a.rows;
    double bad = 0;
    for (size_t i = begin; i < end; i++) {
        const laplacian_edge *e = &s->edge[i];
        bad += e->a >= rows || e->b >= rows || e->a == e->b || !(e->weight >= 0 && isfinite(e->weight));
    }
    return bad;
}

static rill_status check_input(rill_ctx *ctx, assembly *s, size_t edges)
{
    if (edges > UINT32_MAX / 2)
        return rill_fail(ctx, RILL_USAGE, "%zu edges are more than a matrix here can have (%u)", edges,
                         UINT32_MAX / 2);
    if (parallel_sum(ctx, edges, count_bad_edges, s) > 0)
        for (size_t i = 0; i < edges; i++) TRY(check_edge(ctx, &s->edge[i], i, s->a.rows));
    if (s->extra)
        for (uint32_t i = 0; i < s->a.rows; i++)
            if (!(s->extra[i] >= 0) || !isfinite(s->extra[i]))
                return rill_fail(ctx, RILL_USAGE,
                                 "row %u has %g on the diagonal: a finite value >= 0 is needed", i,
                                 s->extra[i]);
    return RILL_OK;
}

/* ---- assembly ---- */

static void count_ends(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const assembly *s = arg;
    for (size_t i = begin; i < end; i++) {
        const laplacian_edge *e = &s->edge[i];
        if (e->weight == 0) continue;
        atomic_fetch_add_explicit(&s->cursor[e->a], 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&s->cursor[e->b], 1, memory_order_relaxed);
    }
}

static void drop_entry(const assembly *s, uint32_t row, uint32_t column, float weight)
{
    const uint32_t at = atomic_fetch_add_explicit(&s->cursor[row], 1, memory_order_relaxed);
    s->column[at] = column;
    s->weight[at] = weight;
}

static void drop_edges(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const assembly *s = arg;
    for (size_t i = begin; i < end; i++) {
        const laplacian_edge *e = &s->edge[i];
        if (e->weight == 0) continue;
        drop_entry(s, e->a, e->b, e->weight);
        drop_entry(s, e->b, e->a, e->weight);
    }
}

/* By column, then weight; then entries of the same column become one. Rows are short. */
static uint32_t sort_row(uint32_t *column, float *weight, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t c = column[i];
        const float w = weight[i];
        uint32_t j = i;
        for (; j > 0 && (column[j - 1] > c || (column[j - 1] == c && weight[j - 1] > w)); j--) {
            column[j] = column[j - 1];
            weight[j] = weight[j - 1];
        }
        column[j] = c;
        weight[j] = w;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kept && column[kept - 1] == column[i]) {
            weight[kept - 1] += weight[i];
        } else {
            column[kept] = column[i];
            weight[kept++] = weight[i];
        }
    }
    return kept;
}

static void sort_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const assembly *s = arg;
    for (size_t i = begin; i < end; i++) {
        const uint32_t from = s->a.start[i];
        s->kept[i] = sort_row(s->column + from, s->weight + from, s->a.start[i + 1] - from);
    }
}

static void add_diagonal(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const assembly *s = arg;
    for (size_t i = begin; i < end; i++) {
        double sum = 0;
        for (uint32_t k = s->a.start[i]; k < s->a.start[i + 1]; k++) sum += s->a.weight[k];
        s->a.extra[i] = s->extra ? s->extra[i] : 0;
        s->a.diagonal[i] = s->a.extra[i] + sum;
    }
}

/* Entries that joins have freed are closed up; rarely any. */
static void close_gaps(assembly *s)
{
    uint32_t to = 0;
    for (uint32_t i = 0; i < s->a.rows; i++) {
        const uint32_t from = s->a.start[i];
        s->a.start[i] = to;
        if (from != to) {
            memmove(s->column + to, s->column + from, s->kept[i] * sizeof *s->column);
            memmove(s->weight + to, s->weight + from, s->kept[i] * sizeof *s->weight);
        }
        to += s->kept[i];
    }
    s->a.start[s->a.rows] = to;
}

static rill_status assemble(rill_ctx *ctx, assembly *s, size_t edges)
{
    const uint32_t rows = s->a.rows;
    TRY(MEM_NEW_ZERO(ctx, s->cursor, rows));
    TRY(MEM_NEW(ctx, s->kept, rows));
    TRY(MEM_NEW(ctx, s->a.start, (size_t)rows + 1));
    TRY(MEM_NEW(ctx, s->a.diagonal, rows));
    TRY(MEM_NEW(ctx, s->a.extra, rows));
    parallel_for(ctx, edges, EDGE_BLOCK, count_ends, s);
    uint32_t entries = 0;
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t count = atomic_load_explicit(&s->cursor[i], memory_order_relaxed);
        s->a.start[i] = entries;
        atomic_store_explicit(&s->cursor[i], entries, memory_order_relaxed);
        entries += count;
    }
    s->a.start[rows] = entries;
    TRY(MEM_NEW(ctx, s->column, entries));
    TRY(MEM_NEW(ctx, s->weight, entries));
    parallel_for(ctx, edges, EDGE_BLOCK, drop_edges, s);
    parallel_for(ctx, rows, LAPLACIAN_BLOCK, sort_rows, s);
    for (uint32_t i = 0; i < rows; i++)
        if (s->kept[i] != s->a.start[i + 1] - s->a.start[i]) {
            close_gaps(s);
            break;
        }
    s->a.column = s->column;
    s->a.weight = s->weight;
    parallel_for(ctx, rows, LAPLACIAN_BLOCK, add_diagonal, s);
    return RILL_OK;
}

rill_status laplacian_build(rill_ctx *ctx, uint32_t rows, size_t edges, const laplacian_edge *edge,
                            const double *extra, laplacian *out)
{
    assembly s = {.edge = edge, .extra = extra, .a.rows = rows};
    rill_status st = check_input(ctx, &s, edges);
    if (!st) st = assemble(ctx, &s, edges);
    mem_free(ctx, (void *)s.cursor);
    mem_free(ctx, s.kept);
    if (st) {
        s.a.column = s.column;
        s.a.weight = s.weight;
        laplacian_clear(ctx, &s.a);
        return st;
    }
    *out = s.a;
    return RILL_OK;
}

void laplacian_clear(rill_ctx *ctx, laplacian *a)
{
    mem_free(ctx, a->start);
    mem_free(ctx, a->column);
    mem_free(ctx, a->weight);
    mem_free(ctx, a->diagonal);
    mem_free(ctx, a->extra);
    *a = (laplacian){0};
}

/* ---- product ---- */

double laplacian_rows(const laplacian *a, const double *p, double *q, size_t begin, size_t end)
{
    const uint32_t *column = a->column;
    const float *weight = a->weight;
    double dot = 0;
    for (size_t i = begin; i < end; i++) {
        double s0 = 0, s1 = 0; /* two chains of additions, so that neither waits for the other */
        uint32_t k = a->start[i];
        const uint32_t stop = a->start[i + 1];
        for (; k + 1 < stop; k += 2) {
            s0 += (double)weight[k] * p[column[k]];
            s1 += (double)weight[k + 1] * p[column[k + 1]];
        }
        if (k < stop) s0 += (double)weight[k] * p[column[k]];
        q[i] = a->diagonal[i] * p[i] - (s0 + s1);
        dot += q[i] * p[i];
    }
    return dot;
}

typedef struct {
    const laplacian *a;
    const double *p;
    double *q;
} product;

static void apply_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const product *s = arg;
    (void)laplacian_rows(s->a, s->p, s->q, begin, end);
}

void laplacian_apply(rill_ctx *ctx, const laplacian *a, const double *p, double *q)
{
    product s = {a, p, q};
    parallel_for(ctx, a->rows, LAPLACIAN_BLOCK, apply_rows, &s);
}
