/* Tiles: which exist, their neighbours, and copies with a halo. */
#include "grid/tiles.h"

#include "base/parallel.h"

#include <string.h>

void grid_tiles_init(grid_tiles *t, int dimensions, double h, rill_vec3 origin)
{
    *t = (grid_tiles){.dimensions = dimensions, .h = h, .origin = origin};
    t->layers = dimensions == 2 ? 1 : GRID_SIDE;
    t->cells = GRID_AREA * t->layers;
    if (dimensions == 2) t->origin.z = 0;
    for (int a = 0; a < 3; a++) t->low[a] = INT32_MIN, t->high[a] = INT32_MAX;
}

void grid_tiles_clear(rill_ctx *ctx, grid_tiles *t)
{
    block_map_clear(ctx, &t->map);
    mem_free(ctx, t->near);
    t->near = NULL;
    t->near_capacity = 0;
    t->count = 0;
}

/* Steps to neighbours the band of a core reaches along one axis. */
static void reach(const grid_tiles *t, const grid_core *c, int a, int band, int *from, int *to)
{
    *from = c->lo[a] - band < 0 && c->tile[a] > t->low[a] >> 3 ? -1 : 0;
    *to = c->hi[a] + band >= GRID_SIDE && c->tile[a] < t->high[a] >> 3 ? 1 : 0;
}

static rill_status add_core(rill_ctx *ctx, grid_tiles *t, const grid_core *c, int band)
{
    int from[3] = {0}, to[3] = {0};
    for (int a = 0; a < t->dimensions; a++) reach(t, c, a, band, &from[a], &to[a]);
    for (int z = from[2]; z <= to[2]; z++)
        for (int y = from[1]; y <= to[1]; y++)
            for (int x = from[0]; x <= to[0]; x++)
                TRY(block_map_add(ctx, &t->map, c->tile[0] + x, c->tile[1] + y, c->tile[2] + z));
    return RILL_OK;
}

static void link_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    grid_tiles *t = arg;
    for (size_t i = begin; i < end; i++) {
        const int32_t *b = t->map.block[i];
        for (int d = 0; d < GRID_NEAR; d++) {
            const int x = d % 3 - 1, y = d / 3 % 3 - 1, z = d / 9 - 1;
            t->near[i][d] = d == GRID_SELF ? (uint32_t)i
                            : t->dimensions == 2 && z != 0
                                ? GRID_NONE
                                : block_map_find(&t->map, b[0] + x, b[1] + y, b[2] + z);
        }
    }
}

/* Forgets the blocks, keeps the memory. */
static void empty(grid_tiles *t)
{
    t->count = 0;
    t->map.count = 0;
    if (t->map.table) memset(t->map.table, 0xff, t->map.table_size * sizeof *t->map.table);
}

rill_status grid_tiles_build(rill_ctx *ctx, grid_tiles *t, const grid_core *core, size_t count, int band)
{
    empty(t);
    rill_status st = RILL_OK;
    for (size_t i = 0; i < count && !st; i++) st = add_core(ctx, t, &core[i], band);
    if (!st) st = block_map_sort(ctx, &t->map);
    if (!st) st = mem_grow(ctx, &t->near, sizeof *t->near, &t->near_capacity, t->map.count);
    if (st) {
        empty(t);
        return st;
    }
    t->count = (uint32_t)t->map.count;
    parallel_for(ctx, t->count, 64, link_tiles, t);
    return RILL_OK;
}

/* A row of the block: three pieces from the tiles before, at and after. */
#define LOAD_BLOCK(type)                                                                            \
    const int n = grid_block_side(halo), deep = t->layers == 1 ? 0 : halo;                          \
    const size_t cells = (size_t)t->cells;                                                          \
    for (int z = -deep; z < t->layers + deep; z++)                                                  \
        for (int y = -halo; y < GRID_SIDE + halo; y++, out += n) {                                  \
            const int dz = t->layers == 1 ? 0 : z >> 3;                                             \
            const uint32_t *near = &t->near[tile][grid_near_index(-1, y >> 3, dz)];                 \
            const type *row = field + (((z & (t->layers - 1)) * 8 + (y & 7)) * 8);                  \
            if (near[0] != GRID_NONE)                                                               \
                memcpy(out, row + near[0] * cells + GRID_SIDE - halo, (size_t)halo * sizeof(type)); \
            else                                                                                    \
                for (int x = 0; x < halo; x++) out[x] = absent;                                     \
            if (near[1] != GRID_NONE)                                                               \
                memcpy(out + halo, row + near[1] * cells, GRID_SIDE * sizeof(type));                \
            else                                                                                    \
                for (int x = 0; x < GRID_SIDE; x++) out[halo + x] = absent;                         \
            if (near[2] != GRID_NONE)                                                               \
                memcpy(out + halo + GRID_SIDE, row + near[2] * cells, (size_t)halo * sizeof(type)); \
            else                                                                                    \
                for (int x = 0; x < halo; x++) out[halo + GRID_SIDE + x] = absent;                  \
        }

