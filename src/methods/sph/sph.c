/* Smoothed particle hydrodynamics, [Braley] section 5: the step, and what the rest of
 * the program sees of it. */
#include "sph/sph.h"

#include "base/text.h"
#include "sph/core/nozzles.h"
#include "sph/core/wall_forces.h"
#include "sph/dfsph/dfsph.h"
#include "sph/operations.h"
#include "sph/params.h"
#include "sph/step.h"
#include "sph/uniform/uniform.h"

#include <math.h>

/* What the step has to say, from the tiles' figures. */
static void sum_up(sph *s, rill_step_stats *stats)
{
    tile_figures all = {0};
    for (uint32_t k = 0; k < s->step.figure_count; k++) {
        const tile_figures *f = &s->step.figures[k];
        all.mass += f->mass;
        all.kinetic += f->kinetic;
        all.potential += f->potential;
        all.compression += f->compression;
        all.speed2 = fmax(all.speed2, f->speed2);
        all.acceleration2 = fmax(all.acceleration2, f->acceleration2);
    }
    /* A sum keeps a NaN that a maximum loses. */
    s->max_speed = isfinite(all.kinetic) ? sqrt(all.speed2) : all.kinetic;
    s->max_acceleration = sqrt(all.acceleration2);
    stats->elements = s->particles.count;
    stats->volume = all.mass * s->model.volume;
    stats->kinetic = 0.5 * s->model.mass * all.kinetic;
    stats->potential = s->model.mass * all.potential;
    stats->compression = all.mass > 0 ? all.compression / all.mass : 0;
    stats->max_speed = s->max_speed;
}

static rill_status sph_step(rill_sim *sim, double dt, rill_step_stats *stats)
{
    sph *s = sph_of(sim);
    s->step.dt = dt;
    TRY(s->def.solver == SPH_DFSPH ? dfsph_step(s, dt, stats) : state_step(s, dt, stats));
    double clock = clock_seconds();
    TRY(s->ops->carry_distances(s));
    if (sim->scene->surface.definition == SURFACE_DISTANCE) step_stats_stage(stats, "distances", &clock);
    sum_up(s, stats);
    wall_forces_show(s, dt);
    if (sim->bodies.count == 0) return RILL_OK;
    bodies_stand(&sim->bodies, &sim->solids, sim->time + dt); /* collisions came after they moved */
    return solids_prepare(sim->ctx, &sim->solids, sim->time + dt, 0);
}

/* The largest speed to be expected: what is there at the start, what emitters give, that
 * of the fastest wall, and a fall from the highest liquid to the floor. */
static double expected_speed(const rill_scene *scene, const solids *around, const particles *p,
                             double *falling)
{
    const rill_vec3 down = v3_unit(scene->gravity);
    double speed = solids_max_speed(around, -INFINITY, INFINITY), top = 0, floor = 0;
    const rill_vec3 corner[2] = {scene->domain.min, scene->domain.max};
    for (int i = 0; i < 8; i++) {
        const double depth = v3_dot(down, v3(corner[i & 1].x, corner[i >> 1 & 1].y, corner[i >> 2].z));
        if (i == 0 || depth > floor) floor = depth;
        if (i == 0 || depth > top) top = depth;
    }
    for (size_t i = 0; i < p->count; i++) {
        speed = fmax(speed, v3_length(p->velocity[i]));
        top = fmin(top, v3_dot(down, p->position[i]));
    }
    for (uint32_t i = 0; i < scene->emitter_count; i++) {
        const rill_box b = shape_bounds(&scene->emitters[i].shape);
        speed = fmax(speed, emitter_speed_most(&scene->emitters[i]));
        if (v3_finite(b.min) && v3_finite(b.max)) top = fmin(top, v3_dot(down, box_center(b)));
    }
    speed = fmax(speed, sources_joining_speed(scene, 0, INFINITY));
    for (uint32_t i = 0; i < scene->liquid_count; i++) { /* bounds may be infinite: within the domain */
        const rill_box b = shape_bounds(&scene->liquid[i].shape);
        const rill_vec3 low = v3_max(b.min, scene->domain.min), high = v3_min(b.max, scene->domain.max);
        if (scene->liquid[i].start > 0) top = fmin(top, fmin(v3_dot(down, low), v3_dot(down, high)));
    }
    if (scene->gravity_keys.count) top = floor - v3_distance(scene->domain.min, scene->domain.max);
    const double fall = 2 * scene_gravity_most(scene) * fmax(floor - top, 0);
    *falling = sqrt(fall);
    return sqrt(speed * speed + fall);
}

