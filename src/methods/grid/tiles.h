/* The storage of the grid method: cells in sparse tiles of 8 x 8 x 8 (in two dimensions
 * 8 x 8 x 1).
 *
 * Cell (i, j, k) is the cube from origin + h (i, j, k) to origin + h (i+1, j+1, k+1); it
 * belongs to tile (i >> 3, j >> 3, k >> 3), in two dimensions (i >> 3, j >> 3, 0). Only
 * tiles near liquid exist, so that cost follows the liquid and not the domain; there are
 * no bounds. Tile ids are in the order of z, y, x. A field is a flat array over
 * tile * cells + (z * 8 + y) * 8 + x; the velocity through a cell's minus faces is kept at
 * the cell.
 *
 * Stencils work on a copy of a tile with the cells around it (grid_block_load). */
#pragma once

#include "base/vec.h"
#include "geom/search/block_map.h"

enum {
    GRID_SIDE = 8, /* cells of a tile along each axis */
    GRID_CELLS = 512,
    GRID_AREA = 64,
    GRID_NEAR = 27,
    GRID_SELF = 13 /* index of the tile itself among its neighbours */
};
#define GRID_NONE UINT32_MAX

typedef struct grid_tiles {
    int dimensions;
    int layers; /* of cells in a tile: 8, or 1 in two dimensions */
    int cells;  /* of a tile: 512 or 64 */
    double h;
    rill_vec3 origin;
    int32_t low[3], high[3]; /* cells: tiles beyond them exist only as cores */
    bool ends;               /* fields end at the sides of the domain, the cells first to last: */
    int32_t first[3], last[3];
    uint32_t count;
    block_map map;               /* owned; place of each tile */
    uint32_t (*near)[GRID_NEAR]; /* owned; (dz+1)*9 + (dy+1)*3 + dx+1; GRID_NONE: absent */
    size_t near_capacity;
} grid_tiles;

/* Empty, without limits; h > 0. */
void grid_tiles_init(grid_tiles *t, int dimensions, double h, rill_vec3 origin);
void grid_tiles_clear(rill_ctx *ctx, grid_tiles *t);

/* The tiles of one liquid place: where it is, and the range of its cells that hold any. */
typedef struct grid_core {
    int32_t tile[3];
    int8_t lo[3], hi[3]; /* cells, 0 to 7, both included */
} grid_core;

/* The tiles of all cores and those within `band` cells (at most 8) of their ranges, sorted
 * and linked; the old tiles are forgotten. The tiles are empty on failure. */
RILL_CHECKED rill_status grid_tiles_build(rill_ctx *ctx, grid_tiles *t, const grid_core *core, size_t count,
                                          int band);

static inline size_t grid_cell_count(const grid_tiles *t)
{
    return (size_t)t->count * (size_t)t->cells;
}
/* The lowest corner of a tile. */
static inline rill_vec3 grid_tile_corner(const grid_tiles *t, uint32_t tile)
{
    const int32_t *b = t->map.block[tile];
    const double s = GRID_SIDE * t->h;
    return v3(t->origin.x + b[0] * s, t->origin.y + b[1] * s,
              t->dimensions == 2 ? t->origin.z : t->origin.z + b[2] * s);
}
static inline int grid_near_index(int dx, int dy, int dz)
{
    return (dz + 1) * 9 + (dy + 1) * 3 + dx + 1;
}

/* Cell (x, y, z) counted from a tile's first, each from -8 to 15 (z 0 in two dimensions):
 * its index, or SIZE_MAX where there is no tile. */
static inline size_t grid_cell_near(const grid_tiles *t, uint32_t tile, int x, int y, int z)
{
    const uint32_t at = t->near[tile][grid_near_index(x >> 3, y >> 3, t->layers == 1 ? 0 : z >> 3)];
    if (at == GRID_NONE) return SIZE_MAX;
    return (size_t)at * (size_t)t->cells + (size_t)(((z & (t->layers - 1)) * 8 + (y & 7)) * 8 + (x & 7));
}

/* Side of a block with a halo, and its cells. */
static inline int grid_block_side(int halo)
{
    return GRID_SIDE + 2 * halo;
}
static inline int grid_block_size(const grid_tiles *t, int halo)
{
    const int n = grid_block_side(halo);
    return t->layers == 1 ? n * n : n * n * n;
}
/* Where the tile's own cell (0, 0, 0) lies in its block. */
static inline int grid_block_first(const grid_tiles *t, int halo)
{
    const int n = grid_block_side(halo);
    return t->layers == 1 ? halo * n + halo : (halo * n + halo) * n + halo;
}

/* Copies a tile and `halo` cells (0 to 8) around it, x fastest; `absent` where there is no
 * tile. out has grid_block_size elements. */
void grid_block_load(const grid_tiles *t, uint32_t tile, const float *field, int halo, float absent,
                     float *out);
/* Of tiles that end: what lies beyond the last cells (of a field at faces of an axis, else -1: the last
 * faces) becomes what is nearest to it within. */
void grid_block_extend(const grid_tiles *t, uint32_t tile, int axis, int halo, float *block);
void grid_block_load_u8(const grid_tiles *t, uint32_t tile, const uint8_t *field, int halo, uint8_t absent,
                        uint8_t *out);
