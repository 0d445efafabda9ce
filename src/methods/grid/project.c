/* Forces, and the pressure that makes the velocity free of divergence: [Braley] 4.2,
 * eq. 20-32 with the sign of docs/grid.md E-B6; the free surface between cells (ghost fluid,
 * [Enright03]), faces that walls close in part ([Batty07]).
 *
 * Solved for q = p dt / (density h), in m/s, so that the numbers are those of velocities. */
#include "grid/bodies.h"
#include "grid/narrow.h"
#include "grid/pack.h"

#include <string.h>

enum { N = GRID_SIDE + 2, BLOCK_CELLS = N * N * N };

/* The least part of the way to the surface (docs/grid.md E-B10). */
static const float least_theta = 0.01f;

typedef struct {
    grid *s;
    double dt;
    grid_pass pass;
    float swell; /* level sets and deep liquid without particles: flux out of every cell that brings the
                    volume back */
    uint8_t *active;
    float *a[3], *e;
    float *flux;   /* that a cell is to have */
    uint8_t *some; /* per tile: it has active cells */
    double *b, *q;
    const float *bend; /* NULL: the surface has no tension */
    bool carried;      /* the liquid is a level set's */
    rill_vec3 gravity;
} project_job;

/* The part of the way from a liquid cell to an air cell that is liquid; an air cell that is
 * not is a wall that was opened. Cells within the least part of the way below the surface have no
 * pressure (mark_tiles): the least part would be more than theirs, and a surface at the height of
 * the cells' centres, here a little below and there a little above, would push the liquid about. */
static inline float theta_of(const grid *s, float liquid, float air)
{
    if (!s->def.ghost) return 1;
    const float t = liquid / (liquid - (air > -least_theta ? air : 0.5f));
    return t > least_theta ? t : least_theta;
}

/* The pressure's q at the surface between a liquid and an air cell. */
static inline float surface_q(float liquid, float air, float theta)
{
    if (isnan(air)) return isnan(liquid) ? 0 : liquid;
    return isnan(liquid) ? air : liquid + theta * (air - liquid);
}

/* --- forces --- */

/* A face of the liquid that no particle reaches: the mean of its neighbours. */
static float borrowed(const grid *s, uint32_t tile, int a, int x, int y, int z)
{
    float sum = 0;
    int count = 0;
    for (int b = 0; b < 2 * s->tiles.dimensions; b++) {
        int at[3] = {x, y, z};
        at[b / 2] += b % 2 ? 1 : -1;
        const size_t c = grid_cell_near(&s->tiles, tile, at[0], at[1], at[2]);
        if (c == SIZE_MAX || !(s->field.weighed[c] & 1u << a)) continue;
        sum += s->field.u[a][c];
        count++;
    }
    return count ? sum / (float)count : 0;
}

static void borrow_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    grid *s = arg;
    const int cells = s->tiles.cells;
    for (size_t t = begin; t < end; t++) {
        if (!s->field.wet[t]) continue;
        for (int c = 0; c < cells; c++) {
            const size_t i = t * (size_t)cells + (size_t)c;
            const int x = c % 8, y = c / 8 % 8, z = c / 64;
            for (int a = 0; a < s->tiles.dimensions; a++) {
                if (s->field.weighed[i] & 1u << a) continue;
                const size_t below =
                    grid_cell_near(&s->tiles, (uint32_t)t, x - (a == 0), y - (a == 1), z - (a == 2));
                const bool wet = s->field.phi[i] < 0 || (below != SIZE_MAX && s->field.phi[below] < 0);
                if (wet) s->field.u[a][i] = borrowed(s, (uint32_t)t, a, x, y, z);
            }
        }
    }
}

/* Gravity acts on the frame: seen from there, nothing changes but the walls. Particles stay
 * in it; fields leave it after the projection, so that what gravity adds and pressure takes
 * meets in double: else a liquid at rest gathers the rounding. */
void grid_forces(grid *s, rill_vec3 gravity, double dt)
{
    s->step.gain = v3_scale(gravity, dt);
    s->frame = s->field.weighed ? v3_add(s->frame, s->step.gain) : s->step.gain;
    if (!s->field.weighed) return;
    parallel_for(s->sim.ctx, s->tiles.count, 16, borrow_tiles, s);
    for (int a = 0; a < s->tiles.dimensions && s->field.before[a]; a++)
        memcpy(s->field.before[a], s->field.u[a], grid_cell_count(&s->tiles) * sizeof(float));
}

/* --- the system --- */

