/* The method of Klingner et al., section 3: the step, and what the rest of the program sees. */
#include "tets/tets.h"

#include "base/parallel.h"
#include "base/text.h"
#include "flow/smoke.h"
#include "tets/params.h"
#include "tets/state.h"

#include <string.h>

/* One step from t to t + dt. carried: what is transported, on the present mesh. */
static rill_status flow_step(tets *s, double t, double dt, const tets_field *carried, rill_step_stats *stats)
{
    double clock = clock_seconds();
    tets_state *old = tets_now(s), *new = s->def.remesh ? tets_next(s) : old;

    TRY(tets_walls_go(s, t, dt));
    if (new != old) {
        TRY(tets_gather_sizes(s, old));                                  /* eq. 5 */
        TRY(mesher_next(&s->mesher, &s->walls, &old->mesh, &new->mesh)); /* 3.3 */
        TRY(tets_state_arrays(s, new));
    }
    tets_boundary(s, new, t + dt);
    step_stats_stage(stats, "remeshing", &clock);
    TRY(tets_transport(s, old, carried, new, dt)); /* 3.2 */
    step_stats_stage(stats, "advection", &clock);
    tets_add_sources(s, new, t + dt, dt);
    tets_buoyancy(s, new, t, dt);
    tets_bodies_lift(s, dt);
    if (new->advected) memcpy(new->advected, new->flux, new->mesh.fv.face_count * sizeof *new->flux);
    step_stats_stage(stats, "forces", &clock);
    TRY(tets_project(s, new, t + dt, dt, stats)); /* 3.4 */
    step_stats_stage(stats, "mass conservation", &clock);
    TRY(tets_recover(s, new, new->flux, TETS_CORRECTS, &new->u)); /* 3.1, for the next step and for tracers */
    step_stats_stage(stats, "interpolation", &clock);
    if (new != old) s->now = 1 - s->now;
    return RILL_OK;
}

/* The correction of node velocities is tuned to steps of CFL 1. Longer ones mirror more, and what nodes get
 * beyond the truth is mirrored with it: the energy of eddies grew by 0.7 percent at CFL 2. */
static double mirrored_share(const tets *s, double dt)
{
    const double cfl = s->max_speed * dt / s->h;
    return fmax(TETS_CORRECTS - TETS_LONG * fmax(cfl - 1, 0), 0.5);
}

/* Advection-reflection (Zehnder, Narain, Thomaszewski 2018): what the pressure takes in the middle of the
 * step is given back mirrored. Walls keep what they have. */
static rill_status reflected_step(tets *s, double t, double dt, rill_step_stats *stats)
{
    tets_bodies_weigh(s, -dt / 2); /* each half has half of it */
    TRY(flow_step(s, t, dt / 2, &tets_now(s)->u, stats));
    tets_bodies_weigh(s, dt / 2);
    tets_state *a = tets_now(s);
    const fv_mesh *fv = &a->mesh.fv;
    projection_reflect(s->sim.ctx, fv->face_count, a->advected, a->flux, a->advected);
    for (uint32_t k = fv->inner_count; k < fv->face_count; k++)
        if (fv->boundary[k - fv->inner_count].kind != FV_SURFACE) a->advected[k] = a->flux[k];
    TRY(tets_recover(s, a, a->advected, mirrored_share(s, dt), &a->mirror));
    return flow_step(s, t + dt / 2, dt / 2, &a->mirror, stats);
}

static void energy_terms(void *arg, size_t begin, size_t end, double *out)
{
    const tets_state *a = arg;
    for (size_t t = begin; t < end; t++)
        if (a->mesh.fluid[t]) out[0] += a->mesh.volume[t] * v3_dot(a->u.cell[t], a->u.cell[t]);
}

static double speed_term(void *arg, size_t begin, size_t end)
{
    const tets_state *a = arg;
    double most = 0;
    for (size_t i = begin; i < end; i++) {
        const double u2 = v3_dot(a->u.node[i], a->u.node[i]);
        if (!(u2 <= most)) most = u2;
    }
    return most;
}

static void sum_up(tets *s, rill_step_stats *stats)
{
    tets_state *a = tets_now(s);
    double sum = 0;
    parallel_sums(s->sim.ctx, a->mesh.d.finite, energy_terms, a, 1, &sum);
    s->max_speed = sqrt(parallel_max(s->sim.ctx, a->mesh.count, speed_term, a));
    stats->elements = a->mesh.fv.cell_count;
    stats->kinetic = 0.5 * s->sim.scene->fluid.density * sum / s->thick;
    stats->potential = 0; /* of a full domain it does not change */
    stats->max_speed = s->max_speed;
    if (s->mesher.left && !s->told_leak) {
        s->told_leak = true;
        rill_log(s->sim.ctx, RILL_LOG_WARNING,
                 "%u nodes of the mesh see each other through a solid that is finer than the mesh; make "
                 "\"spacing\" "
                 "smaller",
                 s->mesher.left);
    }
}

