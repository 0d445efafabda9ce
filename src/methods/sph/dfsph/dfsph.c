/* Divergence-free SPH after Bender and Koschier 2015: two pressure solves a step.
 *
 * The first makes the velocities divergence-free; its k is p / rho_0. The second moves the particles to where
 * no compression is left. Each relaxes k until the mean residual is below its tolerance (solve.c). DEVIATES
 * from the paper, all measured (docs/dfsph.md):
 *
 * - The second solve moves particles and leaves their velocities alone (Cornelis et al. 2018): it corrects
 *   the density of an arrangement, not the flow. It bounds the density at the predicted positions themselves,
 *   not a linear estimate (ahead.c).
 * - The first uses corrected gradients (correct.c), and inside the liquid pulls as well as it pushes.
 * - It makes the velocities divergence-free `lean` of the step ahead instead of at its end,
 *   D(v + lean dt (f - grad k)) = 0: a step to the end loses dt^2 |grad p|^2 of the energy, one to the middle
 *   nothing. The rest of the step takes the lesser of k and the last k, so that lasting pressures continue
 *   and impacts do not rebound.
 * - Both are projected Chebyshev iterations instead of Jacobi's, start from all of the last pressure where it
 *   may act, and solve for long waves on cells (coarse.c); walls are the mirror potential; a step that needs
 *   many iterations shortens the next ones. */
#include "sph/dfsph/dfsph.h"

#include "base/text.h"
#include "sph/core/body_rows.h"
#include "sph/core/body_touch.h"
#include "sph/core/move.h"
#include "sph/core/nozzles.h"
#include "sph/core/operations.h"
#include "sph/core/wall_forces.h"
#include "sph/dfsph/body_pressure.h"
#include "sph/dfsph/pairs.h"
#include "sph/dfsph/residuals.h"
#include "sph/dfsph/solve.h"

#include <math.h>
#include <string.h>

enum { SLOW = 20, QUICK = 10 }; /* iterations of a solve */

static const double lean = 0.7;

/* Particles that do not lie on a lattice are accelerated by k / spacing against each other under a pressure
 * k. A step in which this moves them too far never comes to rest: dt <= pressure_cfl spacing / sqrt(k), k the
 * root mean square. In columns of 70 to 120 layers 0.37 still works in three dimensions and 0.27 nearly does
 * in two; beyond, positions do not reach their tolerance. Liquid as fast as its depth allows has shorter
 * steps by its speed. */
static const double pressure_cfl = 0.25;

/* Fraction of the tolerance of positions; the rest is for particles that walls push out (ahead.c). */
static const double aim = 0.95;

/* -- one pass over the particles each --------------------------------------------------- */

typedef struct {
    sph *s;
    float *kept;     /* column: k of the last step, times `unit` */
    double unit;     /* makes it independent of the step's length */
    bool velocities; /* the first solve, not the second */
    bool everywhere; /* second: not only where it is compressed without pressure */
} solve_job;

/* Starts from the last k, where it may act. */
static void start_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const solve_job *j = arg;
    sph *s = j->s;
    const float scale = (float)(1 / j->unit);
    for (size_t i = begin; i < end; i++) {
        const float k = scale * j->kept[i];
        const bool acts = j->velocities   ? !s->solve.spray[i] && (k > 0 || s->solve.inside[i])
                          : j->everywhere ? k > 0
                                          : s->solve.residual[i] > 0;
        s->solve.k[i] = acts ? k : 0;
        s->solve.change[i] = 0;
    }
}

/* solve.change: the k that acts over the whole step, the new one for `lean` of it and then what the new and
 * the last one have in common. Keeps the new k. */
static void keep_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const solve_job *j = arg;
    sph *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const float k = s->solve.k[i], last = (float)(j->kept[i] / j->unit);
        const float common = k * last > 0 ? (fabsf(k) < fabsf(last) ? k : last) : 0;
        s->solve.change[i] = (float)lean * k + (float)(1 - lean) * common;
        j->kept[i] = (float)(k * j->unit);
    }
}

