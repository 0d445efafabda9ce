/* Gas in the grid: the step, and what the rest of the program sees. */
#include "grid/gas/gas.h"

#include "base/text.h"
#include "bodies/body_mass.h"
#include "flow/smoke.h"
#include "grid/bodies.h"
#include "grid/gas/state.h"
#include "grid/params.h"
#include "grid/wall_cache.h"
#include "grid/walls.h"

#include <string.h>

/* ---- the step ---- */

/* Bodies get the buoyancy of their shape in gas at rest, for pressures are without its weight. */
static rill_status lift_bodies(gas *s, double dt)
{
    rill_sim *sim = &s->grid.sim;
    const rill_vec3 g = scene_gravity(sim->scene, sim->time); /* that of bodies_begin: they may cancel */
    TRY(grid_bodies_await(&s->grid, dt));
    for (uint32_t k = 0; k < sim->bodies.count; k++)
        bodies_push(&sim->bodies, k, v3_scale(g, -sim->scene->fluid.density * s->body_volume[k] * dt),
                    v3(0, 0, 0), dt);
    return RILL_OK;
}

rill_status gas_continue_velocity(gas *s, double t)
{
    grid *g = &s->grid;
    const double now = g->sim.time;
    TRY(grid_extrapolate(g, s->u));
    g->sim.time = t; /* where the walls are */
    const rill_status st = grid_constrain(g);
    g->sim.time = now;
    return st;
}

typedef struct {
    gas *s;
    float *const *kept;
} mirror_job;

static void mirror_words(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const mirror_job *j = arg;
    for (int a = 0; a < j->s->grid.tiles.dimensions; a++)
        for (size_t w = begin; w < end; w++)
            for (size_t k = 0; k < 64; k++) {
                const size_t i = 64 * w + k;
                const float u = j->s->u[a][i];
                j->kept[a][i] = j->s->grid.field.known[a][w] >> k & 1 ? 2 * u - j->kept[a][i] : u;
            }
}

void gas_mirror(gas *s, float *const kept[3])
{
    mirror_job j = {s, kept};
    parallel_for(s->grid.sim.ctx, grid_cell_count(&s->grid.tiles) / 64, 256, mirror_words, &j);
}

/* One step, or half of one. carried: the velocity that is transported, NULL: the gas's own. kept: it becomes
 * the velocity with what the pressure changed counted twice; or NULL. */
static rill_status advance(gas *s, double t, double dt, float *const carried[3], float **kept,
                           rill_step_stats *stats)
{
    grid *g = &s->grid;
    const size_t n = grid_cell_count(&g->tiles);
    float *far_kept[3] = {0};
    double clock = clock_seconds();
    TRY(gas_carry(s, dt, carried));
    step_stats_stage(stats, "advect", &clock);
    TRY(grid_walls(g, t + dt));
    step_stats_stage(stats, "walls", &clock);
    gas_blow(s, t + dt);
    TRY(gas_confine(s, dt));
    gas_buoyancy(s, t, dt);
    TRY(lift_bodies(s, dt));
    for (int a = 0; a < g->tiles.dimensions && kept; a++) {
        TRY(ARENA_NEW(&g->scratch, kept[a], n));
        memcpy(kept[a], s->u[a], n * sizeof *kept[a]);
    }
    step_stats_stage(stats, "forces", &clock);
    TRY(gas_far_project(s, t + dt, dt, kept ? far_kept : NULL));
    TRY(gas_project(s, dt, stats));
    TRY(grid_bodies_release(g, t, dt));
    step_stats_stage(stats, "project", &clock);
    TRY(gas_continue_velocity(s, t + dt));
    gas_far_finish(s);
    if (kept) {
        gas_mirror(s, kept);
        gas_far_reflect(s, far_kept);
    }
    step_stats_stage(stats, "extrapolate", &clock);
    TRY(gas_transport(s, dt));
    gas_smoke(s, t + dt, dt);
    step_stats_stage(stats, "smoke", &clock);
    return RILL_OK;
}

