/* A deforming solid: the same triangles at several times, their corners on straight lines
 * between them; before the first and after the last it stands still.
 *
 * It is set to a time, which builds the distance of the mesh at that time anew, and then
 * asked, by several threads if wanted. For 80,000 triangles setting costs about 0.1 s on
 * one thread without a cache, and what the cache costs on top (mesh_distance.h: 0.7 s on
 * two threads at 128 cells): keep resolution 0 unless it is asked more than a million
 * times a step. */
#pragma once

#include "geom/mesh_distance.h"

typedef struct mesh_sequence mesh_sequence;

typedef struct mesh_sequence_def {
    const trimesh *mesh;        /* copied; count of them, the same triangles in each */
    const double *time;         /* seconds, rising */
    size_t count;               /* at least 1 */
    mesh_distance_def distance; /* what is open in the first mesh decides for all */
} mesh_sequence_def;

/* RILL_BAD_FILE: the meshes differ in more than positions, or are no solid (as
 * mesh_distance_create says); RILL_USAGE: times that do not rise. Set to the first time. */
RILL_CHECKED rill_status mesh_sequence_create(rill_ctx *ctx, const mesh_sequence_def *def,
                                              mesh_sequence **out);
void mesh_sequence_destroy(rill_ctx *ctx, mesh_sequence *s); /* NULL is allowed */

/* As before on failure. */
RILL_CHECKED rill_status mesh_sequence_set(rill_ctx *ctx, mesh_sequence *s, double time);
/* The solid at the time set: borrowed until the next mesh_sequence_set. */
mesh_distance *mesh_sequence_distance(const mesh_sequence *s);
/* How fast the point of the mesh closest to x moves at the time set. */
rill_vec3 mesh_sequence_velocity(const mesh_sequence *s, rill_vec3 x);
rill_box mesh_sequence_bounds(const mesh_sequence *s); /* of all times */
