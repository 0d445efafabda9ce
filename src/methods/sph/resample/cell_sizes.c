/* Feature sizes of the initial liquid, on a grid; see bricks.h.
 *
 *     elfs(x) = min over surface points y of |x - y| + lfs(y)                           ([Adams] eq. 3)
 *
 * Three times, cells take the best source of their neighbours in two sweeps over the grid (after Danielsson
 * 1980): first the cells around the liquid are sources, which gives footpoints and from these the medial
 * axis (eq. 4); then the axis, which gives lfs to the cells around the liquid; then these again, each
 * starting from its lfs. Walls are surface, as they are for the particles' own distances: nothing is behind
 * them.
 *
 * Cells have sharp corners where the liquid's surface is smooth: on a slope each step of the grid, and every
 * pit, would have its own axis. Footpoints that make an axis are therefore at least six cells apart: at most
 * depths this is stricter than 60 degrees. Nearer footpoints count where the liquid is nowhere deeper
 * around, in limbs and films, and where they continue the axis towards less depth, since it ends in edges.
 */
#include "base/parallel.h"
#include "sph/resample/bricks.h"

#include <math.h>
#include <string.h>

/* AROUND: outside, next to liquid; MAYBE: liquid that may be on the medial axis, AXIS: that is. */
enum { OUTSIDE, AROUND, LIQUID, MAYBE, AXIS };
enum { NEIGHBOURS = 13, NEAR = 4, APART = 36, LAST_STEPS = 5 }; /* squares of distances, in cells; cells */

#define NOWHERE UINT16_MAX

typedef struct {
    uint32_t n[3];
    uint8_t *kind;
    cell_at *source; /* x is NOWHERE: no source */
    cell_at *foot;   /* the nearest cell outside, likewise */
    float *start;    /* initial value of a source, in cells; of liquid: the result */
    int dimensions;
} cell_grid;

static size_t cell_index(const cell_grid *g, cell_at c)
{
    return ((size_t)c.z * g->n[1] + c.y) * g->n[0] + c.x;
}

static size_t cells_of(const cell_grid *g)
{
    return (size_t)g->n[0] * g->n[1] * g->n[2];
}

/* -- the grid ------------------------------------------------------------------------------ */

typedef struct {
    const source_sites *sites;
    cell_grid *g;
} kind_job;

/* At least half of its sites are liquid. */
static bool mostly_taken(const source_sites *s, size_t i, size_t j, size_t k, int dimensions)
{
    const size_t deep = dimensions == 2 ? 1 : 2;
    size_t taken = 0;
    for (size_t c = k; c < k + deep && c < s->size[2]; c++)
        for (size_t b = j; b < j + 2 && b < s->size[1]; b++)
            for (size_t a = i; a < i + 2 && a < s->size[0]; a++)
                taken += s->taken[(c * s->size[1] + b) * s->size[0] + a];
    return taken >= 2 * deep;
}

static void kind_layers(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const kind_job *job = arg;
    const cell_grid *g = job->g;
    const bool flat = g->dimensions == 2;
    for (size_t k = begin; k < end; k++)
        for (size_t j = 0; j < g->n[1]; j++)
            for (size_t i = 0; i < g->n[0]; i++)
                g->kind[(k * g->n[1] + j) * g->n[0] + i] =
                    i && j && (flat || k) &&
                            mostly_taken(job->sites, 2 * i - 2, 2 * j - 2, flat ? 0 : 2 * k - 2,
                                         g->dimensions)
                        ? LIQUID
                        : OUTSIDE;
}

/* Offsets to the neighbours that precede a cell in the order of the grid, first the six (four) that share a
 * face with it. */
static int make_steps(const cell_grid *g, int step[NEIGHBOURS][3])
{
    int n = 0;
    for (int faces = 1; faces <= 3; faces++)
        for (int c = g->dimensions == 2 ? 0 : -1; c <= 0; c++)
            for (int b = -1; b <= (c < 0 ? 1 : 0); b++)
                for (int a = -1; a <= (c < 0 || b < 0 ? 1 : -1); a++)
                    if ((a != 0) + (b != 0) + (c != 0) == faces) {
                        step[n][0] = a;
                        step[n][1] = b;
                        step[n++][2] = c;
                    }
    return n;
}

