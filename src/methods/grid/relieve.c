/* Liquid that bodies trap: a film under a body that comes down on the ground, a pocket between bodies that
 * touch. Particles of overfull cells move to the nearest cells with room, across faces that are open or that
 * only bodies close. */
#include "base/random.h"
#include "grid/bodies.h"

enum { FARTHEST = 4096, TRIES = 16 }; /* cells that are looked at; places tried in one */

static const float least_room = 0.4f;

typedef struct {
    grid *s;
    size_t *queue;
    uint32_t *tile;  /* of each cell in the queue */
    uint32_t *mark;  /* per cell: the last search that saw it */
    uint8_t *given;  /* per cell: particles set into it */
    uint32_t search; /* number of this one */
    double t;        /* the solids' time */
} relief;

/* Whether liquid would get from a cell to the next one along axis a but for bodies that are thick. */
static bool passes(const grid *s, int a, size_t face)
{
    if (s->field.open[a][face] > 0) return true;
    if (!(s->coupling.shut[a][face] > 0)) return false;
    return !(s->walls.thin && s->walls.thin[s->sim.bodies.solid[s->coupling.owner[a][face]]]);
}

static bool has_room(const relief *r, size_t i)
{
    const grid *s = r->s;
    const float full = s->tiles.layers == 1 ? 4 : 8;
    return s->field.room[i] >= least_room &&
           (float)s->field.crowd[i] + (float)r->given[i] < 1.5f * full * s->field.room[i];
}

/* The nearest cell with room; false: there is none. */
static bool find_room(relief *r, uint32_t tile, int c, size_t *cell, uint32_t *in)
{
    const grid *s = r->s;
    size_t count = 1;
    r->search++;
    r->queue[0] = (size_t)tile * (size_t)s->tiles.cells + (size_t)c;
    r->tile[0] = tile;
    r->mark[r->queue[0]] = r->search;
    for (size_t k = 0; k < count; k++) {
        const size_t i = r->queue[k];
        if (k && has_room(r, i)) {
            *cell = i;
            *in = r->tile[k];
            return true;
        }
        const int at = (int)(i % (size_t)s->tiles.cells);
        for (int b = 0; b < 2 * s->tiles.dimensions && count < FARTHEST; b++) {
            const int a = b / 2, up = b % 2;
            int next[3] = {at % 8, at / 8 % 8, at / 64};
            next[a] += up ? 1 : -1;
            const size_t n = grid_cell_near(&s->tiles, r->tile[k], next[0], next[1], next[2]);
            if (n == SIZE_MAX || r->mark[n] == r->search || !passes(s, a, up ? n : i)) continue;
            r->mark[n] = r->search;
            r->queue[count] = n;
            r->tile[count++] = (uint32_t)(n / (size_t)s->tiles.cells);
        }
    }
    return false;
}

/* A free place in a cell, by the particle's own random numbers; false: none was found. */
static bool place_in(const relief *r, uint32_t particle, size_t cell, rill_vec3 *out)
{
    const grid *s = r->s;
    const int c = (int)(cell % (size_t)s->tiles.cells);
    const rill_vec3 corner = v3_madd(grid_tile_corner(&s->tiles, (uint32_t)(cell / (size_t)s->tiles.cells)),
                                     s->h, v3(c % 8, c / 8 % 8, s->tiles.layers == 1 ? 0 : c / 64));
    for (uint32_t k = 0; k < TRIES; k++) {
        const random4 a = random_at(3, s->particles.id[particle], (uint32_t)s->sim.step, 2 * k),
                      b = random_at(3, s->particles.id[particle], (uint32_t)s->sim.step, 2 * k + 1);
        const rill_vec3 x = v3_madd(corner, s->h,
                                    v3(random_unit(a.v[0], a.v[1]), random_unit(a.v[2], a.v[3]),
                                       s->tiles.layers == 1 ? 0 : random_unit(b.v[0], b.v[1])));
        if (solids_distance(&s->sim.solids, x, r->t, NULL) < 0.05 * s->h) continue;
        *out = x;
        return true;
    }
    return false;
}

/* What fits into a cell, and whether it holds much more. */
static bool overfull(const grid *s, uint32_t tile, int c, float *fits)
{
    const size_t i = (size_t)tile * (size_t)s->tiles.cells + (size_t)c;
    *fits = (s->tiles.layers == 1 ? 4 : 8) * s->field.room[i];
    return (float)s->field.crowd[i] > 2 * *fits + 1;
}

/* Takes what does not fit out of a cell. */
static void relieve_cell(relief *r, uint32_t tile, int c)
{
    grid *s = r->s;
    float fits;
    if (!overfull(s, tile, c, &fits)) return;
    const uint32_t *first = s->bin.first + (size_t)s->bin.core_of[tile] * (size_t)s->tiles.cells + c;
    const uint32_t keeps = (uint32_t)(1.5f * fits);
    for (uint32_t k = first[0] + keeps; k < first[1]; k++) {
        rill_vec3 *x = &s->particles.position[k], to;
        int32_t at[3];
        const int32_t *b = s->tiles.map.block[tile];
        grid_cell_at(&s->tiles, *x, at);
        const int own[3] = {c % 8, c / 8 % 8, c / 64};
        bool stays = true;
        for (int a = 0; a < s->tiles.dimensions; a++) stays &= at[a] == b[a] * GRID_SIDE + own[a];
        if (!stays) continue; /* it has left the cell by itself */
        size_t cell;
        uint32_t in;
        if (!find_room(r, tile, c, &cell, &in)) return;
        r->given[cell]++;
        if (place_in(r, k, cell, &to)) *x = to;
    }
}

rill_status grid_bodies_relieve(grid *s, double t)
{
    relief r = {.s = s, .t = t};
    const size_t n = grid_cell_count(&s->tiles);
    bool any = false;
    float fits;
    for (uint32_t tile = 0; tile < s->tiles.count && s->sim.bodies.count && !any; tile++)
        for (int c = 0; c < s->tiles.cells && s->coupling.near[tile]; c++) any |= overfull(s, tile, c, &fits);
    if (!any) return RILL_OK;
    arena_reset(&s->sorting);
    TRY(ARENA_NEW(&s->sorting, r.queue, FARTHEST));
    TRY(ARENA_NEW(&s->sorting, r.tile, FARTHEST));
    TRY(ARENA_NEW(&s->sorting, r.mark, n));
    TRY(ARENA_NEW(&s->sorting, r.given, n));
    for (size_t i = 0; i < n; i++) r.mark[i] = r.given[i] = 0;
    for (uint32_t tile = 0; tile < s->tiles.count; tile++)
        for (int c = 0; c < s->tiles.cells && s->coupling.near[tile] && s->bin.core_of[tile] != GRID_NONE;
             c++)
            relieve_cell(&r, tile, c);
    return RILL_OK;
}