static void sph_destroy(rill_sim *sim)
{
    if (!sim) return;
    sph *s = sph_of(sim);
    rill_ctx *ctx = sim->ctx;
    if (s->ops) s->ops->destroy(s);
    mem_free(ctx, s->solve.gradient);
    mem_free(ctx, s->model.thin);
    arena_clear(&s->step.arena);
    arena_clear(&s->bodies.arena);
    wall_forces_destroy(s);
    mem_free(ctx, s->bodies.kept);
    particles_clear(ctx, &s->particles);
    sim_clear(sim);
    mem_free(ctx, s);
}

static rill_status set_up(sph *s, const rill_scene *scene)
{
    rill_ctx *ctx = s->sim.ctx;
    s->model.volume = scene->dimensions == 2 ? scene->spacing * scene->spacing : pow(scene->spacing, 3);
    s->model.mass = s->model.volume * scene->fluid.density;
    s->model.kernel =
        kernel_make((sph_kernel)s->def.kernel, scene->dimensions, s->def.support * scene->spacing);
    s->model.calibration = 1 / kernel_lattice_density(&s->model.kernel, scene->spacing);
    s->model.kinematic = scene->fluid.viscosity / scene->fluid.density;
    s->model.wall_drag = scene->domain.slip == SLIP_NONE && s->model.kinematic > 0;
    for (uint32_t i = 0; i < scene->solid_count; i++)
        if (scene->solids[i].slip == SLIP_NONE && s->model.kinematic > 0) s->model.wall_drag = true;
    s->model.wall_friction = scene->domain.friction > 0;
    for (uint32_t i = 0; i < scene->solid_count; i++) s->model.wall_friction |= scene->solids[i].friction > 0;
    walls_make(&s->model.kernel, scene->spacing, &s->model.walls);
    s->model.widest = s->model.kernel.support;
    s->ops = s->def.levels > 0 ? &sized_operations : &uniform_operations;
    TRY(s->ops->create(s));
    TRY(plates_find(s));
    TRY(MEM_NEW_ZERO(ctx, s->bodies.kept, (size_t)s->sim.bodies.count + 1));
    TRY(wall_forces_create(s));
    nozzles_measure(s);

    TRY(particles_add_column(ctx, &s->particles, "density"));
    TRY(particles_add_column(ctx, &s->particles, "pressure"));
    if (s->def.solver == SPH_DFSPH) {
        TRY(particles_add_column(ctx, &s->particles, "kept_density"));
        TRY(particles_add_column(ctx, &s->particles, "kept_rate"));
    }
    s->step_scale = 0.3; /* nothing to begin the first solve from: it is hard at full length */
    s->model.spray_neighbours = scene->dimensions == 2 ? 5 : 16;
    TRY(s->ops->fill(s));
    sph_columns(s);
    for (size_t i = 0; i < s->particles.count; i++) s->density[i] = (float)scene->fluid.density;

    double falling;
    const double expected = expected_speed(scene, &s->sim.solids, &s->particles, &falling);
    s->model.sound_speed = s->def.sound_speed > 0 ? s->def.sound_speed : 10 * expected;
    if (!(s->model.sound_speed > 0)) s->model.sound_speed = 1; /* nothing moves */
    /* Without sound, what is to be damped is the noise that pressure makes, and that is gravity's. */
    s->model.damping_speed = s->def.solver == SPH_DFSPH ? 10 * falling : s->model.sound_speed;
    for (size_t i = 0; i < s->particles.count; i++)
        s->max_speed = fmax(s->max_speed, v3_length(s->particles.velocity[i]));
    return s->ops->start(s);
}

static rill_status sph_create(rill_ctx *ctx, const rill_scene *scene, rill_sim **out)
{
    const sph_def *def = scene_method_def_of(scene, "sph");
    if (!def) return rill_fail(ctx, RILL_USAGE, "the scene has no parameters for sph");
    sph *s;
    TRY(MEM_NEW_ZERO(ctx, s, 1));
    s->def = *def;
    s->sim.ctx = ctx;
    arena_init(&s->step.arena, ctx);
    arena_init(&s->bodies.arena, ctx);
    arena_init(&s->forces.arena, ctx);
    rill_status st = sim_init(ctx, &sph_method, scene, &s->sim);
    s->sim.bodies.late = true;
    if (!st) st = set_up(s, scene);
    if (!st)
        *out = &s->sim;
    else
        sph_destroy(&s->sim);
    return st;
}

static double sph_max_dt(const rill_sim *sim)
{
    const sph *s = sph_view_of(sim);
    double dt = s->def.solver == SPH_DFSPH ? dfsph_max_dt(s) : state_max_dt(s);
    if (s->def.viscosity == SPH_EXPLICIT || !s->ops->viscosity) dt = fmin(dt, viscous_limit(s));
    return fmax(fmin(dt, tension_limit(s)), s->def.min_step);
}

