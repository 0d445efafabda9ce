/* Surface tension: the pressure at the surface is sigma times its curvature, and enters the
 * pressure system as the value at the surface (ghost fluid, [Enright03], [Kang00]).
 *
 * The curvature is that of a smoothed distance: particles make the distance rough, and what is
 * rough at the size of a cell would be driven by tension without end. Smoothing by G as
 * 2 G - G^2 keeps the radius of a drop, and of a wave of number k per cell all but
 * (1 - exp(-k^2 passes / 4))^2 of its curvature. The value of a cell is taken to the surface
 * along the normal: without that, short waves, which the smoothed curvature does not see,
 * would find less pressure on their crests, where the level sets are wider, and grow.
 *
 * Walls do not count in the means: the surface meets them at a right angle. */
#include "grid/state.h"

enum { N = GRID_SIDE + 2, BLOCK_CELLS = N * N * N };

typedef struct {
    grid *s;
    const float *from;
    float *to;
    float reach; /* of the distance, cells */
    float scale; /* from the curvature per cell to the pressure's q */
} tension_job;

static void clamp_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const tension_job *j = arg;
    for (size_t i = begin; i < end; i++) {
        const float d = j->s->field.phi[i];
        j->to[i] = d < -j->reach ? -j->reach : d > j->reach ? j->reach : d;
    }
}

/* Whether a block is not all the same: then the surface is near. */
static bool varies(const float *block, int size)
{
    bool any = false;
    for (int i = 1; i < size; i++) any |= block[i] != block[0];
    return any;
}

/* One pass of 1/4, 1/2, 1/4 along an axis, over the cells that are not wall. */
static void smooth_axis(const grid *s, float *block, float *weight, int axis)
{
    static const int stride[3] = {1, N, N * N};
    float out[BLOCK_CELLS], all[BLOCK_CELLS];
    const int size = grid_block_size(&s->tiles, 1), st = stride[axis];
    for (int i = 0; i < size; i++) {
        const int at = i / st % N, lo = at > 0 ? i - st : i, hi = at < N - 1 ? i + st : i;
        all[i] = 0.25f * (weight[lo] + weight[hi]) + 0.5f * weight[i];
        out[i] = 0.25f * (block[lo] * weight[lo] + block[hi] * weight[hi]) + 0.5f * block[i] * weight[i];
        out[i] = all[i] > 0 ? out[i] / all[i] : block[i];
    }
    for (int i = 0; i < size; i++) {
        block[i] = out[i];
        weight[i] = all[i];
    }
}

static void smooth_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const tension_job *j = arg;
    const grid *s = j->s;
    const int size = grid_block_size(&s->tiles, 1), cells = s->tiles.cells;
    float block[BLOCK_CELLS], weight[BLOCK_CELLS];
    for (size_t t = begin; t < end; t++) {
        grid_block_load(&s->tiles, (uint32_t)t, j->from, 1, j->reach, block);
        if (varies(block, size)) {
            grid_block_load(&s->tiles, (uint32_t)t, s->field.room, 1, 0, weight);
            for (int i = 0; i < size; i++) weight[i] = weight[i] > 0;
            for (int a = 0; a < s->tiles.dimensions; a++) smooth_axis(s, block, weight, a);
        }
        for (int c = 0; c < cells; c++)
            j->to[t * (size_t)cells + (size_t)c] =
                block[grid_block_first(&s->tiles, 1) + (c / 64 * N + c / 8 % 8) * N + c % 8];
    }
}

/* to: twice smoothed, from: once; 2 from - to loses less of long waves, and no radius. */
static void sharpen_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const tension_job *j = arg;
    for (size_t i = begin; i < end; i++) j->to[i] = 2 * j->from[i] - j->to[i];
}

