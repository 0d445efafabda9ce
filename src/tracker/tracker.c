#include "tracker/tracker.h"

#include "tracker/quality.h"
#include "tracker/repair.h"
#include "tracker/state.h"

#include <string.h>

enum { SORT_EVERY = 16, MOST_HALVINGS = 2 };
static const double FARTHEST = 1e8; /* edges from the origin: what touches is 1e4 roundings of a coordinate */
static const double LARGEST =
    1e20; /* coordinate, and its inverse the least extent: boxes are single precision */
static const double MOST_TRIANGLES = 5e8;

tracker_def tracker_def_default(void)
{
    return (tracker_def){.shortest = 0.5,
                         .longest = 1.5,
                         .flip_volume = 0.005,
                         .collapse_volume = 0.05,
                         .repulsion = 0.02,
                         .merge = 0.2,
                         .neck = 1,
                         .drop = 0.05,
                         .improve = true,
                         .collisions = true};
}

/* ---- the grid of boxes ---- */

boxes_range tracker_triangle_range(const tracker *t, uint32_t triangle, const rill_vec3 *end, double pad)
{
    const uint32_t *v = t->mesh.triangle[triangle];
    rill_vec3 lo = t->mesh.x[v[0]], hi = lo;
    for (int i = 0; i < 6; i++) {
        if (i >= 3 && !end) break;
        const rill_vec3 x = i < 3 ? t->mesh.x[v[i]] : end[v[i - 3]];
        if (x.x < lo.x) lo.x = x.x;
        if (x.y < lo.y) lo.y = x.y;
        if (x.z < lo.z) lo.z = x.z;
        if (x.x > hi.x) hi.x = x.x;
        if (x.y > hi.y) hi.y = x.y;
        if (x.z > hi.z) hi.z = x.z;
    }
    return boxes_range_of(&t->boxes, v3_sub(lo, v3(pad, pad, pad)), v3_add(hi, v3(pad, pad, pad)));
}

/* Cells of one and a half edges; larger ones when a triangle would otherwise lie in too many. */
static double cell_size(const tracker *t, const rill_vec3 *end)
{
    double longest = 0;
    for (uint32_t i = 0; i < t->mesh.triangles; i++) {
        if (!tmesh_triangle_live(&t->mesh, i)) continue;
        const boxes_range r = tracker_triangle_range(t, i, end, 0);
        for (int k = 0; k < 3; k++) longest = fmax(longest, (double)(r.hi[k] - r.lo[k]));
    }
    return fmax(1.5 * t->edge, longest / 8);
}

rill_status tracker_fill_boxes(tracker *t, const rill_vec3 *end, double pad)
{
    const tmesh *m = &t->mesh;
    rill_vec3 origin = {0};
    for (uint32_t v = 0; v < m->vertices; v++)
        if (tmesh_vertex_live(m, v)) {
            origin = m->x[v];
            break;
        }
    t->boxes.origin = origin;
    const double cell = cell_size(t, end);
    TRY(boxes_reset(&t->boxes, t->ctx, origin, cell, m->triangles));
    for (uint32_t i = 0; i < m->triangles; i++)
        if (tmesh_triangle_live(m, i))
            TRY(boxes_insert(&t->boxes, i, tracker_triangle_range(t, i, end, pad)));
    return tracker_reserve(t, 0, 0);
}

rill_status tracker_update_box(tracker *t, uint32_t triangle)
{
    boxes_remove(&t->boxes, triangle);
    return boxes_insert(&t->boxes, triangle, tracker_triangle_range(t, triangle, NULL, 0));
}

rill_status tracker_reserve(tracker *t, size_t vertices, size_t triangles)
{
    TRY(tmesh_reserve(&t->mesh, vertices, triangles));
    TRY(boxes_reserve(&t->boxes, t->mesh.triangles + triangles));
    TRY(mem_grow(t->ctx, &t->candidate, sizeof *t->candidate, &t->candidate_room,
                 t->mesh.triangles + triangles + 1));
    const size_t before = t->owed_room, most = t->mesh.vertices + vertices + 1;
    TRY(mem_grow(t->ctx, &t->owed, sizeof *t->owed, &t->owed_room, most));
    for (size_t v = before; v < t->owed_room; v++) t->owed[v] = 0;
    return mem_grow(t->ctx, &t->end, sizeof *t->end, &t->end_room, most);
}

/* ---- making one ---- */

