#include "base/eigen.h"

#include <math.h>
#include <string.h>

/* Makes m[p][q] zero: m = R^T m R, v = v R. */
static void rotate(double m[3][3], double v[3][3], int p, int q)
{
    const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c, mpq = m[p][q];
    const int r = 3 - p - q;
    const double mrp = m[r][p], mrq = m[r][q];
    m[p][p] -= t * mpq;
    m[q][q] += t * mpq;
    m[p][q] = m[q][p] = 0;
    m[r][p] = m[p][r] = c * mrp - s * mrq;
    m[r][q] = m[q][r] = s * mrp + c * mrq;
    for (int k = 0; k < 3; k++) {
        const double x = v[k][p], y = v[k][q];
        v[k][p] = c * x - s * y;
        v[k][q] = s * x + c * y;
    }
}

void eigen3(double m[3][3], double v[3][3], double tolerance)
{
    memset(v, 0, 9 * sizeof(double));
    for (int k = 0; k < 3; k++) v[k][k] = 1;
    for (int sweep = 0; sweep < 12; sweep++) {
        const double off = fabs(m[0][1]) + fabs(m[0][2]) + fabs(m[1][2]);
        if (off <= tolerance * (fabs(m[0][0]) + fabs(m[1][1]) + fabs(m[2][2]))) return;
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++)
                if (m[p][q] != 0) rotate(m, v, p, q);
    }
}

void eigen3_sorted(double m[3][3], double value[3], rill_vec3 axis[3])
{
    double v[3][3];
    int order[3] = {0, 1, 2};
    eigen3(m, v, 1e-15);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (m[order[j]][order[j]] < m[order[j + 1]][order[j + 1]]) {
                const int swap = order[j];
                order[j] = order[j + 1];
                order[j + 1] = swap;
            }
    for (int i = 0; i < 3; i++) {
        value[i] = m[order[i]][order[i]];
        axis[i] = v3(v[0][order[i]], v[1][order[i]], v[2][order[i]]);
    }
}
