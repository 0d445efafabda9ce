/* Long waves of pressure, solved on cells.
 *
 * A relaxation between neighbours takes as many iterations as the liquid has layers before its bottom reacts
 * to its surface. The smooth part of the residual r is removed here: -laplace e = r / scale on the cells of
 * the sort, a support wide, by finite volumes: e = 0 where the liquid ends, no flux into walls. A cell that
 * is partly full has the stiffness of a full one. Multigrid (multigrid.h); then k += e, linear within a cell.
 *
 * k may not fall below zero except inside the liquid. Where pressure only pushes, particles on which it does
 * not act have spare volume, which those around them may take: the right side of a cell is its compression
 * less that volume, and cells in which k would be negative keep k = 0. Cells that are only at the surface
 * count as air. */
#include "sph/dfsph/coarse.h"

#include "sph/core/operations.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 30, ROUNDS = 4, BLOCK = 1024 };
static const double tolerance = 0.01; /* of the residual, which is largest in few cells */
/* Of the operator, for parts of the liquid that no air adjoins. It bounds the length of waves, in cells, by
 * 1 / sqrt(shift): 1e-3 was too much for liquid of more than 30 cells. */
static const float shift = 1e-6f;
static const float bare = 0.85f, covered = 0.95f; /* by density ratio: no share below, all above */
/* Of what is left, the part that does not cancel within cells, below which it is noise. */
static const double coherent = 0.5;
static const double settled = 0.01; /* of the cells may still change when revisions end */

/* Cell `c` of a tile shifted by one along an axis: its slot, or CELL_AIR. */
static uint32_t slot_beside(const tiles *t, uint32_t index, int c, int axis, int side)
{
    const int size[3] = {t->nx, t->ny, t->nz};
    int at[3] = {c % t->nx, c / t->nx % t->ny, c / (t->nx * t->ny)};
    int64_t place[3] = {t->tile[index].x, t->tile[index].y, t->tile[index].z};
    at[axis] += side;
    if (at[axis] < 0 || at[axis] >= size[axis]) {
        at[axis] = side < 0 ? size[axis] - 1 : 0;
        place[axis] += side;
        index = tiles_find(t, place[0], place[1], place[2]);
        if (index == UINT32_MAX) return CELL_AIR;
    }
    return index * TILE_CELLS + (uint32_t)((at[2] * t->ny + at[1]) * t->nx + at[0]);
}

/* The k-th particle in the order of the cells, and how many of the finest it stands for. */
static uint32_t particle_of(const coarse *c, uint32_t k)
{
    return c->order ? c->order[k] : k;
}
static float share_of(const coarse *c, uint32_t i)
{
    return c->size ? (float)(1u << c->size[i]) : 1;
}

typedef struct {
    const sph *s;
    coarse *c;
    const uint32_t *id; /* of each slot */
} link_job;

/* Links neighbouring cells. An empty cell is solid when a wall lies in its direction and passes near its
 * centre: liquid at the wall would have particles in it. */
static void link_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const link_job *j = arg;
    const tiles *t = &j->c->tiles;
    for (size_t n = begin; n < end; n++) {
        const uint32_t slot = j->c->slot[n], index = slot / TILE_CELLS;
        const int cell = (int)(slot % TILE_CELLS);
        const rill_vec3 center = tile_cell_center(t, index, cell);
        for (int f = 0; f < CELL_FACES; f++) {
            const int axis = f / 2, side = f % 2 ? 1 : -1;
            uint32_t *to = &j->c->beside[n][f];
            *to = CELL_WALL;
            if (axis == 2 && t->nz == 1) continue;
            const uint32_t other = slot_beside(t, index, cell, axis, side);
            *to = other == CELL_AIR ? CELL_AIR : j->id[other];
            if (*to != CELL_AIR || (j->c->near_wall && !j->c->near_wall[index])) continue;
            rill_vec3 x = center;
            v3_set_axis(&x, axis, v3_axis(x, axis) + side * t->cell);
            const double here = j->c->wall_distance
                                    ? (double)j->c->wall_distance[slot]
                                    : solids_distance(&j->s->sim.solids, center, j->s->sim.time, NULL);
            if (here > 1.5 * t->cell) continue;
            const double there = solids_distance(&j->s->sim.solids, x, j->s->sim.time, NULL);
            if (there < 0.25 * t->cell && there < here - 0.5 * t->cell) *to = CELL_WALL;
        }
    }
}

