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

rill_status gas_carry(gas *s, double dt, float *const carried[3])
{
    grid *g = &s->grid;
    const size_t n = grid_cell_count(&g->tiles);
    const double fastest = parallel_max(g->sim.ctx, n, fastest_term, s);
    grid_carried field[3];
    float *from[3] = {0};
    const arena_mark mark = arena_mark_of(&g->scratch);
    if (!(fastest > 0)) { /* nothing moves what is carried */
        for (int a = 0; a < g->tiles.dimensions && carried; a++)
            memcpy(s->u[a], carried[a], n * sizeof *carried[a]);
        return RILL_OK;
    }
    for (int a = 0; a < g->tiles.dimensions; a++) {
        TRY(ARENA_NEW(&g->scratch, from[a], n));
        memcpy(from[a], s->u[a], n * sizeof *from[a]);
        field[a] = (grid_carried){carried ? carried[a] : from[a], s->u[a], a, 0};
    }
    const float *const path[3] = {from[0], from[1], from[2]};
    TRY(grid_advect(g, path, fastest, dt, field, g->tiles.dimensions));
    arena_back(&g->scratch, mark);
    return RILL_OK;
}
