/* Boundary conditions and the projection of fluxes, [Klingner06] 3.4. */
#include "base/parallel.h"
#include "base/union_find.h"
#include "flow/body_faces.h"
#include "tets/state.h"

#include <string.h>

/* Whether a source with a velocity covers x, on a closed side of a domain that has an open one: fluid comes
 * in there. Of several the last of the scene counts, as inside. */
static bool inflow(const tets *s, rill_vec3 x, double t, rill_vec3 *velocity)
{
    const rill_scene *scene = s->sim.scene;
    bool found = false;
    if (!scene->domain.open) return false;
    if (s->flat) x.z = 0;
    for (uint32_t k = 0; k < scene->smoke_count; k++) {
        const scene_smoke *m = &scene->smoke[k];
        if (!smoke_gives(m, t) || !smoke_blows(m) || shape_distance(&m->shape, x, NULL) > 0) continue;
        *velocity = velocity_field_at(&m->velocity, &scene->domain, x);
        found = true;
    }
    return found;
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
        if (scene->domain.open & 1u << side)
            *b = (fv_boundary){.kind = FV_SURFACE};
        else if (inflow(s, fv->face[k].centroid, t, &velocity))
            b->velocity = velocity;
    }
}

/* ---- fluxes that cannot be ---- */

/* Fluid that solids and sides cut off from the rest. */
typedef struct {
    double net, all;   /* m3/s through its walls: sum, sum of sizes */
    double most;       /* m3/s: the same if all walls moved along their normals */
    double area[2];    /* m2 of walls: those that deform, others that push */
    bool open, piston; /* piston: a body there can make room */
} fluid_part;

typedef struct {
    rill_vec3 sum;
    double size;
} area_sum;

enum { PUSH_DEFORMS, PUSH_RIGID, PUSH_NONE };

static int push_of(const tets *s, const tet_mesh *m, uint32_t k)
{
    const fv_boundary *b = &m->fv.boundary[k - m->fv.inner_count];
    const uint32_t owner = m->wall[k - m->fv.inner_count];
    if (b->kind != FV_WALL) return PUSH_NONE;
    if (owner < s->walls.count && s->walls.at[owner].deforms) return PUSH_DEFORMS;
    return v3_dot(b->velocity, b->velocity) > 0 ? PUSH_RIGID : PUSH_NONE;
}

/* bodies: by part and body. */
static void add_boundary(const tets *s, const tet_mesh *m, const uint32_t *part_of, fluid_part *part,
                         area_sum *bodies)
{
    const fv_mesh *fv = &m->fv;
    for (uint32_t k = fv->inner_count; k < fv->face_count; k++) {
        const fv_boundary *b = &fv->boundary[k - fv->inner_count];
        fluid_part *p = &part[part_of[fv->face[k].a]];
        const rill_vec3 area = fv->face[k].area;
        const int push = push_of(s, m, k);
        p->open |= b->kind == FV_SURFACE;
        if (b->kind == FV_BODY) {
            area_sum *at = &bodies[(p - part) * s->sim.bodies.count + b->body];
            at->sum = v3_add(at->sum, area);
            at->size += v3_length(area);
        }
        if (push == PUSH_NONE) continue;
        p->net += v3_dot(b->velocity, area);
        p->all += fabs(v3_dot(b->velocity, area));
        p->most += v3_length(b->velocity) * v3_length(area);
        p->area[push] += v3_length(area);
    }
}

static bool out_of_balance(const fluid_part *p)
{
    return !p->open && !p->piston && fabs(p->net) > 1e-9 * p->all;
}

static void tell_flux(tets *s, const fluid_part *p)
{
    if (!s->told_flux)
        rill_log(
            s->sim.ctx, RILL_LOG_WARNING,
            "solids or sources change the volume of fluid that is closed in: %.3g m3/s are spread over the "
            "surface that pushes it; open a side of the domain to let them out",
            p->net);
    s->told_flux = true;
}

/* Whether any fluid is pushed by what the fluid does not move. */
static bool anything_pushes(const tets *s)
{
    for (uint32_t k = 0; k < s->walls.count; k++)
        if (s->walls.at[k].moves && s->walls.at[k].body == BODY_NONE) return true;
    for (uint32_t k = 0; k < s->sim.scene->smoke_count; k++)
        if (s->sim.scene->domain.open && smoke_blows(&s->sim.scene->smoke[k])) return true;
    return false;
}

/* Errata E-K7: what walls push into fluid that is closed in must add up to nothing. What is left over, by
 * walls that deform, or rigid ones that leave through a side or part the fluid, is taken from their faces by
 * area. */
static rill_status balance_walls(tets *s, tets_state *a)
{
    fv_mesh *fv = &a->mesh.fv;
    uint32_t *part_of;
    fluid_part *part;
    area_sum *area;
    if (!anything_pushes(s)) return RILL_OK;
    arena_reset(&s->scratch);
    TRY(ARENA_NEW(&s->scratch, part_of, fv->cell_count));
    union_find_init(part_of, fv->cell_count);
    for (uint32_t k = 0; k < fv->inner_count; k++)
        (void)union_find_join(part_of, fv->face[k].a, fv->face[k].b);
    const uint32_t parts = union_find_number(part_of, fv->cell_count);
    TRY(ARENA_NEW(&s->scratch, part, parts));
    memset(part, 0, parts * sizeof *part);
    const size_t bodies = s->sim.bodies.count;
    TRY(ARENA_NEW(&s->scratch, area, parts * bodies));
    memset(area, 0, parts * bodies * sizeof *area);
    add_boundary(s, &a->mesh, part_of, part, area);
    for (size_t i = 0; i < parts * bodies; i++)
        part[i / bodies].piston |= area[i].size > 0 && v3_length(area[i].sum) >= BODY_PATCH * area[i].size;
    for (uint32_t k = fv->inner_count; k < fv->face_count; k++) {
        const fluid_part *p = &part[part_of[fv->face[k].a]];
        const int push = push_of(s, &a->mesh, k),
                  gives = p->area[PUSH_DEFORMS] > 0 ? PUSH_DEFORMS : PUSH_RIGID;
        if (push != gives || !out_of_balance(p)) continue;
        fv_boundary *b = &fv->boundary[k - fv->inner_count];
        b->velocity = v3_madd(b->velocity, -p->net / p->area[push], v3_unit(fv->face[k].area));
    }
    double most = 0;
    for (uint32_t i = 0; i < parts; i++) most += part[i].most;
    for (uint32_t i = 0; i < parts; i++)
        if (out_of_balance(&part[i]) && fabs(part[i].net) > 0.01 * most) tell_flux(s, &part[i]);
    return RILL_OK;
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
    TRY(balance_walls(s, a));
    arena_reset(&s->scratch);
    TRY(ARENA_NEW(&s->scratch, w.q, n));
    if (s->sim.bodies.count) TRY(ARENA_NEW(&s->scratch, w.before, a->mesh.fv.face_count));
    TRY(solve_with_bodies(s, a, &w, t, dt, &report));
    const double scale = s->sim.scene->fluid.density / dt;
    for (uint32_t c = 0; c < n; c++) a->pressure[c] = scale * w.q[c];
    tell(s, a, w.q, &report, stats);
    return RILL_OK;
}
