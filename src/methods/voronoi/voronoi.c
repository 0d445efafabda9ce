/* The method of Brochu, Batty and Bridson 2010: the step, and what the rest of the program sees. */
#include "voronoi/voronoi.h"

#include "base/parallel.h"
#include "base/text.h"
#include "voronoi/displaced.h"
#include "voronoi/emit.h"
#include "voronoi/params.h"
#include "voronoi/save.h"
#include "voronoi/state.h"
#include "voronoi/view.h"

#include <stdio.h>

/* Section 5: sites around the surface as it is at t, and their cells. */
static rill_status remesh(brochu *s, brochu_diagram *d, double t, rill_step_stats *stats, double *clock)
{
    TRY(brochu_surface_index(s));
    TRY(brochu_sample(s, d, t));
    step_stats_stage(stats, "redistancing", clock);
    TRY(brochu_diagram_build(s, d));
    TRY(brochu_measure(s, d, t));
    step_stats_stage(stats, "remeshing", clock);
    return RILL_OK;
}

static rill_status reconstruct(brochu *s, brochu_diagram *d)
{
    TRY(brochu_fit(s, d));
    TRY(brochu_extrapolate(s, d));
    return brochu_bodies(d);
}

/* Look-ups on the diagram of the step before need its faces, not its tetrahedra, whose memory then serves the
 * new ones. */
static void hand_over_tetrahedra(const brochu *s, brochu_diagram *from, brochu_diagram *to)
{
    const bool needed = s->def.correction || s->def.reflection || s->def.interpolant == BROCHU_NAIVE ||
                        s->def.interpolant == BROCHU_GENERALISED;
    if (needed) return;
    const delaunay spare = to->tets;
    to->tets = from->tets;
    from->tets = spare;
}

/* The five stages of section 3; their names are those of table 1. middle: the first half of a reflected step.
 */
static rill_status stages(brochu *s, double t, double dt, bool middle, rill_step_stats *stats)
{
    brochu_diagram *before = &s->diagram[s->now], *d = &s->diagram[1 - s->now];
    double clock = clock_seconds();

    TRY(brochu_track(s, t, dt)); /* 1 */
    step_stats_stage(stats, "surface tracking", &clock);
    hand_over_tetrahedra(s, before, d);
    TRY(remesh(s, d, t + dt, stats, &clock)); /* 2: section 5 */
    brochu_displace(s, t + dt);
    TRY(brochu_advect(s, before, d, dt)); /* 3: section 6 */
    brochu_displace(s, t + dt);
    step_stats_stage(stats, "velocity advection", &clock);
    if (middle)
        TRY(brochu_project_mirrored(s, d, t, dt, stats));
    else
        TRY(brochu_project(s, d, t, dt, true, stats)); /* 4 and 5: section 4 */
    step_stats_stage(stats, "pressure solve", &clock);
    TRY(reconstruct(s, d)); /* section 6 */
    if (middle) TRY(brochu_mirror(s, d));
    step_stats_stage(stats, "velocity reconstruction", &clock);
    s->now = 1 - s->now;
    return RILL_OK;
}

/* ---- figures of a step ---- */

/* Integral of gravity's potential over the inside of the mesh, and its volume: cones to the domain's middle.
 */
static double potential(const brochu *s, double *volume)
{
    const trimesh m = tracker_view(s->tracker);
    const rill_vec3 o = box_center(s->box), g = scene_gravity(s->sim.scene, s->sim.time);
    double sum = 0;
    *volume = 0;
    for (size_t t = 0; t < m.triangle_count; t++) {
        const rill_vec3 a = v3_sub(m.position[m.triangle[t][0]], o),
                        b = v3_sub(m.position[m.triangle[t][1]], o),
                        c = v3_sub(m.position[m.triangle[t][2]], o);
        const double v = v3_dot(a, v3_cross(b, c)) / 6;
        *volume += v;
        sum -= v * v3_dot(g, v3_madd(o, 0.25, v3_add(a, v3_add(b, c))));
    }
    return s->sim.scene->fluid.density * sum;
}

static void energy_terms(void *arg, size_t begin, size_t end, double *out)
{
    const brochu *s = arg;
    const brochu_diagram *d = &s->diagram[s->now];
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        if (!d->sites.liquid[i]) continue;
        out[0] += d->inside[i];
        out[1] += d->inside[i] * v3_dot(d->field.fit[i], d->field.fit[i]);
    }
}

static double speed_term(void *arg, size_t begin, size_t end)
{
    const brochu *s = arg;
    const brochu_diagram *d = &s->diagram[s->now];
    double most = 0;
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        const double u2 = v3_dot(d->field.fit[i], d->field.fit[i]);
        if (!(u2 <= most)) most = u2;
    }
    return most;
}

