/* Viscosity, implicit: (1 - dt nu Laplacian) u = u*, each component on its own faces by
 * conjugate gradients with the diagonal, so that it bounds no step.
 *
 * Unknown are the open faces of the liquid. Across the surface nothing is exchanged; a face
 * a wall closes holds the component along its normal; along a wall that does not slip the
 * wall's velocity is met half a cell away.
 * DEVIATES: the variational form ([Batty08]) couples the components by the whole stress,
 * which matters where a viscous surface buckles; this is the Laplacian of each. */
#include "grid/state.h"

#include <string.h>

enum { N = GRID_SIDE + 2, BLOCK_CELLS = N * N * N, MOST_ITERATIONS = 1000 };

typedef struct {
    grid *s;
    int axis;
    float k; /* dt nu / h^2 */
    double t;
    uint8_t *unknown; /* per face */
    float *diagonal, *x, *r, *p, *q;
    double alpha, beta;
    double *part; /* per tile: sums */
    solids within;
} viscous_job;

static bool wet_face(const grid *s, int axis, uint32_t tile, int c)
{
    const size_t i = (size_t)tile * (size_t)s->tiles.cells + (size_t)c;
    if (!(s->open[axis][i] > 0)) return false;
    const size_t m =
        grid_cell_near(&s->tiles, tile, c % 8 - (axis == 0), c / 8 % 8 - (axis == 1), c / 64 - (axis == 2));
    return s->phi[i] < 0 || (m != SIZE_MAX && s->phi[m] < 0);
}

static void mark_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const viscous_job *j = arg;
    const int cells = j->s->tiles.cells;
    for (size_t t = begin; t < end; t++)
        for (int c = 0; c < cells; c++)
            j->unknown[t * (size_t)cells + (size_t)c] = wet_face(j->s, j->axis, (uint32_t)t, c);
}

/* What a wall beyond a face's neighbour place does: true when it holds the velocity, with
 * its strength (in units of k) and value, seen from the frame. */
static bool held_by_wall(const viscous_job *j, uint32_t tile, const int at[3], int b, float *strength,
                         float *value)
{
    const grid *s = j->s;
    const int a = j->axis;
    const float still = -(float)v3_axis(s->frame, a);
    const rill_vec3 corner = grid_tile_corner(&s->tiles, tile);
    rill_vec3 x = v3_madd(corner, s->h, v3(at[0] + 0.5, at[1] + 0.5, s->tiles.layers == 1 ? 0 : at[2] + 0.5));
    v3_set_axis(&x, a, v3_axis(corner, a) + at[a] * s->h);
    *strength = b == a ? 1 : 2;
    *value = still;
    if (s->walled[tile] & 2) {
        solid_contact c;
        if (solids_distance(&j->within, x, j->t, &c) < 0.5 * s->h) {
            *value = (float)v3_axis(c.velocity, a) + still;
            return b == a || c.slip == SLIP_NONE;
        }
    }
    return b == a; /* the sides of the domain slip */
}

/* Diagonal, and the residual of u itself. */
static void start_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const viscous_job *j = arg;
    const grid *s = j->s;
    const int cells = s->tiles.cells, d = s->tiles.dimensions;
    for (size_t t = begin; t < end; t++)
        for (int c = 0; c < cells; c++) {
            const size_t i = t * (size_t)cells + (size_t)c;
            j->r[i] = j->p[i] = j->q[i] = j->x[i] = 0;
            j->diagonal[i] = 1;
            if (!j->unknown[i]) continue;
            const float here = s->u[j->axis][i];
            float sum = 0;
            for (int b = 0; b < 2 * d; b++) {
                int at[3] = {c % 8, c / 8 % 8, c / 64};
                at[b / 2] += b % 2 ? 1 : -1;
                const size_t n = grid_cell_near(&s->tiles, (uint32_t)t, at[0], at[1], at[2]);
                if (n == SIZE_MAX) continue;
                float strength = 1, value = s->u[j->axis][n];
                if (!j->unknown[n] &&
                    (s->open[j->axis][n] > 0 || !held_by_wall(j, (uint32_t)t, at, b / 2, &strength, &value)))
                    continue;
                j->diagonal[i] += j->k * strength;
                sum += j->k * strength * (value - here);
            }
            j->r[i] = sum; /* b - A u */
        }
}

