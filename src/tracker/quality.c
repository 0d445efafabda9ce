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

static const double FOLDED = -0.5;     /* sheets meet at less than 60 degrees */
static const double THINNEST = -0.999; /* and at more than 2.5 */

static rill_vec3 unit_normal(const tmesh *m, uint32_t c, double least)
{
    const rill_vec3 n = tmesh_area2(m, c / 3);
    const double l = v3_length(n);
    return l > least ? v3_scale(n, 1 / l) : v3(0, 0, 0); /* a sliver's says nothing */
}

/* Where two sheets meet at a small angle, as at the rim of a thin film, their normals are nearly opposite: to
 * the tensor that is a smooth surface. The edges of the fold are the ridge then. Not those of a fold around
 * air, a seam that is to open, nor a rim that is thinner than 0.04 edges an edge inward: it draws back, or
 * films of no volume would run ahead of the liquid. least: twice the area of triangles that count. */
static void look_for_fold(const tmesh *m, uint32_t v, double least, vertex_space *s)
{
    rill_vec3 along[2] = {{0}};
    int folds = 0;
    uint32_t c = m->corner[v];
    do {
        const uint32_t across = corner_vertex(m, corner_prev(c)), next = corner_swing(m, c);
        const rill_vec3 normal = unit_normal(m, c, least),
                        beyond = v3_sub(m->x[corner_vertex(m, corner_prev(next))], m->x[v]);
        const double bend = v3_dot(normal, unit_normal(m, next, least)); /* cosine between the normals */
        if (bend < FOLDED && bend > THINNEST && v3_dot(normal, beyond) < 0) {
            if (folds < 2) along[folds] = v3_unit(v3_sub(m->x[across], m->x[v]));
            folds++;
        }
        c = next;
    } while (c != m->corner[v]);
    if (!folds) return;
    const bool straight = folds == 1 || (folds == 2 && v3_dot(along[0], along[1]) < -0.5);
    s->rank = straight ? 2 : 3;
    s->axis[2] = v3_unit(v3_sub(along[0], along[1]));
}

vertex_space quality_space(const tmesh *m, uint32_t v)
{
    vertex_space s = {0};
    double a[3][3] = {{0}}, whole = 0;
    int triangles = 0;
    uint32_t c = m->corner[v];
    do {
        const rill_vec3 n = tmesh_area2(m, c / 3);
        const double l = v3_length(n), w = l > 0 ? 1 / l : 0, e[3] = {n.x, n.y, n.z};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) a[i][j] += w * e[i] * e[j];
        s.area = v3_madd(s.area, 0.5, n);
        whole += l;
        triangles++;
        c = corner_swing(m, c);
    } while (c != m->corner[v]);
    eigen3_sorted(a, s.value, s.axis);
    s.rank = 1;
    while (s.rank < 3 && s.value[s.rank] > 0.03 * s.value[0]) s.rank++;
    if (v3_length(s.area) < 0.3 * whole) look_for_fold(m, v, 0.05 * whole / triangles, &s);
    return s;
}
