/* Analytic solids and their combinations, as signed distances (negative inside).
 *
 * Primitives return exact distances; union, intersection and difference the minimum
 * and maximum of their parts, exact on one side and a lower bound on the other, with
 * the right sign and zero set everywhere.
 *
 * shape_planes says what a particle near a concave corner needs: every face within
 * reach, each as the plane through the nearest point of that face. The parts of a
 * union (and the faces of a box seen from inside) give one plane each; convex corners
 * give the nearest one only. A mesh is asked at points up to the reach away along the
 * axes: what is nearest there is another face when it is turned by more than 15 degrees
 * and in front of the nearest. */
#pragma once

#include "geom/distance/mesh_sequence.h"

typedef enum shape_kind {
    SHAPE_NONE,
    SHAPE_BOX,
    SHAPE_SPHERE,
    SHAPE_CYLINDER,
    SHAPE_CAPSULE,
    SHAPE_PLANE, /* the half space behind the normal */
    SHAPE_DISC,  /* flat: distance is never negative */
    SHAPE_UNION,
    SHAPE_INTERSECTION,
    SHAPE_DIFFERENCE, /* the first part without the others */
    SHAPE_MESH,       /* bounded by triangles */
    SHAPE_SEQUENCE,   /* by triangles that move */
    SHAPE_FUNCTION,   /* by callback: tests and verification */
    SHAPE_KINDS
} shape_kind;

/* Without extent along z (min.z == max.z: a rectangle of a two-dimensional scene) it
 * reaches to infinity both ways there, as it does along axes with infinite bounds. */
typedef struct shape_box {
    rill_vec3 min, max;
} shape_box;
typedef struct shape_sphere {
    rill_vec3 center;
    double radius;
} shape_sphere;
typedef struct shape_rod {
    rill_vec3 from, to;
    double radius;
} shape_rod; /* cylinder, capsule */
typedef struct shape_flat {
    rill_vec3 point, normal;
    double radius;
} shape_flat; /* plane, disc; the normal need not be of unit length */

/* Distance at x, and its gradient when normal is not NULL. */
typedef double shape_function(void *user, rill_vec3 x, rill_vec3 *normal);

typedef struct shape {
    shape_kind kind;
    union {
        shape_box box;
        shape_sphere sphere;
        shape_rod rod;
        shape_flat flat;
        struct {
            shape_function *function;
            void *user;
            rill_box bounds;
        } by_function;
        struct {
            mesh_distance *owned; /* NULL: nothing */
            bool lent;            /* borrowed: several shapes share it, and another owner frees it */
        } mesh;
        struct {
            const mesh_sequence *frames; /* borrowed */
            mesh_moment now;             /* set by the caller that knows the time; unset: an empty shape */
        } sequence;
        struct {
            struct shape *part;
            uint32_t count;
        } parts; /* owned */
    };
} shape;

/* A face near a point: distance of the point from it and its unit normal, pointing out
 * of the solid. */
typedef struct shape_plane {
    double distance;
    rill_vec3 normal;
    uint32_t owner; /* 0; for the use of callers that gather the faces of several shapes */
    double slack;   /* how far from the surface its nearest point may be found to be */
} shape_plane;

enum { SHAPE_MAX_PLANES = 16 };

void shape_clear(rill_ctx *ctx, shape *s);                             /* frees the parts and meshes */
double shape_distance(const shape *s, rill_vec3 x, rill_vec3 *normal); /* normal may be NULL */
rill_box shape_bounds(const shape *s);                                 /* infinite where the shape is */

/* How far one can go from x, outside, in a unit direction and stay `margin` away (or half
 * the distance of x, when that is less): a lower bound, INFINITY when convex parts show
 * that nothing is in the way. Distances beyond `most` are not needed. */
double shape_free(const shape *s, rill_vec3 x, rill_vec3 direction, double margin, double most);

/* A lower bound of the distance, whatever the cache of a mesh gets wrong. */
double shape_clearance(const shape *s, rill_vec3 x);
/* One that costs little, from the cache of a mesh; -INFINITY where there is none. */
double shape_clearance_quick(const shape *s, rill_vec3 x);
/* As sharp as can be, and the unit direction away from the shape. */
double shape_clearance_away(const shape *s, rill_vec3 x, rill_vec3 *away);

/* Whether two points outside may be nearer than `than` with the shape between them, but for
 * those around an edge. Shapes cut from others may have thin walls: yes, but for a box cut from a box. Of
 * meshes samples are taken, some milliseconds: to be asked once. */
bool shape_thinner(const shape *s, double than);

/* The faces within `reach` of x (inside the solid: always at least one), nearest
 * first, at most SHAPE_MAX_PLANES; returns their number. In two dimensions z is
 * ignored by the code that builds the shape: a shape there is a prism along z. */
int shape_planes(const shape *s, rill_vec3 x, double reach, shape_plane *out);

/* What makes candidates into faces: nearest first, the same plane once, without those
 * whose nearest point is buried in the whole (unless they come out of a nearer face close
 * by, as in an obtuse corner) or that only continue the face of a nearer one (the seam
 * between two boxes side by side). whole gives the distance of all the
 * candidates' shapes together. Returns how many are left, at most SHAPE_MAX_PLANES. */
typedef double shape_whole(const void *user, rill_vec3 x);
int shape_planes_settle(shape_plane *plane, int count, rill_vec3 x, double reach, shape_whole *whole,
                        const void *user);
rill_vec3 shape_unit(rill_vec3 normal); /* of any length; the zero vector gives y */
