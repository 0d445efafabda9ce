/* The sparse level set: ownership, and the signs that meshers read. */
#include "geom/iso/level_grid.h"

#include "base/parallel.h"

#include <string.h>

void level_grid_clear(rill_ctx *ctx, level_grid *grid)
{
    block_map_clear(ctx, &grid->map);
    mem_free(ctx, grid->slot);
    mem_free(ctx, grid->value);
    *grid = (level_grid){0};
}

void level_signs_clear(rill_ctx *ctx, level_signs *s)
{
    block_map_clear(ctx, &s->map);
    mem_free(ctx, s->sign);
    *s = (level_signs){0};
}

typedef struct {
    const level_grid *grid;
    level_signs *signs;
} sign_arg;

static uint64_t layer_signs(const float *value, float level)
{
    uint64_t bits = 0;
    for (int i = 0; i < LEVEL_AREA; i++) bits |= (uint64_t)(value[i] >= level) << i;
    return bits;
}

static void read_signs(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sign_arg *a = arg;
    const level_grid *g = a->grid;
    for (size_t i = begin; i < end; i++) {
        uint64_t *sign = a->signs->sign[i];
        const uint32_t slot = g->slot[i];
        memset(sign, slot == LEVEL_INSIDE ? 0xff : 0, sizeof a->signs->sign[i]);
        if (slot == LEVEL_OUTSIDE || slot == LEVEL_INSIDE) continue;
        const float *value = g->value + (size_t)slot * LEVEL_AREA * (size_t)g->layers;
        for (int k = 0; k < g->layers; k++) sign[k] = layer_signs(value + LEVEL_AREA * k, g->level);
    }
}

/* The blocks missing below block id, when it has anything inside. */
static rill_status add_lower(rill_ctx *ctx, const level_grid *g, size_t id, level_signs *s)
{
    uint64_t any = 0;
    for (int k = 0; k < g->layers; k++) any |= s->sign[id][k];
    if (!any) return RILL_OK;
    const int32_t *b = g->map.block[id];
    const int deep = g->layers > 1 ? 8 : 4;
    for (int d = 1; d < deep; d++)
        TRY(block_map_add(ctx, &s->map, b[0] - (d & 1), b[1] - (d >> 1 & 1), b[2] - (d >> 2)));
    return RILL_OK;
}

rill_status level_signs_build(rill_ctx *ctx, const level_grid *grid, level_signs *out)
{
    level_signs s = {0};
    const size_t count = grid->map.count;
    size_t capacity = count;
    rill_status st = block_map_reserve(ctx, &s.map, count);
    if (!st) st = MEM_NEW(ctx, s.sign, count);
    for (size_t i = 0; i < count && !st; i++)
        st = block_map_add(ctx, &s.map, grid->map.block[i][0], grid->map.block[i][1], grid->map.block[i][2]);
    if (!st) {
        sign_arg a = {grid, &s};
        parallel_for(ctx, count, 64, read_signs, &a);
    }
    for (size_t i = 0; i < count && !st; i++) st = add_lower(ctx, grid, i, &s);
    if (!st && s.map.count > count) {
        st = mem_grow(ctx, &s.sign, sizeof *s.sign, &capacity, s.map.count);
        if (!st) memset(s.sign[count], 0, (s.map.count - count) * sizeof *s.sign);
    }
    if (!st)
        *out = s;
    else
        level_signs_clear(ctx, &s);
    return st;
}

void level_near(const level_signs *s, uint32_t id, int layers, uint32_t near[8])
{
    const int32_t *b = s->map.block[id];
    for (int d = 0; d < 8; d++)
        near[d] = d == 0 ? id
                  : d >= 4 && layers == 1
                      ? BLOCK_NONE
                      : block_map_find(&s->map, b[0] + (d & 1), b[1] + (d >> 1 & 1), b[2] + (d >> 2));
}
