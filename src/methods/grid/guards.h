/* The particles of a particle level set, [Enright02]: on both sides of the surface, each with
 * a ball that reaches up to it. One that is found on the wrong side by more than its radius
 * has escaped: the level set lost something there, and gets it back from the ball.
 *
 * They live in grid.guards, with a column "radius" in cells, positive in air and negative in
 * the liquid. */
#pragma once

#include "grid/state.h"

RILL_CHECKED rill_status grid_guards_start(grid *s);           /* around the level set there is */
RILL_CHECKED rill_status grid_guards_move(grid *s, double dt); /* along s->u */
RILL_CHECKED rill_status grid_guards_correct(grid *s);         /* s->phi by those that escaped */
/* Their radii by s->phi; every so often, new ones where there are few, and none far away. */
RILL_CHECKED rill_status grid_guards_renew(grid *s);
