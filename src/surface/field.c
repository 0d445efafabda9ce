/* Sampling a field; see field.h.
 *
 * A block's row of eight samples is one vector, and every particle near the block adds
 * to the rows it reaches, in the order of the gather: sums do not depend on
 * threads. Blocks are gone through once to learn on which side of the level they are; samples made on the way
 * are kept, as far as there is room, and thrown away where the surface turns out not to be near. Blocks deep
 * inside tell so by an eighth of their samples, if the field can do that. */
#include "surface/field.h"

#include "base/parallel.h"

#include <string.h>

enum { ROOM = 1 << 17 }; /* blocks whose samples are kept at once: 256 MB */

typedef struct {
    const field *f;
    block_map touched;
    uint8_t *side; /* per touched block */
    uint8_t *keep; /* per touched block: its samples are wanted */
    float *value;  /* of the first ROOM touched blocks: their samples where made[] says so */
    uint8_t *made; /* per touched block */
    level_grid *grid;
    sampler_near near[PARALLEL_MAX_THREADS];
} sampling;

static border_side side_of_borders(const field *f, const int32_t block[3])
{
    if (!f->ends) return BORDER_INSIDE;
    const double wide = LEVEL_BLOCK * f->s->cell;
    const rill_vec3 corner = v3_madd(f->s->origin, wide, v3(block[0], block[1], block[2]));
    return borders_side(f->ends, corner, f->s->cell, f->s->layers);
}

/* Whether the samples of a block need not be made, for it is deep inside. */
static bool deep_inside(const field *f, const sampler_near *near, f8 *row)
{
    if (!f->some_rows || near->count < f->crowd) return false;
    const int rows = f->some_rows(f, near, row);
    const f8 deep = (f8){0} + f->deep;
    for (int k = 0; k < rows; k++)
        if (f8_mask(row[k] < deep)) return false;
    return true;
}

static field_side side_of_samples(const field *f, const float *value, bool cut)
{
    const int samples = LEVEL_AREA * f->s->layers;
    int inside = 0;
    for (int i = 0; i < samples; i++) inside += value[i] >= f->level;
    return inside == 0 ? SIDE_OUTSIDE : inside == samples && !cut ? SIDE_INSIDE : SIDE_BOTH;
}

static void find_sides(void *arg, size_t begin, size_t end, int worker)
{
    sampling *a = arg;
    const field *f = a->f;
    const size_t samples = LEVEL_AREA * (size_t)f->s->layers;
    f8 row[LEVEL_AREA];
    for (size_t b = begin; b < end; b++) {
        a->made[b] = 0;
        a->side[b] = SIDE_OUTSIDE;
        const border_side border = side_of_borders(f, a->touched.block[b]);
        if (border == BORDER_OUTSIDE) continue;
        sampler_near *near = &a->near[worker];
        sampler_gather(f->s, a->touched.block[b], near);
        field_side known = f->side ? f->side(f, near) : SIDE_BOTH;
        if (known == SIDE_BOTH && deep_inside(f, near, row)) known = SIDE_INSIDE;
        a->side[b] = (uint8_t)(known == SIDE_INSIDE && border == BORDER_BOTH ? SIDE_BOTH : known);
        if (known != SIDE_BOTH) continue;
        f->rows(f, near, row);
        a->side[b] = (uint8_t)side_of_samples(f, (const float *)row, border == BORDER_BOTH);
        if (b >= ROOM) continue;
        memcpy(a->value + b * samples, row, samples * sizeof(float));
        a->made[b] = 1;
    }
}

/* Samples are wanted where the surface passes and in blocks beside one of another side,
 * since a cell reaches into its neighbours. */
static void find_kept(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sampling *a = arg;
    const int deep = a->f->s->layers > 1 ? 1 : 0;
    for (size_t b = begin; b < end; b++) {
        const int32_t *at = a->touched.block[b];
        bool keep = a->side[b] == SIDE_BOTH;
        for (int z = -deep; z <= deep && !keep; z++)
            for (int y = -1; y <= 1 && !keep; y++)
                for (int x = -1; x <= 1 && !keep; x++) {
                    const uint32_t n = block_map_find(&a->touched, at[0] + x, at[1] + y, at[2] + z);
                    keep = (n == BLOCK_NONE ? SIDE_OUTSIDE : a->side[n]) != a->side[b];
                }
        a->keep[b] = keep;
    }
}

