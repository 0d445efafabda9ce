/* Nothing hangs from a ceiling.
 *
 * A wall holds the liquid that leaves it: no air can come in between on a grid, and a film
 * under a ceiling would stay for ever. Where the liquid below a wall is no more than a few
 * cells deep and moves away from it, the face is opened to air for the step. */
#include "grid/state.h"

enum { DEEPEST = 5 };

typedef struct {
    grid *s;
    int axis, down; /* gravity's: the axis it is along most, and which way */
} detach_job;

/* Whether there is air within a few cells below a cell, counted from a tile's first. */
static bool thin_below(const detach_job *j, uint32_t tile, const int cell[3])
{
    const grid *s = j->s;
    for (int k = 1; k <= DEEPEST; k++) {
        int at[3] = {cell[0], cell[1], cell[2]};
        at[j->axis] += k * j->down;
        const size_t c = grid_cell_near(&s->tiles, tile, at[0], at[1], at[2]);
        if (c == SIZE_MAX) return true;
        if (s->field.room[c] == 0) return false;
        if (s->field.phi[c] >= 0) return true;
    }
    return false;
}

static void detach_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const detach_job *j = arg;
    grid *s = j->s;
    const int a = j->axis, cells = s->tiles.cells;
    const float frame = (float)v3_axis(s->frame, a);
    for (size_t t = begin; t < end; t++) {
        if (!s->field.walled[t]) continue;
        for (int c = 0; c < cells; c++) {
            const size_t i = t * (size_t)cells + (size_t)c;
            if (s->field.open[a][i] > 0 || !(s->field.weighed[i] & 1u << a)) continue;
            if (!((s->field.u[a][i] + frame) * (float)j->down > 0)) continue;
            int lower[3] = {c % 8, c / 8 % 8, c / 64}, upper[3] = {c % 8, c / 8 % 8, c / 64};
            (j->down < 0 ? lower : upper)[a]--;
            const size_t below = grid_cell_near(&s->tiles, (uint32_t)t, lower[0], lower[1], lower[2]),
                         above = grid_cell_near(&s->tiles, (uint32_t)t, upper[0], upper[1], upper[2]);
            if (below == SIZE_MAX || s->field.phi[below] >= 0 || s->field.room[below] < 0.5f) continue;
            if (above != SIZE_MAX && s->field.room[above] > 0) continue;
            if (thin_below(j, (uint32_t)t, lower)) s->field.open[a][i] = 1;
        }
    }
}

void grid_detach(grid *s)
{
    if (!s->field.weighed) return; /* velocities there are the extrapolation's */
    detach_job j = {.s = s, .down = -1};
    double most = 0;
    for (int a = 0; a < s->tiles.dimensions; a++) {
        const double g = v3_axis(s->step.gain, a);
        if (fabs(g) <= most) continue;
        most = fabs(g);
        j.axis = a;
        j.down = g < 0 ? -1 : 1;
    }
    if (most > 0) parallel_for(s->sim.ctx, s->tiles.count, 8, detach_tiles, &j);
}