/* The kinetic energy is the liquid's volume times the mean square speed of its cells, as far as they are
 * inside. */
static void sum_up(brochu *s, rill_step_stats *stats)
{
    const brochu_diagram *d = &s->diagram[s->now];
    double sum[2] = {0, 0}, volume;
    parallel_sums(s->sim.ctx, d->sites.real, energy_terms, s, 2, sum);
    s->max_speed = d->sites.real ? sqrt(parallel_max(s->sim.ctx, d->sites.real, speed_term, s)) : 0;
    const double metre = s->flat ? 1 / box_size(s->box).z : 1; /* two dimensions: of a metre */
    stats->potential = metre * potential(s, &volume);
    stats->elements = d->sites.real;
    s->volume = volume - s->displaced;
    stats->volume = metre * s->volume;
    stats->compression = 0;
    stats->kinetic = sum[0] > 0 ? 0.5 * s->sim.scene->fluid.density * stats->volume * sum[1] / sum[0] : 0;
    stats->max_speed = s->max_speed;
}

static rill_status brochu_step(rill_sim *sim, double dt, rill_step_stats *stats)
{
    brochu *s = brochu_of(sim);
    arena_reset(&s->scratch);
    s->walls = sim->solids; /* places are prepared for the step */
    s->walls.domain.open = ~0u;
    const double part = s->def.reflection ? dt / 2 : dt;
    if (s->def.reflection) TRY(stages(s, sim->time, part, true, stats));
    TRY(stages(s, sim->time + dt - part, part, false, stats));
    if (s->def.reflection) brochu_mirror_pressure(s);
    sum_up(s, stats);
    return RILL_OK;
}

/* ---- making one ---- */

static void diagram_clear(rill_ctx *ctx, brochu_diagram *d)
{
    arena_clear(&d->arena);
    delaunay_clear(&d->tets);
    mem_free(ctx, d->sites.x);
    mem_free(ctx, d->sites.of);
    mem_free(ctx, d->sites.turned);
    mem_free(ctx, d->sites.liquid);
    mem_free(ctx, d->sites.wall);
    mem_free(ctx, d->sites.reach);
}

static void brochu_destroy(rill_sim *sim)
{
    if (!sim) return;
    brochu *s = brochu_of(sim);
    rill_ctx *ctx = sim->ctx;
    brochu_surface_clear(ctx, &s->surface);
    for (int k = 0; k < 2; k++) diagram_clear(ctx, &s->diagram[k]);
    projection_destroy(s->projection);
    fv_mesh_clear(&s->mesh);
    tracker_destroy(s->tracker);
    brochu_nozzles_clear(s);
    brochu_probes_clear(s);
    mem_free(ctx, s->motion.gain);
    mem_free(ctx, s->motion.maybe);
    arena_clear(&s->scratch);
    sim_clear(sim);
    mem_free(ctx, s);
}

/* Spacings: films become no thinner than the tracker lets surfaces come near to each other. Those that spread
 * would gain volume then. */
static const double THINNEST = 0.004;

tracker_def brochu_tracker_def(brochu *s)
{
    tracker_def def = tracker_def_default();
    def.edge = s->h;
    def.merge = s->def.merge;
    def.film = s->def.film;
    def.repulsion = THINNEST;
    def.drop = s->def.drop;
    def.restorable = true;
    def.place = brochu_place;
    def.place_user = s;
    return def;
}

/* A grid for the sites whose step is a power of two, so that mirror images are exact; the domain's sides lie
 * on it. The Delaunay grid of the hull is as fine. */
static void set_box(brochu *s)
{
    const scene_domain *d = &s->sim.scene->domain;
    rill_box hull = {d->min, d->max};
    if (s->flat) { /* a slab as thick as four elements */
        hull.min.z = -2 * s->h;
        hull.max.z = 2 * s->h;
    }
    for (int side = 0; side < (s->flat ? 4 : SIDE_COUNT); side++) { /* air beyond what is open */
        rill_vec3 *corner = side & 1 ? &hull.max : &hull.min;
        const double by = (BROCHU_BEYOND + 4) * s->h;
        if (d->open >> side & 1)
            v3_set_axis(corner, side_axis(side), v3_axis(*corner, side_axis(side)) + (side & 1 ? by : -by));
    }
    const rill_box inner = hull;
    const rill_vec3 size = box_size(hull);
    hull = box_grown(hull, 0.2 * fmax(size.x, fmax(size.y, size.z)) + 6 * s->h);
    s->quantum = site_grid_of(box_grown(hull, s->h)).step;
    s->box.min = brochu_snap(s, inner.min);
    s->box.max = brochu_snap(s, inner.max);
    s->hull.min = brochu_snap(s, hull.min);
    s->hull.max = brochu_snap(s, hull.max);
}