rill_status coarse_build(sph *s, rill_arena *arena, coarse *out)
{
    rill_ctx *ctx = s->sim.ctx;
    coarse c = {.s = s};
    TRY(s->ops->cells(s, arena, &c));
    const tiles *t = &c.tiles;
    const size_t slots = (size_t)t->count * TILE_CELLS;
    uint32_t *id;
    TRY(ARENA_NEW(arena, id, slots));
    for (uint32_t k = 0; k < t->count; k++)
        for (uint32_t n = 0; n < TILE_CELLS; n++) {
            const uint32_t *start = t->start + (size_t)k * TILE_STARTS + n;
            id[k * TILE_CELLS + n] = start[1] > start[0] ? c.count++ : CELL_AIR;
        }
    TRY(ARENA_NEW(arena, c.slot, c.count));
    TRY(ARENA_NEW(arena, c.beside, c.count));
    TRY(ARENA_NEW(arena, c.state, c.count));
    TRY(ARENA_NEW(arena, c.next, c.count));
    TRY(ARENA_NEW(arena, c.e, c.count));
    TRY(ARENA_NEW(arena, c.b, c.count));
    TRY(ARENA_NEW(arena, c.r, c.count));
    TRY(ARENA_NEW(arena, c.k, c.count));
    for (uint32_t n = 0; n < slots; n++)
        if (id[n] != CELL_AIR) c.slot[id[n]] = n;
    link_job j = {s, &c, id};
    parallel_for(ctx, c.count, 256, link_block, &j);
    c.closed = c.count > 0;
    for (uint32_t n = 0; n < c.count && c.closed; n++)
        for (int f = 0; f < CELL_FACES; f++) c.closed &= c.beside[n][f] != CELL_AIR;
    uint32_t(*at)[3];
    TRY(ARENA_NEW(arena, at, c.count));
    for (uint32_t n = 0; n < c.count; n++) {
        const tile *a = &t->tile[c.slot[n] / TILE_CELLS];
        const int cell = (int)(c.slot[n] % TILE_CELLS);
        at[n][0] = (uint32_t)(a->x * t->nx + cell % t->nx);
        at[n][1] = (uint32_t)(a->y * t->ny + cell / t->nx % t->ny);
        at[n][2] = (uint32_t)(a->z * t->nz + cell / (t->nx * t->ny));
    }
    TRY(cell_multigrid_build(ctx, arena, (const uint32_t(*)[3])at, (const uint32_t(*)[CELL_FACES])c.beside,
                             c.count, &c.grid));
    *out = c;
    return RILL_OK;
}

/* -- the equation -------------------------------------------------------------------- */

/* How much of a long wave a particle takes part in: at the surface, where it would end in a
 * jump, nothing. */
static float depth_of(const coarse *c, uint32_t i)
{
    const float depth = (c->s->density[i] * c->per_rest - bare) / (covered - bare);
    return depth > 0 ? (depth < 1 ? depth : 1) : 0;
}

/* Pressure may not act on it: spray, and at the surface where nothing closes. Inside the liquid a residual of
 * 0 only means that k = 0 suffices without the wave: a particle that the wave left out would be a hole in it,
 * as deep as the wave is high, which grows with the square of the liquid's extent. */
static bool left_out(const sph *s, uint32_t i)
{
    return s->solve.residual[i] == 0 && (!s->solve.inside[i] || s->solve.spray[i]);
}

/* Not compressed, and pressure has not acted on it since before the last relaxation. */
static bool is_idle(const coarse *c, uint32_t i)
{
    const sph *s = c->s;
    return !c->pulls && s->solve.residual[i] < 0 && s->solve.k[i] == 0 && s->solve.change[i] == 0;
}

/* The right side and the first states of cells. */
static void gather_terms(void *arg, size_t begin, size_t end, double *out)
{
    coarse *c = arg;
    const sph *s = c->s;
    for (size_t n = begin; n < end; n++) {
        const uint32_t slot = c->slot[n];
        const uint32_t *start =
            c->tiles.start + (size_t)(slot / TILE_CELLS) * TILE_STARTS + slot % TILE_CELLS;
        float sum = 0, all = 0, spare = 0, k = 0, shares = 0;
        bool acts = false, covered_any = false;
        for (uint32_t q = start[0]; q < start[1]; q++) {
            const uint32_t i = particle_of(c, q);
            k += share_of(c, i) * s->solve.k[i];
            shares += share_of(c, i);
            if (left_out(s, i)) continue;
            const float depth = depth_of(c, i), left = share_of(c, i) * depth * s->solve.residual[i];
            covered_any |= depth > 0;
            if (is_idle(c, i)) {
                spare -= left;
                continue;
            }
            sum += left;
            all += fabsf(left);
            acts |= depth > 0;
        }
        const float clipped = sum > 0 && !c->closed ? (sum > spare ? sum - spare : 0) : sum;
        c->state[n] = acts ? CELL_FREE : covered_any && !c->pulls && !c->closed ? CELL_FIXED : CELL_OUT;
        c->e[n] = 0;
        c->k[n] = shares > 0 ? k / shares : 0;
        c->b[n] = c->state[n] == CELL_OUT ? 0 : c->unit * (c->closed ? sum : sum - spare);
        out[0] += (double)c->b[n];
        out[1] += acts;
        out[2] += (double)fabsf(clipped);
        out[3] += (double)all;
    }
}

/* Residuals of free cells for the current e; out: faces towards cells or air whose value is given. */
static void begin_terms(void *arg, size_t begin, size_t end, double *out)
{
    coarse *c = arg;
    for (size_t n = begin; n < end; n++) {
        c->r[n] = 0;
        if (c->state[n] != CELL_FREE) continue;
        c->r[n] = c->b[n] - c->mean - cell_multigrid_apply(&c->grid, c->state, shift, c->e, (uint32_t)n);
        for (int f = 0; f < CELL_FACES; f++) {
            const uint32_t to = c->beside[n][f];
            out[0] += to == CELL_AIR || (to != CELL_WALL && c->state[to] != CELL_FREE);
        }
    }
}

