/* Divergence-free SPH after Bender and Koschier 2015: two pressure solves a step.
 *
 * The first takes out of the velocities what closes or, inside, opens the liquid; its k is p / rho_0.
 * The second moves the particles to where no compression is left. Each relaxes k until the
 * mean residual is below its tolerance. DEVIATES from the paper, all measured (docs/dfsph.md):
 *
 * - The second solve moves particles and leaves their velocities alone (Cornelis et al. 2018):
 *   what it corrects is the density of an arrangement, not the flow. What it holds down is
 *   the density where the step leads, itself (ahead.c).
 * - The first uses corrected gradients (correct.c), and inside the liquid pulls as well as
 *   it pushes.
 * - It makes the velocities divergence-free `lean` of the step ahead instead of at its end,
 *   D(v + lean dt (f - grad k)) = 0: a step to the end loses dt^2 |grad p|^2 of the energy, one
 *   to the middle nothing. The rest of the step takes the lesser of k and the last k, so
 *   that pressures that last go on and blows do not rebound.
 * - Both are projected Chebyshev iterations instead of Jacobi's, from the whole of the last
 *   pressures where they act, with long waves solved for on cells (coarse.c); walls are the mirror
 *   potential; and a step that needs many iterations makes the next ones shorter. */
#include "base/text.h"
#include "sph/coarse.h"
#include "sph/levels.h"
#include "sph/pairs.h"
#include "sph/thick.h"

#include <math.h>
#include <string.h>

/* Iterations. In a box that is full to the brim no arrangement but the lattice may have the
 * density of rest: positions are given up when PATIENCE iterations did not take a tenth off. */
enum { MOST_ITERATIONS = 100, PATIENCE = 8, BETWEEN = 4, SLOW = 20, QUICK = 10 };

static const double lean = 0.7;

/* Corrections of positions, in spacings: half as much is not enough for what a step throws at a wall. In
 * a box that is full there is no room for so much, and particles would jump to and fro. */
static const double longest = 0.2, longest_in_full = 0.1;

/* Of the tolerance of positions. The rest is for what is not foreseen: whom walls push out (ahead.c). */
static const double aim = 0.95;

/* Eigenvalues of the relaxed operator, in units of the factor: with a support of two
 * spacings the largest seen at 10^6 particles was above 3.4, and 4.2 held. It grows with
 * the number of neighbours (at 3.5 spacings in two dimensions 4.2 diverges). */
static const double largest_at_two = 4.2, spread = 10;
/* Of positions of several sizes: who was split or merged is a compression of everybody around, and cells as
 * wide as the largest kernel do not see the waves between (42 iterations with 10, 17 with this). */
static const double spread_of_sizes = 100;

static double largest_of(const sph *s)
{
    const double wider = s->def.support / 2;
    return largest_at_two * fmax(wider * wider, 1);
}

/* -- velocities ----------------------------------------------------------------------- */

typedef struct {
    sph *s;
    double dt;
    rill_vec3 gravity;
} kick_job;

static void kick_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const kick_job *j = arg;
    sph *s = j->s;
    rill_vec3 *v = s->particles.velocity;
    for (size_t i = begin; i < end; i++) {
        const float *a = s->force[i];
        v[i] = v3_madd(
            v[i], j->dt,
            v3(j->gravity.x + (double)a[0], j->gravity.y + (double)a[1], j->gravity.z + (double)a[2]));
        s->velocity[i][0] = (float)v[i].x;
        s->velocity[i][1] = (float)v[i].y;
        s->velocity[i][2] = (float)v[i].z;
    }
}

void sph_kick(sph *s, double dt, rill_vec3 gravity)
{
    kick_job j = {s, dt, gravity};
    parallel_for(s->sim.ctx, s->particles.count, 8192, kick_block, &j);
}

/* -- the solves ----------------------------------------------------------------------- */

typedef struct {
    sph *s;
    float *kept;     /* column: k of the last step, times `unit` */
    double unit;     /* makes it independent of the step's length */
    bool velocities; /* the first solve, not the second */
    double dt;
} solve_job;