static void mark_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const project_job *j = arg;
    const grid *s = j->s;
    const int cells = s->tiles.cells, d = s->tiles.dimensions;
    const float surface = s->def.ghost ? -least_theta : 0;
    for (size_t t = begin; t < end; t++) {
        bool some = false;
        for (int c = 0; c < cells; c++) {
            const size_t i = t * (size_t)cells + (size_t)c;
            bool on = s->field.phi[i] < surface;
            if (on && s->field.walled[t]) {
                float open = 0;
                for (int a = 0; a < d; a++) {
                    const size_t above = grid_cell_near(&s->tiles, (uint32_t)t, c % 8 + (a == 0),
                                                        c / 8 % 8 + (a == 1), c / 64 + (a == 2));
                    open += s->field.open[a][i] + (above == SIZE_MAX ? 0 : s->field.open[a][above]);
                }
                on = open > 0;
            }
            j->active[i] = on;
            some |= on;
        }
        j->some[t] = some;
    }
}

/* What a tile's stencils read, with one cell around. */
typedef struct {
    float phi[BLOCK_CELLS], open[3][BLOCK_CELLS], u[3][BLOCK_CELLS], bend[BLOCK_CELLS];
    uint8_t active[BLOCK_CELLS];
} tile_copy;

static void load_tile(const project_job *j, uint32_t t, tile_copy *k)
{
    const grid *s = j->s;
    grid_block_load(&s->tiles, t, s->field.phi, 1, 1.5f, k->phi);
    grid_block_load_u8(&s->tiles, t, j->active, 1, 0, k->active);
    if (j->bend) grid_block_load(&s->tiles, t, j->bend, 1, NAN, k->bend);
    for (int a = 0; a < s->tiles.dimensions; a++) {
        grid_block_load(&s->tiles, t, s->field.open[a], 1, 0, k->open[a]);
        grid_block_load(&s->tiles, t, s->field.u[a], 1, 0, k->u[a]);
    }
}

/* Volume flux out of a cell, per face area: what solids push is not the liquid's. */
static inline double outflow(const grid *s, const tile_copy *k, int i, const int stride[3], size_t cell)
{
    double sum = 0;
    for (int a = 0; a < s->tiles.dimensions; a++) {
        const float up = k->open[a][i + stride[a]], down = k->open[a][i];
        sum += (double)(up * k->u[a][i + stride[a]] - down * k->u[a][i]);
        if (up != down) {
            const double solid =
                (double)(s->field.moving ? s->field.moving[cell][a] : 0) - v3_axis(s->frame, a);
            sum -= (double)(up - down) * solid;
        }
    }
    return sum;
}

static void build_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const project_job *j = arg;
    const grid *s = j->s;
    const int d = s->tiles.dimensions, layers = s->tiles.layers;
    const int stride[3] = {1, N, N * N};
    tile_copy k;
    for (size_t t = begin; t < end; t++) {
        const size_t base = t * (size_t)s->tiles.cells;
        const bool any = j->some[t];
        for (int a = 0; a < d; a++) memset(j->a[a] + base, 0, (size_t)s->tiles.cells * sizeof(float));
        memset(j->e + base, 0, (size_t)s->tiles.cells * sizeof(float));
        memset(j->b + base, 0, (size_t)s->tiles.cells * sizeof(double));
        if (!any) continue;
        load_tile(j, (uint32_t)t, &k);
        for (int z = 0; z < layers; z++)
            for (int y = 0; y < 8; y++)
                for (int x = 0; x < 8; x++) {
                    const int i = grid_block_first(&s->tiles, 1) + (z * N + y) * N + x;
                    const size_t c = base + (size_t)((z * 8 + y) * 8 + x);
                    if (!k.active[i]) continue;
                    float e = 0;
                    double pull = 0;
                    for (int a = 0; a < d; a++) {
                        j->a[a][c] = k.active[i + stride[a]] ? k.open[a][i + stride[a]] : 0;
                        for (int up = 0; up < 2; up++) {
                            const int next = up ? i + stride[a] : i - stride[a];
                            if (k.active[next]) continue;
                            const float theta = theta_of(s, k.phi[i], k.phi[next]),
                                        w = k.open[a][up ? next : i] / theta;
                            e += w;
                            if (j->bend) pull += (double)(w * surface_q(k.bend[i], k.bend[next], theta));
                        }
                    }
                    j->e[c] = e;
                    j->b[c] = pull + (double)j->flux[c] - outflow(s, &k, i, stride, c);
                }
    }
}

/* --- after the solve --- */

