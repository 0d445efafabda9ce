/* Long waves of pressure, solved on cells.
 *
 * A relaxation between neighbours takes as many iterations as the liquid has layers before its
 * bottom knows of its surface. What it leaves is smooth, and is taken out here: with r what
 * is left of the right side,
 *     -laplace e = r / scale
 * on the cells of the sort, a support wide, by finite volumes: e = 0 where the liquid ends, no
 * flux into walls. A cell that is partly full has the stiffness of a full one, which errs on the
 * safe side. Conjugate gradients; then k += e, linear within a cell.
 *
 * k may not fall below zero but inside the liquid; cells in which no pressure acts count as air. Where
 * pressure only pushes, particles that it does not act on have spare volume, which those around
 * them may take: the right side of a cell is its compression less that volume. Without it the noise of
 * a settled arrangement, of which only compression would be seen, is taken for a wave through all the liquid.
 */
#include "sph/dfsph/coarse.h"

#include "sph/core/operations.h"

#include <math.h>
#include <string.h>

enum { FACES = 6, MOST_ITERATIONS = 60, BLOCK = 1024 };
static const uint32_t AIR = UINT32_MAX, WALL = UINT32_MAX - 1;
static const double tolerance = 0.1;              /* of the residual: more would be lost on the particles */
static const float shift = 1e-3f;                 /* a closed box has no air */
static const float bare = 0.85f, covered = 0.95f; /* by density ratio: no share below, all above */
/* Of what is left, the part that does not cancel within cells, below which it is noise. */
static const double coherent = 0.5;

/* Cell `c` of a tile shifted by one along an axis: its slot, or AIR. */
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
        if (index == UINT32_MAX) return AIR;
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
        for (int f = 0; f < FACES; f++) {
            const int axis = f / 2, side = f % 2 ? 1 : -1;
            uint32_t *to = &j->c->beside[n][f];
            *to = WALL;
            if (axis == 2 && t->nz == 1) continue;
            const uint32_t other = slot_beside(t, index, cell, axis, side);
            *to = other == AIR ? AIR : j->id[other];
            if (*to != AIR || (j->c->near_wall && !j->c->near_wall[index])) continue;
            rill_vec3 x = center;
            v3_set_axis(&x, axis, v3_axis(x, axis) + side * t->cell);
            const double here = j->c->wall_distance
                                    ? (double)j->c->wall_distance[slot]
                                    : solids_distance(&j->s->sim.solids, center, j->s->sim.time, NULL);
            if (here > 1.5 * t->cell) continue;
            const double there = solids_distance(&j->s->sim.solids, x, j->s->sim.time, NULL);
            if (there < 0.25 * t->cell && there < here - 0.5 * t->cell) *to = WALL;
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
            id[k * TILE_CELLS + n] = start[1] > start[0] ? c.count++ : AIR;
        }
    TRY(ARENA_NEW(arena, c.slot, c.count));
    TRY(ARENA_NEW(arena, c.beside, c.count));
    TRY(ARENA_NEW(arena, c.acts, c.count));
    TRY(ARENA_NEW(arena, c.e, c.count));
    TRY(ARENA_NEW(arena, c.r, c.count));
    TRY(ARENA_NEW(arena, c.p, c.count));
    TRY(ARENA_NEW(arena, c.q, c.count));
    TRY(ARENA_NEW(arena, c.before, s->particles.count));
    for (uint32_t n = 0; n < slots; n++)
        if (id[n] != AIR) c.slot[id[n]] = n;
    link_job j = {s, &c, id};
    parallel_for(ctx, c.count, 256, link_block, &j);
    c.closed = c.count > 0;
    for (uint32_t n = 0; n < c.count && c.closed; n++)
        for (int f = 0; f < FACES; f++) c.closed &= c.beside[n][f] != AIR;
    *out = c;
    return RILL_OK;
}

/* -- conjugate gradients -------------------------------------------------------------- */

/* How much of a long wave a particle takes part in: at the surface, where it would end in a
 * jump, nothing. */
static float depth_of(const coarse *c, uint32_t i)
{
    const float depth = (c->s->density[i] * c->per_rest - bare) / (covered - bare);
    return depth > 0 ? (depth < 1 ? depth : 1) : 0;
}

/* Not compressed, and pressure has not acted on it since before the last relaxation. */
static bool is_idle(const coarse *c, uint32_t i)
{
    const sph *s = c->s;
    return !c->pulls && s->solve.residual[i] < 0 && s->solve.k[i] == 0 && s->solve.change[i] == 0;
}

