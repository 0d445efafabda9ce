/* Inside a mesh's distance: what it is made of. */
#pragma once

#include "geom/distance/distance_grid.h"
#include "geom/distance/mesh_distance.h"
#include "geom/distance/winding.h"

struct mesh_distance {
    trimesh mesh;   /* owned: a copy, with what closes its holes */
    rill_vec3 *end; /* owned; where its vertices go; NULL: it stands still */
    rays *rays;
    winding *winding;    /* NULL: a shell */
    distance_grid *grid; /* NULL: no cache */
    rill_box bounds;     /* of the mesh */
    double half;         /* of the shell's thickness */
    double touching;     /* closer than this is on the surface: round-off spoils the direction to it */
};

static inline rill_vec3 mesh_corner_at(const mesh_distance *m, double share, uint32_t triangle, int k)
{
    const uint32_t v = m->mesh.triangle[triangle][k];
    return m->end ? v3_mix(m->mesh.position[v], m->end[v], share) : m->mesh.position[v];
}

static inline rill_vec3 mesh_point_at(const mesh_distance *m, double share, uint32_t triangle,
                                      const double weight[3])
{
    rill_vec3 p = {0};
    for (int k = 0; k < 3; k++) p = v3_madd(p, weight[k], mesh_corner_at(m, share, triangle, k));
    return p;
}

bool mesh_inside_at(const mesh_distance *m, double share, rill_vec3 x); /* not of a shell */
