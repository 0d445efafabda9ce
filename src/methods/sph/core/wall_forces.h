/* The liquid's force on solids that do not answer to it and that a force gauge shows: the sum of what the
 * walls' terms gave the particles, with the opposite sign. Pressure, the weight that walls carry, collisions,
 * friction and drag are all in it, so that the force integrated over time is the momentum that the liquid
 * lost to the solid. Bodies have theirs from body_rows.h and body_touch.h.
 *
 * A step calls these in their order; without such solids they do nothing. */
#pragma once

#include "sph/core/state.h"

RILL_CHECKED rill_status wall_forces_create(sph *s);
void wall_forces_destroy(sph *s);

/* The step begins: no impulse yet. Then particles that feel such a solid at t, as ops->walls evaluated them.
 */
void wall_forces_begin(sph *s);
RILL_CHECKED rill_status wall_forces_collect(sph *s, double t, double dt);
/* dfsph: the rows' gradients times the particles' L, as the walls' (dfsph/correct.c). */
void wall_forces_correct(sph *s);
/* Pressures k = p / rho_0 for dt, and the weight; k NULL: those of the equation of state. */
void wall_forces_press(sph *s, const float *k, double dt);
/* Drag of no-slip walls in an implicit solve of viscosity, by the velocities that it gave. */
void wall_forces_drag(sph *s, double dt);
/* Around ops->move or a drift, as body_touch.h. */
RILL_CHECKED rill_status wall_forces_before(sph *s);
void wall_forces_after(sph *s, double kick, rill_vec3 gravity, double t);
/* Hands the mean forces of the step to the gauges. */
void wall_forces_show(sph *s, double dt);
