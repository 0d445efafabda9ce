#include "bodies/rigid_body.h"

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

static void set_freedom(matrix6 t, int c, rill_vec3 velocity, rill_vec3 spin)
{
    for (int k = 0; k < 3; k++) {
        t[k][c] = v3_axis(velocity, k);
        t[3 + k][c] = v3_axis(spin, k);
    }
}

/* Column c: the motion of the body when its c-th freedom goes at unit speed. Returns how many there are. */
static int freedoms(const rigid_body *b, matrix6 t)
{
    const rill_vec3 r = v3_sub(b->center, b->point), zero = {0, 0, 0}, z = {0, 0, 1};
    memset(t, 0, sizeof(matrix6));
    switch (b->constraint) {
    case BODY_SLIDING: set_freedom(t, 0, b->axis, zero); return 1;
    case BODY_HINGED: set_freedom(t, 0, v3_cross(b->axis, r), b->axis); return 1;
    case BODY_PINNED:
        if (b->planar) {
            set_freedom(t, 0, v3_cross(z, r), z);
            return 1;
        }
        for (int c = 0; c < 3; c++) {
            const rill_vec3 spin = v3(c == 0, c == 1, c == 2);
            set_freedom(t, c, v3_cross(spin, r), spin);
        }
        return 3;
    default:
        if (b->planar) {
            set_freedom(t, 0, v3(1, 0, 0), zero);
            set_freedom(t, 1, v3(0, 1, 0), zero);
            set_freedom(t, 2, zero, z);
            return 3;
        }
        for (int c = 0; c < BODY_FREEDOMS; c++) t[c][c] = 1;
        return BODY_FREEDOMS;
    }
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
    memset(root, 0, sizeof(matrix6));
    if (b->held) return true;
    const int n = freedoms(b, t);
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
    if (b->held) return;
    b->spin = b->planar ? v3(0, 0, motion[5]) : v3(motion[3], motion[4], motion[5]);
    b->velocity = v3(motion[0], motion[1], b->planar ? 0 : motion[2]);
    if (b->constraint == BODY_SLIDING) {
        b->spin = v3(0, 0, 0);
        b->velocity = v3_scale(b->axis, v3_dot(b->axis, b->velocity));
        return;
    }
    if (b->constraint == BODY_HINGED) b->spin = v3_scale(b->axis, v3_dot(b->axis, b->spin));
    if (b->constraint != BODY_FREE) b->velocity = v3_cross(b->spin, v3_sub(b->center, b->point));
}

void rigid_body_push(rigid_body *b, const double root[BODY_FREEDOMS][BODY_FREEDOMS], rill_vec3 impulse,
                     rill_vec3 at, rill_vec3 torque)
{
    const rill_vec3 turning = v3_add(torque, v3_cross(v3_sub(at, b->center), impulse));
    const double push[BODY_FREEDOMS] = {impulse.x, impulse.y, impulse.z, turning.x, turning.y, turning.z};
    double motion[BODY_FREEDOMS];
    rigid_body_motion(b, motion);
    for (int c = 0; c < BODY_FREEDOMS; c++) {
        double along = 0;
        for (int r = 0; r < BODY_FREEDOMS; r++) along += root[r][c] * push[r];
        for (int r = 0; r < BODY_FREEDOMS; r++) motion[r] += root[r][c] * along;
    }
    rigid_body_set_motion(b, motion);
}
