#include "tracker/quality.h"

#include "base/eigen.h"

double quality_angle(rill_vec3 a, rill_vec3 b, rill_vec3 c)
{
    const rill_vec3 e[3] = {v3_sub(b, a), v3_sub(c, b), v3_sub(a, c)};
    const double l[3] = {v3_dot(e[0], e[0]), v3_dot(e[1], e[1]), v3_dot(e[2], e[2])};
    const int k = l[0] <= l[1] && l[0] <= l[2] ? 0 : l[1] <= l[2] ? 1 : 2; /* the shortest */
    const rill_vec3 u = v3_neg(e[(k + 1) % 3]), v = e[(k + 2) % 3];        /* from the corner across */
    return atan2(v3_length(v3_cross(u, v)), v3_dot(u, v));
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
    eigen3_sorted(a, s.value, s.axis);
    s.rank = 1;
    while (s.rank < 3 && s.value[s.rank] > 0.03 * s.value[0]) s.rank++;
    return s;
}
