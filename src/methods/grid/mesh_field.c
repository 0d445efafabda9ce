/* The level set a mesh is made from; see mesh_field.h.
 *
 * The level set of the grid says where a finer one is needed: tiles are cut into blocks of
 * samples, and blocks that are far on one side are not stored. Samples within a cell of the
 * surface are sums over the particles, with a reach that just stays within the neighbours of
 * their cell, where the grid has air next to it: gaps between particles that no cell sees are
 * no bubbles. They are smoothed, twice as often where the liquid is deep: sheets and drops
 * would lose volume by it. */
#include "grid/mesh_field.h"

#include "grid/interpolate.h"
#include "grid/level.h"
#include "surface/filtered.h"

#include <string.h>

enum { N = GRID_SIDE + 2, SMOOTHING = 4, EVERYWHERE = 2 };

static const float far = 1.2f;     /* cells: no smoothing brings the surface from there */
static const float closest = 0.8f; /* cells: closer samples are made from the particles */

typedef struct {
    grid *s;
    int k, parts; /* samples along a cell; blocks of a tile */
    bool exact;
    float reach;
    level_grid *out;
    float *from, *to; /* smoothing: samples before and after */
    swarm *around;    /* per worker */
    uint8_t *bulk;    /* per cell: deep liquid within two cells */
    int pass;
    const borders *ends; /* its box alone: walls are asked otherwise */
} fine_job;

/* --- which blocks --- */

/* The distance of the walls and the box from a point, positive outside of walls, in cells and at most 3. */
static float wall_distance(const fine_job *j, const level_place *p, const float at[3])
{
    const grid *s = j->s;
    float least = 3;
    const rill_vec3 x = v3_madd(p->corner, s->h, v3(at[0], at[1], s->tiles.layers == 1 ? 0 : (double)at[2]));
    if (borders_boxed(j->ends)) {
        const borders box = {.box = j->ends->box, .dimensions = j->ends->dimensions};
        least = (float)fmin(borders_distance(&box, x) / s->h, 3);
    }
    for (int a = 0; a < s->tiles.dimensions; a++) {
        const float low = at[a] - p->lo[a], high = p->hi[a] - at[a];
        least = low < least ? low : least;
        least = high < least ? high : least;
    }
    if (!(s->field.walled[p->tile] & 2)) return least;
    const double d = solids_distance(&s->sim.solids, x, s->sim.time, NULL) / s->h;
    return d < (double)least ? (float)d : least;
}

/* The block of distances around a tile, and the same cut at the walls. */
static void load_level(const fine_job *j, const level_place *p, float *phi, float *cut)
{
    const grid *s = j->s;
    const int deep = s->tiles.layers == 1 ? 0 : 1, size = grid_block_size(&s->tiles, 1);
    grid_block_load(&s->tiles, p->tile, s->field.phi, 1, LEVEL_REACH, phi);
    memcpy(cut, phi, (size_t)size * sizeof *cut);
    if (!s->field.walled[p->tile] && !borders_boxed(j->ends)) return;
    for (int i = 0; i < size; i++) {
        if (phi[i] >= far) continue;
        const float at[3] = {(float)(i % N) - 0.5f, (float)(i / N % N) - 0.5f,
                             deep ? (float)(i / (N * N)) - 0.5f : 0.5f};
        const float inside = -wall_distance(j, p, at);
        if (inside > cut[i]) cut[i] = inside;
    }
}

/* The cells of a tile's block of distances that block b of the samples reads along an axis. */
static void cells_read(int k, int b, int *from, int *to)
{
    *from = (int)floor((8 * b + 0.5) / k - 0.5);
    *to = (int)floor((8 * b + 7.5) / k - 0.5) + 1;
}

static void pick_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const fine_job *j = arg;
    const grid *s = j->s;
    const int k = j->k, deep = s->tiles.layers == 1 ? 0 : 1;
    float phi[N * N * N], cut[N * N * N];
    for (size_t t = begin; t < end; t++) {
        const level_place p = level_place_of(s, (uint32_t)t);
        load_level(j, &p, phi, cut);
        for (int b = 0; b < j->parts; b++) {
            int from[3] = {0}, to[3] = {0};
            const int part[3] = {b % k, b / k % k, b / (k * k)};
            for (int a = 0; a < s->tiles.dimensions; a++) cells_read(k, part[a], &from[a], &to[a]);
            bool outside = true, inside = true;
            for (int z = from[2]; z <= to[2]; z++)
                for (int y = from[1]; y <= to[1]; y++)
                    for (int x = from[0]; x <= to[0]; x++) {
                        const float v = cut[((z + deep) * N + y + 1) * N + x + 1];
                        outside &= v >= far;
                        inside &= v <= -far;
                    }
            j->out->slot[t * (size_t)j->parts + (size_t)b] = outside  ? LEVEL_OUTSIDE
                                                             : inside ? LEVEL_INSIDE
                                                                      : 0;
        }
    }
}

