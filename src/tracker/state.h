/* What the files of the tracker share. */
#pragma once

#include "tracker/boxes.h"
#include "tracker/gap.h"
#include "tracker/tmesh.h"
#include "tracker/tracker.h"

struct tracker {
    rill_ctx *ctx;
    tracker_def def;
    tmesh mesh;
    boxes boxes; /* of the triangles where they are, between surgery_begin and motion; then swept */
    double edge, touch;
    double time;
    uint64_t steps;
    rill_vec3 *end; /* where motion leads each vertex */
    double *owed;   /* [vertex] volume that collapses took off there, until smoothing gives it back */
    size_t end_room, owed_room;
    uint32_t *candidate; /* results of a query */
    size_t candidate_room;
    tracker_part *part;
    size_t part_count, part_room;
};

/* Asks the caller's rule where a vertex may be; true when there is none. */
static inline bool tracker_placed(const tracker *t, tracker_change change, rill_vec3 a, rill_vec3 b,
                                  rill_vec3 *x)
{
    return !t->def.place || t->def.place(t->def.place_user, change, a, b, x);
}

/* ---- the grid of boxes ---- */

/* Boxes of all triangles, `pad` wider, over the motion to `end` or (NULL) where they are. */
RILL_CHECKED rill_status tracker_fill_boxes(tracker *t, const rill_vec3 *end, double pad);
boxes_range tracker_triangle_range(const tracker *t, uint32_t triangle, const rill_vec3 *end, double pad);
/* Puts a triangle that has changed into the grid anew. */
RILL_CHECKED rill_status tracker_update_box(tracker *t, uint32_t triangle);
/* Room in mesh and grid for an edit. */
RILL_CHECKED rill_status tracker_reserve(tracker *t, size_t vertices, size_t triangles);

/* ---- a few points that move with the triangles around them: star.c ---- */

enum { STAR_MOST = 96 };
#define STAR_NEW (UINT32_MAX - 1) /* the id of a point that is not in the mesh */
typedef struct star {
    uint32_t id[3]; /* of the points that move */
    rill_vec3 from[3], to[3];
    int points;
    uint32_t triangle[STAR_MOST][3]; /* that move with them */
    int triangles;
    uint32_t gone[2];      /* triangles of the mesh that the change replaces; TMESH_NONE: none */
    uint32_t gone_edge[2]; /* and the edge between them */
} star;

star star_none(void);
void star_point(star *s, uint32_t id, rill_vec3 from, rill_vec3 to);
/* False when there are too many. */
bool star_triangle(star *s, uint32_t a, uint32_t b, uint32_t c);
/* The triangles around v but those with `without` (TMESH_NONE: none). */
bool star_fan(const tmesh *m, star *s, uint32_t v, uint32_t without);
/* Whether the points can go from `from` to `to`, with their triangles and edges, through nothing that stays.
 * What contains one of the points moves, and is not tested against the others that do. */
bool star_free(tracker *t, const star *s);

/* Whether triangles (vertex ids) cross or nearly touch nothing, themselves included, as they are now. gone
 * (NULL: none): flags of the mesh's triangles that do not count. */
bool patch_clear(tracker *t, const uint32_t (*triangle)[3], size_t count, const uint8_t *gone);

/* ---- the whole mesh moves to t->end: motion.c ---- */

typedef enum motion_way {
    MOTION_PUSH, /* repulsion and impulses first, then holding back */
    MOTION_HOLD  /* what would touch stays where it is */
} motion_way;
RILL_CHECKED rill_status motion_run(tracker *t, motion_way way, tracker_stats *stats);

/* ---- improvement ---- */

RILL_CHECKED rill_status improve_split(tracker *t, tracker_stats *stats);
RILL_CHECKED rill_status improve_flip(tracker *t, tracker_stats *stats);
RILL_CHECKED rill_status improve_collapse(tracker *t, tracker_stats *stats);
RILL_CHECKED rill_status improve_smooth(tracker *t, tracker_stats *stats);

/* ---- topology ---- */

RILL_CHECKED rill_status topology_merge(tracker *t, tracker_stats *stats);
/* Holes in sheets of liquid thinner than `film`. */
RILL_CHECKED rill_status topology_puncture(tracker *t, tracker_stats *stats);
/* Cuts the neck whose shortest way around is the edges a b, b z, z a; *done tells whether it could. */
RILL_CHECKED rill_status topology_cut(tracker *t, uint32_t a, uint32_t b, uint32_t z, bool *done);
RILL_CHECKED rill_status topology_drop(tracker *t, tracker_stats *stats);

/* ---- parts ---- */

RILL_CHECKED rill_status parts_update(tracker *t);
/* Adds to t->end the offset that leads each part back to its volume, or that share of it. */
void parts_correct(tracker *t, double share);
