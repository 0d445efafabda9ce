/* Particles of cut cells find their places.
 *
 * What is not liquid is filled up with ghosts: a dry cell has one in its middle, a cut cell has one in the
 * middle of its dry part, that counts as much as that part is large. Particles and ghosts push each other
 * apart, which ends where they are evenly dense; a lattice is at rest as it is. Particles of cut cells move,
 * and those of the cells around them; the others and the ghosts stay. */
#include "base/parallel.h"
#include "flow/fill_plan.h"

enum { ROUNDS = 40, REACH = 2, MOST_NEAR = 125 };

typedef struct {
    rill_vec3 x, ghost; /* of the particle, of the ghost */
    float dry;          /* what the ghost counts */
    uint8_t holds, known;
} cell;

typedef struct {
    const fill_plan *plan;
    block_map *map;
    cell *cell;
    uint32_t *mover, *near; /* cells whose particles move, and the cells around them: `across` of each */
    size_t movers;
    uint32_t across;
    rill_vec3 *to;
} spreading;

static rill_vec3 middle(const spreading *s, size_t id)
{
    const int32_t *at = s->map->block[id];
    return fill_place(&s->plan->lattice, at[0], at[1], at[2]);
}

static rill_status add_around(rill_ctx *ctx, block_map *map, size_t id, int dimensions)
{
    const int deep = dimensions == 2 ? 0 : 1;
    const int32_t at[3] = {map->block[id][0], map->block[id][1], map->block[id][2]};
    for (int k = -deep; k <= deep; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) TRY(block_map_add(ctx, map, at[0] + i, at[1] + j, at[2] + k));
    return RILL_OK;
}

/* Cut cells first, then those around them, then all that push these. */
static rill_status collect(rill_ctx *ctx, spreading *s, size_t *movable)
{
    const fill_plan *plan = s->plan;
    const int dimensions = plan->lattice.scene->dimensions;
    for (uint32_t q = 0; q < plan->count; q++)
        for (size_t k = 0; k < plan->part[q].cuts; k++) {
            int64_t at[3];
            if (plan->part[q].cut[k].content >= 1) continue;
            fill_cell(&plan->part[q].range, plan->part[q].cut[k].place, at);
            TRY(block_map_add(ctx, s->map, (int32_t)at[0], (int32_t)at[1], (int32_t)at[2]));
        }
    size_t from = 0;
    for (int ring = 0; ring <= REACH; ring++) {
        const size_t to = s->map->count;
        for (size_t id = from; id < to; id++) TRY(add_around(ctx, s->map, id, dimensions));
        if (ring == 0) *movable = s->map->count;
        from = to;
    }
    return RILL_OK;
}

static void know_cuts(spreading *s)
{
    const fill_plan *plan = s->plan;
    for (uint32_t q = 0; q < plan->count; q++)
        for (size_t k = 0; k < plan->part[q].cuts; k++) {
            const fill_cut *cut = &plan->part[q].cut[k];
            int64_t at[3];
            fill_cell(&plan->part[q].range, cut->place, at);
            const uint32_t id = block_map_find(s->map, (int32_t)at[0], (int32_t)at[1], (int32_t)at[2]);
            if (id == BLOCK_NONE) continue;
            const double h = plan->lattice.spacing;
            const rill_vec3 x = middle(s, id);
            s->cell[id] =
                (cell){.x = cut->content < 1 ? v3_madd(x, h, v3(cut->wet[0], cut->wet[1], cut->wet[2])) : x,
                       .ghost = v3_madd(x, h, v3(cut->dry[0], cut->dry[1], cut->dry[2])),
                       .dry = 1 - cut->content,
                       .holds = cut->taken,
                       .known = 1};
        }
}

static void know_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const spreading *s = arg;
    for (size_t id = begin; id < end; id++) {
        if (s->cell[id].known) continue;
        const rill_vec3 x = middle(s, id);
        const bool full = fill_is_full(&s->plan->lattice, x);
        s->cell[id] = (cell){.x = x, .ghost = x, .dry = full ? 0 : 1, .holds = full, .known = 1};
    }
}

static void near_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const spreading *s = arg;
    const int deep = s->plan->lattice.scene->dimensions == 2 ? 0 : REACH;
    for (size_t m = begin; m < end; m++) {
        const int32_t *at = s->map->block[s->mover[m]];
        uint32_t *near = s->near + m * s->across;
        for (int k = -deep; k <= deep; k++)
            for (int j = -REACH; j <= REACH; j++)
                for (int i = -REACH; i <= REACH; i++)
                    *near++ = block_map_find(s->map, at[0] + i, at[1] + j, at[2] + k);
    }
}

/* Minus the gradient of the kernel (1 - r / R)^3, up to a factor: one that is flat in the middle would let
 * pairs fall together. */
static rill_vec3 pushed(rill_vec3 sum, double weight, rill_vec3 d, double reach)
{
    const double r = v3_length(d), w = 1 - r / reach;
    return w > 0 && r > 0 ? v3_madd(sum, weight * w * w * reach / r, d) : sum;
}