static void sph_view(const rill_sim *sim, rill_view *out)
{
    out->particles = &sph_view_of(sim)->particles;
}

static rill_status sph_velocity(const rill_sim *sim, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    return sph_sample(sph_view_of(sim), n, x, u, NULL);
}

static rill_status sph_tracers(const rill_sim *sim, size_t n, const rill_vec3 *x, uint32_t *part,
                               rill_vec3 *u)
{
    return sph_trace(sph_view_of(sim), n, x, part, u);
}

static rill_status sph_pressure_at(const rill_sim *sim, size_t n, const rill_vec3 *x, double *p)
{
    return sph_sample(sph_view_of(sim), n, x, NULL, p);
}

static rill_status sph_save(const rill_sim *sim, rill_writer *w)
{
    const sph *s = sph_view_of(sim);
    const double scalars[4] = {s->max_speed, s->max_acceleration, s->step_scale, s->resampled};
    TRY(particles_save(&s->particles, "liquid", w));
    TRY(sources_save(&sim->sources, w));
    if (s->ops->save) TRY(s->ops->save(s, w));
    if (sim->bodies.count)
        TRY(save_chunk(w, "sph/bodies", SAVE_F64, (uint64_t)sim->bodies.count * BODY_FREEDOMS,
                       s->bodies.kept));
    return save_chunk(w, "sph", SAVE_F64, 4, scalars);
}

static rill_status sph_load(rill_sim *sim, rill_reader *r)
{
    sph *s = sph_of(sim);
    double scalars[4];
    TRY(load_chunk(r, "sph", SAVE_F64, 4, scalars));
    TRY(particles_load(sim->ctx, &s->particles, "liquid", r));
    sph_columns(s);
    if (s->ops->load) TRY(s->ops->load(s, r));
    if (sim->bodies.count)
        TRY(load_chunk(r, "sph/bodies", SAVE_F64, (uint64_t)sim->bodies.count * BODY_FREEDOMS,
                       s->bodies.kept));
    s->resampled = scalars[3] > 0;
    s->max_speed = scalars[0];
    s->max_acceleration = scalars[1];
    s->step_scale = scalars[2];
    return sources_load(&sim->sources, r);
}

/* Measured: see docs/benchmarks.md. Lists hold 2 bytes a neighbour, padded to eight. */
static void sph_estimate(const rill_scene *scene, uint64_t n, double *bytes, double *step_seconds, double *dt)
{
    const sph_def *def = scene_method_def_of(scene, "sph");
    const double R = def ? def->support : 2;
    const double near = scene->dimensions == 2 ? M_PI * R * R : 4.0 / 3 * M_PI * R * R * R;
    const double g = scene_gravity_most(scene),
                 height = v3_length(v3_sub(scene->domain.max, scene->domain.min));
    const double c = def && def->sound_speed > 0 ? def->sound_speed : 10 * sqrt(2 * g * height / 2) + 1e-3;
    const double fall = sqrt(2 * g * height / 2) + 1e-3; /* m/s */
    *bytes = (double)n * (200 + 2.5 * (near + 4));
    if (def && def->levels > 0) *bytes = (double)n * (330 + 6 * (near + 4)); /* 4 bytes, with a skin */
    *step_seconds = (double)n * (60e-9 + 6e-9 * near);
    *dt = (def ? def->cfl : 0.4) * scene->spacing * R / 2 / (1.1 * c);
    if (!def || def->solver != SPH_DFSPH) return;
    *bytes += (double)n * (100 + 6 * (near + 4)); /* gradients */
    *step_seconds = (double)n * (100e-9 + 12e-9 * near);
    *dt = fmin(def->max_step, def->cfl * scene->spacing / (0.7 * fall));
}

static bool sph_fewer(const rill_scene *scene)
{
    const sph_def *def = scene_method_def_of(scene, "sph");
    return def && def->levels > 0;
}

const rill_method sph_method = {
    .name = "sph",
    .paper = "Braley and Sandu, Fluid Simulation for Computer Graphics, section 5",
    .can = CAN_FREE_SURFACE | CAN_TWO_DIMENSIONS | CAN_VISCOSITY | CAN_SURFACE_TENSION | CAN_BODIES,
    .params = sph_params,
    .def_size = sizeof(sph_def),
    .has_particles = true,
    .check = sph_check,
    .create = sph_create,
    .max_dt = sph_max_dt,
    .step = sph_step,
    .view = sph_view,
    .velocity = sph_velocity,
    .trace = sph_tracers,
    .pressure = sph_pressure_at,
    .save = sph_save,
    .load = sph_load,
    .destroy = sph_destroy,
    .estimate = sph_estimate,
    .fewer = sph_fewer,
};
