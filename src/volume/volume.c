#include "volume/volume.h"

#include "base/parallel.h"

void volume_clear(rill_ctx *ctx, volume *v)
{
    block_map_clear(ctx, &v->map);
    mem_free(ctx, v->value);
    *v = (volume){0};
}

static void add_blocks(void *arg, size_t begin, size_t end, double *out)
{
    const volume *v = arg;
    for (int k = 0; k < v->width; k++) out[k] = 0;
    for (size_t b = begin; b < end; b++)
        for (int s = 0; s < VOLUME_SAMPLES; s++)
            for (int k = 0; k < v->width; k++)
                out[k] += (double)v->value[(b * VOLUME_SAMPLES + (size_t)s) * (size_t)v->width + (size_t)k];
}

void volume_integral(rill_ctx *ctx, const volume *v, double out[3])
{
    parallel_sums(ctx, v->map.count, add_blocks, (void *)v, (size_t)v->width, out);
    for (int k = 0; k < v->width; k++) out[k] *= v->cell * v->cell * (v->dimensions == 2 ? 1 : v->cell);
}

void volume_at(const volume *v, rill_vec3 x, float *out)
{
    const rill_vec3 y = v3_scale(v3_sub(x, v->origin), 1 / v->cell);
    for (int k = 0; k < v->width; k++) out[k] = v->background;
    if (!(fabs(y.x) < 0x1p28 && fabs(y.y) < 0x1p28 && fabs(y.z) < 0x1p28)) return;
    const bool flat = v->dimensions == 2;
    const int32_t low[3] = {(int32_t)floor(y.x), (int32_t)floor(y.y), flat ? 0 : (int32_t)floor(y.z)};
    const double f[3] = {y.x - low[0], y.y - low[1], flat ? 0 : y.z - low[2]};
    double sum[3] = {0};
    int32_t last[3] = {INT32_MIN, 0, 0};
    uint32_t block = BLOCK_NONE;
    for (int corner = 0; corner < (flat ? 4 : 8); corner++) {
        const int32_t at[3] = {low[0] + (corner & 1), low[1] + (corner >> 1 & 1), low[2] + (corner >> 2)};
        if (at[0] >> 3 != last[0] || at[1] >> 3 != last[1] || at[2] >> 3 != last[2]) {
            for (int a = 0; a < 3; a++) last[a] = at[a] >> 3;
            block = block_map_find(&v->map, last[0], last[1], last[2]);
        }
        double w = 1;
        for (int a = 0; a < 3; a++) w *= corner >> a & 1 ? f[a] : 1 - f[a];
        const size_t s = (size_t)(((at[2] & 7) * 8 + (at[1] & 7)) * 8 + (at[0] & 7));
        for (int k = 0; k < v->width; k++)
            sum[k] +=
                w *
                (block == BLOCK_NONE
                     ? (double)v->background
                     : (double)v->value[((size_t)block * VOLUME_SAMPLES + s) * (size_t)v->width + (size_t)k]);
    }
    for (int k = 0; k < v->width; k++) out[k] = (float)sum[k];
}
