/* Walls of tiles near solids that do not move, kept from step to step.
 *
 * What solids leave open of a tile is a function of its place, so that whether it is kept or made
 * anew changes no result. Tiles that the liquid has left are forgotten when they are many. */
#pragma once

#include "grid/state.h"

typedef enum wall_record {
    WALLS_FAR,   /* no solid is near the tile */
    WALLS_KEPT,  /* wall_cache_take has them */
    WALLS_FRESH, /* to be made, and given to wall_cache_put */
    WALLS_LOOSE  /* to be made, and not kept */
} wall_record;

void wall_cache_clear(rill_ctx *ctx, wall_cache *c);
/* Looks up every tile of s, and makes room for those that are new. within: the solids alone. */
RILL_CHECKED rill_status wall_cache_prepare(grid *s, const solids *within, double t);
wall_record wall_cache_state(const grid *s, uint32_t tile);
void wall_cache_take(grid *s, uint32_t tile);
void wall_cache_put(grid *s, uint32_t tile); /* different tiles by several threads at once */
