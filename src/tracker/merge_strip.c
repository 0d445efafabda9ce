#include "geom/mesh/triangle.h"
#include "tracker/merge.h"
#include "tracker/quality.h"

/* The second rim runs the other way around, seen from the first: c_k = rim[-k]. */
static uint32_t first_at(const merging *m, int start, int i)
{
    return m->disc[0].rim[(start + i) % m->disc[0].rims];
}
static uint32_t second_at(const merging *m, int start, int k)
{
    const int n = m->disc[1].rims;
    return m->disc[1].rim[((start - k) % n + n) % n];
}

static void closest_pair(const merging *m, int *i0, int *k0)
{
    double best = INFINITY;
    for (int i = 0; i < m->disc[0].rims; i++)
        for (int k = 0; k < m->disc[1].rims; k++) {
            const double d = v3_distance(m->t->mesh.x[m->disc[0].rim[i]], m->t->mesh.x[m->disc[1].rim[k]]);
            if (d < best) best = d, *i0 = i, *k0 = k;
        }
}

static rill_status push(merging *m, uint32_t a, uint32_t b, uint32_t c)
{
    TRY(mem_grow(m->t->ctx, &m->strip, sizeof *m->strip, &m->strip_room, m->strips + 1));
    uint32_t *v = m->strip[m->strips++];
    v[0] = a;
    v[1] = b;
    v[2] = c;
    return RILL_OK;
}

/* The strip whose edges across are shortest in sum, from the closest pair around to it again. A strip of
 * `first + second` triangles is a way through the grid of pairs, one step for each. */
static rill_status shortest_strip(merging *m, int i0, int k0)
{
    const rill_vec3 *x = m->t->mesh.x;
    const int n = m->disc[0].rims, l = m->disc[1].rims;
    double *row = m->cost[0], *above = m->cost[1];
    for (int i = 0; i <= n; i++) {
        for (int k = 0; k <= l; k++) {
            const double from_above = i > 0 ? above[k] : INFINITY, from_left = k > 0 ? row[k - 1] : INFINITY;
            const bool corner = (i == 0 && k == l) || (i == n && k == 0); /* the closing edge, too early */
            const double best = i + k == 0 ? 0 : fmin(from_above, from_left);
            row[k] = corner ? INFINITY : best + v3_distance(x[first_at(m, i0, i)], x[second_at(m, k0, k)]);
            m->back[i * (l + 1) + k] = from_above <= from_left;
        }
        double *swap = row;
        row = above;
        above = swap;
    }
    m->strips = 0;
    for (int i = n, k = l; i + k > 0;) {
        if (m->back[i * (l + 1) + k]) {
            i--;
            TRY(push(m, first_at(m, i0, i), first_at(m, i0, i + 1), second_at(m, k0, k)));
        } else {
            k--;
            TRY(push(m, second_at(m, k0, k + 1), second_at(m, k0, k), first_at(m, i0, i)));
        }
    }
    return RILL_OK;
}

/* No vertex of anything else in what lies between discs and strip. */
typedef struct {
    const merging *m;
    bool found;
} inside;

static void look_inside(void *arg, uint32_t triangle)
{
    inside *q = arg;
    const merging *m = q->m;
    const tmesh *mesh = &m->t->mesh;
    if (m->side[triangle] || q->found) return;
    for (uint32_t c = 3 * triangle; c < 3 * triangle + 3; c++) {
        const uint32_t v = corner_vertex(mesh, c);
        if (m->owner[v] || !corner_owns_vertex(mesh, c)) continue;
        const rill_vec3 o = mesh->x[v];
        double angle = 0;
        for (int k = 0; k < 2; k++)
            for (size_t i = 0; i < m->disc[k].count; i++) {
                const uint32_t *u = mesh->triangle[m->disc[k].triangle[i]];
                angle += triangle_solid_angle(v3_sub(mesh->x[u[0]], o), v3_sub(mesh->x[u[1]], o),
                                              v3_sub(mesh->x[u[2]], o));
            }
        for (size_t i = 0; i < m->strips; i++) { /* the strip looks the other way */
            const uint32_t *u = m->strip[i];
            angle -= triangle_solid_angle(v3_sub(mesh->x[u[0]], o), v3_sub(mesh->x[u[1]], o),
                                          v3_sub(mesh->x[u[2]], o));
        }
        if (fabs(angle) > 6) q->found = true; /* 4 pi inside, 0 outside */
    }
}

bool merge_empty_between(const merging *m)
{
    const tmesh *mesh = &m->t->mesh;
    rill_box box = box_empty();
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < m->disc[k].count; i++)
            for (int j = 0; j < 3; j++)
                box = box_with(box, mesh->x[mesh->triangle[m->disc[k].triangle[i]][j]]);
    const boxes_range range = boxes_range_of(&m->t->boxes, box.min, box.max);
    inside q = {.m = m};
    boxes_query(&m->t->boxes, &range, look_inside, &q);
    return !q.found;
}

