/* Pressure: the velocity becomes free of divergence, with walls that cut faces, solids that move, open sides
 * and bodies. Solved for q = p dt / (density h), m/s, without the weight of the gas. */
#include "grid/bodies.h"
#include "grid/gas/state.h"

#include <string.h>

enum { N = GRID_SIDE + 2, BLOCK_CELLS = N * N * N };

typedef struct {
    gas *s;
    float *a[3], *e;
    double *b, *q;
    double *sums; /* per tile: largest and squared divergence, cells, kinetic energy, largest |u|^2 */
} project_job;
enum { SUMS = 5 };

/* Cells of the domain with an open face have a pressure. */
static void mark_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const project_job *j = arg;
    grid *g = &j->s->grid;
    const grid_tiles *t = &g->tiles;
    for (size_t tile = begin; tile < end; tile++) {
        const bool inside = gas_tile_inside(t, (uint32_t)tile), core = !j->s->core || j->s->core[tile];
        for (int c = 0; c < t->cells; c++) {
            const size_t i = tile * (size_t)t->cells + (size_t)c;
            bool on = core && (inside || gas_inside(t, (uint32_t)tile, c));
            if (on && g->field.walled[tile]) {
                float open = 0;
                for (int a = 0; a < t->dimensions; a++) {
                    const size_t above = grid_cell_near(t, (uint32_t)tile, c % 8 + (a == 0),
                                                        c / 8 % 8 + (a == 1), c / 64 + (a == 2));
                    open += g->field.open[a][i] + (above == SIZE_MAX ? 0 : g->field.open[a][above]);
                }
                on = open > 0;
            }
            g->field.active[i] = on;
        }
    }
}

void gas_mark(gas *s)
{
    project_job j = {.s = s};
    parallel_for(s->grid.sim.ctx, s->grid.tiles.count, 16, mark_tiles, &j);
    double count = 0;
    for (size_t i = 0; i < grid_cell_count(&s->grid.tiles); i++) count += s->grid.field.active[i];
    s->active = (uint64_t)count;
}

typedef struct {
    float open[3][BLOCK_CELLS], u[3][BLOCK_CELLS], q[BLOCK_CELLS];
    uint8_t active[BLOCK_CELLS];
} tile_copy;

static void load_tile(const gas *s, uint32_t tile, tile_copy *k)
{
    const grid *g = &s->grid;
    grid_block_load_u8(&g->tiles, tile, g->field.active, 1, 0, k->active);
    if (s->core) grid_block_load(&g->tiles, tile, s->q, 1, 0, k->q);
    for (int a = 0; a < g->tiles.dimensions; a++) {
        grid_block_load(&g->tiles, tile, g->field.open[a], 1, 0, k->open[a]);
        grid_block_load(&g->tiles, tile, g->field.u[a], 1, 0, k->u[a]);
    }
}

static inline int block_index(const grid_tiles *t, int c)
{
    return grid_block_first(t, 1) + (c / 64 * N + c / 8 % 8) * N + c % 8;
}

/* Volume flux out of a cell, per face area: what solids push is not the gas's. */
static inline double outflow(const grid *g, const tile_copy *k, int i, size_t cell)
{
    static const int stride[3] = {1, N, N * N};
    double sum = 0;
    for (int a = 0; a < g->tiles.dimensions; a++) {
        const float up = k->open[a][i + stride[a]], down = k->open[a][i];
        sum += (double)(up * k->u[a][i + stride[a]]) - (double)(down * k->u[a][i]);
        if (g->field.moving && up != down) sum -= (double)((up - down) * g->field.moving[cell][a]);
    }
    return sum;
}

/* What is beyond a face of a cell with a pressure, where the next cell has none. */
typedef enum { BEYOND_WALL, BEYOND_OPEN, BEYOND_CORE } beyond;

/* An open side, where the pressure is 0 at the face; a cell of a surrounding tile, whose pressure is known;
 * or a wall, which gas may come in through. */
static inline beyond beyond_face(const gas *s, uint32_t tile, int c, int axis, int up)
{
    const grid_tiles *t = &s->grid.tiles;
    const int at = axis == 0 ? c % 8 : axis == 1 ? c / 8 % 8 : c / 64;
    const int32_t k = t->map.block[tile][axis] * GRID_SIDE + at;
    if (k != (up ? t->last[axis] : t->first[axis])) return s->core ? BEYOND_CORE : BEYOND_WALL;
    return s->grid.sim.scene->domain.open & (up ? 2u : 1u) << (2 * axis) ? BEYOND_OPEN : BEYOND_WALL;
}

