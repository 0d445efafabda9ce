/* Single-precision sparse matrices by rows, for the hierarchy of amg.h, made row by row
 * in parallel without knowing their size beforehand. */
#pragma once

#include "base/memory.h"

#include <immintrin.h>

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

/* sum of value[k] x[column[k]] over a row; eight chains of additions in a fixed order. */
static inline float sparse_dot(const uint32_t *column, const float *value, uint32_t begin, uint32_t end,
                               const float *x)
{
    __m256 sum = _mm256_setzero_ps();
    uint32_t k = begin;
    for (; k + 8 <= end; k += 8) {
        const __m256i at = _mm256_loadu_si256((const __m256i *)(column + k));
        sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_loadu_ps(value + k), _mm256_i32gather_ps(x, at, 4)));
    }
    if (k < end) { /* the rest under a mask: a loop of unknown length costs more */
        static const int32_t masks[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
        const __m256i mask = _mm256_loadu_si256((const __m256i *)(masks + 8 - (end - k)));
        const __m256i at = _mm256_maskload_epi32((const int *)(column + k), mask);
        const __m256 v = _mm256_maskload_ps(value + k, mask);
        const __m256 g = _mm256_mask_i32gather_ps(_mm256_setzero_ps(), x, at, _mm256_castsi256_ps(mask), 4);
        sum = _mm256_add_ps(sum, _mm256_mul_ps(v, g));
    }
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_shuffle_ps(s, s, 1)));
}
