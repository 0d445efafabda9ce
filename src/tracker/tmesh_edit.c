/* Edits of the mesh: slots, split, flip, collapse. Vertices of the two triangles at the edge across from
 * corner c: r at c, then a and b; s at the corner o beyond. */
#include "tracker/tmesh.h"

uint32_t tmesh_new_vertex(tmesh *m, rill_vec3 x, uint32_t a, uint32_t b, double weight)
{
    uint32_t v = m->free_vertex;
    if (v != TMESH_NONE)
        m->free_vertex = m->part[v];
    else
        v = m->vertices++;
    m->live_vertices++;
    m->x[v] = x;
    m->part[v] = m->part[a];
    m->corner[v] = TMESH_NONE;
    for (uint32_t k = 0; k < m->column_count; k++) {
        float *value = m->column[k].value;
        const size_t w = (size_t)m->column[k].width;
        for (size_t i = 0; i < w; i++)
            value[v * w + i] = (float)((1 - weight) * value[a * w + i] + weight * value[b * w + i]);
    }
    return v;
}

uint32_t tmesh_new_triangle(tmesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t t = m->free_triangle;
    if (t != TMESH_NONE)
        m->free_triangle = m->opposite[3 * t];
    else
        t = m->triangles++;
    m->live_triangles++;
    m->triangle[t][0] = a;
    m->triangle[t][1] = b;
    m->triangle[t][2] = c;
    return t;
}

void tmesh_free_vertex(tmesh *m, uint32_t v)
{
    m->corner[v] = TMESH_NONE;
    m->part[v] = m->free_vertex;
    m->free_vertex = v;
    m->live_vertices--;
}

void tmesh_free_triangle(tmesh *m, uint32_t t)
{
    m->triangle[t][0] = m->triangle[t][1] = m->triangle[t][2] = TMESH_NONE;
    m->opposite[3 * t] = m->free_triangle;
    m->free_triangle = t;
    m->live_triangles--;
}

uint32_t tmesh_split(tmesh *m, uint32_t c, rill_vec3 x, uint32_t added[2])
{
    const uint32_t o = m->opposite[c];
    const uint32_t r = corner_vertex(m, c), a = corner_vertex(m, corner_next(c)),
                   b = corner_vertex(m, corner_prev(c)), s = corner_vertex(m, o);
    const uint32_t beyond_br = m->opposite[corner_next(c)], beyond_as = m->opposite[corner_next(o)];
    const uint32_t v = tmesh_new_vertex(m, x, a, b, 0.5);

    const uint32_t t2 = tmesh_new_triangle(m, r, v, b), t3 = tmesh_new_triangle(m, s, v, a);
    (&m->triangle[0][0])[corner_prev(c)] = v; /* (r, a, v) */
    (&m->triangle[0][0])[corner_prev(o)] = v; /* (s, b, v) */
    tmesh_join(m, c, 3 * t3);
    tmesh_join(m, o, 3 * t2);
    tmesh_join(m, corner_next(c), 3 * t2 + 2);
    tmesh_join(m, corner_next(o), 3 * t3 + 2);
    tmesh_join(m, 3 * t2 + 1, beyond_br);
    tmesh_join(m, 3 * t3 + 1, beyond_as);
    m->corner[v] = corner_prev(c);
    m->corner[a] = corner_next(c);
    m->corner[b] = corner_next(o);
    added[0] = t2;
    added[1] = t3;
    return v;
}

void tmesh_flip(tmesh *m, uint32_t c)
{
    const uint32_t o = m->opposite[c];
    const uint32_t r = corner_vertex(m, c), a = corner_vertex(m, corner_next(c)),
                   b = corner_vertex(m, corner_prev(c)), s = corner_vertex(m, o);
    const uint32_t beyond_br = m->opposite[corner_next(c)], beyond_as = m->opposite[corner_next(o)];
    (&m->triangle[0][0])[corner_prev(c)] = s; /* (r, a, s) */
    (&m->triangle[0][0])[corner_prev(o)] = r; /* (s, b, r) */
    tmesh_join(m, c, beyond_as);
    tmesh_join(m, o, beyond_br);
    tmesh_join(m, corner_next(c), corner_next(o));
    m->corner[r] = c;
    m->corner[s] = o;
    m->corner[a] = corner_next(c);
    m->corner[b] = corner_next(o);
}

