/* The grid method where velocity is carried by the grid itself. */
#pragma once

#include "grid/state.h"

RILL_CHECKED rill_status grid_eulerian_start(grid *s); /* after the particles are there */
RILL_CHECKED rill_status grid_eulerian_step(grid *s, double dt, rill_step_stats *stats);
RILL_CHECKED rill_status grid_eulerian_save(const grid *s, rill_writer *w);
RILL_CHECKED rill_status grid_eulerian_load(grid *s, rill_reader *r);