/* solve.velocity: from the start of the step to `lean` of it. */
static void lean_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = ((const solve_job *)arg)->s;
    for (size_t i = begin; i < end; i++)
        for (int c = 0; c < 3; c++)
            s->solve.velocity[i][c] += (float)lean * (s->step.velocity[i][c] - s->solve.velocity[i][c]);
}

typedef struct {
    sph *s;
    const float *k;
    float rest;
    float steps;       /* the step over the longest time of the mean */
    float per_spacing; /* times speed: spacings travelled in the step */
} pressure_job;

static void pressure_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const pressure_job *j = arg;
    sph *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const float *v = s->step.velocity[i];
        const float way = j->per_spacing * sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        const float mix = -expm1f(-(j->steps + way));
        s->pressure[i] += mix * (j->rest * j->k[i] - s->pressure[i]);
    }
}

/* -- the solves ----------------------------------------------------------------------- */

/* The velocities contain all forces but pressure; solve.velocity those of the start of the step. */
static rill_status solve_velocities(coarse *cells, double dt, solve_report *out)
{
    sph *s = cells->s;
    const rill_vec3 none = {0, 0, 0};
    const size_t n = s->particles.count;
    solve_job j = {.s = s, .kept = s->kept_rate, .unit = 1, .velocities = true};
    pairs_job rate = {.s = s, .use = PAIRS_RATE, .vector = (const float(*)[4])s->solve.velocity};
    parallel_for(s->sim.ctx, n, 8192, lean_block, &j);
    pairs_divergence(&rate);
    TRY(bodies_lean(&s->sim.bodies, dt, 1));
    body_pressure_target(s, lean);
    TRY(bodies_lean(&s->sim.bodies, dt, -1));
    parallel_for(s->sim.ctx, n, 8192, start_block, &j);
    const solve_def def = {.scale = lean * dt,
                           .tolerance = s->def.divergence / dt,
                           .least = 4, /* fewer leave noise */
                           .at_zero = INFINITY};
    const solve_report r = solve_pressure(cells, &def);
    parallel_for(s->sim.ctx, n, 8192, keep_block, &j);
    if (!s->bodies.sequential) body_pressure_settle(s, lean, solve_middle(s));
    pairs_accelerate(s, s->solve.change);
    sph_kick(s, dt, none);
    body_pressure_react(s, dt);
    *out = r;
    return RILL_OK;
}

/* Leaves in step.force the acceleration that displaces particles by dt^2 times itself. */
static solve_report solve_positions(coarse *cells, double dt)
{
    sph *s = cells->s;
    const size_t n = s->particles.count;
    solve_job j = {.s = s, .kept = s->kept_density, .unit = dt * dt, .everywhere = !cells->closed};
    /* k = 0 first: where nothing is compressed no pressure is needed. */
    pairs_job zero = {.s = s, .k = s->solve.k, .scale = (float)(dt * dt), .rest = 1};
    memset(s->solve.k, 0, n * sizeof *s->solve.k);
    memset(s->step.force, 0, n * sizeof *s->step.force);
    pairs_look_ahead(s, dt);
    pairs_squeeze(&zero);
    solve_report r = {0, zero.residual};
    parallel_for(s->sim.ctx, n, 8192, start_block, &j);
    const solve_def def = {.scale = dt * dt,
                           .tolerance = aim * s->def.compression,
                           .least = 1,
                           .dt = dt,
                           .at_zero = zero.residual};
    if (r.residual > def.tolerance) {
        r = solve_pressure(cells, &def);
        if (!(r.residual <= zero.residual)) { /* worse than k = 0 */
            memset(s->solve.k, 0, n * sizeof *s->solve.k);
            memset(s->step.force, 0, n * sizeof *s->step.force);
            r.residual = zero.residual;
        }
        /* In a full box pressure would grow from step to step. */
        if (cells->closed && r.residual > def.tolerance) memset(s->solve.k, 0, n * sizeof *s->solve.k);
    }
    parallel_for(s->sim.ctx, n, 8192, keep_block, &j);
    return r;
}