/* Where pressure only pushes, k may not be negative: cells in which it would be are fixed at k = 0, and fixed
 * cells whose spare volume does not suffice for what comes in become free (primal-dual active set:
 * Hintermueller, Ito and Kunisch 2002). */
static void revise_terms(void *arg, size_t begin, size_t end, double *out)
{
    coarse *c = arg;
    for (size_t n = begin; n < end; n++) {
        uint8_t next = c->state[n];
        if (next == CELL_FREE && c->k[n] + c->e[n] < 0)
            next = CELL_FIXED;
        else if (next == CELL_FIXED &&
                 c->b[n] > cell_multigrid_apply(&c->grid, c->state, shift, c->e, (uint32_t)n))
            next = CELL_FREE;
        out[0] += next != c->state[n];
        c->next[n] = next;
    }
}

static void revise_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    coarse *c = arg;
    for (size_t n = begin; n < end; n++) {
        c->state[n] = c->next[n];
        if (c->state[n] == CELL_FIXED) c->e[n] = -c->k[n];
    }
}

static void solve_linear(coarse *c, double free_mean)
{
    rill_ctx *ctx = c->s->sim.ctx;
    double given;
    c->mean = 0;
    cell_multigrid_set(&c->grid, c->state, shift);
    parallel_sums(ctx, c->count, begin_terms, c, 1, &given);
    if (!(given > 0)) { /* a closed box: the mean cannot change */
        c->mean = (float)free_mean;
        parallel_sums(ctx, c->count, begin_terms, c, 1, &given);
    }
    cell_multigrid_solve(&c->grid, c->e, c->r, tolerance, MOST_ITERATIONS);
}

static bool solve(coarse *c)
{
    rill_ctx *ctx = c->s->sim.ctx;
    double sums[4];
    parallel_sums(ctx, c->count, gather_terms, c, 4, sums);
    if (!(sums[2] > coherent * sums[3])) return false;
    const double mean = sums[1] > 0 ? sums[0] / sums[1] : 0;
    for (int round = 0; round < ROUNDS; round++) {
        double changed;
        solve_linear(c, mean);
        if (c->pulls || c->closed) break;
        parallel_sums(ctx, c->count, revise_terms, c, 1, &changed);
        if (changed == 0) break;
        if (round + 1 == ROUNDS && changed > settled * c->count) return false; /* no wave, but noise */
        parallel_for(ctx, c->count, BLOCK, revise_block, c);
    }
    return true;
}

/* -- back to the particles ------------------------------------------------------------ */

/* Half the difference of the cells on both sides; at the surface e is zero, at a wall its slope is 0. */
static float slope(const coarse *c, size_t n, int axis)
{
    float value[2];
    for (int side = 0; side < 2; side++) {
        const uint32_t to = c->beside[n][2 * axis + side];
        value[side] = to == CELL_WALL                              ? c->e[n]
                      : to == CELL_AIR || c->state[to] == CELL_OUT ? -c->e[n]
                                                                   : c->e[to];
    }
    return 0.5f * (value[1] - value[0]);
}

static void add_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const coarse *c = arg;
    const sph *s = c->s;
    const tiles *t = &c->tiles;
    const double per_cell = 1 / t->cell;
    for (size_t n = begin; n < end; n++) {
        if (c->state[n] == CELL_OUT) continue;
        const uint32_t slot = c->slot[n];
        const int cell = (int)(slot % TILE_CELLS);
        const uint32_t *start = t->start + (size_t)(slot / TILE_CELLS) * TILE_STARTS + cell;
        const rill_vec3 center = tile_cell_center(t, slot / TILE_CELLS, cell);
        const float g[3] = {slope(c, n, 0), slope(c, n, 1), t->nz == 1 ? 0 : slope(c, n, 2)};
        for (uint32_t q = start[0]; q < start[1]; q++) {
            const uint32_t i = particle_of(c, q);
            if (left_out(s, i) || (c->closed && is_idle(c, i))) continue;
            const rill_vec3 off = v3_scale(v3_sub(s->particles.position[i], center), per_cell);
            const float e = c->e[n] + g[0] * (float)off.x + g[1] * (float)off.y + g[2] * (float)off.z;
            const float k = s->solve.k[i] + depth_of(c, i) * e;
            s->solve.k[i] = k > 0 || (c->pulls && s->solve.inside[i]) ? k : 0;
        }
    }
}

bool coarse_correct(coarse *c, double scale, bool pulls)
{
    const sph *s = c->s;
    const double h = c->tiles.cell;
    c->pulls = pulls;
    c->per_rest = (float)(1 / s->sim.scene->fluid.density);
    c->unit = (float)(h * h / scale * s->model.volume / (c->tiles.nz == 1 ? h * h : h * h * h));
    if (!solve(c)) return false;
    parallel_for(s->sim.ctx, c->count, 256, add_block, c);
    return true;
}
