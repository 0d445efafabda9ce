/* Whether a few vertices, with the triangles around them, can go somewhere: the test of every local change.
 *
 * A split moves the middle of an edge to the new point; a flip moves it to a point of the other diagonal; a
 * collapse moves both ends to one point. What is proven free is the whole way, so nothing is jumped over. */
#include "tracker/state.h"

enum { MARGIN = 4 }; /* changes leave more room than motion needs, so that motion starts free */

typedef struct {
    tracker *t;
    const star *s;
    uint32_t edge[3 * STAR_MOST][2]; /* with at least one point that moves, each once */
    int edges;
    double pad;
} trial;

star star_none(void)
{
    return (star){.gone = {TMESH_NONE, TMESH_NONE}, .gone_edge = {TMESH_NONE, TMESH_NONE}};
}

void star_point(star *s, uint32_t id, rill_vec3 from, rill_vec3 to)
{
    s->id[s->points] = id;
    s->from[s->points] = from;
    s->to[s->points++] = to;
}

bool star_triangle(star *s, uint32_t a, uint32_t b, uint32_t c)
{
    if (s->triangles == STAR_MOST) return false;
    uint32_t *v = s->triangle[s->triangles++];
    v[0] = a;
    v[1] = b;
    v[2] = c;
    return true;
}

bool star_fan(const tmesh *m, star *s, uint32_t v, uint32_t without)
{
    uint32_t c = m->corner[v];
    do {
        const uint32_t a = corner_vertex(m, corner_next(c)), b = corner_vertex(m, corner_prev(c));
        if (a != without && b != without && !star_triangle(s, v, a, b)) return false;
        c = corner_swing(m, c);
    } while (c != m->corner[v]);
    return true;
}

static int point_of(const star *s, uint32_t v) /* -1: one that stays */
{
    for (int k = 0; k < s->points; k++)
        if (s->id[k] == v) return k;
    return -1;
}

static void place(const trial *r, uint32_t v, rill_vec3 *from, rill_vec3 *to)
{
    const int k = point_of(r->s, v);
    *from = k < 0 ? r->t->mesh.x[v] : r->s->from[k];
    *to = k < 0 ? r->t->mesh.x[v] : r->s->to[k];
}

static void collect_edges(trial *r)
{
    const star *s = r->s;
    for (int i = 0; i < s->triangles; i++)
        for (int j = 0; j < 3; j++) {
            const uint32_t u = s->triangle[i][j], w = s->triangle[i][(j + 1) % 3];
            if (point_of(s, u) < 0 && point_of(s, w) < 0) continue;
            bool known = false;
            for (int e = 0; e < r->edges && !known; e++)
                known =
                    (r->edge[e][0] == u && r->edge[e][1] == w) || (r->edge[e][0] == w && r->edge[e][1] == u);
            if (known) continue;
            r->edge[r->edges][0] = u;
            r->edge[r->edges++][1] = w;
        }
}

static inline void widen(rill_vec3 *lo, rill_vec3 *hi, rill_vec3 x)
{
    if (x.x < lo->x) lo->x = x.x;
    if (x.y < lo->y) lo->y = x.y;
    if (x.z < lo->z) lo->z = x.z;
    if (x.x > hi->x) hi->x = x.x;
    if (x.y > hi->y) hi->y = x.y;
    if (x.z > hi->z) hi->z = x.z;
}

/* Whether points [0, n) of the query, over the motion, are farther than pad from the others on an axis. */
static bool boxed_apart(const gap_query *q, int n, double pad)
{
    rill_vec3 lo[2] = {q->from[0], q->from[n]}, hi[2] = {q->from[0], q->from[n]};
    for (int i = 0; i < 4; i++) {
        widen(&lo[i >= n], &hi[i >= n], q->from[i]);
        widen(&lo[i >= n], &hi[i >= n], q->to[i]);
    }
    for (int k = 0; k < 2; k++)
        if (lo[k].x > hi[1 - k].x + pad || lo[k].y > hi[1 - k].y + pad || lo[k].z > hi[1 - k].z + pad)
            return true;
    return false;
}

