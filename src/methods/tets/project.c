/* Boundary conditions and the projection of fluxes, [Klingner06] 3.4. */
#include "base/parallel.h"
#include "tets/state.h"

#include <string.h>

/* A source with a velocity at a closed side of a domain that has an open one: fluid comes in there. */
static bool inflow(const tets *s, rill_vec3 x, double t, rill_vec3 *velocity)
{
    const rill_scene *scene = s->sim.scene;
    if (!scene->domain.open) return false;
    if (s->flat) x.z = 0;
    for (uint32_t k = 0; k < scene->smoke_count; k++) {
        const scene_smoke *m = &scene->smoke[k];
        if (t < m->start || t >= m->end || shape_distance(&m->shape, x, NULL) > 0) continue;
        *velocity = velocity_field_at(&m->velocity, &scene->domain, x);
        return true;
    }
    return false;
}

void tets_boundary(tets *s, tets_state *a, double t)
{
    const rill_scene *scene = s->sim.scene;
    fv_mesh *fv = &a->mesh.fv;
    for (uint32_t k = fv->inner_count; k < fv->face_count; k++) {
        fv_boundary *b = &fv->boundary[k - fv->inner_count];
        const uint32_t owner = a->mesh.wall[k - fv->inner_count];
        if (owner < s->walls.count && s->walls.at[owner].body != UINT32_MAX)
            *b = (fv_boundary){.kind = FV_BODY, .body = s->walls.at[owner].body};
        if (owner < WALL_SIDE) continue;
        const int side = (int)(owner - WALL_SIDE);
        rill_vec3 velocity;
        if (s->flat && side_axis(side) == 2) continue;
        if (inflow(s, fv->face[k].centroid, t, &velocity))
            b->velocity = velocity;
        else if (scene->domain.open & 1u << side)
            *b = (fv_boundary){.kind = FV_SURFACE};
    }
}

/* Errata E-K7: in a closed domain what walls push in and out must add up to nothing. Rigid walls do; what
 * walls that deform leave over is taken from all of their faces by area, and told. */
static void balance_walls(tets *s, tets_state *a)
{
    fv_mesh *fv = &a->mesh.fv;
    double net = 0, area = 0, all = 0;
    for (uint32_t k = fv->inner_count; k < fv->face_count; k++) {
        const fv_boundary *b = &fv->boundary[k - fv->inner_count];
        const uint32_t owner = a->mesh.wall[k - fv->inner_count];
        if (b->kind == FV_SURFACE) return; /* an open side takes the rest */
        if (b->kind != FV_WALL) continue;
        const double flux = v3_dot(b->velocity, fv->face[k].area);
        net += flux;
        all += fabs(flux);
        if (owner < s->walls.count && s->walls.at[owner].deforms) area += v3_length(fv->face[k].area);
    }
    if (!(fabs(net) > 1e-9 * all) || !(area > 0)) return;
    for (uint32_t k = fv->inner_count; k < fv->face_count; k++) {
        fv_boundary *b = &fv->boundary[k - fv->inner_count];
        const uint32_t owner = a->mesh.wall[k - fv->inner_count];
        if (b->kind != FV_WALL || owner >= s->walls.count || !s->walls.at[owner].deforms) continue;
        b->velocity = v3_madd(b->velocity, -net / area, v3_unit(fv->face[k].area));
    }
    if (!s->told_flux && fabs(net) > 1e-3 * all)
        rill_log(s->sim.ctx, RILL_LOG_WARNING,
                 "solids that deform change the volume of a closed domain: %.3g m3/s are spread over their "
                 "surface; "
                 "open a side of the domain to let them out",
                 net);
    s->told_flux |= fabs(net) > 1e-3 * all;
}

/* ---- figures ---- */

typedef struct {
    const tets_state *a;
    const double *out; /* what leaves each cell */
} figures;

