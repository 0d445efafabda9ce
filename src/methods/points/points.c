/* The point-based method, [Sin09] section 3: the step, and what the rest of the program sees. */
#include "points/points.h"

#include "base/random.h"
#include "base/text.h"
#include "flow/capacity.h"
#include "points/bodies.h"
#include "points/params.h"
#include "points/state.h"

#include <math.h>

/* One step of section 3, from t to t + dt; reflected: its pressure counts twice. */
static rill_status flow_step(points *s, double t, double dt, bool reflected, rill_step_stats *stats)
{
    const double rate = dt * s->sim.scene->fluid.viscosity / s->sim.scene->fluid.density; /* m2 */
    const bool viscous = rate > 0, thick = points_thick(s, rate);
    double clock = clock_seconds();

    TRY(points_sort(s));
    TRY(points_diagram(s, t)); /* 3.1 */
    step_stats_stage(stats, "diagram", &clock);
    TRY(points_clip(s, t)); /* 3.2 */
    step_stats_stage(stats, "clip", &clock);
    TRY(points_join(s, t)); /* 3.4: components */
    TRY(points_bodies_join(s, t));
    step_stats_stage(stats, "join", &clock);
    TRY(points_neighbours(s)); /* 3.4 */
    step_stats_stage(stats, "neighbours", &clock);
    TRY(points_momentum_take(s));
    points_smoke(s, t, dt);
    points_forces(s, t, dt);
    TRY(points_bodies_await(s, dt));
    if (s->def.scheme == POINTS_PAPER && !viscous) points_hold(s, t); /* 5 */
    if (thick) {
        TRY(points_project(s, t, dt, false, stats));
        step_stats_stage(stats, "project", &clock);
    }
    if (viscous) {
        TRY(points_viscosity(s, t, dt, stats));
        step_stats_stage(stats, "viscosity", &clock);
    }
    TRY(points_project(s, t, dt, thick, stats)); /* 3.3 */
    step_stats_stage(stats, "project", &clock);
    points_momentum_owe(s, t, dt);
    TRY(points_bodies_release(s, t, dt));
    TRY(points_shift(s, dt));
    TRY(points_restore(s));
    step_stats_stage(stats, "restore", &clock);
    TRY(points_move(s, t, dt)); /* 3.4 */
    TRY(points_filter(s));
    if (reflected) points_reflect(s);
    TRY(points_momentum_give(s));
    step_stats_stage(stats, "move", &clock);
    TRY(points_sides_plan(s, t, dt));
    const uint64_t merged = s->sim.sources.merged;
    TRY(points_resample(s, t + dt)); /* 3.3 */
    /* Cells are those of the points before. */
    if (s->sim.sources.merged == merged) TRY(points_sizes_change(s, t + dt)); /* 5: adaptive sampling */
    TRY(points_sides_renew(s));
    step_stats_stage(stats, "resample", &clock);
    return RILL_OK;
}

static rill_status one_step(points *s, double t, double dt, bool reflected, rill_step_stats *stats)
{
    stats->volume = stats->compression = stats->div_max = stats->div_rms = 0;
    if (s->particles.count) {
        const rill_status st = flow_step(s, t, dt, reflected, stats);
        points_forget(s);
        if (st) return st;
    } else {
        TRY(points_bodies_await(s, dt));
        TRY(points_bodies_release(s, t, dt));
    }
    return points_sources(s, t, dt);
}

static void energy_terms(void *arg, size_t begin, size_t end, double *out)
{
    const points *s = arg;
    const rill_vec3 down = scene_gravity(s->sim.scene, s->sim.time);
    for (size_t i = begin; i < end; i++) {
        const double share = points_size_of(s, i)->share;
        out[0] += share * v3_dot(s->particles.velocity[i], s->particles.velocity[i]);
        out[1] -= share * v3_dot(down, s->particles.position[i]);
    }
}

static double speed_term(void *arg, size_t begin, size_t end)
{
    const points *s = arg;
    double most = 0;
    for (size_t i = begin; i < end; i++) {
        const double u2 = v3_dot(s->particles.velocity[i], s->particles.velocity[i]);
        if (!(u2 <= most)) most = u2;
    }
    return most;
}

static void sum_up(points *s, rill_step_stats *stats)
{
    double sum[2] = {0, 0};
    const size_t n = s->particles.count;
    const double mass =
        s->sim.scene->fluid.density * (s->dimensions == 2 ? s->h * s->h : s->sizes.of[1].whole);
    parallel_sums(s->sim.ctx, n, energy_terms, s, 2, sum);
    s->max_speed = n ? sqrt(parallel_max(s->sim.ctx, n, speed_term, s)) : 0;
    stats->elements = n;
    stats->kinetic = 0.5 * mass * sum[0];
    stats->potential = mass * sum[1];
    stats->max_speed = s->max_speed;
}

