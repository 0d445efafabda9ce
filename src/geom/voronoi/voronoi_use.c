/* What is made of clipped cells: components, fans of triangles, the union of balls. */
#include "geom/voronoi/voronoi_clip.h"

#include "base/union_find.h"

void voronoi_balls_value(void *user, const uint32_t *cell, const rill_vec3 *x, size_t n, double *value)
{
    const voronoi_balls *b = user;
    for (size_t i = 0; i < n; i++) value[i] = b->radius - v3_distance(x[i], b->site[cell[i]]);
}

double voronoi_cone(const voronoi *v, const voronoi_face *f, rill_vec3 x, rill_vec3 *moment)
{
    const rill_vec3 c = v3_sub(f->centroid, x);
    double volume = 0;
    *moment = v3(0, 0, 0);
    for (uint32_t e = 0; e < f->count; e++) {
        const rill_vec3 p = v3_sub(v->vertex[v->corner[f->first + e]], x);
        const rill_vec3 q = v3_sub(v->vertex[v->corner[f->first + (e + 1 == f->count ? 0 : e + 1)]], x);
        const double part = v3_dot(c, v3_cross(p, q)) / 6;
        volume += part;
        *moment = v3_madd(*moment, 0.25 * part, v3_add(c, v3_add(p, q)));
    }
    if (f->count == 0) { /* a boundary without corners */
        volume = v3_dot(f->area, c) / 3;
        *moment = v3_scale(c, 0.75 * volume);
    }
    return volume;
}

uint32_t voronoi_components(const voronoi *v, uint32_t *label)
{
    for (uint32_t i = 0; i < v->count; i++) label[i] = v->cell[i].faces ? i : UINT32_MAX;
    for (uint32_t f = 0; f < v->face_count; f++) {
        if (voronoi_is_cell(v->face[f].b)) union_find_join(label, v->face[f].a, v->face[f].b);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        if (label[i] == UINT32_MAX) continue;
        label[i] = union_find_root(label, i);
        count += label[i] == i;
    }
    return count;
}

static bool wanted(const voronoi_face *f, uint32_t cell, uint32_t from, uint32_t to)
{
    if (cell != UINT32_MAX) return f->a == cell || f->b == cell;
    return !voronoi_is_cell(f->b) && f->b >= from && f->b <= to;
}

rill_status voronoi_mesh(rill_ctx *ctx, const voronoi *v, uint32_t cell, uint32_t from, uint32_t to,
                         trimesh *out)
{
    size_t vertices = 0, triangles = 0;
    for (uint32_t f = 0; f < v->face_count; f++)
        if (wanted(&v->face[f], cell, from, to) && v->face[f].count) {
            vertices += v->face[f].count + 1;
            triangles += v->face[f].count;
        }
    trimesh m = {0};
    rill_status st = MEM_NEW(ctx, m.position, vertices);
    if (!st) st = MEM_NEW(ctx, m.triangle, triangles);
    for (uint32_t k = 0; k < v->face_count && !st; k++) {
        const voronoi_face *f = &v->face[k];
        if (!wanted(f, cell, from, to) || !f->count) continue;
        const uint32_t middle = (uint32_t)m.vertex_count;
        const bool back = cell != UINT32_MAX && f->a != cell;
        m.position[m.vertex_count++] = f->centroid;
        for (uint32_t e = 0; e < f->count; e++) {
            const uint32_t p = middle + 1 + e, q = middle + 1 + (e + 1) % f->count;
            m.position[m.vertex_count++] = v->vertex[v->corner[f->first + e]];
            uint32_t *t = m.triangle[m.triangle_count++];
            t[0] = middle;
            t[1] = back ? q : p;
            t[2] = back ? p : q;
        }
    }
    if (st)
        trimesh_clear(ctx, &m);
    else
        *out = trimesh_take(&m);
    return st;
}
