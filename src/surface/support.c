#include "surface/support.h"

#include "base/parallel.h"

static const float beside = 1.3f; /* times how far particles support: samples nearer to a solid are asked */

typedef struct {
    const support *def;
    float *end;
    float least; /* of the samples that are liquid */
    sampler_near near[PARALLEL_MAX_THREADS];
} supporting;

/* Whether a real particle is near the sample at `at`, in cells from the block's corner, and seen from it. */
static bool supported(const supporting *a, const sampler_near *near, const float at[3], rill_vec3 x,
                      uint32_t solid)
{
    const support *d = a->def;
    for (size_t i = 0; i < near->count; i++) {
        const uint32_t p = d->s->particle[near->place[i]];
        if (p >= d->count) continue;
        const float dx = near->x[i] - at[0], dy = near->y[i] - at[1],
                    dz = d->s->layers == 1 ? 0 : near->z[i] - at[2], r = d->reach * near->reach[i];
        if (dx * dx + dy * dy + dz * dz > r * r) continue;
        if (!solids_between(d->ends->walls, solid, d->s->from->position[p], x, d->ends->time, 0)) return true;
    }
    return false;
}

static void ask_block(supporting *a, size_t b, sampler_near *near)
{
    const support *d = a->def;
    const level_grid *g = d->grid;
    const size_t samples = LEVEL_AREA * (size_t)g->layers, first = g->slot[b] * samples;
    const int32_t *block = g->map.block[b];
    const rill_vec3 corner = v3_madd(g->origin, LEVEL_BLOCK * g->cell, v3(block[0], block[1], block[2]));
    const float close = beside * d->reach * d->s->radius;
    bool gathered = false;
    for (size_t i = 0; i < samples; i++) {
        float *end = &a->end[first + i];
        if (!(*end > 0 && *end < close && d->value[first + i] >= a->least)) continue;
        const float at[3] = {(float)(i & 7), (float)(i >> 3 & 7), (float)(i >> 6)};
        const rill_vec3 x = v3_madd(corner, g->cell, v3(at[0], at[1], at[2]));
        solid_contact c;
        solids_distance(d->ends->walls, x, d->ends->time, &c);
        if (c.solid >= SOLID_DOMAIN) continue; /* there is nothing behind it */
        if (!gathered) sampler_gather(d->s, block, near);
        gathered = true;
        if (!supported(a, near, at, x, c.solid)) *end = -*end;
    }
}

static void ask_blocks(void *arg, size_t begin, size_t end, int worker)
{
    supporting *a = arg;
    for (size_t b = begin; b < end; b++)
        if (a->def->grid->slot[b] < LEVEL_INSIDE) ask_block(a, b, &a->near[worker]);
}

rill_status support_samples(rill_ctx *ctx, const support *def, float *end)
{
    if (!def->ends->walls || def->ends->walls->count == 0) return RILL_OK;
    supporting a = {.def = def, .end = end, .least = 0.8f * def->grid->level};
    rill_status st = RILL_OK;
    if (def->grid->level <= 0) a.least = def->grid->level - 1; /* a distance, in cells */
    for (int w = 0; w < parallel_workers(ctx) && !st; w++) st = sampler_near_init(ctx, def->s, &a.near[w]);
    if (!st) parallel_for(ctx, def->grid->map.count, 4, ask_blocks, &a);
    for (int w = 0; w < parallel_workers(ctx); w++) sampler_near_clear(ctx, &a.near[w]);
    return st;
}
