/* The grid method, [Braley] section 4: the step, and what the rest of the program sees. */
#include "grid/grid.h"

#include "base/text.h"
#include "grid/bodies.h"
#include "grid/eulerian.h"
#include "grid/narrow.h"
#include "grid/params.h"
#include "grid/wall_cache.h"
#include "grid/walls.h"

#include <stdio.h>

/* Liquid that the grid carries: where it is, and its velocity. */
static rill_status deep_fill(grid *s, float *carry[3])
{
    for (int a = 0; a < s->tiles.dimensions; a++)
        TRY(ARENA_NEW(&s->scratch, carry[a], grid_cell_count(&s->tiles)));
    return narrow_fill(s, &s->narrow.past, carry);
}

/* What spreads the particles, beyond the liquid; nothing goes through walls. */
static rill_status extend_shift(grid *s)
{
    if (!s->field.shift[0]) return RILL_OK;
    TRY(grid_extrapolate(s, s->field.shift));
    for (int a = 0; a < s->tiles.dimensions; a++)
        for (size_t i = 0; i < grid_cell_count(&s->tiles); i++)
            if (!(s->field.open[a][i] > 0)) s->field.shift[a][i] = 0;
    return RILL_OK;
}

/* With more cells than this, memory is not kept from one step to the next where it may be needed
 * in between. */
static const size_t many = 1 << 20;

/* [Braley] 4, with liquid and velocity carried by particles. DEVIATES: the paper leaves out
 * forces, extrapolation and the grid's update (docs/grid.md E-B10). */
static rill_status particle_step(grid *s, double t, double dt, bool reflected, rill_step_stats *stats)
{
    rill_sim *sim = &s->sim;
    const bool narrow = grid_narrow(s);
    float *carry[3] = {0};
    double clock = clock_seconds();
    s->step.reflecting = reflected;

    /* A step's layers all at one speed, and the next step's at another, tear a jet at each step. */
    sim->sources.fall = scene_gravity(sim->scene, t);
    TRY(grid_sources(s, t, dt));
    TRY(grid_sort(s)); /* tiles where the liquid is */
    step_stats_stage(stats, "sort", &clock);
    TRY(grid_walls(s, t));
    TRY(grid_crushed(s, stats));
    step_stats_stage(stats, "walls", &clock);
    if (narrow) TRY(deep_fill(s, carry));
    TRY(grid_transfer_in(s)); /* particles to faces */
    if (narrow) narrow_velocity(s, &s->narrow.past, carry);
    step_stats_stage(stats, "transfer", &clock);
    TRY(grid_level(s)); /* 4.3: where the surface is */
    if (narrow) TRY(narrow_layers(s));
    step_stats_stage(stats, "level", &clock);
    grid_forces(s, scene_gravity(sim->scene, t + dt / 2), dt);
    TRY(grid_bodies_await(s, dt));
    grid_detach(s);
    TRY(grid_tension(s,
                     s->def.reflection && !reflected ? 0 : dt)); /* the half that counts twice has it all */
    step_stats_stage(stats, "forces", &clock);
    if (grid_viscous(s)) {
        TRY(grid_project(s, dt, GRID_FIRST, stats));
        TRY(grid_viscosity(s, t, dt, reflected ? s->field.before : NULL,
                           stats)); /* what pressure does counts twice */
        step_stats_stage(stats, "viscosity", &clock);
    }
    TRY(grid_project(s, dt, grid_viscous(s) ? GRID_SECOND : GRID_ONLY, stats)); /* 4.2 */
    step_stats_stage(stats, "project", &clock);
    TRY(grid_bodies_release(s, t, dt));
    TRY(grid_extrapolate(s, s->field.u));
    if (s->def.transfer == GRID_FLIP || reflected) TRY(grid_extrapolate(s, s->field.before));
    TRY(extend_shift(s));
    TRY(grid_constrain(s));
    step_stats_stage(stats, "extrapolate", &clock);
    if (narrow) TRY(narrow_reseed(s));
    TRY(grid_move(s, dt, reflected, stats)); /* 4.1, faces to particles */
    TRY(grid_bodies_relieve(s, t + dt));
    if (narrow) narrow_absorb(s);
    s->narrow.since = dt;
    if (grid_cell_count(&s->tiles) > many) arena_clear(&s->sorting); /* meshes need memory as well */
    step_stats_stage(stats, "move", &clock);
    return RILL_OK;
}

/* With reflection (docs/grid.md E-X1): half a step, and another whose pressure counts twice. */
static rill_status particle_steps(grid *s, double dt, rill_step_stats *stats)
{
    const double t = s->sim.time;
    if (!s->def.reflection) return particle_step(s, t, dt, false, stats);
    TRY(particle_step(s, t, dt / 2, false, stats));
    return particle_step(s, t + dt / 2, dt / 2, true, stats);
}

