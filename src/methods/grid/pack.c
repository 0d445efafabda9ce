/* The density of the particles: what is wrong with it, and the fluxes that put it right.
 *
 * Small errors go through the velocity: that only changes the right side of the pressure's system. In a
 * liquid so thick that viscosity crosses a cell in a step they would move it faster than its weight does.
 * Where an impact has packed the particles, what drives them apart must not stay in their velocity: a wheel
 * under falling liquid gained a tenth of the energy it lost. They are moved by a field of its own, which no
 * velocity ever sees (shift in project.c; Kugelstadt et al. 2019, Narain et al. 2010). While more than a few
 * of them are packed, steps are half as long (grid_is_packed): they pack less. */
#include "grid/pack.h"

#include <string.h>

enum { N = GRID_SIDE + 2, BLOCK_CELLS = N * N * N };

typedef struct {
    grid *s;
    double rate, hurry;  /* m/s: flux for an error of 1; of positions */
    float *held, *space; /* particles around a cell, and cells full of liquid */
    const uint8_t *active, *some;
    float *flux;
    double *spread; /* NULL: all goes to flux */
    bool thick;     /* small errors go to spread too */
    double *packed; /* per tile: particles in cells that are packed */
} pack_job;

double grid_pack_time(const grid *s, double gravity)
{
    const double wave = gravity > 0 ? 0.5 * sqrt(s->h / gravity) : INFINITY,
                 way = s->pace > 0 ? 12 * s->h / s->pace : INFINITY;
    return fmin(fmin(wave, way), 3 * grid_tension_max_dt(s));
}

/* Sums over cubes (squares) of three cells of a block with one cell around, for the tile's own. */
static void sum_cubes(const grid *s, const float *block, float *out)
{
    float along[N * N * GRID_SIDE], rows[N * GRID_SIDE * GRID_SIDE];
    const int deep = s->tiles.layers == 1 ? 1 : N;
    for (int r = 0; r < deep * N; r++)
        for (int x = 0; x < 8; x++)
            along[r * 8 + x] = block[r * N + x] + block[r * N + x + 1] + block[r * N + x + 2];
    for (int z = 0; z < deep; z++)
        for (int r = 0; r < 64; r++) {
            const float *p = along + z * N * 8 + r;
            rows[z * 64 + r] = p[0] + p[8] + p[16];
        }
    for (int r = 0; r < s->tiles.cells; r++)
        out[r] = deep == 1 ? rows[r] : rows[r] + rows[r + 64] + rows[r + 128];
}

typedef struct {
    float small, large; /* of the density, relative; the answer to it is their sum */
    float packed;       /* 0 to 1: it is so dense that the next step should be shorter */
} pack_error;

/* The density's error: the particles near a cell (held) over what the liquid there can hold (room), both
 * summed over cubes of three cells and those again over three: fewer would be mostly the noise of counting.
 */
static pack_error error_of(const grid *s, float held, float room, uint8_t crowd, bool cut)
{
    const int deep = s->tiles.layers == 1 ? 0 : 1;
    const float full = deep ? 8 : 4;
    /* of counting, about; what a cut cell holds is known less well, and what is near a surface */
    const float noise = cut ? 0.1f : deep || room > 60 ? 0.005f : 0.01f;
    float error = room > (deep ? 200 : 25) ? held / (full * room) - 1 : 0;
    error = error > noise ? error - noise : error < -noise ? error + noise : 0;
    /* Small errors go slowly, for what moves to mend them stirs waves; large ones must not wait. */
    const float large = deep ? 0.01f : 0.04f, hurry = deep ? 6 : 3.5f;
    pack_error e = {.small = error > large ? large : error < -large ? -large : error};
    const float dense = deep ? 0.25f : 0.04f; /* from 3/4 to 5/4 of it */
    e.packed = fminf(fmaxf(2 * error / dense - 1.5f, 0), 1);
    e.large = hurry * (error - e.small);
    const float own = (float)crowd / full - 2;
    if (own > e.small + e.large) e.large = own - e.small;
    if (e.small + e.large > 0.5f) e.large = 0.5f - e.small;
    if (e.small + e.large < -0.2f) e.large = -0.2f - e.small;
    return e;
}

