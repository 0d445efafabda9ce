/* Probes of a running simulation: one number per gauge and step. */
#pragma once

#include "flow/method.h"

/* Values of all gauges of the scene; out has scene->gauge_count elements. A pressure
 * gauge asks the method; a height gauge finds the top of the liquid in the column one
 * spacing wide (half to each side) around its x and z: the largest y of a particle plus
 * half the particles' spacing, above the domain's floor; 0 when the column is empty. */
RILL_CHECKED rill_status gauges_read(const rill_sim *sim, double *out);
