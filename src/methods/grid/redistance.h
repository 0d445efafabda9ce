/* Distances made anew from a level set. */
#pragma once

#include "base/arena.h"
#include "grid/grid.h"
#include "grid/tiles.h"

/* phi: signed, in cells; becomes the signed distance of its own zero set, within +-band.
 * how: grid_redistance. Cells without room (NULL: all have) stay as they are and do not count;
 * parted: bit a of a cell, a thin wall separates it from the cell before it along axis a (NULL:
 * none does). */
RILL_CHECKED rill_status grid_redistance_field(const grid_tiles *t, rill_arena *scratch, int how, float band,
                                               const float *room, const uint8_t *parted, float *phi);
