/* The finest level in double precision: true residuals, and the plain solvers. Vectors are
 * in the order of level.h, with LEVEL_PAD zeros around them. */
#pragma once

#include "grid/pressure/level.h"

/* A vector over the level; all zero, or only what lies around the tiles (raw). */
RILL_CHECKED rill_status double_vector(rill_arena *memory, const level *l, bool raw, double **out);

/* y = A x; returns x.y. */
double double_apply(rill_ctx *ctx, const level *l, const double *x, double *y);
/* |b - A x|^2; the residual times `scale`, in single precision, to r unless NULL. x NULL: zero. */
double double_residual(rill_ctx *ctx, const level *l, const double *x, const double *b, double scale,
                       float *r);
/* x += omega (b + neighbours - diagonal x) / diagonal for the cells of one colour. */
void double_relax(rill_ctx *ctx, const level *l, int colour, double omega, double *x, const double *b);
/* to = the same of both colours at once, from x. */
void double_jacobi(rill_ctx *ctx, const level *l, double omega, const double *x, const double *b, double *to);

double double_dot(rill_ctx *ctx, const level *l, const double *u, const double *v);

/* Between the caller's order of cells and ours; cells that are not active give and get 0. */
void double_gather(rill_ctx *ctx, const level *l, const double *cells, double *v);
void double_scatter(rill_ctx *ctx, const level *l, const double *v, double *cells);
