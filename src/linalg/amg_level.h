/* The inside of an amg: its levels, finest first. */
#pragma once

#include "linalg/amg.h"

/* From level AMG_TWICE on, counted from 0, a level is solved by two cycles (a W-cycle): they are small, and
 * the number of iterations grows less with the size. */
enum { AMG_MAX_LEVELS = 24, AMG_DIRECT_ROWS = 256, AMG_TWICE = 2 };

typedef struct amg_level {
    uint32_t rows;
    /* The matrix: diagonal, and the rest with the opposite sign. The first level's is
     * the laplacian's, the others' are in `own`. */
    const uint32_t *start, *column;
    const float *weight;
    sparse own;
    float *diagonal; /* owned */
    float *damping;  /* of the Jacobi sweep, a_ii / sum_j a_ij^2 (SPAI-0): no parameter, and stable */
    sparse up, down; /* P from the next level, and its transpose; no rows on the last */
    float *x, *b, *r;
    float *first, *rest; /* of two cycles: the first one's result, and the right side of the second */
} amg_level;

struct amg {
    uint32_t level_count;
    amg_level level[AMG_MAX_LEVELS];
    double *direct;  /* factor of the last level's matrix, or NULL: smoothing must do */
    double *unknown; /* scratch of the direct solve */
};

/* Diagonal and damping of a level's matrix. */
void amg_level_smoother(rill_ctx *ctx, amg_level *l, const double *diagonal /* NULL: the level's is there */);

enum { AMG_ALONE = -1 }; /* the aggregate of a row without strong couplings */

/* strong[k]: whether entry k couples strongly. aggregate[i]: which one row i belongs to;
 * returns how many there are. */
void amg_strength(rill_ctx *ctx, const amg_level *l, float threshold, uint8_t *strong);
uint32_t amg_aggregate(const amg_level *l, const uint8_t *strong, int32_t *aggregate, uint32_t *scratch);