/* Begins from the last k, where it may act. */
static void start_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const solve_job *j = arg;
    sph *s = j->s;
    const float scale = (float)(1 / j->unit);
    for (size_t i = begin; i < end; i++) {
        const float k = scale * j->kept[i];
        const bool acts = j->velocities ? !s->lonely[i] && (k > 0 || s->inner[i]) : s->left[i] > 0;
        s->k[i] = acts ? k : 0;
        s->change[i] = 0;
    }
}

/* What acts over the whole step, in s->change: k for `lean` of it, then of both k and the last one
 * what they have in common. Keeps k. */
static void keep_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const solve_job *j = arg;
    sph *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const float k = s->k[i], last = (float)(j->kept[i] / j->unit);
        const float common = k * last > 0 ? (fabsf(k) < fabsf(last) ? k : last) : 0;
        s->change[i] = (float)lean * k + (float)(1 - lean) * common;
        j->kept[i] = (float)(k * j->unit);
    }
}

/* Velocities `lean` of the step ahead, from those at its start in s->blend. */
static void lean_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = ((const solve_job *)arg)->s;
    for (size_t i = begin; i < end; i++)
        for (int c = 0; c < 3; c++) s->blend[i][c] += (float)lean * (s->velocity[i][c] - s->blend[i][c]);
}

typedef struct {
    int iterations;
    double residual;
} solve_report;

/* Coefficients of the Chebyshev iteration for eigenvalues in [smallest, largest]:
 * change = keep * change + take * residual. */
typedef struct {
    double middle, half, ratio;
    double relax; /* Jacobi's factor: 0.5 at a support of two, where 0.7 diverges */
    bool plain;   /* Jacobi instead, when this one grows */
} chebyshev;

static void chebyshev_next(chebyshev *c, int iteration, float *keep, float *take)
{
    if (c->plain) {
        *keep = 0;
        *take = (float)c->relax;
    } else if (iteration == 0) {
        c->ratio = c->half / c->middle;
        *keep = 0;
        *take = (float)(1 / c->middle);
    } else {
        const double next = 1 / (2 * c->middle / c->half - c->ratio);
        *keep = (float)(next * c->ratio);
        *take = (float)(2 * next / c->half);
        c->ratio = next;
    }
}

/* Relaxes s->k from where it is until what it leaves is within the tolerance: of velocities
 * wanted + scale D(acceleration of k), of positions (dt > 0) the compression they end up with. The
 * acceleration is in s->force. plain: what k = 0 leaves. */
static solve_report solve(coarse *cells, double scale, double tolerance, int least, double dt, double plain)
{
    sph *s = cells->s;
    const double largest = largest_of(s);
    const bool positions = dt > 0;
    const double smallest = largest / (s->levels && positions ? spread_of_sizes : spread);
    chebyshev c = {
        .middle = 0.5 * (largest + smallest), .half = 0.5 * (largest - smallest), .relax = 2.1 / largest};
    solve_report report = {0};
    double best = INFINITY, mark = INFINITY;
    int since = 0; /* the last long waves */
    double before = INFINITY;
    bool waves = true, corrected = false;
    float rest = 1;
    while (report.iterations < MOST_ITERATIONS) {
        pairs_job j = {.s = s, .use = PAIRS_RELAX, .k = s->k, .scale = (float)scale, .rest = rest};
        chebyshev_next(&c, since++, &j.keep, &j.take);
        if (positions) {
            pairs_shift(s, s->k, dt, cells->closed ? longest_in_full : longest);
            pairs_squeeze(&j);
            if (cells->closed) rest += (float)j.mean; /* the mean is not to be had otherwise */
        } else {
            pairs_accelerate(s, s->k);
            pairs_divergence(&j);
        }
        report.iterations++;
        report.residual = j.residual;
        if (j.residual <= tolerance && report.iterations >= least) return report;
        if (report.iterations == 1 &&
            j.residual > 4 * plain) { /* the last pressures are far worse than none */
            memset(s->k, 0, s->particles.count * sizeof *s->k);
            since = 0;
            continue;
        }
        if (waves && corrected && j.residual > 2 * before) {
            coarse_undo(cells); /* these waves are not to be had so */
            waves = corrected = false;
            since = 0;
            continue;
        }
        corrected = false;
        if (j.residual < best)
            best = j.residual;
        else if (j.residual > 2 * best && !c.plain)
            c.plain = true; /* it grows: the safe way from here on */
        if (positions && report.iterations % PATIENCE == 0) {
            if (best > 0.9 * mark) return report;
            mark = best;
        }
        if (waves && (!positions || j.residual > tolerance) && (report.iterations - 1) % BETWEEN == 0) {
            before = j.residual;
            corrected = coarse_correct(cells, scale, !positions);
            if (corrected) since = 0;
        }
    }
    return report;
}

