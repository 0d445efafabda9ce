/* Soot and heat carried by what flows through the faces of cells.
 *
 * One axis after the other, in substeps in which less flows out of any cell than is in it. The value that a
 * flux takes along is that of the cell it leaves, with a slope limited by the neighbours (van Leer's
 * monotonized central one, second order in space and time along the axis). A cell has a volume, `hold`, which
 * its fluxes change as they change its soot: between the axes gas is compressed and expanded, and with the
 * volume of that moment a value is a mean of values that were there before. So
 *   - soot * hold summed up is what came in less what went out, whatever the residual of the pressure solve;
 *   - no value is above or below all those around it before: soot is never negative.
 * After the last axis hold is 1 but for that residual, and it is kept. Where solids move, hold goes down as
 * they come into a cell and up as they leave it; smoke in cells that they cover is given to the cells beside.
 *
 * Cells cut by walls count as whole ones for this: the volume of a cell at rest does not matter to the two
 * statements above, and with its true volume nearly closed cells would need tiny substeps. */
#include "grid/gas/state.h"

#include <string.h>

enum { LANES = 64, REACH = 2, LINE = GRID_SIDE + 2 * REACH, MOST_SUBSTEPS = 64 };
static const double fullest = 0.9; /* part of a cell's gas that may leave it in a substep */
/* No cell with a pressure has less left than a tenth of 0.25; tiles around the core, with velocities that are
 * not quite free of divergence, might. */
static const float least_left = 0.02f;
static const float least_hold = 0.25f; /* at the end of a step, of a cell that solids cover more and more */

typedef struct {
    gas *s;
    float step; /* step, then substep, / h */
    int axis;
    float *soot, *heat, *hold;    /* before the sweep */
    float *soot2, *heat2, *hold2; /* after it */
    uint8_t *live;                /* per tile: smoke is in it or near */
    const uint8_t *seen;          /* per tile: it has smoke */
} sweep_job;

/* ---- lines of a tile along an axis: [place along it][place across], 64 across (8 in two dimensions) ---- */

static inline int lanes_of(const grid_tiles *t)
{
    return t->layers == 1 ? GRID_SIDE : LANES;
}

/* One layer across the axis, of the tile's cells with this place along it. */
static void load_layer(const grid_tiles *t, int axis, const float *cells, int at, float *out)
{
    if (axis == 2)
        memcpy(out, cells + at * LANES, LANES * sizeof *out);
    else if (axis == 1)
        for (int z = 0; z < t->layers; z++)
            memcpy(out + z * 8, cells + z * 64 + at * 8, GRID_SIDE * sizeof *out);
    else
        for (int k = 0; k < lanes_of(t); k++) out[k] = cells[k * 8 + at];
}

static void store_layer(const grid_tiles *t, int axis, const float *in, int at, float *cells)
{
    if (axis == 2)
        memcpy(cells + at * LANES, in, LANES * sizeof *in);
    else if (axis == 1)
        for (int z = 0; z < t->layers; z++)
            memcpy(cells + z * 64 + at * 8, in + z * 8, GRID_SIDE * sizeof *in);
    else
        for (int k = 0; k < lanes_of(t); k++) cells[k * 8 + at] = in[k];
}

/* Layers from -REACH to 7 + REACH, `absent` where there is no tile. */
static void load_lines(const grid_tiles *t, uint32_t tile, int axis, const float *field, float absent,
                       float out[LINE][LANES])
{
    for (int k = 0; k < LINE; k++) {
        const int at = k - REACH, side = at < 0 ? -1 : at >= GRID_SIDE;
        const uint32_t from =
            t->near[tile][grid_near_index(axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0)];
        if (from != GRID_NONE)
            load_layer(t, axis, field + (size_t)from * (size_t)t->cells, at & 7, out[k]);
        else
            for (int l = 0; l < LANES; l++) out[k][l] = absent;
    }
}

/* Beyond an open side there is fresh air, beyond a closed one, where a source blows in, gas as within. */
static void end_lines(const gas *s, uint32_t tile, int axis, float soot[LINE][LANES], float heat[LINE][LANES],
                      float hold[LINE][LANES])
{
    const grid_tiles *t = &s->grid.tiles;
    const uint32_t open = s->grid.sim.scene->domain.open;
    const int32_t corner = t->map.block[tile][axis] * GRID_SIDE - REACH;
    for (int k = 0; k < LINE; k++) {
        const bool before = corner + k<t->first[axis], after = corner + k> t->last[axis];
        if (!before && !after) continue;
        const int32_t edge = (before ? t->first[axis] : t->last[axis]) - corner;
        const bool air = open & (before ? 1u : 2u) << (2 * axis) || edge < 0 || edge >= LINE;
        for (int l = 0; l < LANES; l++) {
            soot[k][l] = air ? 0 : soot[edge][l];
            heat[k][l] = air ? 0 : heat[edge][l];
            hold[k][l] = 1;
        }
    }
}

