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

/* Deeper than this many cells the liquid is where the grid carried it. */
static const float sure = 1;

typedef struct {
    grid *s;
    const grid_past *past;
    uint8_t *wet;    /* per tile of the past: it has liquid that is deep enough */
    float *fastest;  /* per tile of the past: no component of its velocity is above, cells a step */
    float *carry[3]; /* velocity of the faces of full cells, or NULL */
    float *copy;     /* per worker: three velocity blocks and the distance's */
    size_t copy_size;
} past_job;

/* What a tile sees of the past. */
typedef struct {
    velocity_block u;
    const float *phi;
    int halo;
    bool inside; /* it is all liquid */
    bool calm;   /* and there is no wall */
} past_view;

grid_past narrow_past(const grid *s)
{
    if (s->tiles.count == 0) return s->narrow.past;
    return (grid_past){
        &s->tiles, {s->field.u[0], s->field.u[1], s->field.u[2]}, s->field.phi, s->frame, s->narrow.since};
}

rill_status narrow_keep(grid *s)
{
    if (s->tiles.count == 0) return RILL_OK; /* s->past already holds a loaded state, or nothing */
    const size_t n = grid_cell_count(&s->tiles);
    float *kept[4] = {0};
    s->narrow.past = (grid_past){0};
    arena_reset(&s->spare);
    for (int k = 0; k < 4; k++) {
        const float *from = k < 3 ? s->field.u[k] : s->field.phi;
        if (k == 2 && s->tiles.dimensions == 2) continue;
        TRY(ARENA_NEW(&s->spare, kept[k], n));
        memcpy(kept[k], from, n * sizeof *from);
    }
    const grid_tiles tiles = s->tiles;
    s->tiles = s->old_tiles;
    s->tiles.count = 0;
    s->old_tiles = tiles;
    s->narrow.past =
        (grid_past){&s->old_tiles, {kept[0], kept[1], kept[2]}, kept[3], s->frame, s->narrow.since};
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

static void look_at_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const past_job *j = arg;
    const grid_past *past = j->past;
    const size_t cells = (size_t)past->tiles->cells;
    const double step = past->dt / j->s->h;
    for (size_t t = begin; t < end; t++) {
        bool any = false;
        double most = 0;
        for (size_t i = t * cells; i < (t + 1) * cells; i++) any |= past->phi[i] < -sure;
        for (int a = 0; a < past->tiles->dimensions; a++) {
            float own = 0;
            for (size_t i = t * cells; i < (t + 1) * cells; i++) {
                const float v = fabsf(past->u[a][i]);
                own = v > own ? v : own;
            }
            most = fmax(most, (double)own + fabs(v3_axis(past->frame, a)));
        }
        j->wet[t] = any;
        j->fastest[t] = (float)(most * step);
    }
}

/* The past's tile at the place of a tile of now, or GRID_NONE where no liquid can come from;
 * and how many cells around it anything there may have come through. */
static uint32_t old_tile(const past_job *j, size_t tile, int *halo)
{
    const int32_t *b = j->s->tiles.map.block[tile];
    const uint32_t old = block_map_find(&j->past->tiles->map, b[0], b[1], b[2]);
    if (old == GRID_NONE) return GRID_NONE;
    bool wet = false;
    float most = 0;
    for (int k = 0; k < GRID_NEAR; k++) {
        const uint32_t near = j->past->tiles->near[old][k];
        if (near == GRID_NONE) continue;
        wet |= j->wet[near] != 0;
        most = j->fastest[near] > most ? j->fastest[near] : most;
    }
    *halo = most < GRID_MOST_HALO - 3 ? (int)ceilf(most) + 3 : GRID_MOST_HALO;
    return wet ? old : GRID_NONE;
}

