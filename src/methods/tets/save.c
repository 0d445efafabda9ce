/* Saving and loading: nodes, fluxes and what flows, samples of walls.
 *
 * The mesh is made again from its nodes, in their order, which gives the same tetrahedra; which of them are
 * fluid is saved, since the sizing field that decided it is gone. */
#include "base/text.h"
#include "tets/state.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLE_NUMBERS = 14 };

/* ---- samples ---- */

static void sample_to(const sample *a, double *out)
{
    const double n[SAMPLE_NUMBERS] = {a->x.x,
                                      a->x.y,
                                      a->x.z,
                                      a->normal.x,
                                      a->normal.y,
                                      a->normal.z,
                                      a->mate == UINT32_MAX ? -1.0 : (double)a->mate,
                                      a->kind,
                                      a->size,
                                      (double)a->anchor.triangle,
                                      a->anchor.weight[0],
                                      a->anchor.weight[1],
                                      a->anchor.weight[2],
                                      a->anchor.distance};
    memcpy(out, n, sizeof n);
}

static bool sample_from(const double *n, uint32_t count, sample *out)
{
    for (int k = 0; k < SAMPLE_NUMBERS; k++)
        if (!(fabs(n[k]) < 1e10)) return false;
    if (!(n[6] >= -1 && n[6] < count) || !(n[7] >= NODE_FACE && n[7] <= NODE_CORNER) || !(n[8] > 0))
        return false;
    if (!(n[9] >= 0 && n[9] < UINT32_MAX)) return false;
    *out =
        (sample){.x = v3(n[0], n[1], n[2]),
                 .normal = v3(n[3], n[4], n[5]),
                 .mate = n[6] < 0 ? UINT32_MAX : (uint32_t)n[6],
                 .kind = (uint8_t)n[7],
                 .size = n[8],
                 .anchor = {.triangle = (uint32_t)n[9], .weight = {n[10], n[11], n[12]}, .distance = n[13]}};
    return true;
}

static rill_status save_samples(rill_ctx *ctx, const samples *s, const char *name, rill_writer *w)
{
    double *n;
    TRY(MEM_NEW(ctx, n, (size_t)SAMPLE_NUMBERS * s->count));
    for (uint32_t i = 0; i < s->count; i++) sample_to(&s->at[i], n + (size_t)SAMPLE_NUMBERS * i);
    const rill_status st = save_chunk(w, name, SAVE_F64, (uint64_t)SAMPLE_NUMBERS * s->count, n);
    mem_free(ctx, n);
    return st;
}

/* The triangles an anchor may name: those of a wall that deforms. */
static uint32_t anchor_limit(const tets *s, uint32_t k)
{
    if (k >= s->walls.count || !s->walls.at[k].deforms || !s->walls.at[k].form.sequence.now.span)
        return UINT32_MAX;
    return (uint32_t)mesh_distance_surface(s->walls.at[k].form.sequence.now.span)->triangle_count;
}

static rill_status load_samples(tets *s, uint32_t k, samples *out, const char *name, rill_reader *r)
{
    rill_ctx *ctx = s->sim.ctx;
    uint64_t count;
    double *n = NULL;
    samples read = {0};
    TRY(load_count(r, name, SAVE_F64, &count));
    if (count % SAMPLE_NUMBERS || count / SAMPLE_NUMBERS > DELAUNAY_MOST)
        return rill_fail(ctx, RILL_BAD_FILE, "\"%s\" has %llu numbers", name, (unsigned long long)count);
    rill_status st = MEM_NEW(ctx, n, count);
    if (!st) st = load_chunk(r, name, SAVE_F64, count, n);
    for (uint64_t i = 0; !st && i < count / SAMPLE_NUMBERS; i++) {
        sample a;
        if (!sample_from(n + SAMPLE_NUMBERS * i, (uint32_t)(count / SAMPLE_NUMBERS), &a) ||
            a.anchor.triangle >= anchor_limit(s, k))
            st = rill_fail(ctx, RILL_BAD_FILE, "\"%s\": sample %llu makes no sense", name,
                           (unsigned long long)i);
        else
            st = samples_add(ctx, &read, &a);
    }
    mem_free(ctx, n);
    if (st) {
        samples_clear(ctx, &read);
        return st;
    }
    samples_clear(ctx, out);
    *out = read;
    return RILL_OK;
}

/* ---- saving ---- */

