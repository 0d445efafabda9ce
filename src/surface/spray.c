#include "surface/spray.h"

#include "base/parallel.h"

#include <math.h>

typedef float f8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t i8 __attribute__((vector_size(32)));

static double k_of(double s2)
{
    const double t = 1 - s2;
    return t > 0 ? t * t * t : 0;
}

spray_weights spray_weights_make(double radius, double level, int dimensions)
{
    const int reach = (int)ceil(radius), deep = dimensions == 2 ? 0 : reach;
    double corner = 0; /* of a lattice that fills an octant (a quadrant) */
    for (int z = 0; z <= deep; z++)
        for (int y = 0; y <= reach; y++)
            for (int x = 0; x <= reach; x++) corner += k_of((x * x + y * y + z * z) / (radius * radius));
    /* of a ball (a disc) with the volume of one particle, in spacings */
    const double ball = dimensions == 2 ? sqrt(1 / M_PI) : cbrt(3 / (4 * M_PI));
    const double most = level / k_of(ball * ball / (radius * radius));
    return (spray_weights){
        .most = most > 1 && corner > 1 ? (float)most : 1, .alone = 1, .body = (float)corner};
}

typedef struct {
    sampler *s;
    spray_weights w;
    sampler_near near[PARALLEL_MAX_THREADS];
    float *root; /* found, by particle */
} weighing;

static float sum_of(f8 v)
{
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

/* S at a point, from the gathered particles around its block. */
static float field_at(const sampler *s, const sampler_near *near, float x, float y, float z)
{
    const f8 *px = (const f8 *)near->x, *py = (const f8 *)near->y, *pz = (const f8 *)near->z;
    const float scale = 1 / (s->radius * s->radius);
    f8 sum = {0};
    for (size_t i = 0; i < (near->count + 7) / 8; i++) {
        const f8 dx = px[i] - x, dy = py[i] - y, dz = pz[i] - z;
        const f8 t = 1 - (dx * dx + dy * dy + dz * dz) * scale, in = (f8)((i8)t & (t > 0));
        sum += in * in * in;
    }
    return sum_of(sum);
}

/* The same from the particles of its own block alone, whole eights of them: enough for most. */
static float field_within(const sampler *s, uint32_t begin, uint32_t end, float x, float y, float z)
{
    const float scale = 1 / (s->radius * s->radius);
    f8 sum = {0};
    for (uint32_t i = begin; i + 8 <= end; i += 8) {
        const f8 dx = *(const f8 *)(s->x + i) - x, dy = *(const f8 *)(s->y + i) - y,
                 dz = *(const f8 *)(s->z + i) - z;
        const f8 t = 1 - (dx * dx + dy * dy + dz * dz) * scale, in = (f8)((i8)t & (t > 0));
        sum += in * in * in;
    }
    return sum_of(sum);
}

static void weigh_blocks(void *arg, size_t begin, size_t end, int worker)
{
    weighing *a = arg;
    const sampler *s = a->s;
    sampler_near *near = &a->near[worker];
    for (size_t b = begin; b < end; b++) {
        bool gathered = false;
        for (uint32_t i = s->first[b]; i < s->first[b + 1]; i++) {
            const float x = s->x[i], y = s->y[i], z = s->z[i];
            a->root[i] = 1;
            if (field_within(s, s->first[b], s->first[b + 1], x, y, z) >= a->w.body) continue;
            if (!gathered) sampler_gather(s, s->home.block[b], near);
            gathered = true;
            const float seen = field_at(s, near, x, y, z);
            if (!(seen < a->w.body)) continue;
            const float lack = (a->w.body - seen) / (a->w.body - a->w.alone);
            a->root[i] = cbrtf(1 + (a->w.most - 1) * (lack < 1 ? lack : 1));
        }
    }
}

rill_status spray_weigh(rill_ctx *ctx, sampler *s, const spray_weights *w)
{
    weighing a = {.s = s, .w = *w};
    if (w->most == 1) return RILL_OK;
    /* To an array of their own: the weights are gathered with the particles while others are found. */
    TRY(MEM_NEW(ctx, a.root, s->first[s->home.count]));
    rill_status st = RILL_OK;
    for (int k = 0; k < parallel_workers(ctx) && !st; k++) st = sampler_near_init(ctx, s, &a.near[k]);
    if (!st) {
        parallel_for(ctx, s->home.count, 16, weigh_blocks, &a);
        float *before = s->root;
        s->root = a.root;
        a.root = before;
        s->most_weight = w->most;
    }
    mem_free(ctx, a.root);
    for (int k = 0; k < parallel_workers(ctx); k++) sampler_near_clear(ctx, &a.near[k]);
    return st;
}
