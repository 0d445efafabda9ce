/* The pressure projection, [Sin09] 3.3.
 *
 * DEVIATES: the paper takes the divergence of averaged velocities and updates by a gradient fitted
 * to the pressures, which do not belong together: what is called free of divergence changes its
 * volume (errata E-S4). Here divergence is the rate at which the cells' volumes change when the
 * points move with their velocities,
 *
 *     (D u)_i = sum_j a/l [(f - x_i).u_i - (f - x_j).u_j] + A_i.u_i + sum_wall a n.u_wall
 *
 * (a, f: area and centroid of a face, l: distance of its points, A: area vector of the air patch),
 * pressures come from the two-point Laplacian of eq. 5 and 6, and velocities gain
 *
 *     V_i^-1 [ sum_j a/l (q_i - q_j) (f - x_i) + q_i A_i + sum_wall a (f - x_i) (u_wall - u_i).n ]
 *
 * with q = pressure dt / density: the fluxes' part as the adjoint of D has it, and the walls'. */
#include "base/parallel.h"
#include "points/bodies.h"

#include <string.h>

typedef struct {
    points *s;
    double t, dt;
    rill_vec3 gravity;
    float *soot, *heat; /* of gas; NULL: none */
    const double *q;
    bool walls, again;
    rill_vec3 *out;
    double *sum;
    const bool *airy; /* per component: it has a surface */
    double bulge;     /* Pa: weight of the layer of balls above the liquid's own surface */
} job;

static void force_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    rill_vec3 *u = j->s->particles.velocity;
    const double per_soot = 1 / j->s->sim.scene->fluid.density, per_heat = 1 / SCENE_AMBIENT;
    for (size_t i = begin; i < end; i++) {
        const double weight = j->soot ? 1 + j->soot[i] * per_soot - j->heat[i] * per_heat : 1;
        u[i] = v3_madd(u[i], j->dt * weight, j->gravity);
    }
}

/* Gas is as heavy as its soot and heat make it in its weight alone (Boussinesq). */
void points_forces(points *s, double t, double dt)
{
    job j = {.s = s,
             .dt = dt,
             .gravity = scene_gravity(s->sim.scene, t + dt / 2),
             .soot = s->gas.soot,
             .heat = s->gas.heat};
    parallel_for(s->sim.ctx, s->particles.count, POINTS_BLOCK, force_block, &j);
}

/* ---- divergence ---- */

bool points_wall_holds(const points *s, const points_face *f, double t, rill_vec3 *velocity)
{
    solid_contact c;
    const scene_smoke *smoke;
    *velocity = v3(0, 0, 0);
    if (points_side_of(s, f, t, &smoke) == SIDE_INFLOW) {
        *velocity = velocity_field_at(&smoke->velocity, &s->sim.scene->domain, points_shape(s, f)->centroid);
        return true;
    }
    if (f->b != VORONOI_SOLID) return s->sim.scene->domain.slip == SLIP_NONE;
    if (!s->sim.solids.moving && !s->holds) return false;
    solids without = s->sim.solids;
    without.domain.open = ~0u;
    if (solids_distance(&without, points_shape(s, f)->centroid, t, &c) == INFINITY) return false;
    *velocity = c.velocity;
    if (s->sim.bodies.count && s->sim.bodies.of_solid[c.solid] != BODY_NONE)
        *velocity = rigid_body_velocity(&s->sim.bodies.world.body[s->sim.bodies.of_solid[c.solid]],
                                        points_shape(s, f)->centroid);
    return c.slip == SLIP_NONE;
}

static void flux_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    points *s = j->s;
    const rill_vec3 *x = s->particles.position, *u = s->particles.velocity;
    for (size_t k = begin; k < end; k++) {
        points_face *f = &s->mesh.face[k];
        if (k < s->mesh.inner_count) {
            const double both = v3_dot(v3_sub(points_shape(s, f)->centroid, x[f->a]), u[f->a]) -
                                v3_dot(v3_sub(points_shape(s, f)->centroid, x[f->b]), u[f->b]);
            f->flux = f->reach > 0 ? v3_length(points_shape(s, f)->area) / f->reach * both : 0;
        } else if (points_is_open(s, (uint32_t)k))
            f->flux = v3_dot(points_shape(s, f)->area, u[f->a]);
        else {
            rill_vec3 velocity;
            points_wall_holds(s, f, j->t, &velocity);
            f->flux = v3_dot(points_shape(s, f)->area, velocity);
        }
    }
}

/* What leaves each cell. */
static void divergence_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const points *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const points_cell *c = &s->mesh.cell[i];
        double sum = c->air > 0 || c->hole ? v3_dot(c->air_area, s->particles.velocity[i]) : 0;
        for (uint32_t e = c->begin; e < c->end; e++) {
            const points_face *f = &s->mesh.face[s->mesh.link[e]];
            sum += f->a == i ? f->flux : -f->flux;
        }
        j->sum[i] = sum;
    }
}

