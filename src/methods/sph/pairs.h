/* Sums over pairs that a pressure solver repeats: the kernel's gradients, kept.
 *
 * Each list entry has its gradient C V grad W times the spacing as three half floats,
 * eight neighbours at a time: x of eight, y of eight, z of eight. Half precision is
 * enough, since rounding is odd and pairs stay opposite; with a 16-bit id a pair costs
 * 8 bytes a pass, and passes are bound by memory. Densities are not rounded. */
#pragma once

#include "sph/state.h"

/* Density (eq. 36), gradients, the solver's factor and who has too few neighbours. */
RILL_CHECKED rill_status pairs_prepare(sph *s);

/* force_i = -sum_j (k_i + k_j) grad_ij - k_i grad B_i: acceleration by pressure k = p / rho_0. */
void pairs_accelerate(sph *s, const float *k);

/* What a pass over divergences does with D_i = sum_j (q_i - q_j) . grad_ij + q_i . grad B_i. */
typedef enum pairs_use {
    PAIRS_RATE,    /* wanted_i = D_i of the velocities, less the walls' own: 1/s */
    PAIRS_DENSITY, /* wanted_i = density ratio - 1 after dt of that */
    PAIRS_RELAX    /* one relaxation of k towards wanted + scale D(force) = 0, k >= 0 */
} pairs_use;

typedef struct pairs_job {
    sph *s;
    pairs_use use;
    float dt;
    /* PAIRS_RELAX: */
    float *k;
    float scale;       /* of D: dt or dt^2 */
    float keep, take;  /* change = keep * last change + take * residual * factor / scale */
    bool spare_lonely; /* those with few neighbours keep k = 0 */
    double residual;   /* out: mean of max(wanted + scale D, 0) */
} pairs_job;

void pairs_divergence(pairs_job *j);
