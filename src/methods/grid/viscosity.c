/* Viscosity, implicit and variational: [Batty08], the whole stress, so that a free drop that
 * turns goes on turning and a viscous surface folds. It bounds no step.
 *
 * Conjugate gradients over all components at once, with the diagonal, in single precision;
 * what is solved for is the change of the velocity. */
#include "grid/viscosity.h"

#include "linalg/gradients.h"

#include <string.h>

enum { N = VISCOUS_N, MOST_ITERATIONS = 2000 };
static const double enough = 1e-10; /* of the residual's square */
static const int stride[3] = {1, N, N *N};

static const float *weights(const viscous *v, uint32_t tile, const float *field, float *room)
{
    if (v->plain[tile]) return v->ones;
    grid_block_load(&v->s->tiles, tile, field, 1, 0, room);
    return room;
}

void viscous_stress(const viscous *v, uint32_t tile, float *const field[3], float out[3][GRID_CELLS])
{
    const grid *s = v->s;
    const int d = s->tiles.dimensions, size = grid_block_size(&s->tiles, 1), cells = s->tiles.cells;
    const int first = grid_block_first(&s->tiles, 1);
    float u[3][VISCOUS_BLOCK], f[VISCOUS_BLOCK], room[2][VISCOUS_BLOCK];
    for (int a = 0; a < d; a++) {
        const int sa = stride[a];
        grid_block_load(&s->tiles, tile, field[a], 1, 0, u[a]);
        const float *w = weights(v, tile, v->cell[a], room[0]);
        for (int i = 0; i < size - sa; i++) f[i] = 2 * w[i] * (u[a][i + sa] - u[a][i]);
        for (int c = 0; c < cells; c++) {
            const int i = first + (c / 64 * N + c / 8 % 8) * N + c % 8;
            out[a][c] = f[i] - f[i - sa];
        }
    }
    for (int e = edge_first(s); e < 3; e++) {
        const int a = edge_a(e), b = edge_b(e), sa = stride[a], sb = stride[b];
        const float *wa = weights(v, tile, v->edge[e][0], room[0]),
                    *wb = weights(v, tile, v->edge[e][1], room[1]);
        const float *ua = u[a], *ub = u[b];
        for (int i = sa > sb ? sa : sb; i < size; i++)
            f[i] = wa[i] * (ua[i] - ua[i - sb]) + wb[i] * (ub[i] - ub[i - sa]);
        for (int c = 0; c < cells; c++) {
            const int i = first + (c / 64 * N + c / 8 % 8) * N + c % 8;
            out[a][c] += wa[i + sb] * f[i + sb] - wa[i] * f[i];
            out[b][c] += wb[i + sa] * f[i + sa] - wb[i] * f[i];
        }
    }
}

/* The residual of what it starts from. */
static void start_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const viscous *v = arg;
    const int cells = v->s->tiles.cells;
    float stress[3][GRID_CELLS];
    for (size_t k = begin; k < end; k++) {
        const size_t base = (size_t)v->tile[k] * (size_t)cells;
        viscous_stress(v, v->tile[k], v->u, stress);
        for (int a = 0; a < v->s->tiles.dimensions; a++)
            for (int c = 0; c < cells; c++) {
                const size_t i = base + (size_t)c;
                v->r[a][i] = v->unknown[a][i] ? v->k * stress[a][c] : 0;
            }
    }
}

static void multiply_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const viscous *v = arg;
    const int cells = v->s->tiles.cells;
    float stress[3][GRID_CELLS];
    for (size_t k = begin; k < end; k++) {
        const size_t base = (size_t)v->tile[k] * (size_t)cells;
        double dot = 0;
        viscous_stress(v, v->tile[k], v->p, stress); /* p is 0 where nothing is unknown */
        for (int a = 0; a < v->s->tiles.dimensions; a++)
            for (int c = 0; c < cells; c++) {
                const size_t i = base + (size_t)c;
                const float q = v->unknown[a][i] ? v->mass[a][i] * v->p[a][i] - v->k * stress[a][c] : 0;
                v->q[a][i] = q;
                dot += (double)q * v->p[a][i];
            }
        v->part[k] = dot;
    }
}

static void step_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const viscous *v = arg;
    const size_t cells = (size_t)v->s->tiles.cells;
    const float alpha = (float)v->alpha;
    for (size_t k = begin; k < end; k++) {
        double dot = 0;
        for (int a = 0; a < v->s->tiles.dimensions; a++)
            for (size_t i = v->tile[k] * cells; i < (v->tile[k] + 1) * cells; i++) {
                v->x[a][i] += alpha * v->p[a][i];
                v->r[a][i] -= alpha * v->q[a][i];
                dot += (double)v->r[a][i] * v->r[a][i] / v->diagonal[a][i];
            }
        v->part[k] = dot;
    }
}

static void turn_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const viscous *v = arg;
    const size_t cells = (size_t)v->s->tiles.cells;
    for (size_t k = begin; k < end; k++)
        for (int a = 0; a < v->s->tiles.dimensions; a++)
            for (size_t i = v->tile[k] * cells; i < (v->tile[k] + 1) * cells; i++)
                v->p[a][i] = v->r[a][i] / v->diagonal[a][i] + (float)v->beta * v->p[a][i];
}