static void figure_terms(void *arg, size_t begin, size_t end, double *sum)
{
    const figures *f = arg;
    for (size_t c = begin; c < end; c++) {
        const double d = f->out[c] / f->a->mesh.fv.volume[c];
        sum[0] += d * d;
        sum[1] += f->a->mesh.fv.volume[c];
    }
}

static double largest_term(void *arg, size_t begin, size_t end)
{
    const figures *f = arg;
    double most = 0;
    for (size_t c = begin; c < end; c++) most = fmax(most, fabs(f->out[c]) / f->a->mesh.fv.volume[c]);
    return most;
}

static void tell(tets *s, const tets_state *a, double *out, const solver_report *report,
                 rill_step_stats *stats)
{
    const figures f = {a, out};
    const uint32_t n = a->mesh.fv.cell_count;
    double sum[2] = {0, 0};
    projection_divergence(s->projection, a->flux, out);
    parallel_sums(s->sim.ctx, n, figure_terms, (void *)&f, 2, sum);
    stats->div_rms = sqrt(sum[0] / n);
    stats->div_max = parallel_max(s->sim.ctx, n, largest_term, (void *)&f);
    stats->volume = sum[1] / s->thick;
    stats->solve_iterations += report->iterations;
    stats->solve_residual = report->residual;
}

/* ---- the solve ---- */

typedef struct {
    double *before; /* by face: fluxes as they come; NULL without bodies */
    double *q;      /* by cell */
} solving;

static rill_status solve(tets *s, tets_state *a, const solving *w, double dt, solver_report *report)
{
    const uint32_t n = a->mesh.fv.cell_count;
    memset(w->q, 0, n * sizeof *w->q);
    projection_boundary_flux(s->projection, a->flux);
    projection_solve(s->projection, a->flux, dt, w->q, report); /* eq. 7 */
    if (report->outcome == SOLVER_DIVERGED)
        return rill_fail(s->sim.ctx, RILL_BLEW_UP, "the pressure solve %s",
                         solver_outcome_text(report->outcome));
    projection_update(s->projection, w->q, dt, a->flux, NULL);
    return RILL_OK;
}

/* Until no more bodies are stopped by contacts and limits. */
static rill_status solve_with_bodies(tets *s, tets_state *a, const solving *w, double t, double dt,
                                     solver_report *report)
{
    enum { ROUNDS = 6 };
    const uint32_t bodies = s->sim.bodies.count;
    const size_t bytes = a->mesh.fv.face_count * sizeof *a->flux;
    tets_bodies_take(s);
    if (bodies) memcpy(w->before, a->flux, bytes);
    bool again = true;
    uint32_t iterations = 0;
    for (int round = 0; again && round < ROUNDS; round++) {
        if (round) memcpy(a->flux, w->before, bytes);
        TRY(projection_prepare(s->projection, &a->mesh.fv, s->bodies.body, bodies, round > 0));
        TRY(solve(s, a, w, dt, report));
        iterations += report->iterations;
        TRY(tets_bodies_stop(s, t, dt, &again));
    }
    report->iterations = iterations;
    for (uint32_t k = 0; k < bodies; k++)
        projection_body_impulse(s->projection, k, w->q, w->before, a->flux, &s->bodies.impulse[k],
                                &s->bodies.turning[k]);
    tets_bodies_finish(s, dt);
    return RILL_OK;
}

rill_status tets_project(tets *s, tets_state *a, double t, double dt, rill_step_stats *stats)
{
    solver_report report;
    solving w = {0};
    const uint32_t n = a->mesh.fv.cell_count;
    balance_walls(s, a);
    arena_reset(&s->scratch);
    TRY(ARENA_NEW(&s->scratch, w.q, n));
    if (s->sim.bodies.count) TRY(ARENA_NEW(&s->scratch, w.before, a->mesh.fv.face_count));
    TRY(solve_with_bodies(s, a, &w, t, dt, &report));
    const double scale = s->sim.scene->fluid.density / dt;
    for (uint32_t c = 0; c < n; c++) a->pressure[c] = scale * w.q[c];
    tell(s, a, w.q, &report, stats);
    return RILL_OK;
}
