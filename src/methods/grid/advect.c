/* Semi-Lagrangian advection, [Braley] 4.1: a value comes from where the velocity brings it
 * from. DEVIATES: the paper's pseudo-code scatters to the grid point nearest to the traced
 * one (docs/grid.md E-B5); here the value is interpolated there.
 *
 * Linear, Catmull-Rom (cubic), or MacCormack ([Selle08]): the error of going there and back
 * is taken off by half, limited by the values around the traced point. Of gas that fills the domain
 * MacCormack interpolates by cubics as well, and the limits are wider: a limit at the values themselves cuts
 * off the extremes of an eddy a few cells wide in every step, and two vortex rings become one before they
 * have gone through each other twice (verify case gas-rings-fine). Where either way reads velocities that are
 * only continued into a solid, the difference is no error of the interpolation: the correction then adds
 * energy in every step (verify case gas-wind), and the value of the first pass is kept. */
#include "grid/advect.h"

#include "grid/trace.h"

#include <string.h>

static const float gas_slack = 0.5f;

typedef struct {
    grid *s;
    const grid_carried *field;
    int count, halo;
    bool cubic;  /* interpolation */
    float slack; /* MacCormack: limits beyond the values around, over the difference of these */
    float step;
    const float *const *path;
    float *const *first; /* MacCormack: what the first pass made, per field */
    float *copy;         /* per worker: velocity blocks, a field's block, its first pass, where continued */
    size_t copy_size;
} advect_job;

/* A point by the node nearest to it and the parts of the way to the next ones: a way much
 * shorter than a cell is not lost beside the node's number. */
typedef struct {
    const float *node; /* the nearest, in the block at hand */
    int step[3];       /* from it towards the point, along each axis */
    float part[3];     /* of the way to the next node, at most a half */
} place;

/* From a node of the block by a way in cells, kept where interpolation has all its nodes. The place is
 * counted from the nearest node: a way of -1e-9 cells from the node below would be rounded to a multiple of
 * 6e-8, and the surface of liquid at rest would wander by that in every step. */
static place place_of(const advect_job *j, const float *block, const int node[3], const float way[3])
{
    const int n = grid_block_side(j->halo), d = j->s->tiles.dimensions;
    place p = {.node = block};
    int stride = 1;
    for (int a = 0; a < d; a++, stride *= n) {
        const float most = (float)n,
                    held = way[a] > -most ? way[a] < most ? way[a] : most : -most; /* NAN too */
        const float whole = rintf(held), part = held - whole;
        int at = node[a] + (int)whole;
        p.part[a] = fabsf(part);
        p.step[a] = part < 0 ? -stride : stride;
        const int below = at - (part < 0);
        if (below < 1) at = 1, p.part[a] = 0, p.step[a] = stride;
        if (below > n - 3) at = n - 2, p.part[a] = 0, p.step[a] = -stride;
        p.node += at * stride;
    }
    return p;
}

static float linear_at(place p, int d)
{
    const float *b = p.node, *c = b + p.step[1];
    const float near = mix(mix(b[0], b[p.step[0]], p.part[0]), mix(c[0], c[p.step[0]], p.part[0]), p.part[1]);
    if (d == 2) return near;
    b += p.step[2], c += p.step[2];
    const float far = mix(mix(b[0], b[p.step[0]], p.part[0]), mix(c[0], c[p.step[0]], p.part[0]), p.part[1]);
    return mix(near, far, p.part[2]);
}

/* Catmull-Rom along a line, as the nearest value and what the others add to it: rounded once. */
static inline float cubic_mix(const float w[4], float before, float at, float next, float after)
{
    return at + (w[0] * (before - at) + w[2] * (next - at) + w[3] * (after - at));
}

static float cubic_at(place p, int d)
{
    float w[3][4], layer[4];
    const int x = p.step[0], y = p.step[1];
    for (int a = 0; a < d; a++) cubic_weights(p.part[a], w[a]);
    for (int r = d == 2 ? 1 : 0; r < (d == 2 ? 2 : 4); r++) {
        float row[4];
        const float *b = p.node + (r - 1) * p.step[2] - y;
        for (int q = 0; q < 4; q++, b += y) row[q] = cubic_mix(w[0], b[-x], b[0], b[x], b[2 * x]);
        layer[r] = cubic_mix(w[1], row[0], row[1], row[2], row[3]);
    }
    return d == 2 ? layer[1] : cubic_mix(w[2], layer[0], layer[1], layer[2], layer[3]);
}

static float value_at(const advect_job *j, place p, bool cubic)
{
    const int d = j->s->tiles.dimensions;
    return cubic ? cubic_at(p, d) : linear_at(p, d);
}

/* The least and largest of the nodes around a point. */
static void range_at(const advect_job *j, place p, float *lo, float *hi)
{
    *lo = *hi = p.node[0];
    for (int k = 1; k < 1 << j->s->tiles.dimensions; k++) {
        const float v = p.node[(k & 1) * p.step[0] + (k >> 1 & 1) * p.step[1] + (k >> 2) * p.step[2]];
        *lo = v < *lo ? v : *lo;
        *hi = v > *hi ? v : *hi;
    }
}

/* Whether the nodes that cubics read at a point have values of the fluid alone. */
static bool in_fluid(const advect_job *j, place p, const float *block, const float *continued)
{
    const bool deep = j->s->tiles.dimensions == 3;
    const float *c = continued + (p.node - block);
    for (int z = deep ? -1 : 0; z <= (deep ? 2 : 0); z++)
        for (int y = -1; y <= 2; y++)
            for (int x = -1; x <= 2; x++)
                if (c[x * p.step[0] + y * p.step[1] + z * p.step[2]] > 0) return false;
    return true;
}

