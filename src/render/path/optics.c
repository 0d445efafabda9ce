#include "render/path/optics.h"

optics_frame optics_frame_of(rill_vec3 n)
{
    const double sign = n.z >= 0 ? 1 : -1, p = -1 / (sign + n.z), q = n.x * n.y * p;
    return (optics_frame){v3(1 + sign * n.x * n.x * p, sign * q, -sign * n.x),
                          v3(q, sign + n.y * n.y * p, -n.y), n};
}

double optics_fresnel(double cosine, double index)
{
    const double c = fmin(fabs(cosine), 1), sine2 = (1 - c * c) / (index * index);
    if (index == 1) return 0;
    if (sine2 >= 1) return 1;
    const double t = sqrt(1 - sine2);
    const double s = (c - index * t) / (c + index * t), p = (index * c - t) / (index * c + t);
    return (s * s + p * p) / 2;
}

rill_vec3 optics_metal(double cosine, rill_vec3 color)
{
    const double a = 1 - fmin(fmax(cosine, 0), 1), a2 = a * a, rest = a2 * a2 * a;
    return v3_mix(color, v3(1, 1, 1), rest);
}

rill_vec3 optics_reflect(rill_vec3 d, rill_vec3 n)
{
    return v3_madd(d, -2 * v3_dot(d, n), n);
}

bool optics_refract(rill_vec3 d, rill_vec3 n, double index, rill_vec3 *out)
{
    const double c = -v3_dot(d, n), k = 1 - (1 - c * c) / (index * index);
    if (!(k > 0)) return false;
    *out = v3_unit(v3_madd(v3_scale(d, 1 / index), c / index - sqrt(k), n));
    return true;
}

double optics_ggx(rill_vec3 half, double alpha)
{
    if (!(half.z > 0)) return 0;
    const double a2 = alpha * alpha, k = half.z * half.z * (a2 - 1) + 1;
    return a2 / (OPTICS_PI * k * k);
}

/* Smith's auxiliary function: ratio of masked to visible. */
static double lambda(rill_vec3 w, double alpha)
{
    const double c2 = w.z * w.z, tangent2 = c2 > 0 ? fmax(0, 1 - c2) / c2 : INFINITY;
    return (sqrt(1 + alpha * alpha * tangent2) - 1) / 2;
}

double optics_ggx_lit(rill_vec3 out, double alpha)
{
    return 1 / (1 + lambda(out, alpha));
}

double optics_ggx_both(rill_vec3 out, rill_vec3 in, double alpha)
{
    return 1 / (1 + lambda(out, alpha) + lambda(in, alpha));
}

rill_vec3 optics_ggx_sample(rill_vec3 out, double alpha, double u, double v)
{
    const rill_vec3 w = v3_unit(v3(alpha * out.x, alpha * out.y, out.z));
    const optics_frame f = optics_frame_of(w);
    const double r = sqrt(u), turn = 2 * OPTICS_PI * v, a = r * cos(turn), share = (1 + w.z) / 2;
    /* The frame's first axis is horizontal in Heitz's construction: built the same way here. */
    const double flat = hypot(w.x, w.y);
    const rill_vec3 x = flat > 0 ? v3(-w.y / flat, w.x / flat, 0) : f.x, y = v3_cross(w, x);
    const double b = (1 - share) * sqrt(fmax(0, 1 - a * a)) + share * r * sin(turn);
    const rill_vec3 n = v3_madd(v3_madd(v3_scale(x, a), b, y), sqrt(fmax(0, 1 - a * a - b * b)), w);
    return v3_unit(v3(alpha * n.x, alpha * n.y, fmax(1e-9, n.z)));
}

rill_vec3 optics_cosine(double u, double v)
{
    const double r = sqrt(u), turn = 2 * OPTICS_PI * v;
    return v3(r * cos(turn), r * sin(turn), sqrt(fmax(0, 1 - u)));
}

rill_vec3 optics_cone(double cosine, double u, double v)
{
    const double z = 1 - u * (1 - cosine), r = sqrt(fmax(0, 1 - z * z)), turn = 2 * OPTICS_PI * v;
    return v3(r * cos(turn), r * sin(turn), z);
}
