/* The viscous system of a step, as its two files share it: viscosity_weights.c makes it,
 * viscosity.c solves it.
 *
 * [Batty08]: the velocity that minimises
 *     1/2 sum mass (u - u*)^2 + k [ sum w_c (D_a u_a)^2 + 1/2 sum (w_ab D_a u_b + w_ba D_b u_a)^2 ] ,
 * k = dt nu / h^2, D_a the difference of neighbours along axis a. The first sum is over
 * faces, the second over cells, the third over the cells' edges (corners, in two
 * dimensions). Weights are the liquid part of what is around a face, a cell, an edge; those
 * of an edge are split between its two differences and are square roots. Where one of the two
 * neighbours is in a wall, the difference is that to the wall, over the shorter way. */
#pragma once

#include "grid/state.h"

enum { VISCOUS_N = GRID_SIDE + 2, VISCOUS_BLOCK = VISCOUS_N * VISCOUS_N * VISCOUS_N };

/* What a face is to the system. */
enum { FACE_FREE, FACE_HELD, FACE_SLIPS }; /* no wall; one that does not slip; one that does */

typedef struct viscous {
    grid *s;
    double t;
    float k;
    solids walls; /* all of them, with the domain's sides */

    /* Per face: */
    uint8_t *hold[3];
    uint8_t *wet[3]; /* next to a liquid cell and open: these are given the result */
    uint8_t *unknown[3];
    float *away[3];     /* distance from the nearest wall, cells; 2 where it does not matter */
    uint8_t *across[3]; /* of slipping walls: their normal is along the axis */
    float *mass[3];
    float *u[3]; /* what the solve starts from: u*, guesses beyond the liquid, walls */
    float *diagonal[3], *x[3], *r[3], *p[3], *q[3];

    float *cell[3];    /* w_c of axis a */
    float *edge[3][2]; /* edges along axis c: weights of the differences of (a, b) = (c + 1, c + 2):
                          [0] of D_b u_a, [1] of D_a u_b */
    uint8_t *plain;    /* per tile: all weights are 1, here and around */
    float *ones;       /* a block of them */
    uint32_t *tile;    /* those with unknowns */
    size_t tiles;
    double *part; /* per one of them: sums */
    double alpha, beta;
} viscous;

/* Axes of an edge, and the first and last edge axis there are. */
static inline int edge_a(int c)
{
    return (c + 1) % 3;
}
static inline int edge_b(int c)
{
    return (c + 2) % 3;
}
static inline int edge_first(const grid *s)
{
    return s->tiles.dimensions == 2 ? 2 : 0;
}

/* The fields above, walls and weights, from s->phi, s->open and s->u. */
RILL_CHECKED rill_status viscous_build(viscous *v);
/* Minus the derivative of the two stress terms, over k, at a tile's own faces. */
void viscous_stress(const viscous *v, uint32_t tile, float *const field[3], float out[3][GRID_CELLS]);
