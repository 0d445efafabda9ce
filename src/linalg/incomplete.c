#include "linalg/incomplete.h"

#include <math.h>

/* How much of the dropped part goes to the diagonal: a little less than all of it keeps
 * the pivots of a matrix without extra from vanishing. */
static const double modification = 0.97;
/* An M-matrix has no pivots of zero or below (Meijerink, van der Vorst 1977) but those of
 * its null vectors, which rounding leaves about this much of. */
static const double safety = 1e-5;

static rill_status upper_part(rill_ctx *ctx, const laplacian *a, incomplete *f)
{
    TRY(MEM_NEW(ctx, f->start, (size_t)a->rows + 1));
    TRY(MEM_NEW(ctx, f->inverse, a->rows));
    TRY(MEM_NEW(ctx, f->y, a->rows));
    const uint32_t entries = a->start[a->rows] / 2;
    TRY(MEM_NEW(ctx, f->column, entries));
    TRY(MEM_NEW(ctx, f->value, entries));
    uint32_t at = 0;
    f->rows = a->rows;
    for (uint32_t i = 0; i < a->rows; i++) {
        f->start[i] = at;
        for (uint32_t k = a->start[i]; k < a->start[i + 1]; k++)
            if (a->column[k] > i) {
                f->column[at] = a->column[k];
                f->value[at++] = -a->weight[k];
            }
    }
    f->start[a->rows] = at;
    return RILL_OK;
}

/* Row k is final. For every two entries (k,i), (k,j), i < j, the product of the two goes
 * to entry (i,j) when the pattern has one. */
static void eliminate(incomplete *f, uint32_t k, double *diagonal, bool modified)
{
    for (uint32_t m = f->start[k]; m < f->start[k + 1]; m++) {
        const uint32_t i = f->column[m];
        diagonal[i] -= (double)f->value[m] * f->value[m];
        uint32_t at = f->start[i];
        for (uint32_t n = m + 1; n < f->start[k + 1]; n++) {
            const uint32_t j = f->column[n];
            const float v = f->value[m] * f->value[n];
            while (at < f->start[i + 1] && f->column[at] < j) at++;
            if (at < f->start[i + 1] && f->column[at] == j) {
                f->value[at] -= v;
            } else if (modified) {
                diagonal[i] -= modification * v;
                diagonal[j] -= modification * v;
            }
        }
    }
}

static void factor(incomplete *f, const laplacian *a, double *diagonal, bool modified)
{
    for (uint32_t i = 0; i < f->rows; i++) diagonal[i] = a->diagonal[i];
    for (uint32_t k = 0; k < f->rows; k++) {
        const double pivot = diagonal[k] > safety * a->diagonal[k] ? diagonal[k] : a->diagonal[k];
        f->inverse[k] = pivot > 0 ? (float)(1 / sqrt(pivot)) : 0;
        for (uint32_t m = f->start[k]; m < f->start[k + 1]; m++) f->value[m] *= f->inverse[k];
        eliminate(f, k, diagonal, modified);
    }
}

rill_status incomplete_build(rill_ctx *ctx, const laplacian *a, bool modified, incomplete *out)
{
    incomplete f = {0};
    double *diagonal = NULL;
    rill_status st = upper_part(ctx, a, &f);
    if (!st) st = MEM_NEW(ctx, diagonal, a->rows);
    if (st) {
        incomplete_clear(ctx, &f);
        return st;
    }
    factor(&f, a, diagonal, modified);
    mem_free(ctx, diagonal);
    *out = f;
    return RILL_OK;
}

void incomplete_clear(rill_ctx *ctx, incomplete *f)
{
    mem_free(ctx, f->start);
    mem_free(ctx, f->column);
    mem_free(ctx, f->value);
    mem_free(ctx, f->inverse);
    mem_free(ctx, f->y);
    *f = (incomplete){0};
}

void incomplete_solve(const incomplete *f, const float *r, float *z)
{
    float *y = f->y;
    for (uint32_t i = 0; i < f->rows; i++) y[i] = r[i];
    for (uint32_t i = 0; i < f->rows; i++) {
        y[i] *= f->inverse[i];
        for (uint32_t k = f->start[i]; k < f->start[i + 1]; k++) y[f->column[k]] -= f->value[k] * y[i];
    }
    for (uint32_t i = f->rows; i-- > 0;) {
        float s = y[i];
        for (uint32_t k = f->start[i]; k < f->start[i + 1]; k++) s -= f->value[k] * z[f->column[k]];
        z[i] = s * f->inverse[i];
    }
}
