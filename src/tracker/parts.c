/* Connected parts: their volumes, and leading each back to its own.
 *
 * A part's target is carried through merges as the sum, and through splits by the share of volume measured
 * (errata E-R5): parts before and after that have vertices in common form groups, and a group's target is
 * divided over its parts now. A single correction of the whole would pump volume from drops to the pool. */
#include "tracker/quality.h"

#include "base/union_find.h"
#include "tracker/state.h"

static const double LARGEST_OFFSET = 0.05; /* of an edge and step: E-R5 */

typedef struct {
    uint32_t *label; /* [vertex] the part now */
    uint32_t *queue;
    uint32_t *group;  /* union-find over parts before, then parts now */
    double *measured; /* [group root] volume of its parts now */
    double *target;   /* [group root] of its parts before */
    tracker_part *now;
    size_t count;
} parts;

static void parts_clear(rill_ctx *ctx, parts *p)
{
    mem_free(ctx, p->label);
    mem_free(ctx, p->queue);
    mem_free(ctx, p->group);
    mem_free(ctx, p->measured);
    mem_free(ctx, p->target);
    mem_free(ctx, p->now);
}

/* Labels in the order of first vertices. */
static void find_parts(const tmesh *m, parts *p)
{
    for (uint32_t v = 0; v < m->vertices; v++) p->label[v] = TMESH_NONE;
    for (uint32_t first = 0; first < m->vertices; first++) {
        if (!tmesh_vertex_live(m, first) || p->label[first] != TMESH_NONE) continue;
        const uint32_t part = (uint32_t)p->count++;
        uint32_t begin = 0, end = 0;
        p->queue[end++] = first;
        p->label[first] = part;
        while (begin < end) {
            const uint32_t v = p->queue[begin++], start = m->corner[v];
            uint32_t c = start;
            do {
                const uint32_t u = corner_vertex(m, corner_next(c));
                if (p->label[u] == TMESH_NONE) p->label[u] = part, p->queue[end++] = u;
                c = corner_swing(m, c);
            } while (c != start);
        }
    }
}

static void measure(const tmesh *m, parts *p)
{
    rill_vec3 o = {0};
    if (m->vertices) o = m->x[0];
    for (uint32_t t = 0; t < m->triangles; t++) {
        if (!tmesh_triangle_live(m, t)) continue;
        const uint32_t *v = m->triangle[t];
        tracker_part *part = &p->now[p->label[v[0]]];
        part->volume +=
            v3_dot(v3_sub(m->x[v[0]], o), v3_cross(v3_sub(m->x[v[1]], o), v3_sub(m->x[v[2]], o))) / 6;
        part->area += v3_length(tmesh_area2(m, t)) / 2;
        part->triangles++;
    }
    for (uint32_t v = 0; v < m->vertices; v++)
        if (tmesh_vertex_live(m, v)) p->now[p->label[v]].genus++; /* vertices, for now */
    for (size_t i = 0; i < p->count; i++)                         /* V - E + F = V - F/2 = 2 - 2 genus */
        p->now[i].genus = (2 - (p->now[i].genus - (int32_t)(p->now[i].triangles / 2))) / 2;
}

static void carry_targets(const tracker *t, parts *p)
{
    const tmesh *m = &t->mesh;
    const uint32_t before = (uint32_t)t->part_count, all = before + (uint32_t)p->count;
    union_find_init(p->group, all);
    for (uint32_t i = 0; i < all; i++) p->measured[i] = p->target[i] = 0;
    for (uint32_t v = 0; v < m->vertices; v++) {
        if (!tmesh_vertex_live(m, v) || m->part[v] >= before) continue;
        union_find_join(p->group, m->part[v], before + p->label[v]);
    }
    for (uint32_t i = 0; i < before; i++) p->target[union_find_root(p->group, i)] += t->part[i].target;
    for (uint32_t i = before; i < all; i++)
        p->measured[union_find_root(p->group, i)] += p->now[i - before].volume;
    for (uint32_t i = before; i < all; i++) {
        const uint32_t g = union_find_root(p->group, i);
        tracker_part *part = &p->now[i - before];
        part->target =
            g < before && p->measured[g] != 0 ? p->target[g] * (part->volume / p->measured[g]) : part->volume;
    }
}

rill_status parts_update(tracker *t)
{
    tmesh *m = &t->mesh;
    rill_ctx *ctx = t->ctx;
    parts p = {0};
    rill_status st = MEM_NEW(ctx, p.label, m->vertices);
    if (!st) st = MEM_NEW(ctx, p.queue, m->vertices);
    if (!st) {
        find_parts(m, &p);
        const size_t all = p.count + t->part_count;
        st = MEM_NEW_ZERO(ctx, p.now, p.count);
        if (!st) st = MEM_NEW(ctx, p.group, all);
        if (!st) st = MEM_NEW(ctx, p.measured, all);
        if (!st) st = MEM_NEW(ctx, p.target, all);
        if (!st) st = mem_grow(ctx, &t->part, sizeof *t->part, &t->part_room, p.count);
    }
    if (!st) {
        measure(m, &p);
        carry_targets(t, &p);
        for (size_t i = 0; i < p.count; i++) t->part[i] = p.now[i];
        t->part_count = p.count;
        for (uint32_t v = 0; v < m->vertices; v++)
            if (tmesh_vertex_live(m, v)) m->part[v] = p.label[v];
    }
    parts_clear(ctx, &p);
    return st;
}

void parts_correct(tracker *t, double share)
{
    const tmesh *m = &t->mesh;
    for (uint32_t v = 0; v < m->vertices; v++) {
        const tracker_part *part = &t->part[m->part[v]];
        if (!(part->area > 0)) continue;
        const double limit = LARGEST_OFFSET * t->edge;
        const double offset = fmax(-limit, fmin(limit, (part->target - part->volume) / part->area));
        rill_vec3 area = {0};
        uint32_t c = m->corner[v];
        do {
            area = v3_add(area, tmesh_area2(m, c / 3));
            c = corner_swing(m, c);
        } while (c != m->corner[v]);
        t->end[v] = v3_madd(t->end[v], share * offset, v3_unit(area));
    }
}

rill_status topology_drop(tracker *t, tracker_stats *stats)
{
    tmesh *m = &t->mesh;
    const double limit = t->def.drop * t->edge * t->edge * t->edge;
    bool any = false;
    for (size_t i = 0; i < t->part_count; i++) {
        if (!(fabs(t->part[i].volume) < limit)) continue;
        any = true;
        stats->drops++;
        stats->dropped_volume += t->part[i].volume;
        stats->dropped_target += t->part[i].target;
    }
    if (!any) return RILL_OK;
    for (uint32_t k = 0; k < m->triangles; k++) {
        if (!tmesh_triangle_live(m, k) || !(fabs(t->part[m->part[m->triangle[k][0]]].volume) < limit))
            continue;
        boxes_remove(&t->boxes, k);
        tmesh_free_triangle(m, k);
    }
    for (uint32_t v = 0; v < m->vertices; v++)
        if (tmesh_vertex_live(m, v) && fabs(t->part[m->part[v]].volume) < limit) tmesh_free_vertex(m, v);
    return parts_update(t);
}