static rill_status tets_step(rill_sim *sim, double dt, rill_step_stats *stats)
{
    tets *s = tets_of(sim);
    if (s->def.reflection)
        TRY(reflected_step(s, sim->time, dt, stats));
    else
        TRY(flow_step(s, sim->time, dt, &tets_now(s)->u, stats));
    sum_up(s, stats);
    return RILL_OK;
}

/* ---- creation ---- */

static void tets_destroy(rill_sim *sim)
{
    if (!sim) return;
    tets *s = tets_of(sim);
    rill_ctx *ctx = sim->ctx;
    for (int k = 0; k < 2; k++) mesh_clear(&s->state[k].mesh);
    mesher_clear(&s->mesher);
    projection_destroy(s->projection);
    tets_bodies_clear(s);
    tets_walls_clear(s);
    arena_clear(&s->scratch);
    sim_clear(sim);
    mem_free(ctx, s);
}

/* Fluxes of the initial velocity, that of the "liquid" a face is in. */
static void first_fluxes(tets *s, tets_state *a)
{
    const rill_scene *scene = s->sim.scene;
    const fv_mesh *fv = &a->mesh.fv;
    for (uint32_t k = 0; k < fv->face_count; k++) {
        rill_vec3 x = fv->face[k].centroid, u = {0, 0, 0};
        if (s->flat) x.z = 0;
        for (uint32_t i = 0; i < scene->liquid_count; i++)
            if (shape_distance(&scene->liquid[i].shape, x, NULL) <= 0)
                u = velocity_field_at(&scene->liquid[i].velocity, &scene->domain, x);
        a->flux[k] = v3_dot(u, fv->face[k].area);
    }
}

/* Whether some of a source, seen at the points of a lattice, is outside of solids that stay where they are.
 */
static bool reaches_fluid(const walls *w, const shape *source)
{
    enum { ACROSS = 12 };
    const rill_box b = shape_bounds(source);
    const rill_vec3 size = box_size(b);
    bool seen = false;
    for (int k = 0; k < ACROSS * ACROSS * ACROSS; k++) {
        rill_vec3 x = {b.min.x + size.x * (k % ACROSS + 0.5) / ACROSS,
                       b.min.y + size.y * (k / ACROSS % ACROSS + 0.5) / ACROSS,
                       b.min.z + size.z * (k / ACROSS / ACROSS + 0.5) / ACROSS};
        if (w->flat) x.z = 0;
        if (!v3_finite(x) || shape_distance(source, x, NULL) > 0 || !box_contains(w->box, x)) continue;
        bool solid = false;
        for (uint32_t i = 0; i < w->count && !solid; i++)
            solid = !w->at[i].moves && wall_distance(w, i, x, NULL) < 0;
        if (!solid) return true;
        seen = true;
    }
    return !seen; /* too thin for the lattice: not known */
}

/* A source that no fluid can leave would be silent. */
static rill_status check_sources(const tets *s)
{
    const rill_scene *scene = s->sim.scene;
    for (uint32_t k = 0; k < scene->smoke_count; k++)
        if (!reaches_fluid(&s->walls, &scene->smoke[k].shape))
            return rill_fail(s->sim.ctx, RILL_BAD_SCENE,
                             "smoke[%u] is inside of solids, where there is no fluid; move it out", k);
    return RILL_OK;
}

static rill_status set_up(tets *s, const rill_scene *scene)
{
    rill_ctx *ctx = s->sim.ctx;
    const double h = TETS_SIZE * scene->spacing;
    mesher_def def = mesher_def_default();
    def.circumcentres = s->def.centres == 1;
    def.size = (size_def){.finest = h,
                          .coarsest = h * s->def.coarsest,
                          .distance = s->def.distance,
                          .smoke = h * s->def.smoke,
                          .vorticity = h * s->def.vorticity};
    s->h = scene->spacing;
    s->flat = scene->dimensions == 2;
    s->smoky = scene->smoke_count > 0;
    TRY(tets_bodies_create(s));
    TRY(tets_walls_create(s));
    TRY(mesher_create(ctx, &def, &s->walls, &s->mesher));
    projection_def project = projection_def_default();
    project.density = scene->fluid.density;
    project.solver.tolerance = s->def.tolerance;
    TRY(projection_create(ctx, &project, &s->projection));
    for (uint32_t k = 0; k < scene->smoke_count; k++)
        size_add_smoke(&s->mesher.size, box_center(shape_bounds(&scene->smoke[k].shape)), 1);
    TRY(check_sources(s));
    smoke_warn(ctx, scene);
    tets_state *a = tets_now(s);
    TRY(mesher_first(&s->mesher, &s->walls, &a->mesh));
    TRY(tets_state_arrays(s, a));
    tets_boundary(s, a, s->sim.time);
    first_fluxes(s, a);
    tets_add_sources(s, a, s->sim.time, 0);
    rill_step_stats stats = step_stats_none();
    s->bodies.still = true;
    const rill_status st = tets_project(s, a, s->sim.time, 1, &stats);
    s->bodies.still = false;
    TRY(st);
    memset(a->pressure, 0, a->mesh.fv.cell_count * sizeof *a->pressure);
    TRY(tets_recover(s, a, a->flux, TETS_CORRECTS, &a->u));
    sum_up(s, &stats);
    return RILL_OK;
}