/* The particles in the cubes of three cells around each, and what they can hold. */
static void gather_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const pack_job *j = arg;
    const grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    float phi[BLOCK_CELLS], room[BLOCK_CELLS];
    uint8_t crowd[BLOCK_CELLS];
    for (size_t t = begin; t < end; t++) {
        const int size = grid_block_size(&s->tiles, 1);
        grid_block_load_u8(&s->tiles, (uint32_t)t, s->field.crowd, 1, 0, crowd);
        grid_block_load(&s->tiles, (uint32_t)t, s->field.phi, 1, 1.5f, phi);
        bool any = false;
        for (int i = 0; i < size; i++) any |= crowd[i] || phi[i] < 0.5f;
        if (!any) {
            memset(j->held + t * cells, 0, cells * sizeof *j->held);
            memset(j->space + t * cells, 0, cells * sizeof *j->space);
            continue;
        }
        grid_block_load(&s->tiles, (uint32_t)t, s->field.room, 1, 0, room);
        for (int i = 0; i < size; i++) room[i] *= grid_filled(phi[i]);
        for (int i = 0; i < size; i++) phi[i] = (float)crowd[i];
        sum_cubes(s, phi, j->held + t * cells);
        sum_cubes(s, room, j->space + t * cells);
    }
}

/* The fluxes of the cells of tiles that have liquid. */
static void flux_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const pack_job *j = arg;
    const grid *s = j->s;
    float block[BLOCK_CELLS], held[GRID_CELLS], room[GRID_CELLS];
    for (size_t t = begin; t < end; t++) {
        j->packed[t] = 0;
        if (!j->some[t]) continue;
        const size_t base = t * (size_t)s->tiles.cells;
        grid_block_load(&s->tiles, (uint32_t)t, j->held, 1, 0, block);
        sum_cubes(s, block, held);
        grid_block_load(&s->tiles, (uint32_t)t, j->space, 1, 0, block);
        sum_cubes(s, block, room);
        for (int c = 0; c < s->tiles.cells; c++) {
            const size_t i = base + (size_t)c;
            const pack_error e = error_of(s, held[c], room[c], s->field.crowd[i], s->field.walled[t] & 2);
            j->packed[t] += (double)(e.packed * (float)s->field.crowd[i]);
            if (!j->spread) {
                j->flux[i] += (float)j->rate * (e.small + e.large);
                continue;
            }
            const double small = j->rate * (double)e.small, large = j->hurry * (double)e.large;
            if (!j->thick) j->flux[i] += (float)small;
            if (j->active[i]) j->spread[i] = j->thick ? small + large : large;
        }
    }
}

rill_status grid_pack_flux(grid *s, double dt, double gravity, const uint8_t *some, float *flux,
                           double *spread)
{
    const double time = grid_pack_time(s, gravity), way = s->def.pack * s->h;
    pack_job j = {
        .s = s,
        .rate = way / fmax(3 * dt, time),
        .hurry = way / fmax(3.1 * dt, time / 1.5), /* faster, films swell and standing waves lose height */
        .active = s->field.active,
        .some = some,
        .flux = flux,
        .spread = spread,
        .thick = s->sim.scene->fluid.viscosity * dt > s->sim.scene->fluid.density * s->h * s->h};
    TRY(ARENA_NEW(&s->sorting, j.held, grid_cell_count(&s->tiles)));
    TRY(ARENA_NEW(&s->sorting, j.space, grid_cell_count(&s->tiles)));
    parallel_for(s->sim.ctx, s->tiles.count, 8, gather_tiles, &j);
    TRY(ARENA_NEW(&s->sorting, j.packed, s->tiles.count));
    parallel_for(s->sim.ctx, s->tiles.count, 8, flux_tiles, &j);
    double packed = 0;
    for (uint32_t t = 0; t < s->tiles.count; t++) packed += j.packed[t];
    s->packed = s->particles.count ? packed / (double)s->particles.count : 0;
    return RILL_OK;
}

bool grid_is_packed(const grid *s)
{
    /* of all particles; in three dimensions shorter steps cost more than the figures ask for */
    const double few = s->tiles.layers == 1 ? 0.04 : 0.15;
    return s->packed > few;
}