/* The velocities have all forces but pressure; s->blend has those before. */
static solve_report solve_velocities(coarse *cells, double dt)
{
    sph *s = cells->s;
    const rill_vec3 none = {0, 0, 0};
    const size_t n = s->particles.count;
    solve_job j = {.s = s, .kept = s->kept_rate, .unit = dt, .velocities = true};
    pairs_job rate = {.s = s, .use = PAIRS_RATE, .vector = (const float(*)[4])s->blend};
    parallel_for(s->sim.ctx, n, 8192, lean_block, &j);
    pairs_divergence(&rate);
    parallel_for(s->sim.ctx, n, 8192, start_block, &j);
    /* Fewer than four iterations leave noise. */
    const solve_report r = solve(cells, lean * dt, s->def.divergence / dt, 4, 0, INFINITY);
    parallel_for(s->sim.ctx, n, 8192, keep_block, &j);
    pairs_accelerate(s, s->change);
    sph_kick(s, dt, none);
    return r;
}

/* Leaves in s->force what times dt^2 moves the particles. */
static solve_report solve_positions(coarse *cells, double dt)
{
    sph *s = cells->s;
    const size_t n = s->particles.count;
    solve_job j = {.s = s, .kept = s->kept_density, .unit = dt * dt, .dt = dt};
    /* Where velocities alone lead; what is not compressed there needs no pressure. */
    pairs_job plain = {.s = s, .k = s->k, .scale = (float)(dt * dt), .rest = 1};
    memset(s->k, 0, n * sizeof *s->k);
    memset(s->force, 0, n * sizeof *s->force);
    pairs_look_ahead(s, dt);
    pairs_squeeze(&plain);
    solve_report r = {0, plain.residual};
    parallel_for(s->sim.ctx, n, 8192, start_block, &j);
    const double goal = aim * s->def.compression;
    if (r.residual > goal) {
        r = solve(cells, dt * dt, goal, 1, dt, plain.residual);
        if (!(r.residual <= plain.residual)) { /* worse than nothing */
            memset(s->k, 0, n * sizeof *s->k);
            memset(s->force, 0, n * sizeof *s->force);
            r.residual = plain.residual;
        }
        /* Where there is no room, pressure would wind up. */
        if (cells->closed && r.residual > goal) memset(s->k, 0, n * sizeof *s->k);
    }
    parallel_for(s->sim.ctx, n, 8192, keep_block, &j);
    return r;
}

typedef struct {
    sph *s;
    const float *k;
    float rest, mix;
} pressure_job;

/* A solve that stops within its tolerance leaves pressures that are right on average and
 * flicker from step to step, so that what is shown is a running mean in time over about four of
 * the longest steps. */
static void pressure_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const pressure_job *j = arg;
    sph *s = j->s;
    for (size_t i = begin; i < end; i++) s->pressure[i] += j->mix * (j->rest * j->k[i] - s->pressure[i]);
}

/* From what acted in the step, s->change. Between particles of several sizes it is rougher: the mean over
 * neighbours. */
static void show_pressure(sph *s, double dt)
{
    pressure_job j = {s, s->change, (float)s->sim.scene->fluid.density,
                      (float)-expm1(-dt / (4 * s->def.max_step))};
    if (s->levels) {
        levels_mean(s, s->change, s->left);
        j.k = s->left;
    }
    parallel_for(s->sim.ctx, s->particles.count, 8192, pressure_block, &j);
}

/* No pressure in the explicit forces: p / rho^2 is 0, and 1 / rho is there for viscosity. */
static void volume_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    for (size_t i = begin; i < end; i++) {
        if (s->levels)
            s->levels->place[i][3] = 0;
        else
            s->position[i][3] = 0;
        s->velocity[i][3] = 1 / s->density[i];
    }
}

