/* Sampling a field; see field.h.
 *
 * A block's row of eight samples is one vector, and every particle near the block adds
 * to the rows it reaches, in the order of the gather: sums do not depend on
 * threads. Blocks are gone through twice: once to learn on which side of the level they
 * are, and again, for those at the surface, to keep the samples. Sampling is cheap, and
 * memory then follows the surface instead of the volume. */
#include "surface/field.h"

#include "base/parallel.h"

#include <string.h>

typedef struct {
    const field *f;
    block_map touched;
    uint8_t *side; /* per touched block */
    uint8_t *keep; /* per touched block: its samples are wanted */
    level_grid *grid;
    sampler_near near[PARALLEL_MAX_THREADS];
} sampling;

/* The box in cells from a block's corner. */
static void box_from(const field *f, const int32_t block[3], float low[3], float high[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double o = v3_axis(f->s->origin, axis) + LEVEL_BLOCK * f->s->cell * block[axis];
        low[axis] = (float)((v3_axis(f->clip->min, axis) - o) / f->s->cell);
        high[axis] = (float)((v3_axis(f->clip->max, axis) - o) / f->s->cell);
    }
}

static field_side side_of_box(const field *f, const int32_t block[3])
{
    if (!f->clip) return SIDE_INSIDE;
    float low[3], high[3];
    bool inside = true;
    box_from(f, block, low, high);
    for (int axis = 0; axis < (f->s->layers > 1 ? 3 : 2); axis++) {
        if (low[axis] > LEVEL_BLOCK - 1 || high[axis] < 0) return SIDE_OUTSIDE;
        inside &= low[axis] <= 0 && high[axis] >= LEVEL_BLOCK - 1;
    }
    return inside ? SIDE_INSIDE : SIDE_BOTH;
}

/* Cuts the samples off at the box: they are no more than its distance, as steep as the field. */
static void clip_rows(const field *f, const int32_t block[3], f8 *row)
{
    const f8 place = {0, 1, 2, 3, 4, 5, 6, 7};
    float low[3], high[3];
    box_from(f, block, low, high);
    for (int k = 0; k < f->s->layers; k++)
        for (int j = 0; j < LEVEL_BLOCK; j++) {
            float rest = fminf((float)j - low[1], high[1] - (float)j);
            if (f->s->layers > 1) rest = fminf(rest, fminf((float)k - low[2], high[2] - (float)k));
            const f8 a = place - low[0], b = high[0] - place, all = place * 0 + rest;
            const f8 x = f8_pick(a < b, a, b), cut = f->level + f->steep * f8_pick(x < all, x, all);
            f8 *at = &row[8 * k + j];
            *at = f8_pick(cut < *at, cut, *at);
        }
}

static void find_sides(void *arg, size_t begin, size_t end, int worker)
{
    sampling *a = arg;
    const field *f = a->f;
    const int samples = LEVEL_AREA * f->s->layers;
    f8 row[LEVEL_AREA];
    for (size_t b = begin; b < end; b++) {
        sampler_near *near = &a->near[worker];
        sampler_gather(f->s, a->touched.block[b], near);
        const field_side box = side_of_box(f, a->touched.block[b]);
        field_side known = f->side ? f->side(f, near) : SIDE_BOTH;
        if (box == SIDE_OUTSIDE || (box == SIDE_BOTH && known == SIDE_INSIDE)) known = box;
        a->side[b] = (uint8_t)known;
        if (known != SIDE_BOTH) continue;
        f->rows(f, near, row);
        if (box == SIDE_BOTH) clip_rows(f, a->touched.block[b], row);
        const float *value = (const float *)row;
        int inside = 0;
        for (int i = 0; i < samples; i++) inside += value[i] >= f->level;
        a->side[b] = inside == 0 ? SIDE_OUTSIDE : inside == samples ? SIDE_INSIDE : SIDE_BOTH;
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

static void keep_samples(void *arg, size_t begin, size_t end, int worker)
{
    sampling *a = arg;
    f8 row[LEVEL_AREA];
    const size_t samples = (size_t)a->f->s->layers * LEVEL_AREA;
    for (size_t b = begin; b < end; b++) {
        if (a->grid->slot[b] == LEVEL_INSIDE) continue;
        sampler_gather(a->f->s, a->grid->map.block[b], &a->near[worker]);
        a->f->rows(a->f, &a->near[worker], row);
        if (side_of_box(a->f, a->grid->map.block[b]) != SIDE_INSIDE)
            clip_rows(a->f, a->grid->map.block[b], row);
        memcpy(a->grid->value + a->grid->slot[b] * samples, row, samples * sizeof(float));
    }
}

/* The grid's blocks: those with samples and those inside; what is outside goes unsaid. */
static rill_status choose_blocks(rill_ctx *ctx, const sampling *a, level_grid *grid)
{
    size_t count = 0;
    for (size_t b = 0; b < a->touched.count; b++) count += a->keep[b] || a->side[b] == SIDE_INSIDE;
    TRY(block_map_reserve(ctx, &grid->map, count));
    TRY(MEM_NEW(ctx, grid->slot, count));
    uint32_t kept = 0;
    for (size_t b = 0; b < a->touched.count; b++) {
        if (!a->keep[b] && a->side[b] != SIDE_INSIDE) continue;
        const int32_t *at = a->touched.block[b];
        grid->slot[grid->map.count] = a->keep[b] ? kept++ : LEVEL_INSIDE;
        TRY(block_map_add(ctx, &grid->map, at[0], at[1], at[2]));
    }
    return MEM_NEW(ctx, grid->value, (size_t)kept * LEVEL_AREA * (size_t)grid->layers);
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
    if (!st) parallel_for(ctx, a.touched.count, 8, find_sides, &a);
    if (!st) parallel_for(ctx, a.touched.count, 64, find_kept, &a);
    if (!st) st = choose_blocks(ctx, &a, &grid);
    if (!st) parallel_for(ctx, grid.map.count, 8, keep_samples, &a);
    if (!st)
        *out = grid;
    else
        level_grid_clear(ctx, &grid);
    mem_free(ctx, a.side);
    mem_free(ctx, a.keep);
    block_map_clear(ctx, &a.touched);
    for (int w = 0; w < parallel_workers(ctx); w++) sampler_near_clear(ctx, &a.near[w]);
    return st;
}