static void build_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const project_job *j = arg;
    const gas *s = j->s;
    const grid *g = &s->grid;
    const grid_tiles *t = &g->tiles;
    static const int stride[3] = {1, N, N * N};
    tile_copy k;
    for (size_t tile = begin; tile < end; tile++) {
        load_tile(s, (uint32_t)tile, &k);
        for (int c = 0; c < t->cells; c++) {
            const size_t cell = tile * (size_t)t->cells + (size_t)c;
            const int i = block_index(t, c);
            float e = 0;
            double known = 0;
            j->b[cell] = 0;
            j->q[cell] = (double)s->q[cell];
            for (int a = 0; a < t->dimensions; a++) {
                const int next = i + stride[a], below = i - stride[a];
                j->a[a][cell] = k.active[i] && k.active[next] ? k.open[a][next] : 0;
                if (!k.active[i]) continue;
                for (int up = 0; up < 2; up++) {
                    const int other = up ? next : below;
                    const float open = k.open[a][up ? next : i];
                    if (k.active[other] || !(open > 0)) continue;
                    const beyond b = beyond_face(s, (uint32_t)tile, c, a, up);
                    e += b == BEYOND_OPEN ? 2 * open : b == BEYOND_CORE ? open : 0;
                    if (b == BEYOND_CORE) known += (double)(open * k.q[other]);
                }
            }
            j->e[cell] = e;
            if (k.active[i]) j->b[cell] = known - outflow(g, &k, i, cell);
        }
    }
}

/* ---- after the solve ---- */

/* Faces between cells with a pressure, or one and an open side, get its gradient; they are known. So is gas
 * that comes in through a closed side. */
static void subtract_faces(const project_job *j, size_t tile, int a)
{
    gas *s = j->s;
    grid *g = &s->grid;
    const grid_tiles *t = &g->tiles;
    const size_t cells = (size_t)t->cells, stride = a == 0 ? 1 : a == 1 ? 8 : 64;
    const uint32_t below = t->near[tile][grid_near_index(-(a == 0), -(a == 1), -(a == 2))];
    uint64_t word = 0;
    for (size_t c = 0; c < cells; c++) {
        const size_t i = tile * cells + c;
        const bool edge = c / stride % 8 == 0;
        const size_t m = !edge ? i - stride : below == GRID_NONE ? SIZE_MAX : below * cells + c + 7 * stride;
        const bool here = g->field.active[i], there = m != SIZE_MAX && g->field.active[m];
        const bool known = (here || there) && g->field.open[a][i] > 0;
        double change = 0;
        if (known && here && there) {
            change = j->q[i] - j->q[m];
        } else if (known && here) {
            const beyond b = beyond_face(s, (uint32_t)tile, (int)c, a, 0);
            change = b == BEYOND_OPEN ? 2 * j->q[i] : b == BEYOND_CORE ? j->q[i] - (double)s->q[m] : 0;
        } else if (known) {
            const beyond b = beyond_face(s, edge ? below : (uint32_t)tile, (int)(m % cells), a, 1);
            change = b == BEYOND_OPEN ? -2 * j->q[m] : b == BEYOND_CORE ? (double)s->q[i] - j->q[m] : 0;
        }
        s->u[a][i] = known ? (float)((double)s->u[a][i] - change) : 0; /* until it is continued */
        word |= (uint64_t)known << c % 64;
        if (c % 64 == 63) g->field.known[a][i / 64] = word, word = 0;
    }
}

static void subtract_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const project_job *j = arg;
    const size_t cells = (size_t)j->s->grid.tiles.cells;
    for (size_t tile = begin; tile < end; tile++) {
        const bool core = !j->s->core || j->s->core[tile];
        for (size_t i = tile * cells; i < (tile + 1) * cells && core; i++) j->s->q[i] = (float)j->q[i];
        for (int a = 0; a < j->s->grid.tiles.dimensions; a++) subtract_faces(j, tile, a);
    }
}

/* What is left of the divergence, and the energy. */
static void measure_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const project_job *j = arg;
    const gas *s = j->s;
    const grid *g = &s->grid;
    const grid_tiles *t = &g->tiles;
    static const int stride[3] = {1, N, N * N};
    tile_copy k;
    for (size_t tile = begin; tile < end; tile++) {
        double *out = j->sums + tile * SUMS;
        memset(out, 0, SUMS * sizeof *out);
        load_tile(s, (uint32_t)tile, &k);
        for (int c = 0; c < t->cells; c++) {
            const int i = block_index(t, c);
            const size_t cell = tile * (size_t)t->cells + (size_t)c;
            if (!k.active[i]) continue;
            const double left = outflow(g, &k, i, cell) + j->b[cell]; /* b: what bodies push */
            double u2 = 0;
            for (int a = 0; a < t->dimensions; a++) {
                const double u = 0.5 * (double)(k.u[a][i] + k.u[a][i + stride[a]]);
                u2 += u * u;
            }
            out[0] = fmax(out[0], fabs(left));
            out[1] += left * left;
            out[2]++;
            out[3] += 0.5 * (double)g->field.room[cell] * u2;
            if (!(u2 <= out[4])) out[4] = u2;
        }
    }
}

