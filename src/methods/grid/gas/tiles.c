/* The tiles of the domain and the fields of the gas on them. */
#include "grid/gas/state.h"

#include <string.h>

bool gas_tile_inside(const grid_tiles *t, uint32_t tile)
{
    for (int a = 0; a < t->dimensions; a++) {
        const int32_t from = t->map.block[tile][a] * GRID_SIDE;
        if (from < t->first[a] || from + GRID_SIDE - 1 > t->last[a]) return false;
    }
    return true;
}

void gas_fields_clear(gas *s)
{
    rill_ctx *ctx = s->grid.sim.ctx;
    for (int a = 0; a < 3; a++) mem_free(ctx, s->u[a]);
    mem_free(ctx, s->soot);
    mem_free(ctx, s->heat);
    mem_free(ctx, s->hold);
    mem_free(ctx, s->q);
    for (int a = 0; a < 3; a++) s->u[a] = s->grid.field.u[a] = NULL;
    s->soot = s->heat = s->hold = s->q = s->grid.field.q = NULL;
    s->capacity = 0;
}

rill_status gas_fields_reserve(gas *s)
{
    rill_ctx *ctx = s->grid.sim.ctx;
    const size_t n = grid_cell_count(&s->grid.tiles);
    if (n > s->capacity) {
        gas_fields_clear(s);
        for (int a = 0; a < s->grid.tiles.dimensions; a++) TRY(MEM_NEW(ctx, s->u[a], n));
        TRY(MEM_NEW(ctx, s->soot, n));
        TRY(MEM_NEW(ctx, s->heat, n));
        TRY(MEM_NEW(ctx, s->hold, n));
        TRY(MEM_NEW(ctx, s->q, n));
        s->capacity = n;
    }
    for (int a = 0; a < 3; a++) s->grid.field.u[a] = s->u[a];
    s->grid.field.q = s->q;
    return RILL_OK;
}

/* Whether gas comes in or goes out at the last face of an axis, so that it needs a place. */
static bool upper_side_used(const rill_scene *scene, int axis)
{
    if (scene->domain.open & 2u << (2 * axis)) return true;
    for (uint32_t k = 0; k < scene->smoke_count; k++)
        if (smoke_blows(&scene->smoke[k]) &&
            v3_axis(shape_bounds(&scene->smoke[k].shape).max, axis) >= v3_axis(scene->domain.max, axis))
            return true;
    return false;
}

void gas_find_range(gas *s)
{
    const rill_scene *scene = s->grid.sim.scene;
    grid_tiles *t = &s->grid.tiles;
    for (int a = 0; a < t->dimensions; a++) {
        const double side = (v3_axis(scene->domain.max, a) - v3_axis(scene->domain.min, a)) / t->h;
        t->first[a] = t->low[a] = 0;
        t->last[a] = (int32_t)fmin(fmax(ceil(side - 1e-6), 1), 0x1p20) - 1;
        t->high[a] = t->last[a] + upper_side_used(scene, a);
    }
    if (t->dimensions == 2) t->low[2] = t->high[2] = 0;
    t->ends = true;
}

static rill_status list_tiles(gas *s, grid_core **out, size_t *count)
{
    grid_tiles *t = &s->grid.tiles;
    size_t n = 1, x, y;
    gas_find_range(s);
    for (int a = 0; a < t->dimensions; a++) n *= (size_t)(t->high[a] >> 3) + 1;
    if (n > UINT32_MAX / 2 / GRID_CELLS)
        return rill_fail(s->grid.sim.ctx, RILL_BAD_SCENE, "%.3g cells are too many; make \"spacing\" larger",
                         (double)n * t->cells);
    grid_core *core;
    TRY(ARENA_NEW(&s->grid.scratch, core, n));
    x = (size_t)(t->high[0] >> 3) + 1, y = (size_t)(t->high[1] >> 3) + 1;
    for (size_t k = 0; k < n; k++)
        core[k] = (grid_core){.tile = {(int32_t)(k % x), (int32_t)(k / x % y), (int32_t)(k / x / y)},
                              .hi = {7, 7, 7}};
    *out = core;
    *count = n;
    return RILL_OK;
}

rill_status gas_tiles_make(gas *s)
{
    grid_tiles *t = &s->grid.tiles;
    grid_core *core = NULL;
    size_t count = 0;
    arena_reset(&s->grid.scratch);
    TRY(list_tiles(s, &core, &count));
    TRY(grid_tiles_build(s->grid.sim.ctx, t, core, count, 0));
    TRY(gas_fields_reserve(s));
    const size_t n = grid_cell_count(t);
    for (int a = 0; a < t->dimensions; a++) memset(s->u[a], 0, n * sizeof *s->u[a]);
    memset(s->soot, 0, n * sizeof *s->soot);
    memset(s->heat, 0, n * sizeof *s->heat);
    memset(s->q, 0, n * sizeof *s->q);
    for (size_t i = 0; i < n; i++) s->hold[i] = 1;
    return RILL_OK;
}
