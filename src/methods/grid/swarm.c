/* Particles around a tile; see swarm.h. */
#include "grid/swarm.h"

enum { PAD = 8 }; /* the last eight are read whole */

rill_status swarm_make(grid *s, swarm **out)
{
    const int workers = parallel_workers(s->sim.ctx);
    size_t most = 0;
    for (uint32_t t = 0; t < s->tiles.count; t++) {
        size_t n = 0;
        for (int k = 0; k < GRID_NEAR; k++) {
            const uint32_t near = s->tiles.near[t][k];
            if (near == GRID_NONE || s->bin.core_of[near] == GRID_NONE) continue;
            n += grid_core_begin(s, s->bin.core_of[near] + 1) - grid_core_begin(s, s->bin.core_of[near]);
        }
        most = n > most ? n : most;
    }
    if (s->narrow.fill) most += SWARM_CELLS * 8;
    swarm *w;
    TRY(ARENA_NEW(&s->scratch, w, (size_t)workers));
    for (int i = 0; i < workers; i++)
        for (int a = 0; a < 3; a++) TRY(ARENA_NEW(&s->scratch, w[i].at[a], most + PAD));
    *out = w;
    return RILL_OK;
}

/* The particles of a run of cells of a core, appended. */
static uint32_t append(const grid *s, uint32_t from, uint32_t to, const double origin[3], swarm *w,
                       uint32_t n)
{
    const rill_vec3 *x = s->particles.position;
    const double scale = 1 / s->h;
    for (uint32_t i = from; i < to; i++, n++) {
        const rill_vec3 p = x[s->bin.order ? s->bin.order[i] : i];
        w->at[0][n] = (float)((p.x - origin[0]) * scale);
        w->at[1][n] = (float)((p.y - origin[1]) * scale);
        w->at[2][n] = s->tiles.layers == 1 ? 0 : (float)((p.z - origin[2]) * scale);
    }
    return n;
}

/* A full cell without particles, as if it had them: its lattice. */
static uint32_t append_full(const grid *s, int x, int y, int z, swarm *w, uint32_t n)
{
    const bool flat = s->tiles.layers == 1;
    for (int k = 0; k < (flat ? 4 : 8); k++, n++) {
        w->at[0][n] = (float)x + (k & 1 ? 0.75f : 0.25f);
        w->at[1][n] = (float)y + (k & 2 ? 0.75f : 0.25f);
        w->at[2][n] = flat ? 0 : (float)z + (k & 4 ? 0.75f : 0.25f);
    }
    return n;
}

void swarm_load(const grid *s, uint32_t tile, swarm *w)
{
    const int deep = s->tiles.layers == 1 ? 0 : 1, top = s->tiles.layers + deep;
    const rill_vec3 corner = grid_tile_corner(&s->tiles, tile);
    const double origin[3] = {corner.x, corner.y, corner.z};
    uint32_t n = 0;
    int cell = 0;
    for (int z = -deep; z < top; z++)
        for (int y = -1; y <= GRID_SIDE; y++)
            for (int d = -1; d <= 1; d++) { /* the tiles along the row */
                const int from = d == 1 ? 0 : d == -1 ? 7 : 0, to = d == -1 ? 8 : d == 1 ? 1 : 8;
                const uint32_t near = s->tiles.near[tile][grid_near_index(d, y >> 3, deep ? z >> 3 : 0)];
                const uint32_t core = near == GRID_NONE ? GRID_NONE : s->bin.core_of[near];
                if (s->narrow.fill && near != GRID_NONE && s->narrow.filled[near]) {
                    for (int x = from; x < to; x++) {
                        const size_t c = (size_t)(((deep ? z & 7 : 0) * 8 + (y & 7)) * 8 + x),
                                     cells = (size_t)s->tiles.cells;
                        const uint32_t *first = core == GRID_NONE ? NULL : s->bin.first + core * cells + c;
                        w->first[cell++] = n;
                        if (s->narrow.fill[near * cells + c] && !(first && first[1] > first[0]))
                            n = append_full(s, x + 8 * d, y, z, w, n);
                        else if (first)
                            n = append(s, first[0], first[1], origin, w, n);
                    }
                    continue;
                }
                if (core == GRID_NONE) {
                    for (int x = from; x < to; x++) w->first[cell++] = n;
                    continue;
                }
                const uint32_t *first = s->bin.first + (size_t)core * (size_t)s->tiles.cells +
                                        ((deep ? z & 7 : 0) * 8 + (y & 7)) * 8;
                for (int x = from; x < to; x++) w->first[cell++] = n + first[x] - first[from];
                n = append(s, first[from], first[to], origin, w, n);
            }
    w->first[cell] = n;
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < PAD; k++) w->at[a][n + (uint32_t)k] = 0;
}
