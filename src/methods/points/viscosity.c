/* Viscosity and walls that hold the liquid: what the paper leaves for later ([Sin09] section 5).
 *
 * Implicit, each component of the velocity by itself, with the two-point Laplacian of eq. 5 and 6:
 *
 *     V_i (u_i - u*_i) = nu dt [ sum_j a/l (u_j - u_i) + sum_held a/d (u_wall - u_i) ]
 *
 * Nothing passes through the surface: a free liquid that turns as a whole is slowed, which the whole
 * stress would not do. Walls hold it where they have no slip, d being the point's distance from them.
 * Without viscosity the paper's own proposal is taken: cells that touch such a wall move with it. */
#include "base/parallel.h"
#include "points/state.h"

typedef struct {
    points *s;
    double t, rate; /* nu dt */
    double *extra, *right, *now;
    rill_vec3 *pull; /* of walls: sum of a/d u_wall */
    int axis;
} job;

/* Distance of a point from a wall, and not less than a tenth of a spacing: where points are kept. */
static double distance_from(const points *s, uint32_t i, const points_face *f)
{
    const rill_vec3 d = v3_sub(points_shape(s, f)->centroid, s->particles.position[i]);
    return fmax(v3_dot(d, v3_unit(points_shape(s, f)->area)), 0.1 * s->h);
}

static void walls_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    points *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const points_cell *c = &s->cell[i];
        double held = 0;
        rill_vec3 pull = {0, 0, 0};
        for (uint32_t e = c->begin; e < c->end; e++) {
            if (s->link[e] < s->inner_count) continue;
            const points_face *f = &s->face[s->link[e]];
            rill_vec3 velocity;
            if (!points_wall_holds(s, f, j->t, &velocity)) continue;
            const double w = v3_length(points_shape(s, f)->area) / distance_from(s, (uint32_t)i, f);
            held += w;
            pull = v3_madd(pull, w, velocity);
        }
        if (!(j->rate > 0)) {
            if (held > 0) s->particles.velocity[i] = v3_scale(pull, 1 / held);
            continue;
        }
        j->extra[i] = held + fmax(c->volume, 0.1 * s->whole) / j->rate;
        j->pull[i] = pull;
    }
}

static void right_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const points *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const double mass = fmax(s->cell[i].volume, 0.1 * s->whole) / j->rate;
        j->now[i] = v3_axis(s->particles.velocity[i], j->axis);
        j->right[i] = mass * j->now[i] + v3_axis(j->pull[i], j->axis);
    }
}

static rill_status solve_components(points *s, job *j, solver *with)
{
    const size_t n = s->particles.count;
    for (j->axis = 0; j->axis < s->dimensions; j->axis++) {
        solver_report report;
        parallel_for(s->sim.ctx, n, POINTS_BLOCK, right_block, j);
        solver_solve(with, j->right, j->now, &report);
        if (report.outcome == SOLVER_DIVERGED)
            return rill_fail(s->sim.ctx, RILL_BLEW_UP, "the solve for viscosity diverged");
        for (size_t i = 0; i < n; i++) v3_set_axis(&s->particles.velocity[i], j->axis, j->now[i]);
    }
    return RILL_OK;
}

rill_status points_viscosity(points *s, double t, double dt)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t n = s->particles.count;
    job j = {.s = s, .t = t, .rate = dt * s->sim.scene->fluid.viscosity / s->sim.scene->fluid.density};
    if (!(j.rate > 0) && !s->holds) return RILL_OK;
    if (j.rate > 0) {
        TRY(ARENA_NEW(&s->scratch, j.extra, n));
        TRY(ARENA_NEW(&s->scratch, j.pull, n));
        TRY(ARENA_NEW(&s->scratch, j.right, n));
        TRY(ARENA_NEW(&s->scratch, j.now, n));
    }
    parallel_for(ctx, n, POINTS_BLOCK, walls_block, &j);
    if (!(j.rate > 0)) return RILL_OK;

    solver_def def = solver_def_default();
    def.tolerance = fmin(s->def.tolerance, 1e-6);
    /* The diagonal rules unless the liquid is thick. */
    def.kind = j.rate < s->h * s->h ? SOLVER_JACOBI : SOLVER_AMG;
    laplacian matrix = {0};
    solver *with = NULL;
    rill_status st = laplacian_build(ctx, (uint32_t)n, s->inner_count, s->edge, j.extra, &matrix);
    if (!st) st = solver_create(ctx, &def, &with);
    if (!st) st = solver_prepare(with, &matrix, NULL, false);
    if (!st) st = solve_components(s, &j, with);
    solver_destroy(with);
    laplacian_clear(ctx, &matrix);
    return st;
}
