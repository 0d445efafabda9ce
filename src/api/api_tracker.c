/* The surface tracker for a host. */
#include "api/api.h"
#include "tracker/tracker.h"

#include <string.h>

struct rill_tracker {
    rill_ctx *ctx;
    tracker *inside;
    bool busy; /* its velocity callback is being asked */
};

/* The host's callback, with a message when it fails without one. */
typedef struct {
    rill_ctx *ctx;
    rill_velocity_fn *velocity;
    void *user;
} callback;

rill_tracker_def rill_tracker_def_default(void)
{
    const tracker_def d = tracker_def_default();
    return (rill_tracker_def){.edge = d.edge,
                              .shortest = d.shortest,
                              .longest = d.longest,
                              .merge = d.merge,
                              .neck = d.neck,
                              .drop = d.drop,
                              .midpoint = d.midpoint,
                              .keep_volume = d.keep_volume,
                              .repair = d.repair};
}

/* The host's arrays as the inside sees a mesh; they are only read. */
static trimesh borrow(const rill_mesh *m)
{
    trimesh t = {.vertex_count = m->vertex_count,
                 .triangle_count = m->triangle_count,
                 .position = (rill_vec3 *)(uintptr_t)m->position,
                 .triangle = (uint32_t(*)[3])(uintptr_t)m->triangle};
    if (m->velocity) {
        t.column_count = 1;
        t.column[0].width = 3;
        t.column[0].value = (float *)(uintptr_t)m->velocity;
        strcpy(t.column[0].name, "velocity");
    }
    return t;
}

rill_status rill_tracker_create(rill_ctx *ctx, const rill_tracker_def *def, const rill_mesh *mesh,
                                rill_tracker **out)
{
    TRY(api_enter(ctx, "rill_tracker_create"));
    if (!def || !mesh || !out)
        return rill_fail(ctx, RILL_USAGE,
                         "rill_tracker_create: the definition, the mesh or the output is NULL");
    if ((mesh->vertex_count && !mesh->position) || (mesh->triangle_count && !mesh->triangle))
        return rill_fail(ctx, RILL_USAGE, "rill_tracker_create: the mesh has no positions or no triangles");
    tracker_def d = tracker_def_default();
    d.edge = def->edge;
    d.shortest = def->shortest;
    d.longest = def->longest;
    d.merge = def->merge;
    d.neck = def->neck;
    d.drop = def->drop;
    d.midpoint = def->midpoint != 0;
    d.keep_volume = def->keep_volume != 0;
    d.repair = def->repair != 0;
    rill_tracker *t;
    TRY(MEM_NEW_ZERO(ctx, t, 1));
    t->ctx = ctx;
    const trimesh view = borrow(mesh);
    const rill_status st = tracker_create(ctx, &d, &view, &t->inside);
    if (st) {
        mem_free(ctx, t);
        return st;
    }
    *out = t;
    return RILL_OK;
}

void rill_tracker_destroy(rill_tracker *t)
{
    if (!t || t->busy) return; /* from its callback: not now */
    tracker_destroy(t->inside);
    mem_free(t->ctx, t);
}

static rill_status ask(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    const callback *c = user;
    const rill_status st = c->velocity(c->user, time, n, x, u);
    if (st)
        return rill_fail(c->ctx, st, "rill_tracker_advance: the velocity callback failed at t = %.6g s",
                         time);
    return RILL_OK;
}

rill_status rill_tracker_advance(rill_tracker *t, double dt, rill_velocity_fn *velocity, void *user,
                                 rill_tracker_stats *stats)
{
    if (!t) return RILL_USAGE;
    rill_ctx *ctx = t->ctx;
    TRY(api_enter(ctx, "rill_tracker_advance"));
    if (t->busy)
        return rill_fail(ctx, RILL_USAGE,
                         "rill_tracker_advance: not from the velocity callback of the tracker");
    if (!velocity) return rill_fail(ctx, RILL_USAGE, "rill_tracker_advance: the velocity callback is NULL");
    if (rill_cancelled(ctx)) {
        atomic_store(&ctx->cancelled, 0);
        return rill_fail(ctx, RILL_CANCELLED, "stopped on request");
    }
    callback c = {.ctx = ctx, .velocity = velocity, .user = user};
    tracker_stats s;
    t->busy = true;
    ctx->calls++;
    const rill_status st = tracker_advance(t->inside, dt, ask, &c, &s);
    ctx->calls--;
    t->busy = false;
    if (st) return st;
    if (stats)
        *stats = (rill_tracker_stats){.steps = s.steps,
                                      .splits = s.splits,
                                      .flips = s.flips,
                                      .collapses = s.collapses,
                                      .merges = s.merges,
                                      .cuts = s.cuts,
                                      .drops = s.drops,
                                      .contacts = s.contacts,
                                      .held = s.held,
                                      .volume = s.volume};
    return RILL_OK;
}

double rill_tracker_time(const rill_tracker *t)
{
    return t ? tracker_time(t->inside) : 0;
}

void rill_tracker_view(const rill_tracker *t, rill_mesh *out)
{
    if (!out) return;
    *out = (rill_mesh){0};
    if (!t || t->busy) return; /* its mesh is being changed */
    const trimesh m = tracker_view(t->inside);
    *out = (rill_mesh){.vertex_count = m.vertex_count,
                       .triangle_count = m.triangle_count,
                       .position = m.position,
                       .triangle = (const uint32_t(*)[3])m.triangle};
    if (m.column_count) out->velocity = (const float(*)[3])(const void *)m.column[0].value;
}

size_t rill_tracker_part_count(const rill_tracker *t)
{
    const tracker_part *part;
    size_t count;
    if (!t || t->busy) return 0;
    tracker_parts(t->inside, &part, &count);
    return count;
}

rill_status rill_tracker_part_at(const rill_tracker *t, size_t index, rill_tracker_part *out)
{
    if (!t) return RILL_USAGE;
    TRY(api_enter(t->ctx, "rill_tracker_part_at"));
    if (t->busy) return rill_fail(t->ctx, RILL_USAGE, "rill_tracker_part_at: not from the velocity callback");
    const tracker_part *part;
    size_t count;
    tracker_parts(t->inside, &part, &count);
    if (index >= count || !out)
        return rill_fail(t->ctx, RILL_USAGE, "rill_tracker_part_at: part %zu of %zu", index, count);
    *out = (rill_tracker_part){.volume = part[index].volume,
                               .area = part[index].area,
                               .target = part[index].target,
                               .triangle_count = part[index].triangles,
                               .genus = part[index].genus};
    return RILL_OK;
}
