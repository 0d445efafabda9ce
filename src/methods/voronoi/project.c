/* Forces and pressure: [Brochu10] stages 4 and 5, section 4.
 *
 * The liquid sites are the cells of a finite-volume mesh; towards air the pressure of the surface is given
 * where the line to the air site meets it (ghost fluid, E-R2), with surface tension's from the mesh's
 * curvature there (4.1).
 *
 * Gravity enters as a flux of the projection's own weights times the difference of its potential: at rest
 * the pressure cancels it to the last bit, whatever the cells are. Parts in flight: flight.h. */
#include "base/parallel.h"
#include "voronoi/flight.h"
#include "voronoi/ghost.h"
#include "voronoi/pieces.h"
#include "voronoi/tension.h"

typedef struct {
    brochu *s;
    brochu_diagram *d;
    uint32_t *cell;      /* [real] SITE_NONE: none */
    uint32_t *face;      /* [face of the mesh, walls of solids apart] the diagram's */
    uint32_t *owner;     /* [wall of a solid] its site */
    brochu_piece *piece; /* and the face */
    brochu_ghost *cross; /* [surface face] */
    uint32_t *bubble;    /* [part of the surface] the cell that its air is, or SITE_NONE */
    uint32_t inner, bubbled, surface,
        solid; /* bubbled: from liquid into bubbles, as inner ones to the solver */
    double *flux;
    const float *weight;
    brochu_flight flight;
    rigid_body *bodies; /* as the projection moves them */
    rill_vec3 gravity;
    double tension;
    double dt, most; /* most: the largest speed that a face may have after it */
} job;

/* ---- which faces there are ---- */

static bool has_face(const brochu_diagram *d, uint32_t i)
{
    for (uint32_t k = d->first[i]; k < d->first[i + 1]; k++)
        if (d->faces.valid[d->link[k]]) return true;
    return false;
}

/* Cells are the liquid sites with a face that liquid can pass; faces between cells first. */
static rill_status list_faces(job *j, uint32_t *cells)
{
    brochu_diagram *d = j->d;
    brochu_faces *f = &d->faces;
    rill_arena *arena = &j->s->scratch;
    TRY(ARENA_NEW(arena, j->cell, d->sites.real + 1));
    TRY(ARENA_NEW(arena, j->face, f->count + 1));
    TRY(ARENA_NEW(arena, j->owner, 2 * d->sites.real + 1));
    TRY(ARENA_NEW(arena, j->piece, 2 * d->sites.real + 1));
    *cells = 0;
    for (uint32_t i = 0; i < d->sites.real; i++)
        j->cell[i] = d->sites.liquid[i] && has_face(d, i) ? (*cells)++ : SITE_NONE;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t e = 0; e < f->count; e++) {
            if (!f->valid[e]) continue;
            const bool a = d->sites.liquid[f->site[e][0]], b = d->sites.liquid[f->site[e][1]];
            if ((a && b) != !pass) continue;
            j->face[j->inner + j->surface] = e;
            if (pass)
                j->surface++;
            else
                j->inner++;
        }
    for (uint32_t i = 0; d->solid_area && i < d->sites.real; i++)
        if (j->cell[i] != SITE_NONE && v3_dot(d->solid_area[i], d->solid_area[i]) > 0) {
            brochu_piece *p = &j->piece[j->solid];
            p[0] = (brochu_piece){d->solid_area[i], d->sites.x[i]};
            const int n = d->solid_body[i] == BODY_NONE ? 1 : brochu_pieces(d, i, p);
            for (int k = 0; k < n; k++) j->owner[j->solid++] = i;
        }
    return RILL_OK;
}

static void cross_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    job *j = arg;
    for (size_t k = begin; k < end; k++) j->cross[k] = brochu_cross(j->s, j->d, j->face[j->inner + k]);
}

/* ---- the finite-volume mesh ---- */

/* Whether the mesh's face runs against the diagram's normal. */
static bool reversed(const job *j, uint32_t k)
{
    const uint32_t *v = j->d->faces.site[j->face[k]];
    return k < j->inner ? j->cell[v[0]] > j->cell[v[1]] : !j->d->sites.liquid[v[0]];
}

/* The cell behind a face toward air: a bubble's. */
static uint32_t beyond(const job *j, uint32_t k)
{
    const uint32_t part = j->cross[k - j->inner].part;
    return k < j->inner + j->bubbled ? j->bubble[part] : FV_NONE;
}

