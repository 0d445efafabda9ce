/* Tiles that follow the smoke, and the gas of the whole domain on cells four times as large.
 *
 * Where there is no smoke the gas only has to make way. It moves without eddies, so that what carries it
 * along is a gradient and the pressure's: a velocity that pressure alone changes is enough. `far` keeps it on
 * coarse cells everywhere. Near smoke there are tiles: the core, with pressures of their own, and one layer
 * of surrounding tiles around them that repeat what `far` says. In a step the coarse faces in the core take
 * the mean of the fine ones, before pressure, the coarse gas is projected, walls and open sides included, its
 * pressures are the boundary values of the core's, its velocities those of the surrounding tiles. */
#include "grid/gas/state.h"
#include "grid/wall_cache.h"
#include "grid/walls.h"

#include <string.h>

enum { RATIO = 4 };
/* Domains with fewer tiles are all core. */
static const double few = 400;
/* When the core and what is around it is more than this part of the domain, all is core. */
static const double most_of_it = 0.7;
/* Smoke that is thinner than this part of the densest does not count. */
static const float faint = 1e-6f;

bool gas_follows(const rill_scene *scene, double cells)
{
    const grid_def *def = scene_method_def_of(scene, "grid");
    bool bodies = false, marked = scene->smoke_count > 0;
    for (uint32_t i = 0; i < scene->solid_count; i++) bodies |= scene->solids[i].is_body;
    for (uint32_t k = 0; k < scene->smoke_count; k++) {
        const scene_smoke *m = &scene->smoke[k];
        marked &= m->density > 0 || m->density_keys.count || m->temperature != SCENE_AMBIENT ||
                  m->temperature_keys.count;
        const rill_box b = shape_bounds(&m->shape);
        marked &= v3_finite(b.min) && v3_finite(b.max);
    }
    return def && def->follow && !bodies && marked && scene->liquid_count == 0 &&
           cells / (scene->dimensions == 2 ? 64 : 512) > few;
}

/* ---- the coarse gas ---- */

void gas_far_destroy(gas *s)
{
    gas *far = s->far;
    rill_ctx *ctx = s->grid.sim.ctx;
    if (!far) return;
    gas_fields_clear(far);
    pressure_solver_clear(&far->grid.solver);
    grid_tiles_clear(ctx, &far->grid.tiles);
    arena_clear(&far->grid.sorting);
    arena_clear(&far->grid.scratch);
    mem_free(ctx, far->grid.walls.thin);
    wall_cache_clear(ctx, &far->grid.walls.cache);
    mem_free(ctx, far);
    s->far = NULL;
}

rill_status gas_far_create(gas *s)
{
    rill_ctx *ctx = s->grid.sim.ctx;
    gas *far;
    TRY(MEM_NEW_ZERO(ctx, far, 1));
    s->far = far;
    far->grid.sim = s->grid.sim; /* borrowed, all of it */
    far->grid.def = s->grid.def;
    far->grid.h = RATIO * s->grid.h;
    far->grid.band = 2;
    arena_init(&far->grid.scratch, ctx);
    arena_init(&far->grid.sorting, ctx);
    pressure_solver_init(&far->grid.solver, ctx);
    grid_tiles_init(&far->grid.tiles, s->grid.tiles.dimensions, far->grid.h, s->grid.tiles.origin);
    TRY(walls_find_thin(&far->grid));
    TRY(gas_tiles_make(far));
    return RILL_OK;
}

/* Index of a coarse cell; tiles are all there, in order. */
static size_t far_cell(const gas *far, const int at[3])
{
    const grid_tiles *t = &far->grid.tiles;
    const int32_t *top = t->map.block[t->count - 1];
    const size_t tile =
        ((size_t)(at[2] >> 3) * (size_t)(top[1] + 1) + (size_t)(at[1] >> 3)) * (size_t)(top[0] + 1) +
        (size_t)(at[0] >> 3);
    return tile * (size_t)t->cells +
           (size_t)(((at[2] & (t->layers - 1)) * 8 + (at[1] & 7)) * 8 + (at[0] & 7));
}

