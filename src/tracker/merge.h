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

/* merge_film.c: which film a vertex is a side of. */
typedef struct films {
    uint8_t
        *side; /* [vertex] whether it faces something within a film's thickness: 0 not asked, 1 no, 2 yes */
    uint32_t *film;   /* [vertex] its number, TMESH_NONE: not known; then by parent */
    uint32_t *parent; /* [film] of the union-find over those that have been joined */
    uint8_t *joined;  /* [film] in this step */
    uint32_t *queue;  /* scratch, one per vertex */
    uint32_t count;
} films;

typedef struct merging {
    tracker *t;
    double reach;    /* what merges at the most, m */
    bool holes;      /* the mesh is turned, and sheets of liquid get holes: a few triangles at a time */
    uint32_t *mate;  /* [vertex] the triangle that it faces across air, nearest; TMESH_NONE: none */
    float *distance; /* [vertex] to it */
    uint8_t *gone;   /* [triangle] removed by a merge; another may be in its place */
    uint8_t *side;   /* [triangle] 1, 2: in a disc */
    uint8_t *owner;  /* [vertex] 1, 2: of a disc */
    films films;
    disc disc[2];
    uint32_t (*strip)[3];
    size_t strips, strip_room;
    uint8_t *back; /* of the strip's shortest way */
    double *cost[2];
} merging;

/* merge_find.c: mate and distance of every vertex. */
void merge_find(merging *m);
/* The triangle that v faces across air nearer than reach; *distance (may be NULL) to it. TMESH_NONE: none. */
uint32_t merge_mate(const tracker *t, uint32_t v, double reach, float *distance);
/* The normal at v, by the areas around it. */
rill_vec3 merge_normal(const tmesh *mesh, uint32_t v);
/* merge_part.c: v goes back, where it can without touching anything, until it no longer begins a merge. For
 * sheets that come near again and again in a shape that cannot be joined. */
RILL_CHECKED rill_status merge_part(merging *m, uint32_t v);
/* merge_film.c. v and w face something. */
RILL_CHECKED rill_status merge_films_init(merging *m);
void merge_films_clear(merging *m);
/* Whether they are sides of one film, or of sheets that are one a few edges away. */
bool merge_same_film(merging *m, uint32_t v, uint32_t w);
void merge_join_films(merging *m, uint32_t v, uint32_t w); /* that have been asked for */
bool merge_film_joined(merging *m, uint32_t v);            /* whether that of v was, in this step */
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