/* --- samples --- */

/* Cells of a tile next to a cell whose middle is air, or air themselves. */
static void find_air(const grid *s, const float *phi, uint8_t air[GRID_CELLS])
{
    const int deep = s->tiles.layers == 1 ? 0 : 1;
    for (int c = 0; c < s->tiles.cells; c++) {
        float most = -1;
        for (int z = 0; z <= 2 * deep; z++)
            for (int y = 0; y < 3; y++)
                for (int x = 0; x < 3; x++) {
                    const float v = phi[((c / 64 + z) * N + c / 8 % 8 + y) * N + c % 8 + x];
                    most = v > most ? v : most;
                }
        air[c] = most >= 0;
    }
}

static void sample_block(const fine_job *j, const swarm *w, const level_place *p, const float *phi,
                         const uint8_t *air, const int part[3], float *to)
{
    const grid *s = j->s;
    const bool flat = s->tiles.layers == 1;
    const float scale = 1 / (float)j->k;
    for (int c = 0; c < s->tiles.cells; c++) {
        const int fine[3] = {8 * part[0] + c % 8, 8 * part[1] + c / 8 % 8, flat ? 0 : 8 * part[2] + c / 64};
        const float at[3] = {((float)fine[0] + 0.5f) * scale, ((float)fine[1] + 0.5f) * scale,
                             flat ? 0.5f : ((float)fine[2] + 0.5f) * scale};
        float v = flat ? linear2(phi, N, at[0] + 0.5f, at[1] + 0.5f)
                       : linear3(phi, N, at[0] + 0.5f, at[1] + 0.5f, at[2] + 0.5f);
        const int cell[3] = {fine[0] / j->k, fine[1] / j->k, fine[2] / j->k};
        if (w && v < closest && v > -closest && air[(cell[2] * 8 + cell[1]) * 8 + cell[0]]) {
            v = level_distance(s, w, p, cell, at, j->reach, s->sim.time);
        }
        to[c] = -v;
    }
}

/* The least of five along an axis, in a block with two cells around; flat: nothing along z. */
static void least_of_five(float *v, int size, int stride, int first, int last)
{
    float old[(GRID_SIDE + 4) * (GRID_SIDE + 4) * (GRID_SIDE + 4)];
    memcpy(old, v, (size_t)size * sizeof *old);
    for (int i = 0; i < size; i++) {
        const int at = i / stride % (GRID_SIDE + 4);
        if (at < first || at > last) continue;
        for (int k = -2; k <= 2; k++) v[i] = old[i + k * stride] < v[i] ? old[i + k * stride] : v[i];
    }
}

static void find_bulk(const fine_job *j, uint32_t t)
{
    enum { M = GRID_SIDE + 4 };
    const grid *s = j->s;
    float v[M * M * M];
    grid_block_load(&s->tiles, t, s->field.phi, 2, LEVEL_REACH, v);
    const int size = grid_block_size(&s->tiles, 2);
    for (int a = 0, stride = 1; a < s->tiles.dimensions; a++, stride *= M)
        least_of_five(v, size, stride, 2, GRID_SIDE + 1);
    for (int c = 0; c < s->tiles.cells; c++) {
        const int i = grid_block_first(&s->tiles, 2) + (c / 64 * M + c / 8 % 8) * M + c % 8;
        j->bulk[(size_t)t * (size_t)s->tiles.cells + (size_t)c] = v[i] <= -LEVEL_REACH;
    }
}

static void sample_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const fine_job *j = arg;
    const grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    swarm *w = j->exact ? &j->around[worker] : NULL;
    float phi[N * N * N];
    uint8_t air[GRID_CELLS];
    for (size_t t = begin; t < end; t++) {
        const level_place p = level_place_of(s, (uint32_t)t);
        bool loaded = false;
        for (int b = 0; b < j->parts; b++) {
            const uint32_t slot = j->out->slot[t * (size_t)j->parts + (size_t)b];
            if (slot == LEVEL_OUTSIDE || slot == LEVEL_INSIDE) continue;
            if (!loaded) {
                grid_block_load(&s->tiles, p.tile, s->field.phi, 1, LEVEL_REACH, phi);
                for (int i = 0; i < grid_block_size(&s->tiles, 1); i++)
                    phi[i] = phi[i] < -LEVEL_REACH  ? -LEVEL_REACH
                             : phi[i] > LEVEL_REACH ? LEVEL_REACH
                                                    : phi[i];
                if (w) swarm_load(s, (uint32_t)t, w);
                if (w) find_air(s, phi, air);
                find_bulk(j, (uint32_t)t);
                loaded = true;
            }
            const int part[3] = {b % j->k, b / j->k % j->k, b / (j->k * j->k)};
            sample_block(j, w, &p, phi, air, part, j->from + slot * cells);
        }
    }
}