void points_divergence(points *s, double t, double *out)
{
    job j = {.s = s, .t = t, .sum = out};
    parallel_for(s->sim.ctx, s->mesh.face_count, POINTS_BLOCK, flux_block, &j);
    parallel_for(s->sim.ctx, s->particles.count, POINTS_BLOCK, divergence_block, &j);
}

/* ---- update ---- */

static void pressure_flux_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t k = begin; k < end; k++) {
        points_face *f = &j->s->mesh.face[k];
        if (k < j->s->mesh.inner_count)
            f->flux = f->weight * (j->q[f->a] - j->q[f->b]);
        else if (points_is_open(j->s, (uint32_t)k))
            f->flux = f->weight * (j->q[f->a] - points_outside(j->s, f));
    }
}

void points_pressure_flux(points *s, const double *q)
{
    job j = {.s = s, .q = q};
    const uint32_t count = s->gas.open ? s->mesh.face_count : s->mesh.inner_count;
    parallel_for(s->sim.ctx, count, POINTS_BLOCK, pressure_flux_block, &j);
}

/* A slit that is no air is part of the wall behind it: what the ball would push into it is taken away. */
static rill_vec3 behind_slits(const points_cell *c, double radius, bool walls, rill_vec3 u)
{
    const double area = v3_length(c->air_area);
    if (!walls || !(area > 0) || c->hole) return v3(0, 0, 0);
    return v3_scale(c->air_area, -radius / area * v3_dot(c->air_area, u));
}

static void gather_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const points *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const points_cell *c = &s->mesh.cell[i];
        const rill_vec3 x = s->particles.position[i], u = s->particles.velocity[i];
        rill_vec3 sum = c->air > 0 ? v3_scale(c->air_area, j->q[i])
                                   : behind_slits(c, points_size_of(s, i)->radius, j->walls, u);
        for (uint32_t e = c->begin; e < c->end; e++) {
            const points_face *f = &s->mesh.face[s->mesh.link[e]];
            const rill_vec3 off = v3_sub(points_shape(s, f)->centroid, x);
            if (s->mesh.link[e] < s->mesh.inner_count || points_is_open(s, s->mesh.link[e]))
                sum = v3_madd(sum, f->a == i ? f->flux : -f->flux, off);
            else if (j->walls) /* flux: that of the wall's velocity */
                sum = v3_add(sum, points_bodies_layer(s, s->mesh.link[e], u, off));
        }
        /* A cell that is nearly nothing would be thrown away by what little pushes it. */
        j->out[i] = v3_scale(sum, 1 / fmax(c->volume, 0.1 * points_size_of(s, i)->whole));
        if (s->dimensions == 2) j->out[i].z = 0;
    }
}

void points_gather(points *s, const double *q, bool walls, rill_vec3 *out)
{
    job j = {.s = s, .q = q, .walls = walls, .out = out};
    parallel_for(s->sim.ctx, s->particles.count, POINTS_BLOCK, gather_block, &j);
}

/* ---- the projection ---- */

/* The mean height of the balls of a flat surface above the surface of the liquid, which is half a spacing
 * above its outermost points. */
static double bulge_height(const points *s)
{
    enum { SIDE = 32 };
    const double r = s->sizes.of[1].radius, step = s->h / SIDE;
    const int deep = s->dimensions == 2 ? 1 : SIDE;
    double sum = 0;
    for (int k = 0; k < SIDE * deep; k++) {
        const double x = (k % SIDE + 0.5) * step - 0.5 * s->h,
                     z = deep == 1 ? 0 : (k / SIDE + 0.5) * step - 0.5 * s->h;
        sum += sqrt(fmax(r * r - x * x - z * z, 0));
    }
    return sum / (SIDE * deep) - 0.5 * s->h;
}

/* The solve has no pressure on the balls; gauges, columns and pictures have none where the liquid's volume
 * ends, so that the floor bears the weight of the liquid alone. What is in free flight has no weight, and
 * hardly any pressure: less than the layer's counts as none. The flow is not changed: it sees gradients
 * alone. */
static rill_status find_bulge(points *s, double t, job *j)
{
    const size_t n = s->particles.count;
    bool *airy;
    j->bulge = 0;
    if (s->def.filled || s->def.scheme == POINTS_PAPER) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, airy, n + 1));
    memset(airy, 0, (n + 1) * sizeof *airy);
    for (size_t i = 0; i < n; i++)
        if (s->mesh.cell[i].air > 0) airy[(size_t)s->component[i]] = true;
    j->airy = airy;
    j->bulge = s->sim.scene->fluid.density * v3_length(scene_gravity(s->sim.scene, t)) * bulge_height(s);
    return RILL_OK;
}

/* From the pressure of the solve to the one that is shown, and, for a first guess, back. */
static double without_bulge(const job *j, size_t i, double p)
{
    if (!(j->bulge > 0) || !j->airy[(size_t)j->s->component[i]] || p <= 0) return p;
    return fmax(p - j->bulge, 0);
}
static double with_bulge(const job *j, size_t i, double p)
{
    if (!(j->bulge > 0) || !j->airy[(size_t)j->s->component[i]] || p <= 0) return p;
    return p + j->bulge;
}