static past_view load_past(const past_job *j, uint32_t old, int halo, int worker)
{
    const grid_tiles *t = j->past->tiles;
    const int size = grid_block_size(t, halo);
    float *copy = j->copy + (size_t)worker * j->copy_size;
    past_view v = {.halo = halo, .u = {.n = grid_block_side(halo), .d = t->dimensions}};
    v.u.top = (float)v.u.n - 1.001f;
    v.u.frame =
        point_of((float)j->past->frame.x, (float)j->past->frame.y, v.u.d == 2 ? 0 : (float)j->past->frame.z);
    for (int a = 0; a < v.u.d; a++, copy += size) {
        grid_block_load(t, old, j->past->u[a], halo, 0, copy);
        v.u.u[a] = copy;
    }
    grid_block_load(t, old, j->past->phi, halo, 1.5f, copy);
    v.phi = copy;
    return v;
}

/* Where a point of now comes from, kept where cubic interpolation has all its nodes. Far from
 * walls and the surface, where nothing turns sharply, in one piece. */
static point path_back(const past_job *j, const past_view *v, point x)
{
    const velocity_block *b = &v->u;
    const float step = (float)(j->past->dt / j->s->h);
    const point k1 = velocity_at(b, x);
    const point from = x - step * (v->calm ? trace_piece(b, j->s->def.integrator, x, -step, k1)
                                           : trace(b, j->s->def.integrator, x, -step, k1));
    return _mm_min_ps(_mm_max_ps(from, _mm_set1_ps(1.5f)), _mm_set1_ps((float)b->n - 2.501f));
}

/* A point of cell c of the tile, in the view's cells. */
static point point_in(const past_view *v, int c, const float offset[3])
{
    return point_of((float)(c % 8 + v->halo) + offset[0], (float)(c / 8 % 8 + v->halo) + offset[1],
                    v->u.d == 2 ? 0 : (float)(c / 64 + v->halo) + offset[2]);
}

/* --- full cells --- */

/* Whether liquid at a place leaves: into a drain, or through an open side. */
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

static bool comes_from_liquid(const past_job *j, const past_view *v, int c)
{
    static const float middle[3] = {0.5f, 0.5f, 0.5f};
    float from[4];
    _mm_storeu_ps(from, path_back(j, v, point_in(v, c, middle)) - _mm_set1_ps(0.5f));
    const float depth = v->u.d == 3 ? linear3(v->phi, v->u.n, from[0], from[1], from[2])
                                    : linear2(v->phi, v->u.n, from[0], from[1]);
    return depth < -sure;
}

/* cubic3_from, four nodes along x at a time. */
static float cubic3(const float *b, int n, const float part[3])
{
    float wx[4], wy[4], wz[4];
    cubic_weights(part[0], wx);
    cubic_weights(part[1], wy);
    cubic_weights(part[2], wz);
    b -= (n + 1) * n + 1;
    __m128 sum = _mm_setzero_ps();
    for (int q = 0; q < 4; q++) {
        __m128 layer = _mm_setzero_ps();
        for (int r = 0; r < 4; r++)
            layer = _mm_fmadd_ps(_mm_set1_ps(wy[r]), _mm_loadu_ps(b + (q * n + r) * n), layer);
        sum = _mm_fmadd_ps(_mm_set1_ps(wz[q]), layer, sum);
    }
    return _mm_cvtss_f32(_mm_dp_ps(sum, _mm_loadu_ps(wx), 0xf1));
}

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
    return cubic3(b->u[a] + (at[2] * b->n + at[1]) * b->n + at[0], b->n, y);
}

static void carry_faces(const past_job *j, const past_view *v, size_t tile, int c)
{
    for (int a = 0; a < v->u.d; a++) {
        const float offset[3] = {a == 0 ? 0 : 0.5f, a == 1 ? 0 : 0.5f, a == 2 ? 0 : 0.5f};
        const point from = path_back(j, v, point_in(v, c, offset));
        j->carry[a][tile * (size_t)j->s->tiles.cells + (size_t)c] = component_at(&v->u, a, from);
    }
}