static void mesh_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    job *j = arg;
    const brochu_faces *f = &j->d->faces;
    const double least = 1e-12 * j->s->h * j->s->h;
    for (uint32_t k = (uint32_t)begin; k < end; k++) {
        const uint32_t e = j->face[k], *v = f->site[e];
        const bool back = reversed(j, k);
        const double area = fmax(f->area[e], least);
        j->s->mesh.face[k] = (fv_face){.a = j->cell[v[back]],
                                       .b = k < j->inner ? j->cell[v[!back]] : beyond(j, k),
                                       .area = v3_scale(f->normal[e], back ? -area : area),
                                       .centroid = f->centroid[e],
                                       .distance = f->length[e],
                                       .open = 1,
                                       .ghost = 1};
        j->flux[k] = (back ? -area : area) * f->speed[e];
        if (k < j->inner) continue;
        const brochu_ghost *c = &j->cross[k - j->inner];
        if (k < j->inner + j->bubbled) {
            j->s->mesh.face[k].distance *= fmax(c->share, projection_def_default().ghost_least);
            continue;
        }
        j->s->mesh.face[k].ghost = (float)c->share;
        j->s->mesh.boundary[k - j->inner - j->bubbled] =
            (fv_boundary){.pressure = j->tension * c->curvature, .kind = FV_SURFACE};
    }
}

/* The liquid's velocity where a cell touches a body, with its weight: it shares its momentum with the body.
 */
static double body_flux(const job *j, uint32_t i, rill_vec3 area)
{
    const brochu_diagram *d = j->d, *from = &j->s->diagram[j->s->now];
    uint32_t hint = SITE_NONE;
    rill_vec3 u = brochu_look(j->s, from, d->sites.x[i], &hint);
    u = brochu_look(j->s, from, v3_madd(d->sites.x[i], -j->dt, u), &hint);
    return v3_dot(v3_madd(u, j->dt, j->gravity), area);
}

static void add_solids(job *j)
{
    const brochu_diagram *d = j->d;
    for (uint32_t k = 0; k < j->solid; k++) {
        const uint32_t i = j->owner[k], f = j->inner + j->bubbled + j->surface + k;
        j->s->mesh.face[f] = (fv_face){.a = j->cell[i],
                                       .b = FV_NONE,
                                       .area = j->piece[k].area,
                                       .centroid = j->piece[k].at,
                                       .distance = j->s->h,
                                       .open = 1,
                                       .ghost = 1};
        j->s->mesh.boundary[j->surface + k] =
            (fv_boundary){.velocity = d->solid_velocity[i], .kind = FV_WALL};
        j->flux[f] = 0;
        if (d->solid_body[i] == BODY_NONE) continue;
        j->s->mesh.boundary[j->surface + k] = (fv_boundary){.body = d->solid_body[i], .kind = FV_BODY};
        j->flux[f] = body_flux(j, i, j->piece[k].area);
    }
}

/* A bubble is a cell whose pressure is the same everywhere: it has the volume that its surface encloses, and
 * its site, for the first guess, in the middle of its faces. */
static void add_bubbles(job *j)
{
    fv_mesh *m = &j->s->mesh;
    const tracker_part *part;
    size_t parts;
    tracker_parts(j->s->tracker, &part, &parts);
    for (size_t p = 0; j->bubble && p < parts; p++) {
        if (j->bubble[p] == SITE_NONE) continue;
        rill_vec3 sum = {0};
        uint32_t n = 0;
        for (uint32_t k = 0; k < j->bubbled; k++) {
            if (j->cross[k].part != p) continue;
            sum = v3_add(sum, j->cross[k].at);
            n++;
        }
        m->site[j->bubble[p]] = v3_scale(sum, 1.0 / n);
        m->volume[j->bubble[p]] = fmax(-part[p].volume, 1e-9 * j->s->h * j->s->h * j->s->h);
    }
}

