#include "tracker/merge.h"

#include "base/parallel.h"

#include <string.h>

enum { PATIENCE = 10 }; /* steps: what is refused for longer is parted */

/* Vertices that are half as near as what merges at the most, the nearest first: by then the disc around is
 * large, and what is left over is closed from its rim. */
static rill_status order_seeds(const merging *m, uint32_t **out, size_t *count)
{
    rill_ctx *ctx = m->t->ctx;
    const uint32_t n = m->t->mesh.vertices;
    uint64_t *key = NULL, *spare_key = NULL;
    uint32_t *value = NULL, *spare_value = NULL;
    const float near = (float)(0.5 * m->reach);
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

static rill_status try_seed(merging *m, uint32_t v, uint32_t w, bool *done)
{
    static const int rings[] = {1000, 4, 1, 0};
    for (size_t i = m->holes ? 2 : 0; i < sizeof rings / sizeof *rings && !*done; i++) {
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

/* One seed. Where v and what it faces are sides of one film, the sheets are joined already: joining them
 * again would make a tunnel, but the pocket between them can go. In sheets of liquid the tunnel is the hole
 * that is wanted. A film that has been joined waits for the next step. */
static rill_status merge_at(merging *m, uint32_t v, tracker_stats *stats)
{
    const uint32_t w = nearest_corner(m, v);
    bool done = false;
    if (merge_film_joined(m, v)) return RILL_OK;
    const bool same = merge_same_film(m, v, w);
    if (same && !m->holes) return merge_pocket(m, v, &done);
    TRY(try_seed(m, v, w, &done));
    if (same && !done) return merge_pocket(m, v, &done); /* the rim of a sheet */
    stats->merges += done;
    if (done) merge_join_films(m, v, w);
    if (done || m->holes) return RILL_OK;
    stats->refused++;
    return m->t->steps % PATIENCE == PATIENCE - 1 ? merge_part(m, v) : RILL_OK;
}

static rill_status merge_all(merging *m, tracker_stats *stats)
{
    uint32_t *seed = NULL;
    size_t count = 0;
    rill_status st = order_seeds(m, &seed, &count);
    for (size_t i = 0; !st && i < count; i++)
        if (tmesh_vertex_live(&m->t->mesh, seed[i]) && m->mate[seed[i]] != TMESH_NONE &&
            !m->gone[m->mate[seed[i]]])
            st = merge_at(m, seed[i], stats);
    mem_free(m->t->ctx, seed);
    return st;
}

static rill_status merge_within(tracker *t, double reach, bool holes, tracker_stats *stats)
{
    const uint32_t n = t->mesh.vertices;
    merging m = {.t = t, .reach = reach, .holes = holes};
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
            if (!st) st = merge_films_init(&m);
            if (!st) st = merge_all(&m, stats);
        }
    }
    mem_free(t->ctx, m.mate);
    mem_free(t->ctx, m.distance);
    mem_free(t->ctx, m.owner);
    mem_free(t->ctx, m.side);
    mem_free(t->ctx, m.gone);
    merge_films_clear(&m);
    for (int k = 0; k < 2; k++) mem_free(t->ctx, m.disc[k].triangle);
    mem_free(t->ctx, m.strip);
    return st;
}

rill_status topology_merge(tracker *t, tracker_stats *stats)
{
    return merge_within(t, t->def.merge * t->edge, false, stats);
}

/* A hole in a sheet of liquid is a merge of the air on its two sides: the same operation on the mesh turned
 * inside out. What is nearer than half of the reach begins one. */
rill_status topology_puncture(tracker *t, tracker_stats *stats)
{
    tracker_stats made = {0};
    tmesh_turn(&t->mesh);
    const rill_status st = merge_within(t, 2 * t->def.film * t->edge, true, &made);
    tmesh_turn(&t->mesh);
    stats->punctures += made.merges;
    return st;
}