/* A field of the coarse gas at a place, in its cells; axis: of the faces it is at, -1: centres. Linear
 * between the values that are used (NULL: all), nearest beyond the sides. */
static float far_value(const gas *far, const float *field, const uint8_t *use, int axis,
                       const double place[3])
{
    const grid_tiles *t = &far->grid.tiles;
    int base[3] = {0};
    double part[3] = {0}, sum = 0, all = 0;
    for (int a = 0; a < t->dimensions; a++) {
        const int top = t->last[a]; /* the last face of a side that is closed has no place: it is at rest */
        const double y = fmin(fmax(place[a] - (a == axis ? 0 : 0.5), 0), top);
        base[a] = (int)y < top ? (int)y : top > 0 ? top - 1 : 0;
        part[a] = top > 0 ? y - base[a] : 0;
    }
    for (int k = 0; k < 1 << t->dimensions; k++) {
        int at[3] = {base[0] + (k & 1), base[1] + (k >> 1 & 1), base[2] + (k >> 2)};
        double w = 1;
        for (int a = 0; a < t->dimensions; a++) {
            w *= k >> a & 1 ? part[a] : 1 - part[a];
            if (at[a] > t->last[a]) at[a] = t->last[a];
        }
        const size_t i = far_cell(far, at);
        if (use && !use[i]) continue;
        sum += w * (double)field[i];
        all += w;
    }
    return all > 1e-9 ? (float)(sum / all) : 0;
}

/* The place of a fine cell's centre or minus face, in coarse cells. */
static void coarse_place(const grid_tiles *t, uint32_t tile, int c, int axis, double out[3])
{
    const int at[3] = {c % 8, c / 8 % 8, c / 64};
    for (int a = 0; a < 3; a++)
        out[a] = a < t->dimensions
                     ? (t->map.block[tile][a] * GRID_SIDE + at[a] + (a == axis ? 0 : 0.5)) / (double)RATIO
                     : 0;
}

/* ---- between the two ---- */

/* Coarse faces of the core: the mean flux through the fine ones. */
static void restrict_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    gas *s = arg, *far = s->far;
    const grid_tiles *t = &s->grid.tiles;
    const int d = t->dimensions, deep = d == 3 ? RATIO : 1;
    for (size_t tile = begin; tile < end; tile++) {
        if (!s->core[tile]) continue;
        for (int k = 0; k < 1 << d; k++)
            for (int a = 0; a < d; a++) {
                const int low[3] = {(k & 1) * RATIO, (k >> 1 & 1) * RATIO, (k >> 2) * RATIO};
                int at[3] = {0};
                bool inside = true;
                for (int b = 0; b < d; b++) {
                    at[b] = (t->map.block[tile][b] * GRID_SIDE + low[b]) / RATIO;
                    inside &= at[b] <= far->grid.tiles.last[b];
                }
                double flux = 0, open = 0;
                for (int z = low[2]; z < low[2] + (a == 2 ? 1 : deep); z++)
                    for (int y = low[1]; y < low[1] + (a == 1 ? 1 : RATIO); y++)
                        for (int x = low[0]; x < low[0] + (a == 0 ? 1 : RATIO); x++) {
                            const size_t i = tile * (size_t)t->cells + (size_t)((z * 8 + y) * 8 + x);
                            flux += (double)(s->grid.field.open[a][i] * s->u[a][i]);
                            open += (double)s->grid.field.open[a][i];
                        }
                if (inside && open > 0) far->u[a][far_cell(far, at)] = (float)(flux / open);
            }
    }
}

static void restrict_core(gas *s)
{
    parallel_for(s->grid.sim.ctx, s->grid.tiles.count, 16, restrict_tiles, s);
}

