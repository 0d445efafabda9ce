#include "whitewater/samples.h"

void sample_cells_clear(rill_ctx *ctx, sample_cells *c)
{
    block_map_clear(ctx, &c->blocks);
    *c = (sample_cells){0};
}

static float spacing_of(const liquid_samples *liquid, size_t i)
{
    const float own = liquid->size ? liquid->size[i] : 0;
    return own > 0 ? own : (float)liquid->spacing;
}

static bool counts(const liquid_samples *liquid, size_t i)
{
    return v3_finite(liquid->position[i]) && v3_finite(liquid->velocity[i]) &&
           (!liquid->level || liquid->level[i] < 0);
}

static int cell_in_block(const int32_t cell[3])
{
    return ((cell[2] & 7) * 8 + (cell[1] & 7)) * 8 + (cell[0] & 7);
}

/* Blocks are 8 cells wide on every axis; in two dimensions one layer of them is used. */
static uint32_t block_of(const sample_cells *c, const int32_t cell[3])
{
    return block_map_find(&c->blocks, cell[0] >> 3, cell[1] >> 3, cell[2] >> 3);
}

/* The cell of each sample, as place in `start`; those that do not count have none. Adds the blocks. */
static rill_status find_homes(rill_ctx *ctx, sample_cells *c, const liquid_samples *liquid, uint32_t *home)
{
    uint32_t block = BLOCK_NONE;
    int32_t last[3] = {0};
    for (size_t i = 0; i < liquid->count; i++) {
        int32_t cell[3];
        home[i] = SAMPLE_NO_CELL;
        if (!counts(liquid, i) || !sample_cell_at(c, liquid->position[i], cell)) continue;
        if (block == BLOCK_NONE || cell[0] >> 3 != last[0] || cell[1] >> 3 != last[1] ||
            cell[2] >> 3 != last[2]) {
            for (int a = 0; a < 3; a++) last[a] = cell[a] >> 3;
            block = block_map_find(&c->blocks, last[0], last[1], last[2]);
            if (block == BLOCK_NONE) {
                block = (uint32_t)c->blocks.count;
                if (block >= UINT32_MAX / SAMPLE_BLOCK_CELLS - 1)
                    return rill_fail(ctx, RILL_BLEW_UP, "the liquid is scattered over too much space");
                TRY(block_map_add(ctx, &c->blocks, last[0], last[1], last[2]));
            }
        }
        home[i] = block * SAMPLE_BLOCK_CELLS + (uint32_t)cell_in_block(cell);
    }
    return RILL_OK;
}

static void put(sample_cells *c, const liquid_samples *liquid, const uint32_t *home)
{
    for (size_t i = 0; i < liquid->count; i++) {
        if (home[i] == SAMPLE_NO_CELL) continue;
        const uint32_t k = c->start[home[i]]++; /* which becomes the end, and so the start of the next */
        c->position[k] = liquid->position[i];
        c->velocity[k] = liquid->velocity[i];
        c->id[k] = liquid->id[i];
        c->spacing[k] = spacing_of(liquid, i);
    }
}

static rill_status sort(rill_ctx *ctx, rill_arena *arena, const liquid_samples *liquid, sample_cells *c)
{
    uint32_t *home, fullest = 0;
    TRY(ARENA_NEW(arena, home, liquid->count));
    TRY(find_homes(ctx, c, liquid, home));
    const size_t cells = c->blocks.count * SAMPLE_BLOCK_CELLS;
    TRY(ARENA_NEW(arena, c->start, cells + 1));
    for (size_t k = 0; k <= cells; k++) c->start[k] = 0;
    for (size_t i = 0; i < liquid->count; i++)
        if (home[i] != SAMPLE_NO_CELL) c->start[home[i] + 1]++;
    for (size_t k = 1; k <= cells; k++) {
        fullest = c->start[k] > fullest ? c->start[k] : fullest;
        c->start[k] += c->start[k - 1];
    }
    c->count = c->start[cells];
    TRY(ARENA_NEW(arena, c->position, c->count));
    TRY(ARENA_NEW(arena, c->velocity, c->count));
    TRY(ARENA_NEW(arena, c->id, c->count));
    TRY(ARENA_NEW(arena, c->spacing, c->count));
    put(c, liquid, home);
    for (size_t k = cells; k > 0; k--) c->start[k] = c->start[k - 1];
    c->start[0] = 0;
    const size_t around = (size_t)fullest * (c->dimensions == 2 ? 9 : 27);
    c->most = (around < c->count ? around : c->count) + 8;
    return RILL_OK;
}

