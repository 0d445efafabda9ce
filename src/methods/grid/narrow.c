/* Deep liquid without particles: the grid carries it ([Ferstl16] sections 3 and 4).
 *
 * A cell is full where the path back in time ends more than a cell below the surface of the
 * step before; nearer than that particles alone decide. Velocity there comes from the end of
 * the path, by cubic interpolation. DEVIATES: [Ferstl16] carries a distance and redistances
 * it; here the surface is made from the particles in every step (level.c), full cells only
 * say that there is none. */
#include "grid/narrow.h"

#include "grid/trace.h"

#include <string.h>

/* Cells below the surface from which on the grid is believed. */
static const float sure = 1;

typedef struct {
    grid *s;
    const grid_past *past;
    int halo;
    uint8_t *wet; /* per tile of the past: it has liquid that is deep enough */
    float *copy;  /* per worker: three velocity blocks and the distance's */
    size_t copy_size;
} past_job;

grid_past narrow_past(const grid *s)
{
    if (s->tiles.count == 0) return s->past;
    return (grid_past){&s->tiles, {s->u[0], s->u[1], s->u[2]}, s->phi, s->frame, s->since};
}

rill_status narrow_keep(grid *s)
{
    if (s->tiles.count == 0) return RILL_OK; /* what is there is what was loaded, or nothing */
    const size_t n = grid_cell_count(&s->tiles);
    float *kept[4] = {0};
    s->past = (grid_past){0};
    arena_reset(&s->spare);
    for (int k = 0; k < 4; k++) {
        const float *from = k < 3 ? s->u[k] : s->phi;
        if (k == 2 && s->tiles.dimensions == 2) continue;
        TRY(ARENA_NEW(&s->spare, kept[k], n));
        memcpy(kept[k], from, n * sizeof *from);
    }
    const grid_tiles tiles = s->tiles;
    s->tiles = s->old_tiles;
    s->tiles.count = 0;
    s->old_tiles = tiles;
    s->past = (grid_past){&s->old_tiles, {kept[0], kept[1], kept[2]}, kept[3], s->frame, s->since};
    return RILL_OK;
}