static bool touches(const gap_query *q, double pad)
{
    return !boxed_apart(q, q->edges ? 2 : 1, pad) && gap_contact(q, pad, NULL);
}

/* The points' ways against a triangle that stays. */
static bool points_touch(const trial *r, uint32_t triangle)
{
    const star *s = r->s;
    const uint32_t *v = r->t->mesh.triangle[triangle];
    if (triangle == s->gone[0] || triangle == s->gone[1]) return false;
    if (point_of(s, v[0]) >= 0 || point_of(s, v[1]) >= 0 || point_of(s, v[2]) >= 0) return false;
    gap_query q = {.edges = false};
    for (int i = 0; i < 3; i++) q.from[i + 1] = q.to[i + 1] = r->t->mesh.x[v[i]];
    for (int k = 0; k < s->points; k++) {
        q.from[0] = s->from[k];
        q.to[0] = s->to[k];
        if (touches(&q, r->pad)) return true;
    }
    return false;
}

/* The triangles that move against a vertex that stays. */
static bool triangles_touch(const trial *r, uint32_t v)
{
    const star *s = r->s;
    if (point_of(s, v) >= 0) return false;
    gap_query q = {.edges = false};
    q.from[0] = q.to[0] = r->t->mesh.x[v];
    for (int i = 0; i < s->triangles; i++) {
        const uint32_t *u = s->triangle[i];
        if (u[0] == v || u[1] == v || u[2] == v) continue;
        for (int k = 0; k < 3; k++) place(r, u[k], &q.from[k + 1], &q.to[k + 1]);
        if (touches(&q, r->pad)) return true;
    }
    return false;
}

/* The edges that move against one that stays. */
static bool edges_touch(const trial *r, uint32_t a, uint32_t b)
{
    const star *s = r->s;
    if (point_of(s, a) >= 0 || point_of(s, b) >= 0) return false;
    if ((a == s->gone_edge[0] && b == s->gone_edge[1]) || (a == s->gone_edge[1] && b == s->gone_edge[0]))
        return false;
    gap_query q = {.edges = true};
    q.from[2] = q.to[2] = r->t->mesh.x[a];
    q.from[3] = q.to[3] = r->t->mesh.x[b];
    for (int i = 0; i < r->edges; i++) {
        const uint32_t *e = r->edge[i];
        if (e[0] == a || e[0] == b || e[1] == a || e[1] == b) continue;
        place(r, e[0], &q.from[0], &q.to[0]);
        place(r, e[1], &q.from[1], &q.to[1]);
        if (touches(&q, r->pad)) return true;
    }
    return false;
}

/* The triangles of the mesh in a box: t->candidate[1 ..], their number in [0]. */
static void keep(void *arg, uint32_t triangle)
{
    tracker *t = arg;
    t->candidate[++t->candidate[0]] = triangle;
}

static void find_candidates(tracker *t, rill_vec3 lo, rill_vec3 hi, double pad)
{
    const boxes_range range =
        boxes_range_of(&t->boxes, v3_sub(lo, v3(pad, pad, pad)), v3_add(hi, v3(pad, pad, pad)));
    t->candidate[0] = 0;
    boxes_query(&t->boxes, &range, keep, t);
}