static rill_status check_def(rill_ctx *ctx, const tracker_def *d)
{
    const double number[] = {d->edge, d->flip_volume, d->collapse_volume, d->repulsion, d->merge, d->film,
                             d->neck, d->drop};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        if (!(number[i] >= 0 && isfinite(number[i])))
            return rill_fail(ctx, RILL_USAGE, "tracker: a length or limit is negative or not a number");
    if (d->edge > LARGEST)
        return rill_fail(ctx, RILL_USAGE, "tracker: edges of %g m; they go to %g", d->edge, LARGEST);
    if (!(d->shortest >= 0 && d->longest >= 2 * d->shortest && d->longest >= 1))
        return rill_fail(
            ctx, RILL_USAGE,
            "tracker: edges between %g and %g of their length; the longest must be at least 1 and "
            "twice the shortest, or a split would be followed by a collapse",
            d->shortest, d->longest);
    return RILL_OK;
}

static double largest_coordinate(rill_vec3 x) /* of a finite place */
{
    return fmax(fabs(x.x), fmax(fabs(x.y), fabs(x.z)));
}

/* Sizes that can be reckoned with. What is not finite is another fault. */
static rill_status check_size(rill_ctx *ctx, const trimesh *mesh)
{
    const rill_vec3 size = box_size(trimesh_bounds(mesh));
    const double widest = fmax(size.x, fmax(size.y, size.z));
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const rill_vec3 x = mesh->position[v];
        if (v3_finite(x) && largest_coordinate(x) > LARGEST)
            return rill_fail(
                ctx, RILL_BAD_FILE,
                "tracker: the vertex at (%.4g, %.4g, %.4g) is too far away; coordinates go to %g", x.x, x.y,
                x.z, LARGEST);
    }
    if (mesh->vertex_count && widest < 1 / LARGEST)
        return rill_fail(ctx, RILL_BAD_FILE, "tracker: the mesh is %.4g wide; scale it up", widest);
    return RILL_OK;
}

/* The same of coordinates and areas, measured in edges. */
static rill_status check_edge(const tracker *t, const trimesh *mesh)
{
    double area = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const rill_vec3 x = mesh->position[v];
        if (largest_coordinate(x) > FARTHEST * t->edge)
            return rill_fail(
                t->ctx, RILL_BAD_FILE,
                "tracker: the vertex at (%.4g, %.4g, %.4g) is more than %g edges of %.4g m from the "
                "origin; bring the mesh nearer to it, or make the edges longer",
                x.x, x.y, x.z, FARTHEST, t->edge);
    }
    for (uint32_t i = 0; i < t->mesh.triangles; i++) area += v3_length(tmesh_area2(&t->mesh, i)) / 2;
    if (t->def.improve && area > MOST_TRIANGLES * 0.433 * t->edge * t->edge) /* the triangle of three edges */
        return rill_fail(
            t->ctx, RILL_USAGE,
            "tracker: edges of %.4g m on a surface of %.4g m2 would be more than %g triangles; make "
            "them longer",
            t->edge, area, MOST_TRIANGLES);
    return RILL_OK;
}

static rill_status init(tracker *t, const trimesh *mesh, bool sorted)
{
    TRY(tmesh_build(t->ctx, mesh, &t->mesh));
    t->edge = t->def.edge > 0 ? t->def.edge : tmesh_mean_edge(&t->mesh);
    TRY(check_edge(t, mesh));
    TRY(tmesh_compact(&t->mesh, sorted, NULL));
    t->touch = 1e-6 * t->edge;
    TRY(tracker_reserve(t, 0, 0));
    return parts_update(t);
}

static rill_status create(rill_ctx *ctx, const tracker_def *def, const trimesh *mesh, bool sorted,
                          tracker **out)
{
    tracker *t;
    TRY(MEM_NEW_ZERO(ctx, t, 1));
    t->ctx = ctx;
    t->def = *def;
    t->mesh.ctx = t->boxes.ctx = ctx;
    const rill_status st = init(t, mesh, sorted);
    if (st) {
        tracker_destroy(t);
        return st;
    }
    *out = t;
    return RILL_OK;
}

rill_status tracker_create(rill_ctx *ctx, const tracker_def *def, const trimesh *mesh, tracker **out)
{
    TRY(check_def(ctx, def));
    TRY(check_size(ctx, mesh));
    rill_status st = tracker_check(ctx, "tracker", mesh);
    if (!st) return create(ctx, def, mesh, true, out);
    if (st != RILL_BAD_FILE || !def->repair) return st;
    rill_log(ctx, RILL_LOG_WARNING, "%s: made anew from its shape", rill_ctx_message(ctx));
    trimesh made = {0};
    st = tracker_repair(ctx, mesh, def->edge, &made);
    if (!st) st = tracker_check(ctx, "tracker, after the repair", &made);
    if (!st) st = create(ctx, def, &made, true, out);
    trimesh_clear(ctx, &made);
    return st;
}