/* Volume through the faces 0 to 8 of the lines, of cells. */
static void load_flux(const sweep_job *j, uint32_t tile, float out[GRID_SIDE + 1][LANES])
{
    const grid *g = &j->s->grid;
    const grid_tiles *t = &g->tiles;
    const int a = j->axis;
    float open[LANES];
    for (int k = 0; k <= GRID_SIDE; k++) {
        const uint32_t from = k < GRID_SIDE ? tile : t->near[tile][grid_near_index(a == 0, a == 1, a == 2)];
        if (from == GRID_NONE) {
            memset(out[k], 0, sizeof out[k]);
            continue;
        }
        const size_t base = (size_t)from * (size_t)t->cells;
        load_layer(t, a, g->field.u[a] + base, k & 7, out[k]);
        load_layer(t, a, g->field.open[a] + base, k & 7, open);
        for (int l = 0; l < lanes_of(t); l++) out[k][l] *= open[l] * j->step;
    }
}

static inline float limited(float below, float at, float above)
{
    const float down = at - below, up = above - at, mean = 0.5f * (down + up);
    const float least = 2 * fminf(fabsf(down), fabsf(up));
    const float size = fminf(fabsf(mean), least);
    return down * up > 0 ? copysignf(size, mean) : 0;
}

/* What a value's fluxes through the faces are; v: the lines of it. */
static void value_flux(int lanes, float v[LINE][LANES], float hold[LINE][LANES],
                       float flux[GRID_SIDE + 1][LANES], float out[GRID_SIDE + 1][LANES])
{
    for (int f = 0; f <= GRID_SIDE; f++) {
        const float *a = v[f], *b = v[f + 1], *c = v[f + 2], *d = v[f + 3]; /* the face is between b and c */
        for (int l = 0; l < lanes; l++) {
            const float w = flux[f][l];
            const float forth = b[l] + 0.5f * (1 - w / hold[f + 1][l]) * limited(a[l], b[l], c[l]);
            const float back = c[l] - 0.5f * (1 + w / hold[f + 2][l]) * limited(b[l], c[l], d[l]);
            out[f][l] = w * (w > 0 ? forth : back);
        }
    }
}

typedef struct {
    float soot[LINE][LANES], heat[LINE][LANES], hold[LINE][LANES];
    float flux[GRID_SIDE + 1][LANES], soot_flux[GRID_SIDE + 1][LANES], heat_flux[GRID_SIDE + 1][LANES];
} tile_lines;

static void sweep_tile(const sweep_job *j, uint32_t tile, tile_lines *k)
{
    const grid_tiles *t = &j->s->grid.tiles;
    const int lanes = lanes_of(t);
    load_lines(t, tile, j->axis, j->soot, 0, k->soot);
    load_lines(t, tile, j->axis, j->heat, 0, k->heat);
    load_lines(t, tile, j->axis, j->hold, 1, k->hold);
    end_lines(j->s, tile, j->axis, k->soot, k->heat, k->hold);
    load_flux(j, tile, k->flux);
    value_flux(lanes, k->soot, k->hold, k->flux, k->soot_flux);
    value_flux(lanes, k->heat, k->hold, k->flux, k->heat_flux);
    const size_t base = (size_t)tile * (size_t)t->cells;
    for (int at = 0; at < GRID_SIDE; at++) {
        float soot[LANES], heat[LANES], hold[LANES];
        for (int l = 0; l < lanes; l++) {
            const float before = k->hold[at + REACH][l],
                        after = fmaxf(before - (k->flux[at + 1][l] - k->flux[at][l]), least_left);
            hold[l] = after;
            soot[l] = fmaxf(
                (before * k->soot[at + REACH][l] - (k->soot_flux[at + 1][l] - k->soot_flux[at][l])) / after,
                0);
            heat[l] =
                (before * k->heat[at + REACH][l] - (k->heat_flux[at + 1][l] - k->heat_flux[at][l])) / after;
        }
        store_layer(t, j->axis, soot, at, j->soot2 + base);
        store_layer(t, j->axis, heat, at, j->heat2 + base);
        store_layer(t, j->axis, hold, at, j->hold2 + base);
    }
}