static rill_status points_step(rill_sim *sim, double dt, rill_step_stats *stats)
{
    points *s = points_of(sim);
    if (s->def.reflection) {
        /* Advection-reflection (Zehnder, Narain, Thomaszewski 2018): what the pressure takes in the middle
         * of the step is given back mirrored. */
        TRY(one_step(s, sim->time, dt / 2, false, stats));
        TRY(one_step(s, sim->time + dt / 2, dt / 2, true, stats));
    } else
        TRY(one_step(s, sim->time, dt, false, stats));
    sum_up(s, stats);
    return RILL_OK;
}

void points_columns(points *s)
{
    s->pressure = particles_column(&s->particles, "pressure");
    s->component = particles_column(&s->particles, "component");
    s->gas.soot = particles_column(&s->particles, "soot");
    s->gas.heat = particles_column(&s->particles, "heat");
    points_sizes_columns(s);
}

static void points_destroy(rill_sim *sim)
{
    if (!sim) return;
    points *s = points_of(sim);
    rill_ctx *ctx = sim->ctx;
    solver_destroy(s->solver);
    laplacian_clear(ctx, &s->matrix);
    ball_cells_clear(&s->balls);
    voronoi_clear(&s->clipped);
    voronoi_clear(&s->diagram);
    arena_clear(&s->scratch);
    particles_clear(ctx, &s->particles);
    mem_free(ctx, s->sizes.of);
    sim_clear(sim);
    mem_free(ctx, s);
}

/* Takes the first points off their lattice. */
static void disorder(points *s)
{
    particles *p = &s->particles;
    const double width = s->def.jitter * s->h;
    const uint64_t seed = (uint64_t)s->def.seed;
    for (size_t i = 0; i < p->count && width > 0; i++) {
        const random4 r = random_at(seed, p->id[i], 0, 0), q = random_at(seed, p->id[i], 0, 1);
        rill_vec3 x = p->position[i];
        x.x += width * (random_unit(r.v[0], r.v[1]) - 0.5);
        x.y += width * (random_unit(r.v[2], r.v[3]) - 0.5);
        if (s->dimensions == 3) x.z += width * (random_unit(q.v[0], q.v[1]) - 0.5);
        if (solids_distance(&s->sim.solids, x, -s->sim.scene->time.preroll, NULL) > 0.1 * s->h)
            p->position[i] = x;
    }
}

static rill_status set_up(points *s, const rill_scene *scene)
{
    rill_ctx *ctx = s->sim.ctx;
    const bool flat = scene->dimensions == 2;
    s->dimensions = scene->dimensions;
    s->h = scene->spacing;
    s->average.most = s->def.neighbours > 0 ? (uint32_t)s->def.neighbours : flat ? 12 : 28;
    s->sim.bodies.late = s->sim.bodies.count > 0;
    s->holds = scene->domain.slip == SLIP_NONE;
    for (uint32_t i = 0; i < scene->solid_count; i++) s->holds |= scene->solids[i].slip == SLIP_NONE;
    if (s->def.scheme == POINTS_PAPER) { /* nothing that the paper does not have */
        s->def.restore = s->def.centring = s->def.filter = 0;
        s->def.insert = false;
    }
    TRY(particles_add_column(ctx, &s->particles, "pressure"));
    TRY(particles_add_column(ctx, &s->particles, "component"));
    s->gas.open = s->def.filled && scene->domain.open;
    s->gas.smoky = scene->smoke_count > 0;
    if (s->gas.smoky) {
        TRY(particles_add_column(ctx, &s->particles, "soot"));
        TRY(particles_add_column(ctx, &s->particles, "heat"));
    }
    s->capacity = capacity_of_domain(scene, &s->sim.solids, -scene->time.preroll);
    TRY(points_sizes_init(s));
    TRY(sources_fill(ctx, &s->sim.sources, &s->sim.solids, &s->particles));
    points_columns(s);
    disorder(s);
    TRY(points_sizes_start(s));
    for (size_t i = 0; i < s->particles.count; i++)
        s->max_speed = fmax(s->max_speed, v3_length(s->particles.velocity[i]));
    return RILL_OK;
}

