/* Sets of cells (or of their faces) of a field as bits: a word for each layer of 8 x 8 cells
 * of a tile, bit 8 y + x. */
#pragma once

#include "grid/tiles.h"

/* The words of the six neighbours of a tile, those of absent ones zero. */
typedef struct {
    const uint64_t *own, *side[6]; /* -x +x -y +y -z +z */
    uint32_t tile[6];
} bits_near;

static inline bits_near bits_around(const grid_tiles *t, const uint64_t *words, uint32_t tile)
{
    static const uint64_t none[GRID_SIDE] = {0};
    bits_near r = {.own = words + (size_t)tile * (size_t)t->layers};
    for (int b = 0; b < 6; b++) {
        const int step = b % 2 ? 1 : -1;
        r.tile[b] = t->near[tile][grid_near_index(b / 2 == 0 ? step : 0, b / 2 == 1 ? step : 0,
                                                  b / 2 == 2 ? step : 0)];
        r.side[b] = r.tile[b] == GRID_NONE ? none : words + (size_t)r.tile[b] * (size_t)t->layers;
    }
    return r;
}

/* The cells of layer z whose neighbour to one side is in the set. */
static inline uint64_t bits_moved(const grid_tiles *t, const bits_near *r, int z, int side)
{
    const uint64_t w = r->own[z];
    switch (side) {
    case 0: return (w << 1 & 0xfefefefefefefefeu) | (r->side[0][z] >> 7 & 0x0101010101010101u);
    case 1: return (w >> 1 & 0x7f7f7f7f7f7f7f7fu) | (r->side[1][z] << 7 & 0x8080808080808080u);
    case 2: return w << 8 | r->side[2][z] >> 56;
    case 3: return w >> 8 | r->side[3][z] << 56;
    case 4: return z > 0 ? r->own[z - 1] : t->layers == 1 ? 0 : r->side[4][t->layers - 1];
    default: return z + 1 < t->layers ? r->own[z + 1] : t->layers == 1 ? 0 : r->side[5][0];
    }
}
