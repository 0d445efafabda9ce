/* Single-precision sparse matrices by rows, for the hierarchy of amg.h, made row by row
 * in parallel without knowing their size beforehand. */
#pragma once

#include "base/memory.h"

typedef struct sparse {
    uint32_t rows, columns;
    uint32_t *start;  /* rows + 1 */
    uint32_t *column; /* in each row different, in no particular order */
    float *value;
} sparse;

/* The row being made: adds v to the entry of a column. */
typedef struct sparse_row {
    uint32_t *column;
    float *value;
    uint32_t begin, end; /* of this row, in column and value */
    uint32_t *place;     /* per column: where it was put last */
} sparse_row;

static inline void sparse_row_add(sparse_row *r, uint32_t column, float v)
{
    const uint32_t at = r->place[column];
    if (at >= r->begin && at < r->end && r->column[at] == column) {
        r->value[at] += v;
    } else {
        r->place[column] = r->end;
        r->column[r->end] = column;
        r->value[r->end++] = v;
    }
}

/* How the rows of a matrix come about. */
typedef struct sparse_maker {
    size_t (*bound)(void *arg, uint32_t row);               /* entries it has at most */
    void (*make)(void *arg, uint32_t row, sparse_row *out); /* adds them */
    void *arg;
} sparse_maker;

/* diagonal NULL: the matrix as made. Otherwise it is square, its diagonal goes there
 * (rows elements) and out keeps the rest with the opposite sign, as laplacian does. */
RILL_CHECKED rill_status sparse_make(rill_ctx *ctx, uint32_t rows, uint32_t columns,
                                     const sparse_maker *maker, float *diagonal, sparse *out);
RILL_CHECKED rill_status sparse_transpose(rill_ctx *ctx, const sparse *a, sparse *out);
void sparse_clear(rill_ctx *ctx, sparse *a);

/* sum of value[k] x[column[k]] over a row; four chains of additions in a fixed order. */
static inline float sparse_dot(const uint32_t *column, const float *value, uint32_t begin, uint32_t end,
                               const float *x)
{
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    uint32_t k = begin;
    for (; k + 4 <= end; k += 4) {
        s0 += value[k] * x[column[k]];
        s1 += value[k + 1] * x[column[k + 1]];
        s2 += value[k + 2] * x[column[k + 2]];
        s3 += value[k + 3] * x[column[k + 3]];
    }
    for (; k < end; k++) s0 += value[k] * x[column[k]];
    return (s0 + s1) + (s2 + s3);
}
