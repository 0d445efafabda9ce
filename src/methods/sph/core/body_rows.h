/* Particles within reach of bodies, and what the two do to each other.
 *
 * A row is a particle i and a body whose part of the walls' gradient it feels, g. A pressure k = p / rho_0
 * accelerates the particle by -C k g, C the kernel's calibration, and pushes the body with the opposite force
 * at the same place:
 *     J = (g, r x g),  r = x_i - centre of mass;   force and torque  m_i C k J.
 * The body's motion V = (velocity, spin) closes in on the particle at the rate C J . V. With root root^T the
 * inverse of the body's mass matrix in the freedoms that it has (rigid_body_root) and u = C root^T J,
 * pressures change V by root a, a = dt sum m_i k_i u_i, and the rate by u . a: all that couples a body to the
 * pressures is of rank six or less.
 *
 * Rows are sorted by body, then by particle, and live for one step. A body that is held has rows, for the
 * force on it, with u = 0. */
#pragma once

#include "sph/core/state.h"

/* Collects the rows of the step from the walls at t, as ops->walls evaluated them, and takes the bodies' own
 * motion out of step.weight's closing rate. Nothing to do without bodies. */
RILL_CHECKED rill_status body_rows_collect(sph *s, double t, double dt);

/* Arms and u, when the rows' gradients are final; then the weight that bodies carry (step.weight), which
 * pushes them for dt. */
void body_rows_finish(sph *s, double dt);

/* Sum of m_i value_i C J_i over the rows of a body: force and torque by pressures k, value per particle. */
void body_rows_force(const sph *s, uint32_t body, const float *value, double out[BODY_FREEDOMS]);
/* Sum of m_i value_i u_i over the rows of a body, value per particle. */
void body_rows_reduced(const sph *s, uint32_t body, const float *value, double out[BODY_FREEDOMS]);

/* x for (1 + sum weight_i u_i u_i^T) x = b, in place. */
void body_system_solve(rill_ctx *ctx, int freedoms, size_t count, const float (*u)[BODY_FREEDOMS],
                       const float *weight, double x[BODY_FREEDOMS]);

/* An impulse of six numbers, during the step. */
void body_rows_push(sph *s, uint32_t body, const double impulse[BODY_FREEDOMS]);

/* Columns of rigid_body_root that can differ from 0. */
static inline int body_freedoms(const sph *s)
{
    return s->sim.scene->dimensions == 2 ? 3 : BODY_FREEDOMS;
}
static inline float body_row_along(const float *u, const double *a, int freedoms)
{
    double sum = 0;
    for (int c = 0; c < freedoms; c++) sum += (double)u[c] * a[c];
    return (float)sum;
}