static rill_status points_create(rill_ctx *ctx, const rill_scene *scene, rill_sim **out)
{
    const points_def *def = scene_method_def_of(scene, "points");
    if (!def) return rill_fail(ctx, RILL_USAGE, "the scene has no parameters for points");
    points *s;
    TRY(MEM_NEW_ZERO(ctx, s, 1));
    s->def = *def;
    s->def.filled |= scene->fill;
    s->sim.ctx = ctx;
    arena_init(&s->scratch, ctx);
    voronoi_init(&s->diagram, ctx);
    voronoi_init(&s->clipped, ctx);
    ball_cells_init(&s->balls, ctx);
    rill_status st = sim_init(ctx, &points_method, scene, &s->sim);
    if (!st) st = set_up(s, scene);
    if (!st)
        *out = &s->sim;
    else
        points_destroy(&s->sim);
    return st;
}

static double points_max_dt(const rill_sim *sim)
{
    const points *s = points_view_of(sim);
    const double way = s->def.cfl * s->h, g = scene_gravity_most(sim->scene);
    double speed = s->max_speed;
    for (uint32_t i = 0; i < sim->scene->emitter_count; i++)
        speed = fmax(speed, emitter_speed_most(&sim->scene->emitters[i]));
    for (uint32_t i = 0; i < sim->scene->smoke_count; i++)
        speed = fmax(speed, v3_length(sim->scene->smoke[i].velocity.value));
    double dt = fmin(s->def.max_step, way / fmax(speed, 1e-9));
    if (sim->solids.moving) {
        const double wall = solids_max_speed(&sim->solids, sim->time, sim->time + dt);
        if (wall > speed) dt = fmin(dt, way / wall);
    }
    /* Waves as short as two spacings turn in sqrt(pi g / h). */
    if (g > 0) dt = fmin(dt, 0.3 * sqrt(s->h / g));
    return dt;
}

static void points_view(const rill_sim *sim, rill_view *out)
{
    out->particles = &points_view_of(sim)->particles;
}

static rill_status points_velocity(const rill_sim *sim, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    return points_sample(points_view_of(sim), n, x, u, NULL);
}

static rill_status points_pressure(const rill_sim *sim, size_t n, const rill_vec3 *x, double *p)
{
    return points_sample(points_view_of(sim), n, x, NULL, p);
}

static rill_status points_save(const rill_sim *sim, rill_writer *w)
{
    const points *s = points_view_of(sim);
    TRY(particles_save(&s->particles, "liquid", w));
    TRY(sources_save(&sim->sources, w));
    const double scalars[2] = {s->max_speed, (double)sim->sources.merged};
    return save_chunk(w, "points", SAVE_F64, 2, scalars);
}

static rill_status points_load(rill_sim *sim, rill_reader *r)
{
    points *s = points_of(sim);
    double scalars[2];
    TRY(load_chunk(r, "points", SAVE_F64, 2, scalars));
    TRY(particles_load(sim->ctx, &s->particles, "liquid", r));
    points_columns(s);
    TRY(points_sizes_load(s));
    s->max_speed = scalars[0];
    sim->sources.merged = (uint64_t)fmin(fmax(scalars[1], 0), 1e15);
    return sources_load(&sim->sources, r);
}

/* Measured: see docs/benchmarks.md. */
static void points_estimate(const rill_scene *scene, uint64_t n, double *bytes, double *step_seconds,
                            double *dt)
{
    const points_def *def = scene_method_def_of(scene, "points");
    const double g = scene_gravity_most(scene),
                 height = v3_axis(scene->domain.max, 1) - v3_axis(scene->domain.min, 1);
    *bytes = (double)n * (scene->dimensions == 2 ? 2000 : 3000);
    *step_seconds = (double)n * (scene->dimensions == 2 ? 4e-6 : 9e-6);
    *dt = fmin(def ? def->max_step : 0.02,
               (def ? def->cfl : 0.5) * scene->spacing / (sqrt(2 * g * height) + 1e-3));
}

/* Friction acts on solids alone. */
static const char *const points_unused[] = {"domain.friction", NULL};

const rill_method points_method = {
    .name = "points",
    .paper = "Sin, Bargteil and Hodgins, A Point-based Method for Animating Incompressible Flow, 2009",
    .can = CAN_FREE_SURFACE | CAN_TWO_DIMENSIONS | CAN_VISCOSITY | CAN_FILL | CAN_BODIES | CAN_SMOKE,
    .params = points_params,
    .def_size = sizeof(points_def),
    .has_particles = true,
    .unused = points_unused,
    .check = points_check,
    .create = points_create,
    .max_dt = points_max_dt,
    .step = points_step,
    .view = points_view,
    .velocity = points_velocity,
    .trace = points_trace,
    .pressure = points_pressure,
    .save = points_save,
    .load = points_load,
    .destroy = points_destroy,
    .estimate = points_estimate,
};
