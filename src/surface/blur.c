#include "surface/blur.h"

#include "base/parallel.h"
#include "surface/field.h"

#include <string.h>

typedef struct {
    const blur *b;
    int axis, taps;
    float weight[LEVEL_BLOCK + 1];
    const float *from;
    float *to;
} blurring;

size_t level_kept(const level_grid *grid)
{
    size_t kept = 0;
    for (size_t b = 0; b < grid->map.count; b++) kept += grid->slot[b] < LEVEL_INSIDE;
    return kept * LEVEL_AREA * (size_t)grid->layers;
}

/* The rows of a block and of the two beside it along an axis, each LEVEL_BLOCK times `step` rows apart; NULL
 * where one value stands for all of them. */
static void find_beside(const blurring *a, size_t id, const float *side[3], float all[3])
{
    const level_grid *g = a->b->grid;
    const size_t samples = LEVEL_AREA * (size_t)g->layers;
    for (int k = 0; k < 3; k++) {
        int32_t at[3];
        memcpy(at, g->map.block[id], sizeof at);
        at[a->axis] += k - 1;
        const uint32_t near = k == 1 ? (uint32_t)id : block_map_find(&g->map, at[0], at[1], at[2]);
        const uint32_t slot = near == BLOCK_NONE ? LEVEL_OUTSIDE : g->slot[near];
        side[k] = slot < LEVEL_INSIDE ? a->from + slot * samples : NULL;
        all[k] = slot == LEVEL_INSIDE ? g->inside : g->outside;
    }
}

static void blur_along_x(const blurring *a, const float *const side[3], const float all[3], int rows,
                         float *to)
{
    for (int r = 0; r < rows; r++) {
        float line[3 * LEVEL_BLOCK];
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < LEVEL_BLOCK; i++)
                line[LEVEL_BLOCK * k + i] = side[k] ? side[k][LEVEL_BLOCK * r + i] : all[k];
        for (int i = 0; i < LEVEL_BLOCK; i++) {
            const float *at = line + LEVEL_BLOCK + i;
            float sum = a->weight[0] * at[0];
            for (int t = 1; t <= a->taps; t++) sum += a->weight[t] * (at[-t] + at[t]);
            to[LEVEL_BLOCK * r + i] = sum;
        }
    }
}

/* Along y or z, whole rows at a time: row `first` and the seven that are `step` rows apart. */
static void blur_line(const blurring *a, const float *const side[3], const float all[3], int first, int step,
                      f8 *to)
{
    f8 line[3 * LEVEL_BLOCK];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < LEVEL_BLOCK; i++) {
            const f8 flat = (f8){0} + all[k];
            line[LEVEL_BLOCK * k + i] = side[k] ? ((const f8 *)side[k])[first + step * i] : flat;
        }
    for (int i = 0; i < LEVEL_BLOCK; i++) {
        const f8 *at = line + LEVEL_BLOCK + i;
        f8 sum = a->weight[0] * at[0];
        for (int t = 1; t <= a->taps; t++) sum += a->weight[t] * (at[-t] + at[t]);
        to[first + step * i] = sum;
    }
}

static void blur_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const blurring *a = arg;
    const level_grid *g = a->b->grid;
    const size_t samples = LEVEL_AREA * (size_t)g->layers;
    for (size_t id = begin; id < end; id++) {
        if (g->slot[id] >= LEVEL_INSIDE) continue;
        const float *side[3];
        float all[3];
        f8 row[LEVEL_AREA];
        find_beside(a, id, side, all);
        if (a->axis == 0) blur_along_x(a, side, all, LEVEL_BLOCK * g->layers, (float *)row);
        for (int k = 0; k < g->layers && a->axis == 1; k++) blur_line(a, side, all, LEVEL_BLOCK * k, 1, row);
        for (int j = 0; j < LEVEL_BLOCK && a->axis == 2; j++) blur_line(a, side, all, j, LEVEL_BLOCK, row);
        const size_t at = g->slot[id] * samples;
        const float *fresh = (const float *)row;
        const float *share = a->b->share ? a->b->share + at : NULL;
        for (size_t i = 0; i < samples; i++)
            a->to[at + i] = share ? side[1][i] + share[i] * (fresh[i] - side[1][i]) : fresh[i];
    }
}

void blur_samples(rill_ctx *ctx, const blur *b, const float *from, float *to, float *scratch)
{
    const int axes = b->grid->layers == 1 ? 2 : 3;
    blurring a = {.b = b, .taps = (int)ceil(2.8 * b->width)};
    if (a.taps > LEVEL_BLOCK) a.taps = LEVEL_BLOCK;
    double all = 0;
    for (int t = 0; t <= a.taps; t++) all += (t ? 2 : 1) * exp(-0.5 * t * t / (b->width * b->width));
    for (int t = 0; t <= a.taps; t++) a.weight[t] = (float)(exp(-0.5 * t * t / (b->width * b->width)) / all);
    float *const out[2] = {from == to ? scratch : to, from == to ? to : scratch};
    for (a.axis = 0; a.axis < axes; a.axis++) {
        a.from = a.axis == 0 ? from : out[(a.axis + 1) % 2];
        a.to = out[a.axis % 2];
        parallel_for(ctx, b->grid->map.count, 8, blur_blocks, &a);
    }
    if (a.to != to) memcpy(to, a.to, level_kept(b->grid) * sizeof *to);
}
