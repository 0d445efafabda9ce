/* Signed distance of a solid given by a triangle mesh: negative inside.
 *
 * Closed meshes bound their inside; the side of a point follows from the generalised winding
 * number (winding.h), so that overlapping parts make one solid; a mesh that is inside
 * out as a whole is turned. Open ones are refused with the place of the first open
 * edge, unless
 *   holes: what is open is closed with fans of triangles (small holes), or
 *   shell: the surface is made solid as a wall of that thickness, half of it on each
 *          side (a teapot, a cloth, a glass).
 * The mesh is copied, equal vertices made one; triangles without area do no harm.
 *
 * mesh_distance_exact asks the triangles (1 to 4 microseconds); mesh_distance_at the
 * cache (distance_grid.h: 50 ns on smooth surfaces, 100 to 300 where there are many sharp
 * edges) when there is one. Inside a solid of parts that overlap, the distance is to the
 * nearest triangle, though it bounds nothing there. Both may be called by
 * several threads at once and allocate nothing. Results do not depend on the number of
 * threads. */
#pragma once

#include "geom/mesh/rays.h"

typedef struct mesh_distance mesh_distance;

typedef struct mesh_distance_def {
    double shell;           /* thickness of the wall; 0: the mesh bounds a volume */
    bool holes;             /* close what is open */
    int resolution;         /* cells of the cache along its longest side; 0: no cache */
    const rill_box *wanted; /* where the cache will be asked: elsewhere it is coarse, and mostly asks the
                             * triangles; NULL: everywhere */
} mesh_distance_def;

mesh_distance_def mesh_distance_def_default(void); /* closed, cached at 128 */

/* The box of the cache, without its margin: the mesh's bounds; of a mesh more than four times as long as what
 * is wanted of it only that part, elsewhere the triangles are asked. */
rill_box mesh_distance_cached(rill_box bounds, const rill_box *wanted, bool *part);

/* RILL_BAD_FILE: the mesh is empty, not finite, names vertices that are not there, or is
 * open (message: cause, place and remedy; the caller puts the file's name before it). */
RILL_CHECKED rill_status mesh_distance_create(rill_ctx *ctx, const trimesh *mesh,
                                              const mesh_distance_def *def, mesh_distance **out);
void mesh_distance_destroy(rill_ctx *ctx, mesh_distance *m); /* NULL is allowed */

/* Distance at x and, when normal is not NULL, the unit direction in which it grows: from
 * the closest point to x (to it from inside); on the surface the angle-weighted normal
 * of the triangles that meet there. */
double mesh_distance_exact(const mesh_distance *m, rill_vec3 x, rill_vec3 *normal);

/* The same, when mesh_distance_at returned `cached` at x: where that value is certain, its sign is used. */
double mesh_distance_exact_beside(const mesh_distance *m, rill_vec3 x, double cached, rill_vec3 *normal);

/* The same within mesh_distance_error where there is a cache; exact where there is none.
 * Beyond the box of the cache (a quarter of the longest side around the mesh) a lower
 * bound. */
double mesh_distance_at(const mesh_distance *m, rill_vec3 x, rill_vec3 *normal);

/* How far mesh_distance_at may be off where it answers `distance`. */
double mesh_distance_error(const mesh_distance *m, double distance);

/* How far one can go from x in a unit direction and stay `margin` away (or half the distance
 * of x, when that is less), asked up to `most`: a lower bound by the triangles themselves, so
 * that nothing gets through whatever the cache gets wrong; 0 inside. */
double mesh_distance_free(const mesh_distance *m, rill_vec3 x, rill_vec3 direction, double margin,
                          double most);

/* The point of the mesh closest to x: its triangle (the lowest of several as near) and
 * the weights of the triangle's corners. */
typedef struct mesh_closest {
    rill_vec3 point;
    double distance; /* never negative; of the surface, not of a shell's wall */
    uint32_t triangle;
    double weight[3];
} mesh_closest;
mesh_closest mesh_distance_closest(const mesh_distance *m, rill_vec3 x);

/* Whether it has walls thinner than that, as seen from the middles of up to 4000 triangles. */
bool mesh_distance_thinner(const mesh_distance *m, double than);

rill_box mesh_distance_bounds(const mesh_distance *m);        /* of the solid */
bool mesh_distance_is_shell(const mesh_distance *m);          /* a wall on both sides of its surface */
const trimesh *mesh_distance_surface(const mesh_distance *m); /* borrowed; with what closes its holes */
const rays *mesh_distance_rays(const mesh_distance *m);       /* borrowed; to trace that surface */

/* --- a mesh that moves: one span of a sequence (mesh_sequence.h) --- */

/* Its vertices go straight from where they are to `end` (copied; NULL: they stand still). The mesh is
 * taken as it is: finite, its corners in range, and closed and turned outward unless shell
 * makes it a wall. Without a cache; mesh_distance_at asks at share 0. */
RILL_CHECKED rill_status mesh_distance_create_moving(rill_ctx *ctx, const trimesh *mesh, const rill_vec3 *end,
                                                     double shell, mesh_distance **out);

/* Queries at a share of the way, 0 to 1. */
double mesh_distance_exact_at(const mesh_distance *m, double share, rill_vec3 x, rill_vec3 *normal);
mesh_closest mesh_distance_closest_at(const mesh_distance *m, double share, rill_vec3 x);
/* The same, sooner when the triangle `hint` is near x. */
mesh_closest mesh_distance_closest_from(const mesh_distance *m, double share, rill_vec3 x, uint32_t hint);
/* Where a point of the mesh is, and how far it goes from share 0 to 1. */
rill_vec3 mesh_distance_point_at(const mesh_distance *m, double share, const mesh_closest *c);
rill_vec3 mesh_distance_way(const mesh_distance *m, const mesh_closest *c);

/* A point goes from x to x + step while the mesh goes from share `from` to `to`: how much of
 * that, 0 to 1, brings them no nearer than `margin` (or half their distance, when that is
 * less). A lower bound; 0 when x is inside. most_way: no vertex goes farther meanwhile. */
double mesh_distance_free_share(const mesh_distance *m, double from, double to, rill_vec3 x, rill_vec3 step,
                                double most_way, double margin);