/* A step that is hard to solve is too long. */
static void adapt_step(sph *s, int iterations)
{
    if (iterations > SLOW)
        s->step_scale = fmax(0.8 * s->step_scale, 0.1);
    else if (iterations < QUICK)
        s->step_scale = fmin(1.1 * s->step_scale, 1);
}

/* All but pressure: viscosity, the weight that walls carry, and what is only there for equal particles. */
static rill_status forces(sph *s, double dt)
{
    s->implicit = false;
    if (s->levels) {
        levels_forces(s);
        return RILL_OK;
    }
    s->implicit = sph_viscosity_is_implicit(s, dt);
    TRY(sph_thicken(s));
    sph_forces(s);
    TRY(sph_tension(s));
    TRY(sph_vorticity(s));
    sph_air_drag(s, dt);
    return RILL_OK;
}

rill_status dfsph_step(sph *s, double dt, rill_step_stats *stats)
{
    rill_ctx *ctx = s->sim.ctx;
    const double t = s->sim.time;
    const rill_vec3 none = {0, 0, 0};
    double clock = clock_seconds();

    TRY(sources_apply(ctx, &s->sim.sources, &s->sim.solids, t, dt, &s->particles));
    sph_columns(s);
    TRY(s->levels ? levels_sort(s) : sph_sort(s));
    step_stats_stage(stats, "neighbours", &clock);
    if (s->levels)
        levels_walls(s, t, dt);
    else
        sph_walls(s, t, dt);
    step_stats_stage(stats, "walls", &clock);
    TRY(pairs_prepare(s)); /* densities */
    pairs_correct(s);
    step_stats_stage(stats, "density", &clock);

    s->blend = s->fix[0]; /* which served its turn */
    memcpy(s->blend, s->velocity, s->particles.count * sizeof *s->blend);
    parallel_for(ctx, s->particles.count, 8192, volume_block, s);
    TRY(forces(s, dt));
    sph_kick(s, dt, scene_gravity(s->sim.scene, t + dt / 2));
    if (s->levels) levels_calm(s);
    step_stats_stage(stats, "forces", &clock);
    if (s->implicit) {
        TRY(sph_viscosity(s, dt));
        step_stats_stage(stats, "viscosity", &clock);
    }

    coarse cells;
    rill_arena *arena =
        s->levels ? &s->levels->sampling : &s->scratch; /* the one does not last, the other does */
    const arena_mark mark = arena_mark_of(arena);
    TRY(coarse_build(s, arena, &cells));
    const solve_report rate = solve_velocities(&cells, dt);
    show_pressure(s, dt);
    step_stats_stage(stats, "pressure", &clock);
    const solve_report density = solve_positions(&cells, dt);
    arena_back(arena, mark);
    step_stats_stage(stats, "positions", &clock);

    sph_move(s, 0, none, dt, dt * dt, t, t + dt);
    adapt_step(s, rate.iterations);
    step_stats_stage(stats, "move", &clock);
    if (s->levels && resampling_due(s)) {
        TRY(resample(s)); /* [Adams] section 6 */
        step_stats_stage(stats, "resample", &clock);
    }
    stats->solve_iterations = (uint32_t)(density.iterations + rate.iterations);
    stats->solve_residual = density.residual;
    return RILL_OK;
}

/* CFL by distance travelled, by particles or walls; gravity may add its share within the step. */
double dfsph_max_dt(const sph *s)
{
    const double g = scene_gravity_most(s->sim.scene), spacing = s->sim.scene->spacing;
    const double most = s->def.max_step * s->step_scale;
    const double wall = solids_max_speed(&s->sim.solids, s->sim.time, s->sim.time + most);
    double dt = fmin(most, s->def.cfl * spacing / (fmax(s->max_speed, wall) + g * most + 1e-30));
    const double h = s->kernel.support / 2, damping = s->def.damping * s->damping_speed * h / 10;
    if (s->def.viscosity == SPH_EXPLICIT || s->levels) dt = fmin(dt, sph_viscous_limit(s));
    if (damping > 0) dt = fmin(dt, 0.125 * h * h / damping);
    return fmin(dt, tension_limit(s));
}
