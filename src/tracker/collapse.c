/* Short edges shrink to a point. [Brochu09] 4.1; where the point goes: the end with the higher rank keeps its
 * place, so that corners and ridges stay; otherwise the middle, moved along the star's normal so that the
 * volume stays (Lindstrom and Turk 1998: the star's volume is linear in the point). */
#include "tracker/candidates.h"
#include "tracker/quality.h"

enum { PASSES = 3 };

/* The triangles of both ends' stars that stay, and what happens to the volume. */
typedef struct {
    star s;
    rill_vec3 from[2]; /* the ends */
    double volume;     /* that the surface gains when both are at the aim */
    rill_vec3 slope;   /* of that over the aim */
} shrinking;

static bool shrinking_init(const tmesh *m, uint32_t a, uint32_t b, shrinking *out)
{
    *out = (shrinking){.s = star_none(), .from = {m->x[a], m->x[b]}};
    star_point(&out->s, a, m->x[a], m->x[a]);
    star_point(&out->s, b, m->x[b], m->x[b]);
    return star_fan(m, &out->s, a, b) && star_fan(m, &out->s, b, a);
}

/* Volumes of cones to the first end: the two triangles that go have it as a corner, and none. */
static void aim(const tmesh *m, shrinking *k, rill_vec3 p)
{
    const rill_vec3 o = k->from[0], q = v3_sub(k->from[1], o), to = v3_sub(p, o);
    double before = 0;
    rill_vec3 area = {0};
    for (int i = 0; i < k->s.triangles; i++) {
        const uint32_t *v = k->s.triangle[i];
        const rill_vec3 n = v3_cross(v3_sub(m->x[v[1]], o), v3_sub(m->x[v[2]], o));
        if (v[0] == k->s.id[1]) before += v3_dot(q, n);
        area = v3_add(area, n);
    }
    k->volume = (v3_dot(to, area) - before) / 6;
    k->slope = v3_scale(area, 1.0 / 6);
    k->s.to[0] = k->s.to[1] = p;
}

/* What stays must not turn over, become a sliver, or get an edge that would be split again. */
static bool keeps_shape(const tracker *t, const shrinking *k)
{
    const tmesh *m = &t->mesh;
    const rill_vec3 p = k->s.to[0];
    double worst_before = 2, worst_after = 2;
    for (int i = 0; i < k->s.triangles; i++) {
        const uint32_t *v = k->s.triangle[i];
        const rill_vec3 from = m->x[v[0]], a = m->x[v[1]], b = m->x[v[2]];
        const rill_vec3 before = triangle_area2(from, a, b), after = triangle_area2(p, a, b);
        if (!(v3_dot(before, after) > 0.3 * v3_length(before) * v3_length(after))) return false;
        if (v3_distance(p, a) > t->def.longest * t->edge) return false;
        worst_before = fmin(worst_before, quality_angle(from, a, b));
        worst_after = fmin(worst_after, quality_angle(p, a, b));
    }
    return worst_after > 0.17 || worst_after > worst_before; /* 10 degrees */
}

static rill_vec3 target(const tracker *t, shrinking *k, double *weight)
{
    const tmesh *m = &t->mesh;
    const vertex_space a = quality_space(m, k->s.id[0]), b = quality_space(m, k->s.id[1]);
    *weight = a.rank > b.rank ? 0 : a.rank < b.rank ? 1 : 0.5;
    rill_vec3 p = v3_madd(k->from[0], *weight, v3_sub(k->from[1], k->from[0]));
    if (a.rank != b.rank || a.rank > 2) return p;
    aim(m, k, p);
    const double square = v3_dot(k->slope, k->slope), length = v3_distance(k->from[0], k->from[1]);
    if (!(square > 0)) return p;
    const rill_vec3 shift = v3_scale(k->slope, -k->volume / square);
    return v3_length(shift) < 0.5 * length ? v3_add(p, shift) : p;
}

static rill_status collapse_edge(tracker *t, uint32_t c, bool *done)
{
    tmesh *m = &t->mesh;
    const uint32_t a = corner_vertex(m, corner_next(c)), b = corner_vertex(m, corner_prev(c));
    shrinking k;
    double weight;
    *done = false;
    if (!shrinking_init(m, a, b, &k)) return RILL_OK;
    rill_vec3 p = target(t, &k, &weight);
    if (!tracker_placed(t, TRACKER_COLLAPSE, k.from[0], k.from[1], &p)) return RILL_OK;
    aim(m, &k, p);
    /* An edge shorter than what merges may close the gap between two sheets. */
    const bool closes = v3_distance(k.from[0], k.from[1]) < t->def.merge * t->edge;
    const double limit = closes ? fmax(0.3, t->def.collapse_volume) : t->def.collapse_volume;
    if (fabs(k.volume) > limit * t->edge * t->edge * t->edge) return RILL_OK;
    if (!keeps_shape(t, &k) || !star_free(t, &k.s)) return RILL_OK;

    boxes_remove(&t->boxes, c / 3);
    boxes_remove(&t->boxes, m->opposite[c] / 3);
    tmesh_collapse(m, c, p, weight);
    t->owed[a] += t->owed[b] - k.volume;
    t->owed[b] = 0;
    *done = true;
    uint32_t i = m->corner[a];
    do {
        TRY(tracker_update_box(t, i / 3));
        i = corner_swing(m, i);
    } while (i != m->corner[a]);
    return RILL_OK;
}

rill_status improve_collapse(tracker *t, tracker_stats *stats)
{
    const double limit = t->def.shortest * t->edge;
    for (int pass = 0; pass < PASSES; pass++) {
        edge_list list = {0};
        TRY(edges_by_length(t, limit, INFINITY, &list));
        rill_status st = RILL_OK;
        uint32_t changes = 0;
        for (size_t i = 0; !st && i < list.count; i++) {
            const uint32_t a = list.edge[i][0], b = list.edge[i][1];
            if (!tmesh_vertex_live(&t->mesh, a) || !tmesh_vertex_live(&t->mesh, b)) continue;
            const uint32_t c = tmesh_find_edge(&t->mesh, a, b);
            if (c == TMESH_NONE || !(tmesh_edge_length(&t->mesh, c) < limit)) continue;
            uint32_t extra;
            bool done = false;
            if (tmesh_can_collapse(&t->mesh, c, &extra)) {
                st = collapse_edge(t, c, &done);
                stats->collapses += done;
            } else if (extra != TMESH_NONE && t->def.neck > 0) {
                st = topology_cut(t, a, b, extra, &done);
                stats->cuts += done;
            }
            changes += done;
        }
        edges_clear(t->ctx, &list);
        TRY(st);
        if (changes == 0) break;
    }
    return RILL_OK;
}
