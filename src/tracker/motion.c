/* The mesh goes to t->end, as far as that is safe. Brochu and Bridson 2009, section 3, with one change.
 *
 *   1. what is near and approaching is kept from it (repulsion, after Bridson et al. 2002);
 *   2. what would touch gets an inelastic impulse, one pair after the other, at most 10 rounds;
 *   3. what still would is held back: its cluster goes a part of the way that is proven free.
 *
 * DEVIATES: the paper's third stage is inelastic and then rigid impact zones. Holding back needs no solve,
 * and ends: a cluster that stands still touches nothing it did not touch before, and clusters only grow. */
#include "tracker/contacts.h"

#include "base/union_find.h"

#include <string.h>

enum { IMPULSE_ROUNDS = 10, HOLD_ROUNDS = 60 };
static const double HELD_LEAST = 1.0 / 64; /* a cluster that may go less than this of its way stands still */

typedef struct {
    tracker *t;
    contacts list;
    uint8_t *dirty;    /* [vertex] its end has changed since it was tested */
    rill_vec3 *wanted; /* [vertex] the end before holding back */
    uint32_t *cluster; /* [vertex] union-find */
    double *share;     /* [cluster root] of the way that it may go */
    double pad;        /* of the swept boxes */
} motion;

/* ---- 1 and 2: impulses ---- */

/* Gives the pair's vertices the smallest change of their ends that makes their approach along the normal
 * `least` (negative: coming nearer) at most. */
static void impulse(motion *m, const contact *c, double at, double least)
{
    tracker *t = m->t;
    rill_vec3 x[4], between;
    double weight[4], rate = 0, square = 0;
    for (int i = 0; i < 4; i++) x[i] = v3_madd(v3_scale(t->mesh.x[c->v[i]], 1 - at), at, t->end[c->v[i]]);
    if (!(gap_closest(x, c->edges, &between, weight) > 0)) return;
    const rill_vec3 n = v3_unit(between);
    for (int i = 0; i < 4; i++) {
        rate += weight[i] * v3_dot(n, v3_sub(t->end[c->v[i]], t->mesh.x[c->v[i]]));
        square += weight[i] * weight[i];
    }
    if (!(rate < least)) return;
    for (int i = 0; i < 4; i++) {
        if (weight[i] == 0) continue;
        rill_vec3 to = v3_madd(t->end[c->v[i]], (least - rate) * weight[i] / square, n);
        if (tracker_placed(t, TRACKER_MOVE, t->mesh.x[c->v[i]], t->mesh.x[c->v[i]], &to))
            t->end[c->v[i]] = to;
        m->dirty[c->v[i]] = 1;
    }
}

/* Near pairs part by a tenth of what they lack, if they do not by themselves. */
static void repulse(motion *m, double near)
{
    const tracker *t = m->t;
    for (size_t i = 0; i < m->list.count; i++) {
        const contact *c = &m->list.item[i];
        rill_vec3 x[4], between;
        double weight[4];
        for (int k = 0; k < 4; k++) x[k] = t->mesh.x[c->v[k]];
        const double lack = near - sqrt(gap_closest(x, c->edges, &between, weight));
        if (lack > 0) impulse(m, c, 0, 0.1 * lack);
    }
}

static size_t touching(const contacts *list)
{
    size_t n = 0;
    for (size_t i = 0; i < list->count; i++) n += list->item[i].touches;
    return n;
}

/* Boxes of what has changed, then the pairs of what has changed. */
static rill_status find_again(motion *m)
{
    tracker *t = m->t;
    for (uint32_t i = 0; i < t->mesh.triangles; i++) {
        const uint32_t *v = t->mesh.triangle[i];
        if (!tmesh_triangle_live(&t->mesh, i) || !(m->dirty[v[0]] | m->dirty[v[1]] | m->dirty[v[2]]))
            continue;
        boxes_remove(&t->boxes, i);
        TRY(boxes_insert(&t->boxes, i, tracker_triangle_range(t, i, t->end, m->pad)));
    }
    TRY(contacts_find(t, m->dirty, 0, &m->list));
    memset(m->dirty, 0, t->mesh.vertices);
    return RILL_OK;
}

static rill_status push(motion *m, tracker_stats *stats)
{
    tracker *t = m->t;
    const double near = t->def.repulsion * t->edge;
    const size_t first = touching(&m->list);
    stats->contacts += (uint32_t)first;
    if (m->list.count > first) { /* some are near */
        repulse(m, near);
        for (size_t i = 0; i < m->list.count; i++)
            if (m->list.item[i].touches)
                for (int k = 0; k < 4; k++) m->dirty[m->list.item[i].v[k]] = 1;
        TRY(find_again(m));
    }
    for (int round = 0; round < IMPULSE_ROUNDS && m->list.count; round++) {
        for (size_t i = 0; i < m->list.count; i++) {
            const contact *c = &m->list.item[i];
            impulse(m, c, c->safe, 0);
            for (int k = 0; k < 4; k++) m->dirty[c->v[k]] = 1;
        }
        TRY(find_again(m));
    }
    return RILL_OK;
}

