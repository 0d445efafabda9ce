/* Union-find. Most meshes are one big component with a few drops beside it, so the first
 * two edges of every row are joined first; rows that then already hang together with the
 * biggest part so far need not look at their other edges, because an edge that leads
 * out of it is seen from the other side. (Sutton, Ben-Nun, Barak 2018, in serial.) */
#include "linalg/components.h"

#include "base/parallel.h"
#include "base/union_find.h"

#include <math.h>

/* The root that most of some rows spread over all share. */
static uint32_t frequent_root(uint32_t *parent, uint32_t rows)
{
    enum { SAMPLES = 64 };
    uint32_t root[SAMPLES], best = 0, best_count = 0;
    for (uint32_t s = 0; s < SAMPLES; s++)
        root[s] = union_find_root(parent, (uint32_t)((uint64_t)s * rows / SAMPLES));
    for (uint32_t s = 0; s < SAMPLES; s++) {
        uint32_t count = 0;
        for (uint32_t t = 0; t < SAMPLES; t++) count += root[t] == root[s];
        if (count > best_count) {
            best_count = count;
            best = root[s];
        }
    }
    return best;
}

static void join_edges(const laplacian *a, uint32_t *parent)
{
    enum { FIRST = 2 };
    union_find_init(parent, a->rows);
    if (a->rows == 0) return;
    for (uint32_t i = 0; i < a->rows; i++)
        for (uint32_t k = a->start[i]; k < a->start[i + 1] && k < a->start[i] + FIRST; k++)
            union_find_join(parent, i, a->column[k]);
    const uint32_t big = frequent_root(parent, a->rows);
    for (uint32_t i = 0; i < a->rows; i++) {
        if (union_find_root(parent, i) == union_find_root(parent, big)) continue;
        for (uint32_t k = a->start[i] + FIRST; k < a->start[i + 1]; k++)
            union_find_join(parent, i, a->column[k]);
    }
}

/* size[c]: rows of component c if it is singular, otherwise 0. */
static void singular_sizes(const laplacian *a, const components *c, uint32_t *size)
{
    for (uint32_t i = 0; i < a->rows; i++) size[c->label[i]]++;
    for (uint32_t i = 0; i < a->rows; i++)
        if (a->extra[i] > 0) size[c->label[i]] = 0;
}

static rill_status list_singular(rill_ctx *ctx, const laplacian *a, components *c, uint32_t *size)
{
    uint32_t rows = 0;
    singular_sizes(a, c, size);
    for (uint32_t k = 0; k < c->count; k++) {
        c->singular_count += size[k] > 0;
        rows += size[k];
    }
    TRY(MEM_NEW(ctx, c->singular_row, rows));
    TRY(MEM_NEW(ctx, c->singular_start, (size_t)c->singular_count + 1));
    uint32_t at = 0, n = 0;
    for (uint32_t k = 0; k < c->count; k++) { /* sizes become cursors */
        const uint32_t s = size[k];
        if (s) c->singular_start[n++] = at;
        size[k] = s ? at : UINT32_MAX;
        at += s;
    }
    c->singular_start[n] = at;
    for (uint32_t i = 0; i < a->rows; i++)
        if (size[c->label[i]] != UINT32_MAX) c->singular_row[size[c->label[i]]++] = i;
    return RILL_OK;
}

rill_status components_build(rill_ctx *ctx, const laplacian *a, components *out)
{
    components c = {0};
    uint32_t *size = NULL;
    rill_status st = MEM_NEW(ctx, c.label, a->rows);
    if (!st) {
        join_edges(a, c.label);
        c.count = union_find_number(c.label, a->rows);
        st = MEM_NEW_ZERO(ctx, size, c.count);
    }
    if (!st) st = list_singular(ctx, a, &c, size);
    mem_free(ctx, size);
    if (st) {
        components_clear(ctx, &c);
        return st;
    }
    *out = c;
    return RILL_OK;
}

void components_clear(rill_ctx *ctx, components *c)
{
    mem_free(ctx, c->label);
    mem_free(ctx, c->singular_row);
    mem_free(ctx, c->singular_start);
    *c = (components){0};
}

typedef struct {
    const uint32_t *row;
    double *x, mean;
} part;

static double part_sum(void *arg, size_t begin, size_t end)
{
    const part *p = arg;
    double sum = 0;
    for (size_t i = begin; i < end; i++) sum += p->x[p->row[i]];
    return sum;
}

static void part_shift(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const part *p = arg;
    for (size_t i = begin; i < end; i++) p->x[p->row[i]] -= p->mean;
}

double components_center(rill_ctx *ctx, const components *c, double *x, uint32_t *where)
{
    double largest = 0;
    for (uint32_t k = 0; k < c->singular_count; k++) {
        const uint32_t from = c->singular_start[k], count = c->singular_start[k + 1] - from;
        part p = {.row = c->singular_row + from, .x = x};
        p.mean = parallel_sum(ctx, count, part_sum, &p) / count;
        parallel_for(ctx, count, LAPLACIAN_BLOCK, part_shift, &p);
        if (fabs(p.mean) > fabs(largest)) {
            largest = p.mean;
            if (where) *where = p.row[0];
        }
    }
    return largest;
}
