#include "surface/spray.h"

#include "surface/field.h"

#include <math.h>

typedef float f8_loose __attribute__((vector_size(32), aligned(4), may_alias)); /* from any float on */

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
    const sampler *s;
    float enough;
    float *seen;
} looking;

/* S at a point, from the gathered particles around its block. */
static float field_at(const sampler_near *near, float x, float y, float z)
{
    const f8 *px = (const f8 *)near->x, *py = (const f8 *)near->y, *pz = (const f8 *)near->z;
    const f8 *r = (const f8 *)near->reach;
    f8 sum = {0};
    for (size_t i = 0; i < (near->count + 7) / 8; i++) {
        const f8 dx = px[i] - x, dy = py[i] - y, dz = pz[i] - z;
        const f8 t = f8_positive(1 - (dx * dx + dy * dy + dz * dz) / (r[i] * r[i]));
        sum += t * t * t;
    }
    return f8_sum(sum);
}

/* The same from the particles of its own block alone, whole eights of them: enough for most. */
static float field_within(const sampler *s, uint32_t begin, uint32_t end, float x, float y, float z)
{
    f8 sum = {0};
    for (uint32_t i = begin; i + 8 <= end; i += 8) {
        const f8 dx = *(const f8_loose *)(s->x + i) - x, dy = *(const f8_loose *)(s->y + i) - y,
                 dz = *(const f8_loose *)(s->z + i) - z, r = *(const f8_loose *)(s->reach + i);
        const f8 t = f8_positive(1 - (dx * dx + dy * dy + dz * dz) / (r * r));
        sum += t * t * t;
    }
    return f8_sum(sum);
}

static void look_around(void *arg, sampler_work *work)
{
    const looking *a = arg;
    const sampler *s = a->s;
    bool gathered = false;
    for (uint32_t i = work->begin; i < work->end; i++) {
        const float x = s->x[i], y = s->y[i], z = s->z[i];
        a->seen[i] = field_within(s, work->begin, work->end, x, y, z);
        if (a->seen[i] >= a->enough) continue;
        if (!gathered) sampler_work_gather(work);
        gathered = true;
        a->seen[i] = field_at(work->near, x, y, z);
    }
}

rill_status spray_seen(rill_ctx *ctx, const sampler *s, float enough, float *out)
{
    looking a = {.s = s, .enough = enough, .seen = out};
    return sampler_each(ctx, s, look_around, &a);
}

rill_status spray_weigh(rill_ctx *ctx, sampler *s, const spray_weights *w)
{
    float *root = NULL;
    const size_t n = s->from->count;
    TRY(MEM_NEW(ctx, root, n));
    rill_status st = w->most > 1 ? spray_seen(ctx, s, w->body, root) : RILL_OK;
    for (size_t i = 0; i < n && !st; i++) {
        const float lack = w->most > 1 ? (w->body - root[i]) / (w->body - w->alone) : 0;
        root[i] = lack > 0 ? cbrtf(1 + (w->most - 1) * (lack < 1 ? lack : 1)) : 1;
    }
    if (!st)
        s->value[s->values++] = root;
    else
        mem_free(ctx, root);
    return st;
}
