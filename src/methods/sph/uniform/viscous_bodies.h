/* Bodies that do not slip, in the implicit solve of viscosity: their motion is unknown like that of the
 * particles.
 *
 * A no-slip wall drags the velocities of particles along it at a rate (viscosity.c); a body is dragged the
 * opposite way. With its motion V + sqrt(m) root y, m a particle's mass and root of core/body_rows.h, the
 * system for the particles and all y is symmetric, its part of a body alone is 1 plus a sum of squares, and
 * conjugate gradients need a few more iterations, whatever the body's mass. Sums of forces that are opposite
 * and equal stay so: momentum is kept. */
#pragma once

#include "sph/core/state.h"

typedef struct drag_row {
    uint32_t particle, body;
    float rate; /* times the velocity past the body, along it; without unit */
    float normal[3];
    float w[BODY_FREEDOMS][3]; /* velocity of the body there by unit y */
} drag_row;

enum { VISCOUS_CHANGE, VISCOUS_RESIDUAL, VISCOUS_DIRECTION, VISCOUS_IMAGE, VISCOUS_VECTORS };

typedef struct viscous_bodies {
    sph *s;
    size_t count;
    drag_row *row;                               /* sorted by body, then by particle */
    uint32_t *first;                             /* per body, and one more */
    double (*y[VISCOUS_VECTORS])[BODY_FREEDOMS]; /* per body */
} viscous_bodies;

/* rate_scale: dt times viscosity over density; times step.drag the rate. */
RILL_CHECKED rill_status viscous_bodies_find(sph *s, double rate_scale, viscous_bodies *out);
/* Residual of y = 0, for the particles' velocities as they are. Returns its square. */
double viscous_bodies_start(viscous_bodies *b);
/* Adds what the bodies' direction does to the particles' image; the bodies' image. Returns what this adds to
 * direction . image. */
double viscous_bodies_apply(viscous_bodies *b, const float (*direction)[4], float (*image)[4]);
/* change += alpha direction, residual -= alpha image; adds their squares: sum[0] of the residual, sum[1] of
 * the change. */
void viscous_bodies_advance(viscous_bodies *b, double alpha, double sum[2]);
void viscous_bodies_turn(viscous_bodies *b, double beta); /* direction = residual + beta direction */
/* Gives the bodies what was found. */
void viscous_bodies_finish(viscous_bodies *b, const float (*change)[4]);
