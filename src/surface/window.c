#include "surface/window.h"

#include <math.h>

void level_window_load(const level_grid *g, const int32_t block[3], level_window *out)
{
    const int deep = g->layers == 1 ? 0 : WINDOW_RIM, high = g->layers == 1 ? 1 : LEVEL_BLOCK + deep;
    uint32_t id[27];
    for (int k = 0; k < 27; k++)
        id[k] = block_map_find(&g->map, block[0] + k % 3 - 1, block[1] + k / 3 % 3 - 1, block[2] + k / 9 - 1);
    float *to = out->value;
    for (int z = -deep; z < high; z++)
        for (int y = -WINDOW_RIM; y < LEVEL_BLOCK + WINDOW_RIM; y++)
            for (int x = -WINDOW_RIM; x < LEVEL_BLOCK + WINDOW_RIM; x++) {
                const uint32_t at = id[((z >> 3) + 1) * 9 + ((y >> 3) + 1) * 3 + (x >> 3) + 1];
                *to++ = level_value(g, at, ((z & 7) * LEVEL_BLOCK + (y & 7)) * LEVEL_BLOCK + (x & 7));
            }
    out->layers = g->layers;
}

static const int stride[3] = {1, WINDOW_SIDE, WINDOW_SIDE *WINDOW_SIDE};

/* The sample below a point, and how far the point is from it along each axis. */
static int sample_below(const level_window *w, rill_vec3 at, double part[3])
{
    int low = 0;
    for (int a = 0; a < (w->layers == 1 ? 2 : 3); a++) {
        const double x = fmin(fmax(v3_axis(at, a), -1), LEVEL_BLOCK), below = fmin(floor(x), LEVEL_BLOCK - 1);
        part[a] = x - below;
        low += ((int)below + WINDOW_RIM) * stride[a];
    }
    return low;
}

/* Corner k of the cell above a sample, and its share. */
static int corner_of(int k, int axes, int low, const double part[3], double *share)
{
    *share = 1;
    for (int a = 0; a < axes; a++) {
        *share *= k >> a & 1 ? part[a] : 1 - part[a];
        low += k >> a & 1 ? stride[a] : 0;
    }
    return low;
}

float level_window_value(const level_window *w, rill_vec3 at)
{
    const int axes = w->layers == 1 ? 2 : 3;
    double part[3] = {0}, share, sum = 0;
    const int low = sample_below(w, at, part);
    for (int k = 0; k < 1 << axes; k++) {
        const int i = corner_of(k, axes, low, part, &share);
        sum += share * (double)w->value[i];
    }
    return (float)sum;
}

rill_vec3 level_window_slope(const level_window *w, rill_vec3 at)
{
    const int axes = w->layers == 1 ? 2 : 3;
    double part[3] = {0}, slope[3] = {0}, share;
    const int low = sample_below(w, at, part);
    for (int k = 0; k < 1 << axes; k++) {
        const int i = corner_of(k, axes, low, part, &share);
        if (share == 0) continue;
        for (int a = 0; a < axes; a++)
            slope[a] -= 0.5 * share * (double)(w->value[i + stride[a]] - w->value[i - stride[a]]);
    }
    return v3(slope[0], slope[1], slope[2]);
}