static double push_term(void *arg, size_t begin, size_t end)
{
    const gas *s = arg;
    const float per_soot = (float)(1 / s->grid.sim.scene->fluid.density),
                per_heat = (float)(1 / SCENE_AMBIENT);
    float most = 0;
    for (size_t i = begin; i < end; i++) {
        const float push = fabsf(s->soot[i] * per_soot - s->heat[i] * per_heat);
        if (!(push <= most)) most = push;
    }
    return most;
}

static void measure(gas *s)
{
    s->push = s->grid.sim.scene->smoke_count
                  ? parallel_max(s->grid.sim.ctx, grid_cell_count(&s->grid.tiles), push_term, s)
                  : 0;
}

rill_status gas_reserve_marks(gas *s)
{
    grid *g = &s->grid;
    const size_t n = grid_cell_count(&g->tiles);
    arena_reset(&g->scratch);
    for (int a = 0; a < g->tiles.dimensions; a++) TRY(ARENA_NEW(&g->scratch, g->field.known[a], n / 64));
    return ARENA_NEW(&g->scratch, g->field.active, n);
}

/* With reflection (Zehnder, Narain, Thomaszewski 2018): two halves, and what the pressure took in the first
 * is taken once more in between. */
static rill_status gas_step(rill_sim *sim, double dt, rill_step_stats *stats)
{
    gas *s = gas_of(sim);
    float *kept[3] = {0};
    TRY(gas_follow(s, sim->time + dt));
    TRY(gas_reserve_marks(s));
    if (gas_corrects(s)) TRY(grid_walls(&s->grid, sim->time));
    if (s->grid.def.reflection) {
        TRY(advance(s, sim->time, dt / 2, NULL, kept, stats));
        TRY(advance(s, sim->time + dt / 2, dt / 2, kept, NULL, stats));
    } else {
        TRY(advance(s, sim->time, dt, NULL, NULL, stats));
    }
    measure(s);
    return RILL_OK;
}

static double gas_max_dt(const rill_sim *sim)
{
    const gas *s = gas_view_of(sim);
    const double way = s->grid.def.cfl * s->grid.h, g = scene_gravity_most(sim->scene);
    double speed = s->max_speed, push = s->push;
    for (uint32_t k = 0; k < sim->scene->smoke_count; k++) {
        const scene_smoke *m = &sim->scene->smoke[k];
        if (!(m->end > sim->time)) continue;
        speed = fmax(speed, v3_length(m->velocity.value));
        push = fmax(push, fabs(smoke_density(m, sim->time) / sim->scene->fluid.density -
                               (smoke_temperature(m, sim->time) - SCENE_AMBIENT) / SCENE_AMBIENT));
    }
    if (sim->bodies.count) speed = fmax(speed, world_max_speed(&sim->bodies.world));
    /* speed * dt + g push dt^2 / 2 = way: gas that starts at rest is faster at the end of the step */
    double dt = 2 * way / fmax(speed + sqrt(speed * speed + 2 * way * g * push), 1e-9);
    if (sim->solids.moving) {
        const double pace = solids_driven_speed(&sim->solids, sim->time, sim->time + dt);
        if (pace > speed) dt = fmin(dt, way / pace);
    }
    return dt;
}

/* ---- creation ---- */

static void gas_destroy(rill_sim *sim)
{
    if (!sim) return;
    gas *s = gas_of(sim);
    grid *g = &s->grid;
    rill_ctx *ctx = sim->ctx;
    gas_far_destroy(s);
    gas_fields_clear(s);
    mem_free(ctx, s->core);
    mem_free(ctx, s->body_volume);
    pressure_solver_clear(&g->solver);
    grid_tiles_clear(ctx, &g->tiles);
    arena_clear(&g->sorting);
    arena_clear(&g->scratch);
    mem_free(ctx, g->walls.thin);
    mem_free(ctx, g->coupling.body);
    wall_cache_clear(ctx, &g->walls.cache);
    sim_clear(sim);
    mem_free(ctx, s);
}