static double sum_of(const viscous *v)
{
    double sum = 0;
    for (size_t k = 0; k < v->tiles; k++) sum += v->part[k];
    return sum;
}

/* The operations of linalg/gradients.h; advance has r.z already, of which it returns the square root. */
static void precondition(void *arg, double dots[2])
{
    const viscous *v = arg;
    dots[0] = v->rz;
}

static void direct(void *arg, double beta)
{
    viscous *v = arg;
    v->beta = beta;
    parallel_for(v->s->sim.ctx, v->tiles, 8, turn_tiles, v);
    grid_drag_turn(v);
}

static double apply(void *arg)
{
    viscous *v = arg;
    parallel_for(v->s->sim.ctx, v->tiles, 4, multiply_tiles, v);
    return sum_of(v) + grid_drag_multiply(v);
}

static double advance(void *arg, double alpha)
{
    viscous *v = arg;
    v->alpha = alpha;
    parallel_for(v->s->sim.ctx, v->tiles, 8, step_tiles, v);
    v->rz = sum_of(v) + grid_drag_step(v);
    return sqrt(v->rz);
}

/* The relative residual it ends with, in the norm of the preconditioner. */
static double solve(viscous *v, uint32_t *iterations)
{
    static const gradients_system system = {
        .precondition = precondition, .direct = direct, .apply = apply, .advance = advance};
    gradients g = {.system = &system, .arg = v};
    v->beta = 0;
    parallel_for(v->s->sim.ctx, v->tiles, 4, start_tiles, v);
    grid_drag_start(v);
    double residual = advance(v, 0); /* the first r.z */
    const double first = v->rz, target = enough * first;
    while (g.iterations < MOST_ITERATIONS && v->rz > target &&
           gradients_step(&g, &residual) == GRADIENTS_GO_ON) {
    }
    *iterations = g.iterations;
    return first > 0 ? sqrt(v->rz / first) : 0;
}

typedef struct {
    const viscous *v;
    float *const *also;
} add_job;

static void add_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const add_job *j = arg;
    const viscous *v = j->v;
    for (int a = 0; a < v->s->tiles.dimensions; a++)
        for (size_t i = begin; i < end; i++) {
            if (!v->wet[a][i]) continue;
            const float change = v->unknown[a][i]             ? v->x[a][i]
                                 : v->hold[a][i] == FACE_HELD ? v->u[a][i] + v->x[a][i] - v->s->field.u[a][i]
                                                              : 0;
            v->s->field.u[a][i] += change;
            if (j->also) j->also[a][i] += change;
        }
}

static rill_status make_vectors(viscous *v)
{
    grid *s = v->s;
    const size_t cells = (size_t)s->tiles.cells, n = grid_cell_count(&s->tiles);
    for (int a = 0; a < s->tiles.dimensions; a++) {
        float **const vector[4] = {&v->x[a], &v->r[a], &v->p[a], &v->q[a]};
        for (int k = 0; k < 4; k++) {
            TRY(ARENA_NEW(&s->sorting, *vector[k], n));
            memset(*vector[k], 0, n * sizeof(float));
        }
    }
    TRY(ARENA_NEW(&s->sorting, v->ones, VISCOUS_BLOCK));
    for (int i = 0; i < VISCOUS_BLOCK; i++) v->ones[i] = 1;
    TRY(ARENA_NEW(&s->sorting, v->tile, s->tiles.count));
    TRY(ARENA_NEW(&s->sorting, v->part, s->tiles.count));
    size_t face = 0; /* tiles with bodies' faces alone count too: what these are pulled with is found there */
    for (uint32_t t = 0; t < s->tiles.count; t++) {
        bool any = false;
        for (int a = 0; a < s->tiles.dimensions; a++)
            any |= memchr(v->unknown[a] + t * cells, 1, cells) != NULL;
        for (; face < v->faces && v->face[face].tile <= t; face++) any |= v->face[face].tile == t;
        if (any) v->tile[v->tiles++] = t;
    }
    return RILL_OK;
}

bool grid_viscous(const grid *s)
{
    return s->sim.scene->fluid.viscosity > 0 && s->tiles.count > 0;
}

rill_status grid_viscosity(grid *s, double t, double dt, float *const also[3], rill_step_stats *stats)
{
    const rill_scene *scene = s->sim.scene;
    const double nu = scene->fluid.viscosity / scene->fluid.density;
    viscous v = {.s = s, .k = (float)(dt * nu / (s->h * s->h)), .t = t, .walls = s->sim.solids};
    arena_reset(&s->sorting);
    TRY(viscous_build(&v));
    TRY(grid_drag_build(&v));
    TRY(make_vectors(&v));
    uint32_t iterations;
    const double residual = solve(&v, &iterations);
    stats->viscous_iterations += iterations;
    /* the worse of a step's two halves */
    stats->viscous_residual = fmax(isnan(stats->viscous_residual) ? 0 : stats->viscous_residual, residual);
    grid_drag_push(&v, dt);
    add_job add = {&v, also};
    parallel_for(s->sim.ctx, grid_cell_count(&s->tiles), 8192, add_cells, &add);
    return RILL_OK;
}