/* Samples of the blocks that have none yet. */
static void make_samples(void *arg, size_t begin, size_t end, int worker)
{
    sampling *a = arg;
    f8 row[LEVEL_AREA];
    const level_grid *g = a->grid;
    const size_t samples = (size_t)a->f->s->layers * LEVEL_AREA;
    for (size_t b = begin; b < end; b++) {
        if (g->slot[b] == LEVEL_INSIDE || a->made[b]) continue;
        sampler_gather(a->f->s, g->map.block[b], &a->near[worker]);
        a->f->rows(a->f, &a->near[worker], row);
        memcpy(g->value + g->slot[b] * samples, row, samples * sizeof(float));
    }
}

/* The grid's blocks: those with samples and those inside; what is outside goes unsaid. `made` is then per
 * block of the grid. */
static rill_status choose_blocks(rill_ctx *ctx, sampling *a, level_grid *grid)
{
    size_t count = 0, kept = 0;
    for (size_t b = 0; b < a->touched.count; b++) {
        count += a->keep[b] || a->side[b] == SIDE_INSIDE;
        kept += a->keep[b];
    }
    const size_t samples = LEVEL_AREA * (size_t)grid->layers;
    TRY(block_map_reserve(ctx, &grid->map, count));
    TRY(MEM_NEW(ctx, grid->slot, count));
    TRY(MEM_NEW(ctx, grid->value, kept * samples));
    uint32_t slot = 0;
    for (size_t b = 0; b < a->touched.count; b++) {
        if (!a->keep[b] && a->side[b] != SIDE_INSIDE) continue;
        const int32_t *at = a->touched.block[b];
        const bool made = a->keep[b] && a->made[b];
        if (made) memcpy(grid->value + slot * samples, a->value + b * samples, samples * sizeof(float));
        a->made[grid->map.count] = made;
        grid->slot[grid->map.count] = a->keep[b] ? slot++ : LEVEL_INSIDE;
        TRY(block_map_add(ctx, &grid->map, at[0], at[1], at[2]));
    }
    mem_free(ctx, a->value);
    a->value = NULL;
    return RILL_OK;
}

rill_status field_sample(rill_ctx *ctx, const field *f, level_grid *out)
{
    const sampler *s = f->s;
    level_grid grid = {.origin = s->origin, .cell = s->cell, .layers = s->layers, .level = f->level};
    grid.outside = f->outside;
    grid.inside = f->inside;
    sampling a = {.f = f, .grid = &grid};
    rill_status st = RILL_OK;
    for (int w = 0; w < parallel_workers(ctx) && !st; w++) st = sampler_near_init(ctx, s, &a.near[w]);
    if (!st) st = sampler_touched(ctx, s, &a.touched);
    if (!st) st = MEM_NEW(ctx, a.side, a.touched.count);
    if (!st) st = MEM_NEW(ctx, a.keep, a.touched.count);
    if (!st) st = MEM_NEW(ctx, a.made, a.touched.count);
    const size_t room = a.touched.count < ROOM ? a.touched.count : ROOM;
    if (!st) st = MEM_NEW(ctx, a.value, room * LEVEL_AREA * (size_t)s->layers);
    if (!st) parallel_for(ctx, a.touched.count, 8, find_sides, &a);
    if (!st) parallel_for(ctx, a.touched.count, 64, find_kept, &a);
    if (!st) st = choose_blocks(ctx, &a, &grid);
    if (!st) parallel_for(ctx, grid.map.count, 8, make_samples, &a);
    if (!st)
        *out = grid;
    else
        level_grid_clear(ctx, &grid);
    mem_free(ctx, a.side);
    mem_free(ctx, a.keep);
    mem_free(ctx, a.made);
    mem_free(ctx, a.value);
    block_map_clear(ctx, &a.touched);
    for (int w = 0; w < parallel_workers(ctx); w++) sampler_near_clear(ctx, &a.near[w]);
    return st;
}