rill_status sample_cells_build(rill_ctx *ctx, rill_arena *arena, const liquid_samples *liquid,
                               rill_vec3 origin, sample_cells *out)
{
    double largest = liquid->spacing;
    for (size_t i = 0; liquid->size && i < liquid->count; i++)
        largest = fmax(largest, (double)spacing_of(liquid, i));
    sample_cells c = {.dimensions = liquid->dimensions, .origin = origin, .cell = SAMPLE_REACH * largest};
    c.inverse = 1 / c.cell;
    c.reach = SAMPLE_REACH * liquid->spacing;
    const rill_status st = sort(ctx, arena, liquid, &c);
    if (st)
        sample_cells_clear(ctx, &c);
    else
        *out = c;
    return st;
}

rill_status near_samples_init(rill_arena *arena, const sample_cells *c, near_samples *out)
{
    near_samples n = {0};
    float **column[] = {&n.x, &n.y, &n.z, &n.u, &n.v, &n.w, &n.inverse2, &n.nx, &n.ny, &n.nz};
    for (size_t k = 0; k < sizeof column / sizeof *column; k++) TRY(ARENA_NEW(arena, *column[k], c->most));
    TRY(ARENA_NEW(arena, n.sample, c->most));
    *out = n;
    return RILL_OK;
}

static void add_cell(const sample_cells *c, uint32_t begin, uint32_t end, const int32_t cell[3],
                     const float (*normal)[3], near_samples *out)
{
    size_t to = out->count;
    for (uint32_t k = begin; k < end; k++, to++) {
        float at[3];
        near_samples_place(c, cell, c->position[k], at);
        const float reach = SAMPLE_REACH * c->spacing[k] * (float)c->inverse;
        out->x[to] = at[0], out->y[to] = at[1], out->z[to] = at[2];
        out->u[to] = (float)c->velocity[k].x, out->v[to] = (float)c->velocity[k].y;
        out->w[to] = (float)c->velocity[k].z;
        out->inverse2[to] = 1 / (reach * reach);
        out->sample[to] = k;
        if (normal) out->nx[to] = normal[k][0], out->ny[to] = normal[k][1], out->nz[to] = normal[k][2];
    }
    out->count = to;
}

void near_samples_gather(const sample_cells *c, const int32_t cell[3], const float (*normal)[3],
                         near_samples *out)
{
    const int deep = c->dimensions == 2 ? 0 : 1;
    uint32_t block = BLOCK_NONE;
    int32_t last[3] = {INT32_MIN, 0, 0};
    out->count = 0;
    for (int z = -deep; z <= deep; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                const int32_t at[3] = {cell[0] + x, cell[1] + y, cell[2] + z};
                if (at[0] >> 3 != last[0] || at[1] >> 3 != last[1] || at[2] >> 3 != last[2]) {
                    for (int a = 0; a < 3; a++) last[a] = at[a] >> 3;
                    block = block_of(c, at);
                }
                if (block == BLOCK_NONE) continue;
                const uint32_t *start = c->start + (size_t)block * SAMPLE_BLOCK_CELLS + cell_in_block(at);
                add_cell(c, start[0], start[1], cell, normal, out);
            }
    out->padded = out->count;
    for (; out->padded & 7; out->padded++) {
        const size_t to = out->padded;
        out->x[to] = out->y[to] = out->z[to] = 1e6f;
        out->u[to] = out->v[to] = out->w[to] = out->nx[to] = out->ny[to] = out->nz[to] = 0;
        out->inverse2[to] = 1;
    }
}