static inline __attribute__((always_inline)) void
load_floats(const grid_tiles *t, uint32_t tile, const float *field, int halo, float absent, float *out)
{
    LOAD_BLOCK(float)
}

static inline __attribute__((always_inline)) void
load_bytes(const grid_tiles *t, uint32_t tile, const uint8_t *field, int halo, uint8_t absent, uint8_t *out)
{
    LOAD_BLOCK(uint8_t)
}

/* Sizes the compiler knows become plain moves. */
void grid_block_load(const grid_tiles *t, uint32_t tile, const float *field, int halo, float absent,
                     float *out)
{
    switch (halo) {
    case 1: load_floats(t, tile, field, 1, absent, out); return;
    case 2: load_floats(t, tile, field, 2, absent, out); return;
    case 3: load_floats(t, tile, field, 3, absent, out); return;
    case 4: load_floats(t, tile, field, 4, absent, out); return;
    case 5: load_floats(t, tile, field, 5, absent, out); return;
    case 6: load_floats(t, tile, field, 6, absent, out); return;
    case 7: load_floats(t, tile, field, 7, absent, out); return;
    default: load_floats(t, tile, field, halo, absent, out); return;
    }
}

void grid_block_load_u8(const grid_tiles *t, uint32_t tile, const uint8_t *field, int halo, uint8_t absent,
                        uint8_t *out)
{
    if (halo == 1)
        load_bytes(t, tile, field, 1, absent, out);
    else
        load_bytes(t, tile, field, halo, absent, out);
}

/* The range of a block's cells along an axis that lie in the domain. */
static bool within_ends(const grid_tiles *t, uint32_t tile, int axis, int along, int halo, int *from, int *to)
{
    const int32_t corner = t->map.block[tile][along] * GRID_SIDE - halo;
    const int side = grid_block_side(halo);
    const int32_t lo = t->first[along] - corner, hi = t->last[along] + (axis == along) - corner;
    *from = lo < 0 ? 0 : lo < side ? (int)lo : side - 1;
    *to = hi >= side ? side - 1 : hi > 0 ? (int)hi : 0;
    return *from > 0 || *to < side - 1;
}

void grid_block_extend(const grid_tiles *t, uint32_t tile, int axis, int halo, float *block)
{
    const int n = grid_block_side(halo), deep = t->layers == 1 ? 1 : n;
    int from, to;
    if (within_ends(t, tile, axis, 0, halo, &from, &to))
        for (float *row = block; row < block + deep * n * n; row += n) {
            for (int x = 0; x < from; x++) row[x] = row[from];
            for (int x = to + 1; x < n; x++) row[x] = row[to];
        }
    if (within_ends(t, tile, axis, 1, halo, &from, &to))
        for (float *layer = block; layer < block + deep * n * n; layer += n * n) {
            for (int y = 0; y < from; y++) memcpy(layer + y * n, layer + from * n, (size_t)n * sizeof *layer);
            for (int y = to + 1; y < n; y++) memcpy(layer + y * n, layer + to * n, (size_t)n * sizeof *layer);
        }
    const size_t area = (size_t)n * (size_t)n;
    if (deep > 1 && within_ends(t, tile, axis, 2, halo, &from, &to)) {
        for (int z = 0; z < from; z++)
            memcpy(block + (size_t)z * area, block + (size_t)from * area, area * sizeof *block);
        for (int z = to + 1; z < n; z++)
            memcpy(block + (size_t)z * area, block + (size_t)to * area, area * sizeof *block);
    }
}
