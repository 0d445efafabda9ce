/* Edges to be worked on, in an order that does not depend on how they were found. */
#pragma once

#include "tracker/state.h"

typedef struct edge_list {
    uint32_t (*edge)[2]; /* vertices */
    size_t count;
    /* the rest is the list's own */
    uint64_t *key, *spare_key;
    uint32_t *value, *spare_value;
    uint32_t (*found)[2];
    size_t room;
} edge_list;

/* The edges shorter than `below` or longer than `above` (INFINITY, 0: none), the shortest or longest first.
 */
RILL_CHECKED rill_status edges_by_length(const tracker *t, double below, double above, edge_list *out);
void edges_clear(rill_ctx *ctx, edge_list *list);