/* Cells at the sides of the grid are never liquid. */
static void mark_around(cell_grid *g)
{
    const size_t cells = cells_of(g);
    const size_t far[3] = {1, g->n[0], (size_t)g->n[0] * g->n[1]};
    for (size_t at = 0; at < cells; at++) {
        if (g->kind[at] != LIQUID) continue;
        for (int a = 0; a < g->dimensions; a++) {
            if (g->kind[at - far[a]] == OUTSIDE) g->kind[at - far[a]] = AROUND;
            if (g->kind[at + far[a]] == OUTSIDE) g->kind[at + far[a]] = AROUND;
        }
    }
}

/* -- sweeps -------------------------------------------------------------------------------- */

static float worth(const cell_grid *g, cell_at x, cell_at from)
{
    const float dx = (float)x.x - (float)from.x, dy = (float)x.y - (float)from.y,
                dz = (float)x.z - (float)from.z;
    return sqrtf(dx * dx + dy * dy + dz * dz) + g->start[cell_index(g, from)];
}

static void learn(const cell_grid *g, cell_at x, int way, int steps, const int step[NEIGHBOURS][3],
                  uint8_t least)
{
    const size_t at = cell_index(g, x);
    if (g->kind[at] < least) return;
    cell_at *own = &g->source[at];
    float best = own->x == NOWHERE ? INFINITY : worth(g, x, *own);
    for (int k = 0; k < steps; k++) {
        const int64_t i = x.x + way * step[k][0], j = x.y + way * step[k][1], l = x.z + way * step[k][2];
        if (i < 0 || j < 0 || l < 0 || i >= g->n[0] || j >= g->n[1] || l >= g->n[2]) continue;
        const cell_at from = g->source[((size_t)l * g->n[1] + (size_t)j) * g->n[0] + (size_t)i];
        if (from.x == NOWHERE || (from.x == own->x && from.y == own->y && from.z == own->z)) continue;
        const float d = worth(g, x, from);
        if (!(d < best)) continue;
        best = d;
        *own = from;
    }
}

/* Each cell of kind `least` or more ends with the best source among its neighbours'. */
static void sweep(const cell_grid *g, uint8_t least)
{
    int step[NEIGHBOURS][3];
    const int steps = make_steps(g, step);
    for (int way = 1; way >= -1; way -= 2)
        for (uint32_t c = 0; c < g->n[2]; c++)
            for (uint32_t b = 0; b < g->n[1]; b++)
                for (uint32_t a = 0; a < g->n[0]; a++) {
                    const bool on = way > 0;
                    const cell_at x = {(uint16_t)(on ? a : g->n[0] - 1 - a),
                                       (uint16_t)(on ? b : g->n[1] - 1 - b),
                                       (uint16_t)(on ? c : g->n[2] - 1 - c)};
                    learn(g, x, way, steps, (const int(*)[3])step, least);
                }
}

/* The cells of one kind are the sources. */
static void begin_with(const cell_grid *g, uint8_t kind)
{
    size_t at = 0;
    for (uint32_t c = 0; c < g->n[2]; c++)
        for (uint32_t b = 0; b < g->n[1]; b++)
            for (uint32_t a = 0; a < g->n[0]; a++, at++)
                g->source[at] = g->kind[at] == kind ? (cell_at){(uint16_t)a, (uint16_t)b, (uint16_t)c}
                                                    : (cell_at){NOWHERE, 0, 0};
}

/* The value of the best source, in cells; INFINITY: none. */
static float learned(const cell_grid *g, size_t at)
{
    const size_t row = at / g->n[0];
    const cell_at x = {(uint16_t)(at % g->n[0]), (uint16_t)(row % g->n[1]), (uint16_t)(row / g->n[1])};
    return g->source[at].x == NOWHERE ? INFINITY : worth(g, x, g->source[at]);
}

