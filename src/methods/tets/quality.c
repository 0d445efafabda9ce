/* How good a mesh is: angles, sizes, and how far its boundary is from the walls. */
#include "tets/mesh.h"

#include <stdlib.h>
#include <string.h>

static void dihedral_angles(const tet_mesh *m, uint32_t t, double angle[6])
{
    const uint32_t *v = m->d.tet[t].v;
    rill_vec3 n[4];
    for (int i = 0; i < 4; i++) {
        const uint8_t *f = tet_face_corners[i];
        const rill_vec3 a = m->x[v[f[0]]];
        n[i] = v3_unit(v3_cross(v3_sub(m->x[v[f[1]]], a), v3_sub(m->x[v[f[2]]], a)));
    }
    for (int i = 0, k = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            angle[k++] = 180 - acos(fmax(-1, fmin(1, v3_dot(n[i], n[j])))) * 180 / M_PI;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Of a boundary face: how far its middle and those of its edges are from the walls, in mean edges. */
static double off_wall(const walls *w, rill_vec3 a, rill_vec3 b, rill_vec3 c)
{
    const double edge = (v3_distance(a, b) + v3_distance(b, c) + v3_distance(c, a)) / 3;
    double off = fabs(walls_near(w, v3_scale(v3_add(a, v3_add(b, c)), 1.0 / 3), INFINITY));
    off = fmax(off, fabs(walls_near(w, v3_mix(a, b, 0.5), INFINITY)));
    off = fmax(off, fabs(walls_near(w, v3_mix(b, c, 0.5), INFINITY)));
    off = fmax(off, fabs(walls_near(w, v3_mix(c, a, 0.5), INFINITY)));
    return off / edge;
}

static void measure_angles(const tet_mesh *m, uint32_t t, mesh_quality *q)
{
    double angle[6], least = 180;
    dihedral_angles(m, t, angle);
    for (int k = 0; k < 6; k++) {
        least = fmin(least, angle[k]);
        q->largest = fmax(q->largest, angle[k]);
        q->histogram[(int)fmin(angle[k] / 10, QUALITY_BINS - 1)] += 1.0 / 6;
    }
    q->smallest = fmin(q->smallest, least);
    q->below_5 += least < 5;
    q->below_10 += least < 10;
}

static double measure_faces(const tet_mesh *m, const walls *w, double h, uint32_t t, mesh_quality *q,
                            double *off)
{
    const uint32_t *v = m->d.tet[t].v;
    double edges = 0;
    for (int i = 0; i < 4; i++) {
        const uint8_t *f = tet_face_corners[i];
        const rill_vec3 a = m->x[v[f[0]]], b = m->x[v[f[1]]], c = m->x[v[f[2]]];
        edges += (v3_distance(a, b) + v3_distance(b, c) + v3_distance(c, a)) / 12;
        const uint32_t other = m->d.tet[t].neighbour[i] >> 2;
        if (!mesh_is_fluid(m, other))
            off[q->faces++] = off_wall(w, a, b, c);
        else if (t < other && walls_near(w, v3_scale(v3_add(a, v3_add(b, c)), 1.0 / 3), INFINITY) < -0.1 * h)
            q->crossing += 0.5 * v3_length(v3_cross(v3_sub(b, a), v3_sub(c, a)));
    }
    return edges;
}

rill_status mesh_measure(const tet_mesh *m, const walls *w, const size_field *size, mesh_quality *out)
{
    mesh_quality q = {.smallest = 180};
    double *off;
    TRY(MEM_NEW(m->ctx, off, 4 * (size_t)m->d.finite));
    for (uint32_t t = 0; t < m->d.finite; t++) {
        if (!m->fluid[t]) continue;
        double radius;
        (void)mesh_centre(m, t, &radius);
        const double h = size_at(size, mesh_middle(m, t)), sphere = radius / (0.64 * h);
        q.tets++;
        q.volume += m->volume[t];
        q.small_sphere += sphere < 0.6;
        q.large_sphere += sphere > 1.6;
        measure_angles(m, t, &q);
        q.edge += measure_faces(m, w, h, t, &q, off) / h;
    }
    if (q.tets) {
        for (int k = 0; k < QUALITY_BINS; k++) q.histogram[k] /= q.tets;
        q.below_5 /= q.tets, q.below_10 /= q.tets, q.edge /= q.tets;
        q.small_sphere /= q.tets, q.large_sphere /= q.tets;
    }
    if (q.faces) {
        qsort(off, q.faces, sizeof *off, ascending);
        q.off_99 = off[(size_t)q.faces * 99 / 100];
        q.off_most = off[q.faces - 1];
    }
    mem_free(m->ctx, off);
    *out = q;
    return RILL_OK;
}
