/* Slivers of marching cubes, removed in place; see finish.h.
 *
 * Short edges are collapsed to their middle, in the order of the triangles, a few passes. An edge goes only
 * when its two ends have exactly two neighbours in common (the link condition, by which the mesh stays
 * manifold), those keep three triangles, and no triangle around turns by more than 45 degrees or becomes a
 * sliver. After each pass, triangles that are low over their longest side get that side turned. One after the
 * other: the result depends on the mesh alone. */
#include "surface/finish.h"

#include "base/parallel.h"

#include <string.h>

#define END UINT32_MAX

static const double low = 0.3; /* height over the longest side: an angle of some 17 degrees */

typedef struct {
    trimesh *m;
    uint8_t *alive; /* per triangle */
    uint32_t *head; /* per vertex: a corner (3 triangle + place) of it, END: none */
    uint32_t *next; /* per corner: another of the same vertex */
    uint32_t *mark; /* per vertex: scratch */
    uint32_t stamp;
    double least;
} stitching;

static uint32_t corner_vertex(const stitching *s, uint32_t c)
{
    return s->m->triangle[c / 3][c % 3];
}

static rill_vec3 face_normal(const trimesh *m, const uint32_t t[3])
{
    return v3_cross(v3_sub(m->position[t[1]], m->position[t[0]]),
                    v3_sub(m->position[t[2]], m->position[t[0]]));
}

static void add_corner(stitching *s, uint32_t c)
{
    const uint32_t v = corner_vertex(s, c);
    s->next[c] = s->head[v];
    s->head[v] = c;
}

static void remove_corner(stitching *s, uint32_t v, uint32_t c)
{
    uint32_t *at = &s->head[v];
    while (*at != c) at = &s->next[*at];
    *at = s->next[c];
}

static uint32_t valence(const stitching *s, uint32_t v)
{
    uint32_t n = 0;
    for (uint32_t c = s->head[v]; c != END; c = s->next[c]) n++;
    return n;
}

static bool holds(const uint32_t t[3], uint32_t v)
{
    return t[0] == v || t[1] == v || t[2] == v;
}

/* Neighbours that a and b have in common. */
static uint32_t in_common(stitching *s, uint32_t a, uint32_t b)
{
    uint32_t n = 0;
    s->stamp++;
    for (uint32_t c = s->head[a]; c != END; c = s->next[c])
        for (int k = 0; k < 3; k++) s->mark[s->m->triangle[c / 3][k]] = s->stamp;
    s->stamp++;
    for (uint32_t c = s->head[b]; c != END; c = s->next[c])
        for (int k = 0; k < 3; k++) {
            const uint32_t v = s->m->triangle[c / 3][k];
            if (v == a || v == b || s->mark[v] != s->stamp - 1) continue;
            s->mark[v] = s->stamp;
            n++;
        }
    return n;
}

/* Whether the triangles of v that do not hold `other` stay what they are when v goes to x. */
static bool can_go(const stitching *s, uint32_t v, uint32_t other, rill_vec3 x)
{
    const trimesh *m = s->m;
    for (uint32_t c = s->head[v]; c != END; c = s->next[c]) {
        const uint32_t *t = m->triangle[c / 3];
        if (holds(t, other)) continue;
        const rill_vec3 before = face_normal(m, t), p = m->position[t[(c % 3 + 1) % 3]],
                        q = m->position[t[(c % 3 + 2) % 3]], after = v3_cross(v3_sub(p, x), v3_sub(q, x));
        const double l = v3_length(after), side = v3_distance(p, q);
        /* as low as what is to go; one that was so before may stay so until its own turn */
        if (l < 0.3 * s->least * side && l < 0.5 * v3_length(before)) return false;
        if (v3_length(before) > 0.1 * s->least * side && v3_dot(before, after) < 0.7 * l * v3_length(before))
            return false;
    }
    return true;
}

static void mix_vertices(trimesh *m, uint32_t a, uint32_t b, rill_vec3 x)
{
    m->position[a] = x;
    for (int k = 0; k < 3 && m->normal; k++) m->normal[a][k] += m->normal[b][k];
    if (m->normal) {
        float *n = m->normal[a];
        const float l = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3 && l > 0; k++) n[k] /= l;
    }
    for (uint32_t c = 0; c < m->column_count; c++)
        for (int k = 0; k < m->column[c].width; k++) {
            float *value = m->column[c].value;
            const size_t w = (size_t)m->column[c].width;
            value[w * a + (size_t)k] = 0.5f * (value[w * a + (size_t)k] + value[w * b + (size_t)k]);
        }
}

/* The third vertex of the triangle that has the side from a to b; END: there is none. */
static uint32_t across(const stitching *s, uint32_t a, uint32_t b, uint32_t *triangle)
{
    for (uint32_t c = s->head[a]; c != END; c = s->next[c]) {
        const uint32_t *t = s->m->triangle[c / 3];
        if (t[(c % 3 + 1) % 3] != b) continue;
        *triangle = c / 3;
        return t[(c % 3 + 2) % 3];
    }
    return END;
}

static void kill(stitching *s, uint32_t triangle)
{
    for (uint32_t k = 0; k < 3; k++) remove_corner(s, s->m->triangle[triangle][k], 3 * triangle + k);
    s->alive[triangle] = 0;
}

