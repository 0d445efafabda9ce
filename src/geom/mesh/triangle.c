#include "geom/mesh/triangle.h"

static const double pi = 3.14159265358979323846;

/* The closest point of the side from p to q, given relative to x: share of q. */
static double side_closest(rill_vec3 p, rill_vec3 q, double *square)
{
    const rill_vec3 e = v3_sub(q, p);
    const double length2 = v3_dot(e, e);
    double t = length2 > 0 ? -v3_dot(p, e) / length2 : 0;
    t = t > 0 ? t < 1 ? t : 1 : 0;
    const rill_vec3 r = t == 1 ? q : v3_madd(p, t, e);
    *square = v3_dot(r, r);
    return t;
}

/* Offers side k (opposite corner k). */
static void offer_side(int k, const rill_vec3 corner[3], triangle_near *best)
{
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    double square;
    const double t = side_closest(corner[i], corner[j], &square);
    if (!(square < best->square)) return;
    best->square = square;
    best->weight[i] = 1 - t;
    best->weight[j] = t;
    best->weight[k] = 0;
}

triangle_near triangle_closest(rill_vec3 x, rill_vec3 a, rill_vec3 b, rill_vec3 c)
{
    const rill_vec3 corner[3] = {v3_sub(a, x), v3_sub(b, x), v3_sub(c, x)};
    const rill_vec3 ab = v3_sub(b, a), ac = v3_sub(c, a), n = v3_cross(ab, ac);
    const double nn = v3_dot(n, n), ab2 = v3_dot(ab, ab), ac2 = v3_dot(ac, ac),
                 longest2 = ab2 > ac2 ? ab2 : ac2;
    triangle_near best = {INFINITY, {1, 0, 0}};
    if (nn > 1e-20 * longest2 * longest2) {
        const double wb = v3_dot(v3_cross(ac, corner[0]), n) / nn; /* (x - a) x ac = ac x (a - x) */
        const double wc = v3_dot(v3_cross(corner[0], ab), n) / nn;
        const double wa = 1 - wb - wc;
        if (wa >= 0 && wb >= 0 && wc >= 0) {
            const double height = v3_dot(corner[0], n);
            return (triangle_near){height * height / nn, {wa, wb, wc}};
        }
        /* The foot lies outside of every side that has the closest point. */
        if (wa < 0) offer_side(0, corner, &best);
        if (wb < 0) offer_side(1, corner, &best);
        if (wc < 0) offer_side(2, corner, &best);
    } else {
        for (int k = 0; k < 3; k++) offer_side(k, corner, &best);
    }
    return best;
}

static double angle_between(rill_vec3 a, rill_vec3 b)
{
    return atan2(v3_length(v3_cross(a, b)), v3_dot(a, b));
}

double triangle_angle_at(const double weight[3], rill_vec3 a, rill_vec3 b, rill_vec3 c)
{
    const double corner = 1 - 1e-9, side = 1e-9;
    if (weight[0] >= corner) return angle_between(v3_sub(b, a), v3_sub(c, a));
    if (weight[1] >= corner) return angle_between(v3_sub(c, b), v3_sub(a, b));
    if (weight[2] >= corner) return angle_between(v3_sub(a, c), v3_sub(b, c));
    return weight[0] <= side || weight[1] <= side || weight[2] <= side ? pi : 2 * pi;
}

double triangle_solid_angle(rill_vec3 a, rill_vec3 b, rill_vec3 c)
{
    const double la = v3_length(a), lb = v3_length(b), lc = v3_length(c);
    const double volume = v3_dot(a, v3_cross(b, c));
    const double size = la * lb * lc + v3_dot(a, b) * lc + v3_dot(b, c) * la + v3_dot(c, a) * lb;
    return volume == 0 ? 0 : 2 * atan2(volume, size); /* in its plane: half on either side */
}