/* The velocity of the liquid that x is in, or nearest to. */
static rill_vec3 first_velocity(const brochu *s, rill_vec3 x)
{
    const rill_scene *scene = s->sim.scene;
    uint32_t best = 0;
    double least = INFINITY;
    if (s->flat) x.z = 0;
    for (uint32_t i = 0; i < scene->liquid_count; i++) {
        const double d = shape_distance(&scene->liquid[i].shape, x, NULL);
        if (!(d < least)) continue;
        least = d;
        best = i;
    }
    return scene->liquid_count ? velocity_field_at(&scene->liquid[best].velocity, &scene->domain, x)
                               : v3(0, 0, 0);
}

static rill_status first_field(brochu *s, double t)
{
    brochu_diagram *d = brochu_now(s);
    rill_step_stats unused = step_stats_none();
    double clock = 0;
    TRY(remesh(s, d, t, &unused, &clock));
    if (!d->sites.liquids && s->view.triangle_count)
        return rill_fail(
            s->sim.ctx, RILL_BAD_SCENE,
            "the liquid lies inside solids, or is too thin for the spacing of %g m: move it out of "
            "them, or make \"spacing\" smaller",
            s->h);
    TRY(ARENA_NEW(&d->arena, d->pressure, d->sites.real));
    for (uint32_t i = 0; i < d->sites.real; i++) d->pressure[i] = 0;
    for (uint32_t e = 0; e < d->faces.count; e++) {
        const uint32_t a = d->faces.site[e][0], b = d->faces.site[e][1];
        d->faces.valid[e] = site_real(d, a) && site_real(d, b) &&
                            (d->sites.liquid[a] || d->sites.liquid[b]) && d->faces.area[e] > 0;
        if (d->faces.valid[e])
            d->faces.speed[e] = v3_dot(first_velocity(s, d->faces.centroid[e]), d->faces.normal[e]);
    }
    return reconstruct(s, d);
}

static rill_status set_up(brochu *s)
{
    rill_ctx *ctx = s->sim.ctx;
    const rill_scene *scene = s->sim.scene;
    s->h = scene->spacing;
    s->flat = scene->dimensions == 2;
    set_box(s);
    TRY(solids_prepare(ctx, &s->sim.solids, -scene->time.preroll, 0)); /* bodies have their places now */
    s->walls = s->sim.solids;
    s->walls.domain.open = ~0u;
    s->cut = s->walls.count || scene->emitter_count;
    s->rubs = scene->domain.friction > 0;
    for (uint32_t i = 0; i < scene->solid_count; i++) s->rubs |= scene->solids[i].friction > 0;
    TRY(brochu_nozzles_create(s));
    projection_def def = projection_def_default();
    def.density = scene->fluid.density;
    def.solver.tolerance = s->def.tolerance;
    def.solver.kind = s->def.preconditioner ? SOLVER_IC : SOLVER_AMG;
    TRY(projection_create(ctx, &def, &s->projection));
    trimesh mesh = {0};
    TRY(brochu_first_mesh(s, &mesh));
    const tracker_def tdef = brochu_tracker_def(s);
    rill_status st = tracker_create(ctx, &tdef, &mesh, &s->tracker);
    trimesh_clear(ctx, &mesh);
    if (st == RILL_BAD_FILE) {
        char why[512];
        snprintf(why, sizeof why, "%s", rill_ctx_message(ctx));
        st = rill_fail(ctx, RILL_BAD_SCENE, "the liquid's surface: %s: \"voronoi\": { \"repair\": true }",
                       why);
    }
    TRY(st);
    s->view = tracker_view(s->tracker);
    TRY(brochu_surface_measure(s, &s->view));
    TRY(first_field(s, -scene->time.preroll));
    TRY(brochu_probes_create(s));
    s->displaced = brochu_displaced(s, -scene->time.preroll);
    s->max_speed = s->diagram[s->now].sites.real
                       ? sqrt(parallel_max(ctx, s->diagram[s->now].sites.real, speed_term, s))
                       : 0;
    s->volume = 0;
    (void)potential(s, &s->volume);
    s->volume -= s->displaced;
    return RILL_OK;
}