static void sweep_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sweep_job *j = arg;
    const grid_tiles *t = &j->s->grid.tiles;
    tile_lines lines;
    for (size_t tile = begin; tile < end; tile++) {
        if (!j->live[tile]) continue;
        sweep_tile(j, (uint32_t)tile, &lines);
        if (gas_tile_inside(t, (uint32_t)tile)) continue;
        for (int c = 0; c < t->cells; c++) {
            if (gas_inside(t, (uint32_t)tile, c)) continue;
            const size_t i = tile * (size_t)t->cells + (size_t)c;
            j->soot2[i] = j->heat2[i] = 0; /* what has left is gone */
            j->hold2[i] = 1;
        }
    }
}

/* ---- which tiles, and how many substeps ---- */

static void seen_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sweep_job *j = arg;
    const size_t cells = (size_t)j->s->grid.tiles.cells;
    for (size_t t = begin; t < end; t++) {
        bool some = false;
        for (size_t i = t * cells; i < (t + 1) * cells && !some; i++)
            some = j->soot[i] != 0 || j->heat[i] != 0;
        ((uint8_t *)j->seen)[t] = some;
    }
}

/* Smoke goes less than a tile in a substep. A tile once live stays so until the step is done: the two copies
 * of the fields differ there. */
static void live_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sweep_job *j = arg;
    const grid_tiles *t = &j->s->grid.tiles;
    for (size_t tile = begin; tile < end; tile++)
        for (int k = 0; k < GRID_NEAR && !j->live[tile]; k++) {
            const uint32_t near = t->near[tile][k];
            j->live[tile] = near != GRID_NONE && j->seen[near];
        }
}

/* Speeds through the faces of a cell: what goes out, and how much more than comes in. */
static float cell_flow(const grid *g, size_t tile, int c, float *net)
{
    const grid_tiles *t = &g->tiles;
    const size_t i = tile * (size_t)t->cells + (size_t)c;
    float out = 0, in = 0;
    for (int a = 0; a < t->dimensions; a++) {
        const size_t stride = a == 0 ? 1 : a == 1 ? 8 : 64;
        size_t k = i + stride;
        if ((size_t)c / stride % 8 == 7) {
            const uint32_t next = t->near[tile][grid_near_index(a == 0, a == 1, a == 2)];
            k = next == GRID_NONE ? SIZE_MAX : (size_t)next * (size_t)t->cells + (size_t)c - 7 * stride;
        }
        const float low = g->field.open[a][i] * g->field.u[a][i],
                    high = k == SIZE_MAX ? 0 : g->field.open[a][k] * g->field.u[a][k];
        out += fmaxf(high, 0) + fmaxf(-low, 0);
        in += fmaxf(low, 0) + fmaxf(-high, 0);
    }
    *net = out - in;
    return out;
}

/* The largest part of a cell's gas that flows out in the step. */
static double outflow_term(void *arg, size_t begin, size_t end)
{
    const sweep_job *j = arg;
    const grid *g = &j->s->grid;
    const size_t cells = (size_t)g->tiles.cells;
    double most = 0;
    for (size_t tile = begin; tile < end; tile++)
        for (size_t c = 0; c < cells; c++) {
            const size_t i = tile * cells + c;
            float net;
            if (!g->field.active[i]) continue;
            const float out = j->step * cell_flow(g, tile, (int)c, &net),
                        left = j->hold[i] - fmaxf(j->step * net, 0); /* at the end of the step */
            const double part = (double)(out / left);
            if (!(part <= most)) most = part;
        }
    return most;
}

/* ---- solids that move ---- */

static size_t beside(const grid_tiles *t, size_t tile, int c, int side)
{
    int at[3] = {c % 8, c / 8 % 8, c / 64};
    at[side / 2] += side % 2 ? 1 : -1;
    return grid_cell_near(t, (uint32_t)tile, at[0], at[1], at[2]);
}

/* Cells with gas beside a covered one, among which its smoke is shared out. */
static int takers(const gas *s, size_t tile, int c)
{
    int count = 0;
    for (int side = 0; side < 2 * s->grid.tiles.dimensions; side++) {
        const size_t k = beside(&s->grid.tiles, tile, c, side);
        count += k != SIZE_MAX && s->grid.field.active[k];
    }
    return count;
}