/* --- smoothing and walls --- */

/* Half a sample and half the mean of its neighbours. */
static void smooth_block(const fine_job *j, size_t id, const float *own, float *to)
{
    const level_grid *g = j->out;
    const int d = j->s->tiles.dimensions, cells = j->s->tiles.cells;
    const int32_t *b = g->map.block[id];
    const float *side[6];
    float all[6];
    for (int f = 0; f < 2 * d; f++) {
        const int step = f % 2 ? 1 : -1;
        const uint32_t near = block_map_find(&g->map, b[0] + (f / 2 == 0 ? step : 0),
                                             b[1] + (f / 2 == 1 ? step : 0), b[2] + (f / 2 == 2 ? step : 0));
        const uint32_t slot = near == BLOCK_NONE ? LEVEL_OUTSIDE : g->slot[near];
        const bool stored = slot != LEVEL_OUTSIDE && slot != LEVEL_INSIDE;
        side[f] = stored ? j->from + (size_t)slot * (size_t)cells : NULL;
        all[f] = slot == LEVEL_INSIDE ? g->inside : g->outside;
    }
    float pad[N * N * N];
    const int deep = d == 3 ? 1 : 0, layers = j->s->tiles.layers;
    for (int r = 0; r < 8 * layers; r++)
        memcpy(pad + ((r / 8 + deep) * N + r % 8 + 1) * N + 1, own + 8 * r, 8 * sizeof *own);
    static const int step[3] = {1, 8, 64}, pad_step[3] = {1, N, N * N};
    for (int f = 0; f < 2 * d; f++) { /* the neighbours' samples next to the block */
        const int a = f / 2, u = a == 0 ? 1 : 0, v = a == 2 ? 1 : 2, rows = v == 2 ? layers : 8;
        float *p = pad + (deep * N + 1) * N + 1 + (f % 2 ? 8 : -1) * pad_step[a];
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < 8; x++)
                p[y * pad_step[v] + x * pad_step[u]] =
                    side[f] ? side[f][(f % 2 ? 0 : 7) * step[a] + y * step[v] + x * step[u]] : all[f];
    }
    const float share = 0.5f / (float)(2 * d);
    for (int r = 0; r < 8 * layers; r++) {
        const float *p = pad + ((r / 8 + deep) * N + r % 8 + 1) * N + 1, *low = deep ? p - N * N : NULL;
        for (int x = 0; x < 8; x++) {
            float sum = p[x - 1] + p[x + 1] + p[x - N] + p[x + N];
            if (deep) sum += low[x] + p[x + N * N];
            to[8 * r + x] = 0.5f * p[x] + share * sum;
        }
    }
    if (j->pass <= EVERYWHERE) return;
    const uint8_t *bulk = j->bulk + id / (size_t)j->parts * (size_t)cells;
    const int k = j->k, part = (int)(id % (size_t)j->parts),
              first[3] = {part % k * 8, part / k % k * 8, part / (k * k) * 8};
    int along[8];
    for (int x = 0; x < 8; x++) along[x] = (first[0] + x) / k;
    for (int r = 0; r < 8 * layers; r++) {
        const uint8_t *row = bulk + ((first[2] + r / 8) / k * 8 + (first[1] + r % 8) / k) * 8;
        for (int x = 0; x < 8; x++)
            if (!row[along[x]]) to[8 * r + x] = own[8 * r + x];
    }
}

static void smooth_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const fine_job *j = arg;
    const size_t cells = (size_t)j->s->tiles.cells;
    for (size_t id = begin; id < end; id++) {
        const uint32_t slot = j->out->slot[id];
        if (slot == LEVEL_OUTSIDE || slot == LEVEL_INSIDE) continue;
        smooth_block(j, id, j->from + slot * cells, j->to + slot * cells);
    }
}

