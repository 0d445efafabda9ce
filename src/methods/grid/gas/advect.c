/* Velocity carried by itself, semi-Lagrangian: the liquid grid's advection, on tiles that end at the domain's
 * sides (grid/advect.h). */
#include "grid/advect.h"
#include "grid/gas/state.h"

#include <string.h>

static double fastest_term(void *arg, size_t begin, size_t end)
{
    const gas *s = arg;
    float most = 0;
    for (int a = 0; a < s->grid.tiles.dimensions; a++)
        for (size_t i = begin; i < end; i++) most = fmaxf(most, fabsf(s->u[a][i]));
    return most;
}

bool gas_corrects(const gas *s)
{
    return s->grid.def.advection == GRID_MACCORMACK && s->grid.sim.solids.count;
}

typedef struct {
    const grid *g;
    float *const *out;
} marking;

static void mark_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const marking *m = arg;
    const size_t cells = (size_t)m->g->tiles.cells;
    for (size_t tile = begin; tile < end; tile++)
        for (int a = 0; a < m->g->tiles.dimensions; a++)
            for (size_t i = tile * cells; i < (tile + 1) * cells; i++)
                m->out[a][i] = m->g->field.walled[tile] & 2 && !(m->g->field.open[a][i] > 0) ? 1 : 0;
}

/* Faces that solids close: their velocity is continued from the gas, not carried by it. */
static rill_status mark_continued(gas *s, float *out[3])
{
    grid *g = &s->grid;
    for (int a = 0; a < g->tiles.dimensions; a++)
        TRY(ARENA_NEW(&g->scratch, out[a], grid_cell_count(&g->tiles)));
    parallel_for(g->sim.ctx, g->tiles.count, 32, mark_tiles, &(marking){g, out});
    return RILL_OK;
}

rill_status gas_carry(gas *s, double dt, float *const carried[3])
{
    grid *g = &s->grid;
    const size_t n = grid_cell_count(&g->tiles);
    const double fastest = parallel_max(g->sim.ctx, n, fastest_term, s);
    grid_carried field[3];
    float *from[3] = {0}, *continued[3] = {0};
    const arena_mark mark = arena_mark_of(&g->scratch);
    if (!(fastest > 0)) { /* nothing moves what is carried */
        for (int a = 0; a < g->tiles.dimensions && carried; a++)
            memcpy(s->u[a], carried[a], n * sizeof *carried[a]);
        return RILL_OK;
    }
    if (gas_corrects(s)) TRY(mark_continued(s, continued));
    for (int a = 0; a < g->tiles.dimensions; a++) {
        TRY(ARENA_NEW(&g->scratch, from[a], n));
        memcpy(from[a], s->u[a], n * sizeof *from[a]);
        field[a] = (grid_carried){carried ? carried[a] : from[a], s->u[a], a, 0, continued[a]};
    }
    const float *const path[3] = {from[0], from[1], from[2]};
    TRY(grid_advect(g, path, fastest, dt, field, g->tiles.dimensions));
    arena_back(&g->scratch, mark);
    return RILL_OK;
}
