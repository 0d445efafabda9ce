#include "surface/retreat.h"

#include "base/parallel.h"
#include "surface/blur.h"

#include <math.h>

static const float wet = 0.6f; /* a particle this near to a wall wets it, spacings */

typedef struct {
    const retreat *def;
    const float *share;
    float *out;
    sampler_near near[PARALLEL_MAX_THREADS];
} retreating;

static float smooth_step(float t)
{
    const float u = t > 0 ? t < 1 ? t : 1 : 0;
    return u * u * (3 - 2 * u);
}

/* ---- distance from air ---- */

static void mark_liquid(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const retreating *a = arg;
    const retreat *d = a->def;
    const level_grid *g = d->grid;
    for (size_t i = begin; i < end; i++) {
        const bool behind = d->end && d->end[i] <= 0; /* what is behind a wall is no air */
        a->out[i] = behind || d->value[i] >= g->level ? g->inside : g->outside;
    }
}

/* The share of air around a sample at a flat surface is 0.31 at half a spacing, 0.067 at one and a half. */
static void move_near_air(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const retreating *a = arg;
    const level_grid *g = a->def->grid;
    for (size_t i = begin; i < end; i++) {
        const float air = (g->inside - a->out[i]) / (g->inside - g->outside);
        a->out[i] = a->share[i] * smooth_step((air - 0.067f) / (0.31f - 0.067f));
    }
}

/* ---- wet walls ---- */

/* How much liquid holds the sample `at`, in cells from the block's corner, to a wall `away` cells off. */
static float held(const retreat *d, const sampler_near *near, const float at[3], rill_vec3 normal, float away)
{
    const float n[3] = {(float)normal.x, (float)normal.y, (float)normal.z};
    float most = 0, pull[3] = {0, 0, 0};
    for (size_t i = 0; i < near->count; i++) {
        if (d->s->particle[near->place[i]] >= d->count) continue;
        const float v[3] = {near->x[i] - at[0], near->y[i] - at[1],
                            d->s->layers == 1 ? 0 : near->z[i] - at[2]};
        const float r = near->reach[i], far2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        const float t = 1 - far2 / (r * r), own = r / (float)d->radius;
        if (t <= 0) continue;
        for (int k = 0; k < 3; k++) pull[k] += t * t * v[k] / own;
        const float above = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
        if (above < -0.25f * own || above + away > (wet + 0.05f) * own) continue;
        const float beside = sqrtf(fmaxf(far2 - above * above, 0)) / own;
        most = fmaxf(most, 1 - smooth_step((beside - 0.4f) / 0.25f));
    }
    const float length = sqrtf(pull[0] * pull[0] + pull[1] * pull[1] + pull[2] * pull[2]);
    const float along = pull[0] * n[0] + pull[1] * n[1] + pull[2] * n[2];
    return length > 0 ? most * smooth_step((along / length - 0.72f) / 0.2f) : 0;
}

static void hold_block(retreating *a, size_t b, sampler_near *near)
{
    const retreat *d = a->def;
    const level_grid *g = d->grid;
    const size_t samples = LEVEL_AREA * (size_t)g->layers, first = g->slot[b] * samples;
    const int32_t *block = g->map.block[b];
    const rill_vec3 corner = v3_madd(g->origin, LEVEL_BLOCK * g->cell, v3(block[0], block[1], block[2]));
    const float farthest = wet * d->s->radius / (float)d->radius; /* of the largest particle */
    bool gathered = false;
    for (size_t i = 0; i < samples; i++) {
        const float end = d->end[first + i];
        if (!(end > -1.5f && end < farthest && a->out[first + i] > 0)) continue;
        if (!gathered) sampler_gather(d->s, block, near);
        gathered = true;
        const float at[3] = {(float)(i & 7), (float)(i >> 3 & 7), (float)(i >> 6)};
        const rill_vec3 x = v3_madd(corner, g->cell, v3(at[0], at[1], at[2]));
        solid_contact c;
        const double away = solids_distance(d->ends->walls, x, d->ends->time, &c) / g->cell;
        if (away < (double)farthest) a->out[first + i] *= 1 - held(d, near, at, c.normal, (float)away);
    }
}

static void hold_blocks(void *arg, size_t begin, size_t end, int worker)
{
    retreating *a = arg;
    for (size_t b = begin; b < end; b++)
        if (a->def->grid->slot[b] < LEVEL_INSIDE) hold_block(a, b, &a->near[worker]);
}

static rill_status hold_at_walls(rill_ctx *ctx, retreating *a)
{
    rill_status st = RILL_OK;
    for (int w = 0; w < parallel_workers(ctx) && !st; w++)
        st = sampler_near_init(ctx, a->def->s, &a->near[w]);
    if (!st) parallel_for(ctx, a->def->grid->map.count, 4, hold_blocks, a);
    for (int w = 0; w < parallel_workers(ctx); w++) sampler_near_clear(ctx, &a->near[w]);
    return st;
}

rill_status retreat_shares(rill_ctx *ctx, const retreat *def, const float *share, float *out)
{
    const size_t n = level_kept(def->grid);
    retreating a = {.def = def, .share = share, .out = out};
    float *scratch = NULL;
    TRY(MEM_NEW(ctx, scratch, n));
    const blur wide = {.grid = def->grid, .width = fmin(def->spacing, BLUR_WIDEST)};
    parallel_for(ctx, n, 16384, mark_liquid, &a);
    blur_samples(ctx, &wide, out, out, scratch);
    parallel_for(ctx, n, 16384, move_near_air, &a);
    mem_free(ctx, scratch);
    return def->end && def->ends->walls ? hold_at_walls(ctx, &a) : RILL_OK;
}
