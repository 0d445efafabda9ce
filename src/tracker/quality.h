/* Shapes of triangles, and what a vertex's surroundings are: flat, a ridge, a corner. */
#pragma once

#include "tracker/tmesh.h"

static inline rill_vec3 triangle_area2(rill_vec3 a, rill_vec3 b, rill_vec3 c) /* normal of twice its area */
{
    return v3_cross(v3_sub(b, a), v3_sub(c, a));
}
static inline rill_vec3 tmesh_area2(const tmesh *m, uint32_t t)
{
    const uint32_t *v = m->triangle[t];
    return triangle_area2(m->x[v[0]], m->x[v[1]], m->x[v[2]]);
}
/* The smallest angle, radians: the one across from the shortest side, from area and the other two. */
double quality_angle(rill_vec3 a, rill_vec3 b, rill_vec3 c);

/* The normals around a vertex, weighted by area, as a tensor: eigenvalues in decreasing order and their
 * directions. rank counts those above 0.03 of the largest (Jiao 2007): 1 smooth, 2 ridge, 3 corner. At the
 * edge of a fold, whose normals are opposite, the rank is that of the edge, and axis[2] its direction. */
typedef struct vertex_space {
    double value[3];
    rill_vec3 axis[3];
    rill_vec3 area; /* sum of the triangles' area vectors */
    int rank;
} vertex_space;

vertex_space quality_space(const tmesh *m, uint32_t v);