rill_status tets_save(const rill_sim *sim, rill_writer *w)
{
    const tets *s = tets_view_of(sim);
    const tets_state *a = &s->state[s->now];
    const tet_mesh *m = &a->mesh;
    const double scalars[1] = {s->max_speed};
    TRY(save_chunk(w, "tets", SAVE_F64, 1, scalars));
    TRY(save_chunk(w, "tets.nodes", SAVE_F64, 3 * (uint64_t)m->count, m->x));
    TRY(save_chunk(w, "tets.kinds", SAVE_U8, m->count, m->kind));
    TRY(save_chunk(w, "tets.owners", SAVE_U8, 2 * (uint64_t)m->count, m->owner));
    TRY(save_chunk(w, "tets.fluid", SAVE_U8, m->d.finite, m->fluid));
    TRY(save_chunk(w, "tets.velocity.flux", SAVE_F64, m->fv.face_count, a->flux));
    TRY(save_chunk(w, "tets.pressure", SAVE_F64, m->fv.cell_count, a->pressure));
    if (s->smoky) {
        TRY(save_chunk(w, "tets.soot", SAVE_F64, m->count, a->soot));
        TRY(save_chunk(w, "tets.heat", SAVE_F64, m->count, a->heat));
    }
    TRY(save_samples(sim->ctx, &s->mesher.box, "tets.box", w));
    TRY(save_samples(sim->ctx, &s->mesher.meet, "tets.meet", w));
    for (uint32_t k = 0; k < s->walls.count; k++) {
        char name[SAVE_NAME];
        snprintf(name, sizeof name, "tets.wall%u", k);
        TRY(save_samples(sim->ctx, &s->mesher.wall[k], name, w));
    }
    return RILL_OK;
}

/* ---- loading ---- */

static rill_status load_nodes(tets *s, tet_mesh *m, rill_reader *r)
{
    rill_ctx *ctx = s->sim.ctx;
    uint64_t n;
    TRY(load_count(r, "tets.kinds", SAVE_U8, &n));
    if (n < 4 || n > DELAUNAY_MOST)
        return rill_fail(ctx, RILL_BAD_FILE, "a mesh of %llu nodes", (unsigned long long)n);
    m->count = 0;
    TRY(mesh_reserve(m, n));
    TRY(load_chunk(r, "tets.nodes", SAVE_F64, 3 * n, m->x));
    TRY(load_chunk(r, "tets.kinds", SAVE_U8, n, m->kind));
    TRY(load_chunk(r, "tets.owners", SAVE_U8, 2 * n, m->owner));
    for (uint64_t i = 0; i < n; i++) {
        if (m->kind[i] > NODE_CORNER || !v3_finite(m->x[i]) ||
            !box_contains(box_grown(s->walls.box, 1e-3 * s->h), m->x[i]))
            return rill_fail(ctx, RILL_BAD_FILE, "node %llu of the mesh makes no sense",
                             (unsigned long long)i);
        m->gap[i] = -1;
        m->fresh[i] = NODE_NEW;
    }
    m->count = (uint32_t)n;
    return RILL_OK;
}

static bool all_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static rill_status load_state(tets *s, tets_state *a, rill_reader *r)
{
    rill_ctx *ctx = s->sim.ctx;
    tet_mesh *m = &a->mesh;
    TRY(load_nodes(s, m, r));
    TRY(mesh_build(m, &s->walls, &s->mesher.size, false));
    TRY(load_chunk(r, "tets.fluid", SAVE_U8, m->d.finite, m->fluid));
    TRY(mesh_finish(m, &s->walls));
    TRY(tets_state_arrays(s, a));
    TRY(load_chunk(r, "tets.velocity.flux", SAVE_F64, m->fv.face_count, a->flux));
    TRY(load_chunk(r, "tets.pressure", SAVE_F64, m->fv.cell_count, a->pressure));
    bool fine = all_finite(a->flux, m->fv.face_count) && all_finite(a->pressure, m->fv.cell_count);
    if (s->smoky) {
        TRY(load_chunk(r, "tets.soot", SAVE_F64, m->count, a->soot));
        TRY(load_chunk(r, "tets.heat", SAVE_F64, m->count, a->heat));
        fine = fine && all_finite(a->soot, m->count) && all_finite(a->heat, m->count);
    }
    return fine ? RILL_OK : rill_fail(ctx, RILL_BAD_FILE, "the fluid is not finite");
}

rill_status tets_load(rill_sim *sim, rill_reader *r)
{
    tets *s = tets_of(sim);
    double scalars[1];
    TRY(load_chunk(r, "tets", SAVE_F64, 1, scalars));
    TRY(tets_walls_go(s, sim->time, 0));
    TRY(load_samples(s, WALL_BOX, &s->mesher.box, "tets.box", r));
    TRY(load_samples(s, WALL_BOX, &s->mesher.meet, "tets.meet", r));
    for (uint32_t k = 0; k < s->walls.count; k++) {
        char name[SAVE_NAME];
        snprintf(name, sizeof name, "tets.wall%u", k);
        TRY(load_samples(s, k, &s->mesher.wall[k], name, r));
    }
    size_update(&s->mesher.size, &s->walls);
    TRY(load_state(s, tets_next(s), r));
    s->now = 1 - s->now;
    s->max_speed = scalars[0];
    tets_boundary(s, tets_now(s), sim->time);
    return tets_recover(s, tets_now(s), tets_now(s)->flux, TETS_CORRECTS, &tets_now(s)->u);
}