static rill_status find_volumes(gas *s)
{
    const rill_sim *sim = &s->grid.sim;
    TRY(MEM_NEW_ZERO(sim->ctx, s->body_volume, sim->bodies.count));
    for (uint32_t k = 0; k < sim->bodies.count; k++) {
        const int d = sim->scene->dimensions;
        mass_moments m;
        if (mass_of_shape(&sim->scene->solids[sim->bodies.solid[k]].shape, d, &m))
            s->body_volume[k] = m.volume * pow(sim->bodies.world.rest[k].scale, d);
    }
    return RILL_OK;
}

/* The velocity of the "liquid" a face is in. */
static void start_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    gas *s = arg;
    const grid_tiles *t = &s->grid.tiles;
    const rill_scene *scene = s->grid.sim.scene;
    for (size_t tile = begin; tile < end; tile++)
        for (int c = 0; c < t->cells; c++)
            for (int a = 0; a < t->dimensions; a++) {
                rill_vec3 x = gas_place(t, (uint32_t)tile, c, a), u = {0, 0, 0};
                if (t->layers == 1) x.z = 0;
                for (uint32_t k = 0; k < scene->liquid_count; k++)
                    if (shape_distance(&scene->liquid[k].shape, x, NULL) <= 0)
                        u = velocity_field_at(&scene->liquid[k].velocity, &scene->domain, x);
                s->u[a][tile * (size_t)t->cells + (size_t)c] = (float)v3_axis(u, a);
            }
}

static double gas_elements(const rill_scene *scene)
{
    double n = 1;
    for (int a = 0; a < scene->dimensions; a++)
        n *= ceil((v3_axis(scene->domain.max, a) - v3_axis(scene->domain.min, a)) / scene->spacing - 1e-6);
    return n;
}

/* The first fields: the scene's velocity made free of divergence, with bodies standing, and sources full. */
static rill_status start(gas *s)
{
    grid *g = &s->grid;
    const double t = -g->sim.scene->time.preroll;
    rill_step_stats stats = step_stats_none();
    if (gas_follows(g->sim.scene, gas_elements(g->sim.scene))) {
        gas_find_range(s);
        TRY(gas_far_create(s));
        TRY(gas_follow(s, t));
    } else {
        TRY(gas_tiles_make(s));
    }
    TRY(gas_reserve_marks(s));
    TRY(grid_walls(g, t));
    parallel_for(g->sim.ctx, g->tiles.count, 8, start_tiles, s);
    gas_blow(s, t);
    const uint32_t bodies = g->sim.bodies.count;
    g->sim.bodies.count = 0;
    rill_status st = gas_far_project(s, t, 1, NULL);
    if (!st) st = gas_project(s, 1, &stats);
    g->sim.bodies.count = bodies;
    TRY(st);
    if (!s->far && s->active == 0)
        return rill_fail(g->sim.ctx, RILL_BAD_SCENE, "\"solids\": they leave no room for gas in the domain");
    if (s->far) memset(s->far->q, 0, grid_cell_count(&s->far->grid.tiles) * sizeof *s->q), s->far->dt = 0;
    memset(s->q, 0, grid_cell_count(&g->tiles) * sizeof *s->q);
    s->dt = 0;
    TRY(gas_continue_velocity(s, t));
    gas_far_finish(s);
    gas_smoke(s, t, 0);
    measure(s);
    return RILL_OK;
}

/* A source that no gas can leave would be silent. */
static rill_status check_sources(const gas *s)
{
    const rill_scene *scene = s->grid.sim.scene;
    const grid_tiles *t = &s->grid.tiles;
    const size_t cells = (size_t)t->cells;
    for (uint32_t k = 0; k < scene->smoke_count; k++) {
        const scene_smoke *m = &scene->smoke[k];
        size_t seen = 0, free = 0;
        if (s->far && !smoke_gives(m, -scene->time.preroll)) continue; /* no cells there yet */
        for (size_t i = 0; i < grid_cell_count(t) && !free; i++) {
            rill_vec3 x = gas_place(t, (uint32_t)(i / cells), (int)(i % cells), -1);
            if (t->layers == 1) x.z = 0;
            if (!gas_inside(t, (uint32_t)(i / cells), (int)(i % cells)) ||
                shape_distance(&m->shape, x, NULL) > 0)
                continue;
            seen++;
            free += s->grid.field.active[i] != 0;
        }
        if (seen == 0)
            return rill_fail(
                s->grid.sim.ctx, RILL_BAD_SCENE,
                "smoke[%u] lies between the cells' centres; make it larger, or \"spacing\" smaller", k);
        if (free == 0 && !s->grid.sim.solids.moving)
            return rill_fail(s->grid.sim.ctx, RILL_BAD_SCENE,
                             "smoke[%u] is inside of solids, where there is no gas; move it out", k);
    }
    return RILL_OK;
}