static rill_status brochu_create(rill_ctx *ctx, const rill_scene *scene, rill_sim **out)
{
    const brochu_def *def = scene_method_def_of(scene, "voronoi");
    if (!def) return rill_fail(ctx, RILL_USAGE, "the scene has no parameters for voronoi");
    brochu *s;
    TRY(MEM_NEW_ZERO(ctx, s, 1));
    s->def = *def;
    s->sim.ctx = ctx;
    arena_init(&s->scratch, ctx);
    fv_mesh_init(&s->mesh, ctx);
    for (int k = 0; k < 2; k++) {
        arena_init(&s->diagram[k].arena, ctx);
        delaunay_init(&s->diagram[k].tets, ctx);
    }
    rill_status st = sim_init(ctx, &voronoi_method, scene, &s->sim);
    if (!st) st = set_up(s);
    if (!st)
        *out = &s->sim;
    else
        brochu_destroy(&s->sim);
    return st;
}

static double brochu_max_dt(const rill_sim *sim)
{
    const brochu *s = brochu_view_of(sim);
    const double way = s->def.cfl * s->h, g = scene_gravity_most(sim->scene),
                 tension = sim->scene->fluid.surface_tension;
    double dt = fmin(s->def.max_step, way / fmax(s->max_speed, 1e-9));
    for (uint32_t i = 0; i < sim->scene->emitter_count; i++)
        dt = fmin(dt, way / fmax(emitter_speed_most(&sim->scene->emitters[i]), 1e-9));
    if (sim->solids.moving) {
        const double wall = solids_max_speed(&sim->solids, sim->time, sim->time + dt);
        if (wall > s->max_speed) dt = fmin(dt, way / wall);
    }
    /* The shortest waves, two edges long, turn in sqrt(pi g / h); and falling liquid gains speed. */
    if (g > 0) dt = fmin(dt, 0.5 * sqrt(s->h / g));
    if (tension > 0) /* E-R4 with the mean edge */
        dt = fmin(dt, s->def.capillary *
                          sqrt(sim->scene->fluid.density * s->h * s->h * s->h / (2 * M_PI * tension)));
    return dt;
}

/* Sites: about four to a square spacing of surface, and of the graded lattice one to twelve cubic spacings.
 */
static double brochu_elements(const rill_scene *scene)
{
    const double h = scene->spacing;
    double sites = 0;
    for (uint32_t i = 0; i < scene->liquid_count; i++) {
        rill_box b = shape_bounds(&scene->liquid[i].shape);
        b.min = v3_max(b.min, scene->domain.min);
        b.max = v3_min(b.max, scene->domain.max);
        rill_vec3 n = v3_scale(v3_max(box_size(b), v3(0, 0, 0)), 1 / h);
        if (scene->dimensions == 2) n.z = 4;
        sites += 8 * (n.x * n.y + n.y * n.z + n.z * n.x) + n.x * n.y * n.z / 12;
    }
    return sites;
}

/* Measured: see docs/voronoi.md. */
static void brochu_estimate(const rill_scene *scene, uint64_t n, double *bytes, double *step_seconds,
                            double *dt)
{
    const brochu_def *def = scene_method_def_of(scene, "voronoi");
    const double g = scene_gravity_most(scene), height = scene->domain.max.y - scene->domain.min.y;
    *bytes = (double)n * 6000;
    *step_seconds = (double)n * 20e-6 * (def && def->reflection ? 2 : 1);
    *dt = fmin(def ? def->max_step : 0.02,
               (def ? def->cfl : 0.5) * scene->spacing / (sqrt(2 * g * height) + 1e-3));
}

/* Its surface is the tracker's mesh as it is. */
static const char *const voronoi_unused[] = {
    "surface.definition", "surface.cell",    "surface.radius",   "surface.columns",  "surface.smooth",
    "surface.smallest",   "surface.slivers", "surface.clip_min", "surface.clip_max", NULL};

const rill_method voronoi_method = {
    .name = "voronoi",
    .paper = "Brochu, Batty and Bridson, Matching Fluid Simulation Elements to Surface Geometry and "
             "Topology, 2010",
    .can = CAN_FREE_SURFACE | CAN_SURFACE_TENSION | CAN_TWO_DIMENSIONS | CAN_BODIES,
    .params = brochu_params,
    .def_size = sizeof(brochu_def),
    .check = brochu_check,
    .create = brochu_create,
    .max_dt = brochu_max_dt,
    .step = brochu_step,
    .view = brochu_view,
    .unused = voronoi_unused,
    .surface = brochu_surface_copy,
    .cells = brochu_cells,
    .cell_shape = VIEW_VORONOI,
    .max_speed = brochu_max_speed,
    .velocity = brochu_velocity,
    .pressure = brochu_pressure,
    .save = brochu_save,
    .load = brochu_load,
    .destroy = brochu_destroy,
    .elements = brochu_elements,
    .estimate = brochu_estimate,
};
