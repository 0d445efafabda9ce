/* Incomplete Cholesky factors on the matrix's own pattern, plain (IC(0)) and modified
 * (MIC(0): what falls outside the pattern is subtracted from the diagonal, so that row
 * sums stay right, which suits Laplacians; Gustafsson 1978). Serial: each row waits for
 * the ones before it. They are the references that amg.h is measured against. */
#pragma once

#include "linalg/laplacian.h"

typedef struct incomplete {
    uint32_t rows;
    uint32_t *start, *column; /* of the rows of L^T, without the diagonal, ascending */
    float *value;
    float *inverse; /* 1 / l_ii, or 0 for a row without anything */
    float *y;       /* scratch of a solve */
} incomplete;

RILL_CHECKED rill_status incomplete_build(rill_ctx *ctx, const laplacian *a, bool modified, incomplete *out);
void incomplete_clear(rill_ctx *ctx, incomplete *f);
void incomplete_solve(const incomplete *f, const float *r, float *z); /* L L^T z = r */
