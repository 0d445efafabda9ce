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

/* A face that a body holds (viscosity_bodies.c). */
typedef struct viscous_face {
    size_t at;
    uint32_t tile, body;
    int axis;
    double plain[BODY_FREEDOMS], row[BODY_FREEDOMS]; /* what it moves by with the body; with z */
} viscous_face;

/* A body's freedoms as unknowns z: what it starts from is its motion. */
typedef struct viscous_body {
    double root[BODY_FREEDOMS][BODY_FREEDOMS]; /* motion = root z */
    double diagonal[BODY_FREEDOMS], r[BODY_FREEDOMS], p[BODY_FREEDOMS], q[BODY_FREEDOMS];
} viscous_body;

typedef struct viscous {
    grid *s;
    double t;
    float k;
    solids walls; /* all of them, with the domain's sides */

    /* Per face: */
    uint8_t *hold[3];
    uint8_t *wet[3]; /* next to a liquid cell and open: these are given the result */
    uint8_t *unknown[3];
    uint32_t *owner[3]; /* the body whose face it is, or BODY_NONE; NULL without bodies */
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
    double *part;           /* per one of them: sums */
    double alpha, beta, rz; /* rz: residual times preconditioned residual */
    viscous_body *body;     /* `bodies` of them: 0 where none holds a face */
    viscous_face *face;     /* in the order of tiles */
    uint32_t bodies;
    size_t faces;
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
/* The bodies' part: their faces and freedoms; the velocity of a body at a face; and, of the solve, what the
 * functions of viscosity.c with these names do for faces. Products over all bodies are returned. */
RILL_CHECKED rill_status grid_drag_build(viscous *v);
float grid_drag_speed(const grid *s, uint32_t body, uint32_t tile, int c, int a);
void grid_drag_start(const viscous *v);
double grid_drag_multiply(const viscous *v);
double grid_drag_step(const viscous *v);
void grid_drag_turn(const viscous *v);
void grid_drag_spread(const viscous *v); /* p of the freedoms to the faces */
/* The stress of the result pushes the bodies. */
void grid_drag_push(viscous *v, double dt);
/* Minus the derivative of the two stress terms, over k, at a tile's own faces. */
void viscous_stress(const viscous *v, uint32_t tile, float *const field[3], float out[3][GRID_CELLS]);