static void fill_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const past_job *j = arg;
    grid *s = j->s;
    const int cells = s->tiles.cells, full = s->tiles.layers == 1 ? 4 : 8;
    const bool sinks = s->sim.scene->drain_count || s->sim.scene->domain.open;
    for (size_t t = begin; t < end; t++) {
        uint8_t *fill = s->narrow.fill + t * (size_t)cells;
        int halo = 0;
        memset(fill, 0, (size_t)cells);
        s->narrow.filled[t] = 0;
        const uint32_t old = old_tile(j, t, &halo);
        if (old == GRID_NONE) continue;
        past_view v = load_past(j, old, halo, worker);
        v.inside = true;
        for (int i = 0; i < grid_block_size(&s->tiles, halo); i++) v.inside &= v.phi[i] < -sure;
        v.calm = v.inside && !s->field.walled[t];
        const rill_vec3 corner = grid_tile_corner(&s->tiles, (uint32_t)t);
        for (int c = 0; c < cells; c++) {
            const size_t i = t * (size_t)cells + (size_t)c;
            if (s->field.room[i] == 0 || s->field.crowd[i] >= (float)full * s->field.room[i])
                continue; /* full of particles: they carry the liquid there */
            if (!v.inside && !comes_from_liquid(j, &v, c)) continue;
            if (sinks && taken(s, v3_madd(corner, s->h,
                                          v3(c % 8 + 0.5, c / 8 % 8 + 0.5, v.u.d == 2 ? 0 : c / 64 + 0.5))))
                continue;
            fill[c] = 1;
            s->narrow.filled[t] = 1;
            if (j->carry[0]) carry_faces(j, &v, t, c);
        }
    }
}

rill_status narrow_fill(grid *s, const grid_past *past, float *const carry[3])
{
    TRY(ARENA_NEW(&s->scratch, s->narrow.fill, grid_cell_count(&s->tiles)));
    TRY(ARENA_NEW(&s->scratch, s->narrow.filled, s->tiles.count));
    if (!past->tiles) {
        memset(s->narrow.fill, 0, grid_cell_count(&s->tiles));
        memset(s->narrow.filled, 0, s->tiles.count);
        return RILL_OK;
    }
    past_job j = {.s = s, .past = past};
    for (int a = 0; a < 3 && carry; a++) j.carry[a] = carry[a];
    j.copy_size = 4 * (size_t)grid_block_size(past->tiles, GRID_MOST_HALO);
    TRY(ARENA_NEW(&s->scratch, j.copy, j.copy_size * (size_t)parallel_workers(s->sim.ctx)));
    TRY(ARENA_NEW(&s->scratch, j.wet, past->tiles->count));
    TRY(ARENA_NEW(&s->scratch, j.fastest, past->tiles->count));
    parallel_for(s->sim.ctx, past->tiles->count, 32, look_at_tiles, &j);
    parallel_for(s->sim.ctx, s->tiles.count, 2, fill_tiles, &j);
    return RILL_OK;
}

/* --- their velocity --- */

typedef struct {
    grid *s;
    float *const *carry;
    rill_vec3 between; /* the frames */
} take_job;

static void take_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const take_job *j = arg;
    grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t t = begin; t < end; t++)
        for (size_t i = t * cells; i < (t + 1) * cells && s->narrow.filled[t]; i++)
            for (int a = 0; a < s->tiles.dimensions && s->narrow.fill[i]; a++) {
                if (s->field.weighed[i] & 1u << a) continue;
                s->field.u[a][i] = (float)((double)j->carry[a][i] + v3_axis(j->between, a));
                s->field.weighed[i] |= (uint8_t)(1u << a);
            }
}

void narrow_velocity(grid *s, const grid_past *past, float *const carry[3])
{
    take_job j = {s, carry, v3_sub(past->frame, s->frame)};
    parallel_for(s->sim.ctx, s->tiles.count, 16, take_tiles, &j);
}
