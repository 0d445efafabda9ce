/* Joining surfaces that are near each other with air between them: what the files of the merge share.
 *
 * DEVIATES: [Brochu09] 4.2 joins pairs of edges by eight triangles each. Two sheets that come near over an
 * area then get a tunnel at every pair, and the genus runs away. Here the whole area goes at once: a disc of
 * facing triangles on either side is removed, and their rims are joined by one strip. The genus comes out
 * right, and what the volume gains is what lay between the discs. */
#pragma once

#include "tracker/state.h"

enum { RIM_MOST = 400 };

/* A disc of triangles and its rim, in the sense its triangles run. */
typedef struct disc {
    uint32_t *triangle;
    size_t count, room;
    uint32_t rim[RIM_MOST];        /* vertices */
    uint32_t rim_corner[RIM_MOST]; /* of the disc, across from the rim's edge to the next vertex */
    int rims;
} disc;

typedef struct merging {
    tracker *t;
    uint32_t *mate;  /* [vertex] the triangle that it faces across air, nearest; TMESH_NONE: none */
    float *distance; /* [vertex] to it */
    uint8_t *gone;   /* [triangle] removed by a merge; another may be in its place */
    uint8_t *side;   /* [triangle] 1, 2: in a disc */
    uint8_t *owner;  /* [vertex] 1, 2: of a disc */
    disc disc[2];
    uint32_t (*strip)[3];
    size_t strips, strip_room;
    uint8_t *back; /* of the strip's shortest way */
    double *cost[2];
} merging;

/* merge_find.c: mate and distance of every vertex. */
void merge_find(merging *m);
/* merge_disc.c: the star of v, grown (at most `rings` times) over triangles with a corner that faces
 * something; the rim. False when it is not a disc that can be used. Marks side and owner with `which`. */
RILL_CHECKED rill_status merge_disc(merging *m, int which, uint32_t v, int rings, bool *usable);
void merge_forget(merging *m); /* the marks of both */
/* merge_strip.c: triangles between the rims; false when there are none that would do. */
RILL_CHECKED rill_status merge_strip(merging *m, bool *usable);
/* Replaces the discs by the strip. */
RILL_CHECKED rill_status merge_apply(merging *m);
/* No vertex of anything else lies between what goes (the discs) and what comes (the strip). */
bool merge_empty_between(const merging *m);
/* Takes the discs out, with the vertices inside them. */
void merge_remove_discs(merging *m);
/* merge_pocket.c: around v the sheets are joined already. The pocket between them, both sides and the seam in
 * one disc, is replaced by triangles across its mouth. */
RILL_CHECKED rill_status merge_pocket(merging *m, uint32_t v, bool *done);
