#include "tracker/tmesh.h"

#include "base/parallel.h"

#include <string.h>

void tmesh_clear(tmesh *m)
{
    if (!m->ctx) return;
    mem_free(m->ctx, m->x);
    mem_free(m->ctx, m->corner);
    mem_free(m->ctx, m->part);
    mem_free(m->ctx, m->triangle);
    mem_free(m->ctx, m->opposite);
    for (uint32_t k = 0; k < m->column_count; k++) mem_free(m->ctx, m->column[k].value);
    *m = (tmesh){0};
}

/* One array to `room` elements; arrays that have grown stay grown when a later one fails. */
static rill_status grow_one(rill_ctx *ctx, void *array, size_t size, size_t room, size_t need)
{
    size_t capacity = room;
    return mem_grow(ctx, array, size, &capacity, need);
}

rill_status tmesh_reserve(tmesh *m, size_t vertices, size_t triangles)
{
    size_t spare_v = m->vertices - m->live_vertices, spare_t = m->triangles - m->live_triangles;
    size_t need_v = m->vertices + (vertices > spare_v ? vertices - spare_v : 0);
    size_t need_t = m->triangles + (triangles > spare_t ? triangles - spare_t : 0);
    if (need_v > UINT32_MAX / 4 || need_t > UINT32_MAX / 4)
        return rill_fail(m->ctx, RILL_NO_MEMORY, "the surface would have more than %u triangles",
                         UINT32_MAX / 4);
    if (need_v > m->vertex_room) {
        need_v += need_v / 2;
        TRY(grow_one(m->ctx, &m->x, sizeof *m->x, m->vertex_room, need_v));
        TRY(grow_one(m->ctx, &m->corner, sizeof *m->corner, m->vertex_room, need_v));
        TRY(grow_one(m->ctx, &m->part, sizeof *m->part, m->vertex_room, need_v));
        for (uint32_t k = 0; k < m->column_count; k++)
            TRY(grow_one(m->ctx, &m->column[k].value, (size_t)m->column[k].width * sizeof(float),
                         m->vertex_room, need_v));
        m->vertex_room = need_v;
    }
    if (need_t > m->triangle_room) {
        need_t += need_t / 2;
        TRY(grow_one(m->ctx, &m->triangle, sizeof *m->triangle, m->triangle_room, need_t));
        TRY(grow_one(m->ctx, &m->opposite, 3 * sizeof *m->opposite, m->triangle_room, need_t));
        m->triangle_room = need_t;
    }
    return RILL_OK;
}

/* Corners of the two triangles of an edge have the same key: its vertices in order. */
static rill_status join_all(tmesh *m)
{
    const size_t n = 3 * (size_t)m->triangles;
    uint64_t *key = NULL, *spare_key = NULL;
    uint32_t *value = NULL, *spare_value = NULL;
    rill_status st = MEM_NEW(m->ctx, key, n);
    if (!st) st = MEM_NEW(m->ctx, spare_key, n);
    if (!st) st = MEM_NEW(m->ctx, value, n);
    if (!st) st = MEM_NEW(m->ctx, spare_value, n);
    if (!st) {
        for (uint32_t c = 0; c < n; c++) {
            const uint32_t a = corner_vertex(m, corner_next(c)), b = corner_vertex(m, corner_prev(c));
            key[c] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
            value[c] = c;
            m->corner[corner_vertex(m, c)] = c;
        }
        st = sort_by_key(m->ctx, n, 64, key, value, spare_key, spare_value);
    }
    for (size_t i = 0; !st && i + 1 < n; i += 2) tmesh_join(m, value[i], value[i + 1]);
    mem_free(m->ctx, key);
    mem_free(m->ctx, spare_key);
    mem_free(m->ctx, value);
    mem_free(m->ctx, spare_value);
    return st;
}

rill_status tmesh_build(rill_ctx *ctx, const trimesh *from, tmesh *out)
{
    tmesh m = {.ctx = ctx, .free_vertex = TMESH_NONE, .free_triangle = TMESH_NONE};
    m.column_count = from->column_count;
    for (uint32_t k = 0; k < m.column_count; k++) {
        m.column[k] = from->column[k];
        m.column[k].value = NULL;
    }
    /* Never without arrays, also of nothing. */
    rill_status st = tmesh_reserve(&m, from->vertex_count + 1, from->triangle_count + 1);
    if (!st) {
        m.vertices = m.live_vertices = (uint32_t)from->vertex_count;
        m.triangles = m.live_triangles = (uint32_t)from->triangle_count;
        if (m.vertices) memcpy(m.x, from->position, from->vertex_count * sizeof *m.x);
        if (m.triangles) memcpy(m.triangle, from->triangle, from->triangle_count * sizeof *m.triangle);
        for (uint32_t v = 0; v < m.vertices; v++) m.corner[v] = TMESH_NONE, m.part[v] = 0;
        for (uint32_t k = 0; k < m.column_count && m.vertices; k++)
            memcpy(m.column[k].value, from->column[k].value,
                   from->vertex_count * (size_t)m.column[k].width * sizeof(float));
        st = join_all(&m);
    }
    for (uint32_t v = 0; !st && v < m.vertices; v++) /* in no triangle: a free slot */
        if (m.corner[v] == TMESH_NONE) tmesh_free_vertex(&m, v);
    if (!st) {
        *out = m;
        return RILL_OK;
    }
    tmesh_clear(&m);
    return st;
}

