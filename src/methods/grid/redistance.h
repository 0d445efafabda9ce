/* Distances made anew from a level set. */
#pragma once

#include "base/arena.h"
#include "grid/grid.h"
#include "grid/tiles.h"

/* phi: signed, in cells; becomes the signed distance of its own zero set, within +-band.
 * how: grid_redistance. Cells without room (NULL: all have) stay as they are and do not count. */
RILL_CHECKED rill_status grid_redistance_field(const grid_tiles *t, rill_arena *scratch, int how, float band,
                                               const float *room, float *phi);
