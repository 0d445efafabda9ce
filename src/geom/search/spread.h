/* What is known at some points, handed on from neighbour to neighbour: fast marching over lists of
 * neighbours.
 *
 * A source is a point that knows something (a piece of a surface); what it is worth at another point is a
 * function of both, and less is better. Each point ends with the best of the sources that its neighbours
 * have. Instead of one queue there are rounds, and a queue for each block of points, which lie together in
 * space: what a point gets it hands on within its block at once, and to others in the next round. Parallel,
 * and the same bits for any number of threads, since blocks are cut by the data. */
#pragma once

#include "geom/search/sized_lists.h"

#define SPREAD_NONE UINT32_MAX
enum { SPREAD_LANES = 8 };

/* The worth of a source at a point, of eight pairs. */
typedef void spread_worth(const void *arg, const uint32_t *point, const uint32_t *source, float *worth);

typedef struct spread_def {
    const sized_lists *near; /* of all points */
    size_t count;
    spread_worth *worth;
    const void *arg;
    float most;           /* what is worth more is not handed on */
    const float *enough;  /* per point: the least gain that counts */
    const uint8_t *fixed; /* per point: keeps its source; NULL: none is fixed */
} spread_def;

/* best, source: in what is known (SPREAD_NONE elsewhere, worth INFINITY), out what was found. Scratch is the
 * arena's. */
RILL_CHECKED rill_status spread(rill_ctx *ctx, rill_arena *arena, const spread_def *def, float *best,
                                uint32_t *source);
