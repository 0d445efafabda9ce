/* Blocks of rows are made independently, each into memory of its own that grows as it
 * must; then all are copied to their places. That costs one copy and saves making every
 * row twice to learn its length. */
#include "linalg/sparse.h"

#include "base/parallel.h"

#include <stdatomic.h>
#include <string.h>

enum { ROWS = 2048, COPY = 1 }; /* rows of a block; blocks copied at a time */

typedef struct {
    uint32_t *column;
    float *value;
    size_t column_capacity, value_capacity;
    uint32_t count;
} block;

typedef struct {
    rill_ctx *ctx;
    const sparse_maker *maker;
    float *diagonal;
    sparse out;
    block *blocks;
    uint32_t *place; /* `columns` for each worker */
    atomic_bool no_memory;
} making;

/* Without mem_grow's message, which is for serial code. */
static bool reserve(rill_ctx *ctx, block *b, size_t need)
{
    if (need <= b->column_capacity) return true;
    size_t capacity = b->column_capacity + b->column_capacity / 2 + 16 * ROWS;
    if (capacity < need) capacity = need;
    uint32_t *column = mem_alloc(ctx, capacity, sizeof *column);
    float *value = mem_alloc(ctx, capacity, sizeof *value);
    if (!column || !value) {
        mem_free(ctx, column);
        mem_free(ctx, value);
        return false;
    }
    if (b->count) {
        memcpy(column, b->column, b->count * sizeof *column);
        memcpy(value, b->value, b->count * sizeof *value);
    }
    mem_free(ctx, b->column);
    mem_free(ctx, b->value);
    b->column = column;
    b->value = value;
    b->column_capacity = b->value_capacity = capacity;
    return true;
}

/* Takes the diagonal entry out of the row just made and turns the sign of the others. */
static void split(sparse_row *r, uint32_t row, float *diagonal)
{
    float d = 0;
    uint32_t to = r->begin;
    for (uint32_t k = r->begin; k < r->end; k++) {
        if (r->column[k] == row) {
            d = r->value[k];
            continue;
        }
        r->column[to] = r->column[k];
        r->value[to++] = -r->value[k];
    }
    r->end = to;
    *diagonal = d;
}

static void make_rows(void *arg, size_t begin, size_t end, int worker)
{
    making *m = arg;
    block *b = &m->blocks[begin / ROWS];
    uint32_t *place = m->place + (size_t)worker * m->out.columns;
    for (size_t i = begin; i < end; i++) {
        const uint32_t row = (uint32_t)i;
        if (!reserve(m->ctx, b, b->count + m->maker->bound(m->maker->arg, row))) {
            atomic_store(&m->no_memory, true);
            return;
        }
        sparse_row r = {b->column, b->value, b->count, b->count, place};
        m->maker->make(m->maker->arg, row, &r);
        if (m->diagonal) split(&r, row, &m->diagonal[i]);
        m->out.start[i] = r.end - r.begin;
        b->count = r.end;
    }
}

static void copy_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    making *m = arg;
    for (size_t k = begin; k < end; k++) {
        block *b = &m->blocks[k];
        const uint32_t at = m->out.start[k * ROWS];
        if (b->count) {
            memcpy(m->out.column + at, b->column, b->count * sizeof *b->column);
            memcpy(m->out.value + at, b->value, b->count * sizeof *b->value);
        }
        mem_free(m->ctx, b->column);
        mem_free(m->ctx, b->value);
        *b = (block){0};
    }
}

static rill_status make_all(making *m, size_t blocks)
{
    rill_ctx *ctx = m->ctx;
    TRY(MEM_NEW_ZERO(ctx, m->blocks, blocks));
    TRY(MEM_NEW_ZERO(ctx, m->place, (size_t)parallel_workers(ctx) * m->out.columns));
    TRY(MEM_NEW(ctx, m->out.start, (size_t)m->out.rows + 1));
    parallel_for(ctx, m->out.rows, ROWS, make_rows, m);
    if (atomic_load(&m->no_memory)) return mem_failed(ctx, m->out.rows, sizeof(float));
    uint64_t entries = 0;
    for (uint32_t i = 0; i < m->out.rows; i++) {
        const uint32_t count = m->out.start[i];
        m->out.start[i] = (uint32_t)entries;
        entries += count;
    }
    if (entries > UINT32_MAX) return mem_failed(ctx, entries, sizeof(float));
    m->out.start[m->out.rows] = (uint32_t)entries;
    TRY(MEM_NEW(ctx, m->out.column, entries));
    TRY(MEM_NEW(ctx, m->out.value, entries));
    parallel_for(ctx, blocks, COPY, copy_blocks, m);
    return RILL_OK;
}

rill_status sparse_make(rill_ctx *ctx, uint32_t rows, uint32_t columns, const sparse_maker *maker,
                        float *diagonal, sparse *out)
{
    const size_t blocks = ((size_t)rows + ROWS - 1) / ROWS;
    making m = {.ctx = ctx, .maker = maker, .diagonal = diagonal, .out = {.rows = rows, .columns = columns}};
    const rill_status st = make_all(&m, blocks);
    for (size_t k = 0; m.blocks && k < blocks; k++) {
        mem_free(ctx, m.blocks[k].column);
        mem_free(ctx, m.blocks[k].value);
    }
    mem_free(ctx, m.blocks);
    mem_free(ctx, m.place);
    if (st) {
        sparse_clear(ctx, &m.out);
        return st;
    }
    *out = m.out;
    return RILL_OK;
}

rill_status sparse_transpose(rill_ctx *ctx, const sparse *a, sparse *out)
{
    const uint32_t entries = a->start[a->rows];
    sparse t = {.rows = a->columns, .columns = a->rows};
    rill_status st = MEM_NEW_ZERO(ctx, t.start, (size_t)t.rows + 2);
    if (!st) st = MEM_NEW(ctx, t.column, entries);
    if (!st) st = MEM_NEW(ctx, t.value, entries);
    if (st) {
        sparse_clear(ctx, &t);
        return st;
    }
    uint32_t *next = t.start + 1; /* counts, one further along; then cursors that end as starts */
    for (uint32_t k = 0; k < entries; k++) next[a->column[k] + 1]++;
    for (uint32_t i = 0; i < t.rows; i++) next[i + 1] += next[i];
    for (uint32_t i = 0; i < a->rows; i++)
        for (uint32_t k = a->start[i]; k < a->start[i + 1]; k++) {
            const uint32_t at = next[a->column[k]]++;
            t.column[at] = i;
            t.value[at] = a->value[k];
        }
    *out = t;
    return RILL_OK;
}

void sparse_clear(rill_ctx *ctx, sparse *a)
{
    mem_free(ctx, a->start);
    mem_free(ctx, a->column);
    mem_free(ctx, a->value);
    *a = (sparse){0};
}
