/* Divergence-free SPH: the door of this room. The two kinds of particles give it their passes over pairs
 * through the table of operations. */
#pragma once

#include "sph/core/state.h"

RILL_CHECKED rill_status dfsph_step(sph *s, double dt, rill_step_stats *stats);
/* Longest step by the distance travelled and by artificial viscosity, s. */
double dfsph_max_dt(const sph *s);
