#include "flow/keyframes.h"

/* One component between two keys, with s from 0 to 1 over h seconds:
 * a + s (b + s (c + s d)). */
typedef struct {
    double a, b, c, d;
} cubic;

/* The slope of the smooth curve at a key: the weighted harmonic mean of the two slopes
 * beside it, zero where they have not the same sign. */
static double tangent(const keyframes *k, uint32_t i, int axis)
{
    if (i == 0 || i + 1 == k->count) return 0;
    const keyframe *p = &k->key[i - 1], *q = &k->key[i], *r = &k->key[i + 1];
    const double h0 = q->t - p->t, h1 = r->t - q->t;
    const double d0 = (v3_axis(q->value, axis) - v3_axis(p->value, axis)) / h0,
                 d1 = (v3_axis(r->value, axis) - v3_axis(q->value, axis)) / h1;
    if (!(d0 * d1 > 0)) return 0;
    const double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
    return (w0 + w1) / (w0 / d0 + w1 / d1);
}

/* Between keys i and i + 1. */
static cubic segment(const keyframes *k, uint32_t i, int axis)
{
    const double from = v3_axis(k->key[i].value, axis), rise = v3_axis(k->key[i + 1].value, axis) - from;
    if (!k->smooth) return (cubic){from, rise, 0, 0};
    const double h = k->key[i + 1].t - k->key[i].t;
    const double m0 = h * tangent(k, i, axis), m1 = h * tangent(k, i + 1, axis);
    return (cubic){from, m0, 3 * rise - 2 * m0 - m1, m0 + m1 - 2 * rise};
}

/* The last key not after t; the first when t is before all. */
static uint32_t key_before(const keyframes *k, double t)
{
    uint32_t low = 0, high = k->count; /* key[low].t <= t < key[high].t */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (k->key[middle].t <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool before_all(const keyframes *k, double t)
{
    return t < k->key[0].t;
}

rill_vec3 keyframes_at(const keyframes *k, double t)
{
    if (k->count == 0) return v3(0, 0, 0);
    const uint32_t i = key_before(k, t);
    const keyframe *key = &k->key[i];
    if (i + 1 == k->count || !(t > key->t)) return key->value; /* t == key: exactly the key's value */
    const double s = (t - key->t) / (key[1].t - key->t);
    rill_vec3 out;
    for (int axis = 0; axis < 3; axis++) {
        const cubic p = segment(k, i, axis);
        v3_set_axis(&out, axis, p.a + s * (p.b + s * (p.c + s * p.d)));
    }
    return out;
}

rill_vec3 keyframes_rate(const keyframes *k, double t)
{
    if (k->count == 0 || before_all(k, t)) return v3(0, 0, 0);
    const uint32_t i = key_before(k, t);
    if (i + 1 == k->count) return v3(0, 0, 0);
    const double h = k->key[i + 1].t - k->key[i].t, s = (t - k->key[i].t) / h;
    rill_vec3 out;
    for (int axis = 0; axis < 3; axis++) {
        const cubic p = segment(k, i, axis);
        v3_set_axis(&out, axis, (p.b + s * (2 * p.c + s * 3 * p.d)) / h);
    }
    return out;
}

/* From the first key to t; negative before it. */
static rill_vec3 area_to(const keyframes *k, double t)
{
    const keyframe *key = k->key;
    if (before_all(k, t)) return v3_scale(key[0].value, t - key[0].t);
    rill_vec3 sum = {0, 0, 0};
    uint32_t i = 0;
    for (; i + 1 < k->count && key[i].t < t; i++) {
        const double h = key[i + 1].t - key[i].t, s = t < key[i + 1].t ? (t - key[i].t) / h : 1;
        for (int axis = 0; axis < 3; axis++) {
            const cubic p = segment(k, i, axis);
            const double area = h * s * (p.a + s * (p.b / 2 + s * (p.c / 3 + s * p.d / 4)));
            v3_set_axis(&sum, axis, v3_axis(sum, axis) + area);
        }
    }
    const keyframe *last = &key[k->count - 1];
    return t > last->t ? v3_madd(sum, t - last->t, last->value) : sum;
}

rill_vec3 keyframes_integral(const keyframes *k, double from, double to)
{
    if (k->count == 0) return v3(0, 0, 0);
    return v3_sub(area_to(k, to), area_to(k, from));
}

/* The largest absolute value of a polynomial's derivative between 0 and 1. */
static double steepest(cubic p)
{
    double most = fmax(fabs(p.b), fabs(p.b + 2 * p.c + 3 * p.d));
    const double s = p.d != 0 ? -p.c / (3 * p.d) : -1; /* where the second derivative is zero */
    if (s > 0 && s < 1) most = fmax(most, fabs(p.b + s * (2 * p.c + s * 3 * p.d)));
    return most;
}

rill_vec3 keyframes_fastest(const keyframes *k, double from, double to)
{
    rill_vec3 most = {0, 0, 0};
    for (uint32_t i = 0; i + 1 < k->count; i++) {
        if (k->key[i].t > to || k->key[i + 1].t < from) continue;
        for (int axis = 0; axis < 3; axis++)
            v3_set_axis(
                &most, axis,
                fmax(v3_axis(most, axis), steepest(segment(k, i, axis)) / (k->key[i + 1].t - k->key[i].t)));
    }
    return most;
}

double keyframes_longest(const keyframes *k)
{
    double most = 0; /* between two keys no component leaves their range, and lengths are convex */
    for (uint32_t i = 0; i < k->count; i++) most = fmax(most, v3_length(k->key[i].value));
    if (!k->smooth) return most;
    for (uint32_t i = 0; i + 1 < k->count; i++) { /* the components may peak at different times */
        const rill_vec3 a = k->key[i].value, b = k->key[i + 1].value;
        most = fmax(most, v3_length(v3(fmax(fabs(a.x), fabs(b.x)), fmax(fabs(a.y), fabs(b.y)),
                                       fmax(fabs(a.z), fabs(b.z)))));
    }
    return most;
}