/* What pressure does to the velocity through the face of a liquid cell to air. */
static double across_surface(const project_job *j, size_t liquid, size_t air)
{
    const grid *s = j->s;
    const float theta = theta_of(s, s->field.phi[liquid], air == SIZE_MAX ? 1.5f : s->field.phi[air]);
    double q = j->q[liquid];
    if (j->bend) q -= (double)surface_q(j->bend[liquid], air == SIZE_MAX ? NAN : j->bend[air], theta);
    return q / (double)theta;
}

/* Faces of one axis of a tile; below: the tile before it along the axis, or GRID_NONE. */
static void subtract_faces(const project_job *j, size_t t, int a, uint32_t below)
{
    grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells, stride = a == 0 ? 1 : a == 1 ? 8 : 64;
    const double frame = s->field.weighed ? 0 : v3_axis(s->frame, a);
    for (size_t c = 0; c < cells; c++) {
        const size_t i = t * cells + c;
        const bool edge = c / stride % 8 == 0;
        const size_t m = !edge ? i - stride : below == GRID_NONE ? SIZE_MAX : below * cells + c + 7 * stride;
        const bool here = j->active[i], there = m != SIZE_MAX && j->active[m];
        const bool equation = (here || there) && s->field.open[a][i] > 0;
        uint64_t *word = &s->field.known[a][i / 64];
        *word = (c % 64 == 0 ? 0 : *word) | (uint64_t)equation << c % 64;
        double change = 0;
        if (equation && here && there)
            change = j->q[i] - j->q[m];
        else if (equation && here)
            change = across_surface(j, i, m);
        else if (equation)
            change = -across_surface(j, m, i);
        s->field.u[a][i] = (float)((double)s->field.u[a][i] + frame - change);
    }
}

static void subtract_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const project_job *j = arg;
    grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t t = begin; t < end; t++) {
        for (size_t i = t * cells; i < (t + 1) * cells; i++)
            s->field.q[i] = (float)j->q[i] + (j->pass == GRID_SECOND ? s->field.q[i] : 0);
        for (int a = 0; a < s->tiles.dimensions; a++) {
            const uint32_t below = s->tiles.near[t][grid_near_index(-(a == 0), -(a == 1), -(a == 2))];
            if (j->some[t] || !s->field.weighed || (below != GRID_NONE && j->some[below]))
                subtract_faces(j, t, a, below);
            else /* air: nothing is determined here */
                memset(s->field.known[a] + t * (size_t)s->tiles.layers, 0,
                       (size_t)s->tiles.layers * sizeof(uint64_t));
        }
    }
}

/* Twice the kinetic energy of a cell's liquid over its mass, by the means of its faces. */
static double cell_speed2(const grid *s, const tile_copy *k, int i, const int stride[3])
{
    double sum = 0;
    for (int a = 0; a < s->tiles.dimensions; a++) {
        const double u = 0.5 * (double)(k->u[a][i] + k->u[a][i + stride[a]]) + v3_axis(s->frame, a);
        sum += u * u;
    }
    return sum;
}

/* Potential energy of a cell's liquid over its mass: what is filled of it lies below its centre. */
static double cell_height(const project_job *j, size_t t, int c, float part)
{
    const grid *s = j->s;
    const rill_vec3 x =
        v3_madd(grid_tile_corner(&s->tiles, (uint32_t)t), s->h,
                v3(c % 8 + 0.5, c / 8 % 8 + 0.5, s->tiles.dimensions == 2 ? 0 : c / 64 + 0.5));
    return -v3_dot(j->gravity, x) - 0.5 * (1 - (double)part) * s->h * v3_length(j->gravity);
}

/* What is left of the divergence, less what was wanted: largest, and the mean square. */
static void divergence(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const project_job *j = arg;
    const grid *s = j->s;
    const int stride[3] = {1, N, N * N};
    tile_copy k;
    for (size_t t = begin; t < end; t++) {
        const size_t base = t * (size_t)s->tiles.cells;
        double most = 0, sum = 0, count = 0, volume = 0, kinetic = 0, potential = 0;
        const bool any = j->some[t];
        for (int c = 0; c < s->tiles.cells; c++) {
            const float part = grid_filled(s->field.phi[base + (size_t)c]),
                        liquid = s->field.room[base + (size_t)c] * part;
            volume += (double)liquid;
            if (j->carried && liquid > 0) potential += (double)liquid * cell_height(j, t, c, part);
        }
        if (any) load_tile(j, (uint32_t)t, &k);
        for (int c = 0; any && c < s->tiles.cells; c++) {
            const int i = grid_block_first(&s->tiles, 1) + (c / 64 * N + c / 8 % 8) * N + c % 8;
            if (!k.active[i]) continue;
            const double left =
                outflow(s, &k, i, stride, base + (size_t)c) - (double)j->flux[base + (size_t)c];
            most = fmax(most, fabs(left));
            sum += left * left;
            count++;
            if (j->carried)
                kinetic += 0.5 * (double)(s->field.room[base + (size_t)c] * grid_filled(k.phi[i])) *
                           cell_speed2(s, &k, i, stride);
        }
        j->b[base] = most; /* no longer needed */
        j->b[base + 1] = sum;
        j->b[base + 2] = count;
        j->b[base + 3] = volume;
        j->b[base + 4] = kinetic;
        j->b[base + 5] = potential;
    }
}