static void multiply_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const viscous_job *j = arg;
    const grid *s = j->s;
    const int cells = s->tiles.cells, d = s->tiles.dimensions;
    const int stride[3] = {1, N, N * N};
    float p[BLOCK_CELLS];
    for (size_t t = begin; t < end; t++) {
        const size_t base = t * (size_t)cells;
        double dot = 0;
        if (memchr(j->unknown + base, 1, (size_t)cells)) {
            grid_block_load(&s->tiles, (uint32_t)t, j->p, 1, 0, p);
            for (int c = 0; c < cells; c++) {
                if (!j->unknown[base + (size_t)c]) continue;
                const int i = grid_block_first(&s->tiles, 1) + (c / 64 * N + c / 8 % 8) * N + c % 8;
                float sum = 0; /* p is 0 where nothing is unknown */
                for (int a = 0; a < d; a++) sum += p[i - stride[a]] + p[i + stride[a]];
                const float q = j->diagonal[base + (size_t)c] * p[i] - j->k * sum;
                j->q[base + (size_t)c] = q;
                dot += (double)q * p[i];
            }
        }
        j->part[t] = dot;
    }
}

static void step_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const viscous_job *j = arg;
    const size_t cells = (size_t)j->s->tiles.cells;
    const float alpha = (float)j->alpha;
    for (size_t t = begin; t < end; t++) {
        double dot = 0;
        for (size_t i = t * cells; i < (t + 1) * cells; i++) {
            j->x[i] += alpha * j->p[i];
            j->r[i] -= alpha * j->q[i];
            dot += (double)j->r[i] * j->r[i] / j->diagonal[i];
        }
        j->part[t] = dot;
    }
}

static void turn_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const viscous_job *j = arg;
    const size_t cells = (size_t)j->s->tiles.cells;
    for (size_t i = begin * cells; i < end * cells; i++)
        j->p[i] = j->r[i] / j->diagonal[i] + (float)j->beta * j->p[i];
}

static double sum_of(const viscous_job *j)
{
    double sum = 0;
    for (uint32_t t = 0; t < j->s->tiles.count; t++) sum += j->part[t];
    return sum;
}

static void solve(viscous_job *j)
{
    rill_ctx *ctx = j->s->sim.ctx;
    const size_t tiles = j->s->tiles.count;
    parallel_for(ctx, tiles, 8, step_tiles, j); /* alpha 0: the first product */
    double rz = sum_of(j);
    const double enough = 1e-10 * rz; /* 1e-5 of the residual */
    parallel_for(ctx, tiles, 8, turn_tiles, j);
    for (int k = 0; k < MOST_ITERATIONS && rz > enough && rz > 0; k++) {
        parallel_for(ctx, tiles, 8, multiply_tiles, j);
        const double pq = sum_of(j);
        if (!(pq > 0)) break;
        j->alpha = rz / pq;
        parallel_for(ctx, tiles, 8, step_tiles, j);
        const double next = sum_of(j);
        j->beta = next / rz;
        rz = next;
        parallel_for(ctx, tiles, 8, turn_tiles, j);
    }
}

static void add_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const viscous_job *j = arg;
    float *before = j->s->reflecting ? j->s->before[j->axis] : NULL; /* what pressure does counts twice */
    for (size_t i = begin; i < end; i++) {
        j->s->u[j->axis][i] += j->x[i];
        if (before) before[i] += j->x[i];
    }
}

rill_status grid_viscosity(grid *s, double t, double dt)
{
    const rill_scene *scene = s->sim.scene;
    const double nu = scene->fluid.viscosity / scene->fluid.density;
    if (!(nu > 0) || s->tiles.count == 0) return RILL_OK;
    const size_t n = grid_cell_count(&s->tiles);
    viscous_job j = {.s = s, .k = (float)(dt * nu / (s->h * s->h)), .t = t, .within = s->sim.solids};
    j.within.domain.open = (1u << SIDE_COUNT) - 1;
    TRY(ARENA_NEW(&s->scratch, j.unknown, n));
    TRY(ARENA_NEW(&s->scratch, j.diagonal, n));
    TRY(ARENA_NEW(&s->scratch, j.x, n));
    TRY(ARENA_NEW(&s->scratch, j.r, n));
    TRY(ARENA_NEW(&s->scratch, j.p, n));
    TRY(ARENA_NEW(&s->scratch, j.q, n));
    TRY(ARENA_NEW(&s->scratch, j.part, s->tiles.count));
    for (j.axis = 0; j.axis < s->tiles.dimensions; j.axis++) {
        j.alpha = j.beta = 0;
        parallel_for(s->sim.ctx, s->tiles.count, 8, mark_tiles, &j);
        parallel_for(s->sim.ctx, s->tiles.count, 8, start_tiles, &j);
        solve(&j);
        parallel_for(s->sim.ctx, n, 8192, add_cells, &j);
    }
    return RILL_OK;
}
