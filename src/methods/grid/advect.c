/* Semi-Lagrangian advection, [Braley] 4.1: a value comes from where the velocity brings it
 * from. DEVIATES: the paper's pseudo-code scatters to the grid point nearest to the traced
 * one (docs/grid.md E-B5); here the value is interpolated there.
 *
 * Linear, Catmull-Rom (cubic), or MacCormack ([Selle08]): the error of going there and back
 * is taken off by half, limited by the values around the traced point. */
#include "grid/advect.h"

#include "grid/trace.h"

typedef struct {
    grid *s;
    const grid_carried *field;
    int count, halo, scheme;
    float step;
    const float *const *path;
    float *const *first; /* MacCormack: what the first pass made, per field */
    float *copy;         /* per worker: velocity blocks, a field's block, its first pass */
    size_t copy_size;
} advect_job;

/* A point by the node before it and the parts of the way to the next ones: a way much
 * shorter than a cell is not lost beside the node's number. */
typedef struct {
    const float *node; /* in the block at hand */
    float part[3];
} place;

/* From a node of the block by a way in cells, kept where interpolation has all its nodes. */
static place place_of(const advect_job *j, const float *block, const int node[3], const float way[3])
{
    const int n = grid_block_side(j->halo), d = j->s->tiles.dimensions;
    place p = {.node = block};
    int stride = 1;
    for (int a = 0; a < d; a++, stride *= n) {
        const float whole = floorf(way[a]);
        int at = node[a] + (int)whole;
        p.part[a] = way[a] - whole;
        if (at < 1) at = 1, p.part[a] = 0;
        if (at > n - 3) at = n - 3, p.part[a] = 1;
        p.node += at * stride;
    }
    return p;
}

static float value_at(const advect_job *j, place p, bool cubic)
{
    const int n = grid_block_side(j->halo);
    const float *f = p.part;
    if (j->s->tiles.layers == 1)
        return cubic ? cubic2_from(p.node, n, f[0], f[1]) : linear2_from(p.node, n, f[0], f[1]);
    return cubic ? cubic3_from(p.node, n, f[0], f[1], f[2]) : linear3_from(p.node, n, f[0], f[1], f[2]);
}

/* The least and largest of the nodes around a point. */
static void range_at(const advect_job *j, place p, float *lo, float *hi)
{
    const int n = grid_block_side(j->halo);
    *lo = *hi = p.node[0];
    for (int k = 1; k < 1 << j->s->tiles.dimensions; k++) {
        const float v = p.node[(k & 1) + (k >> 1 & 1) * n + (k >> 2) * n * n];
        *lo = v < *lo ? v : *lo;
        *hi = v > *hi ? v : *hi;
    }
}

/* The way from a point to where its value comes from (sign -1) or goes (1). */
static void way_of(const advect_job *j, const velocity_block *b, const float x[3], float sign, float way[4])
{
    const point from = point_of(x[0], x[1], x[2]);
    const float step = sign * j->step;
    _mm_storeu_ps(way, step * trace(b, j->s->def.integrator, from, step, velocity_at(b, from)));
}

static void load_path(const advect_job *j, uint32_t tile, float *to, velocity_block *b)
{
    const grid_tiles *t = &j->s->tiles;
    *b = (velocity_block){.n = grid_block_side(j->halo), .d = t->dimensions};
    b->top = (float)b->n - 1.001f;
    for (int a = 0; a < b->d; a++) {
        grid_block_load(t, tile, j->path[a], j->halo, 0, to);
        b->u[a] = to;
        to += grid_block_size(t, j->halo);
    }
}

static void advect_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const advect_job *j = arg;
    const grid_tiles *t = &j->s->tiles;
    const int size = grid_block_size(t, j->halo), cells = t->cells;
    float *copy = j->copy + (size_t)worker * j->copy_size;
    float *block = copy + t->dimensions * size, *made = block + size;
    for (size_t tile = begin; tile < end; tile++) {
        velocity_block b;
        load_path(j, (uint32_t)tile, copy, &b);
        for (int f = 0; f < j->count; f++) {
            const grid_carried *field = &j->field[f];
            const float offset[3] = {field->axis == 0 ? 0 : 0.5f, field->axis == 1 ? 0 : 0.5f,
                                     field->axis == 2 ? 0 : 0.5f};
            grid_block_load(t, (uint32_t)tile, field->from, j->halo, field->absent, block);
            if (j->first) grid_block_load(t, (uint32_t)tile, j->first[f], j->halo, field->absent, made);
            float *to = field->to + tile * (size_t)cells;
            for (int c = 0; c < cells; c++) {
                const int deep = t->layers == 1 ? 0 : j->halo;
                const int node[3] = {c % 8 + j->halo, c / 8 % 8 + j->halo, c / 64 + deep};
                float x[3], way[4], lo, hi;
                for (int a = 0; a < 3; a++) x[a] = a < t->dimensions ? (float)node[a] + offset[a] : 0;
                way_of(j, &b, x, -1, way);
                const place from = place_of(j, block, node, way);
                if (!j->first) {
                    to[c] = value_at(j, from, j->scheme == GRID_CUBIC);
                    continue;
                }
                const int i = (node[2] * b.n + node[1]) * b.n + node[0];
                way_of(j, &b, x, 1, way);
                const float better =
                    made[i] + 0.5f * (block[i] - value_at(j, place_of(j, made, node, way), false));
                range_at(j, from, &lo, &hi);
                to[c] = better < lo ? lo : better > hi ? hi : better;
            }
        }
    }
}

rill_status grid_advect(grid *s, const float *const path[3], double fastest, double dt,
                        const grid_carried *field, int count)
{
    enum { MOST = 8 };
    const double reach = ceil(fastest * dt / s->h) + 3;
    advect_job j = {.s = s,
                    .field = field,
                    .count = count,
                    .halo = reach < GRID_MOST_HALO ? (int)reach : GRID_MOST_HALO,
                    .scheme = s->def.advection,
                    .step = (float)(dt / s->h),
                    .path = path};
    const size_t size = (size_t)grid_block_size(&s->tiles, j.halo);
    j.copy_size = (size_t)(s->tiles.dimensions + 2) * size;
    TRY(ARENA_NEW(&s->scratch, j.copy, j.copy_size * (size_t)parallel_workers(s->sim.ctx)));
    if (s->def.advection != GRID_MACCORMACK) {
        parallel_for(s->sim.ctx, s->tiles.count, 2, advect_tiles, &j);
        return RILL_OK;
    }
    grid_carried once[MOST];
    float *first[MOST];
    if (count > MOST) return rill_fail(s->sim.ctx, RILL_USAGE, "%d fields to advect at once", count);
    for (int f = 0; f < count; f++) {
        TRY(ARENA_NEW(&s->scratch, first[f], grid_cell_count(&s->tiles)));
        once[f] = field[f];
        once[f].to = first[f];
    }
    j.field = once;
    parallel_for(s->sim.ctx, s->tiles.count, 2, advect_tiles, &j);
    j.field = field;
    j.first = first;
    parallel_for(s->sim.ctx, s->tiles.count, 2, advect_tiles, &j);
    return RILL_OK;
}