static void sum_up(const project_job *j, const pressure_report *report, rill_step_stats *stats)
{
    const grid *s = j->s;
    double most = 0, sum = 0, count = 0, volume = 0, kinetic = 0, potential = 0;
    for (uint32_t t = 0; t < s->tiles.count; t++) {
        const double *b = j->b + (size_t)t * (size_t)s->tiles.cells;
        most = fmax(most, b[0]);
        sum += b[1];
        count += b[2];
        volume += b[3];
        kinetic += b[4];
        potential += b[5];
    }
    const double cell = pow(s->h, s->tiles.dimensions), mass = cell * s->sim.scene->fluid.density;
    stats->volume = volume * cell;
    if (j->carried) { /* markers are looked at, and do not weigh anything */
        stats->kinetic = mass * kinetic;
        stats->potential = mass * potential;
    }
    stats->div_max = most / s->h;
    stats->div_rms = count > 0 ? sqrt(sum / count) / s->h : 0;
    stats->solve_iterations += report->iterations;
    stats->solve_residual = report->residual;
}

/* Faces of one axis of a tile, as subtract_faces has them. */
static void shift_faces(const project_job *j, size_t t, int a, uint32_t below)
{
    grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells, stride = a == 0 ? 1 : a == 1 ? 8 : 64;
    for (size_t c = 0; c < cells; c++) {
        const size_t i = t * cells + c;
        const bool edge = c / stride % 8 == 0;
        const size_t m = !edge ? i - stride : below == GRID_NONE ? SIZE_MAX : below * cells + c + 7 * stride;
        const bool here = j->active[i], there = m != SIZE_MAX && j->active[m];
        double change = 0;
        if (!(s->field.open[a][i] > 0)) continue;
        if (here && there)
            change = j->q[i] - j->q[m];
        else if (here)
            change = across_surface(j, i, m);
        else if (there)
            change = -across_surface(j, m, i);
        s->field.shift[a][i] = -(float)change;
    }
}

static void shift_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const project_job *j = arg;
    const grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t t = begin; t < end; t++)
        for (int a = 0; a < s->tiles.dimensions; a++) {
            const uint32_t below = s->tiles.near[t][grid_near_index(-(a == 0), -(a == 1), -(a == 2))];
            memset(s->field.shift[a] + t * cells, 0, cells * sizeof(float));
            if (j->some[t] || (below != GRID_NONE && j->some[below])) shift_faces(j, t, a, below);
        }
}

/* The field that spreads the particles: the gradient of what solves the pressure's system, with bodies at
 * rest, for the fluxes that their density asks for. */
static rill_status shift(project_job *j, double *psi)
{
    grid *s = j->s;
    j->bend = NULL;
    j->q = psi;
    for (int a = 0; a < s->tiles.dimensions; a++)
        TRY(ARENA_NEW(&s->scratch, s->field.shift[a], grid_cell_count(&s->tiles)));
    parallel_for(s->sim.ctx, s->tiles.count, 8, shift_tiles, j);
    return RILL_OK;
}

/* The fluxes cells are to have: what brings back the volume of level sets and of deep liquid, and what puts
 * right the density of particles. Its large errors go to `spread`; but for markers, whose positions are moved
 * when the next step has begun, by the velocity that is saved. */
static rill_status wanted_fluxes(project_job *j, double g, pressure_aside *spread)
{
    grid *s = j->s;
    const size_t n = grid_cell_count(&s->tiles);
    const bool level = s->def.surface == GRID_LEVEL_SET || s->def.surface == GRID_PARTICLE_SET;
    /* what counts twice is for the flow alone */
    const bool none = s->def.pack == 0 || s->step.reflecting || j->pass == GRID_FIRST;
    const float swell = !none && (level || s->narrow.fill) ? j->swell : 0;
    for (size_t i = 0; i < n; i++) j->flux[i] = swell;
    if (none || level) return RILL_OK;
    double *b = NULL;
    if (s->def.surface == GRID_PARTICLES) {
        TRY(ARENA_NEW(&s->sorting, b, n));
        TRY(ARENA_NEW(&s->sorting, spread->p, n));
        memset(b, 0, n * sizeof *b);
    }
    TRY(grid_pack_flux(s, j->dt, g, j->some, j->flux, b));
    for (size_t i = 0; b && i < n && !spread->b; i++)
        if (b[i] != 0) spread->b = b;
    spread->tolerance = 1e-3; /* looser, rounding decides where it stops: V-22 */
    return RILL_OK;
}