/* Whether two of the strip's triangles that do not follow each other have an edge across in common. */
static bool repeats(const merging *m)
{
    for (size_t i = 0; i < m->strips; i++)
        for (size_t j = i + 2; j < m->strips; j++) {
            int common = 0;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) common += m->strip[i][a] == m->strip[j][b];
            if (common > 1 && !(i == 0 && j == m->strips - 1)) return true;
        }
    return false;
}

/* Edges across must be new, and each be there once; triangles of some shape. */
static bool well_formed(const merging *m)
{
    const tracker *t = m->t;
    for (size_t i = 0; i < m->strips; i++) {
        const uint32_t *v = m->strip[i];
        if (tmesh_find_edge(&t->mesh, v[1], v[2]) != TMESH_NONE ||
            tmesh_find_edge(&t->mesh, v[2], v[0]) != TMESH_NONE)
            return false;
        if (quality_angle(t->mesh.x[v[0]], t->mesh.x[v[1]], t->mesh.x[v[2]]) < 0.01) return false;
    }
    return true;
}

rill_status merge_strip(merging *m, bool *usable)
{
    const int n = m->disc[0].rims, l = m->disc[1].rims;
    int i0 = 0, k0 = 0;
    *usable = false;
    closest_pair(m, &i0, &k0);
    m->back = NULL;
    m->cost[0] = m->cost[1] = NULL;
    rill_status st = MEM_NEW(m->t->ctx, m->back, (size_t)(n + 1) * (size_t)(l + 1));
    if (!st) st = MEM_NEW(m->t->ctx, m->cost[0], (size_t)l + 1);
    if (!st) st = MEM_NEW(m->t->ctx, m->cost[1], (size_t)l + 1);
    if (!st) st = shortest_strip(m, i0, k0);
    mem_free(m->t->ctx, m->back);
    mem_free(m->t->ctx, m->cost[0]);
    mem_free(m->t->ctx, m->cost[1]);
    if (!st)
        *usable = well_formed(m) && !repeats(m) &&
                  patch_clear(m->t, (const uint32_t(*)[3])m->strip, m->strips, m->side) &&
                  merge_empty_between(m);
    return st;
}

/* The corner beyond each rim edge, before the disc goes. */
static uint32_t beyond(const merging *m, int which, uint32_t from)
{
    const disc *d = &m->disc[which];
    for (int i = 0; i < d->rims; i++)
        if (d->rim[i] == from) return m->t->mesh.opposite[d->rim_corner[i]];
    return TMESH_NONE;
}

void merge_remove_discs(merging *m)
{
    tmesh *mesh = &m->t->mesh;
    for (int k = 0; k < 2; k++) {
        disc *d = &m->disc[k];
        for (int i = 0; i < d->rims; i++) m->owner[d->rim[i]] = 0;
        for (size_t i = 0; i < d->count; i++) {
            const uint32_t t = d->triangle[i];
            for (int j = 0; j < 3; j++) {
                const uint32_t v = mesh->triangle[t][j];
                if (!m->owner[v]) continue;
                m->owner[v] = 0;
                tmesh_free_vertex(mesh, v);
            }
            boxes_remove(&m->t->boxes, t);
            tmesh_free_triangle(mesh, t);
            m->side[t] = 0;
            m->gone[t] = 1;
        }
        d->count = 0;
    }
}

rill_status merge_apply(merging *m)
{
    tmesh *mesh = &m->t->mesh;
    uint32_t *across = NULL, *added = NULL;
    /* A disc with a vertex inside has at least as many triangles as rim edges: the strip fits where they
     * were. */
    rill_status st = MEM_NEW(m->t->ctx, across, m->strips);
    if (!st) st = MEM_NEW(m->t->ctx, added, m->strips);
    if (!st) {
        /* A strip triangle's first two corners are an edge of a rim, as the disc ran through it. */
        for (size_t i = 0; i < m->strips; i++)
            across[i] = beyond(m, m->owner[m->strip[i][0]] - 1, m->strip[i][0]);
        merge_remove_discs(m);
        for (size_t i = 0; i < m->strips; i++)
            added[i] = tmesh_new_triangle(mesh, m->strip[i][0], m->strip[i][1], m->strip[i][2]);
        for (size_t i = 0; i < m->strips; i++) {
            const size_t next = (i + 1) % m->strips;
            tmesh_join(mesh, 3 * added[i] + 2, across[i]);
            /* Built from the end: the edge toward the next one is the side this one's way came from. */
            for (uint32_t a = 0; a < 2; a++)
                for (uint32_t b = 0; b < 2; b++) {
                    const uint32_t ca = 3 * added[i] + a, cb = 3 * added[next] + b;
                    if (corner_vertex(mesh, corner_next(ca)) == corner_vertex(mesh, corner_prev(cb)) &&
                        corner_vertex(mesh, corner_prev(ca)) == corner_vertex(mesh, corner_next(cb)))
                        tmesh_join(mesh, ca, cb);
                }
            for (uint32_t k = 0; k < 3; k++) mesh->corner[m->strip[i][k]] = 3 * added[i] + k;
        }
        for (size_t i = 0; !st && i < m->strips; i++) st = tracker_update_box(m->t, added[i]);
    }
    mem_free(m->t->ctx, across);
    mem_free(m->t->ctx, added);
    return st;
}
