#include "tracker/merge.h"

#include "base/parallel.h"

#include <string.h>

/* Vertices that are half as near as what merges at the most, the nearest first: by then the disc around is
 * large, and what is left over is closed from its rim. */
static rill_status order_seeds(const merging *m, uint32_t **out, size_t *count)
{
    rill_ctx *ctx = m->t->ctx;
    const uint32_t n = m->t->mesh.vertices;
    uint64_t *key = NULL, *spare_key = NULL;
    uint32_t *value = NULL, *spare_value = NULL;
    const float near = (float)(0.5 * m->t->def.merge * m->t->edge);
    size_t k = 0;
    for (uint32_t v = 0; v < n; v++) k += m->mate[v] != TMESH_NONE && m->distance[v] < near;
    rill_status st = MEM_NEW(ctx, key, k);
    if (!st) st = MEM_NEW(ctx, spare_key, k);
    if (!st) st = MEM_NEW(ctx, value, k);
    if (!st) st = MEM_NEW(ctx, spare_value, k);
    if (!st) {
        k = 0;
        for (uint32_t v = 0; v < n; v++) {
            if (m->mate[v] == TMESH_NONE || !(m->distance[v] < near)) continue;
            uint32_t bits;
            memcpy(&bits, &m->distance[v], sizeof bits); /* not negative: in the order of integers */
            key[k] = bits;
            value[k++] = v;
        }
        if (k) st = sort_by_key(ctx, k, 32, key, value, spare_key, spare_value);
    }
    mem_free(ctx, key);
    mem_free(ctx, spare_key);
    mem_free(ctx, spare_value);
    if (st) {
        mem_free(ctx, value);
        return st;
    }
    *out = value;
    *count = k;
    return RILL_OK;
}

/* The corner of v's mate that is nearest to it. */
static uint32_t nearest_corner(const merging *m, uint32_t v)
{
    const tmesh *mesh = &m->t->mesh;
    const uint32_t *u = mesh->triangle[m->mate[v]];
    uint32_t best = u[0];
    for (int k = 1; k < 3; k++)
        if (v3_distance(mesh->x[u[k]], mesh->x[v]) < v3_distance(mesh->x[best], mesh->x[v])) best = u[k];
    return best;
}

enum { APART = 8 }; /* edges between sheets that are not the two sides of one gap */

/* The vertices connected to v through ones that face something, and those fewer than APART edges from v,
 * added to the list; they are marked. Whether `sought` is one of them or next to one. */
static bool add_region(merging *m, uint32_t v, uint32_t sought, uint32_t *list, size_t *count)
{
    const tmesh *mesh = &m->t->mesh;
    bool found = false;
    size_t begin = *count;
    if (m->owner[v]) return false;
    m->owner[v] = 3;
    list[(*count)++] = v;
    size_t ring_end = *count;
    for (int ring = 0; begin < *count; begin == ring_end ? (ring++, ring_end = *count) : 0) {
        const uint32_t start = mesh->corner[list[begin++]];
        uint32_t c = start;
        do {
            const uint32_t u = corner_vertex(mesh, corner_next(c));
            found |= u == sought;
            if (!m->owner[u] && (m->mate[u] != TMESH_NONE || ring < APART))
                m->owner[u] = 3, list[(*count)++] = u;
            c = corner_swing(mesh, c);
        } while (c != start);
    }
    return found;
}

static rill_status try_seed(merging *m, uint32_t v, uint32_t w, bool *done)
{
    static const int rings[] = {1000, 4, 1, 0};
    for (size_t i = 0; i < sizeof rings / sizeof *rings && !*done; i++) {
        bool usable;
        rill_status st = merge_disc(m, 1, v, rings[i], &usable);
        if (!st && usable) st = merge_disc(m, 2, w, rings[i], &usable);
        if (!st && usable) st = merge_strip(m, &usable);
        if (!st && usable) {
            st = merge_apply(m);
            *done = !st;
        }
        merge_forget(m);
        TRY(st);
    }
    return RILL_OK;
}

/* One seed: the regions of v and of what it faces are dealt with together, once a step. Where they are one,
 * the sheets are joined already: joining them again would make a tunnel, but the pocket between them can go.
 */
static rill_status merge_at(merging *m, uint32_t v, uint32_t *list, tracker_stats *stats)
{
    const uint32_t w = nearest_corner(m, v);
    size_t count = 0;
    bool done = false;
    const bool joined = add_region(m, v, w, list, &count);
    (void)add_region(m, w, TMESH_NONE, list, &count);
    for (size_t i = 0; i < count; i++) m->owner[list[i]] = 0;
    if (joined)
        TRY(merge_pocket(m, v, &done));
    else
        TRY(try_seed(m, v, w, &done));
    stats->merges += done && !joined;
    if (done)
        for (size_t i = 0; i < count; i++) m->mate[list[i]] = TMESH_NONE;
    m->mate[v] = TMESH_NONE;
    return RILL_OK;
}

static rill_status merge_all(merging *m, uint32_t *list, tracker_stats *stats)
{
    uint32_t *seed = NULL;
    size_t count = 0;
    rill_status st = order_seeds(m, &seed, &count);
    for (size_t i = 0; !st && i < count; i++)
        if (tmesh_vertex_live(&m->t->mesh, seed[i]) && m->mate[seed[i]] != TMESH_NONE &&
            !m->gone[m->mate[seed[i]]])
            st = merge_at(m, seed[i], list, stats);
    mem_free(m->t->ctx, seed);
    return st;
}

rill_status topology_merge(tracker *t, tracker_stats *stats)
{
    const uint32_t n = t->mesh.vertices;
    merging m = {.t = t};
    uint32_t *list = NULL;
    rill_status st = MEM_NEW(t->ctx, m.mate, n);
    if (!st) st = MEM_NEW(t->ctx, m.distance, n);
    if (!st) {
        merge_find(&m);
        bool any = false;
        for (uint32_t v = 0; v < n && !any; v++) any = m.mate[v] != TMESH_NONE;
        if (any) {
            st = MEM_NEW_ZERO(t->ctx, m.owner, n);
            if (!st) st = MEM_NEW_ZERO(t->ctx, m.side, t->mesh.triangle_room);
            if (!st) st = MEM_NEW_ZERO(t->ctx, m.gone, t->mesh.triangle_room);
            if (!st) st = MEM_NEW(t->ctx, list, n);
            if (!st) st = merge_all(&m, list, stats);
        }
    }
    mem_free(t->ctx, m.mate);
    mem_free(t->ctx, m.distance);
    mem_free(t->ctx, m.owner);
    mem_free(t->ctx, m.side);
    mem_free(t->ctx, m.gone);
    mem_free(t->ctx, list);
    for (int k = 0; k < 2; k++) mem_free(t->ctx, m.disc[k].triangle);
    mem_free(t->ctx, m.strip);
    return st;
}
