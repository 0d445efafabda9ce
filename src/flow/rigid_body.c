#include "flow/rigid_body.h"

#include <string.h>

/* Lower Cholesky factor of a symmetric 3 x 3 matrix; false when it is not positive. */
static bool cholesky3(const double a[3][3], double l[3][3])
{
    memset(l, 0, 9 * sizeof(double));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double s = a[i][j];
            for (int k = 0; k < j; k++) s -= l[i][k] * l[j][k];
            if (i == j) {
                if (!(s > 1e-14 * a[i][i])) return false;
                l[i][i] = sqrt(s);
            } else {
                l[i][j] = s / l[j][j];
            }
        }
    return true;
}

/* root root^T = a^-1: the inverse transposed of a's Cholesky factor. */
static bool inverse_root3(const double a[3][3], double root[3][3])
{
    double l[3][3], inverse[3][3] = {{0}};
    if (!cholesky3(a, l)) return false;
    for (int c = 0; c < 3; c++)
        for (int i = c; i < 3; i++) {
            double s = i == c;
            for (int k = c; k < i; k++) s -= l[i][k] * inverse[k][c];
            inverse[i][c] = s / l[i][i];
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) root[i][j] = inverse[j][i];
    return true;
}

/* Column c: the motion of the body when its c-th freedom goes at unit speed. */
static void set_column(double m[BODY_FREEDOMS][BODY_FREEDOMS], int c, rill_vec3 velocity, rill_vec3 spin,
                       double scale)
{
    for (int k = 0; k < 3; k++) {
        m[k][c] = scale * v3_axis(velocity, k);
        m[3 + k][c] = scale * v3_axis(spin, k);
    }
}

static bool free_root(const rigid_body *b, double root[BODY_FREEDOMS][BODY_FREEDOMS])
{
    double turn[3][3];
    if (!inverse_root3(b->inertia, turn)) return false;
    for (int c = 0; c < 3; c++) {
        root[c][c] = 1 / sqrt(b->mass);
        for (int k = 0; k < 3; k++) root[3 + k][3 + c] = turn[k][c];
    }
    return true;
}

static rill_vec3 times3(const double m[3][3], rill_vec3 v)
{
    return v3(m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z, m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
              m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z);
}

static bool hinged_root(const rigid_body *b, double root[BODY_FREEDOMS][BODY_FREEDOMS])
{
    const rill_vec3 along = v3_cross(b->axis, v3_sub(b->center, b->point));
    const double moment = v3_dot(b->axis, times3(b->inertia, b->axis)) + b->mass * v3_dot(along, along);
    if (!(moment > 0)) return false;
    set_column(root, 0, along, b->axis, 1 / sqrt(moment));
    return true;
}

/* About the point: inertia + mass (r.r - r r^T) (Steiner). */
static bool pinned_root(const rigid_body *b, double root[BODY_FREEDOMS][BODY_FREEDOMS])
{
    const rill_vec3 r = v3_sub(b->center, b->point);
    double about[3][3], turn[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            about[i][j] =
                b->inertia[i][j] + b->mass * ((i == j) * v3_dot(r, r) - v3_axis(r, i) * v3_axis(r, j));
    if (!inverse_root3(about, turn)) return false;
    for (int c = 0; c < 3; c++) {
        const rill_vec3 spin = v3(turn[0][c], turn[1][c], turn[2][c]);
        set_column(root, c, v3_cross(spin, r), spin, 1);
    }
    return true;
}

bool rigid_body_root(const rigid_body *b, double root[BODY_FREEDOMS][BODY_FREEDOMS])
{
    memset(root, 0, BODY_FREEDOMS * BODY_FREEDOMS * sizeof(double));
    if (!(b->mass > 0)) return false;
    switch (b->constraint) {
    case BODY_HINGED: return hinged_root(b, root);
    case BODY_PINNED: return pinned_root(b, root);
    default: return free_root(b, root);
    }
}

void rigid_body_motion(const rigid_body *b, double motion[BODY_FREEDOMS])
{
    for (int k = 0; k < 3; k++) {
        motion[k] = v3_axis(b->velocity, k);
        motion[3 + k] = v3_axis(b->spin, k);
    }
}

void rigid_body_set_motion(rigid_body *b, const double motion[BODY_FREEDOMS])
{
    b->spin = v3(motion[3], motion[4], motion[5]);
    if (b->constraint == BODY_HINGED) b->spin = v3_scale(b->axis, v3_dot(b->axis, b->spin));
    b->velocity = b->constraint == BODY_FREE ? v3(motion[0], motion[1], motion[2])
                                             : v3_cross(b->spin, v3_sub(b->center, b->point));
}
