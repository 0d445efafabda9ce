/* Which features of the moving mesh touch, or are near each other at the start.
 *
 * Pairs that are tested: a vertex and a triangle it is no corner of, two edges without a common vertex. When
 * none of them touches over the motion, a mesh that starts free of intersections ends so. Pairs none of whose
 * vertices is in `dirty` are left out: they were tested before, or do not move. */
#pragma once

#include "tracker/state.h"

typedef struct contact {
    uint32_t v[4]; /* as in gap_query */
    bool edges;
    bool touches; /* over the motion; otherwise only near at the start */
    double safe;  /* the time before which they do not */
} contact;

typedef struct contacts {
    contact *item;
    size_t count, room;
} contacts;

void contacts_clear(rill_ctx *ctx, contacts *list);
/* Replaces the list. The grid must hold the swept boxes, `near` wider at the least. Order and content do not
 * depend on the number of threads; a pair may be listed twice. */
RILL_CHECKED rill_status contacts_find(tracker *t, const uint8_t *dirty, double near, contacts *list);
