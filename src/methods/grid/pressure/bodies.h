/* The bodies' part of a pressure solve: A + U U^T, U = J root, and its part of the preconditioner.
 *
 * Woodbury's identity: with C the cycle, Z = C U and S = 1 + U^T Z,
 *     (C^-1 + U U^T)^-1 r = C (r - U S^-1 Z^T r) .
 * What the cycle gets is free of the part along U, which for a body of almost no mass is by far the largest:
 * it never meets the rounding of single precision. A column of Z costs a cycle, so that the light bodies
 * alone have them; without them conjugate gradients need some more steps. */
#pragma once

#include "grid/pressure/solve.h"

typedef struct solve_row {
    uint32_t row;                /* index of the level */
    double v[LOW_RANK_WIDTH];    /* U */
    double free[LOW_RANK_WIDTH]; /* the same for the preconditioner: its sums over closed parts are zero */
} solve_row;

struct solve_bodies {
    uint32_t count, *start; /* rows of body b: start[b] up to start[b + 1] */
    solve_row *row;
    double *heavier; /* the caller's */
    double *sums;    /* LOW_RANK_WIDTH per body: scratch */
    /* Closed parts keep their volume: with S = U^T 1 of each, S y = 0 for the bodies' motion y. S = lower
     * held, the rows of `held` (six numbers of each body) of unit length and orthogonal, or zero. */
    uint32_t parts;
    double *held, *lower;
    double *impulse; /* along `held`, what stops V* */
    /* Of the preconditioner: */
    uint32_t columns;
    uint32_t *column; /* of each, LOW_RANK_WIDTH * body + freedom */
    bool *shifts;     /* per column: it does not turn the body */
    float **z;        /* per column, a vector of the level */
    double *small;    /* S, factored */
    double *y;        /* per column */
    float *kept;      /* per row: the residual without U y */
    double *partial;  /* sums of blocks */
};

/* From the caller's rows. The right side gets the bodies' motion. */
RILL_CHECKED rill_status solve_bodies_make(solve *s, const pressure_system *system);

/* The constants that closed parts have when they hold bodies, added to an answer without means. */
void solve_bodies_constants(const solve *s, double *x);

/* y += factor U U^T x, without what closed parts forbid, in double; and for what is held in single precision,
 * returning x.U U^T x. */
void solve_bodies_apply(const solve *s, const double *x, double factor, double *y);
double solve_bodies_apply_single(const solve *s, const float *x, float *y);

/* The columns, for the cycle as it is now. z, r: vectors that are overwritten. */
RILL_CHECKED rill_status solve_bodies_columns(solve *s, float *z, float *r);
/* r -= U y, which is put back by the other; both leave z as sweep_first does. Returns nothing of r.z: what
 * dots[0] lacks then is U y.z. */
void solve_bodies_take(const solve *s, float *z, float *r);
double solve_bodies_put_back(const solve *s, const float *z, float *r);