static rill_status grid_step(rill_sim *sim, double dt, rill_step_stats *stats)
{
    grid *s = grid_of(sim);
    const rill_status st =
        s->def.surface == GRID_PARTICLES ? particle_steps(s, dt, stats) : grid_eulerian_step(s, dt, stats);
    if (st) s->tiles.count = 0; /* fields may be half made */
    stats->elements = s->particles.count;
    return st;
}

void grid_columns(grid *s)
{
    for (int k = 0; k < 9; k++) {
        char name[8];
        snprintf(name, sizeof name, "c%c%c", "xyz"[k / 3], "xyz"[k % 3]);
        s->affine[k] = particles_column(&s->particles, name);
    }
}

static void grid_destroy(rill_sim *sim)
{
    if (!sim) return;
    grid *s = grid_of(sim);
    rill_ctx *ctx = sim->ctx;
    pressure_solver_clear(&s->solver);
    grid_tiles_clear(ctx, &s->tiles);
    grid_tiles_clear(ctx, &s->old_tiles);
    block_map_clear(ctx, &s->bin.core);
    arena_clear(&s->spare);
    arena_clear(&s->sorting);
    arena_clear(&s->scratch);
    particles_clear(ctx, &s->particles);
    particles_clear(ctx, &s->guards);
    mem_free(ctx, s->walls.thin);
    mem_free(ctx, s->coupling.body);
    wall_cache_clear(ctx, &s->walls.cache);
    sim_clear(sim);
    mem_free(ctx, s);
}

/* Cells begin half a tile before the domain, so that the first tile has the cells beyond the
 * wall that velocities are continued into, and so has, often, the last; other tiles beyond
 * closed sides are of no use. Level sets keep to the domain's corner, where multigrid's
 * coarse cells end at the walls: liquid at rest is at rest to less than the digits of a float. */
static void place_tiles(grid *s, grid_tiles *t)
{
    enum { BEFORE = GRID_SIDE / 2, BEYOND = 2 };
    const scene_domain *d = &s->sim.scene->domain;
    const bool shift = s->def.surface == GRID_PARTICLES;
    const double before = shift ? BEFORE * s->h : 0;
    grid_tiles_init(t, s->sim.scene->dimensions, s->h, v3_sub(d->min, v3(before, before, before)));
    for (int a = 0; a < s->sim.scene->dimensions && shift; a++) {
        const double side = (v3_axis(d->max, a) - v3_axis(d->min, a)) / s->h;
        if (!(d->open & 1u << (2 * a))) t->low[a] = BEFORE - BEYOND;
        if (!(d->open & 2u << (2 * a)) && side < 0x1p28)
            t->high[a] = (int32_t)ceil(side - 1e-6) + BEFORE + BEYOND - 1;
    }
}

static rill_status set_up(grid *s, const rill_scene *scene)
{
    rill_ctx *ctx = s->sim.ctx;
    const int d = scene->dimensions;
    s->h = scene->spacing;
    s->volume = pow(scene_particle_spacing(scene), d);
    /* A level set needs room to move as well: all of it within a tile. */
    if (s->def.surface != GRID_PARTICLES) s->def.cfl = fmin(s->def.cfl, 3);
    s->band = (int)ceil(s->def.cfl) + 2;
    place_tiles(s, &s->tiles);
    place_tiles(s, &s->old_tiles);
    grid_level_init(s);
    TRY(walls_find_thin(s));
    TRY(grid_bodies_find(s));
    walls_find_soft(s);
    grid_measure_domain(s);
    const bool affine = s->def.transfer == GRID_APIC && s->def.surface == GRID_PARTICLES;
    for (int k = 0; k < 9 && affine; k++) {
        char name[8];
        snprintf(name, sizeof name, "c%c%c", "xyz"[k / 3], "xyz"[k % 3]);
        if (k / 3 < d && k % 3 < d) TRY(particles_add_column(ctx, &s->particles, name));
    }
    TRY(sources_fill(ctx, &s->sim.sources, &s->sim.solids, &s->particles));
    if (s->particles.count == 0 && scene->emitter_count == 0 && !sources_later(scene))
        return rill_fail(
            ctx, RILL_BAD_SCENE,
            "no liquid is left: solids cover it, or it lies outside the domain; move one of them, "
            "make the spacing smaller, or add an emitter");
    grid_columns(s);
    grid_disorder(s);
    grid_start_velocity(s);
    for (size_t i = 0; i < s->particles.count; i++)
        s->max_speed = fmax(s->max_speed, v3_length(s->particles.velocity[i]));
    s->pace = s->max_speed;
    if (grid_narrow(s)) return narrow_start(s);
    return s->def.surface == GRID_PARTICLES ? RILL_OK : grid_eulerian_start(s);
}

