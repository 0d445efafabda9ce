/* The step without particles that carry velocity: [Braley] 4 as it is written.
 *
 * Velocity is semi-Lagrangian. The liquid is given by markers, by its level set, or by the
 * level set with particles that correct it. Markers are there in every case: they are what is
 * looked at.
 * With reflection ([Zehnder18], docs/grid.md E-X1) the step is two halves, and what the
 * pressure took in the first is taken once more in between.
 *
 * Fields live from one step to the next; tiles are made anew where the liquid is, and the
 * fields moved over. */
#include "grid/eulerian.h"

#include "base/text.h"
#include "grid/advect.h"
#include "grid/bodies.h"
#include "grid/guards.h"
#include "grid/redistance.h"

#include <string.h>

static const float band = EULERIAN_BAND;

/* --- tiles --- */

/* Tiles with liquid by the level set, and the range of it. */
static rill_status liquid_cores(const grid *s, rill_arena *arena, grid_core **out, size_t *count)
{
    const int cells = s->tiles.cells;
    grid_core *core;
    TRY(ARENA_NEW(arena, core, s->tiles.count));
    size_t n = 0;
    for (uint32_t t = 0; t < s->tiles.count; t++) {
        grid_core c = {.lo = {7, 7, 7}, .hi = {-1, -1, -1}};
        memcpy(c.tile, s->tiles.map.block[t], sizeof c.tile);
        for (int k = 0; k < cells; k++) {
            if (s->field.phi[(size_t)t * (size_t)cells + (size_t)k] >= 0) continue;
            const int at[3] = {k % 8, k / 8 % 8, k / 64};
            for (int a = 0; a < 3; a++) {
                if (at[a] < c.lo[a]) c.lo[a] = (int8_t)at[a];
                if (at[a] > c.hi[a]) c.hi[a] = (int8_t)at[a];
            }
        }
        if (c.hi[0] >= 0) core[n++] = c;
    }
    *out = core;
    *count = n;
    return RILL_OK;
}

typedef struct {
    const grid_tiles *from, *to;
    const float *source;
    float *target, absent;
} over_job;

static void copy_over(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const over_job *j = arg;
    const size_t cells = (size_t)j->to->cells;
    for (size_t t = begin; t < end; t++) {
        const int32_t *b = j->to->map.block[t];
        const uint32_t old = block_map_find(&j->from->map, b[0], b[1], b[2]);
        float *to = j->target + t * cells;
        if (old != GRID_NONE)
            memcpy(to, j->source + old * cells, cells * sizeof *to);
        else
            for (size_t i = 0; i < cells; i++) to[i] = j->absent;
    }
}

static rill_status move_over(grid *s, const float *source, float absent, float **out)
{
    over_job j = {&s->old_tiles, &s->tiles, source, NULL, absent};
    TRY(ARENA_NEW(&s->scratch, j.target, grid_cell_count(&s->tiles)));
    parallel_for(s->sim.ctx, s->tiles.count, 16, copy_over, &j);
    *out = j.target;
    return RILL_OK;
}

/* What a step carries: the velocity it goes along, and what goes. */
typedef struct {
    float *path[3], *carried[3], *phi;
} carried_fields;

/* New tiles around the liquid and its markers, with the fields of the old ones on them. */
static rill_status renew(grid *s, float *const carried[3], carried_fields *out)
{
    grid_core *core;
    size_t count;
    float *const old_u[3] = {s->field.u[0], s->field.u[1], s->field.u[2]}, *const old_phi = s->field.phi;
    TRY(liquid_cores(s, &s->scratch, &core, &count));
    const rill_arena arena = s->scratch;
    const grid_tiles tiles = s->tiles;
    s->scratch = s->spare;
    s->spare = arena;
    s->tiles = s->old_tiles;
    s->old_tiles = tiles;
    arena_reset(&s->scratch);
    TRY(grid_bin(s, core, count, EULERIAN_TILES, false));
    TRY(grid_take_order(s));
    for (int a = 0; a < s->tiles.dimensions; a++) {
        TRY(move_over(s, old_u[a], 0, &out->path[a]));
        out->carried[a] = out->path[a];
        if (carried) TRY(move_over(s, carried[a], 0, &out->carried[a]));
    }
    return move_over(s, old_phi, band, &out->phi);
}

/* --- the level set --- */

