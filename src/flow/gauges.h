/* Probes of a running simulation: one number per gauge and step. */
#pragma once

#include "flow/method.h"

/* Values of all gauges of the scene; out has scene->gauge_count elements. A pressure gauge asks the
 * method. A height gauge finds the top of the liquid above the domain's floor at its x and z:
 *
 *   from particles   the largest y in the column one spacing wide (half to each side), plus half the
 *                    particles' spacing
 *   from a surface   the highest point of the mesh on the vertical line; for methods without particles
 *
 * 0 when the column is empty; NAN for what the method does not have. */
RILL_CHECKED rill_status gauges_read(const rill_sim *sim, double *out);