static void push_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    points *s = j->s;
    const double scale = s->sim.scene->fluid.density / j->dt;
    for (size_t i = begin; i < end; i++) {
        s->particles.velocity[i] = v3_add(s->particles.velocity[i], j->out[i]);
        s->push[i] = j->again ? v3_add(s->push[i], j->out[i]) : j->out[i];
        /* eq. 11: pressures are above that of the air, p_a, which pushes nothing. */
        const double p = scale * s->q[i];
        s->pressure[i] = (float)(j->again ? s->pressure[i] + p : s->def.air + without_bulge(j, i, p));
    }
}

static void again_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    points *s = arg;
    for (size_t i = begin; i < end; i++)
        s->particles.velocity[i] = v3_add(s->particles.velocity[i], s->push[i]);
}

void points_reflect(points *s)
{
    parallel_for(s->sim.ctx, s->particles.count, POINTS_BLOCK, again_block, s);
}

/* Volume is that of the liquid the cells stand for, not of the union of balls. A ball bulges beyond
 * the surface, by a third of a spacing, and that of a drop alone is 3.6 times what it holds: with air, more
 * than the whole is no liquid, as it is none where volumes are restored (shift.c). */
static void figures_block(void *arg, size_t begin, size_t end, double *out)
{
    const points *s = arg;
    for (size_t i = begin; i < end; i++) {
        const points_cell *c = &s->mesh.cell[i];
        const points_size *size = points_size_of(s, i);
        const double d = c->edge ? 0 : s->right[i] / fmax(c->volume, 0.1 * size->whole);
        out[0] += d * d;
        out[1] += c->air > 0 ? fmin(c->volume, size->whole) : c->volume;
        if (!c->edge) out[2] += size->share * fmax(0, 1 - c->volume / size->whole);
        out[3] += size->share;
    }
}

static double largest_block(void *arg, size_t begin, size_t end)
{
    const points *s = arg;
    double most = 0;
    for (size_t i = begin; i < end; i++)
        if (!s->mesh.cell[i].edge)
            most = fmax(most,
                        fabs(s->right[i]) / fmax(s->mesh.cell[i].volume, 0.1 * points_size_of(s, i)->whole));
    return most;
}

/* What the points feel: the rate at which their cells' volumes would change now. */
static void tell(points *s, double t, const solver_report *report, rill_step_stats *stats)
{
    double sum[4];
    const double n = (double)s->particles.count;
    points_divergence(s, t, s->right);
    parallel_sums(s->sim.ctx, s->particles.count, figures_block, s, 4, sum);
    stats->div_rms = n > 0 ? sqrt(sum[0] / n) : 0;
    stats->div_max = n > 0 ? parallel_max(s->sim.ctx, s->particles.count, largest_block, s) : 0;
    stats->volume = s->dimensions == 2 ? sum[1] / s->h : sum[1];
    stats->compression = n > 0 ? sum[2] / sum[3] : 0;
    stats->solve_iterations = report->iterations;
    stats->solve_residual = report->residual;
}

rill_status points_project(points *s, double t, double dt, bool again, rill_step_stats *stats)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t n = s->particles.count;
    const double guess = again ? 0 : dt / s->sim.scene->fluid.density;
    job j = {.s = s, .dt = dt, .again = again};
    solver_report report;
    if (!again) {
        TRY(ARENA_NEW(&s->scratch, s->q, n));
        TRY(ARENA_NEW(&s->scratch, s->right, n));
        TRY(ARENA_NEW(&s->scratch, s->push, n));
    }
    TRY(ARENA_NEW(&s->scratch, j.out, n));
    TRY(find_bulge(s, t + dt / 2, &j));

    const bool paper = s->def.scheme == POINTS_PAPER;
    points_bodies_begin(s, t, dt, again);
    if (paper)
        TRY(points_paper_divergence(s, t, s->right));
    else
        points_divergence(s, t, s->right); /* eq. 7 */
    for (size_t i = 0; i < n; i++) {
        s->right[i] = -s->right[i];
        s->q[i] = s->pressure[i] != 0 ? guess * with_bulge(&j, i, s->pressure[i] - s->def.air) : 0;
    }
    points_sides_press(s, again ? v3(0, 0, 0) : v3_scale(scene_gravity(s->sim.scene, t + dt / 2), dt),
                       s->right);
    solver_set_tolerance(s->solver, s->def.tolerance);
    solver_solve(s->solver, s->right, s->q, &report); /* eq. 4 */
    if (report.outcome == SOLVER_DIVERGED)
        return rill_fail(ctx, RILL_BLEW_UP, "the pressure solve %s", solver_outcome_text(report.outcome));
    points_bodies_press(s, s->q, dt);
    if (paper)
        points_paper_gradient(s, j.out); /* eq. 8 to 10 */
    else {
        points_pressure_flux(s, s->q);
        points_gather(s, s->q, true, j.out);
    }
    parallel_for(ctx, n, POINTS_BLOCK, push_block, &j);
    tell(s, t, &report, stats);
    return RILL_OK;
}