/* The column "pressure", from the k that acted in the step. A solve that stops within its tolerance leaves
 * pressures that are right on average and fluctuate from step to step: the column is a running mean over
 * about four of the longest steps, and no longer than a particle needs for a spacing: it would carry the
 * pressure of where it was to where it is, and what gauges show along a wall would not add up to the force on
 * it. */
static void update_pressure(sph *s, double dt)
{
    pressure_job j = {s, s->ops->shown_pressure(s), (float)s->sim.scene->fluid.density,
                      (float)(dt / (4 * s->def.max_step)), (float)(dt / s->sim.scene->spacing)};
    parallel_for(s->sim.ctx, s->particles.count, 8192, pressure_block, &j);
}

/* A step whose solve is slow is too long. */
static void adapt_step(sph *s, int iterations)
{
    if (iterations > SLOW)
        s->step_scale = fmax(0.8 * s->step_scale, 0.1);
    else if (iterations < QUICK)
        s->step_scale = fmin(1.1 * s->step_scale, 1);
}

/* The last step's pressures for dt, or back. */
static void predict(sph *s, double dt)
{
    const rill_vec3 none = {0, 0, 0};
    sph_kick(s, dt, none);
    body_pressure_predict(s, dt);
}

/* Viscosity acts on velocities that the last step's pressures have changed, which are then taken back: the
 * force it gives is that of the flow as it will be. Without, viscosity sees liquid in free fall, and pressure
 * gives it velocities that nothing slows before the step's end: 0.22 m/s in a column of 10^6 Pa s, where
 * creep is 0.005. (Pressure-correction schemes do the same: Guermond, Minev and Shen 2006, section 3.2.)
 *
 * Not with friction of walls, which holds the lowest layer alone and comes after viscosity: a slab that it
 * holds would creep by what it gains in eight steps, not five. */
static rill_status solve_viscosity(sph *s, double dt, rill_step_stats *stats)
{
    const bool predicted = !s->model.wall_friction;
    solve_job j = {.s = s, .kept = s->kept_rate, .unit = 1, .velocities = true};
    if (predicted) {
        parallel_for(s->sim.ctx, s->particles.count, 8192, start_block, &j);
        pairs_accelerate(s, s->solve.k);
        predict(s, dt);
    }
    TRY(s->ops->viscosity(s, dt));
    if (predicted) predict(s, -dt);
    stats->viscous_iterations = (uint32_t)s->step.viscous_iterations;
    stats->viscous_residual = s->step.viscous_residual;
    return RILL_OK;
}

/* -- the step ------------------------------------------------------------------------- */

/* Both solves. */
static rill_status project(sph *s, double dt, rill_step_stats *stats, double *clock)
{
    rill_arena *arena = s->ops->solve_arena(s);
    const arena_mark mark = arena_mark_of(arena);
    coarse cells;
    TRY(coarse_build(s, arena, &cells));
    residuals cycles;
    TRY(residuals_build(s, arena, &cycles));
    cells.cycles = &cycles;
    solve_report rate;
    TRY(solve_velocities(&cells, dt, &rate));
    update_pressure(s, dt);
    wall_forces_press(s, s->solve.change, dt);
    TRY(sph_move_bodies(s, dt));
    step_stats_stage(stats, "pressure", clock);
    const solve_report density = solve_positions(&cells, dt);
    arena_back(arena, mark);
    step_stats_stage(stats, "positions", clock);
    /* in a full box positions are slow whatever the step */
    const bool by_rate = cells.closed || rate.iterations > density.iterations;
    adapt_step(s, by_rate ? rate.iterations : density.iterations);
    stats->solve_iterations = (uint32_t)(density.iterations + rate.iterations);
    stats->solve_residual = density.residual;
    return RILL_OK;
}

/* Algorithm 1 of the paper, with the divergence solve before the density solve: both act on the velocities
 * that move the particles. */
