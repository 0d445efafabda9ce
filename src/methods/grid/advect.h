/* Semi-Lagrangian advection of fields on the tiles. */
#pragma once

#include "grid/state.h"

typedef struct grid_carried {
    const float *from;
    float *to;
    int axis;               /* of the faces it is at; -1: cell centres */
    float absent;           /* beyond the tiles */
    const float *continued; /* 1 where `from` is only continued into solids, else 0; NULL: nowhere */
} grid_carried;

/* Carries `count` fields along the path velocity, no component of which is above `fastest`,
 * for the time dt. */
RILL_CHECKED rill_status grid_advect(grid *s, const float *const path[3], double fastest, double dt,
                                     const grid_carried *field, int count);