/* ---- 3: holding back ---- */

static uint32_t unite(motion *m, uint32_t a, uint32_t b)
{
    a = union_find_root(m->cluster, a);
    b = union_find_root(m->cluster, b);
    if (a == b) return a;
    const uint32_t low = union_find_join(m->cluster, a, b), high = a == low ? b : a;
    m->share[low] = fmin(m->share[low], m->share[high]);
    return low;
}

/* Everyone's end as its cluster's share says; dirty where that is news. */
static void apply_shares(motion *m)
{
    tracker *t = m->t;
    for (uint32_t v = 0; v < t->mesh.vertices; v++) {
        const double s = m->share[union_find_root(m->cluster, v)];
        if (s >= 1) continue;
        const rill_vec3 a = t->mesh.x[v];
        const rill_vec3 to = s == 0 ? a : v3_madd(a, s, v3_sub(m->wanted[v], a));
        if (memcmp(&to, &t->end[v], sizeof to) == 0) continue;
        t->end[v] = to;
        m->dirty[v] = 1;
    }
}

static bool stands(const motion *m, const contact *c)
{
    for (int k = 0; k < 4; k++)
        if (memcmp(&m->t->mesh.x[c->v[k]], &m->t->end[c->v[k]], sizeof(rill_vec3)) != 0) return false;
    return true;
}

static rill_status hold(motion *m, motion_way way, tracker_stats *stats)
{
    tracker *t = m->t;
    const uint32_t n = t->mesh.vertices;
    memcpy(m->wanted, t->end, n * sizeof *m->wanted);
    for (uint32_t v = 0; v < n; v++) m->cluster[v] = v, m->share[v] = 1;
    for (int round = 0;; round++) {
        size_t left = 0;
        for (size_t i = 0; i < m->list.count; i++) {
            const contact *c = &m->list.item[i];
            if (!c->touches || stands(m, c)) continue;
            left++;
            uint32_t r = union_find_root(m->cluster, c->v[0]);
            for (int k = 1; k < 4; k++) r = unite(m, r, c->v[k]);
            /* The way was share long, of which `safe` is free. */
            const double s = round < 8 ? m->share[r] * fmin(0.8 * c->safe, 0.5) : 0;
            m->share[r] = way == MOTION_HOLD || s < HELD_LEAST || round >= HOLD_ROUNDS / 2 ? 0 : s;
        }
        if (left == 0) break;
        if (round == HOLD_ROUNDS)
            for (uint32_t v = 0; v < n; v++) m->share[v] = 0; /* all stand still: nothing can touch */
        apply_shares(m);
        TRY(find_again(m));
    }
    for (uint32_t v = 0; v < n; v++) stats->held += m->share[union_find_root(m->cluster, v)] < 1;
    return RILL_OK;
}

/* ---- */

static rill_status make_safe(motion *m, motion_way way, tracker_stats *stats)
{
    tracker *t = m->t;
    const uint32_t n = t->mesh.vertices;
    const double near = way == MOTION_PUSH ? t->def.repulsion * t->edge : 0;
    m->pad = fmax(near, t->touch);
    TRY(MEM_NEW(t->ctx, m->dirty, n));
    for (uint32_t v = 0; v < n; v++)
        m->dirty[v] =
            tmesh_vertex_live(&t->mesh, v) && memcmp(&t->mesh.x[v], &t->end[v], sizeof t->end[v]) != 0;
    TRY(tracker_fill_boxes(t, t->end, m->pad));
    TRY(contacts_find(t, m->dirty, near, &m->list));
    if (m->list.count == 0) return RILL_OK;

    memset(m->dirty, 0, n);
    if (way == MOTION_PUSH) TRY(push(m, stats));
    if (touching(&m->list) == 0) return RILL_OK;

    TRY(MEM_NEW(t->ctx, m->wanted, n));
    TRY(MEM_NEW(t->ctx, m->cluster, n));
    TRY(MEM_NEW(t->ctx, m->share, n));
    return hold(m, way, stats);
}

rill_status motion_run(tracker *t, motion_way way, tracker_stats *stats)
{
    rill_status st = RILL_OK;
    if (t->def.collisions) {
        motion m = {.t = t};
        st = make_safe(&m, way, stats);
        contacts_clear(t->ctx, &m.list);
        mem_free(t->ctx, m.dirty);
        mem_free(t->ctx, m.wanted);
        mem_free(t->ctx, m.cluster);
        mem_free(t->ctx, m.share);
    }
    for (uint32_t v = 0; !st && v < t->mesh.vertices; v++)
        if (tmesh_vertex_live(&t->mesh, v)) t->mesh.x[v] = t->end[v];
    return st;
}
