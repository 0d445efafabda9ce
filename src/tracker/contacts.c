#include "tracker/contacts.h"

#include "base/parallel.h"

#include <string.h>

enum { BLOCK = 256 }; /* triangles */

/* The contacts of one block of triangles; blocks are put together in their order. */
typedef struct {
    contact *item;
    size_t count, room;
    bool failed;
} block_list;

/* The triangles whose boxes meet that of one, side by side; each worker has its own. */
typedef struct {
    uint32_t *id;
    boxes_range *range;
    size_t count, room;
    bool failed;
    rill_ctx *ctx;
    const boxes *from;
} nearby;

typedef struct {
    tracker *t;
    const uint8_t *dirty;
    double near, pad;
    bool all; /* are dirty */
    block_list *list;
    nearby *nearby; /* [worker] */
} search;

/* A vertex or an edge on its way. */
typedef struct {
    uint32_t a, b;    /* b: of an edge */
    rill_vec3 lo, hi; /* of its way, padded */
    boxes_range range;
} feature;

void contacts_clear(rill_ctx *ctx, contacts *list)
{
    mem_free(ctx, list->item);
    *list = (contacts){0};
}

static void add(rill_ctx *ctx, block_list *l, const contact *c)
{
    if (l->count == l->room) {
        const size_t room = l->room ? 2 * l->room : 16;
        contact *item = mem_alloc(ctx, room, sizeof *item);
        if (!item) {
            l->failed = true;
            return;
        }
        if (l->count) memcpy(item, l->item, l->count * sizeof *item);
        mem_free(ctx, l->item);
        l->item = item;
        l->room = room;
    }
    l->item[l->count++] = *c;
}

/* How far two points of the features can come nearer: by the motion relative to the mean one. */
static double approach(const gap_query *q)
{
    rill_vec3 d[4], mean = {0};
    double side[2] = {0};
    for (int i = 0; i < 4; i++) {
        d[i] = v3_sub(q->to[i], q->from[i]);
        mean = v3_madd(mean, 0.25, d[i]);
    }
    for (int i = 0; i < 4; i++) {
        const rill_vec3 r = v3_sub(d[i], mean);
        const double square = v3_dot(r, r);
        const int k = i >= (q->edges ? 2 : 1);
        if (square > side[k]) side[k] = square;
    }
    return sqrt(side[0]) + sqrt(side[1]);
}

static void test(const search *s, block_list *out, const uint32_t v[4], bool edges)
{
    const tracker *t = s->t;
    gap_query q = {.edges = edges};
    for (int i = 0; i < 4; i++) q.from[i] = t->mesh.x[v[i]], q.to[i] = t->end[v[i]];
    rill_vec3 between;
    double weight[4];
    const double distance = sqrt(gap_closest(q.from, edges, &between, weight));
    contact c = {.edges = edges, .safe = 1};
    /* Farther apart than they can come nearer, with room for rounding: no need to look closer. */
    if (distance * (1 - 1e-9) <= approach(&q) * (1 + 1e-9) + t->touch)
        c.touches = gap_contact(&q, t->touch, &c.safe);
    if (!c.touches && !(distance < s->near)) return;
    memcpy(c.v, v, sizeof c.v);
    add(t->ctx, out, &c);
}

static inline void way(const tracker *t, uint32_t v, rill_vec3 *lo, rill_vec3 *hi)
{
    const rill_vec3 a = t->mesh.x[v], b = t->end[v];
    if (a.x < lo->x) lo->x = a.x;
    if (b.x < lo->x) lo->x = b.x;
    if (a.y < lo->y) lo->y = a.y;
    if (b.y < lo->y) lo->y = b.y;
    if (a.z < lo->z) lo->z = a.z;
    if (b.z < lo->z) lo->z = b.z;
    if (a.x > hi->x) hi->x = a.x;
    if (b.x > hi->x) hi->x = b.x;
    if (a.y > hi->y) hi->y = a.y;
    if (b.y > hi->y) hi->y = b.y;
    if (a.z > hi->z) hi->z = a.z;
    if (b.z > hi->z) hi->z = b.z;
}

static feature feature_of(const search *s, uint32_t a, uint32_t b)
{
    const tracker *t = s->t;
    const double pad = s->pad;
    rill_vec3 lo = t->mesh.x[a], hi = lo;
    way(t, a, &lo, &hi);
    if (b != a) way(t, b, &lo, &hi);
    feature f = {.a = a, .b = b, .lo = v3_sub(lo, v3(pad, pad, pad)), .hi = v3_add(hi, v3(pad, pad, pad))};
    f.range = boxes_range_of(&t->boxes, f.lo, f.hi);
    return f;
}

static void gather(void *arg, uint32_t triangle)
{
    nearby *n = arg;
    if (n->count == n->room) {
        const size_t room = n->room ? 2 * n->room : 256;
        uint32_t *id = mem_alloc(n->ctx, room, sizeof *id);
        boxes_range *range = mem_alloc(n->ctx, room, sizeof *range);
        if (id && n->count) memcpy(id, n->id, n->count * sizeof *id);
        if (range && n->count) memcpy(range, n->range, n->count * sizeof *range);
        mem_free(n->ctx, id ? n->id : NULL);
        mem_free(n->ctx, range ? n->range : NULL);
        if (id) n->id = id;
        if (range) n->range = range;
        if (!id || !range) {
            n->failed = true;
            return;
        }
        n->room = room;
    }
    n->id[n->count] = triangle;
    n->range[n->count++] = n->from->range[triangle];
}

