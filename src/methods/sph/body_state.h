/* Bodies in the step with an equation of state.
 *
 * A body that moves by V dt beyond where its velocity at the start would take it changes the density of a
 * particle near it by -rho_0 dt C J . V, and thereby its pressure. Taken at the end of the step, linearly,
 * for all that changes the body's velocity in the step (weight too), the pressures add dt^2 K to the body's
 * mass, K = sum m rho_0^2 c^2 / rho^2 u u^T, and the step that sound allows is stable for any mass. The
 * particles get the changed pressure as well: momentum is kept. */
#pragma once

#include "sph/core/state.h"

/* After ops->forces: changes step.force next to bodies and gives these their impulse. */
RILL_CHECKED rill_status body_state_push(sph *s, double dt);
