/* Distances made anew from a level set. */
#pragma once

#include "base/arena.h"
#include "grid/grid.h"
#include "grid/tiles.h"

/* phi: signed, in cells; becomes the signed distance of its own zero set, within +-band.
 * how: grid_redistance. */
RILL_CHECKED rill_status grid_redistance_field(const grid_tiles *t, rill_arena *scratch, int how, float band,
                                               float *phi);