static void vertex_meets(const search *s, block_list *out, const nearby *n, uint32_t v)
{
    const feature f = feature_of(s, v, v);
    for (size_t i = 0; i < n->count; i++) {
        if (!boxes_meet(&f.range, &n->range[i])) continue;
        const uint32_t *u = s->t->mesh.triangle[n->id[i]];
        if (u[0] == v || u[1] == v || u[2] == v) continue;
        test(s, out, (uint32_t[]){v, u[0], u[1], u[2]}, false);
    }
}

static void edge_meets(const search *s, block_list *out, const nearby *n, uint32_t corner)
{
    const tmesh *m = &s->t->mesh;
    const feature f =
        feature_of(s, corner_vertex(m, corner_next(corner)), corner_vertex(m, corner_prev(corner)));
    for (size_t i = 0; i < n->count; i++) {
        const uint32_t triangle = n->id[i];
        if ((s->all && triangle < corner / 3) || !boxes_meet(&f.range, &n->range[i])) continue;
        for (uint32_t c = 3 * triangle; c < 3 * triangle + 3; c++) {
            if (!corner_owns_edge(m, c)) continue;
            const uint32_t u = corner_vertex(m, corner_next(c)), w = corner_vertex(m, corner_prev(c));
            if (u == f.a || u == f.b || w == f.a || w == f.b) continue;
            if (c < corner && (s->dirty[u] || s->dirty[w])) continue; /* found from the other one */
            rill_vec3 lo = m->x[u], hi = lo;
            way(s->t, u, &lo, &hi);
            way(s->t, w, &lo, &hi);
            if (lo.x > f.hi.x || lo.y > f.hi.y || lo.z > f.hi.z || hi.x < f.lo.x || hi.y < f.lo.y ||
                hi.z < f.lo.z)
                continue;
            test(s, out, (uint32_t[]){f.a, f.b, u, w}, true);
        }
    }
}

/* Vertices that are not dirty against a dirty triangle: the other half of vertex_meets. */
static void triangle_meets(const search *s, block_list *out, const nearby *n, uint32_t triangle)
{
    const tmesh *m = &s->t->mesh;
    const uint32_t *u = m->triangle[triangle];
    for (size_t i = 0; i < n->count; i++)
        for (uint32_t c = 3 * n->id[i]; c < 3 * n->id[i] + 3; c++) {
            const uint32_t v = corner_vertex(m, c);
            if (s->dirty[v] || !corner_owns_vertex(m, c) || u[0] == v || u[1] == v || u[2] == v) continue;
            test(s, out, (uint32_t[]){v, u[0], u[1], u[2]}, false);
        }
}

static void search_block(void *arg, size_t begin, size_t end, int worker)
{
    const search *s = arg;
    const tmesh *m = &s->t->mesh;
    nearby *n = &s->nearby[worker];
    block_list *out = &s->list[begin / BLOCK];
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        if (!tmesh_triangle_live(m, i)) continue;
        const uint32_t *v = m->triangle[i];
        const bool d[3] = {s->dirty[v[0]], s->dirty[v[1]], s->dirty[v[2]]};
        if (!d[0] && !d[1] && !d[2]) continue;
        const boxes_range range = s->t->boxes.range[i];
        n->count = 0;
        boxes_query(&s->t->boxes, &range, gather, n);
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t c = 3 * i + k;
            if (d[k] && corner_owns_vertex(m, c)) vertex_meets(s, out, n, v[k]);
            if ((d[(k + 1) % 3] || d[(k + 2) % 3]) && corner_owns_edge(m, c)) edge_meets(s, out, n, c);
        }
        if (!s->all) triangle_meets(s, out, n, i);
    }
}

rill_status contacts_find(tracker *t, const uint8_t *dirty, double near, contacts *list)
{
    const size_t blocks = (t->mesh.triangles + BLOCK - 1) / BLOCK;
    const int workers = parallel_workers(t->ctx);
    search s = {.t = t, .dirty = dirty, .near = near, .pad = fmax(near, t->touch), .all = true};
    for (uint32_t v = 0; v < t->mesh.vertices; v++) s.all &= dirty[v] || !tmesh_vertex_live(&t->mesh, v);
    rill_status st = MEM_NEW_ZERO(t->ctx, s.list, blocks);
    if (!st) st = MEM_NEW_ZERO(t->ctx, s.nearby, (size_t)workers);
    size_t total = 0;
    if (!st) {
        for (int w = 0; w < workers; w++) s.nearby[w].ctx = t->ctx, s.nearby[w].from = &t->boxes;
        parallel_for(t->ctx, t->mesh.triangles, BLOCK, search_block, &s);
        bool failed = false;
        for (size_t b = 0; b < blocks; b++) total += s.list[b].count, failed |= s.list[b].failed;
        for (int w = 0; w < workers; w++) failed |= s.nearby[w].failed;
        st = failed ? mem_failed(t->ctx, total, sizeof(contact))
                    : mem_grow(t->ctx, &list->item, sizeof *list->item, &list->room, total + 1);
    }
    if (!st) {
        list->count = 0;
        for (size_t b = 0; b < blocks; b++) {
            if (s.list[b].count)
                memcpy(list->item + list->count, s.list[b].item, s.list[b].count * sizeof(contact));
            list->count += s.list[b].count;
        }
    }
    for (size_t b = 0; s.list && b < blocks; b++) mem_free(t->ctx, s.list[b].item);
    for (int w = 0; s.nearby && w < workers; w++) {
        mem_free(t->ctx, s.nearby[w].id);
        mem_free(t->ctx, s.nearby[w].range);
    }
    mem_free(t->ctx, s.list);
    mem_free(t->ctx, s.nearby);
    return st;
}
