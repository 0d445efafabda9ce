/* A deforming solid: the same triangles at several times, their corners on straight lines
 * between them; before the first and after the last it stands still.
 *
 * A sequence holds the keys alone and never changes once they are added. The caller keeps a
 * mesh_morph of its own and prepares it for the times it is going to ask about: the spans
 * between two keys that they fall into are built then (mesh_distance_create_moving: a tree
 * that holds for every moment of the span), and kept until other times are prepared. What is
 * asked is exact at any moment, and does not depend on what was prepared before.
 *
 * A span of 80,000 triangles takes 0.13 s of one processor to build, and 40 MB (a shell half
 * of both); a key 1 MB. A query takes 1.2 to 1.7 times as long as mesh_distance_exact. */
#pragma once

#include "geom/distance/mesh_distance.h"

typedef struct mesh_sequence mesh_sequence;

typedef struct mesh_sequence_def {
    double shell; /* as in mesh_distance_def; what is open in the first mesh decides for all */
    bool holes;
} mesh_sequence_def;

RILL_CHECKED rill_status mesh_sequence_create(rill_ctx *ctx, const mesh_sequence_def *def,
                                              mesh_sequence **out); /* without keys */
void mesh_sequence_destroy(rill_ctx *ctx, mesh_sequence *s);        /* NULL is allowed */

/* Adds a key later than those before; the mesh is copied. RILL_BAD_FILE: it has other
 * triangles than the first (polygons may be cut in other ways), vertices that are not
 * finite, or the first is no solid (as mesh_distance_create says); RILL_USAGE: times that
 * do not rise. The sequence is as before on failure. */
RILL_CHECKED rill_status mesh_sequence_add(rill_ctx *ctx, mesh_sequence *s, const trimesh *mesh, double time);

size_t mesh_sequence_count(const mesh_sequence *s);
rill_box mesh_sequence_bounds(const mesh_sequence *s); /* of the solid, at all times */
/* No point of it is faster than this between the two times. */
double mesh_sequence_max_speed(const mesh_sequence *s, double from, double to);

/* The sequence at a moment. */
typedef struct mesh_moment {
    const mesh_distance *span; /* NULL: nothing */
    double share;              /* of the way between its keys */
    double rate;               /* of the share, 1/s; 0: it stands still */
} mesh_moment;

/* The spans of some times. */
typedef struct mesh_morph {
    const mesh_sequence *frames; /* borrowed */
    mesh_distance **span;        /* owned; count of them, from the one after key `first` on */
    size_t first, count;
} mesh_morph;

/* A morph of zeros but for its frames has nothing prepared. As before on failure. Not while
 * other threads ask. */
RILL_CHECKED rill_status mesh_morph_prepare(rill_ctx *ctx, mesh_morph *m, double from, double to);
void mesh_morph_clear(rill_ctx *ctx, mesh_morph *m);

/* At a time between those prepared; another one counts as the nearest moment of their spans. */
mesh_moment mesh_morph_at(const mesh_morph *m, double time);

/* How fast the point of the mesh closest to x moves. */
rill_vec3 mesh_moment_velocity(mesh_moment m, rill_vec3 x);
/* Where x goes when it is carried from one moment to another by the triangle closest to it,
 * and turned with that. */
rill_vec3 mesh_moment_carry(mesh_moment from, mesh_moment to, rill_vec3 x);
/* A point goes from x to x + step between two times: how much of that, 0 to 1, the sequence
 * leaves free (mesh_distance_free_share). */
double mesh_morph_free_share(const mesh_morph *m, double from, double to, rill_vec3 x, rill_vec3 step,
                             double margin);
