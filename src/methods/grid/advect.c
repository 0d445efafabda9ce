/* Semi-Lagrangian advection, [Braley] 4.1: a value comes from where the velocity brings it
 * from. DEVIATES: the paper's pseudo-code scatters to the grid point nearest to the traced
 * one (METHODS.md E-B5); here the value is interpolated there.
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

/* Coordinates of a block, kept where its interpolation has all its nodes. */
static void keep_inside(const advect_job *j, const float x[3], float y[3])
{
    const float top = (float)grid_block_side(j->halo) - 2.001f;
    for (int a = 0; a < 3; a++) y[a] = x[a] > 1 ? (x[a] < top ? x[a] : top) : 1;
}

static float value_at(const advect_job *j, const float *block, const float x[3], bool cubic)
{
    const int n = grid_block_side(j->halo);
    float y[3];
    keep_inside(j, x, y);
    if (j->s->tiles.layers == 1) return cubic ? cubic2(block, n, y[0], y[1]) : linear2(block, n, y[0], y[1]);
    return cubic ? cubic3(block, n, y[0], y[1], y[2]) : linear3(block, n, y[0], y[1], y[2]);
}

/* The least and largest of the nodes around a point. */
static void range_at(const advect_job *j, const float *block, const float x[3], float *lo, float *hi)
{
    const int n = grid_block_side(j->halo), d = j->s->tiles.dimensions;
    float y[3];
    keep_inside(j, x, y);
    const float *b = block + ((d == 3 ? (int)y[2] : 0) * n + (int)y[1]) * n + (int)y[0];
    *lo = *hi = b[0];
    for (int k = 1; k < 1 << d; k++) {
        const float v = b[(k & 1) + (k >> 1 & 1) * n + (k >> 2) * n * n];
        *lo = v < *lo ? v : *lo;
        *hi = v > *hi ? v : *hi;
    }
}

/* Where the value of a node comes from (way -1) or goes (1), on the field's own lattice. */
static void traced(const advect_job *j, const velocity_block *b, const float x[3], float way,
                   const float offset[3], float out[3])
{
    float k1[3], mean[3];
    velocity_at(b, x, k1);
    trace(b, j->s->def.integrator, x, way * j->step, k1, mean);
    for (int a = 0; a < 3; a++) out[a] = x[a] + way * j->step * mean[a] - offset[a];
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
                const int at[3] = {c % 8, c / 8 % 8, c / 64};
                float x[3], from[3];
                for (int a = 0; a < 3; a++)
                    x[a] = a < t->dimensions ? (float)(at[a] + j->halo) + offset[a] : 0;
                traced(j, &b, x, -1, offset, from);
                if (!j->first) {
                    to[c] = value_at(j, block, from, j->scheme == GRID_CUBIC);
                    continue;
                }
                float there[3], lo, hi, own[3];
                traced(j, &b, x, 1, offset, there);
                for (int a = 0; a < 3; a++) own[a] = x[a] - offset[a];
                const float once = value_at(j, made, own, false);
                const float better =
                    once + 0.5f * (value_at(j, block, own, false) - value_at(j, made, there, false));
                range_at(j, block, from, &lo, &hi);
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
