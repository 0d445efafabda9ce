/* What keeps the points a good sampling, without touching what the flow does: centring, a filter,
 * and volumes restored through positions. None of it is in the paper, which says of itself that
 * it cannot run long (errata E-S4, E-S10). */
#include "base/parallel.h"
#include "points/bodies.h"

#include <string.h>

typedef struct {
    points *s;
    double dt;
    rill_vec3 *a, *b;
    double *right;
    const double *q;
} job;

/* ---- centring ---- */

/* Solves a symmetric 3 x 3 system for three right sides by elimination: m | r, in place. */
static void solve3(double m[3][3], double r[3][3])
{
    for (int p = 0; p < 3; p++)
        for (int k = 0; k < 3; k++) {
            if (k == p) continue;
            const double f = m[k][p] / m[p][p];
            for (int c = p; c < 3; c++) m[k][c] -= f * m[p][c];
            for (int c = 0; c < 3; c++) r[k][c] -= f * r[p][c];
        }
    for (int p = 0; p < 3; p++)
        for (int c = 0; c < 3; c++) r[p][c] /= m[p][p];
}

/* Size of the strain rate at a point: a gradient fitted to the differences to its neighbours. */
static double strain(const points *s, uint32_t i)
{
    const points_cell *c = &s->mesh.cell[i];
    const rill_vec3 *x = s->particles.position, *u = s->particles.velocity;
    double m[3][3] = {{0}}, r[3][3] = {{0}}, sum = 0;
    for (uint32_t e = c->begin; e < c->end; e++) {
        if (s->mesh.link[e] >= s->mesh.inner_count) continue;
        const points_face *f = &s->mesh.face[s->mesh.link[e]];
        const uint32_t o = f->a == i ? f->b : f->a;
        const rill_vec3 dx = v3_sub(x[o], x[i]), du = v3_sub(u[o], u[i]);
        const double l = f->reach + 0.05 * points_size_of(s, i)->h,
                     w = v3_length(points_shape(s, f)->area) / (l * l * l);
        const double d[3] = {dx.x, dx.y, dx.z}, v[3] = {du.x, du.y, du.z};
        for (int k = 0; k < 3; k++)
            for (int n = 0; n < 3; n++) {
                m[k][n] += w * d[k] * d[n];
                r[k][n] += w * d[k] * v[n];
            }
    }
    const double trace = m[0][0] + m[1][1] + m[2][2];
    if (!(trace > 0)) return 0;
    for (int k = 0; k < 3; k++) m[k][k] += 1e-3 * trace;
    solve3(m, r); /* r[k][n]: d u_n / d x_k */
    for (int k = 0; k < 3; k++)
        for (int n = 0; n < 3; n++) {
            const double e = 0.5 * (r[k][n] + r[n][k]);
            sum += e * e;
        }
    return sqrt(sum);
}

/* Towards the middle of the cell; along the surface alone where there is one, which would otherwise sink. */
rill_vec3 points_centre(const points *s, uint32_t i, double share)
{
    const points_cell *c = &s->mesh.cell[i];
    const points_size *size = points_size_of(s, i);
    if (c->joined < (s->dimensions == 2 ? 3u : 4u)) return v3(0, 0, 0);
    rill_vec3 d = v3_sub(c->centroid, s->particles.position[i]);
    if (c->air > 0) {
        const double a2 = v3_dot(c->air_area, c->air_area), h2 = size->h * size->h;
        if (a2 < 1e-4 * h2 * h2) return v3(0, 0, 0);
        d = v3_madd(d, -v3_dot(d, c->air_area) / a2, c->air_area);
    }
    if (s->dimensions == 2) d.z = 0;
    const double way = share * v3_length(d), most = 0.1 * size->h;
    if (way > most) share *= most / way;
    return v3_scale(d, share);
}

/* In proportion to the strain rate: at rest nothing moves. */
static rill_vec3 centring(const points *s, uint32_t i, double dt)
{
    if (s->mesh.cell[i].joined < (s->dimensions == 2 ? 3u : 4u)) return v3(0, 0, 0);
    return points_centre(s, i, fmin(0.5, s->def.centring * dt * strain(s, i)));
}

