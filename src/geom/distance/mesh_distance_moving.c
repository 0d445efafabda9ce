/* A mesh that moves: how far, and what it leaves free. */
#include "geom/distance/mesh_distance_parts.h"

rill_vec3 mesh_distance_point_at(const mesh_distance *m, double share, const mesh_closest *c)
{
    return mesh_point_at(m, share, c->triangle, c->weight);
}

rill_vec3 mesh_distance_way(const mesh_distance *m, const mesh_closest *c)
{
    return v3_sub(mesh_point_at(m, 1, c->triangle, c->weight), mesh_point_at(m, 0, c->triangle, c->weight));
}

typedef struct {
    const mesh_distance *m;
    double from, to, margin, clear;
    rill_vec3 step;
} freeing;

/* Seen by a corner the point goes the step less the corner's way; a point of the triangle
 * sees it go something between what its corners see. */
static void free_of(void *user, const rays_near *n)
{
    freeing *f = user;
    const double d = n->distance - f->m->half, clearance = d - fmin(f->margin, 0.5 * d);
    double way = 0;
    for (int k = 0; k < 3; k++) {
        const rill_vec3 moved = v3_sub(mesh_corner_at(f->m, f->to, n->triangle, k),
                                       mesh_corner_at(f->m, f->from, n->triangle, k));
        way = fmax(way, v3_distance(f->step, moved));
    }
    if (!(d > 0))
        f->clear = 0;
    else if (way > clearance)
        f->clear = fmin(f->clear, clearance / way);
}

double mesh_distance_free_share(const mesh_distance *m, double from, double to, rill_vec3 x, rill_vec3 step,
                                double most_way, double margin)
{
    if (m->winding && mesh_inside_at(m, from, x)) return 0;
    freeing f = {m, from, to, margin, 1, step};
    /* A triangle is in the way when its clearance, at least d - margin and d / 2, is less than the
     * way it sees, at most `way`. */
    const double way = v3_length(step) + most_way;
    rays_within_at(m->rays, from, x, m->half + fmin(2 * way, way + margin), free_of, &f);
    return f.clear;
}
