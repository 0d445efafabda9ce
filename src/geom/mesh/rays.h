/* Rays and closest points through Embree 3: the only file that knows its interface
 * (version 4 differs).
 *
 * A set holds one triangle mesh and one set of spheres, either may be missing. It is
 * built by the calling thread alone, so that the tree, and with it which of two
 * triangles at the same distance is hit, does not depend on the number of threads.
 * Embree works in single precision: coordinates are taken relative to `origin`.
 * Vertices that are not finite are left out with their triangles.
 *
 * The mesh may move: its vertices go straight from where they are to `end`, and the
 * queries that end in _at ask at a share of that way, 0 to 1. The others ask at 0.
 *
 * Every error of Embree becomes a status with its message, running out of memory
 * RILL_NO_MEMORY. Queries may be made by several threads at once. */
#pragma once

#include "geom/mesh/trimesh.h"

typedef struct rays rays;

typedef struct rays_def {
    rill_vec3 origin;          /* near the middle of the scene */
    const trimesh *mesh;       /* borrowed until rays_destroy; NULL: none */
    const rill_vec3 *end;      /* of each vertex, borrowed as well; NULL: the mesh stands still */
    const rill_vec3 *position; /* centres of the spheres, copied */
    size_t count;
    double radius;
    const float *diameter; /* of each; NULL: all have `radius` */
    bool closest;          /* rays_closest and rays_within will be asked */
    bool quick;   /* built several times faster, for a few million rays, which take a little longer each */
    size_t limit; /* bytes Embree itself may hold; 0: as many as there are */
} rays_def;

typedef struct rays_hit {
    double t;
    rill_vec3 normal; /* geometric, unit */
    float u, v;       /* of the triangle: second and third corner's weight */
    uint32_t element; /* triangle or sphere */
    bool sphere;
} rays_hit;

RILL_CHECKED rill_status rays_create(rill_ctx *ctx, const rays_def *def, rays **out);
void rays_destroy(rill_ctx *ctx, rays *e); /* NULL is allowed */

/* The first hit with from < t < to along the ray (direction of unit length). */
bool rays_intersect(const rays *e, rill_vec3 origin, rill_vec3 direction, double from, double to,
                    rays_hit *hit);
bool rays_intersect_at(const rays *e, double share, rill_vec3 origin, rill_vec3 direction, double from,
                       double to, rays_hit *hit);
bool rays_occluded(const rays *e, rill_vec3 origin, rill_vec3 direction, double from, double to);

typedef struct rays_near {
    double distance;
    double weight[3]; /* of the triangle's corners */
    uint32_t triangle;
} rays_near;

/* The triangle closest to x, not farther than `most`, recomputed in double from the
 * mesh; of several as near the one with the lowest id. The search starts from `hint`, a
 * triangle that is probably near (RAYS_NO_HINT: none); it changes the time, not the
 * result. Returns whether there is one. */
#define RAYS_NO_HINT UINT32_MAX
bool rays_closest(const rays *r, rill_vec3 x, double most, uint32_t hint, rays_near *out);
bool rays_closest_at(const rays *r, double share, rill_vec3 x, double most, uint32_t hint, rays_near *out);

/* Calls visit for every triangle not farther than `most` from x, in an order that is the
 * same for the same mesh. */
typedef void rays_visit(void *user, const rays_near *near);
void rays_within(const rays *r, rill_vec3 x, double most, rays_visit *visit, void *user);
void rays_within_at(const rays *r, double share, rill_vec3 x, double most, rays_visit *visit, void *user);