/* The walls' distance at every sample. */
static void wall_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const fine_job *j = arg;
    const grid *s = j->s;
    const int cells = s->tiles.cells;
    const float scale = 1 / (float)j->k;
    for (size_t t = begin; t < end; t++) {
        const level_place p = level_place_of(s, (uint32_t)t);
        for (int b = 0; b < j->parts; b++) {
            const uint32_t slot = j->out->slot[t * (size_t)j->parts + (size_t)b];
            if (slot == LEVEL_OUTSIDE || slot == LEVEL_INSIDE) continue;
            const float *v = j->from + (size_t)slot * (size_t)cells;
            float *wall = j->out->value + (size_t)slot * (size_t)cells;
            for (int c = 0; c < cells; c++) {
                wall[c] = 3;
                if ((!s->field.walled[t] && !borders_boxed(j->ends)) || v[c] <= -far) continue;
                const float at[3] = {((float)(8 * (b % j->k) + c % 8) + 0.5f) * scale,
                                     ((float)(8 * (b / j->k % j->k) + c / 8 % 8) + 0.5f) * scale,
                                     ((float)(8 * (b / (j->k * j->k)) + c / 64) + 0.5f) * scale};
                wall[c] = wall_distance(j, &p, at);
            }
        }
    }
}

static void finish_samples(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const fine_job *j = arg;
    for (size_t i = begin; i < end; i++) {
        const float v = j->from[i], wall = j->out->value[i];
        j->out->value[i] = v < wall ? v : wall;
    }
}

static rill_status make_blocks(fine_job *j, level_grid *out)
{
    const grid *s = j->s;
    rill_ctx *ctx = s->sim.ctx;
    const int k = j->k;
    const size_t count = s->tiles.count * (size_t)j->parts;
    TRY(block_map_reserve(ctx, &out->map, count));
    for (uint32_t t = 0; t < s->tiles.count; t++)
        for (int b = 0; b < j->parts; b++) {
            const int32_t *tile = s->tiles.map.block[t];
            TRY(block_map_add(ctx, &out->map, tile[0] * k + b % k, tile[1] * k + b / k % k,
                              tile[2] * k + b / (k * k)));
        }
    return MEM_NEW(ctx, out->slot, count);
}

rill_status grid_fine_level(grid *s, int k, bool exact, const borders *ends, level_grid *out, float **raw)
{
    rill_ctx *ctx = s->sim.ctx;
    const bool flat = s->tiles.layers == 1;
    fine_job j = {
        .s = s, .k = k, .parts = flat ? k * k : k * k * k, .exact = exact, .out = out, .ends = ends};
    j.reach = 1 + 0.5f / (float)k;
    const double half = 0.5 * s->h / k;
    *out = (level_grid){.origin = v3_add(s->tiles.origin, v3(half, half, flat ? 0 : half)),
                        .cell = s->h / k,
                        .layers = s->tiles.layers,
                        .outside = -LEVEL_REACH,
                        .inside = LEVEL_REACH};
    TRY(make_blocks(&j, out));
    parallel_for(ctx, s->tiles.count, 8, pick_tiles, &j);
    uint32_t stored = 0;
    for (size_t i = 0; i < out->map.count; i++)
        if (out->slot[i] == 0) out->slot[i] = stored++;
    const size_t samples = (size_t)stored * (size_t)s->tiles.cells;
    TRY(MEM_NEW(ctx, out->value, samples));
    TRY(ARENA_NEW(&s->scratch, j.from, samples));
    float *other;
    TRY(ARENA_NEW(&s->scratch, other, samples));
    if (exact) TRY(swarm_make(s, &j.around));
    TRY(ARENA_NEW(&s->scratch, j.bulk, grid_cell_count(&s->tiles)));
    parallel_for(ctx, s->tiles.count, 2, sample_tiles, &j);
    for (int pass = 1; pass <= SMOOTHING; pass++) {
        j.to = other;
        j.pass = pass;
        parallel_for(ctx, out->map.count, 64, smooth_blocks, &j);
        other = j.from;
        j.from = j.to;
    }
    static const filter_gates gates = {
        .noise = 0.12f, .detail = 0.25f, .inner = 0.3f, .outer = 0.5f, .whole = -0.25f, .sheet = -0.45f};
    float *scratch;
    TRY(ARENA_NEW(&s->scratch, scratch, 3 * samples));
    filter_samples(ctx, out, 0.8 * k, &gates, j.from, scratch);
    parallel_for(ctx, s->tiles.count, 8, wall_tiles, &j);
    parallel_for(ctx, samples, 8192, finish_samples, &j);
    *raw = j.from;
    return RILL_OK;
}