/* -- the medial axis ----------------------------------------------------------------------- */

/* Eq. 4 for neighbours x and y: the square of how far apart their footpoints are, or 0. */
static double across_axis(cell_at x, cell_at foot_x, cell_at y, cell_at foot_y)
{
    const int a[3] = {foot_x.x - x.x, foot_x.y - x.y, foot_x.z - x.z},
              b[3] = {foot_y.x - y.x, foot_y.y - y.y, foot_y.z - y.z},
              d[3] = {foot_x.x - foot_y.x, foot_x.y - foot_y.y, foot_x.z - foot_y.z};
    double aa = 0, bb = 0, ab = 0, dd = 0;
    for (int k = 0; k < 3; k++) {
        aa += (double)a[k] * a[k];
        bb += (double)b[k] * b[k];
        ab += (double)a[k] * b[k];
        dd += (double)d[k] * d[k];
    }
    if (ab > 0 && ab * ab >= 0.25 * aa * bb) return 0; /* less than 60 degrees */
    return dd;
}

/* A neighbour of this kind or more is deeper. Liquid is never at the sides of the grid: all its neighbours
 * are there. */
static bool deeper_beside(const cell_grid *g, size_t at, uint8_t least)
{
    const int64_t row = g->n[0], layer = row * g->n[1], high = g->dimensions == 2 ? 0 : 1;
    const float depth = learned(g, at);
    for (int64_t c = -high; c <= high; c++)
        for (int64_t b = -1; b <= 1; b++)
            for (int64_t a = -1; a <= 1; a++) {
                const size_t other = (size_t)((int64_t)at + c * layer + b * row + a);
                if (g->kind[other] >= least && learned(g, other) > depth) return true;
            }
    return false;
}

static void join_axis(cell_grid *g)
{
    const size_t cells = cells_of(g);
    for (size_t at = 0; at < cells; at++)
        if (g->kind[at] == MAYBE && !deeper_beside(g, at, LIQUID)) g->kind[at] = AXIS;
    for (int steps = 0; steps < LAST_STEPS; steps++)
        for (size_t at = 0; at < cells; at++)
            if (g->kind[at] == MAYBE && deeper_beside(g, at, AXIS)) g->kind[at] = AXIS;
}

static void find_axis(cell_grid *g)
{
    const size_t far[3] = {1, g->n[0], (size_t)g->n[0] * g->n[1]};
    size_t at = 0;
    for (uint32_t c = 0; c < g->n[2]; c++)
        for (uint32_t b = 0; b < g->n[1]; b++)
            for (uint32_t a = 0; a < g->n[0]; a++, at++) {
                if (g->kind[at] < LIQUID) continue;
                const cell_at x = {(uint16_t)a, (uint16_t)b, (uint16_t)c};
                for (int k = 0; k < g->dimensions; k++) {
                    const size_t next = at + far[k];
                    if (g->kind[next] < LIQUID) {
                        if (g->kind[at - far[k]] < LIQUID && g->kind[at] < MAYBE) g->kind[at] = MAYBE;
                        continue;
                    }
                    cell_at y = x;
                    y.x = (uint16_t)(y.x + (k == 0));
                    y.y = (uint16_t)(y.y + (k == 1));
                    y.z = (uint16_t)(y.z + (k == 2));
                    const double apart = across_axis(x, g->source[at], y, g->source[next]);
                    if (apart < NEAR) continue;
                    const uint8_t kind = apart < APART ? MAYBE : AXIS;
                    if (g->kind[at] < kind) g->kind[at] = kind;
                    if (g->kind[next] < kind) g->kind[next] = kind;
                }
            }
    join_axis(g);
}

/* -- feature sizes ----------------------------------------------------------------------------- */