uint32_t tmesh_valence(const tmesh *m, uint32_t v)
{
    uint32_t n = 0, c = m->corner[v];
    do {
        n++;
        c = corner_swing(m, c);
    } while (c != m->corner[v]);
    return n;
}

uint32_t tmesh_find_edge(const tmesh *m, uint32_t a, uint32_t b)
{
    uint32_t c = m->corner[a];
    do {
        if (corner_vertex(m, corner_next(c)) == b) return corner_prev(c);
        c = corner_swing(m, c);
    } while (c != m->corner[a]);
    return TMESH_NONE;
}

double tmesh_volume(const tmesh *m)
{
    double sum = 0;
    rill_vec3 o = {0}; /* near the mesh, so that the terms are no larger than needed */
    for (uint32_t t = 0; t < m->triangles; t++)
        if (tmesh_triangle_live(m, t)) {
            o = m->x[m->triangle[t][0]];
            break;
        }
    for (uint32_t t = 0; t < m->triangles; t++) {
        if (!tmesh_triangle_live(m, t)) continue;
        const uint32_t *v = m->triangle[t];
        sum += v3_dot(v3_sub(m->x[v[0]], o), v3_cross(v3_sub(m->x[v[1]], o), v3_sub(m->x[v[2]], o)));
    }
    return sum / 6;
}

double tmesh_mean_edge(const tmesh *m)
{
    double sum = 0;
    for (uint32_t c = 0; c < 3 * m->triangles; c++)
        if (tmesh_triangle_live(m, c / 3) && corner_owns_edge(m, c)) sum += tmesh_edge_length(m, c);
    return m->live_triangles ? sum / (1.5 * m->live_triangles) : 0;
}

trimesh tmesh_view(const tmesh *m)
{
    trimesh view = {.vertex_count = m->vertices,
                    .triangle_count = m->triangles,
                    .position = m->x,
                    .triangle = m->triangle,
                    .column_count = m->column_count};
    memcpy(view.column, m->column, sizeof view.column);
    return view;
}

rill_status tmesh_check(const tmesh *m)
{
    uint32_t vertices = 0, triangles = 0;
    for (uint32_t t = 0; t < m->triangles; t++) {
        if (!tmesh_triangle_live(m, t)) continue;
        triangles++;
        for (uint32_t c = 3 * t; c < 3 * t + 3; c++) {
            const uint32_t o = m->opposite[c], v = corner_vertex(m, c);
            if (v >= m->vertices || !tmesh_vertex_live(m, v))
                return rill_fail(m->ctx, RILL_BLEW_UP, "corner %u has no vertex", c);
            if (o >= 3 * m->triangles || m->opposite[o] != c || !tmesh_triangle_live(m, o / 3) ||
                corner_vertex(m, corner_next(c)) != corner_vertex(m, corner_prev(o)) ||
                corner_vertex(m, corner_prev(c)) != corner_vertex(m, corner_next(o)))
                return rill_fail(m->ctx, RILL_BLEW_UP, "corner %u and the one across do not fit", c);
            if (v == corner_vertex(m, corner_next(c)) || v == corner_vertex(m, o))
                return rill_fail(m->ctx, RILL_BLEW_UP, "triangle %u is degenerate or folded", t);
        }
    }
    size_t corners = 0;
    for (uint32_t v = 0; v < m->vertices; v++) {
        if (!tmesh_vertex_live(m, v)) continue;
        vertices++;
        if (!tmesh_triangle_live(m, m->corner[v] / 3) || corner_vertex(m, m->corner[v]) != v)
            return rill_fail(m->ctx, RILL_BLEW_UP, "vertex %u has no corner", v);
        corners += tmesh_valence(m, v);
    }
    if (corners != 3 * (size_t)triangles)
        return rill_fail(m->ctx, RILL_BLEW_UP, "a vertex has more than one fan");
    if (vertices != m->live_vertices || triangles != m->live_triangles)
        return rill_fail(m->ctx, RILL_BLEW_UP, "the counts of the mesh are wrong");
    return RILL_OK;
}
