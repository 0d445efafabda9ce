/* Two methods without particles, exact at every time. For tests of what surrounds a method.
 *
 *   slosh    a liquid that fills the lower half of the domain and sways: its surface is
 *            y = middle + a cos(k x) cos(phase), k = pi / width of the domain; it has a surface mesh of its
 * own and cells, and its velocity and pressure are formulas breeze   a gas with the same velocity in the
 * whole domain: cells, no surface
 *
 * The state is the phase. fake_fault (fake.h) makes them go wrong, ways 0 to 2. */
#pragma once

#include "flow/method.h"

extern const rill_method slosh_method, breeze_method;

double slosh_height(const rill_sim *sim, double x); /* of the surface above the domain's floor */