/* div (grad f / |grad f|) at a cell, by central differences; NAN where f is flat. */
static float curvature(const float *f, int i, int dimensions)
{
    static const int stride[3] = {1, N, N * N};
    float g[3] = {0}, length2 = 0, sum = 0;
    for (int a = 0; a < dimensions; a++) {
        g[a] = 0.5f * (f[i + stride[a]] - f[i - stride[a]]);
        length2 += g[a] * g[a];
    }
    if (length2 < 0.04f) return NAN;
    for (int a = 0; a < dimensions; a++) {
        const float second = f[i + stride[a]] - 2 * f[i] + f[i - stride[a]];
        sum += second * (length2 - g[a] * g[a]);
        for (int b = a + 1; b < dimensions; b++) {
            const int p = stride[a] + stride[b], m = stride[a] - stride[b];
            sum -= 2 * g[a] * g[b] * 0.25f * (f[i + p] + f[i - p] - f[i + m] - f[i - m]);
        }
    }
    const float most = (float)(dimensions - 1), slope = sqrtf(length2);
    float k = sum / (length2 * slope);
    const float away = f[i] / slope;
    const float bent = 1 - away * k / most;
    k /= bent > 0.3f ? bent : 0.3f;
    return k > most ? most : k < -most ? -most : k; /* a drop of a cell is the smallest there is */
}

static void bend_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const tension_job *j = arg;
    const grid *s = j->s;
    const int size = grid_block_size(&s->tiles, 1), cells = s->tiles.cells;
    float block[BLOCK_CELLS];
    for (size_t t = begin; t < end; t++) {
        grid_block_load(&s->tiles, (uint32_t)t, j->from, 1, j->reach, block);
        const bool near = varies(block, size);
        for (int c = 0; c < cells; c++) {
            const int i = grid_block_first(&s->tiles, 1) + (c / 64 * N + c / 8 % 8) * N + c % 8;
            j->to[t * (size_t)cells + (size_t)c] =
                near && fabsf(block[i]) < 1.5f ? j->scale * curvature(block, i, s->tiles.dimensions) : NAN;
        }
    }
}

rill_status grid_tension(grid *s, double dt)
{
    enum { PASSES_OF_PARTICLES = 8, PASSES_OF_FIELDS = 3 };
    const scene_fluid *fluid = &s->sim.scene->fluid;
    s->field.bend = NULL;
    if (!(fluid->surface_tension > 0) || dt == 0 || s->tiles.count == 0) return RILL_OK;
    const size_t n = grid_cell_count(&s->tiles);
    const bool smooth = s->def.surface == GRID_LEVEL_SET;
    const int passes = smooth ? PASSES_OF_FIELDS : PASSES_OF_PARTICLES;
    float *field[2], *once;
    tension_job j = {.s = s,
                     .reach = smooth ? 4 : 1.5f,
                     .scale = (float)(fluid->surface_tension * dt / (fluid->density * s->h * s->h))};
    for (int k = 0; k < 2; k++) TRY(ARENA_NEW(&s->scratch, field[k], n));
    j.to = field[0];
    parallel_for(s->sim.ctx, n, 8192, clamp_cells, &j);
    TRY(ARENA_NEW(&s->scratch, once, n));
    for (int k = 0; k < 2 * passes; k++) {
        j.from = field[k % 2];
        j.to = k == passes - 1 ? once : field[1 - k % 2];
        if (k == passes) j.from = once;
        parallel_for(s->sim.ctx, s->tiles.count, 8, smooth_tiles, &j);
    }
    j.from = once;
    parallel_for(s->sim.ctx, n, 8192, sharpen_cells, &j);
    j.from = j.to;
    j.to = once;
    parallel_for(s->sim.ctx, s->tiles.count, 8, bend_tiles, &j);
    s->field.bend = j.to;
    return RILL_OK;
}

/* [Brackbill92] with the constant of the shortest wave ([Denner15]): docs/grid.md E-R4. */
double grid_tension_max_dt(const grid *s)
{
    const scene_fluid *fluid = &s->sim.scene->fluid;
    if (!(fluid->surface_tension > 0)) return INFINITY;
    return 0.7 * sqrt(fluid->density * pow(s->h, 3) / (2 * M_PI * fluid->surface_tension));
}
