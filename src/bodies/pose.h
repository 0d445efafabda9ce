/* Where a rigid shape is: from its own coordinates to the world and back, and turning it. */
#pragma once

#include "base/vec.h"

/* From the world to a shape's own coordinates: rotation^T (x - translate) / scale. */
struct solid_pose {
    rill_vec3 row[3], translate; /* row[k]: the shape's axis k in the world */
    double scale;
};
static inline rill_vec3 solid_turned(const struct solid_pose *p, rill_vec3 a)
{
    return v3(v3_dot(p->row[0], a), v3_dot(p->row[1], a), v3_dot(p->row[2], a));
}
static inline rill_vec3 solid_turned_back(const struct solid_pose *p, rill_vec3 a)
{
    return v3_add(v3_add(v3_scale(p->row[0], a.x), v3_scale(p->row[1], a.y)), v3_scale(p->row[2], a.z));
}
static inline rill_vec3 solid_to_local(const struct solid_pose *p, rill_vec3 x)
{
    return v3_scale(solid_turned(p, v3_sub(x, p->translate)), 1 / p->scale);
}
static inline rill_vec3 solid_to_world(const struct solid_pose *p, rill_vec3 x)
{
    return v3_add(p->translate, solid_turned_back(p, v3_scale(x, p->scale)));
}

/* A rotation, as a unit quaternion. */
typedef struct quaternion {
    double w, x, y, z;
} quaternion;

static inline quaternion quaternion_none(void)
{
    return (quaternion){1, 0, 0, 0};
}
/* First b, then a. */
static inline quaternion quaternion_times(quaternion a, quaternion b)
{
    return (quaternion){
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static inline quaternion quaternion_unit(quaternion q)
{
    const double l = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return l > 0 ? (quaternion){q.w / l, q.x / l, q.y / l, q.z / l} : quaternion_none();
}
/* By |turn| radians about turn. */
static inline quaternion quaternion_turn(rill_vec3 turn)
{
    const double angle = v3_length(turn), s = angle > 1e-8 ? sin(angle / 2) / angle : 0.5;
    return quaternion_unit((quaternion){cos(angle / 2), s * turn.x, s * turn.y, s * turn.z});
}
static inline rill_vec3 quaternion_rotate(quaternion q, rill_vec3 a)
{
    const rill_vec3 v = {q.x, q.y, q.z}, t = v3_scale(v3_cross(v, a), 2);
    return v3_add(v3_madd(a, q.w, t), v3_cross(v, t));
}

/* The turn as a vector, |angle| at most pi. */
static inline rill_vec3 quaternion_vector(quaternion q)
{
    const rill_vec3 v = {q.x, q.y, q.z};
    const double s = v3_length(v), c = fabs(q.w);
    if (s < 1e-12) return v3_scale(v, q.w < 0 ? -2 : 2);
    return v3_scale(v, (q.w < 0 ? -2 : 2) * atan2(s, c) / s);
}
/* The turn that takes the axes of one pose to those of another, as a vector. */
static inline rill_vec3 solid_pose_turn(const struct solid_pose *from, const struct solid_pose *to)
{
    double m[3][3], best = -1;
    quaternion q = quaternion_none();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            m[i][j] = 0;
            for (int k = 0; k < 3; k++) m[i][j] += v3_axis(to->row[k], i) * v3_axis(from->row[k], j);
        }
    /* the largest of the four components first: no division by little */
    const double four[4] = {1 + m[0][0] + m[1][1] + m[2][2], 1 + m[0][0] - m[1][1] - m[2][2],
                            1 - m[0][0] + m[1][1] - m[2][2], 1 - m[0][0] - m[1][1] + m[2][2]};
    int which = 0;
    for (int k = 0; k < 4; k++)
        if (four[k] > best) best = four[k], which = k;
    const double zy = m[2][1] - m[1][2], xz = m[0][2] - m[2][0], yx = m[1][0] - m[0][1];
    const double yxs = m[1][0] + m[0][1], zxs = m[2][0] + m[0][2], zys = m[2][1] + m[1][2];
    if (which == 0) q = (quaternion){best, zy, xz, yx};
    if (which == 1) q = (quaternion){zy, best, yxs, zxs};
    if (which == 2) q = (quaternion){xz, yxs, best, zys};
    if (which == 3) q = (quaternion){yx, zxs, zys, best};
    return quaternion_vector(quaternion_unit(q));
}

/* A pose turned about the point `from`, which goes to `to`. */
static inline struct solid_pose solid_pose_moved(const struct solid_pose *p, quaternion q, rill_vec3 from,
                                                 rill_vec3 to)
{
    struct solid_pose out = {.scale = p->scale};
    for (int k = 0; k < 3; k++) out.row[k] = quaternion_rotate(q, p->row[k]);
    out.translate = v3_add(to, quaternion_rotate(q, v3_sub(p->translate, from)));
    return out;
}
