#include "flow/rigid_body.h"

#include <string.h>

typedef double matrix6[BODY_FREEDOMS][BODY_FREEDOMS];

/* Lower Cholesky factor of the leading n rows; false when they are not positive. */
static bool cholesky(int n, const matrix6 a, matrix6 l)
{
    memset(l, 0, sizeof(matrix6));
    for (int i = 0; i < n; i++)
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
static bool inverse_root(int n, const matrix6 a, matrix6 root)
{
    matrix6 l;
    memset(root, 0, sizeof(matrix6));
    if (!cholesky(n, a, l)) return false;
    for (int c = 0; c < n; c++)
        for (int i = c; i < n; i++) {
            double s = i == c;
            for (int k = c; k < i; k++) s -= l[i][k] * root[c][k];
            root[c][i] = s / l[i][i];
        }
    return true;
}

/* Column c: the motion of the body when its c-th freedom goes at unit speed. Returns how many there are. */
static int freedoms(const rigid_body *b, matrix6 t)
{
    const rill_vec3 r = v3_sub(b->center, b->point);
    const int count = b->constraint == BODY_FREE ? BODY_FREEDOMS : b->constraint == BODY_HINGED ? 1 : 3;
    memset(t, 0, sizeof(matrix6));
    if (b->constraint == BODY_FREE) {
        for (int c = 0; c < count; c++) t[c][c] = 1;
        return count;
    }
    for (int c = 0; c < count; c++) {
        rill_vec3 spin = b->axis;
        if (b->constraint == BODY_PINNED) spin = v3(c == 0, c == 1, c == 2);
        const rill_vec3 velocity = v3_cross(spin, r);
        for (int k = 0; k < 3; k++) {
            t[k][c] = v3_axis(velocity, k);
            t[3 + k][c] = v3_axis(spin, k);
        }
    }
    return count;
}

void rigid_body_mass(const rigid_body *b, double m[BODY_FREEDOMS][BODY_FREEDOMS])
{
    memset(m, 0, sizeof(matrix6));
    for (int i = 0; i < 3; i++) {
        m[i][i] = b->mass;
        for (int j = 0; j < 3; j++) m[3 + i][3 + j] = b->inertia[i][j];
    }
}

bool rigid_body_root(const rigid_body *b, const double mass[BODY_FREEDOMS][BODY_FREEDOMS],
                     double root[BODY_FREEDOMS][BODY_FREEDOMS])
{
    matrix6 t, reduced = {{0}}, small;
    const int n = freedoms(b, t);
    memset(root, 0, sizeof(matrix6));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int r = 0; r < BODY_FREEDOMS; r++)
                for (int c = 0; c < BODY_FREEDOMS; c++) reduced[i][j] += t[r][i] * mass[r][c] * t[c][j];
    if (!inverse_root(n, reduced, small)) return false;
    for (int r = 0; r < BODY_FREEDOMS; r++)
        for (int c = 0; c < n; c++)
            for (int k = 0; k < n; k++) root[r][c] += t[r][k] * small[k][c];
    return true;
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