/* Volumes: cones over the faces. Towards air only the part of the cone up to the surface is liquid. */
static void add_volumes(job *j)
{
    fv_mesh *m = &j->s->mesh;
    brochu_diagram *d = j->d;
    const double least = 1e-9 * j->s->h * j->s->h * j->s->h;
    for (uint32_t i = 0; i < d->sites.real; i++)
        if (j->cell[i] != SITE_NONE) {
            m->site[j->cell[i]] = d->sites.x[i];
            m->volume[j->cell[i]] = least;
        }
    for (uint32_t i = 0; i < d->sites.real; i++) d->inside[i] = 0;
    for (uint32_t k = 0; k < j->inner + j->bubbled + j->surface; k++) {
        const uint32_t *v = d->faces.site[j->face[k]];
        const double cone = d->faces.area[j->face[k]] * d->faces.length[j->face[k]] / 6,
                     depth = k < j->inner ? 1 : fmin(2 * j->cross[k - j->inner].share, 1);
        for (int i = 0; i < 2; i++)
            if (d->sites.liquid[v[i]]) d->inside[v[i]] += cone * depth * depth * depth;
        m->volume[m->face[k].a] += cone;
        if (k < j->inner) m->volume[m->face[k].b] += cone;
    }
    add_bubbles(j);
}

/* Faces into bubbles come before those into open air, in their order; every bubble that has some becomes a
 * cell. */
static rill_status find_bubbles(job *j, uint32_t *cells)
{
    rill_arena *arena = &j->s->scratch;
    const uint8_t *is;
    const tracker_part *part;
    size_t parts;
    brochu_ghost *cross;
    uint32_t *face, n = 0;
    tracker_parts(j->s->tracker, &part, &parts);
    TRY(brochu_bubbles(j->s, &j->s->surface.mesh, &is));
    TRY(ARENA_NEW(arena, j->bubble, parts + 1));
    TRY(ARENA_NEW(arena, cross, j->surface + 1));
    TRY(ARENA_NEW(arena, face, j->surface + 1));
    for (size_t p = 0; p < parts; p++) j->bubble[p] = SITE_NONE;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t k = 0; k < j->surface; k++) {
            const uint32_t p = j->cross[k].part;
            const bool into = p != SITE_NONE && is[p];
            if (into != !pass) continue;
            if (into && j->bubble[p] == SITE_NONE) j->bubble[p] = (*cells)++;
            j->bubbled += into;
            cross[n] = j->cross[k];
            face[n++] = j->face[j->inner + k];
        }
    for (uint32_t k = 0; k < j->surface; k++) j->face[j->inner + k] = face[k];
    j->cross = cross;
    j->surface -= j->bubbled;
    return RILL_OK;
}

static rill_status make_mesh(job *j)
{
    rill_ctx *ctx = j->s->sim.ctx;
    uint32_t cells;
    TRY(list_faces(j, &cells));
    const uint32_t faces = j->inner + j->surface;
    TRY(ARENA_NEW(&j->s->scratch, j->cross, j->surface + 1));
    TRY(ARENA_NEW(&j->s->scratch, j->flux, faces + j->solid + 1));
    parallel_for(ctx, j->surface, BROCHU_BLOCK, cross_block, j);
    if (j->s->def.bubbles) TRY(find_bubbles(j, &cells));
    TRY(fv_mesh_resize(&j->s->mesh, cells, j->inner + j->bubbled, j->surface + j->solid));
    parallel_for(ctx, faces, 1024, mesh_block, j);
    add_solids(j);
    add_volumes(j);
    return RILL_OK;
}

/* ---- forces, pressure ---- */

static void gravity_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    job *j = arg;
    const fv_mesh *m = &j->s->mesh;
    for (uint32_t k = (uint32_t)begin; k < end; k++) {
        const fv_face *f = &m->face[k];
        if (k >= j->inner && k < j->inner + j->bubbled) /* the jump of pressure at a bubble's surface */
            j->flux[k] -= j->weight[k] * j->dt * j->cross[k - j->inner].curvature * j->tension /
                          j->s->sim.scene->fluid.density;
        if (brochu_flies(&j->flight, f->a)) {
            j->flux[k] -= v3_dot(j->flight.velocity[j->flight.part[f->a]], f->area);
            continue;
        }
        const rill_vec3 a = m->site[f->a], b = k < j->inner ? m->site[f->b] : j->cross[k - j->inner].at;
        j->flux[k] += j->weight[k] * (j->dt * (v3_dot(j->gravity, b) - v3_dot(j->gravity, a)));
    }
}

/* The liquid's weight over the mean surface: what it is at rest. */
static rill_status first_guess(job *j, double **out)
{
    const fv_mesh *m = &j->s->mesh;
    double *q, mean = 0;
    TRY(ARENA_NEW(&j->s->scratch, q, m->cell_count + 1));
    uint32_t count = 0;
    for (uint32_t k = 0; k < j->surface; k++) {
        if (brochu_flies(&j->flight, m->face[j->inner + j->bubbled + k].a)) continue;
        mean += v3_dot(j->gravity, j->cross[j->bubbled + k].at);
        count++;
    }
    for (uint32_t i = 0; i < m->cell_count; i++)
        q[i] = count && !brochu_flies(&j->flight, i) ? j->dt * (v3_dot(j->gravity, m->site[i]) - mean / count)
                                                     : 0;
    *out = q;
    return RILL_OK;
}