static void surround_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    gas *s = arg;
    const gas *far = s->far;
    const grid_tiles *t = &s->grid.tiles;
    for (size_t tile = begin; tile < end; tile++)
        for (int c = 0; c < t->cells && !s->core[tile]; c++) {
            double at[3];
            coarse_place(t, (uint32_t)tile, c, -1, at);
            s->q[tile * (size_t)t->cells + (size_t)c] =
                RATIO * far_value(far, far->q, far->grid.field.active, -1, at);
        }
}

rill_status gas_far_project(gas *s, double t, double dt, float **kept)
{
    gas *far = s->far;
    rill_step_stats stats = step_stats_none();
    if (!far) return RILL_OK;
    for (int a = 0; a < 3 && kept; a++) kept[a] = NULL;
    if (s->core_count == s->grid.tiles.count) return RILL_OK; /* gas_far_finish sees to it */
    far->grid.sim = s->grid.sim;
    TRY(gas_reserve_marks(far));
    TRY(grid_walls(&far->grid, t));
    restrict_core(s);
    gas_blow(far, t);
    const size_t n = grid_cell_count(&far->grid.tiles);
    for (int a = 0; a < far->grid.tiles.dimensions && kept; a++) {
        TRY(ARENA_NEW(&far->grid.scratch, kept[a], n));
        memcpy(kept[a], far->u[a], n * sizeof *kept[a]);
    }
    TRY(gas_project(far, dt, &stats));
    TRY(gas_continue_velocity(far, t));
    parallel_for(s->grid.sim.ctx, s->grid.tiles.count, 8, surround_tiles, s);
    return RILL_OK;
}

/* Faces of surrounding tiles that no equation of the core determines. */
static void finish_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    gas *s = arg;
    const gas *far = s->far;
    const grid_tiles *t = &s->grid.tiles;
    for (size_t tile = begin; tile < end; tile++)
        for (int c = 0; c < t->cells && !s->core[tile]; c++)
            for (int a = 0; a < t->dimensions; a++) {
                const size_t i = tile * (size_t)t->cells + (size_t)c;
                if (s->grid.field.known[a][i / 64] >> i % 64 & 1) continue;
                double at[3];
                coarse_place(t, (uint32_t)tile, c, a, at);
                s->u[a][i] = far_value(far, far->u[a], NULL, a, at);
            }
}

void gas_far_finish(gas *s)
{
    if (!s->far) return;
    parallel_for(s->grid.sim.ctx, s->grid.tiles.count, 8, finish_tiles, s);
    restrict_core(s);
}

/* Without this the core would go on with twice the pressure's change and the gas around it with once: the
 * border between them would be a layer of sources. */
void gas_far_reflect(gas *s, float *const kept[3])
{
    gas *far = s->far;
    if (!far || !kept[0]) return;
    gas_mirror(far, kept);
    for (int a = 0; a < far->grid.tiles.dimensions; a++)
        memcpy(far->u[a], kept[a], grid_cell_count(&far->grid.tiles) * sizeof *kept[a]);
}

/* ---- which tiles ---- */

typedef struct {
    const gas *s;
    uint8_t *seen;
    float soot, heat; /* least that counts */
} seen_job;

static void seen_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const seen_job *j = arg;
    const size_t cells = (size_t)j->s->grid.tiles.cells;
    for (size_t t = begin; t < end; t++) {
        bool some = false;
        for (size_t i = t * cells; i < (t + 1) * cells && !some; i++)
            some = j->s->soot[i] > j->soot || fabsf(j->s->heat[i]) > j->heat;
        j->seen[t] = some;
    }
}

static double most_soot(void *arg, size_t begin, size_t end)
{
    float most = 0;
    for (size_t i = begin; i < end; i++) most = fmaxf(most, ((const gas *)arg)->soot[i]);
    return most;
}

static double most_heat(void *arg, size_t begin, size_t end)
{
    float most = 0;
    for (size_t i = begin; i < end; i++) most = fmaxf(most, fabsf(((const gas *)arg)->heat[i]));
    return most;
}

static rill_status add_place(rill_ctx *ctx, block_map *map, const grid_tiles *t, const int32_t at[3])
{
    for (int a = 0; a < t->dimensions; a++)
        if (at[a] < t->low[a] >> 3 || at[a] > t->high[a] >> 3) return RILL_OK;
    return block_map_add(ctx, map, at[0], at[1], at[2]);
}