static rill_status tets_create(rill_ctx *ctx, const rill_scene *scene, rill_sim **out)
{
    const tets_def *def = scene_method_def_of(scene, "tets");
    if (!def) return rill_fail(ctx, RILL_USAGE, "the scene has no parameters for tets");
    tets *s;
    TRY(MEM_NEW_ZERO(ctx, s, 1));
    s->def = *def;
    s->sim.ctx = ctx;
    arena_init(&s->scratch, ctx);
    for (int k = 0; k < 2; k++) mesh_init(&s->state[k].mesh, ctx);
    rill_status st = sim_init(ctx, &tets_method, scene, &s->sim);
    if (!st) st = set_up(s, scene);
    if (!st)
        *out = &s->sim;
    else
        tets_destroy(&s->sim);
    return st;
}

static double tets_max_dt(const rill_sim *sim)
{
    const tets *s = tets_view_of(sim);
    const double way = s->def.cfl * s->h;
    double speed = s->max_speed;
    for (uint32_t k = 0; k < sim->scene->smoke_count; k++)
        speed = fmax(speed, v3_length(sim->scene->smoke[k].velocity.value));
    if (sim->bodies.count) speed = fmax(speed, world_max_speed(&sim->bodies.world));
    double dt = fmin(s->def.max_step, way / fmax(speed, 1e-9));
    if (sim->solids.moving) {
        const double pace = solids_driven_speed(&sim->solids, sim->time, sim->time + dt);
        if (pace > speed) dt = fmin(dt, way / pace);
    }
    return dt;
}

/* Seven and a half tetrahedra to a cube of the size, as fine everywhere. */
static double tets_elements(const rill_scene *scene)
{
    const rill_vec3 size = v3_sub(scene->domain.max, scene->domain.min);
    const double h = scene->spacing, z = scene->dimensions == 2 ? TETS_SLAB * h : size.z;
    return 7.5 / (TETS_SIZE * TETS_SIZE * TETS_SIZE) * size.x * size.y * z / (h * h * h);
}

/* Measured: see docs/benchmarks.md. */
static void tets_estimate(const rill_scene *scene, uint64_t n, double *bytes, double *step_seconds,
                          double *dt)
{
    const tets_def *def = scene_method_def_of(scene, "tets");
    double speed = 1; /* m/s, when nothing says otherwise */
    for (uint32_t k = 0; k < scene->smoke_count; k++)
        speed = fmax(speed, v3_length(scene->smoke[k].velocity.value));
    *bytes = 1500 * (double)n;
    *step_seconds = 7e-6 * (double)n * (def && def->reflection ? 2 : 1);
    *dt = fmin(def ? def->max_step : 0.05, (def ? def->cfl : 1) * scene->spacing / speed);
}

static const char *const tets_unused[] = {"domain.slip", NULL};

const rill_method tets_method = {
    .name = "tets",
    .paper = "Klingner, Feldman, Chentanez and O'Brien, Fluid Animation with Dynamic Meshes, 2006",
    .can = CAN_TWO_DIMENSIONS | CAN_BODIES | CAN_SMOKE | CAN_FILL | CAN_REFINE,
    .params = tets_params,
    .def_size = sizeof(tets_def),
    .unused = tets_unused,
    .check = tets_check,
    .create = tets_create,
    .max_dt = tets_max_dt,
    .step = tets_step,
    .view = tets_view,
    .cells = tets_cells,
    .cell_shape = VIEW_TETS,
    .max_speed = tets_max_speed,
    .velocity = tets_velocity,
    .trace = tets_trace,
    .pressure = tets_pressure,
    .save = tets_save,
    .load = tets_load,
    .destroy = tets_destroy,
    .elements = tets_elements,
    .estimate = tets_estimate,
};
