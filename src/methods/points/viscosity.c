/* Viscosity and walls that hold the liquid: what the paper leaves for later ([Sin09] section 5).
 *
 * Implicit: the velocities u that take least of
 *
 *     1/2 sum_i V_i |u_i - u*_i|^2 + E(u),
 *
 * E as in viscous.c, by conjugate gradients. The preconditioner is that of the two-point Laplacian, for each
 * component alone: multigrid where the liquid is thick, else the diagonal.
 *
 * Where the liquid is thick, viscosity works on velocities without divergence (points.c projects before):
 * what gravity adds to a liquid on a floor has to be taken by pressure, which viscosity could not do.
 *
 * Without viscosity nothing sticks. The paper's scheme has the paper's own proposal: cells that touch a wall
 * without slip move with it. */
#include "points/viscous.h"

#include "base/parallel.h"
#include "linalg/amg.h"
#include "linalg/gradients.h"
#include "points/bodies.h"

#include <string.h>

enum { MOST_ITERATIONS = 500 };

typedef struct {
    viscous v;
    rill_ctx *ctx;
    size_t n;
    rill_vec3 *x, *r, *p, *q, *z; /* solution, residual, direction, A p, preconditioned residual */
    float *in, *out;              /* one component */
    laplacian matrix;
    amg *multigrid; /* NULL: the diagonal */
    double size;    /* of the residual */
    double scale;   /* of the residual, to single precision */
    double alpha, beta;
    int axis;
} solve;

/* ---- the paper's walls ---- */

typedef struct {
    points *s;
    double t;
} hold_job;

static void hold_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const hold_job *j = arg;
    points *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const points_cell *c = &s->mesh.cell[i];
        double held = 0;
        rill_vec3 pull = {0, 0, 0}, velocity;
        for (uint32_t e = c->begin; e < c->end; e++) {
            const points_face *f = &s->mesh.face[s->mesh.link[e]];
            if (s->mesh.link[e] < s->mesh.inner_count || !points_wall_holds(s, f, j->t, &velocity)) continue;
            const double area = v3_length(points_shape(s, f)->area);
            held += area;
            pull = v3_madd(pull, area, velocity);
        }
        if (held > 0) s->particles.velocity[i] = v3_scale(pull, 1 / held);
    }
}

void points_hold(points *s, double t)
{
    hold_job j = {s, t};
    if (s->holds) parallel_for(s->sim.ctx, s->particles.count, POINTS_BLOCK, hold_block, &j);
}

/* ---- conjugate gradients ---- */

static double dot_block(void *arg, size_t begin, size_t end)
{
    const rill_vec3 *const *pair = arg;
    double sum = 0;
    for (size_t i = begin; i < end; i++) sum += v3_dot(pair[0][i], pair[1][i]);
    return sum;
}

static double dot(const solve *w, const rill_vec3 *a, const rill_vec3 *b)
{
    const rill_vec3 *pair[2] = {a, b};
    return parallel_sum(w->ctx, w->n, dot_block, pair);
}

static void narrow_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const solve *w = arg;
    for (size_t i = begin; i < end; i++) w->in[i] = (float)(w->scale * v3_axis(w->r[i], w->axis));
}

static void widen_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const solve *w = arg;
    for (size_t i = begin; i < end; i++) v3_set_axis(&w->z[i], w->axis, w->out[i] / w->scale);
}

static void diagonal_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const solve *w = arg;
    for (size_t i = begin; i < end; i++) w->z[i] = v3_scale(w->r[i], 1 / w->matrix.diagonal[i]);
}

/* z = M^-1 r. */
static void precondition(void *arg, double dots[2])
{
    solve *w = arg;
    w->scale = 1 / w->size;
    if (!w->multigrid) {
        parallel_for(w->ctx, w->n, POINTS_BLOCK, diagonal_block, w);
    } else {
        for (w->axis = 0; w->axis < w->v.s->dimensions; w->axis++) {
            parallel_for(w->ctx, w->n, POINTS_BLOCK, narrow_block, w);
            amg_apply(w->ctx, w->multigrid, w->in, w->out);
            parallel_for(w->ctx, w->n, POINTS_BLOCK, widen_block, w);
        }
    }
    dots[0] = dot(w, w->r, w->z);
}

static void step_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const solve *w = arg;
    for (size_t i = begin; i < end; i++) {
        w->x[i] = v3_madd(w->x[i], w->alpha, w->p[i]);
        w->r[i] = v3_madd(w->r[i], -w->alpha, w->q[i]);
    }
}

static void direction_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const solve *w = arg;
    for (size_t i = begin; i < end; i++) w->p[i] = v3_madd(w->z[i], w->beta, w->p[i]);
}

static void direct(void *arg, double beta)
{
    solve *w = arg;
    w->beta = beta;
    parallel_for(w->ctx, w->n, POINTS_BLOCK, direction_block, w);
}

