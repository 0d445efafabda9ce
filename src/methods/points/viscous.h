/* The viscous operator of viscosity.c: strain of cells, and the energy it takes. */
#pragma once

#include "points/state.h"

/* A neighbour of a cell, seen from it: another cell, or the foot of its point on a wall. */
typedef struct viscous_link {
    uint32_t other; /* UINT32_MAX: a wall */
    bool slips;     /* of a wall: its normal velocity alone counts */
    double weight;  /* area / distance */
    rill_vec3 d;    /* from the cell's point to the neighbour's, or the foot */
} viscous_link;

typedef struct viscous_matrix {
    double m[3][3];
} viscous_matrix;

typedef struct viscous {
    points *s;
    double rate;     /* nu dt, m2 */
    double *inertia; /* volume / rate */
    uint32_t *start; /* count + 1: links of each cell */
    viscous_link *link;
    rill_vec3 *wall;         /* per link: velocity of the wall */
    viscous_matrix *inverse; /* per cell: of the sum of weight d d^T */
    viscous_matrix *gradient, *stress;
    bool moved; /* walls count with their velocity: the affine part */
} viscous;

/* Of the step's cells; scratch in the arena. */
RILL_CHECKED rill_status points_viscous_build(points *s, double t, double rate, viscous *out);
/* For points_viscous_pull: the strain of u, walls moving as they do. */
void points_viscous_strain(viscous *v, const rill_vec3 *u);
/* What a link does to its cell: velocity / s m3, times nu dt. The neighbour gets the opposite. */
rill_vec3 points_viscous_pull(viscous *v, const rill_vec3 *u, uint32_t cell, uint32_t link);
/* out = (inertia + viscosity) u, without inertia.u* on the other side. */
void points_viscous_apply(viscous *v, const rill_vec3 *u, rill_vec3 *out);