rill_status tracker_restore(rill_ctx *ctx, const tracker_def *def, const trimesh *mesh, double time,
                            uint64_t steps, const double *target, size_t parts, tracker **out)
{
    TRY(check_def(ctx, def));
    TRY(check_size(ctx, mesh));
    TRY(tracker_check(ctx, "tracker", mesh));
    tracker *t;
    TRY(create(ctx, def, mesh, false, &t));
    bool fits = isfinite(time) && parts == t->part_count && t->mesh.vertices == mesh->vertex_count;
    for (size_t i = 0; fits && i < parts; i++) fits = isfinite(target[i]);
    if (!fits) {
        tracker_destroy(t);
        return rill_fail(ctx, RILL_BAD_FILE, "tracker: the saved parts are not those of the saved surface");
    }
    for (size_t i = 0; i < parts; i++) t->part[i].target = target[i];
    t->time = time;
    t->steps = steps;
    *out = t;
    return RILL_OK;
}

void tracker_destroy(tracker *t)
{
    if (!t) return;
    tmesh_clear(&t->mesh);
    boxes_clear(&t->boxes);
    mem_free(t->ctx, t->end);
    mem_free(t->ctx, t->owed);
    mem_free(t->ctx, t->candidate);
    mem_free(t->ctx, t->part);
    mem_free(t->ctx, t);
}

/* ---- a step ---- */

/* Vertices get new places, and take what is owed to them along. */
static rill_status compact(tracker *t)
{
    const uint32_t n = t->mesh.vertices;
    uint32_t *map;
    double *owed = NULL;
    TRY(MEM_NEW(t->ctx, map, n + 1));
    rill_status st = MEM_NEW(t->ctx, owed, n + 1);
    if (!st) st = tmesh_compact(&t->mesh, t->steps % SORT_EVERY == 0, map);
    if (!st) {
        memcpy(owed, t->owed, n * sizeof *owed);
        for (uint32_t v = 0; v < n; v++) t->owed[v] = 0;
        for (uint32_t v = 0; v < n; v++)
            if (map[v] != TMESH_NONE) t->owed[map[v]] = owed[v];
    }
    mem_free(t->ctx, map);
    mem_free(t->ctx, owed);
    return st;
}

rill_status tracker_improve(tracker *t, tracker_stats *stats)
{
    tracker_stats spare = {0};
    if (!stats) stats = &spare;
    TRY(tracker_fill_boxes(t, NULL, 0));
    if (t->def.improve) {
        TRY(improve_split(t, stats)); /* [Brochu09] 4.1 */
        TRY(improve_flip(t, stats));
        TRY(improve_collapse(t, stats)); /* and 4.2: necks that cannot shrink further are cut */
    }
    if (t->def.merge > 0) TRY(topology_merge(t, stats)); /* 4.2 */
    if (t->def.film > 0) TRY(topology_puncture(t, stats));
    TRY(parts_update(t));
    TRY(topology_drop(t, stats));
    TRY(compact(t));
    if (t->def.restorable) tmesh_settle_corners(&t->mesh);
    if (t->def.improve) TRY(improve_smooth(t, stats));
    return parts_update(t);
}

/* What is asked to predict, by either of the two interfaces. */
typedef struct {
    tracker *t;
    tracker_velocity *velocity;
    tracker_predict *predict;
    void *user;
    rill_vec3 *k, *sum, *x; /* of the Runge-Kutta stages */
} predicting;

static rill_status ask_velocity(predicting *p, double time, const rill_vec3 *x)
{
    return p->velocity(p->user, time, p->t->mesh.vertices, x, p->k);
}

/* The classical fourth order: t->end from the vertices. */
static rill_status runge_kutta(predicting *p, double dt)
{
    tracker *t = p->t;
    const uint32_t n = t->mesh.vertices;
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    memcpy(p->x, t->mesh.x, n * sizeof *p->x);
    for (uint32_t v = 0; v < n; v++) p->sum[v] = v3(0, 0, 0);
    for (int stage = 0; stage < 4; stage++) {
        TRY(ask_velocity(p, t->time + at[stage] * dt, p->x));
        for (uint32_t v = 0; v < n; v++) {
            p->sum[v] = v3_madd(p->sum[v], weight[stage], p->k[v]);
            if (stage < 3) p->x[v] = v3_madd(t->mesh.x[v], at[stage + 1] * dt, p->k[v]);
        }
    }
    for (uint32_t v = 0; v < n; v++) t->end[v] = v3_madd(t->mesh.x[v], dt, p->sum[v]);
    return RILL_OK;
}