rill_status dfsph_step(sph *s, double dt, rill_step_stats *stats)
{
    const sph_operations *ops = s->ops;
    const double t = s->sim.time;
    double clock = clock_seconds();

    TRY(nozzles_emit(s, t, dt));
    TRY(ops->sort(s));
    step_stats_stage(stats, "neighbours", &clock);
    ops->walls(s, t, dt);
    TRY(body_rows_collect(s, t, dt));
    wall_forces_begin(s);
    TRY(wall_forces_collect(s, t, dt));
    step_stats_stage(stats, "walls", &clock);
    TRY(pairs_prepare(s)); /* densities and gradients */
    pairs_correct(s);
    body_pressure_correct(s);
    wall_forces_correct(s);
    body_rows_finish(s, dt);
    step_stats_stage(stats, "density", &clock);

    s->solve.velocity = s->solve.correction[0]; /* which is not needed any more */
    memcpy(s->solve.velocity, s->step.velocity, s->particles.count * sizeof *s->solve.velocity);
    ops->no_pressure(s);
    TRY(ops->forces(s, dt));
    sph_kick(s, dt, scene_gravity(s->sim.scene, t + dt / 2));
    if (ops->smooth_velocities) ops->smooth_velocities(s);
    step_stats_stage(stats, "forces", &clock);
    nozzles_hold_thick(s);
    if (s->step.implicit) {
        TRY(solve_viscosity(s, dt, stats));
        step_stats_stage(stats, "viscosity", &clock);
    }
    nozzles_hold_thick(s);
    TRY(project(s, dt, stats, &clock));
    nozzles_hold_thick(s);
    TRY(wall_forces_before(s));
    TRY(body_touch_before(s));
    ops->move(&(move_job){.s = s, .drift = dt, .shift = dt * dt, .since = t, .t = t + dt});
    wall_forces_after(s, 0, (rill_vec3){0, 0, 0}, t + dt);
    TRY(body_touch_after(s, 0, (rill_vec3){0, 0, 0}, t + dt));
    step_stats_stage(stats, "move", &clock);
    if (ops->resampling_due && ops->resampling_due(s)) TRY(ops->resample(s, stats)); /* [Adams] section 6 */
    return RILL_OK;
}

static double square_sum(void *arg, size_t begin, size_t end)
{
    const float *k = arg;
    double sum = 0;
    for (size_t i = begin; i < end; i++) sum += (double)k[i] * (double)k[i];
    return sum;
}

/* Longest step of such liquid, in times that a fall from rest takes for half a spacing. */
static const double creeping = 0.05;

/* CFL by the distance travelled, by particles or walls; gravity may accelerate within the step. */
double dfsph_max_dt(const sph *s)
{
    const double g = scene_gravity_most(s->sim.scene), spacing = s->sim.scene->spacing;
    const double most = s->def.max_step * s->step_scale;
    const double wall = fmax(solids_max_speed(&s->sim.solids, s->sim.time, s->sim.time + most),
                             world_max_speed(&s->sim.bodies.world));
    double dt = fmin(most, s->def.cfl * spacing / (fmax(s->max_speed, wall) + g * most + 1e-30));
    dt = fmin(dt, nozzles_step(s));
    /* Liquid that only creeps moves by the error of splitting viscosity and pressure, of second order. */
    if (g > 0 && s->model.kinematic * dt > 1000 * spacing * spacing)
        dt = fmin(dt, creeping * sqrt(spacing / g));
    const double h = s->model.kernel.support / 2, damping = s->def.damping * s->model.damping_speed * h / 10;
    if (damping > 0) dt = fmin(dt, 0.125 * h * h / damping);
    const double n = (double)s->particles.count;
    const double k =
        n > 0 ? sqrt(parallel_sum(s->sim.ctx, s->particles.count, square_sum, s->kept_rate) / n) : 0;
    return k > 0 ? fmin(dt, pressure_cfl * spacing / sqrt(k)) : dt;
}
