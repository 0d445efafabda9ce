/* The step with an equation of state. */
#pragma once

#include "sph/core/state.h"

RILL_CHECKED rill_status state_step(sph *s, double dt, rill_step_stats *stats);
/* Longest step by the speed of sound and the forces, s. */
double state_max_dt(const sph *s);
