/* Bodies in the first pressure solve: their motion and the pressures are solved for together.
 *
 * With rows u (core/body_rows.h) the body adds U m U^T to the operator of pressures, symmetric and positive:
 * in every residual the body moves as the pressures of that iteration make it. Light bodies make this term as
 * large as one likes; the relaxation therefore takes the inverse of P = tau D + U m U^T,   D the diagonal 1 /
 * factor, tau the middle of the Chebyshev interval, in place of that of tau D, by Woodbury's identity: with z
 * from (1 + sum m f/tau u u^T) z = sum m f/tau u r over the rows in which pressure acts, the relaxation sees
 * r - u . z. Eigenvalues stay between those without the body and 1, so that the iteration's bounds hold for
 * any mass. Several bodies take their turns, each seeing what the ones before left: where two share
 * particles, their corrections at once would overshoot.
 *
 * As Gissler et al. 2019 do with particles on the body's surface. */
#pragma once

#include "sph/dfsph/pairs.h"

/* The rows' gradients times the particles' L, as the walls' (correct.c). */
void body_pressure_correct(sph *s);
/* Right side: takes the rate at which bodies close in out of solve.target. Bodies have all forces but
 * pressure; lean: fraction of the step at which velocities are held. */
void body_pressure_target(sph *s, double lean);
/* Between the pass over pairs and the relaxation: solve.residual, D of the pressures' acceleration, gets what
 * the bodies' acceleration by j->k does, and is then replaced by what P leaves to the relaxation. Sets
 * j->body_error, the largest mean of |u . z| over the rows of a body. */
void body_pressure_precondition(pairs_job *j);
/* Bodies' rule for the second part of the step, as keep_block's for particles: the acceleration of a body
 * over the whole step is `lean` of that by solve.k and then what that and the last step's have in common.
 * Changes solve.change next to a body so that it has that, as far as the layer of particles there is heavier
 * than the body. Particle by particle the rule keeps no balance of large pressures around a light body. */
void body_pressure_settle(sph *s, double lean, double tau);
/* The impulse of solve.k on the bodies, before the solve; and that of solve.change. */
void body_pressure_predict(sph *s, double dt);
void body_pressure_react(sph *s, double dt);