static rill_status grid_create(rill_ctx *ctx, const rill_scene *scene, rill_sim **out)
{
    const grid_def *def = scene_method_def_of(scene, "grid");
    if (!def) return rill_fail(ctx, RILL_USAGE, "the scene has no parameters for grid");
    if (scene->fill) return grid_gas_method.create(ctx, scene, out);
    grid *s;
    TRY(MEM_NEW_ZERO(ctx, s, 1));
    s->def = *def;
    s->sim.ctx = ctx;
    arena_init(&s->scratch, ctx);
    arena_init(&s->spare, ctx);
    arena_init(&s->sorting, ctx);
    pressure_solver_init(&s->solver, ctx);
    rill_status st = sim_init(ctx, &grid_method, scene, &s->sim);
    if (!st) st = set_up(s, scene);
    if (!st)
        *out = &s->sim;
    else
        grid_destroy(&s->sim);
    return st;
}

static rill_status grid_check(rill_ctx *ctx, const rill_scene *scene)
{
    const grid_def *def = scene_method_def_of(scene, "grid");
    bool bodies = false;
    for (uint32_t i = 0; i < scene->solid_count; i++) bodies |= scene->solids[i].is_body;
    if (def && !def->follow)
        return rill_fail(
            ctx, RILL_BAD_SCENE,
            "\"follow\" is for gas that fills the domain; leave it out, or set \"fill\" to true");
    if (def && def->confinement > 0)
        return rill_fail(
            ctx, RILL_BAD_SCENE,
            "\"confinement\" is for gas that fills the domain; leave it out, or set \"fill\" to true");
    if (def && def->surface != GRID_PARTICLES && scene_has_colors(scene))
        return rill_fail(
            ctx, RILL_BAD_SCENE,
            "colours are carried by particles; leave them out, or take \"surface\": \"particles\"");
    if (!bodies || !def) return RILL_OK;
    if (def->solver == PRESSURE_SOR || def->solver == PRESSURE_JACOBI)
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "\"pressure\": \"%s\" cannot move bodies; take \"multigrid\", \"mic0\" or \"cg\"",
                         pressure_method_words[def->solver]);
    if (def->reflection)
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "\"reflection\" is not for scenes with bodies: their motion has no half step that "
                         "could be reflected; leave it out");
    return RILL_OK;
}

/* [Braley] eq. 13 with docs/grid.md E-B3: a ramp from the cells slow liquid may cross to those
 * fast one may. */
static double cells_a_step(const grid_def *def, double speed)
{
    if (!(def->cfl_slow > 0)) return def->cfl;
    const double f = (speed - def->slow) / fmax(def->fast - def->slow, 1e-9);
    return def->cfl_slow + (def->cfl - def->cfl_slow) * fmin(fmax(f, 0), 1);
}

/* [Braley] eq. 12 and 14, with the force's term of docs/grid.md E-B4. */
static double grid_max_dt(const rill_sim *sim)
{
    const grid *s = grid_view_of(sim);
    const double way = cells_a_step(&s->def, s->pace) * s->h;
    double speed = s->pace;
    for (uint32_t i = 0; i < sim->scene->emitter_count; i++)
        speed = fmax(speed, emitter_speed_most(&sim->scene->emitters[i]));
    speed += sqrt(way * scene_gravity_most(sim->scene));
    double dt = way / fmax(speed, 1e-9);
    if (s->halved) dt *= 0.5;
    /* Waves as short as two cells turn in sqrt(pi g / h): a step must see them. */
    const double g = scene_gravity_most(sim->scene);
    if (g > 0) dt = fmin(dt, s->def.wave * sqrt(s->h / g));
    dt = fmin(dt, grid_tension_max_dt(s));
    if (sim->solids.moving) {
        const double wall = fmax(solids_driven_speed(&sim->solids, sim->time, sim->time + dt),
                                 sim->bodies.count ? world_max_speed(&sim->bodies.world) : 0);
        if (wall > speed) dt = way / wall;
    }
    return dt;
}

static void grid_view(const rill_sim *sim, rill_view *out)
{
    out->particles = &grid_view_of(sim)->particles;
}

static rill_status grid_surface(const rill_sim *sim, struct trimesh *out)
{
    return grid_mesh(grid_view_of(sim), out);
}

static rill_status grid_surface_of(rill_sim *sim, const particles *p, double time, struct trimesh *out)
{
    return grid_mesh_of(grid_of(sim), p, time, out);
}

static rill_status grid_velocity(const rill_sim *sim, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    return grid_sample(grid_view_of(sim), n, x, u, NULL);
}