static void centring_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    points *s = j->s;
    const rill_vec3 *u = s->particles.velocity;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 d = centring(s, (uint32_t)i, j->dt), x = s->particles.position[i];
        s->step[i] = d;
        j->a[i] = v3(0, 0, 0);
        if (d.x == 0 && d.y == 0 && d.z == 0) continue;
        j->a[i] = v3_sub(points_average_at(s, u, (uint32_t)i, v3_add(x, d)),
                         points_average_at(s, u, (uint32_t)i, x));
    }
}

static void add_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    rill_vec3 *u = j->s->particles.velocity;
    for (size_t i = begin; i < end; i++) u[i] = v3_add(u[i], j->a[i]);
}

rill_status points_shift(points *s, double dt)
{
    const size_t n = s->particles.count;
    job j = {.s = s, .dt = dt};
    TRY(ARENA_NEW(&s->scratch, s->step, n));
    TRY(ARENA_NEW(&s->scratch, j.a, n));
    parallel_for(s->sim.ctx, n, POINTS_BLOCK, centring_block, &j);
    parallel_for(s->sim.ctx, n, POINTS_BLOCK, add_block, &j); /* the velocity of the new place */
    return RILL_OK;
}

/* ---- filter ---- */

static void filter_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    rill_vec3 *u = j->s->particles.velocity;
    /* Half of it where eddies are to be kept, which take two half steps. */
    const double share = j->s->def.reflection ? j->s->def.filter / 4 : j->s->def.filter;
    for (size_t i = begin; i < end; i++) u[i] = v3_madd(u[i], -share, j->b[i]);
}

/* With e = average - velocity: the velocity gains a share of e - average of e, which is nothing for
 * what averages see. */
rill_status points_filter(points *s)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t n = s->particles.count;
    job j = {.s = s};
    if (!(s->def.filter > 0)) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, j.a, n));
    TRY(ARENA_NEW(&s->scratch, j.b, n));
    points_excess(s, s->particles.velocity, j.a);
    points_excess(s, j.a, j.b);
    parallel_for(ctx, n, POINTS_BLOCK, filter_block, &j);
    return RILL_OK;
}

/* ---- volumes ---- */

static void missing_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const points *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const double whole = points_size_of(s, i)->whole, most = 0.1 * whole;
        double missing = s->def.restore * (whole - s->mesh.cell[i].volume);
        /* Cells at the surface bulge: more than the whole is no error there. */
        if (s->mesh.cell[i].air > 0) missing = fmax(0, missing);
        if (s->mesh.cell[i].edge) missing = 0; /* its volume changes with the flow through the side */
        j->right[i] = fmax(-most, fmin(most, missing));
    }
}

static void step_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    points *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const double way = v3_length(j->a[i]), most = 0.1 * points_size_of(s, i)->h;
        s->step[i] = v3_madd(s->step[i], way > most ? most / way : 1, j->a[i]);
    }
}

rill_status points_restore(points *s)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t n = s->particles.count;
    job j = {.s = s, .right = s->right};
    double *q;
    solver_report report;
    if (!(s->def.restore > 0)) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, j.a, n));
    TRY(ARENA_NEW(&s->scratch, q, n));
    memset(q, 0, n * sizeof *q);
    parallel_for(ctx, n, POINTS_BLOCK, missing_block, &j);
    TRY(points_bodies_part(s)); /* points move, bodies do not */
    points_sides_press(s, v3(0, 0, 0), j.right);
    solver_set_tolerance(s->solver, 1e-3);
    solver_solve(s->solver, j.right, q, &report);
    if (report.outcome == SOLVER_DIVERGED)
        return rill_fail(ctx, RILL_BLEW_UP, "the solve for volumes %s", solver_outcome_text(report.outcome));
    points_pressure_flux(s, q);
    points_gather(s, q, false, j.a);
    parallel_for(ctx, n, POINTS_BLOCK, step_block, &j);
    return RILL_OK;
}