static bool collapse(stitching *s, uint32_t a, uint32_t b)
{
    trimesh *m = s->m;
    uint32_t left = 0, right = 0;
    const uint32_t p = across(s, a, b, &left), q = across(s, b, a, &right);
    if (p == END || q == END || p == q || in_common(s, a, b) != 2) return false;
    if (valence(s, p) < 4 || valence(s, q) < 4 || valence(s, a) + valence(s, b) < 7) return false;
    const rill_vec3 x = v3_scale(v3_add(m->position[a], m->position[b]), 0.5);
    if (!can_go(s, a, b, x) || !can_go(s, b, a, x)) return false;
    kill(s, left);
    kill(s, right);
    for (uint32_t c = s->head[b], after; c != END; c = after) {
        after = s->next[c];
        m->triangle[c / 3][c % 3] = a;
        add_corner(s, c);
    }
    s->head[b] = END;
    mix_vertices(m, a, b, x);
    return true;
}

/* How low a triangle is over its longest side, and which side that is. */
static double height(const trimesh *m, const uint32_t t[3], int *side)
{
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        const double l = v3_distance(m->position[t[k]], m->position[t[(k + 1) % 3]]);
        if (l > longest) longest = l, *side = k;
    }
    return longest > 0 ? v3_length(face_normal(m, t)) / longest : 0;
}

static double quality(const trimesh *m, const uint32_t t[3], int *side)
{
    const double h = height(m, t, side);
    const double l = v3_distance(m->position[t[*side]], m->position[t[(*side + 1) % 3]]);
    return l > 0 ? h / l : 0;
}

/* Turns the longest side of a triangle that is low over it when the worse of the two triangles at it gains.
 */
static void turn(stitching *s, uint32_t triangle)
{
    trimesh *m = s->m;
    int side = 0, ignored = 0;
    const uint32_t *t = m->triangle[triangle];
    if (quality(m, t, &side) >= low) return;
    const uint32_t a = t[side], b = t[(side + 1) % 3], c = t[(side + 2) % 3];
    uint32_t other = 0;
    const uint32_t d = across(s, b, a, &other);
    if (d == END || c == d || valence(s, a) < 4 || valence(s, b) < 4) return;
    for (uint32_t k = s->head[c]; k != END; k = s->next[k])
        if (holds(m->triangle[k / 3], d)) return; /* there is such a side */
    const uint32_t first[3] = {c, a, d}, second[3] = {d, b, c}, *beyond = m->triangle[other];
    const double before = fmin(quality(m, t, &side), quality(m, beyond, &ignored));
    if (fmin(quality(m, first, &ignored), quality(m, second, &ignored)) < 1.2 * before) return;
    const rill_vec3 whole = v3_add(face_normal(m, t), face_normal(m, beyond));
    const rill_vec3 n[2] = {face_normal(m, first), face_normal(m, second)};
    for (int k = 0; k < 2; k++)
        if (v3_dot(whole, n[k]) < 0.85 * v3_length(whole) * v3_length(n[k])) return;
    kill(s, triangle);
    kill(s, other);
    memcpy(m->triangle[triangle], first, sizeof first);
    memcpy(m->triangle[other], second, sizeof second);
    s->alive[triangle] = s->alive[other] = 1;
    for (uint32_t k = 0; k < 3; k++) {
        add_corner(s, 3 * triangle + k);
        add_corner(s, 3 * other + k);
    }
}

static size_t collapse_pass(stitching *s)
{
    const trimesh *m = s->m;
    size_t done = 0;
    for (uint32_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3 && s->alive[t]; k++) {
            const uint32_t a = m->triangle[t][k], b = m->triangle[t][(k + 1) % 3];
            if (v3_distance(m->position[a], m->position[b]) < s->least) done += collapse(s, a, b);
        }
    return done;
}

rill_status finish_slivers(rill_ctx *ctx, trimesh *m, double least)
{
    enum { PASSES = 4 };
    if (m->triangle_count > UINT32_MAX / 3 - 1)
        return rill_fail(ctx, RILL_NO_MEMORY,
                         "surface: too many triangles to remove slivers from; use a larger cell");
    stitching s = {.m = m, .least = least};
    rill_status st = MEM_NEW(ctx, s.alive, m->triangle_count);
    if (!st) st = MEM_NEW(ctx, s.head, m->vertex_count);
    if (!st) st = MEM_NEW(ctx, s.next, 3 * m->triangle_count);
    if (!st) st = MEM_NEW_ZERO(ctx, s.mark, m->vertex_count);
    if (!st) {
        memset(s.alive, 1, m->triangle_count);
        memset(s.head, 0xff, m->vertex_count * sizeof *s.head);
        for (uint32_t c = 0; c < 3 * m->triangle_count; c++) add_corner(&s, c);
        for (int pass = 0; pass < PASSES; pass++) {
            if (!collapse_pass(&s) && pass) break;
            for (uint32_t t = 0; t < m->triangle_count; t++)
                if (s.alive[t]) turn(&s, t);
        }
        finish_keep(m, s.alive, s.mark);
    }
    mem_free(ctx, s.alive);
    mem_free(ctx, s.head);
    mem_free(ctx, s.next);
    mem_free(ctx, s.mark);
    return st;
}
