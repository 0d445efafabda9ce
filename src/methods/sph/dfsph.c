/* Divergence-free SPH, Bender and Koschier 2015: two pressure solves a step.
 *
 * The first takes out what compresses in the velocities, the second what compression a
 * step would leave, each by relaxing k = p / rho_0 >= 0 until the mean residual is below
 * its tolerance. DEVIATES from the paper in three ways, all measured:
 * the density solve is a projected Chebyshev iteration instead of Jacobi's and starts
 * from the whole of the last pressures, which halves the iterations twice; walls are the
 * mirror potential; and a step that needs many iterations makes the next ones shorter. */
#include "base/text.h"
#include "sph/pairs.h"
#include "sph/state.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 100, SLOW = 20, QUICK = 10 };

/* Eigenvalues of the relaxed operator, in units of the factor: with a support of two
 * spacings the largest seen at 10^6 particles was above 3.4, and 4.2 held. It grows with
 * the number of neighbours (at 3.5 spacings in two dimensions 4.2 diverges). */
static const double largest_at_two = 4.2, spread = 10;

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
    float *kept;  /* column: k of the last step, times `unit` */
    double unit;  /* makes it independent of the step's length */
    double share; /* of it to begin from */
    bool lonely;  /* those with few neighbours are left out */
    float *k;
    sph *s;
} start_job;

static void start_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const start_job *j = arg;
    const float scale = (float)(j->share / j->unit);
    for (size_t i = begin; i < end; i++) {
        const bool idle = !(j->s->wanted[i] > 0) || (j->lonely && j->s->lonely[i]);
        j->k[i] = idle ? 0 : scale * j->kept[i];
        j->s->change[i] = 0;
    }
}

static void keep_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const start_job *j = arg;
    for (size_t i = begin; i < end; i++) j->kept[i] = (float)(j->k[i] * j->unit);
}

typedef struct {
    int iterations;
    double residual;
} solve_report;

/* Coefficients of the Chebyshev iteration for eigenvalues in [largest / spread, largest]:
 * change = keep * change + take * residual. */
typedef struct {
    double middle, half, ratio;
    double relax; /* Jacobi's factor: 0.5 at a support of two, where 0.7 diverges */
    bool plain;   /* Jacobi instead */
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

/* Relaxes s->k from where it is until wanted + scale D(acceleration of k) <= 0 within
 * the tolerance, and leaves that acceleration in s->force. */
static solve_report solve(sph *s, double scale, double tolerance, int least, bool lonely, bool plain)
{
    const double largest = largest_of(s);
    chebyshev c = {.middle = 0.5 * (largest + largest / spread),
                   .half = 0.5 * (largest - largest / spread),
                   .relax = 2.1 / largest,
                   .plain = plain};
    solve_report report = {0};
    double best = INFINITY;
    while (report.iterations < MOST_ITERATIONS) {
        pairs_job j = {.s = s, .use = PAIRS_RELAX, .k = s->k, .scale = (float)scale, .spare_lonely = lonely};
        chebyshev_next(&c, report.iterations, &j.keep, &j.take);
        pairs_accelerate(s, s->k);
        pairs_divergence(&j);
        report.iterations++;
        report.residual = j.residual;
        if (j.residual <= tolerance && report.iterations >= least) break;
        if (j.residual < best)
            best = j.residual;
        else if (j.residual > 2 * best && !c.plain)
            c.plain = true; /* it grows: the safe way from here on */
    }
    pairs_accelerate(s, s->k);
    return report;
}

static void for_particles(sph *s, parallel_body *body, start_job *j)
{
    j->s = s;
    j->k = s->k;
    parallel_for(s->sim.ctx, s->particles.count, 8192, body, j);
}

static solve_report solve_divergence(sph *s, double dt)
{
    pairs_job rate = {.s = s, .use = PAIRS_RATE};
    pairs_divergence(&rate);
    start_job start = {.kept = s->kept_rate, .unit = dt, .share = 0.5, .lonely = true};
    for_particles(s, start_block, &start);
    const solve_report r = solve(s, dt, s->def.divergence / dt, 1, true, true);
    for_particles(s, keep_block, &start);
    return r;
}

static solve_report solve_density(sph *s, double dt)
{
    pairs_job density = {.s = s, .use = PAIRS_DENSITY, .dt = (float)dt};
    pairs_divergence(&density);
    start_job start = {.kept = s->kept_density, .unit = dt * dt, .share = 1};
    for_particles(s, start_block, &start);
    const solve_report r = solve(s, dt * dt, s->def.compression, 2, false, false);
    for_particles(s, keep_block, &start);
    return r;
}

typedef struct {
    sph *s;
    float per_dt, mix;
} pressure_job;

/* Both solves push: the pressure of the step is their sum. A solve that stops within its
 * tolerance leaves pressures that are right on average and flicker from step to step, so
 * that what is shown is a running mean in time over about four of the longest steps. */
static void pressure_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const pressure_job *j = arg;
    sph *s = j->s;
    const float rest = (float)s->sim.scene->fluid.density;
    for (size_t i = begin; i < end; i++) {
        const float now = rest * (s->k[i] + j->per_dt * s->kept_rate[i]);
        s->pressure[i] += j->mix * (now - s->pressure[i]);
    }
}

/* No pressure in the explicit forces: p / rho^2 is 0, and 1 / rho is there for viscosity. */
static void volume_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    for (size_t i = begin; i < end; i++) {
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

rill_status dfsph_step(sph *s, double dt, rill_step_stats *stats)
{
    rill_ctx *ctx = s->sim.ctx;
    const double t = s->sim.time;
    const rill_vec3 none = {0, 0, 0};
    double clock = clock_seconds();

    TRY(sources_apply(ctx, &s->sim.sources, &s->sim.solids, t, dt, &s->particles));
    TRY(sph_sort(s));
    step_stats_stage(stats, "neighbours", &clock);
    sph_walls(s, t, dt);
    step_stats_stage(stats, "walls", &clock);
    TRY(pairs_prepare(s)); /* densities and factors */
    step_stats_stage(stats, "density", &clock);

    const solve_report rate = solve_divergence(s, dt);
    sph_kick(s, dt, none);
    step_stats_stage(stats, "divergence", &clock);

    parallel_for(ctx, s->particles.count, 8192, volume_block, s);
    s->implicit = sph_viscosity_is_implicit(s, dt);
    sph_forces(s); /* viscosity, and the weight that walls carry */
    TRY(sph_tension(s));
    TRY(sph_vorticity(s));
    sph_air_drag(s, dt);
    sph_kick(s, dt, scene_gravity(s->sim.scene, t + dt / 2));
    step_stats_stage(stats, "forces", &clock);
    if (s->implicit) {
        TRY(sph_viscosity(s, dt));
        step_stats_stage(stats, "viscosity", &clock);
    }

    const solve_report density = solve_density(s, dt);
    pressure_job pressure = {s, (float)(1 / dt), (float)-expm1(-dt / (4 * s->def.max_step))};
    parallel_for(ctx, s->particles.count, 8192, pressure_block, &pressure);
    step_stats_stage(stats, "pressure", &clock);

    sph_move(s, dt, none, dt, t, t + dt);
    adapt_step(s, density.iterations);
    step_stats_stage(stats, "move", &clock);
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
    const double h = s->kernel.support / 2, damping = s->def.damping * s->sound_speed * h / 10;
    if (s->def.viscosity == SPH_EXPLICIT) dt = fmin(dt, sph_viscous_limit(s));
    if (damping > 0) dt = fmin(dt, 0.125 * h * h / damping);
    return fmin(dt, tension_limit(s));
}