static void push_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const spreading *s = arg;
    const double h = s->plan->lattice.spacing, reach = 2 * h;
    const double step = s->plan->lattice.scene->dimensions == 2 ? 0.2 : 0.12, most = 0.1 * h;
    for (size_t m = begin; m < end; m++) {
        const uint32_t own = s->mover[m], *near = s->near + m * s->across;
        const rill_vec3 x = s->cell[own].x;
        rill_vec3 sum = {0, 0, 0};
        for (uint32_t k = 0; k < s->across; k++) {
            if (near[k] == BLOCK_NONE) continue;
            const cell *c = &s->cell[near[k]];
            if (c->holds && near[k] != own) sum = pushed(sum, 1, v3_sub(x, c->x), reach);
            if (c->dry > 0) sum = pushed(sum, c->dry, v3_sub(x, c->ghost), reach);
        }
        const double way = step * v3_length(sum);
        s->to[m] = v3_madd(x, way > most ? step * most / way : step, sum);
    }
}

static void settle_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const spreading *s = arg;
    for (size_t m = begin; m < end; m++) s->cell[s->mover[m]].x = s->to[m];
}

/* Out of the walls: a quarter of a spacing, or as far as the gap allows. */
static void clear_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const spreading *s = arg;
    const fill_lattice *l = &s->plan->lattice;
    for (size_t m = begin; m < end; m++) {
        rill_vec3 *x = &s->cell[s->mover[m]].x, at = *x, best = at;
        double clearance = -INFINITY;
        for (int k = 0; k < 6; k++) {
            solid_contact c;
            const double d = solids_distance(l->walls, at, l->time, &c);
            if (d > clearance) {
                clearance = d;
                best = at;
            }
            if (d >= 0.25 * l->spacing) break;
            at = v3_madd(at, 0.25 * l->spacing - d, c.normal);
        }
        *x = best;
    }
}

static rill_status spread(rill_ctx *ctx, spreading *s, size_t movable)
{
    const size_t cells = s->map->count;
    s->across = s->plan->lattice.scene->dimensions == 2 ? 25 : MOST_NEAR;
    know_cuts(s);
    parallel_for(ctx, cells, 64, know_block, s);
    TRY(MEM_NEW(ctx, s->mover, movable));
    for (size_t id = 0; id < movable; id++)
        if (s->cell[id].holds) s->mover[s->movers++] = (uint32_t)id;
    TRY(MEM_NEW(ctx, s->near, s->movers * s->across));
    TRY(MEM_NEW(ctx, s->to, s->movers));
    parallel_for(ctx, s->movers, 64, near_block, s);
    for (int k = 0; k < ROUNDS; k++) {
        parallel_for(ctx, s->movers, 256, push_block, s);
        parallel_for(ctx, s->movers, 1024, settle_block, s);
    }
    parallel_for(ctx, s->movers, 64, clear_block, s);
    return RILL_OK;
}

/* Cells are found by 32-bit places. */
static bool places_fit(const fill_plan *plan)
{
    for (uint32_t q = 0; q < plan->count; q++)
        for (int a = 0; a < 3; a++)
            if (plan->part[q].range.end[a] > INT32_MAX - 8) return false;
    return true;
}

rill_status fill_spread(rill_ctx *ctx, const fill_plan *plan, fill_shifts *out)
{
    fill_shifts shifts = {0};
    spreading s = {.plan = plan, .map = &shifts.cells};
    size_t movable = 0;
    rill_status st = RILL_OK;
    if (places_fit(plan)) st = collect(ctx, &s, &movable);
    if (!st) st = MEM_NEW_ZERO(ctx, s.cell, shifts.cells.count);
    if (!st) st = spread(ctx, &s, movable);
    if (!st) st = MEM_NEW(ctx, shifts.x, shifts.cells.count);
    if (!st)
        for (size_t id = 0; id < shifts.cells.count; id++) shifts.x[id] = s.cell[id].x;
    mem_free(ctx, s.to);
    mem_free(ctx, s.near);
    mem_free(ctx, s.mover);
    mem_free(ctx, s.cell);
    if (st)
        fill_shifts_clear(ctx, &shifts);
    else
        *out = shifts;
    return st;
}

void fill_shifts_clear(rill_ctx *ctx, fill_shifts *s)
{
    block_map_clear(ctx, &s->cells);
    mem_free(ctx, s->x);
    *s = (fill_shifts){0};
}

rill_vec3 fill_shifted(const fill_plan *plan, const fill_shifts *s, const int64_t at[3])
{
    const uint32_t id = s->cells.count
                            ? block_map_find(&s->cells, (int32_t)at[0], (int32_t)at[1], (int32_t)at[2])
                            : BLOCK_NONE;
    return id == BLOCK_NONE ? fill_place(&plan->lattice, at[0], at[1], at[2]) : s->x[id];
}
