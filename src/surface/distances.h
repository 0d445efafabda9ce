/* Distances of particles from the liquid's surface, carried along with them: [Adams] section 5.2.
 *
 * The distances of the last call define the surface now (averages.h, eq. 5); this module makes them agree
 * with it again. Particles near the surface are projected onto it; with the normal there each footpoint is a
 * disk; and the disks are handed on from neighbour to neighbour into the liquid, each particle keeping the
 * nearest. Where nothing is carried yet, Zhu and Bridson's surface is the start.
 *
 * Call it at every step or every fifth, from any method that has particles: what it needs of the definition
 * is spacing, radius (0: surface_radius_default(SURFACE_DISTANCE)) and dimensions; a column "spacing" of the
 * particles counts as in surface.h. The same bits for any number of threads. Metres throughout. */
#pragma once

#include "geom/search/sized_lists.h"
#include "surface/surface.h"

/* distance: per particle, carried in (0: not known, as of a new one) and new out. foot: the nearest point of
 * the surface; where it is NULL, not wanted, particles deeper than some three radii keep the distance they
 * have. Both untouched on failure. */
RILL_CHECKED rill_status distances_update(rill_ctx *ctx, const particles *p, const surface_def *def,
                                          float *distance, rill_vec3 *foot);
/* The same from nothing. */
RILL_CHECKED rill_status distances_start(rill_ctx *ctx, const particles *p, const surface_def *def,
                                         float *distance, rill_vec3 *foot);

/* The first part alone, for whoever has his particles sorted under a tree and hands the disks on himself
 * (geom/search/spread.h): those near the surface are projected. */
typedef struct distances_tree {
    const sized_points *points; /* in the particles' order, boxes as these lie */
    double wide;                /* how far particles reach here, over their reach in the tree */
} distances_tree;
typedef struct surface_disk {
    rill_vec3 at, normal; /* outward */
    double radius;
} surface_disk;
/* distance: new where that succeeded, INFINITY elsewhere. at: there, where the disk is; normal: its normal,
 * and its radius. Scratch is the arena's. */
RILL_CHECKED rill_status distances_project(rill_ctx *ctx, const particles *p, const surface_def *def,
                                           const distances_tree *tree, rill_arena *arena,
                                           const float *carried, float *distance, rill_vec3 *at,
                                           float (*normal)[4]);
/* Of x from a disk; at: its nearest point. */
double surface_disk_distance(const surface_disk *d, rill_vec3 x, rill_vec3 *at);

/* errata E-A5: projecting again and again drifts. What to add to every distance so that the surface
 * encloses the particles' volume, at most a quarter of a spacing: once per frame. Adding it moves the surface
 * by exactly as much, since eq. 7 is a mean. */
RILL_CHECKED rill_status distances_anchor(rill_ctx *ctx, const particles *p, const surface_def *def,
                                          const float *distance, double *out);
