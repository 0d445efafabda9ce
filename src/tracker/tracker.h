/* The explicit surface tracker: a closed triangle mesh that moves with a velocity field, stays well shaped,
 * merges and splits, and never intersects itself. Brochu and Bridson 2009, as Brochu, Batty and Bridson 2010
 * section 3 uses it.
 *
 * Holds after every call, also one that failed (check.h): closed, manifold, oriented, free of intersections,
 * save when `collisions` was turned off. Lengths are relative to `edge`, the length the edges are kept near;
 * two features that are not neighbours count as touching within 1e-6 of it. Results do not depend on the
 * number of threads. */
#pragma once

#include "tracker/check.h"

typedef struct tracker tracker;

/* What an operation does to a vertex, for tracker_place. */
typedef enum tracker_change {
    TRACKER_SPLIT,    /* it is new, on the edge from a to b */
    TRACKER_COLLAPSE, /* it replaces those at a and b */
    TRACKER_MOVE      /* it was at a (b is the same) */
} tracker_change;
/* Keeps a vertex on what its makers lie on (walls): *x is where the operation would put it. False: it must
 * not be put there nor anywhere near, and the operation is not done. Called by several threads at once. */
typedef bool tracker_place(void *user, tracker_change change, rill_vec3 a, rill_vec3 b, rill_vec3 *x);

typedef struct tracker_def {
    double edge;            /* length aimed at, metres; 0: the mean of the mesh */
    double shortest;        /* edges are collapsed below, in edges */
    double longest;         /* and split above */
    double flip_volume;     /* largest change of volume by one flip, in cubic edges */
    double collapse_volume; /* by one collapse */
    double repulsion;       /* surfaces nearer than this are kept from coming nearer, in edges */
    double merge;     /* surfaces with air between them join when nearer than this, in edges; 0: never */
    double film;      /* sheets of liquid thinner than this get holes, in edges; 0: never */
    double neck;      /* necks of three edges are cut when no edge is longer, in edges; 0: never */
    double drop;      /* parts of less volume are removed, in cubic edges; 0: none */
    bool improve;     /* split, flip, collapse, smooth */
    bool midpoint;    /* splits put the vertex in the middle of the edge, not where the surface would bend */
    bool collisions;  /* false: nothing is tested, and the mesh may tangle (a negative control) */
    bool keep_volume; /* each part is led back to its volume: errata E-R5 */
    bool repair;      /* a mesh that cannot be held is made anew from its shape (repair.h), without columns */
    bool restorable;  /* the order of its corners is settled in every step: tracker_restore goes on to the bit
                       */
    tracker_place *place; /* NULL: vertices may go anywhere */
    void *place_user;
} tracker_def;

typedef struct tracker_stats {
    uint32_t steps; /* the motion was made in */
    uint32_t splits, flips, collapses;
    uint32_t merges, cuts, drops;
    uint32_t refused;      /* merges that could not be made; in every tenth step they are parted */
    uint32_t punctures;    /* holes made in sheets */
    uint32_t contacts;     /* met in motions */
    uint32_t held;         /* vertices that could not go where they were sent */
    double volume;         /* after */
    double dropped_volume; /* of parts that were removed */
    double dropped_target; /* what these were led to */
} tracker_stats;

/* Velocities at n points at a time, metres per second. A failure is handed on. */
typedef rill_status tracker_velocity(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u);
/* Where the vertices of `mesh` shall be dt later; *x begins as where they are. */
typedef rill_status tracker_predict(void *user, const trimesh *mesh, double dt, rill_vec3 *x);

tracker_def tracker_def_default(void);
/* Copies the mesh with its columns (not its normals, which no longer fit once it has moved). RILL_BAD_FILE
 * for one that is open, not manifold, turned inconsistently or intersecting: the place is in the message;
 * unless `repair` asks to make do. */
RILL_CHECKED rill_status tracker_create(rill_ctx *ctx, const tracker_def *def, const trimesh *mesh,
                                        tracker **out);
void tracker_destroy(tracker *t); /* NULL is allowed */

/* A tracker that goes on, to the bit, as the one whose view, time, steps and parts these were after a step;
 * def->edge is its tracker_edge. RILL_BAD_FILE when they cannot have been. */
RILL_CHECKED rill_status tracker_restore(rill_ctx *ctx, const tracker_def *def, const trimesh *mesh,
                                         double time, uint64_t steps, const double *target, size_t parts,
                                         tracker **out);

/* One step: improvement, topology, motion by Runge and Kutta's fourth order. stats may be NULL. */
RILL_CHECKED rill_status tracker_advance(tracker *t, double dt, tracker_velocity *velocity, void *user,
                                         tracker_stats *stats);
/* The same with a motion of the caller's making. */
RILL_CHECKED rill_status tracker_advance_to(tracker *t, double dt, tracker_predict *predict, void *user,
                                            tracker_stats *stats);
/* Its first part alone: improvement and topology. */
RILL_CHECKED rill_status tracker_improve(tracker *t, tracker_stats *stats);

/* Borrowed until the next call that changes it; without normals. */
trimesh tracker_view(const tracker *t);
double tracker_time(const tracker *t);
double tracker_edge(const tracker *t);
uint64_t tracker_steps(const tracker *t); /* taken */

typedef struct tracker_part {
    double volume, area; /* a cavity's volume is negative */
    double target;       /* what keep_volume leads it to */
    uint32_t triangles;
    int32_t genus;
} tracker_part;

/* The connected parts, in the order of their first vertex; borrowed. */
void tracker_parts(const tracker *t, const tracker_part **part, size_t *count);
/* Changes what keep_volume leads a part to: liquid came in or left. */
void tracker_set_target(tracker *t, size_t part, double target);
/* The part of each vertex; borrowed. */
const uint32_t *tracker_vertex_parts(const tracker *t);