static double worst_divergence(job *j, double *out, double *rms)
{
    const fv_mesh *m = &j->s->mesh;
    double worst = 0, sum = 0, volume = 0;
    projection_divergence(j->s->projection, j->flux, out);
    for (uint32_t i = 0; i < m->cell_count; i++) {
        const double rate = out[i] / m->volume[i];
        worst = fmax(worst, fabs(rate));
        sum += rate * rate * m->volume[i];
        volume += m->volume[i];
    }
    *rms = volume > 0 ? sqrt(sum / volume) : 0;
    return worst;
}

/* DEVIATES: no speed grows more in a step than twice, beyond what gravity, tension and what pushes the liquid
 * can give it. In films of a hundredth of a spacing the solve may give a face of hardly any area any speed.
 */
static double most_speed(const brochu *s, double t, double dt)
{
    const rill_scene *scene = s->sim.scene;
    double push = sqrt(scene_gravity_most(scene) * s->h) +
                  sqrt(scene->fluid.surface_tension / (scene->fluid.density * s->h));
    for (uint32_t i = 0; i < scene->emitter_count; i++)
        push = fmax(push, emitter_speed_most(&scene->emitters[i]));
    if (s->sim.solids.moving) push = fmax(push, solids_max_speed(&s->sim.solids, t, t + dt));
    for (uint32_t i = 0; i < s->sim.bodies.count; i++)
        push = fmax(push, v3_length(s->sim.bodies.world.body[i].velocity));
    return 2 * s->max_speed + 4 * push;
}

/* Before the solve: speeds that advection brought are not limited here; the check after the step reports
 * those that are too fast. */
static double fastest_block(void *arg, size_t begin, size_t end)
{
    const brochu_diagram *d = arg;
    double most = 0;
    for (size_t e = begin; e < end; e++)
        if (d->faces.valid[e]) most = fmax(most, fabs(d->faces.speed[e]));
    return most;
}

static void speed_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    job *j = arg;
    brochu_faces *f = &j->d->faces;
    const double least = 1e-12 * j->s->h * j->s->h;
    for (uint32_t k = (uint32_t)begin; k < end; k++) {
        const uint32_t e = j->face[k];
        const double area = fmax(f->area[e], least);
        f->speed[e] = fmax(-j->most, fmin(j->most, (reversed(j, k) ? -1 : 1) * j->flux[k] / area));
        const uint32_t part = j->flight.part[j->s->mesh.face[k].a];
        if (j->flight.flies[part])
            f->speed[e] += v3_dot(v3_madd(j->flight.velocity[part], j->dt, j->gravity), f->normal[e]);
    }
}

/* ---- bodies ---- */

static rill_status copy_bodies(job *j)
{
    const body_set *b = &j->s->sim.bodies;
    if (!b->count) return RILL_OK;
    TRY(ARENA_NEW(&j->s->scratch, j->bodies, b->count));
    for (uint32_t i = 0; i < b->count; i++) {
        j->bodies[i] = b->world.body[i];
        /* In two dimensions masses are those of a metre. */
        const double thick = j->s->flat ? box_size(j->s->box).z : 1;
        j->bodies[i].mass *= thick;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) j->bodies[i].inertia[r][c] *= thick;
    }
    return RILL_OK;
}

/* The projection takes the pressure on a body at the site's foot in the plane of a face. The liquid's weight
 * makes it differ at the face's centroid. */
static void lean_on_bodies(job *j)
{
    const brochu_diagram *d = j->d;
    const double density = j->s->sim.scene->fluid.density;
    for (uint32_t k = 0; j->bodies && k < j->solid; k++) {
        const uint32_t i = j->owner[k];
        if (d->solid_body[i] == BODY_NONE) continue;
        rigid_body *b = &j->bodies[d->solid_body[i]];
        double mass[BODY_FREEDOMS][BODY_FREEDOMS], root[BODY_FREEDOMS][BODY_FREEDOMS];
        const rill_vec3 area = j->piece[k].area, n = v3_unit(area),
                        to = v3_sub(j->piece[k].at, d->sites.x[i]), beside = v3_madd(to, -v3_dot(to, n), n);
        rigid_body_mass(b, mass);
        if (rigid_body_root(b, (const double(*)[BODY_FREEDOMS])mass, root))
            rigid_body_push(b, (const double(*)[BODY_FREEDOMS])root,
                            v3_scale(area, density * j->dt * v3_dot(j->gravity, beside)), j->piece[k].at,
                            v3(0, 0, 0));
    }
}