static void sum_up(project_job *j, const pressure_report *report, rill_step_stats *stats)
{
    gas *s = j->s;
    const grid *g = &s->grid;
    double total[SUMS] = {0};
    for (uint32_t t = 0; t < g->tiles.count; t++) {
        const double *in = j->sums + (size_t)t * SUMS;
        total[0] = fmax(total[0], in[0]);
        for (int k = 1; k < 4; k++) total[k] += in[k];
        if (!(in[4] <= total[4])) total[4] = in[4];
    }
    s->active = (uint64_t)total[2];
    s->max_speed = sqrt(total[4]);
    stats->elements = s->active;
    stats->div_max = total[0] / g->h;
    stats->div_rms = total[2] > 0 ? sqrt(total[1] / total[2]) / g->h : 0;
    stats->kinetic = g->sim.scene->fluid.density * pow(g->h, g->tiles.dimensions) * total[3];
    stats->potential = 0; /* of a full domain it does not change */
    stats->max_speed = s->max_speed;
    stats->solve_iterations += report->iterations;
    stats->solve_residual = report->residual;
}

static rill_status solve(project_job *j, const pressure_bodies *bodies, double dt, pressure_report *report)
{
    gas *s = j->s;
    grid *g = &s->grid;
    const pressure_system system = {.dimensions = g->tiles.dimensions,
                                    .tiles = g->tiles.count,
                                    .tile = (const int32_t(*)[3])g->tiles.map.block,
                                    .active = g->field.active,
                                    .ax = j->a[0],
                                    .ay = j->a[1],
                                    .az = j->a[2],
                                    .e = j->e,
                                    .b = j->b,
                                    .bodies = bodies};
    pressure_def def = pressure_def_default();
    def.method = (pressure_method)g->def.solver;
    def.tolerance = g->def.tolerance;
    def.max_iterations = (uint32_t)g->def.iterations;
    def.warm = s->dt > 0;
    const double scale = s->dt > 0 ? dt / s->dt : 1;
    for (size_t i = 0; i < grid_cell_count(&g->tiles) && scale != 1; i++) j->q[i] *= scale;
    TRY(pressure_solve(&g->solver, &system, &def, j->q, report));
    if (report->end == PRESSURE_DIVERGED)
        return rill_fail(g->sim.ctx, RILL_BLEW_UP, "the pressure solve diverged after %u iterations",
                         report->iterations);
    return RILL_OK;
}

rill_status gas_project(gas *s, double dt, rill_step_stats *stats)
{
    grid *g = &s->grid;
    rill_ctx *ctx = g->sim.ctx;
    const size_t n = grid_cell_count(&g->tiles);
    project_job j = {.s = s};
    arena_reset(&g->sorting);
    for (int a = 0; a < g->tiles.dimensions; a++) TRY(ARENA_NEW(&g->sorting, j.a[a], n));
    TRY(ARENA_NEW(&g->sorting, j.e, n));
    TRY(ARENA_NEW(&g->sorting, j.b, n));
    TRY(ARENA_NEW(&g->sorting, j.q, n));
    TRY(ARENA_NEW(&g->sorting, j.sums, (size_t)g->tiles.count * SUMS));
    parallel_for(ctx, g->tiles.count, 16, mark_tiles, &j);
    parallel_for(ctx, g->tiles.count, 8, build_tiles, &j);
    pressure_bodies bodies;
    TRY(grid_bodies_rows(g, g->field.active, &bodies));
    grid_bodies_flux(g, &bodies, false, j.b); /* the solver adds their motion */
    pressure_report report = {0};
    TRY(solve(&j, &bodies, dt, &report));
    grid_bodies_press(g, &bodies, j.q, dt);
    g->step.q_scale = g->sim.scene->fluid.density * g->h / dt;
    s->dt = dt;
    parallel_for(ctx, g->tiles.count, 8, subtract_tiles, &j);
    memset(j.b, 0, n * sizeof *j.b);
    grid_bodies_flux(g, &bodies, true, j.b);
    for (size_t i = 0; i < n && bodies.count; i++) j.b[i] = -j.b[i];
    parallel_for(ctx, g->tiles.count, 8, measure_tiles, &j);
    sum_up(&j, &report, stats);
    return RILL_OK;
}
