/* Least squares for a vector from its components along given directions. */
#pragma once

#include "base/vec.h"

typedef struct brochu_rows {
    double xx, xy, xz, yy, yz, zz;
    rill_vec3 right;
} brochu_rows;

static inline void rows_add(brochu_rows *r, rill_vec3 n, double weight, double value)
{
    r->xx += weight * n.x * n.x;
    r->xy += weight * n.x * n.y;
    r->xz += weight * n.x * n.z;
    r->yy += weight * n.y * n.y;
    r->yz += weight * n.y * n.z;
    r->zz += weight * n.z * n.z;
    r->right = v3_madd(r->right, weight * value, n);
}
/* Draws the solution toward u. */
static inline void rows_toward(brochu_rows *r, double weight, rill_vec3 u)
{
    r->xx += weight;
    r->yy += weight;
    r->zz += weight;
    r->right = v3_madd(r->right, weight, u);
}
static inline double rows_mean(const brochu_rows *r) /* eigenvalue */
{
    return (r->xx + r->yy + r->zz) / 3;
}
static inline double rows_det(const brochu_rows *r)
{
    return r->xx * (r->yy * r->zz - r->yz * r->yz) + r->xy * (r->xz * r->yz - r->xy * r->zz) +
           r->xz * (r->xy * r->yz - r->xz * r->yy);
}
/* For another right side; false, and zero, when the directions do not span space. */
static inline bool rows_solve(const brochu_rows *r, rill_vec3 b, rill_vec3 *out)
{
    const double mean = rows_mean(r), det = rows_det(r);
    *out = v3(0, 0, 0);
    if (!(det > 1e-9 * mean * mean * mean)) return false;
    const double a = r->yy * r->zz - r->yz * r->yz, ab = r->xz * r->yz - r->xy * r->zz,
                 ac = r->xy * r->yz - r->xz * r->yy, bb = r->xx * r->zz - r->xz * r->xz,
                 bc = r->xy * r->xz - r->xx * r->yz, c = r->xx * r->yy - r->xy * r->xy;
    *out = v3((a * b.x + ab * b.y + ac * b.z) / det, (ab * b.x + bb * b.y + bc * b.z) / det,
              (ac * b.x + bc * b.y + c * b.z) / det);
    return true;
}

static inline rill_vec3 gradient_along(const rill_vec3 g[3], rill_vec3 d)
{
    return v3(v3_dot(g[0], d), v3_dot(g[1], d), v3_dot(g[2], d));
}
static inline rill_vec3 turned(rill_vec3 u, uint8_t axes)
{
    return v3(axes & 1 ? -u.x : u.x, axes & 2 ? -u.y : u.y, axes & 4 ? -u.z : u.z);
}
