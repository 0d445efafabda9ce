/* Walls kept from step to step; see wall_cache.h. */
#include "grid/wall_cache.h"

#include <string.h>

#define NO_RECORD UINT32_MAX

void wall_cache_clear(rill_ctx *ctx, wall_cache *c)
{
    block_map_clear(ctx, &c->seen);
    mem_free(ctx, c->record);
    mem_free(ctx, c->data);
    *c = (wall_cache){0};
}

/* Bytes of a record: open parts of faces, room, buried, parted, and whether solids cut the tile. */
static size_t record_size(const grid *s)
{
    return (size_t)s->tiles.cells * ((size_t)(s->tiles.dimensions + 1) * sizeof(float) + 2) + 16;
}

static uint8_t *record_at(const grid *s, uint32_t tile)
{
    return s->walls.cache.data + (size_t)s->walls.cache.record[s->walls.cache.of[tile]] * record_size(s);
}

/* Whether solids may be near the tile at all. */
static bool near_solids(const grid *s, const solids *within, double t, uint32_t tile)
{
    const bool flat = s->tiles.layers == 1;
    const double half = 0.5 * GRID_SIDE * s->h;
    const rill_vec3 middle = v3_add(grid_tile_corner(&s->tiles, tile), v3(half, half, flat ? 0 : half));
    return solids_distance(within, middle, t, NULL) <= half * (flat ? 1.5 : 1.8);
}

static rill_status add_tile(grid *s, const solids *within, double t, uint32_t tile)
{
    rill_ctx *ctx = s->sim.ctx;
    wall_cache *c = &s->walls.cache;
    const int32_t *b = s->tiles.map.block[tile];
    const bool near = near_solids(s, within, t, tile);
    TRY(mem_grow(ctx, &c->record, sizeof *c->record, &c->record_capacity, c->seen.count + 1));
    if (near) TRY(mem_grow(ctx, &c->data, record_size(s), &c->data_capacity, c->count + 1));
    TRY(block_map_add(ctx, &c->seen, b[0], b[1], b[2]));
    c->record[c->seen.count - 1] = near ? (uint32_t)c->count++ : NO_RECORD;
    c->of[tile] = (uint32_t)(c->seen.count - 1);
    c->fresh[tile] = near;
    return RILL_OK;
}

rill_status wall_cache_prepare(grid *s, const solids *within, double t)
{
    wall_cache *c = &s->walls.cache;
    enum { FEW = 4096 };
    if (!c->lent && c->seen.count > 4 * (size_t)s->tiles.count + FEW) wall_cache_clear(s->sim.ctx, c);
    c->of = NULL;
    if (s->sim.solids.moving) return RILL_OK;
    uint8_t *fresh;
    uint32_t *of;
    TRY(ARENA_NEW(&s->scratch, of, s->tiles.count));
    TRY(ARENA_NEW(&s->scratch, fresh, s->tiles.count));
    c->of = of;
    c->fresh = fresh;
    for (uint32_t k = 0; k < s->tiles.count; k++) {
        const int32_t *b = s->tiles.map.block[k];
        of[k] = block_map_find(&c->seen, b[0], b[1], b[2]);
        fresh[k] = false;
        if (of[k] != BLOCK_NONE || c->lent) continue;
        const rill_status st = add_tile(s, within, t, k);
        if (st) { /* what was added has no data */
            wall_cache_clear(s->sim.ctx, c);
            return st;
        }
    }
    return RILL_OK;
}

wall_record wall_cache_state(const grid *s, uint32_t tile)
{
    const wall_cache *c = &s->walls.cache;
    if (!c->of || c->of[tile] == BLOCK_NONE) return WALLS_LOOSE;
    if (c->record[c->of[tile]] == NO_RECORD) return WALLS_FAR;
    return c->fresh[tile] ? WALLS_FRESH : WALLS_KEPT;
}

/* Copies between the step's fields and a record. */
static void move(grid *s, uint32_t tile, bool put)
{
    const size_t cells = (size_t)s->tiles.cells, base = (size_t)tile * cells;
    uint8_t *at = record_at(s, tile);
    void *field[6] = {0};
    size_t size[6];
    int n = 0;
    for (int a = 0; a < s->tiles.dimensions; a++)
        field[n] = s->field.open[a] + base, size[n++] = sizeof(float);
    field[n] = s->field.room + base, size[n++] = sizeof(float);
    field[n] = s->field.buried + base, size[n++] = 1;
    if (s->field.parted) field[n] = s->field.parted + base, size[n++] = 1;
    for (int k = 0; k < n; at += cells * size[k++])
        memcpy(put ? at : field[k], put ? field[k] : at, cells * size[k]);
    uint8_t *walled = record_at(s, tile) + record_size(s) - 1;
    if (put)
        *walled = s->field.walled[tile];
    else
        s->field.walled[tile] = *walled;
}

void wall_cache_take(grid *s, uint32_t tile)
{
    move(s, tile, false);
}

void wall_cache_put(grid *s, uint32_t tile)
{
    move(s, tile, true);
}