static rill_status grid_tracers(const rill_sim *sim, size_t n, const rill_vec3 *x, uint32_t *part,
                                rill_vec3 *u)
{
    return grid_trace(grid_view_of(sim), n, x, part, u);
}

static rill_status grid_pressure(const rill_sim *sim, size_t n, const rill_vec3 *x, double *p)
{
    return grid_sample(grid_view_of(sim), n, x, NULL, p);
}

static rill_status grid_save(const rill_sim *sim, rill_writer *w)
{
    const grid *s = grid_view_of(sim);
    TRY(particles_save(&s->particles, "liquid", w));
    TRY(sources_save(&sim->sources, w));
    const double scalars[4] = {s->max_speed, s->wanted, s->seen, s->halved ? -s->pace : s->pace};
    TRY(save_chunk(w, "grid", SAVE_F64, 4, scalars));
    if (grid_narrow(s)) return narrow_save(s, w);
    return s->def.surface == GRID_PARTICLES ? RILL_OK : grid_eulerian_save(s, w);
}

static rill_status grid_load(rill_sim *sim, rill_reader *r)
{
    grid *s = grid_of(sim);
    double scalars[4];
    TRY(load_chunk(r, "grid", SAVE_F64, 4, scalars));
    TRY(particles_load(sim->ctx, &s->particles, "liquid", r));
    grid_columns(s);
    s->max_speed = scalars[0];
    s->wanted = scalars[1];
    s->seen = scalars[2];
    s->pace = fabs(scalars[3]);
    s->halved = signbit(scalars[3]) != 0; /* so that states of earlier versions can be read */
    s->tiles.count = 0;                   /* its fields are another state's */
    s->step.q_scale = 0;
    TRY(sources_load(&sim->sources, r));
    if (grid_narrow(s)) return narrow_load(s, r);
    return s->def.surface == GRID_PARTICLES ? RILL_OK : grid_eulerian_load(s, r);
}

/* Measured: see docs/benchmarks.md. */
static void grid_estimate(const rill_scene *scene, uint64_t n, double *bytes, double *step_seconds,
                          double *dt)
{
    const grid_def *def = scene_method_def_of(scene, "grid");
    const double height = v3_length(v3_sub(scene->domain.max, scene->domain.min)),
                 way = (def ? def->cfl : 4) * scene->spacing;
    const double speed =
        sqrt(scene_gravity_most(scene) * height) + sqrt(way * scene_gravity_most(scene)) + 1e-3;
    const bool narrow = def && def->narrow > 0; /* n counts as if they were everywhere */
    const double g = scene_gravity_most(scene);
    *bytes = (double)n * (narrow ? 190 : 230);
    *step_seconds = (double)n * (narrow ? 115e-9 : 130e-9);
    *dt = way / speed;
    if (g > 0) *dt = fmin(*dt, (def ? def->wave : 0.4) * sqrt(scene->spacing / g));
}

/* Whether its particles are the liquid: not the markers of a level set, nor a band of them. */
static bool grid_in_particles(const rill_scene *scene)
{
    const grid_def *def = scene_method_def_of(scene, "grid");
    return !def || (def->narrow == 0 && def->surface != GRID_LEVEL_SET && def->surface != GRID_PARTICLE_SET);
}

/* Whether its particles carry the velocity too, so that one that is added brings its own. */
static bool grid_carried_by_particles(const rill_scene *scene)
{
    const grid_def *def = scene_method_def_of(scene, "grid");
    return def && def->surface == GRID_PARTICLES && !(def->narrow > 0);
}

/* Its surface is that of its level set, as it is. */
static const char *const grid_unused[] = {"surface.definition", "surface.radius", NULL};

const rill_method grid_method = {
    .name = "grid",
    .paper = "Braley and Sandu, Fluid Simulation for Computer Graphics, section 4",
    .can = CAN_FREE_SURFACE | CAN_TWO_DIMENSIONS | CAN_VISCOSITY | CAN_SURFACE_TENSION | CAN_BODIES |
           CAN_SMOKE | CAN_FILL,
    .params = grid_params,
    .def_size = sizeof(grid_def),
    .has_particles = true,
    .filled = &grid_gas_method,
    .unused = grid_unused,
    .per_axis = 2,
    .check = grid_check,
    .carried = grid_carried_by_particles,
    .create = grid_create,
    .max_dt = grid_max_dt,
    .step = grid_step,
    .view = grid_view,
    .surface = grid_surface,
    .surface_of = grid_surface_of,
    .cells = grid_cells,
    .cell_shape = VIEW_CUBES,
    .velocity = grid_velocity,
    .trace = grid_tracers,
    .pressure = grid_pressure,
    .save = grid_save,
    .load = grid_load,
    .destroy = grid_destroy,
    .estimate = grid_estimate,
    .in_particles = grid_in_particles,
};
