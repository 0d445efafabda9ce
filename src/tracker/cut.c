/* Cutting a thin neck. Where an edge cannot shrink because its ends have one neighbour too many in common,
 * the three vertices are a way around a neck (or through a handle) of the smallest size. The surface is
 * opened along it, both openings are closed by a triangle each, and the two ends are drawn apart.
 *
 * The whole is done and tested, and undone when it is not clear: nothing else has changed meanwhile. */
#include "tracker/state.h"

#include <string.h>

enum { MOST = STAR_MOST };

/* One side of the loop. */
typedef struct {
    uint32_t corner[MOST]; /* of loop vertices, on this side */
    uint8_t which[MOST];   /* which of the three */
    int count;
    rill_vec3 pull; /* from the loop toward the side's other vertices */
} half;

/* The corners of v counter-clockwise from the edge to `from` to the edge to `to`. */
static bool add_sector(const tmesh *m, half *h, int which, uint32_t v, uint32_t from, uint32_t to)
{
    uint32_t c = m->corner[v];
    while (corner_vertex(m, corner_next(c)) != from) c = corner_swing(m, c);
    for (;;) {
        if (h->count == MOST) return false;
        h->corner[h->count] = c;
        h->which[h->count++] = (uint8_t)which;
        if (corner_vertex(m, corner_prev(c)) == to) return true;
        c = corner_swing(m, c);
    }
}

static void find_pull(const tmesh *m, half *h, const uint32_t loop[3], rill_vec3 middle)
{
    rill_vec3 sum = {0};
    int n = 0;
    for (int i = 0; i < h->count; i++) {
        const uint32_t u = corner_vertex(m, corner_next(h->corner[i]));
        if (u == loop[0] || u == loop[1] || u == loop[2]) continue;
        sum = v3_add(sum, v3_sub(m->x[u], middle));
        n++;
    }
    h->pull = n ? v3_scale(sum, 1.0 / n) : sum;
}

/* Nothing passes through the triangle of the loop: it is swept by the edges from a and b to a point that goes
 * from the edge a b to z. */
static bool loop_clear(tracker *t, const uint32_t loop[3])
{
    const tmesh *m = &t->mesh;
    const uint32_t c = tmesh_find_edge(m, loop[0], loop[1]);
    star s = star_none();
    star_point(&s, loop[2], v3_scale(v3_add(m->x[loop[0]], m->x[loop[1]]), 0.5), m->x[loop[2]]);
    (void)star_triangle(&s, loop[2], loop[0], loop[1]);
    s.gone[0] = c / 3;
    s.gone[1] = m->opposite[c] / 3;
    s.gone_edge[0] = loop[0];
    s.gone_edge[1] = loop[1];
    return star_free(t, &s);
}

/* One side can be drawn away by d through what does not belong to the loop. */
static bool half_free(tracker *t, const half *h, const uint32_t loop[3], rill_vec3 d)
{
    const tmesh *m = &t->mesh;
    star s = star_none();
    for (int k = 0; k < 3; k++) star_point(&s, loop[k], m->x[loop[k]], v3_add(m->x[loop[k]], d));
    for (int i = 0; i < h->count; i++) {
        const uint32_t *v = m->triangle[h->corner[i] / 3];
        if (!star_triangle(&s, v[0], v[1], v[2])) return false;
    }
    return star_free(t, &s);
}

/* The left side gets vertices of its own, both get their cap; left is joined to the first, right to the
 * second. */
static void open_and_cap(tmesh *m, const half *left, const half *right, const uint32_t loop[3],
                         uint32_t twin[3], uint32_t cap[2])
{
    uint32_t across[2][3]; /* corners across from the loop's edges k, k + 1: left, right */
    for (int k = 0; k < 3; k++) {
        across[0][k] = tmesh_find_edge(m, loop[k], loop[(k + 1) % 3]);
        across[1][k] = m->opposite[across[0][k]];
    }
    for (int k = 0; k < 3; k++) twin[k] = tmesh_new_vertex(m, m->x[loop[k]], loop[k], loop[k], 0);
    for (int i = 0; i < left->count; i++) {
        (&m->triangle[0][0])[left->corner[i]] = twin[left->which[i]];
        m->corner[twin[left->which[i]]] = left->corner[i];
    }
    for (int i = 0; i < right->count; i++) m->corner[loop[right->which[i]]] = right->corner[i];
    cap[0] = tmesh_new_triangle(m, twin[0], twin[2], twin[1]); /* edges run against the left side's */
    cap[1] = tmesh_new_triangle(m, loop[0], loop[1], loop[2]);
    for (int k = 0; k < 3; k++) {
        tmesh_join(m, 3 * cap[0] + (uint32_t[]){1, 0, 2}[k], across[0][k]); /* the corner of vertex k + 2 */
        tmesh_join(m, 3 * cap[1] + (uint32_t)(k + 2) % 3, across[1][k]);
    }
}

