/* Saving gas: its tiles and the fields on them. */
#include "grid/gas/state.h"

static const char *const velocity_names[3] = {"velocity x", "velocity y", "velocity z"},
                         *const far_names[3] = {"far velocity x", "far velocity y", "far velocity z"};

rill_status gas_save(const rill_sim *sim, rill_writer *w)
{
    const gas *s = gas_view_of(sim);
    const grid_tiles *t = &s->grid.tiles;
    const size_t n = grid_cell_count(t);
    const double scalars[4] = {s->dt, s->max_speed, s->push, s->grid.step.q_scale};
    TRY(save_chunk(w, "gas", SAVE_F64, 4, scalars));
    TRY(save_chunk(w, "tiles", SAVE_I32, 3 * (uint64_t)t->count, t->map.block));
    for (int a = 0; a < t->dimensions; a++) TRY(save_chunk(w, velocity_names[a], SAVE_F32, n, s->u[a]));
    TRY(save_chunk(w, "soot", SAVE_F32, n, s->soot));
    TRY(save_chunk(w, "heat", SAVE_F32, n, s->heat));
    TRY(save_chunk(w, "hold", SAVE_F32, n, s->hold));
    TRY(save_chunk(w, "pressure", SAVE_F32, n, s->q));
    if (!s->far) return RILL_OK;
    const gas *far = s->far;
    const size_t m = grid_cell_count(&far->grid.tiles);
    const double times[2] = {far->dt, far->grid.step.q_scale};
    TRY(save_chunk(w, "core", SAVE_U8, t->count, s->core));
    TRY(save_chunk(w, "far", SAVE_F64, 2, times));
    for (int a = 0; a < t->dimensions; a++) TRY(save_chunk(w, far_names[a], SAVE_F32, m, far->u[a]));
    return save_chunk(w, "far pressure", SAVE_F32, m, far->q);
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

/* Whether a tile has all neighbours that the domain has room for. */
static bool surrounded(const grid_tiles *t, uint32_t tile)
{
    for (int k = 0; k < GRID_NEAR; k++) {
        const int step[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        bool inside = true;
        for (int a = 0; a < 3; a++) {
            const int32_t at = t->map.block[tile][a] + step[a];
            inside &= at >= t->low[a] >> 3 && at <= t->high[a] >> 3;
        }
        if (inside && t->near[tile][k] == GRID_NONE) return false;
    }
    return true;
}

/* The coarse gas, and which tiles are core. */
static rill_status load_far(gas *s, rill_reader *r)
{
    gas *far = s->far;
    rill_ctx *ctx = s->grid.sim.ctx;
    if (!far) return RILL_OK;
    const size_t m = grid_cell_count(&far->grid.tiles);
    double times[2];
    mem_free(ctx, s->core);
    s->core = NULL;
    TRY(MEM_NEW_ZERO(ctx, s->core, s->grid.tiles.count));
    s->grid.step.only = s->core;
    TRY(load_chunk(r, "core", SAVE_U8, s->grid.tiles.count, s->core));
    TRY(load_chunk(r, "far", SAVE_F64, 2, times));
    for (int a = 0; a < s->grid.tiles.dimensions; a++)
        TRY(load_chunk(r, far_names[a], SAVE_F32, m, far->u[a]));
    TRY(load_chunk(r, "far pressure", SAVE_F32, m, far->q));
    far->dt = times[0];
    far->grid.step.q_scale = times[1];
    s->core_count = 0;
    for (uint32_t t = 0; t < s->grid.tiles.count; t++) s->core_count += s->core[t] != 0;
    for (uint32_t t = 0; t < s->grid.tiles.count; t++)
        if (s->core[t] && !surrounded(&s->grid.tiles, t))
            return rill_fail(ctx, RILL_BAD_FILE, "the state's tiles do not go together");
    far->grid.sim = s->grid.sim;
    return gas_marks(far);
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
    s->grid.step.q_scale = scalars[3];
    TRY(load_far(s, r));
    return gas_marks(s);
}