static rill_status predict_ends(predicting *p, double dt)
{
    tracker *t = p->t;
    if (p->velocity) {
        TRY(runge_kutta(p, dt));
    } else {
        const trimesh view = tmesh_view(&t->mesh);
        memcpy(t->end, t->mesh.x, t->mesh.vertices * sizeof *t->end);
        TRY(p->predict(p->user, &view, dt, t->end));
    }
    for (uint32_t v = 0; v < t->mesh.vertices; v++)
        if (!v3_finite(t->end[v]) || largest_coordinate(t->end[v]) > FARTHEST * t->edge)
            return rill_fail(
                t->ctx, RILL_BLEW_UP,
                "tracker: the motion of the vertex at (%.4g, %.4g, %.4g) is not finite, or leads "
                "farther than %g edges from the origin",
                t->mesh.x[v].x, t->mesh.x[v].y, t->mesh.x[v].z, FARTHEST);
    return RILL_OK;
}

/* The motion over dt; when some had to be held back, again in two halves from where it began. */
static rill_status move(predicting *p, double dt, int halvings, tracker_stats *stats)
{
    tracker *t = p->t;
    const double begin = t->time;
    const uint32_t n = t->mesh.vertices;
    TRY(predict_ends(p, dt));
    if (t->def.keep_volume) parts_correct(t, 1.0 / (1 << halvings)); /* a step's worth in a step */
    tracker_stats tried = {0};
    rill_vec3 *kept = NULL;
    rill_status st = MEM_NEW(t->ctx, kept, n);
    if (!st) {
        memcpy(kept, t->mesh.x, n * sizeof *kept);
        st = motion_run(t, MOTION_PUSH, &tried);
    }
    const bool again = !st && tried.held && halvings < MOST_HALVINGS;
    if (again) memcpy(t->mesh.x, kept, n * sizeof *kept);
    mem_free(t->ctx, kept);
    TRY(st);
    if (again) {
        TRY(move(p, 0.5 * dt, halvings + 1, stats));
        return move(p, 0.5 * dt, halvings + 1, stats);
    }
    t->time = begin + dt;
    stats->steps++;
    stats->contacts += tried.contacts;
    stats->held += tried.held;
    return RILL_OK;
}

static rill_status advance(predicting *p, double dt, tracker_stats *stats)
{
    tracker *t = p->t;
    if (!(dt >= 0 && isfinite(dt)))
        return rill_fail(t->ctx, RILL_USAGE, "tracker: a step of %g seconds; it must be positive", dt);
    tracker_stats made = {0};
    const double begin = t->time;
    TRY(tracker_improve(t, &made));
    const uint32_t n = t->mesh.vertices;
    rill_status st = RILL_OK;
    if (p->velocity) {
        st = MEM_NEW(t->ctx, p->k, n);
        if (!st) st = MEM_NEW(t->ctx, p->sum, n);
        if (!st) st = MEM_NEW(t->ctx, p->x, n);
    }
    if (!st) st = move(p, dt, 0, &made);
    mem_free(t->ctx, p->k);
    mem_free(t->ctx, p->sum);
    mem_free(t->ctx, p->x);
    TRY(st);
    t->time = begin + dt; /* not the sum of its halves */
    t->steps++;
    TRY(parts_update(t));
    made.volume = tmesh_volume(&t->mesh);
    if (stats) *stats = made;
    return RILL_OK;
}

rill_status tracker_advance(tracker *t, double dt, tracker_velocity *velocity, void *user,
                            tracker_stats *stats)
{
    predicting p = {.t = t, .velocity = velocity, .user = user};
    return advance(&p, dt, stats);
}

rill_status tracker_advance_to(tracker *t, double dt, tracker_predict *predict, void *user,
                               tracker_stats *stats)
{
    predicting p = {.t = t, .predict = predict, .user = user};
    return advance(&p, dt, stats);
}

/* ---- looking at it ---- */

trimesh tracker_view(const tracker *t)
{
    return tmesh_view(&t->mesh);
}

double tracker_time(const tracker *t)
{
    return t->time;
}

double tracker_edge(const tracker *t)
{
    return t->edge;
}

uint64_t tracker_steps(const tracker *t)
{
    return t->steps;
}

const uint32_t *tracker_vertex_parts(const tracker *t)
{
    return t->mesh.part;
}

void tracker_parts(const tracker *t, const tracker_part **part, size_t *count)
{
    *part = t->part;
    *count = t->part_count;
}

void tracker_set_target(tracker *t, size_t part, double target)
{
    if (part < t->part_count) t->part[part].target = target;
}
