/* The grid method where velocity is carried by the grid itself. */
#pragma once

#include "grid/state.h"

enum {
    EULERIAN_BAND = 6, /* distances go this far, in cells */
    EULERIAN_TILES = 8 /* tiles exist this far from the liquid, in cells */
};

RILL_CHECKED rill_status grid_eulerian_fields(grid *s); /* on the tiles, without values */
void grid_eulerian_extend(grid *s); /* the level set behind the domain's walls: as in front of them */
RILL_CHECKED rill_status grid_eulerian_start(grid *s); /* after the particles are there */
/* The part of the step that carries level set, markers and velocity (or `carried` in its
 * place) along the velocity there is, for dt. */
RILL_CHECKED rill_status grid_eulerian_carry(grid *s, double t, double dt, float *const carried[3],
                                             rill_step_stats *stats);
/* What emitters add and drains take between t and t + dt; phi: the level set carried there. */
RILL_CHECKED rill_status grid_emit(grid *s, float *phi, double t, double dt);
RILL_CHECKED rill_status grid_eulerian_step(grid *s, double dt, rill_step_stats *stats);
RILL_CHECKED rill_status grid_eulerian_save(const grid *s, rill_writer *w);
RILL_CHECKED rill_status grid_eulerian_load(grid *s, rill_reader *r);
