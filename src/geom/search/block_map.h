/* Blocks of a sparse grid by their integer place: a list with a hash table beside it.
 *
 * Ids count up in the order of adding, so everything made per block is an array. Not
 * for adding by several threads at once; finding is free. */
#pragma once

#include "base/memory.h"

#define BLOCK_NONE UINT32_MAX

typedef struct block_map {
    size_t count, capacity;
    int32_t (*block)[3]; /* owned; the place of each id */
    uint32_t *table;     /* owned; id or BLOCK_NONE, linear probing, at most half full */
    size_t table_size;   /* a power of two, or 0 */
} block_map;

void block_map_clear(rill_ctx *ctx, block_map *map);
/* Makes the capacity at least `count` blocks. */
RILL_CHECKED rill_status block_map_reserve(rill_ctx *ctx, block_map *map, size_t count);
/* Adds the block unless it is there. The map is as before on failure. */
RILL_CHECKED rill_status block_map_add(rill_ctx *ctx, block_map *map, int32_t x, int32_t y, int32_t z);
uint32_t block_map_find(const block_map *map, int32_t x, int32_t y, int32_t z); /* BLOCK_NONE: not there */
/* Renumbers: ids in the order of z, then y, then x. */
RILL_CHECKED rill_status block_map_sort(rill_ctx *ctx, block_map *map);

/* order[k] = the k-th of the blocks by z, then y, then x; equal ones in their order. */
RILL_CHECKED rill_status blocks_sort(rill_ctx *ctx, size_t count, const int32_t (*block)[3], uint32_t *order);
