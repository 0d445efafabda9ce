/* Poisson's equation on the cells of a coarse correction: conjugate gradients with a multigrid
 * preconditioner.
 *
 * Cells are aggregated 2 x 2 x 2 (2 x 2 in two dimensions), level by level; transfers are constant within an
 * aggregate, and the coarse operator is half of Galerkin's, which makes up for that (a uniform grid's own
 * coarse operator comes out). Damped Jacobi before and after: symmetric, and the same bits for any number of
 * threads. Iterations do not depend on the number of cells. Everything lives in the arena given to
 * cell_multigrid_build. */
#pragma once

#include "base/arena.h"
#include "base/context.h"

enum { CELL_FACES = 6, MULTIGRID_LEVELS = 20 };
#define CELL_AIR  UINT32_MAX       /* instead of a neighbour: the liquid ends, value 0 at the face */
#define CELL_WALL (UINT32_MAX - 1) /* no flux */

typedef enum cell_state {
    CELL_OUT,   /* as air */
    CELL_FIXED, /* its value is given */
    CELL_FREE   /* unknown */
} cell_state;

typedef struct cell_multigrid_level {
    uint32_t count;
    uint32_t (*near)[CELL_FACES]; /* -x +x -y +y -z +z; itself where there is no link */
    float (*link)[CELL_FACES];
    float *diagonal, *inverse; /* inverse: 0 for cells that are not free */
    float *x, *b, *r;
    uint32_t *parent;              /* in the next level */
    uint32_t *child_first, *child; /* of the next level's nodes: one more than these */
} cell_multigrid_level;

typedef struct cell_multigrid {
    rill_ctx *ctx;
    const uint32_t (*beside)[CELL_FACES]; /* of the cells, CELL_AIR and CELL_WALL among them */
    int level_count;
    cell_multigrid_level level[MULTIGRID_LEVELS];
    float *direction, *image; /* of conjugate gradients */
    float alpha, beta;
} cell_multigrid;

/* at: integer coordinates of the cells. */
RILL_CHECKED rill_status cell_multigrid_build(rill_ctx *ctx, rill_arena *arena, const uint32_t (*at)[3],
                                              const uint32_t (*beside)[CELL_FACES], uint32_t count,
                                              cell_multigrid *out);
/* The operator for these states: -laplace over the square of the cell width, plus `shift`. */
void cell_multigrid_set(cell_multigrid *m, const uint8_t *state, float shift);
/* (A x) of one cell; x of cells that are not free counts where they are fixed. */
float cell_multigrid_apply(const cell_multigrid *m, const uint8_t *state, float shift, const float *x,
                           uint32_t n);
/* Adds A^-1 r to e. r: residuals of free cells, 0 elsewhere; afterwards those that are left, at most
 * `tolerance` of them by their squares. Returns the iterations. */
int cell_multigrid_solve(cell_multigrid *m, float *e, float *r, double tolerance, int most);