/* Every cell with gas takes its share of what covered cells beside it hold; soot2, heat2, hold2 get it. */
static void expel_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sweep_job *j = arg;
    const gas *s = j->s;
    const grid_tiles *t = &s->grid.tiles;
    for (size_t tile = begin; tile < end; tile++)
        for (int c = 0; c < t->cells; c++) {
            const size_t i = tile * (size_t)t->cells + (size_t)c;
            const bool gassy = s->grid.field.active[i];
            double soot = (double)j->soot[i] * (double)j->hold[i],
                   heat = (double)j->heat[i] * (double)j->hold[i];
            float hold = j->hold[i];
            if (!gassy && gas_inside(t, (uint32_t)tile, c)) {
                if (takers(s, tile, c)) soot = heat = 0, hold = least_hold;
            } else if (gassy && s->grid.field.walled[tile]) {
                float net;
                (void)cell_flow(&s->grid, tile, c, &net);
                hold = fmaxf(hold, least_hold + fmaxf(j->step * net, 0));
                for (int side = 0; side < 2 * t->dimensions; side++) {
                    const size_t k = beside(t, tile, c, side);
                    if (k == SIZE_MAX || s->grid.field.active[k] || !(j->soot[k] != 0 || j->heat[k] != 0))
                        continue;
                    const size_t from = k / (size_t)t->cells;
                    const int share = takers(s, from, (int)(k % (size_t)t->cells));
                    soot += (double)j->soot[k] * (double)j->hold[k] / share;
                    heat += (double)j->heat[k] * (double)j->hold[k] / share;
                }
            }
            j->soot2[i] = (float)(soot / (double)hold);
            j->heat2[i] = (float)(heat / (double)hold);
            j->hold2[i] = hold;
        }
}

/* ---- the whole ---- */

static void swap(float **a, float **b)
{
    float *c = *a;
    *a = *b;
    *b = c;
}

static void swap_copies(sweep_job *j)
{
    swap(&j->soot, &j->soot2);
    swap(&j->heat, &j->heat2);
    swap(&j->hold, &j->hold2);
}

/* The other axes follow in this order, and back in the next substep. */
static void substep(sweep_job *j, bool backwards)
{
    const grid_tiles *t = &j->s->grid.tiles;
    rill_ctx *ctx = j->s->grid.sim.ctx;
    parallel_for(ctx, t->count, 32, seen_tiles, j);
    parallel_for(ctx, t->count, 32, live_tiles, j);
    for (int k = 0; k < t->dimensions; k++) {
        j->axis = backwards ? t->dimensions - 1 - k : k;
        parallel_for(ctx, t->count, 4, sweep_tiles, j);
        swap_copies(j);
    }
}

rill_status gas_transport(gas *s, double dt)
{
    grid *g = &s->grid;
    rill_ctx *ctx = g->sim.ctx;
    const size_t n = grid_cell_count(&g->tiles);
    const arena_mark mark = arena_mark_of(&g->scratch);
    sweep_job j = {.s = s, .step = (float)(dt / g->h), .soot = s->soot, .heat = s->heat, .hold = s->hold};
    if (g->sim.scene->smoke_count == 0) return RILL_OK;
    TRY(ARENA_NEW(&g->scratch, j.soot2, n));
    TRY(ARENA_NEW(&g->scratch, j.heat2, n));
    TRY(ARENA_NEW(&g->scratch, j.hold2, n));
    TRY(ARENA_NEW(&g->scratch, j.live, g->tiles.count));
    TRY(ARENA_NEW(&g->scratch, j.seen, g->tiles.count));
    memset(j.live, 0, g->tiles.count);
    if (g->sim.solids.moving) {
        parallel_for(ctx, g->tiles.count, 8, expel_tiles, &j);
        swap_copies(&j);
    }
    memcpy(j.soot2, j.soot, n * sizeof *j.soot);
    memcpy(j.heat2, j.heat, n * sizeof *j.heat);
    memcpy(j.hold2, j.hold, n * sizeof *j.hold);
    const double most = parallel_max(ctx, g->tiles.count, outflow_term, &j);
    if (!(most < fullest * MOST_SUBSTEPS))
        return rill_fail(ctx, RILL_BLEW_UP, "gas leaves a cell %.3g times in a step", most);
    const int count = (int)fmax(1, ceil(most / fullest));
    j.step = (float)(dt / g->h / count);
    for (int k = 0; k < count; k++) substep(&j, (g->sim.step + (uint64_t)k) % 2);
    if (j.soot != s->soot) {
        memcpy(s->soot, j.soot, n * sizeof *j.soot);
        memcpy(s->heat, j.heat, n * sizeof *j.heat);
        memcpy(s->hold, j.hold, n * sizeof *j.hold);
    }
    arena_back(&g->scratch, mark);
    return RILL_OK;
}
