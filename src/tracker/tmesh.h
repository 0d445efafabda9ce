/* The tracker's triangle mesh: closed, manifold, oriented at all times, and editable in place.
 *
 * A corner table. Corner c = 3 t + i is corner i of triangle t; it stands for the vertex there and for the
 * edge across from it, which runs from the vertex of next(c) to that of prev(c). opposite[c] is the corner
 * across that edge in the triangle beyond. Every vertex knows one of its corners; its triangles form one fan.
 *
 * Slots of removed vertices and triangles are used again, last in first out; tmesh_compact closes the gaps
 * through one map from old to new, by which everything that is kept per vertex goes. New vertices get their
 * columns as a blend of two others. An edit that needs room asks for it first, so that none fails half-way.
 */
#pragma once

#include "geom/mesh/trimesh.h"

#define TMESH_NONE UINT32_MAX

typedef struct tmesh {
    rill_ctx *ctx;
    size_t vertex_room, triangle_room;
    uint32_t vertices, triangles; /* slots, the free ones among them */
    uint32_t live_vertices, live_triangles;
    uint32_t free_vertex, free_triangle; /* the first of each list */
    rill_vec3 *x;                        /* [vertex] */
    uint32_t *corner;                    /* [vertex] one of its corners; TMESH_NONE in a free slot */
    uint32_t *part;                      /* [vertex] the part it belongs to; free: the next free slot */
    uint32_t (*triangle)[3];             /* counter-clockwise from outside; free: all TMESH_NONE */
    uint32_t *opposite;                  /* [3 triangle]; free: the next free slot */
    trimesh_column column[TRIMESH_MAX_COLUMNS];
    uint32_t column_count;
} tmesh;

static inline uint32_t corner_next(uint32_t c)
{
    return c % 3 == 2 ? c - 2 : c + 1;
}
static inline uint32_t corner_prev(uint32_t c)
{
    return c % 3 == 0 ? c + 2 : c - 1;
}
static inline uint32_t corner_vertex(const tmesh *m, uint32_t c)
{
    return (&m->triangle[0][0])[c];
}
/* The corner of the same vertex in the next triangle of its fan, counter-clockwise. */
static inline uint32_t corner_swing(const tmesh *m, uint32_t c)
{
    return corner_next(m->opposite[corner_next(c)]);
}
static inline bool tmesh_triangle_live(const tmesh *m, uint32_t t)
{
    return m->triangle[t][0] != TMESH_NONE;
}
static inline bool tmesh_vertex_live(const tmesh *m, uint32_t v)
{
    return m->corner[v] != TMESH_NONE;
}
/* Every vertex and edge belongs to one triangle, so that walks over triangles meet each once. */
static inline bool corner_owns_vertex(const tmesh *m, uint32_t c)
{
    return m->corner[corner_vertex(m, c)] == c;
}
static inline bool corner_owns_edge(const tmesh *m, uint32_t c)
{
    return c < m->opposite[c];
}
static inline double tmesh_edge_length(const tmesh *m, uint32_t c)
{
    return v3_distance(m->x[corner_vertex(m, corner_next(c))], m->x[corner_vertex(m, corner_prev(c))]);
}

/* Copies a mesh whose report (trimesh_check) is free of faults; part is 0 everywhere. */
RILL_CHECKED rill_status tmesh_build(rill_ctx *ctx, const trimesh *from, tmesh *out);
void tmesh_clear(tmesh *m);
/* Room for that many vertices and triangles beyond those there are. */
RILL_CHECKED rill_status tmesh_reserve(tmesh *m, size_t vertices, size_t triangles);

uint32_t tmesh_valence(const tmesh *m, uint32_t v);
/* The corner across from the edge from a to b, TMESH_NONE when there is none. */
uint32_t tmesh_find_edge(const tmesh *m, uint32_t a, uint32_t b);

/* ---- edits; room must be there ---- */

/* A free slot each; the vertex has the columns and the part of a, with `weight` of b in them. */
uint32_t tmesh_new_vertex(tmesh *m, rill_vec3 x, uint32_t a, uint32_t b, double weight);
uint32_t tmesh_new_triangle(tmesh *m, uint32_t a, uint32_t b, uint32_t c);
void tmesh_free_vertex(tmesh *m, uint32_t v);
void tmesh_free_triangle(tmesh *m, uint32_t t);
static inline void tmesh_join(tmesh *m, uint32_t c, uint32_t o)
{
    m->opposite[c] = o;
    m->opposite[o] = c;
}

/* The edge across from c gets a vertex in it: 1 vertex and 2 triangles more. c's triangle keeps the edge's
 * first half. Returns the vertex; added[2]: the new triangles. */
uint32_t tmesh_split(tmesh *m, uint32_t c, rill_vec3 x, uint32_t added[2]);
/* The edge across from c is replaced by the one between its two opposite vertices. */
void tmesh_flip(tmesh *m, uint32_t c);
/* Whether the edge can be shrunk to a point and the mesh stays manifold. When it cannot for one vertex too
 * many that both ends know, *extra (may be NULL) is that vertex, otherwise TMESH_NONE. */
bool tmesh_can_collapse(const tmesh *m, uint32_t c, uint32_t *extra);
/* Shrinks it: its second vertex is replaced by its first, which goes to x; two triangles go. */
void tmesh_collapse(tmesh *m, uint32_t c, rill_vec3 x, double weight);

/* ---- */

/* Closes the gaps; sorted: also brings what is near in space near in memory. map (vertices entries, the
 * caller's; may be NULL): where each vertex went, TMESH_NONE for free slots. */
RILL_CHECKED rill_status tmesh_compact(tmesh *m, bool sorted, uint32_t *map);

/* Every vertex takes the last of its corners, as after tmesh_build: sums around it no longer depend on the
 * edits before. The mesh must be compact. */
void tmesh_settle_corners(tmesh *m);

/* Turns every triangle around: what was inside is outside. Twice is as before. */
void tmesh_turn(tmesh *m);

/* What the edits keep true. RILL_BLEW_UP with the place when it is not: for tests. */
RILL_CHECKED rill_status tmesh_check(const tmesh *m);

double tmesh_volume(const tmesh *m);
/* Of its edges; each counts once. */
double tmesh_mean_edge(const tmesh *m);
/* The mesh as others see it, borrowed; it must be compact. */
trimesh tmesh_view(const tmesh *m);