/* Tiles that a source may fill within the step. */
static rill_status add_source(const gas *s, const scene_smoke *m, block_map *map)
{
    const grid_tiles *t = &s->grid.tiles;
    const rill_box b = shape_bounds(&m->shape);
    int32_t low[3] = {0}, high[3] = {0};
    for (int a = 0; a < t->dimensions; a++) {
        const double side = GRID_SIDE * t->h, from = (v3_axis(b.min, a) - v3_axis(t->origin, a)) / side,
                     to = (v3_axis(b.max, a) - v3_axis(t->origin, a)) / side;
        low[a] = (int32_t)floor(fmax(from, t->low[a] >> 3));
        high[a] = (int32_t)floor(fmin(to, t->high[a] >> 3));
    }
    for (int32_t z = low[2]; z <= high[2]; z++)
        for (int32_t y = low[1]; y <= high[1]; y++)
            for (int32_t x = low[0]; x <= high[0]; x++)
                TRY(add_place(s->grid.sim.ctx, map, t, (int32_t[3]){x, y, z}));
    return RILL_OK;
}

/* Tiles with smoke and sources. */
static rill_status list_smoky(gas *s, double t, block_map *map)
{
    rill_ctx *ctx = s->grid.sim.ctx;
    const rill_scene *scene = s->grid.sim.scene;
    const grid_tiles *tiles = &s->grid.tiles;
    const size_t n = grid_cell_count(tiles);
    seen_job j = {.s = s};
    for (uint32_t k = 0; k < scene->smoke_count; k++)
        if (smoke_gives(&scene->smoke[k], t)) TRY(add_source(s, &scene->smoke[k], map));
    if (n == 0) return RILL_OK;
    j.soot = faint * (float)fmax(parallel_max(ctx, n, most_soot, s), 0);
    j.heat = faint * (float)fmax(parallel_max(ctx, n, most_heat, s), 0);
    TRY(ARENA_NEW(&s->grid.scratch, j.seen, tiles->count));
    parallel_for(ctx, tiles->count, 32, seen_tiles, &j);
    for (uint32_t k = 0; k < tiles->count; k++)
        if (j.seen[k]) TRY(add_place(ctx, map, tiles, tiles->map.block[k]));
    return RILL_OK;
}

/* The tiles of `from` and those within a tile of them, in `out`. */
static rill_status widen(gas *s, const block_map *from, grid_tiles *out)
{
    grid_core *core;
    TRY(ARENA_NEW(&s->grid.scratch, core, from->count));
    for (size_t k = 0; k < from->count; k++) {
        core[k] = (grid_core){.hi = {7, 7, 7}};
        memcpy(core[k].tile, from->block[k], sizeof core[k].tile);
    }
    return grid_tiles_build(s->grid.sim.ctx, out, core, from->count, GRID_SIDE);
}

typedef struct {
    gas *s;
    const gas *old;
} move_job;

/* Fields of the tiles that were there before; others are as the coarse gas is. */
static void move_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const move_job *j = arg;
    gas *s = j->s;
    const gas *old = j->old;
    const grid_tiles *t = &s->grid.tiles;
    const size_t cells = (size_t)t->cells;
    for (size_t tile = begin; tile < end; tile++) {
        const int32_t *b = t->map.block[tile];
        const uint32_t from = block_map_find(&old->grid.tiles.map, b[0], b[1], b[2]);
        const size_t to = tile * cells, bytes = cells * sizeof(float), at = (size_t)from * cells;
        if (from != BLOCK_NONE) {
            for (int a = 0; a < t->dimensions; a++) memcpy(s->u[a] + to, old->u[a] + at, bytes);
            memcpy(s->soot + to, old->soot + at, bytes);
            memcpy(s->heat + to, old->heat + at, bytes);
            memcpy(s->hold + to, old->hold + at, bytes);
            memcpy(s->q + to, old->q + at, bytes);
            continue;
        }
        memset(s->soot + to, 0, bytes);
        memset(s->heat + to, 0, bytes);
        for (size_t c = 0; c < cells; c++) {
            double place[3];
            s->hold[to + c] = 1;
            coarse_place(t, (uint32_t)tile, (int)c, -1, place);
            s->q[to + c] = RATIO * far_value(s->far, s->far->q, s->far->grid.field.active, -1, place);
            for (int a = 0; a < t->dimensions; a++) {
                coarse_place(t, (uint32_t)tile, (int)c, a, place);
                s->u[a][to + c] = far_value(s->far, s->far->u[a], NULL, a, place);
            }
        }
    }
}

