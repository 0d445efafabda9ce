/* Rigid bodies in the grid, [Batty07]: the parts of faces that they close, and their part of the
 * pressure's system.
 *
 * With q = p dt / (density h) of a cell, a body gets the impulse density h^d J^T q, where a row of J is
 * the sum over the cell's faces of +-w (n, r x n): w the part of the face that the body closes, n its
 * normal, r from the centre of mass to the face's centre. What flows through the closed parts is J V. Both
 * together:
 *     (A + density h^d J M^-1 J^T) q = b - J V* ,   V = V* + density h^d M^-1 J^T q
 * with M^-1 in the freedoms that hinges, pins and slides leave. Reaction and motion use the same J, so that
 * momentum is kept to the last digits, whatever the parts are.
 *
 * Parts are volumes, of the cube around a face's centre: areas at the face itself would count planes of
 * the grid, and a body would float by steps of a cell. Bodies thinner than a cell close whole faces
 * (walls_thin.c). */
#pragma once

#include "grid/state.h"

/* Closes what bodies close at time t, after the solids that are none (walls.c leaves bodies out). */
RILL_CHECKED rill_status grid_bodies_close(grid *s, double t);

/* Which solids are bodies, for queries without them; NULL when none is. */
RILL_CHECKED rill_status grid_bodies_find(grid *s);

/* The bodies' motion before the pressure's solve knows of the contacts that hold them (bodies_lean); after
 * the last solve, they move (particles), or the solids get their new velocities. */
RILL_CHECKED rill_status grid_bodies_await(grid *s, double dt);
RILL_CHECKED rill_status grid_bodies_release(grid *s, double t, double dt);

/* The rows J of the active cells, in the stage's arena; count 0 without bodies. */
RILL_CHECKED rill_status grid_bodies_rows(grid *s, const uint8_t *active, pressure_bodies *out);
/* flux[c] -= J V, V as the bodies move, or nothing but what outflow() has too much: it gives the parts that
 * bodies close the velocity of the cell's other solids. */
void grid_bodies_flux(const grid *s, const pressure_bodies *rows, bool moving, double *flux);
/* Pushes the bodies with the pressures q, in a step of dt. */
void grid_bodies_press(grid *s, const pressure_bodies *rows, const double *q, double dt);

/* After the particles moved: those that bodies trap are set free. t: the time they are at. */
RILL_CHECKED rill_status grid_bodies_relieve(grid *s, double t);
