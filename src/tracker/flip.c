/* Edges are exchanged for the other diagonal of their two triangles where that makes better angles.
 *
 * DEVIATES: the public code flips to the shorter diagonal; the angles across from the edge decide here
 * (Delaunay's rule), which is what good angles mean. Ridges keep their edges, and the tetrahedron between the
 * two surfaces is limited. The way is free when the middle of the edge can go through it to the other
 * diagonal. */
#include "tracker/quality.h"
#include "tracker/state.h"

enum { PASSES = 5 };

/* The cotangent's sum of the angles across from the edge is negative when they add up to more than pi. */
static double cotangent(rill_vec3 at, rill_vec3 a, rill_vec3 b)
{
    const rill_vec3 u = v3_sub(a, at), v = v3_sub(b, at);
    const double area = v3_length(v3_cross(u, v));
    return area > 0 ? v3_dot(u, v) / area : INFINITY;
}

static bool would_help(const tracker *t, uint32_t c)
{
    const tmesh *m = &t->mesh;
    const uint32_t o = m->opposite[c];
    const rill_vec3 r = m->x[corner_vertex(m, c)], a = m->x[corner_vertex(m, corner_next(c))],
                    b = m->x[corner_vertex(m, corner_prev(c))], s = m->x[corner_vertex(m, o)];
    if (!(cotangent(r, a, b) + cotangent(s, b, a) < -1e-3)) return false;
    const rill_vec3 n0 = triangle_area2(r, a, b), n1 = triangle_area2(s, b, a);
    const double l0 = v3_length(n0), l1 = v3_length(n1);
    if (!(v3_dot(n0, n1) > 0.8 * l0 * l1)) return false; /* a ridge */
    const rill_vec3 n2 = triangle_area2(r, a, s), n3 = triangle_area2(s, b, r), n = v3_add(n0, n1);
    const double l2 = v3_length(n2), l3 = v3_length(n3), ln = v3_length(n);
    if (!(v3_dot(n2, n) > 0.8 * l2 * ln) || !(v3_dot(n3, n) > 0.8 * l3 * ln)) return false;
    const double volume = fabs(v3_dot(v3_sub(s, r), triangle_area2(r, a, b))) / 6;
    if (volume > t->def.flip_volume * t->edge * t->edge * t->edge) return false;
    const double before = fmin(quality_angle(r, a, b), quality_angle(s, b, a));
    const double after = fmin(quality_angle(r, a, s), quality_angle(s, b, r));
    return after > before && v3_distance(r, s) < t->def.longest * t->edge;
}

/* The rim where two sheets meet at a sharp angle with air between them, near enough to be merged: the other
 * diagonal closes the gap by one tetrahedron. Joined sheets go on closing this way, where another merge would
 * make a tunnel; every time there is less air, so it ends. */
static bool would_zip(const tracker *t, uint32_t c)
{
    const tmesh *m = &t->mesh;
    const uint32_t o = m->opposite[c];
    const rill_vec3 r = m->x[corner_vertex(m, c)], a = m->x[corner_vertex(m, corner_next(c))],
                    b = m->x[corner_vertex(m, corner_prev(c))], s = m->x[corner_vertex(m, o)];
    const rill_vec3 n0 = triangle_area2(r, a, b), n1 = triangle_area2(s, b, a);
    const double l0 = v3_length(n0), l1 = v3_length(n1), reach = t->def.merge * t->edge;
    if (!(v3_dot(n0, n1) < -0.7 * l0 * l1)) return false;
    const double above = v3_dot(n0, v3_sub(s, r)); /* six times the tetrahedron; positive: air */
    if (!(above > 0) || !(above < reach * fmin(l0, l1))) return false;
    return v3_distance(r, s) < t->edge && quality_angle(r, a, s) > 0.02 && quality_angle(s, b, r) > 0.02;
}

/* Where the edge passes the other diagonal, as a share of it: the points of the two lines nearest each other.
 */
static void nearest_shares(rill_vec3 a, rill_vec3 b, rill_vec3 r, rill_vec3 s, double *on_ab, double *on_rs)
{
    const rill_vec3 u = v3_sub(b, a), v = v3_sub(s, r), w = v3_sub(a, r);
    const double uu = v3_dot(u, u), uv = v3_dot(u, v), vv = v3_dot(v, v), uw = v3_dot(u, w),
                 vw = v3_dot(v, w);
    const double g = uu * vv - uv * uv;
    *on_ab = g > 0 ? fmin(0.95, fmax(0.05, (uv * vw - vv * uw) / g)) : 0.5;
    *on_rs = g > 0 ? fmin(0.95, fmax(0.05, (uu * vw - uv * uw) / g)) : 0.5;
}

static rill_status flip_edge(tracker *t, uint32_t c, bool *done)
{
    tmesh *m = &t->mesh;
    const uint32_t o = m->opposite[c];
    const uint32_t r = corner_vertex(m, c), a = corner_vertex(m, corner_next(c)),
                   b = corner_vertex(m, corner_prev(c)), s = corner_vertex(m, o);
    *done = false;
    if (tmesh_valence(m, a) <= 3 || tmesh_valence(m, b) <= 3 || tmesh_find_edge(m, r, s) != TMESH_NONE)
        return RILL_OK;
    double on_ab, on_rs;
    nearest_shares(m->x[a], m->x[b], m->x[r], m->x[s], &on_ab, &on_rs);
    star st = star_none();
    star_point(&st, STAR_NEW, v3_madd(m->x[a], on_ab, v3_sub(m->x[b], m->x[a])),
               v3_madd(m->x[r], on_rs, v3_sub(m->x[s], m->x[r])));
    const uint32_t ring[4] = {r, a, s, b};
    for (int i = 0; i < 4; i++) (void)star_triangle(&st, STAR_NEW, ring[i], ring[(i + 1) % 4]);
    st.gone[0] = c / 3;
    st.gone[1] = o / 3;
    st.gone_edge[0] = a;
    st.gone_edge[1] = b;
    if (!star_free(t, &st)) return RILL_OK;
    tmesh_flip(m, c);
    *done = true;
    TRY(tracker_update_box(t, c / 3));
    return tracker_update_box(t, o / 3);
}

rill_status improve_flip(tracker *t, tracker_stats *stats)
{
    for (int pass = 0; pass < PASSES; pass++) {
        uint32_t flips = 0;
        for (uint32_t c = 0; c < 3 * t->mesh.triangles; c++) {
            if (!tmesh_triangle_live(&t->mesh, c / 3) || !corner_owns_edge(&t->mesh, c) ||
                (!would_help(t, c) && !would_zip(t, c)))
                continue;
            bool done;
            TRY(flip_edge(t, c, &done));
            flips += done;
        }
        stats->flips += flips;
        if (flips == 0) break;
    }
    return RILL_OK;
}