/* Behind walls the level set goes on as it is in front of them. */
static void extend_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    grid *s = arg;
    const scene_domain *d = &s->sim.scene->domain;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t t = begin; t < end; t++) {
        if (!s->field.walled[t]) continue;
        const rill_vec3 corner = grid_tile_corner(&s->tiles, (uint32_t)t);
        for (size_t c = 0; c < cells; c++) {
            const size_t i = t * cells + c;
            if (s->field.room[i] > 0) continue;
            int at[3] = {(int)(c % 8), (int)(c / 8 % 8), (int)(c / 64)};
            for (int a = 0; a < s->tiles.dimensions; a++) {
                const double lo = (v3_axis(d->min, a) - v3_axis(corner, a)) / s->h,
                             hi = (v3_axis(d->max, a) - v3_axis(corner, a)) / s->h;
                if (!(d->open & 1u << (2 * a)) && at[a] + 0.5 < lo) at[a] = (int)floor(lo + 1e-6);
                if (!(d->open & 2u << (2 * a)) && at[a] + 0.5 > hi) at[a] = (int)ceil(hi - 1e-6) - 1;
                at[a] = at[a] < -8 ? -8 : at[a] > 15 ? 15 : at[a];
            }
            const size_t from = grid_cell_near(&s->tiles, (uint32_t)t, at[0], at[1], at[2]);
            if (from != SIZE_MAX && s->field.room[from] > 0) s->field.phi[i] = s->field.phi[from];
        }
    }
}

void grid_eulerian_extend(grid *s)
{
    parallel_for(s->sim.ctx, s->tiles.count, 16, extend_tiles, s);
}

static rill_status make_level(grid *s, float *carried)
{
    if (s->def.surface == GRID_MARKERS) return grid_level(s);
    const bool guarded = s->def.surface == GRID_PARTICLE_SET;
    s->field.phi = carried;
    if (guarded) TRY(grid_guards_correct(s));
    if (s->sim.step % (uint64_t)s->def.redistance_every == 0) {
        TRY(grid_redistance_field(&s->tiles, &s->scratch, s->def.redistance, band, s->field.room,
                                  s->field.parted, s->field.phi));
        if (guarded) TRY(grid_guards_correct(s));
    }
    grid_eulerian_extend(s);
    return guarded ? grid_guards_renew(s) : RILL_OK;
}

/* --- the step --- */

rill_status grid_eulerian_fields(grid *s)
{
    const size_t n = grid_cell_count(&s->tiles);
    for (int a = 0; a < s->tiles.dimensions; a++) {
        TRY(ARENA_NEW(&s->scratch, s->field.u[a], n));
        TRY(ARENA_NEW(&s->scratch, s->field.known[a], n / GRID_AREA));
    }
    TRY(ARENA_NEW(&s->scratch, s->field.q, n));
    return ARENA_NEW(&s->scratch, s->step.figures, s->bin.core.count);
}

rill_status grid_eulerian_carry(grid *s, double t, double dt, float *const carried[3], rill_step_stats *stats)
{
    const int d = s->tiles.dimensions;
    carried_fields old = {0};
    double clock = clock_seconds();
    TRY(grid_move(s, dt, false, stats)); /* the markers */
    if (s->def.surface == GRID_PARTICLE_SET) TRY(grid_guards_move(s, dt));
    TRY(grid_sources(s, t, dt));
    TRY(renew(s, carried, &old));
    step_stats_stage(stats, "sort", &clock);
    TRY(grid_eulerian_fields(s));
    float *phi;
    TRY(ARENA_NEW(&s->scratch, phi, grid_cell_count(&s->tiles)));
    grid_carried field[4] = {{old.phi, phi, -1, band, NULL}};
    for (int a = 0; a < d; a++) field[1 + a] = (grid_carried){old.carried[a], s->field.u[a], a, 0, NULL};
    const float *const path[3] = {old.path[0], old.path[1], old.path[2]};
    TRY(grid_advect(s, path, grid_fastest(s, path), dt, field, 1 + d)); /* 4.1 */
    step_stats_stage(stats, "advect", &clock);
    TRY(grid_walls(s, t + dt));
    TRY(grid_crushed(s, stats));
    TRY(grid_emit(s, phi, t, dt));
    TRY(make_level(s, phi)); /* 4.3 */
    step_stats_stage(stats, "level", &clock);
    return RILL_OK;
}

/* Carries everything for dt and projects what came of it. kept: the velocity before
 * pressure, or NULL. */