bool tmesh_can_collapse(const tmesh *m, uint32_t c, uint32_t *extra)
{
    const uint32_t o = m->opposite[c];
    const uint32_t r = corner_vertex(m, c), a = corner_vertex(m, corner_next(c)),
                   b = corner_vertex(m, corner_prev(c)), s = corner_vertex(m, o);
    uint32_t common = 0, third = TMESH_NONE;
    if (extra) *extra = TMESH_NONE;
    uint32_t i = m->corner[a];
    do {
        const uint32_t u = corner_vertex(m, corner_next(i));
        if (u != b && u != r && u != s && tmesh_find_edge(m, b, u) != TMESH_NONE) common++, third = u;
        i = corner_swing(m, i);
    } while (i != m->corner[a]);
    if (common == 1 && extra) *extra = third;
    return common == 0 && r != s && tmesh_valence(m, r) > 3 && tmesh_valence(m, s) > 3;
}

void tmesh_collapse(tmesh *m, uint32_t c, rill_vec3 x, double weight)
{
    const uint32_t o = m->opposite[c];
    const uint32_t r = corner_vertex(m, c), a = corner_vertex(m, corner_next(c)),
                   b = corner_vertex(m, corner_prev(c)), s = corner_vertex(m, o);
    for (uint32_t i = corner_swing(m, corner_prev(c)); i != corner_prev(c);) {
        const uint32_t after = corner_swing(m, i);
        (&m->triangle[0][0])[i] = a;
        i = after;
    }
    const uint32_t beyond_ra = m->opposite[corner_prev(c)], beyond_br = m->opposite[corner_next(c)];
    const uint32_t beyond_sb = m->opposite[corner_prev(o)], beyond_as = m->opposite[corner_next(o)];
    tmesh_join(m, beyond_ra, beyond_br);
    tmesh_join(m, beyond_sb, beyond_as);
    m->corner[r] = corner_prev(beyond_ra);
    m->corner[a] = corner_next(beyond_ra);
    m->corner[s] = corner_prev(beyond_sb);
    m->x[a] = x;
    for (uint32_t k = 0; k < m->column_count; k++) {
        float *value = m->column[k].value;
        const size_t w = (size_t)m->column[k].width;
        for (size_t j = 0; j < w; j++)
            value[a * w + j] = (float)((1 - weight) * value[a * w + j] + weight * value[b * w + j]);
    }
    tmesh_free_triangle(m, c / 3);
    tmesh_free_triangle(m, o / 3);
    tmesh_free_vertex(m, b);
}

/* The corner that takes the place of c when the second and third of every triangle change places. */
static uint32_t turned_corner(uint32_t c)
{
    return c % 3 == 0 ? c : c % 3 == 1 ? c + 1 : c - 1;
}

void tmesh_turn(tmesh *m)
{
    for (uint32_t t = 0; t < m->triangles; t++) {
        if (!tmesh_triangle_live(m, t)) continue;
        uint32_t *v = m->triangle[t], *o = m->opposite + 3 * (size_t)t;
        const uint32_t second = v[1], beyond = turned_corner(o[1]);
        v[1] = v[2];
        v[2] = second;
        o[0] = turned_corner(o[0]);
        o[1] = turned_corner(o[2]);
        o[2] = beyond;
    }
    for (uint32_t v = 0; v < m->vertices; v++)
        if (tmesh_vertex_live(m, v)) m->corner[v] = turned_corner(m->corner[v]);
}