/* Beyond an open side of a full domain gas rests: the share of the value at the side that is left at a point
 * outside, none from a cell on. With the side's own value, an eddy that leaves would draw in gas that has the
 * eddy's energy already: what flows in would gain without bound (verify case gas-wind). */
static float share_left(const advect_job *j, uint32_t tile, const float x[3], const float way[3])
{
    const grid_tiles *t = &j->s->tiles;
    const uint32_t open = j->s->sim.scene->domain.open;
    float deepest = 0;
    for (int a = 0; a < t->dimensions; a++) {
        const float at = (float)(t->map.block[tile][a] * GRID_SIDE - j->halo) + x[a] + way[a];
        if (open & 1u << (2 * a)) deepest = fmaxf(deepest, (float)t->first[a] - at);
        if (open & 2u << (2 * a)) deepest = fmaxf(deepest, at - (float)(t->last[a] + 1));
    }
    return deepest < 1 ? 1 - deepest : 0;
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
        if (t->ends) grid_block_extend(t, tile, a, j->halo, to);
        b->u[a] = to;
        to += grid_block_size(t, j->halo);
    }
}

/* Fields of a tile that stay as they are. */
static void keep_tile(const advect_job *j, size_t tile)
{
    const size_t cells = (size_t)j->s->tiles.cells, at = tile * cells;
    for (int f = 0; f < j->count; f++)
        memcpy(j->field[f].to + at, j->field[f].from + at, cells * sizeof(float));
}

/* The blocks of a tile at hand. */
typedef struct {
    velocity_block path;
    float *from, *made, *continued;
    const grid_carried *field;
    uint32_t tile;
} tile_blocks;

/* MacCormack's second pass; from: where the value comes from. */
static float corrected(const advect_job *j, const tile_blocks *k, const int node[3], const float x[3],
                       place from)
{
    const int n = k->path.n, i = (node[2] * n + node[1]) * n + node[0];
    float way[4], lo, hi;
    way_of(j, &k->path, x, 1, way);
    const place back = place_of(j, k->made, node, way);
    if (k->field->continued &&
        !(in_fluid(j, from, k->from, k->continued) && in_fluid(j, back, k->made, k->continued)))
        return k->made[i];
    const float better = k->made[i] + 0.5f * (k->from[i] - value_at(j, back, j->cubic));
    range_at(j, from, &lo, &hi);
    const float more = j->slack * (hi - lo), low = lo - more, high = hi + more;
    return better < low ? low : better > high ? high : better;
}

static void load_field(const advect_job *j, tile_blocks *k)
{
    const grid_tiles *t = &j->s->tiles;
    const grid_carried *f = k->field;
    grid_block_load(t, k->tile, f->from, j->halo, f->absent, k->from);
    if (t->ends) grid_block_extend(t, k->tile, f->axis, j->halo, k->from);
    if (!j->first) return;
    grid_block_load(t, k->tile, j->first[f - j->field], j->halo, f->absent, k->made);
    if (t->ends) grid_block_extend(t, k->tile, f->axis, j->halo, k->made);
    if (f->continued) grid_block_load(t, k->tile, f->continued, j->halo, 0, k->continued);
}

static void advect_field(const advect_job *j, const tile_blocks *k)
{
    const grid_tiles *t = &j->s->tiles;
    const int axis = k->field->axis, deep = t->layers == 1 ? 0 : j->halo;
    const float offset[3] = {axis == 0 ? 0 : 0.5f, axis == 1 ? 0 : 0.5f, axis == 2 ? 0 : 0.5f};
    float *to = k->field->to + k->tile * (size_t)t->cells;
    for (int c = 0; c < t->cells; c++) {
        const int node[3] = {c % 8 + j->halo, c / 8 % 8 + j->halo, c / 64 + deep};
        float x[3], way[4];
        for (int a = 0; a < 3; a++) x[a] = a < t->dimensions ? (float)node[a] + offset[a] : 0;
        way_of(j, &k->path, x, -1, way);
        const place from = place_of(j, k->from, node, way);
        const float left = t->ends ? share_left(j, k->tile, x, way) : 1;
        if (j->first && left == 1)
            to[c] = corrected(j, k, node, x, from);
        else
            to[c] = left * value_at(j, from, j->cubic);
    }
}

static void advect_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const advect_job *j = arg;
    const grid_tiles *t = &j->s->tiles;
    const int size = grid_block_size(t, j->halo);
    float *copy = j->copy + (size_t)worker * j->copy_size, *from = copy + t->dimensions * size;
    for (size_t tile = begin; tile < end; tile++) {
        if (j->s->step.only && !j->s->step.only[tile]) {
            keep_tile(j, tile);
            continue;
        }
        tile_blocks k = {
            .from = from, .made = from + size, .continued = from + 2 * size, .tile = (uint32_t)tile};
        load_path(j, k.tile, copy, &k.path);
        for (int f = 0; f < j->count; f++) {
            k.field = &j->field[f];
            load_field(j, &k);
            advect_field(j, &k);
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
                    .cubic = s->def.advection == GRID_CUBIC ||
                             (s->def.advection == GRID_MACCORMACK && s->tiles.ends),
                    .slack = s->tiles.ends ? gas_slack : 0,
                    .step = (float)(dt / s->h),
                    .path = path};
    const size_t size = (size_t)grid_block_size(&s->tiles, j.halo);
    j.copy_size = (size_t)(s->tiles.dimensions + 3) * size;
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