rill_status narrow_cores(const grid_past *past, rill_arena *arena, grid_core **out, size_t *count)
{
    *out = NULL;
    *count = 0;
    if (!past->tiles) return RILL_OK;
    const grid_tiles *t = past->tiles;
    grid_core *core;
    TRY(ARENA_NEW(arena, core, t->count));
    size_t n = 0;
    for (uint32_t tile = 0; tile < t->count; tile++) {
        grid_core c = {.lo = {7, 7, 7}, .hi = {-1, -1, -1}};
        memcpy(c.tile, t->map.block[tile], sizeof c.tile);
        for (int k = 0; k < t->cells; k++) {
            if (past->phi[(size_t)tile * (size_t)t->cells + (size_t)k] >= -sure) continue;
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

static void find_wet(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const past_job *j = arg;
    const size_t cells = (size_t)j->past->tiles->cells;
    for (size_t t = begin; t < end; t++) {
        bool any = false;
        for (size_t i = t * cells; i < (t + 1) * cells; i++) any |= j->past->phi[i] < -sure;
        j->wet[t] = any;
    }
}

static rill_status past_begin(grid *s, const grid_past *past, past_job *j)
{
    *j = (past_job){.s = s, .past = past};
    const double fastest = grid_fastest_of(s, past->tiles, past->u, past->frame);
    const double reach = ceil(fastest * past->dt / s->h) + 3;
    j->halo = reach < GRID_MOST_HALO ? (int)reach : GRID_MOST_HALO;
    j->copy_size = 4 * (size_t)grid_block_size(past->tiles, j->halo);
    TRY(ARENA_NEW(&s->scratch, j->copy, j->copy_size * (size_t)parallel_workers(s->sim.ctx)));
    TRY(ARENA_NEW(&s->scratch, j->wet, past->tiles->count));
    parallel_for(s->sim.ctx, past->tiles->count, 32, find_wet, j);
    return RILL_OK;
}

/* The past's tile at the place of a tile of now, or GRID_NONE where no liquid can come from. */
static uint32_t old_tile(const past_job *j, size_t tile)
{
    const int32_t *b = j->s->tiles.map.block[tile];
    const uint32_t old = block_map_find(&j->past->tiles->map, b[0], b[1], b[2]);
    if (old == GRID_NONE) return GRID_NONE;
    for (int k = 0; k < GRID_NEAR; k++) {
        const uint32_t near = j->past->tiles->near[old][k];
        if (near != GRID_NONE && j->wet[near]) return old;
    }
    return GRID_NONE;
}

static velocity_block load_past(const past_job *j, uint32_t old, float *copy)
{
    const grid_tiles *t = j->past->tiles;
    velocity_block b = {.n = grid_block_side(j->halo), .d = t->dimensions};
    b.top = (float)b.n - 1.001f;
    b.frame =
        point_of((float)j->past->frame.x, (float)j->past->frame.y, b.d == 2 ? 0 : (float)j->past->frame.z);
    for (int a = 0; a < b.d; a++, copy += grid_block_size(t, j->halo)) {
        grid_block_load(t, old, j->past->u[a], j->halo, 0, copy);
        b.u[a] = copy;
    }
    return b;
}

/* Where a point of now comes from, kept where cubic interpolation has all its nodes. */
static point path_back(const past_job *j, const velocity_block *b, point x)
{
    const float step = (float)(j->past->dt / j->s->h);
    const point from = x - step * trace(b, j->s->def.integrator, x, -step, velocity_at(b, x));
    return _mm_min_ps(_mm_max_ps(from, _mm_set1_ps(1.5f)), _mm_set1_ps((float)b->n - 2.501f));
}

/* --- full cells --- */

/* Whether what is there is taken out: by a drain, or beyond an open side. */
static bool taken(const grid *s, rill_vec3 x)
{
    const rill_scene *scene = s->sim.scene;
    for (uint32_t i = 0; i < scene->drain_count; i++)
        if (shape_distance(&scene->drains[i].shape, x, NULL) < 0) return true;
    for (int a = 0; a < scene->dimensions; a++)
        if (v3_axis(x, a) < v3_axis(scene->domain.min, a) || v3_axis(x, a) > v3_axis(scene->domain.max, a))
            return true;
    return false;
}

static void fill_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const past_job *j = arg;
    grid *s = j->s;
    const int cells = s->tiles.cells, deep = s->tiles.layers == 1 ? 0 : j->halo;
    const bool sinks = s->sim.scene->drain_count || s->sim.scene->domain.open;
    float *copy = j->copy + (size_t)worker * j->copy_size;
    float *phi = copy + 3 * grid_block_size(&s->tiles, j->halo);
    for (size_t t = begin; t < end; t++) {
        uint8_t *fill = s->fill + t * (size_t)cells;
        memset(fill, 0, (size_t)cells);
        s->filled[t] = 0;
        const uint32_t old = old_tile(j, t);
        if (old == GRID_NONE) continue;
        const velocity_block b = load_past(j, old, copy);
        grid_block_load(j->past->tiles, old, j->past->phi, j->halo, 1.5f, phi);
        const rill_vec3 corner = grid_tile_corner(&s->tiles, (uint32_t)t);
        for (int c = 0; c < cells; c++) {
            const size_t i = t * (size_t)cells + (size_t)c;
            const int at[3] = {c % 8, c / 8 % 8, c / 64};
            if (s->room[i] == 0 || s->crowd[i] >= (deep ? 8 : 4)) continue; /* particles know better */
            const point x = point_of((float)(at[0] + j->halo) + 0.5f, (float)(at[1] + j->halo) + 0.5f,
                                     deep ? (float)(at[2] + deep) + 0.5f : 0);
            float from[4];
            _mm_storeu_ps(from, path_back(j, &b, x) - _mm_set1_ps(0.5f));
            const float depth =
                deep ? linear3(phi, b.n, from[0], from[1], from[2]) : linear2(phi, b.n, from[0], from[1]);
            if (!(depth < -sure)) continue;
            if (sinks &&
                taken(s, v3_madd(corner, s->h, v3(at[0] + 0.5, at[1] + 0.5, deep ? at[2] + 0.5 : 0))))
                continue;
            fill[c] = 1;
            s->filled[t] = 1;
        }
    }
}

rill_status narrow_fill(grid *s, const grid_past *past)
{
    TRY(ARENA_NEW(&s->scratch, s->fill, grid_cell_count(&s->tiles)));
    TRY(ARENA_NEW(&s->scratch, s->filled, s->tiles.count));
    if (!past->tiles) {
        memset(s->fill, 0, grid_cell_count(&s->tiles));
        memset(s->filled, 0, s->tiles.count);
        return RILL_OK;
    }
    past_job j;
    TRY(past_begin(s, past, &j));
    parallel_for(s->sim.ctx, s->tiles.count, 2, fill_tiles, &j);
    return RILL_OK;
}

/* --- their velocity --- */

/* Component a at a point of the block, on its own lattice. */
static float component_at(const velocity_block *b, int a, point x)
{
    float y[4];
    int at[3] = {0};
    _mm_storeu_ps(y, x);
    for (int k = 0; k < b->d; k++) {
        if (k != a) y[k] -= 0.5f;
        at[k] = (int)y[k];
        y[k] -= (float)at[k];
    }
    if (b->d == 2) return cubic2_from(b->u[a] + at[1] * b->n + at[0], b->n, y[0], y[1]);
    return cubic3_from(b->u[a] + (at[2] * b->n + at[1]) * b->n + at[0], b->n, y[0], y[1], y[2]);
}

static void carry_tiles(void *arg, size_t begin, size_t end, int worker)
{
    enum { N = GRID_SIDE + 2 };
    const past_job *j = arg;
    grid *s = j->s;
    const int cells = s->tiles.cells, d = s->tiles.dimensions, deep = d == 2 ? 0 : j->halo;
    const int stride[3] = {1, N, N * N};
    const rill_vec3 between = v3_sub(j->past->frame, s->frame);
    uint8_t fill[N * N * N];
    for (size_t t = begin; t < end; t++) {
        bool any = false;
        for (int k = 0; k < GRID_NEAR; k++) {
            const uint32_t near = s->tiles.near[t][k];
            any |= near != GRID_NONE && s->filled[near];
        }
        const uint32_t old = any ? old_tile(j, t) : GRID_NONE;
        if (old == GRID_NONE) continue;
        const velocity_block b = load_past(j, old, j->copy + (size_t)worker * j->copy_size);
        grid_block_load_u8(&s->tiles, (uint32_t)t, s->fill, 1, 0, fill);
        for (int c = 0; c < cells; c++) {
            const size_t i = t * (size_t)cells + (size_t)c;
            const int at[3] = {c % 8, c / 8 % 8, c / 64};
            const int f = grid_block_first(&s->tiles, 1) + (at[2] * N + at[1]) * N + at[0];
            for (int a = 0; a < d; a++) {
                if (s->weighed[i] & 1u << a || !(fill[f] | fill[f - stride[a]])) continue;
                const point x = point_of((float)(at[0] + j->halo) + (a == 0 ? 0 : 0.5f),
                                         (float)(at[1] + j->halo) + (a == 1 ? 0 : 0.5f),
                                         d == 2 ? 0 : (float)(at[2] + deep) + (a == 2 ? 0 : 0.5f));
                s->u[a][i] = (float)((double)component_at(&b, a, path_back(j, &b, x)) + v3_axis(between, a));
                s->weighed[i] |= (uint8_t)(1u << a);
            }
        }
    }
}

rill_status narrow_velocity(grid *s, const grid_past *past)
{
    if (!past->tiles) return RILL_OK;
    past_job j;
    TRY(past_begin(s, past, &j));
    parallel_for(s->sim.ctx, s->tiles.count, 2, carry_tiles, &j);
    return RILL_OK;
}