/* What the particles have left; cells without pressure drop out. */
static void gather_terms(void *arg, size_t begin, size_t end, double *out)
{
    coarse *c = arg;
    const sph *s = c->s;
    for (size_t n = begin; n < end; n++) {
        const uint32_t slot = c->slot[n];
        const uint32_t *start =
            c->tiles.start + (size_t)(slot / TILE_CELLS) * TILE_STARTS + slot % TILE_CELLS;
        float sum = 0, all = 0, spare = 0;
        bool acts = false;
        for (uint32_t k = start[0]; k < start[1]; k++) {
            const uint32_t i = particle_of(c, k);
            if (s->solve.residual[i] == 0) continue;
            const float depth = depth_of(c, i), left = share_of(c, i) * depth * s->solve.residual[i];
            if (is_idle(c, i)) {
                spare -= left;
                continue;
            }
            sum += left;
            all += fabsf(left);
            acts |= depth > 0;
        }
        if (sum > 0 && !c->closed) sum = sum > spare ? sum - spare : 0;
        c->acts[n] = acts;
        c->e[n] = 0;
        c->r[n] = acts ? c->unit * sum : 0;
        out[0] += (double)c->r[n];
        out[1] += acts;
        out[2] += (double)fabsf(sum);
        out[3] += (double)all;
    }
}

/* Faces towards air, and the mean goes where there are none: a closed box has no answer to it. */
static void begin_terms(void *arg, size_t begin, size_t end, double *out)
{
    coarse *c = arg;
    for (size_t n = begin; n < end; n++) {
        if (c->acts[n]) c->r[n] -= c->mean;
        c->p[n] = 0;
        for (int f = 0; f < FACES && c->acts[n]; f++) {
            const uint32_t to = c->beside[n][f];
            out[1] += to == AIR || (to != WALL && !c->acts[to]);
        }
        out[0] += (double)c->r[n] * (double)c->r[n];
    }
}

static void apply_terms(void *arg, size_t begin, size_t end, double *out)
{
    coarse *c = arg;
    for (size_t n = begin; n < end; n++) {
        c->q[n] = 0;
        if (!c->acts[n]) continue;
        float sum = shift * c->p[n];
        for (int f = 0; f < FACES; f++) {
            const uint32_t to = c->beside[n][f];
            if (to == WALL) continue;
            if (to == AIR || !c->acts[to])
                sum += 2 * c->p[n];
            else
                sum += c->p[n] - c->p[to];
        }
        c->q[n] = sum;
        out[0] += (double)sum * (double)c->p[n];
    }
}

static void advance_terms(void *arg, size_t begin, size_t end, double *out)
{
    coarse *c = arg;
    for (size_t n = begin; n < end; n++) {
        c->e[n] += c->alpha * c->p[n];
        c->r[n] -= c->alpha * c->q[n];
        out[0] += (double)c->r[n] * (double)c->r[n];
    }
}

static void turn_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    coarse *c = arg;
    for (size_t n = begin; n < end; n++) c->p[n] = c->r[n] + c->beta * c->p[n];
}

static bool solve(coarse *c)
{
    rill_ctx *ctx = c->s->sim.ctx;
    double sums[4];
    parallel_sums(ctx, c->count, gather_terms, c, 4, sums);
    if (!(sums[2] > coherent * sums[3])) return false;
    const double mean = sums[1] > 0 ? sums[0] / sums[1] : 0;
    c->mean = 0;
    parallel_sums(ctx, c->count, begin_terms, c, 2, sums);
    if (!(sums[1] > 0)) { /* nowhere to go */
        c->mean = (float)mean;
        parallel_sums(ctx, c->count, begin_terms, c, 2, sums);
    }
    const double first = sums[0];
    double square = first;
    c->beta = 0;
    for (int n = 0; n < MOST_ITERATIONS && square > tolerance * tolerance * first; n++) {
        double curvature, next;
        parallel_for(ctx, c->count, BLOCK, turn_block, c);
        parallel_sums(ctx, c->count, apply_terms, c, 1, &curvature);
        if (!(curvature > 0)) break;
        c->alpha = (float)(square / curvature);
        parallel_sums(ctx, c->count, advance_terms, c, 1, &next);
        c->beta = (float)(next / square);
        square = next;
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
        value[side] = to == WALL ? c->e[n] : to == AIR || !c->acts[to] ? -c->e[n] : c->e[to];
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
        if (!c->acts[n]) continue;
        const uint32_t slot = c->slot[n];
        const int cell = (int)(slot % TILE_CELLS);
        const uint32_t *start = t->start + (size_t)(slot / TILE_CELLS) * TILE_STARTS + cell;
        const rill_vec3 center = tile_cell_center(t, slot / TILE_CELLS, cell);
        const float g[3] = {slope(c, n, 0), slope(c, n, 1), t->nz == 1 ? 0 : slope(c, n, 2)};
        for (uint32_t q = start[0]; q < start[1]; q++) {
            const uint32_t i = particle_of(c, q);
            if (s->solve.residual[i] == 0 || (c->closed && is_idle(c, i))) continue;
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
    memcpy(c->before, s->solve.k, s->particles.count * sizeof *s->solve.k);
    parallel_for(s->sim.ctx, c->count, 256, add_block, c);
    return true;
}

void coarse_undo(coarse *c)
{
    memcpy(c->s->solve.k, c->before, c->s->particles.count * sizeof *c->before);
}
