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

/* Whether a particle that reaches the sample, or the particle that an image is of, is on the sample's own
 * side of the solid, whose nearest point to the sample is `foot`: above its plane there, or not hidden by it.
 */
static bool own_side(const support *d, uint32_t p, rill_vec3 x, rill_vec3 foot, const solid_contact *c)
{
    const rill_vec3 at = d->s->from->position[p < d->count ? p : d->image[p - d->count].particle];
    const bool behind = v3_dot(v3_sub(at, foot), c->normal) < 0;
    return !behind || !solids_between(d->ends->walls, c->solid, at, x, d->ends->time, 0);
}

/* The field of the sample's own side; *others: of what is on the other. */
static float own_value(const support *d, const sampler_near *near, const float at[3], rill_vec3 x,
                       const solid_contact *c, float *others)
{
    const rill_vec3 foot = v3_madd(x, -c->distance, c->normal);
    const float rim = 1 - d->ball * d->ball; /* of the ball that a particle is when it is alone */
    float own = 0, alone = 0;
    *others = 0;
    for (size_t i = 0; i < near->count; i++) {
        const float dx = near->x[i] - at[0], dy = near->y[i] - at[1],
                    dz = d->s->layers == 1 ? 0 : near->z[i] - at[2], r = near->reach[i];
        float t = 1 - (dx * dx + dy * dy + dz * dz) / (r * r);
        if (t <= 0) continue;
        const uint32_t p = d->s->particle[near->place[i]];
        const bool mine = own_side(d, p, x, foot, c);
        if (mine && p < d->count && t > alone) alone = t;
        t *= near->value[0][i];
        *(mine ? &own : others) += t * t * t;
    }
    /* weights are of particles that see both sides; one on its own stays a ball */
    const float least = d->grid->level * (alone / rim) * (alone / rim) * (alone / rim);
    return own > least ? own : least;
}

static bool is_open(const support *d, uint32_t p)
{
    return d->image && p >= d->count && d->image[p - d->count].open;
}

/* Farther from the solid than particles support: whether images in the open reach the sample, and no particle
 * is near it. */
static bool by_images_alone(const support *d, const sampler_near *near, const float at[3])
{
    bool images = false;
    for (size_t i = 0; i < near->count; i++) {
        const uint32_t p = d->s->particle[near->place[i]];
        if (p >= d->count && !is_open(d, p)) continue;
        const float dx = near->x[i] - at[0], dy = near->y[i] - at[1],
                    dz = d->s->layers == 1 ? 0 : near->z[i] - at[2], r = near->reach[i],
                    most = p < d->count ? d->reach * r : r;
        if (dx * dx + dy * dy + dz * dz > most * most) continue;
        if (p < d->count) return false;
        images = true;
    }
    return images;
}

static void ask_beside(supporting *a, const sampler_near *near, const float at[3], rill_vec3 x,
                       const solid_contact *c, float *value, float *end)
{
    const support *d = a->def;
    if (!supported(a, near, at, x, c->solid)) {
        *end = -*end;
    } else if (d->balls && d->image) {
        float others;
        const float own = own_value(d, near, at, x, c, &others);
        if (others > 0.02f * d->grid->level && own < *value) *value = own;
    }
}

static void ask_block(supporting *a, size_t b, sampler_near *near)
{
    const support *d = a->def;
    const level_grid *g = d->grid;
    const size_t samples = LEVEL_AREA * (size_t)g->layers, first = g->slot[b] * samples;
    const int32_t *block = g->map.block[b];
    const rill_vec3 corner = v3_madd(g->origin, LEVEL_BLOCK * g->cell, v3(block[0], block[1], block[2]));
    const float close = beside * d->reach * d->s->radius;
    float far = d->image ? 2 * d->s->radius : close; /* as far as images in the open reach */
    bool gathered = false;
    for (size_t i = 0; i < samples; i++) {
        float *end = &a->end[first + i];
        if (!(*end > 0 && *end < far && d->value[first + i] >= a->least)) continue;
        if (!gathered) {
            bool open = false;
            sampler_gather(d->s, block, near);
            for (size_t k = 0; k < near->count && !open; k++)
                open = is_open(d, d->s->particle[near->place[k]]);
            if (!open) far = close;
            gathered = true;
            if (!(*end < far)) continue;
        }
        const float at[3] = {(float)(i & 7), (float)(i >> 3 & 7), (float)(i >> 6)};
        const rill_vec3 x = v3_madd(corner, g->cell, v3(at[0], at[1], at[2]));
        solid_contact c = {.solid = SOLID_DOMAIN};
        if (*end < close) solids_distance(d->ends->walls, x, d->ends->time, &c);
        if (c.solid < SOLID_DOMAIN) /* there is nothing behind the domain's sides */
            ask_beside(a, near, at, x, &c, &d->value[first + i], end);
        else if (far > close && by_images_alone(d, near, at))
            *end = -*end;
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
