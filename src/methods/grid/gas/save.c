/* Saving gas: its tiles and the fields on them. */
#include "grid/gas/state.h"

static const char *const velocity_names[3] = {"velocity x", "velocity y", "velocity z"};

rill_status gas_save(const rill_sim *sim, rill_writer *w)
{
    const gas *s = gas_view_of(sim);
    const grid_tiles *t = &s->grid.tiles;
    const size_t n = grid_cell_count(t);
    const double scalars[4] = {s->dt, s->max_speed, s->push, s->grid.q_scale};
    TRY(save_chunk(w, "gas", SAVE_F64, 4, scalars));
    TRY(save_chunk(w, "tiles", SAVE_I32, 3 * (uint64_t)t->count, t->map.block));
    for (int a = 0; a < t->dimensions; a++) TRY(save_chunk(w, velocity_names[a], SAVE_F32, n, s->u[a]));
    TRY(save_chunk(w, "soot", SAVE_F32, n, s->soot));
    TRY(save_chunk(w, "heat", SAVE_F32, n, s->heat));
    TRY(save_chunk(w, "hold", SAVE_F32, n, s->hold));
    return save_chunk(w, "pressure", SAVE_F32, n, s->q);
}

static rill_status load_tiles(gas *s, rill_reader *r)
{
    grid *g = &s->grid;
    uint64_t count;
    int32_t(*place)[3];
    grid_core *core;
    TRY(load_count(r, "tiles", SAVE_I32, &count));
    arena_reset(&g->scratch);
    if (count % 3 || count / 3 > UINT32_MAX / 2 / GRID_CELLS)
        return rill_fail(g->sim.ctx, RILL_BAD_FILE, "the state's list of tiles is broken");
    TRY(ARENA_NEW(&g->scratch, place, count / 3));
    TRY(ARENA_NEW(&g->scratch, core, count / 3));
    TRY(load_chunk(r, "tiles", SAVE_I32, count, place));
    for (uint64_t i = 0; i < count / 3; i++) {
        core[i] = (grid_core){.hi = {7, 7, 7}};
        for (int a = 0; a < 3; a++) {
            if (place[i][a] < 0 || place[i][a] > (g->tiles.last[a] + 1) >> 3)
                return rill_fail(g->sim.ctx, RILL_BAD_FILE, "the state has tiles outside the domain");
            core[i].tile[a] = place[i][a];
        }
    }
    TRY(grid_tiles_build(g->sim.ctx, &g->tiles, core, count / 3, 0));
    if (g->tiles.count != count / 3)
        return rill_fail(g->sim.ctx, RILL_BAD_FILE, "the state has a tile twice");
    return gas_fields_reserve(s);
}

rill_status gas_load(rill_sim *sim, rill_reader *r)
{
    gas *s = gas_of(sim);
    double scalars[4];
    TRY(load_chunk(r, "gas", SAVE_F64, 4, scalars));
    TRY(load_tiles(s, r));
    const size_t n = grid_cell_count(&s->grid.tiles);
    for (int a = 0; a < s->grid.tiles.dimensions; a++)
        TRY(load_chunk(r, velocity_names[a], SAVE_F32, n, s->u[a]));
    TRY(load_chunk(r, "soot", SAVE_F32, n, s->soot));
    TRY(load_chunk(r, "heat", SAVE_F32, n, s->heat));
    TRY(load_chunk(r, "hold", SAVE_F32, n, s->hold));
    TRY(load_chunk(r, "pressure", SAVE_F32, n, s->q));
    s->dt = scalars[0];
    s->max_speed = scalars[1];
    s->push = scalars[2];
    s->grid.q_scale = scalars[3];
    return gas_marks(s);
}