static double apply(void *arg)
{
    solve *w = arg;
    points_viscous_apply(&w->v, w->p, w->q);
    return dot(w, w->p, w->q);
}

static double advance(void *arg, double alpha)
{
    solve *w = arg;
    w->alpha = alpha;
    parallel_for(w->ctx, w->n, POINTS_BLOCK, step_block, w);
    return w->size = sqrt(dot(w, w->r, w->r));
}

/* Right side and first residual, from x = u*. Returns the right side's size. */
static double start(solve *w)
{
    const points *s = w->v.s;
    const rill_vec3 *u = s->particles.velocity;
    /* b = inertia u* - what walls alone do; the operator's affine part */
    memset(w->p, 0, w->n * sizeof *w->p);
    w->v.moved = true;
    points_viscous_apply(&w->v, w->p, w->q);
    points_viscous_apply(&w->v, u, w->r);
    w->v.moved = false;
    double right = 0;
    for (size_t i = 0; i < w->n; i++) {
        const rill_vec3 b = v3_scale(u[i], w->v.inertia[i]), all = v3_sub(b, w->q[i]);
        right += v3_dot(all, all);
        w->r[i] = v3_sub(b, w->r[i]);
        w->x[i] = u[i];
        w->z[i] = v3(0, 0, 0);
    }
    return sqrt(right);
}

static void iterate(solve *w, double tolerance, solver_report *report)
{
    static const gradients_system system = {
        .precondition = precondition, .direct = direct, .apply = apply, .advance = advance};
    const double right = start(w), target = tolerance * right;
    gradients g = {.system = &system, .arg = w};
    gradients_end end = GRADIENTS_GO_ON;
    w->size = sqrt(dot(w, w->r, w->r));
    while (g.iterations < MOST_ITERATIONS && w->size > target && end == GRADIENTS_GO_ON)
        end = gradients_step(&g, &w->size);
    report->outcome = w->size <= target               ? SOLVER_CONVERGED
                      : end == GRADIENTS_NOT_FINITE   ? SOLVER_DIVERGED
                      : end == GRADIENTS_NOT_POSITIVE ? SOLVER_STALLED
                                                      : SOLVER_LIMIT;
    report->iterations = g.iterations;
    report->residual = right > 0 ? w->size / right : 0;
}

static rill_status prepare(solve *w)
{
    points *s = w->v.s;
    double *extra;
    TRY(ARENA_NEW(&s->scratch, w->x, w->n));
    TRY(ARENA_NEW(&s->scratch, w->r, w->n));
    TRY(ARENA_NEW(&s->scratch, w->p, w->n));
    TRY(ARENA_NEW(&s->scratch, w->q, w->n));
    TRY(ARENA_NEW(&s->scratch, w->z, w->n));
    TRY(ARENA_NEW(&s->scratch, w->in, w->n));
    TRY(ARENA_NEW(&s->scratch, w->out, w->n));
    TRY(ARENA_NEW(&s->scratch, extra, w->n));
    for (size_t i = 0; i < w->n; i++) {
        extra[i] = w->v.inertia[i];
        for (uint32_t e = w->v.start[i]; e < w->v.start[i + 1]; e++) {
            const viscous_link *l = &w->v.link[e];
            if (l->other == UINT32_MAX) extra[i] += l->slips ? l->weight / s->dimensions : l->weight;
        }
    }
    TRY(laplacian_build(w->ctx, (uint32_t)w->n, s->mesh.inner_count, s->mesh.edge, extra, &w->matrix));
    /* The diagonal rules unless the liquid is thick. */
    return w->v.rate < s->h * s->h ? RILL_OK : amg_create(w->ctx, &w->matrix, &w->multigrid);
}

rill_status points_viscosity(points *s, double t, double dt, rill_step_stats *stats)
{
    rill_ctx *ctx = s->sim.ctx;
    const double rate = dt * s->sim.scene->fluid.viscosity / s->sim.scene->fluid.density;
    solve w = {.ctx = ctx, .n = s->particles.count};
    TRY(points_viscous_build(s, t, rate, &w.v));
    solver_report report = {0};
    rill_status st = prepare(&w);
    if (!st) iterate(&w, fmin(s->def.tolerance, 1e-6), &report);
    if (!st && report.outcome == SOLVER_DIVERGED)
        st = rill_fail(ctx, RILL_BLEW_UP, "the solve for viscosity diverged");
    if (!st) {
        memcpy(s->particles.velocity, w.x, w.n * sizeof *w.x);
        points_bodies_drag(s, &w.v, dt);
        stats->viscous_iterations = report.iterations;
        stats->viscous_residual = report.residual;
    }
    amg_destroy(ctx, w.multigrid);
    laplacian_clear(ctx, &w.matrix);
    return st;
}
