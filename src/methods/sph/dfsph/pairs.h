/* Sums over pairs that a pressure solver repeats: gradients, kept.
 *
 * Each list entry has its gradient, C V grad W corrected, times the spacing as three half floats,
 * eight neighbours at a time: x of eight, y of eight, z of eight. Half precision is
 * enough, since rounding is odd and pairs stay opposite; with a 16-bit id a pair costs
 * 8 bytes a pass, and passes are bound by memory. Densities are not rounded. */
#pragma once

#include "sph/core/state.h"

/* Density (eq. 36), the kernel's gradients, their moments (solve.correction), which particles are inside or
 * spray, and how fast they may close (solve.slack). */
RILL_CHECKED rill_status pairs_prepare(sph *s);
/* Then: corrects the gradients, and the walls' into s->solve.wall_gradient; the solver's factor (correct.c).
 */
void pairs_correct(sph *s);

/* force_i = -sum_j (k_i + k_j) grad_ij - k_i grad B_i: acceleration by pressure k = p / rho_0. */
void pairs_accelerate(sph *s, const float *k);
/* The same, and the position it leads to in the step dt: solve.ahead. longest: limit of corrections, in
 * spacings. */
void pairs_shift(sph *s, const float *k, double dt, double longest);

/* What a pass over divergences does with D_i = sum_j (q_i - q_j) . grad_ij + q_i . grad B_i. */
typedef enum pairs_use {
    PAIRS_RATE, /* wanted_i = D_i of `vector`, velocities, less the walls' own: 1/s */
    PAIRS_RELAX /* one relaxation of k towards wanted + scale D(force) = 0; k < 0 inside only, and lone
                 * particles keep k = 0 */
} pairs_use;

typedef struct pairs_job {
    sph *s;
    pairs_use use;
    const float (*vector)[4]; /* PAIRS_RATE */
    /* PAIRS_RELAX and pairs_squeeze: */
    float *k;
    float scale;       /* of D: dt or dt^2 */
    float keep, take;  /* change = keep * last change + take * residual * factor / scale */
    float rest;        /* pairs_squeeze: the density ratio to be reached, 1 */
    float tau;         /* of body_pressure.h */
    bool apart;        /* bodies come between the pass and the relaxation; set by pairs_divergence */
    double body_error; /* out, PAIRS_RELAX: of body_pressure.h; 0 without bodies */
    double mean;       /* out, pairs_squeeze: of density ratio - rest */
    double
        residual; /* out: mean of what is left to be pushed or pulled; of each, signed: s->solve.residual */
} pairs_job;

void pairs_divergence(pairs_job *j);

/* The same for positions (ahead.c): density ratio - 1 at s->solve.ahead takes the place of the linear form.
 */
void pairs_look_ahead(sph *s, double dt); /* once; s->solve.ahead is x + dt v */
void pairs_squeeze(pairs_job *j);

void pairs_sum_up(pairs_job *j, uint32_t parts); /* means, from the sums of the parts */
/* Memory for the gradients of `entries` list entries, and for arrays per particle and per part. */
RILL_CHECKED rill_status pairs_reserve(sph *s, uint64_t entries);
RILL_CHECKED rill_status pairs_allocate(sph *s, rill_arena *arena, size_t particles, size_t parts);