static rill_status advance(grid *s, double t, double dt, float *const carried[3], float **kept,
                           rill_step_stats *stats)
{
    rill_sim *sim = &s->sim;
    const int d = s->tiles.dimensions;
    TRY(grid_eulerian_carry(s, t, dt, carried, stats));
    double clock = clock_seconds();
    grid_forces(s, scene_gravity(sim->scene, t + dt / 2), dt);
    TRY(grid_bodies_await(s, dt));
    TRY(grid_tension(s, s->def.reflection && !kept ? 0 : dt)); /* the half that counts twice has it all */
    for (int a = 0; a < d && kept; a++) {
        TRY(ARENA_NEW(&s->scratch, kept[a], grid_cell_count(&s->tiles)));
        for (size_t i = 0; i < grid_cell_count(&s->tiles); i++)
            kept[a][i] = (float)((double)s->field.u[a][i] + v3_axis(s->step.gain, a));
    }
    if (grid_viscous(s)) {
        TRY(grid_project(s, dt, GRID_FIRST, stats));
        TRY(grid_viscosity(s, t + dt, dt, kept, stats));
    }
    TRY(grid_project(s, dt, grid_viscous(s) ? GRID_SECOND : GRID_ONLY, stats)); /* 4.2 */
    step_stats_stage(stats, "project", &clock);
    TRY(grid_bodies_release(s, t, dt));
    if (kept) TRY(grid_reflect(s, kept));
    TRY(grid_extrapolate(s, s->field.u));
    TRY(grid_constrain(s));
    step_stats_stage(stats, "extrapolate", &clock);
    return RILL_OK;
}

rill_status grid_eulerian_step(grid *s, double dt, rill_step_stats *stats)
{
    const double t = s->sim.time;
    if (!s->def.reflection) return advance(s, t, dt, NULL, NULL, stats);
    float *kept[3] = {0};
    TRY(advance(s, t, dt / 2, NULL, kept, stats));
    return advance(s, t + dt / 2, dt / 2, kept, NULL, stats);
}

/* --- saving --- */

rill_status grid_eulerian_save(const grid *s, rill_writer *w)
{
    static const char *const names[3] = {"velocity x", "velocity y", "velocity z"};
    const size_t n = grid_cell_count(&s->tiles);
    if (s->def.surface == GRID_PARTICLE_SET) TRY(particles_save(&s->guards, "guards", w));
    TRY(save_chunk(w, "tiles", SAVE_I32, 3 * (uint64_t)s->tiles.count, s->tiles.map.block));
    for (int a = 0; a < s->tiles.dimensions; a++) TRY(save_chunk(w, names[a], SAVE_F32, n, s->field.u[a]));
    return save_chunk(w, "distance", SAVE_F32, n, s->field.phi);
}

rill_status grid_eulerian_load(grid *s, rill_reader *r)
{
    static const char *const names[3] = {"velocity x", "velocity y", "velocity z"};
    uint64_t count;
    int32_t(*place)[3];
    grid_core *core;
    if (s->def.surface == GRID_PARTICLE_SET) TRY(particles_load(s->sim.ctx, &s->guards, "guards", r));
    TRY(load_count(r, "tiles", SAVE_I32, &count));
    s->tiles.count = 0;
    arena_reset(&s->scratch);
    if (count % 3 || count / 3 > UINT32_MAX / 2)
        return rill_fail(s->sim.ctx, RILL_BAD_FILE, "the state's list of tiles is broken");
    TRY(ARENA_NEW(&s->scratch, place, count / 3));
    TRY(ARENA_NEW(&s->scratch, core, count / 3));
    TRY(load_chunk(r, "tiles", SAVE_I32, count, place));
    for (uint64_t i = 0; i < count / 3; i++) {
        core[i] = (grid_core){.hi = {7, 7, 7}};
        memcpy(core[i].tile, place[i], sizeof core[i].tile);
    }
    TRY(grid_bin(s, core, count / 3, 0, true));
    TRY(grid_take_order(s));
    TRY(grid_eulerian_fields(s));
    const size_t n = grid_cell_count(&s->tiles);
    TRY(ARENA_NEW(&s->scratch, s->field.phi, n));
    for (int a = 0; a < s->tiles.dimensions; a++) TRY(load_chunk(r, names[a], SAVE_F32, n, s->field.u[a]));
    TRY(load_chunk(r, "distance", SAVE_F32, n, s->field.phi));
    return grid_walls(s, s->sim.time);
}