bool star_free(tracker *t, const star *s)
{
    if (!t->def.collisions) return true;
    const tmesh *m = &t->mesh;
    trial r = {.t = t, .s = s, .pad = MARGIN * t->touch};
    collect_edges(&r);
    rill_vec3 lo = s->from[0], hi = s->from[0], from, to;
    for (int i = 0; i < s->triangles; i++)
        for (int k = 0; k < 3; k++) {
            place(&r, s->triangle[i][k], &from, &to);
            widen(&lo, &hi, from);
            widen(&lo, &hi, to);
        }
    find_candidates(t, lo, hi, r.pad);
    for (uint32_t i = 1; i <= t->candidate[0]; i++) {
        const uint32_t triangle = t->candidate[i];
        if (points_touch(&r, triangle)) return false;
        for (uint32_t c = 3 * triangle; c < 3 * triangle + 3; c++) {
            if (corner_owns_vertex(m, c) && triangles_touch(&r, corner_vertex(m, c))) return false;
            if (corner_owns_edge(m, c) &&
                edges_touch(&r, corner_vertex(m, corner_next(c)), corner_vertex(m, corner_prev(c))))
                return false;
        }
    }
    return true;
}

/* ---- triangles that are put somewhere ---- */

/* Whether the segment passes through the triangle's inside. Only asked where all features are farther apart
 * than rounding can tell otherwise. */
static bool passes(const rill_vec3 *p, const rill_vec3 *q, const rill_vec3 t[3])
{
    const rill_vec3 n = v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0])), d = v3_sub(*q, *p);
    const double hp = v3_dot(n, v3_sub(*p, t[0])), hq = v3_dot(n, v3_sub(*q, t[0]));
    if ((hp > 0) == (hq > 0)) return false;
    int side = 0;
    for (int k = 0; k < 3; k++)
        side += v3_dot(d, v3_cross(v3_sub(t[k], *p), v3_sub(t[(k + 1) % 3], *p))) > 0 ? 1 : -1;
    return side == 3 || side == -3;
}

static bool pair_clear(const rill_vec3 *x, const uint32_t *a, const uint32_t *b, double pad)
{
    const uint32_t *v[2] = {a, b};
    rill_vec3 p[2][3];
    bool shared[2][3] = {{false}};
    int count = 0;
    for (int i = 0; i < 3; i++) {
        p[0][i] = x[a[i]];
        p[1][i] = x[b[i]];
        for (int j = 0; j < 3; j++)
            if (a[i] == b[j]) shared[0][i] = shared[1][j] = true, count++;
    }
    if (count == 3) return true; /* the same triangle */
    rill_vec3 between;
    double weight[4];
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3;
            if (!shared[side][i]) {
                const rill_vec3 q[4] = {x[v[side][i]], p[1 - side][0], p[1 - side][1], p[1 - side][2]};
                if (gap_closest(q, false, &between, weight) <= pad * pad) return false;
            }
            if (!shared[side][i] && !shared[side][j] && passes(&p[side][i], &p[side][j], p[1 - side]))
                return false;
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (shared[0][i] || shared[0][(i + 1) % 3] || shared[1][j] || shared[1][(j + 1) % 3]) continue;
            const rill_vec3 q[4] = {p[0][i], p[0][(i + 1) % 3], p[1][j], p[1][(j + 1) % 3]};
            if (gap_closest(q, true, &between, weight) <= pad * pad) return false;
        }
    return true;
}

bool patch_clear(tracker *t, const uint32_t (*triangle)[3], size_t count, const uint8_t *gone)
{
    if (!t->def.collisions) return true;
    const tmesh *m = &t->mesh;
    const double pad = MARGIN * t->touch;
    for (size_t i = 0; i < count; i++) {
        rill_vec3 lo = m->x[triangle[i][0]], hi = lo;
        widen(&lo, &hi, m->x[triangle[i][1]]);
        widen(&lo, &hi, m->x[triangle[i][2]]);
        find_candidates(t, lo, hi, pad);
        for (uint32_t k = 1; k <= t->candidate[0]; k++) {
            const uint32_t u = t->candidate[k];
            if (gone && gone[u]) continue;
            if (!pair_clear(m->x, triangle[i], m->triangle[u], pad)) return false;
        }
        for (size_t k = 0; k < i; k++)
            if (!pair_clear(m->x, triangle[i], triangle[k], pad)) return false;
    }
    return true;
}
