#include "tracker/gap.h"

enum { MOST_INTERVALS = 4096, STACK = 64 };

static inline double least(double a, double b)
{
    return a < b ? a : b;
}
static inline double most(double a, double b)
{
    return a > b ? a : b;
}

/* The point of a segment closest to p, when nearer than *best. */
static bool nearer_on_segment(rill_vec3 p, rill_vec3 a, rill_vec3 b, rill_vec3 *between, double *at,
                              double *best)
{
    const rill_vec3 ab = v3_sub(b, a), ap = v3_sub(p, a);
    const double d = v3_dot(ab, ab);
    double s = d > 0 ? v3_dot(ap, ab) / d : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    const rill_vec3 w = v3_madd(ap, -s, ab);
    const double e = v3_dot(w, w);
    if (!(e < *best)) return false;
    *best = e;
    *between = w;
    *at = s;
    return true;
}

static double closest_triangle(const rill_vec3 x[4], rill_vec3 *between, double weight[4])
{
    const rill_vec3 ab = v3_sub(x[2], x[1]), ac = v3_sub(x[3], x[1]), ap = v3_sub(x[0], x[1]);
    const rill_vec3 n = v3_cross(ab, ac);
    const double nn = v3_dot(n, n);
    const double u = v3_dot(v3_cross(ap, ac), n), v = v3_dot(v3_cross(ab, ap), n);
    weight[0] = 1;
    if (nn > 0 && u >= 0 && v >= 0 && u + v <= nn) {
        *between = v3_scale(n, v3_dot(ap, n) / nn);
        weight[2] = -u / nn;
        weight[3] = -v / nn;
        weight[1] = -1 - weight[2] - weight[3];
        return v3_dot(*between, *between);
    }
    double best = INFINITY, s = 0;
    for (int i = 0; i < 3; i++) {
        const int a = 1 + i, b = 1 + (i + 1) % 3, c = 1 + (i + 2) % 3;
        if (!nearer_on_segment(x[0], x[a], x[b], between, &s, &best)) continue;
        weight[a] = s - 1;
        weight[b] = -s;
        weight[c] = 0;
    }
    return best;
}

static double closest_edges(const rill_vec3 x[4], rill_vec3 *between, double weight[4])
{
    const rill_vec3 u = v3_sub(x[1], x[0]), v = v3_sub(x[3], x[2]), w = v3_sub(x[0], x[2]);
    const double a = v3_dot(u, u), b = v3_dot(u, v), c = v3_dot(v, v), d = v3_dot(u, w), e = v3_dot(v, w);
    const double g = a * c - b * b;
    if (g > 1e-12 * a * c) {
        const double s = b * e - c * d, t = a * e - b * d;
        if (s >= 0 && s <= g && t >= 0 && t <= g) {
            const rill_vec3 n = v3_cross(u, v);
            *between = v3_scale(n, v3_dot(w, n) / v3_dot(n, n));
            weight[0] = 1 - s / g;
            weight[1] = s / g;
            weight[2] = t / g - 1;
            weight[3] = -t / g;
            return v3_dot(*between, *between);
        }
    }
    double best = INFINITY, s = 0;
    rill_vec3 r = {0};
    for (int i = 0; i < 2; i++)
        if (nearer_on_segment(x[i], x[2], x[3], &r, &s, &best)) {
            *between = r;
            weight[i] = 1;
            weight[1 - i] = 0;
            weight[2] = s - 1;
            weight[3] = -s;
        }
    for (int i = 2; i < 4; i++)
        if (nearer_on_segment(x[i], x[0], x[1], &r, &s, &best)) {
            *between = v3_neg(r);
            weight[i] = -1;
            weight[5 - i] = 0;
            weight[0] = 1 - s;
            weight[1] = s;
        }
    return best;
}

double gap_closest(const rill_vec3 x[4], bool edges, rill_vec3 *between, double weight[4])
{
    return edges ? closest_edges(x, between, weight) : closest_triangle(x, between, weight);
}

static double largest(rill_vec3 a)
{
    return most(fabs(a.x), most(fabs(a.y), fabs(a.z)));
}

/* Whether all gaps along r are positive at both ends of [t0, t1]. */
static bool apart_along(const gap_query *q, rill_vec3 r, double t0, double t1, double rounding)
{
    const double bound = (fabs(r.x) + fabs(r.y) + fabs(r.z)) * rounding;
    double a[4], b[4], gap = INFINITY;
    for (int i = 0; i < 4; i++) a[i] = v3_dot(r, q->from[i]), b[i] = v3_dot(r, q->to[i]);
    for (int k = 0; k < 2; k++) {
        const double t = k ? t1 : t0;
        double h[4];
        for (int i = 0; i < 4; i++) h[i] = (1 - t) * a[i] + t * b[i];
        const double g =
            q->edges ? least(h[0], h[1]) - most(h[2], h[3]) : h[0] - most(h[1], most(h[2], h[3]));
        gap = least(gap, g);
    }
    return gap > bound;
}

/* The normal both features have in common, turned to the side of r. */
static rill_vec3 common_normal(const rill_vec3 p[4], bool edges, rill_vec3 r)
{
    const rill_vec3 n = edges ? v3_cross(v3_sub(p[1], p[0]), v3_sub(p[3], p[2]))
                              : v3_cross(v3_sub(p[2], p[1]), v3_sub(p[3], p[1]));
    return v3_dot(n, r) < 0 ? v3_neg(n) : n;
}

bool gap_contact(const gap_query *given, double touch, double *safe)
{
    gap_query q = *given;
    const rill_vec3 o = q.from[0];
    double extent = 0;
    for (int i = 0; i < 4; i++) {
        q.from[i] = v3_sub(q.from[i], o);
        q.to[i] = v3_sub(q.to[i], o);
        extent = most(extent, most(largest(q.from[i]), largest(q.to[i])));
    }
    /* Three products and two sums for a dot product, as much again for the interpolation and the difference,
     * and the shift above: under 16 roundings of `extent`, taken twice. */
    const double rounding = 32 * 0x1p-53 * extent;
    const double limit = most(touch, 64 * rounding);
    double begin[STACK], width[STACK];
    int n = 0;
    begin[n] = 0;
    width[n++] = 1;
    for (int count = 1; n; count++) {
        const double t0 = begin[--n], w = width[n], middle = t0 + 0.5 * w;
        rill_vec3 p[4], r = {0};
        double weight[4];
        for (int i = 0; i < 4; i++) p[i] = v3_madd(v3_scale(q.from[i], 1 - middle), middle, q.to[i]);
        const double square = gap_closest(p, q.edges, &r, weight);
        if (square <= limit * limit || w < 0x1p-50 || count >= MOST_INTERVALS) {
            if (safe) *safe = t0;
            return true;
        }
        if (apart_along(&q, r, t0, t0 + w, rounding)) continue;
        if (apart_along(&q, common_normal(p, q.edges, r), t0, t0 + w, rounding)) continue;
        begin[n] = middle;
        width[n++] = 0.5 * w;
        begin[n] = t0;
        width[n++] = 0.5 * w;
    }
    if (safe) *safe = 1;
    return false;
}