static void find_sizes(cell_grid *g, double cell)
{
    const size_t cells = cells_of(g);
    mark_around(g);
    memset(g->start, 0, cells * sizeof *g->start);
    begin_with(g, AROUND);
    sweep(g, LIQUID);
    memcpy(g->foot, g->source, cells * sizeof *g->foot);
    find_axis(g);
    begin_with(g, AXIS);
    sweep(g, AROUND);
    /* In a film the two ways, from the middles of the cells around, are half a cell too long together; the
     * other half is for the fine side, since merging particles disturbs less than splitting them. */
    for (size_t at = 0; at < cells; at++)
        if (g->kind[at] == AROUND) g->start[at] = fmaxf(learned(g, at) - 1, 0);
    begin_with(g, AROUND);
    sweep(g, LIQUID);
    for (size_t at = 0; at < cells; at++)
        if (g->kind[at] >= LIQUID) g->start[at] = learned(g, at);
    /* Cells around the liquid contain some of its sites: on the surface lfs is the feature size. */
    for (size_t at = 0; at < cells; at++)
        g->start[at] = g->kind[at] >= AROUND ? (float)cell * g->start[at] : 0;
}

rill_status cell_sizes_build(rill_ctx *ctx, const source_sites *sites, int dimensions, cell_sizes *out)
{
    cell_grid g = {.dimensions = dimensions};
    for (int a = 0; a < 3; a++) g.n[a] = a < g.dimensions ? (sites->size[a] + 1) / 2 + 2 : 1;
    const size_t cells = cells_of(&g);
    rill_status st = MEM_NEW(ctx, g.kind, cells);
    if (!st) st = MEM_NEW(ctx, g.source, cells);
    if (!st) st = MEM_NEW(ctx, g.foot, cells);
    if (!st) st = MEM_NEW(ctx, g.start, cells);
    if (!st) {
        kind_job job = {sites, &g};
        parallel_for(ctx, g.n[2], 1, kind_layers, &job);
        find_sizes(&g, 2 * sites->spacing);
        const double h = sites->spacing;
        *out = (cell_sizes){.n = {g.n[0], g.n[1], g.n[2]},
                            .origin = v3_sub(sites->origin, v3(2.5 * h, 2.5 * h, 2.5 * h)),
                            .cell = 2 * h,
                            .foot = g.foot,
                            .size = g.start};
        if (dimensions == 2) out->origin.z = -h;
        g.start = NULL;
        g.foot = NULL;
    }
    mem_free(ctx, g.kind);
    mem_free(ctx, g.source);
    mem_free(ctx, g.foot);
    mem_free(ctx, g.start);
    return st;
}

static bool cell_of(const cell_sizes *c, rill_vec3 x, size_t *out)
{
    size_t at = 0;
    for (int a = 2; a >= 0; a--) {
        const double cell = floor((v3_axis(x, a) - v3_axis(c->origin, a)) / c->cell);
        if (!(cell >= 0 && cell < c->n[a])) return false;
        at = at * c->n[a] + (size_t)cell;
    }
    *out = at;
    return true;
}

double cell_sizes_at(const cell_sizes *c, rill_vec3 x)
{
    size_t at;
    return cell_of(c, x, &at) ? (double)c->size[at] : 0;
}

/* The surface is half a cell nearer than the middle of the cell that the liquid does not have. */
double cell_sizes_depth(const cell_sizes *c, rill_vec3 x)
{
    size_t at;
    if (!cell_of(c, x, &at) || c->foot[at].x == NOWHERE) return 0;
    const cell_at f = c->foot[at];
    rill_vec3 foot = v3_madd(c->origin, c->cell, v3(f.x + 0.5, f.y + 0.5, f.z + 0.5));
    if (c->n[2] == 1) foot.z = x.z;
    return fmax(v3_distance(x, foot) - 0.5 * c->cell, 0);
}

void cell_sizes_clear(rill_ctx *ctx, cell_sizes *c)
{
    mem_free(ctx, c->size);
    mem_free(ctx, c->foot);
    *c = (cell_sizes){0};
}