/* Takes on the tiles `next`, the core of which is `core`; both are emptied or exchanged with the old ones. */
static rill_status take_tiles(gas *s, grid_tiles *next, const grid_tiles *core)
{
    rill_ctx *ctx = s->grid.sim.ctx;
    gas old = *s; /* its fields and tiles, to be freed */
    uint8_t *flags;
    TRY(MEM_NEW(ctx, flags, next->count));
    s->grid.tiles = *next;
    for (int a = 0; a < 3; a++) s->u[a] = NULL;
    s->soot = s->heat = s->hold = s->q = NULL;
    s->capacity = 0;
    const rill_status st = gas_fields_reserve(s);
    if (st) { /* as before */
        gas_fields_clear(s);
        *s = old;
        mem_free(ctx, flags);
        return st;
    }
    *next = (grid_tiles){0};
    s->core_count = 0;
    for (uint32_t t = 0; t < s->grid.tiles.count; t++) {
        const int32_t *b = s->grid.tiles.map.block[t];
        flags[t] = block_map_find(&core->map, b[0], b[1], b[2]) != BLOCK_NONE;
        s->core_count += flags[t];
    }
    s->core = flags;
    s->grid.step.only = flags;
    move_job j = {s, &old};
    parallel_for(ctx, s->grid.tiles.count, 8, move_tiles, &j);
    mem_free(ctx, old.core);
    gas_fields_clear(&old);
    grid_tiles_clear(ctx, &old.grid.tiles);
    return RILL_OK;
}

static bool same_tiles(const gas *s, const grid_tiles *core)
{
    if (core->count != s->core_count) return false;
    for (uint32_t t = 0; t < s->grid.tiles.count; t++) {
        const int32_t *b = s->grid.tiles.map.block[t];
        if (s->core[t] && block_map_find(&core->map, b[0], b[1], b[2]) == BLOCK_NONE) return false;
    }
    return true;
}

rill_status gas_follow(gas *s, double t)
{
    rill_ctx *ctx = s->grid.sim.ctx;
    if (!s->far) return RILL_OK;
    grid_tiles core = s->grid.tiles, next = s->grid.tiles; /* where, but none of them */
    block_map smoky = {0};
    core.map = next.map = (block_map){0};
    core.near = next.near = NULL;
    core.count = next.count = 0;
    core.near_capacity = next.near_capacity = 0;
    arena_reset(&s->grid.scratch);
    rill_status st = list_smoky(s, t, &smoky);
    if (!st) st = widen(s, &smoky, &core);
    double all = 1;
    for (int a = 0; a < core.dimensions; a++) all *= (core.high[a] >> 3) + 1;
    for (int k = 0; k < 64 && !st && (double)core.count > most_of_it * all && (double)core.count < all; k++)
        st = widen(s, &core.map, &next), grid_tiles_clear(ctx, &core), core = next, next.map = (block_map){0},
        next.near = NULL, next.count = 0, next.near_capacity = 0;
    if (!st && !(s->core && same_tiles(s, &core))) {
        st = widen(s, &core.map, &next);
        if (!st) st = take_tiles(s, &next, &core);
    }
    block_map_clear(ctx, &smoky);
    grid_tiles_clear(ctx, &core);
    grid_tiles_clear(ctx, &next);
    return st;
}