rill_status grid_project(grid *s, double dt, grid_pass pass, rill_step_stats *stats)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t n = grid_cell_count(&s->tiles);
    const double g = v3_length(s->step.gain) / dt;
    project_job j = {.s = s,
                     .dt = dt,
                     .pass = pass,
                     .bend = pass == GRID_SECOND ? NULL : s->field.bend,
                     .carried = s->def.surface == GRID_LEVEL_SET || s->def.surface == GRID_PARTICLE_SET,
                     .gravity = v3_scale(s->step.gain, 1 / dt)};
    /* Steps may be much shorter than the liquid's own times: a share of a step would be any speed. */
    const double swelling = fmax(dt, grid_pack_time(s, g) / 3);
    if (grid_narrow(s)) {
        const double missing = fmin(fmax(0.3 * (s->narrow.deep_wanted / s->narrow.deep - 1), -0.02), 0.02);
        j.swell = (float)(missing * s->h / swelling);
    } else if (s->seen > 0) { /* a tenth of what is missing, a percent of a cell at most */
        const double missing = fmin(fmax(0.1 * (s->wanted / s->seen - 1), -0.01), 0.01);
        j.swell = (float)(missing * s->h / swelling);
    }
    for (int a = 0; a < 3; a++) s->field.shift[a] = NULL;
    TRY(ARENA_NEW(&s->scratch, s->field.active, n));
    j.active = s->field.active;
    arena_reset(&s->sorting);
    for (int a = 0; a < s->tiles.dimensions; a++) TRY(ARENA_NEW(&s->sorting, j.a[a], n));
    TRY(ARENA_NEW(&s->sorting, j.e, n));
    TRY(ARENA_NEW(&s->sorting, j.flux, n));
    TRY(ARENA_NEW(&s->sorting, j.some, s->tiles.count));
    TRY(ARENA_NEW(&s->sorting, j.b, n));
    TRY(ARENA_NEW(&s->sorting, j.q, n));
    parallel_for(ctx, s->tiles.count, 16, mark_tiles, &j);
    pressure_aside spread = {0};
    TRY(wanted_fluxes(&j, g, &spread));
    parallel_for(ctx, s->tiles.count, 8, build_tiles, &j);

    pressure_bodies bodies;
    TRY(grid_bodies_rows(s, j.active, &bodies));
    grid_bodies_flux(s, &bodies, false, j.b); /* the solver adds their motion */
    const pressure_system system = {.dimensions = s->tiles.dimensions,
                                    .tiles = s->tiles.count,
                                    .tile = (const int32_t(*)[3])s->tiles.map.block,
                                    .active = j.active,
                                    .ax = j.a[0],
                                    .ay = j.a[1],
                                    .az = j.a[2],
                                    .e = j.e,
                                    .b = j.b,
                                    .bodies = &bodies,
                                    .aside = spread.b ? &spread : NULL};
    pressure_def def = pressure_def_default();
    def.method = (pressure_method)s->def.solver;
    def.tolerance = s->def.tolerance;
    def.max_iterations = (uint32_t)s->def.iterations;
    pressure_report report = {0};
    TRY(pressure_solve(&s->solver, &system, &def, j.q, &report));
    if (report.end == PRESSURE_DIVERGED)
        return rill_fail(ctx, RILL_BLEW_UP, "the pressure solve diverged after %u iterations",
                         report.iterations);
    grid_bodies_press(s, &bodies, j.q, dt);
    s->step.q_scale = s->sim.scene->fluid.density * s->h / dt;
    parallel_for(ctx, s->tiles.count, 8, subtract_tiles, &j);
    if (!s->field.weighed) s->frame = v3(0, 0, 0);
    for (size_t i = 0; i < n && bodies.count; i++) j.b[i] = 0;
    grid_bodies_flux(s, &bodies, true, j.b);
    for (size_t i = 0; i < n && bodies.count; i++) j.flux[i] += (float)j.b[i];
    parallel_for(ctx, s->tiles.count, 8, divergence, &j);
    sum_up(&j, &report, stats);
    s->seen = stats->volume;
    if (!(s->wanted > 0)) s->wanted = s->seen;
    return spread.b ? shift(&j, spread.p) : RILL_OK;
}
