#include "tracker/quality.h"

double quality_angle(rill_vec3 a, rill_vec3 b, rill_vec3 c)
{
    const rill_vec3 e[3] = {v3_sub(b, a), v3_sub(c, b), v3_sub(a, c)};
    const double l[3] = {v3_dot(e[0], e[0]), v3_dot(e[1], e[1]), v3_dot(e[2], e[2])};
    const int k = l[0] <= l[1] && l[0] <= l[2] ? 0 : l[1] <= l[2] ? 1 : 2; /* the shortest */
    const rill_vec3 u = v3_neg(e[(k + 1) % 3]), v = e[(k + 2) % 3];        /* from the corner across */
    return atan2(v3_length(v3_cross(u, v)), v3_dot(u, v));
}

/* Jacobi's rotations: ends in a few sweeps for any symmetric matrix. */
static void eigen(double a[3][3], double value[3], rill_vec3 axis[3])
{
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 12; sweep++) {
        const double off = fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]);
        if (off <= 1e-15 * (fabs(a[0][0]) + fabs(a[1][1]) + fabs(a[2][2]))) break;
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (a[p][q] == 0) continue;
                const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                const double c = 1 / sqrt(t * t + 1), s = t * c, apq = a[p][q];
                const int r = 3 - p - q;
                const double arp = a[r][p], arq = a[r][q];
                a[p][p] -= t * apq;
                a[q][q] += t * apq;
                a[p][q] = a[q][p] = 0;
                a[r][p] = a[p][r] = c * arp - s * arq;
                a[r][q] = a[q][r] = s * arp + c * arq;
                for (int k = 0; k < 3; k++) {
                    const double x = v[k][p], y = v[k][q];
                    v[k][p] = c * x - s * y;
                    v[k][q] = s * x + c * y;
                }
            }
    }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (a[order[j]][order[j]] < a[order[j + 1]][order[j + 1]]) {
                const int swap = order[j];
                order[j] = order[j + 1];
                order[j + 1] = swap;
            }
    for (int i = 0; i < 3; i++) {
        value[i] = a[order[i]][order[i]];
        axis[i] = v3(v[0][order[i]], v[1][order[i]], v[2][order[i]]);
    }
}

vertex_space quality_space(const tmesh *m, uint32_t v)
{
    vertex_space s = {0};
    double a[3][3] = {{0}};
    uint32_t c = m->corner[v];
    do {
        const rill_vec3 n = tmesh_area2(m, c / 3);
        const double l = v3_length(n), w = l > 0 ? 1 / l : 0, e[3] = {n.x, n.y, n.z};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) a[i][j] += w * e[i] * e[j];
        s.area = v3_madd(s.area, 0.5, n);
        c = corner_swing(m, c);
    } while (c != m->corner[v]);
    eigen(a, s.value, s.axis);
    s.rank = 1;
    while (s.rank < 3 && s.value[s.rank] > 0.03 * s.value[0]) s.rank++;
    return s;
}