static rill_status set_up(gas *s, const rill_scene *scene)
{
    grid *g = &s->grid;
    g->h = scene->spacing;
    g->band = (int)ceil(g->def.cfl) + 2;
    grid_tiles_init(&g->tiles, scene->dimensions, g->h, scene->domain.min);
    TRY(walls_find_thin(g));
    TRY(grid_bodies_find(g));
    g->sim.bodies.late = false; /* the walls of a step are those of its end */
    TRY(find_volumes(s));
    TRY(start(s));
    TRY(check_sources(s));
    smoke_warn(g->sim.ctx, scene);
    return RILL_OK;
}

static rill_status gas_create(rill_ctx *ctx, const rill_scene *scene, rill_sim **out)
{
    const grid_def *def = scene_method_def_of(scene, "grid");
    if (!def) return rill_fail(ctx, RILL_USAGE, "the scene has no parameters for grid");
    gas *s;
    TRY(MEM_NEW_ZERO(ctx, s, 1));
    s->grid.def = *def;
    s->grid.sim.ctx = ctx;
    arena_init(&s->grid.scratch, ctx);
    arena_init(&s->grid.sorting, ctx);
    pressure_solver_init(&s->grid.solver, ctx);
    rill_status st = sim_init(ctx, &grid_gas_method, scene, &s->grid.sim);
    if (!st) st = set_up(s, scene);
    if (!st)
        *out = &s->grid.sim;
    else
        gas_destroy(&s->grid.sim);
    return st;
}

rill_status gas_marks(gas *s)
{
    TRY(gas_reserve_marks(s));
    TRY(grid_walls(&s->grid, s->grid.sim.time));
    gas_mark(s);
    return RILL_OK;
}

/* Measured: see docs/benchmarks.md. */
static void gas_estimate(const rill_scene *scene, uint64_t n, double *bytes, double *step_seconds, double *dt)
{
    const grid_def *def = scene_method_def_of(scene, "grid");
    double speed = 1; /* m/s, when nothing says otherwise */
    for (uint32_t k = 0; k < scene->smoke_count; k++)
        speed = fmax(speed, v3_length(scene->smoke[k].velocity.value));
    *bytes = 160 * (double)n;
    *step_seconds = 0.8e-6 * (double)n * (def && def->reflection ? 2 : 1);
    *dt = (def ? def->cfl : 4) * scene->spacing / speed;
}

static const char *const gas_unused[] = {"surface.definition", "surface.cell",     "surface.radius",
                                         "surface.columns",    "surface.smooth",   "surface.smallest",
                                         "surface.slivers",    "surface.clip_min", "surface.clip_max",
                                         "domain.friction",    "domain.slip",      NULL};

const rill_method grid_gas_method = {
    .name = "grid",
    .paper = "Braley and Sandu, Fluid Simulation for Computer Graphics, section 4",
    .can = CAN_TWO_DIMENSIONS | CAN_BODIES | CAN_SMOKE | CAN_FILL,
    .params = grid_params,
    .def_size = sizeof(grid_def),
    .unused = gas_unused,
    .check = gas_check,
    .create = gas_create,
    .max_dt = gas_max_dt,
    .step = gas_step,
    .view = gas_view,
    .cells = gas_cells,
    .cell_shape = VIEW_CUBES,
    .max_speed = gas_max_speed,
    .velocity = gas_velocity,
    .trace = gas_trace,
    .pressure = gas_pressure,
    .save = gas_save,
    .load = gas_load,
    .destroy = gas_destroy,
    .elements = gas_elements,
    .estimate = gas_estimate,
};
