/* Rigid bodies of the scene, solved for together with the pressure: bodies.c. Without bodies nothing happens.
 */
#pragma once

#include "points/state.h"

struct viscous; /* viscous.h */

/* Before the projections of a step: contacts of the step before press already. After them: the bodies move,
 * and the solids know where they go from t to t + dt. */
RILL_CHECKED rill_status points_bodies_await(points *s, double dt);
RILL_CHECKED rill_status points_bodies_release(points *s, double t, double dt);

/* After points_join: which faces are of bodies, and the solver's coupling; and without it again. */
RILL_CHECKED rill_status points_bodies_join(points *s, double t);
RILL_CHECKED rill_status points_bodies_part(points *s);

/* In a projection: the motion that the divergence is taken with; then what the pressures q make of it, and
 * the fluxes of its faces. again: as of points_project. */
void points_bodies_begin(points *s, double t, double dt, bool again);
void points_bodies_press(points *s, const double *q, double dt);

/* After the viscous solve: walls without slip take bodies along. v: of the velocities now. */
void points_bodies_drag(points *s, struct viscous *v, double dt);

uint32_t points_bodies_owner(const points *s, uint32_t face); /* of a wall face: its body, or BODY_NONE */

/* What a wall face gives the cell whose point it is `off` from, times its volume: the layer between them goes
 * with the wall. */
rill_vec3 points_bodies_layer(const points *s, uint32_t face, rill_vec3 u, rill_vec3 off);
