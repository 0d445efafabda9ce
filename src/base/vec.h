/* Small vectors: doubles, by value. */
#pragma once

#include <math.h>
#include <rill/rill.h>
#include <stdbool.h>

static inline rill_vec3 v3(double x, double y, double z)
{
    return (rill_vec3){x, y, z};
}
static inline rill_vec3 v3_add(rill_vec3 a, rill_vec3 b)
{
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline rill_vec3 v3_sub(rill_vec3 a, rill_vec3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline rill_vec3 v3_scale(rill_vec3 a, double s)
{
    return v3(a.x * s, a.y * s, a.z * s);
}
static inline rill_vec3 v3_madd(rill_vec3 a, double s, rill_vec3 b) /* a + s b */
{
    return v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline rill_vec3 v3_mix(rill_vec3 a, rill_vec3 b, double share) /* a at 0, b at 1 */
{
    return v3((1 - share) * a.x + share * b.x, (1 - share) * a.y + share * b.y,
              (1 - share) * a.z + share * b.z);
}
static inline rill_vec3 v3_neg(rill_vec3 a)
{
    return v3(-a.x, -a.y, -a.z);
}
static inline rill_vec3 v3_min(rill_vec3 a, rill_vec3 b)
{
    return v3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}
static inline rill_vec3 v3_max(rill_vec3 a, rill_vec3 b)
{
    return v3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}
static inline double v3_dot(rill_vec3 a, rill_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline rill_vec3 v3_cross(rill_vec3 a, rill_vec3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double v3_length(rill_vec3 a)
{
    return sqrt(v3_dot(a, a));
}
static inline double v3_distance(rill_vec3 a, rill_vec3 b)
{
    return v3_length(v3_sub(a, b));
}
/* The zero vector stays zero. */
static inline rill_vec3 v3_unit(rill_vec3 a)
{
    const double l = v3_length(a);
    return l > 0 ? v3_scale(a, 1 / l) : a;
}
static inline double v3_axis(rill_vec3 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}
static inline void v3_set_axis(rill_vec3 *a, int axis, double value)
{
    if (axis == 0)
        a->x = value;
    else if (axis == 1)
        a->y = value;
    else
        a->z = value;
}
static inline bool v3_finite(rill_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline rill_vec3 box_size(rill_box b)
{
    return v3_sub(b.max, b.min);
}
static inline rill_vec3 box_center(rill_box b)
{
    return v3_scale(v3_add(b.min, b.max), 0.5);
}
static inline bool box_contains(rill_box b, rill_vec3 x)
{
    return x.x >= b.min.x && x.y >= b.min.y && x.z >= b.min.z && x.x <= b.max.x && x.y <= b.max.y &&
           x.z <= b.max.z;
}
static inline rill_box box_grown(rill_box b, double by)
{
    return (rill_box){v3_sub(b.min, v3(by, by, by)), v3_add(b.max, v3(by, by, by))};
}
static inline rill_box box_empty(void)
{
    return (rill_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}
static inline rill_box box_with(rill_box b, rill_vec3 x)
{
    return (rill_box){v3_min(b.min, x), v3_max(b.max, x)};
}