/* The impulses that made the motion what it is, through the door that keeps forces for gauges; and the
 * cells at bodies know how these go now. */
static void push_bodies(job *j)
{
    body_set *b = &j->s->sim.bodies;
    brochu_diagram *d = j->d;
    for (uint32_t i = 0; i < b->count; i++) {
        const rigid_body *was = &b->world.body[i], *is = &j->bodies[i];
        const rill_vec3 spin = v3_sub(is->spin, was->spin);
        rill_vec3 torque;
        for (int r = 0; r < 3; r++)
            v3_set_axis(&torque, r,
                        was->inertia[r][0] * spin.x + was->inertia[r][1] * spin.y +
                            was->inertia[r][2] * spin.z);
        bodies_push(b, i, v3_scale(v3_sub(is->velocity, was->velocity), was->mass), torque, j->dt);
    }
    for (uint32_t i = 0; b->count && i < d->sites.real; i++)
        if (d->solid_body[i] != BODY_NONE)
            d->solid_velocity[i] = rigid_body_velocity(&b->world.body[d->solid_body[i]], d->solid_point[i]);
}

static rill_status solve(job *j, rill_step_stats *stats)
{
    brochu *s = j->s;
    rill_ctx *ctx = s->sim.ctx;
    solver_report report;
    double *q;
    TRY(copy_bodies(j));
    lean_on_bodies(j);
    TRY(projection_prepare(s->projection, &s->mesh, j->bodies, s->sim.bodies.count, false));
    j->weight = projection_weights(s->projection);
    TRY(brochu_flight_find(&s->scratch, j->d, j->cell, &s->mesh, j->flux, &j->flight));
    parallel_for(ctx, j->inner + j->bubbled + j->surface, 1024, gravity_block, j);
    projection_boundary_flux(s->projection, j->flux);
    TRY(first_guess(j, &q));
    projection_solve(s->projection, j->flux, j->dt, q, &report);
    if (report.outcome == SOLVER_DIVERGED)
        return rill_fail(ctx, RILL_BLEW_UP, "the pressure solve diverged at t = %.4g s", s->sim.time);
    projection_update(s->projection, q, j->dt, j->flux, NULL);
    push_bodies(j);
    parallel_for(ctx, j->inner + j->bubbled + j->surface, 1024, speed_block, j);
    const double scale = s->sim.scene->fluid.density / j->dt;
    for (uint32_t i = 0; i < j->d->sites.real; i++)
        j->d->pressure[i] = j->cell[i] == SITE_NONE ? 0 : scale * q[j->cell[i]];
    stats->solve_iterations = report.iterations;
    stats->solve_residual = report.residual;
    stats->div_max = worst_divergence(j, q, &stats->div_rms);
    return RILL_OK;
}

rill_status brochu_project(brochu *s, brochu_diagram *d, double t, double dt, bool forces,
                           rill_step_stats *stats)
{
    const arena_mark mark = arena_mark_of(&s->scratch);
    job j = {.s = s, .d = d, .dt = dt};
    if (forces) {
        j.gravity = scene_gravity(s->sim.scene, t);
        j.tension = s->sim.scene->fluid.surface_tension;
        if (j.tension > 0 && s->def.implicit_tension) TRY(brochu_soften(s, dt));
    }
    j.most = most_speed(s, t, dt);
    if (d->faces.count) j.most = fmax(j.most, 2 * parallel_max(s->sim.ctx, d->faces.count, fastest_block, d));
    TRY(ARENA_NEW(&d->arena, d->pressure, d->sites.real));
    TRY(ARENA_NEW(&d->arena, d->inside, d->sites.real));
    TRY(make_mesh(&j));
    stats->solve_iterations = 0;
    stats->solve_residual = stats->div_max = stats->div_rms = 0;
    if (s->mesh.cell_count)
        TRY(solve(&j, stats));
    else
        for (uint32_t i = 0; i < d->sites.real; i++) d->pressure[i] = 0;
    arena_back(&s->scratch, mark);
    return RILL_OK;
}