static void close_again(tmesh *m, const half *left, const uint32_t loop[3], const uint32_t twin[3],
                        const uint32_t cap[2])
{
    for (int k = 0; k < 3; k++)
        tmesh_join(m, m->opposite[3 * cap[0] + (uint32_t[]){1, 0, 2}[k]],
                   m->opposite[3 * cap[1] + (uint32_t)(k + 2) % 3]);
    for (int i = 0; i < left->count; i++) (&m->triangle[0][0])[left->corner[i]] = loop[left->which[i]];
    tmesh_free_triangle(m, cap[1]);
    tmesh_free_triangle(m, cap[0]);
    for (int k = 2; k >= 0; k--) tmesh_free_vertex(m, twin[k]);
}

/* The boxes of a side's triangles, and of its cap when there is one. */
static rill_status update_side(tracker *t, const half *h, uint32_t cap)
{
    if (cap != TMESH_NONE) TRY(tracker_update_box(t, cap));
    for (int i = 0; i < h->count; i++) TRY(tracker_update_box(t, h->corner[i] / 3));
    return RILL_OK;
}

static bool side_clear(tracker *t, const half *h, uint32_t cap)
{
    uint32_t list[MOST + 1][3];
    size_t n = 0;
    memcpy(list[n++], t->mesh.triangle[cap], sizeof list[0]);
    for (int i = 0; i < h->count; i++) memcpy(list[n++], t->mesh.triangle[h->corner[i] / 3], sizeof list[0]);
    return patch_clear(t, (const uint32_t(*)[3])list, n, NULL);
}

rill_status topology_cut(tracker *t, uint32_t a, uint32_t b, uint32_t z, bool *done)
{
    tmesh *m = &t->mesh;
    const uint32_t loop[3] = {a, b, z};
    half left = {.count = 0}, right = {.count = 0};
    *done = false;
    for (int k = 0; k < 3; k++)
        if (v3_distance(m->x[loop[k]], m->x[loop[(k + 1) % 3]]) > t->def.neck * t->edge) return RILL_OK;
    for (int k = 0; k < 3; k++) {
        const uint32_t next = loop[(k + 1) % 3], prev = loop[(k + 2) % 3];
        if (!add_sector(m, &left, k, loop[k], next, prev) || !add_sector(m, &right, k, loop[k], prev, next))
            return RILL_OK;
    }
    const rill_vec3 middle = v3_scale(v3_add(m->x[a], v3_add(m->x[b], m->x[z])), 1.0 / 3);
    find_pull(m, &left, loop, middle);
    find_pull(m, &right, loop, middle);
    const double reach = 0.6 * fmax(t->def.merge, 0.02) * t->edge; /* together more than what merges again */
    const double ll = v3_length(left.pull), lr = v3_length(right.pull);
    if (!(ll > reach) || !(lr > reach) || !loop_clear(t, loop)) return RILL_OK;
    const rill_vec3 dl = v3_scale(left.pull, reach / ll), dr = v3_scale(right.pull, reach / lr);
    if (!half_free(t, &left, loop, dl) || !half_free(t, &right, loop, dr)) return RILL_OK;
    TRY(tracker_reserve(t, 3, 2));

    uint32_t twin[3], cap[2];
    open_and_cap(m, &left, &right, loop, twin, cap);
    rill_vec3 kept[3];
    for (int k = 0; k < 3; k++) {
        kept[k] = m->x[loop[k]];
        m->x[twin[k]] = v3_add(kept[k], dl);
        m->x[loop[k]] = v3_add(kept[k], dr);
    }
    rill_status st = update_side(t, &left, cap[0]);
    if (!st) st = update_side(t, &right, cap[1]);
    *done = !st && side_clear(t, &left, cap[0]) && side_clear(t, &right, cap[1]);
    if (*done) return RILL_OK;
    close_again(m, &left, loop, twin, cap);
    for (int k = 0; k < 3; k++) m->x[loop[k]] = kept[k];
    boxes_remove(&t->boxes, cap[0]);
    boxes_remove(&t->boxes, cap[1]);
    if (!st) st = update_side(t, &left, TMESH_NONE);
    if (!st) st = update_side(t, &right, TMESH_NONE);
    return st;
}
