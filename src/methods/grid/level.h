/* The distance of a liquid's surface from sums over its particles; see level.c. */
#pragma once

#include "grid/swarm.h"

/* Of the weights at the grid's own resolution, cells: as far as the neighbours of a cell go
 * from its centre. */
#define LEVEL_REACH 1.5f

/* What is around a tile, for level_distance. */
typedef struct level_place {
    uint32_t tile;
    rill_vec3 corner;
    float lo[3], hi[3]; /* sides of the domain in cells from the corner; infinite where open */
} level_place;

level_place level_place_of(const grid *s, uint32_t tile);
/* Signed distance, in cells, of a point of the tile at time t, at most `reach` either way. */
float level_distance(const grid *s, const swarm *w, const level_place *p, const int cell[3],
                     const float at[3], float reach, double t);
