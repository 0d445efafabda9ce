/* Candidates for the lists of points of several sizes (sized_lists.h): the tree is searched once for all
 * points of a leaf; the candidates are then narrowed to a few points of the leaf that have one size.
 * Positions are floats relative to the middle of the leaf. */
#pragma once

#include "geom/search/compress.h"
#include "geom/search/sized_lists.h"

#include <stdatomic.h>

enum { SIZED_CHUNK = 16 }; /* points of a leaf at a time */

/* Some points: positions relative to the middle of a leaf, and indices. */
typedef struct some_points {
    float *x, *y, *z;
    uint32_t *id;
} some_points;

/* What is found for one leaf; a worker keeps its memory for the next. */
typedef struct candidates {
    float *memory;
    some_points found;  /* candidates of a leaf in the order of the tree */
    some_points sorted; /* the same by size */
    some_points picked; /* candidates of the present chunk */
    size_t capacity, count;
    size_t begin[SIZED_MOST + 1], from[SIZED_MOST + 1]; /* of each size, among sorted and picked */
} candidates;

/* Some points of a leaf, all of one size. */
typedef struct chunk {
    uint32_t id[SIZED_CHUNK];
    uint32_t count;
    int size;
    float at[3], half[3]; /* the box around them */
} chunk;

typedef struct sized_search {
    rill_ctx *ctx;
    const sized_points *p;
    float *places; /* kept from call to call, as are the arrays of leaves */
    size_t places_capacity, middle_capacity, near_capacity;
    float *place[3], *reach; /* of the points, from the middle of their leaf; whole eights may be read */
    rill_vec3 *middle;       /* of the leaves */
    atomic_uchar *near;      /* per leaf: near a leaf whose lists are built */
    compress8 compress;
} sized_search;

void search_init(sized_search *s, rill_ctx *ctx);
void search_clear(sized_search *s);
/* For the lists of all leaves, or of `count` of them; x: in sorted order. */
RILL_CHECKED rill_status search_begin(sized_search *s, const sized_points *p, const rill_vec3 *x,
                                      const uint32_t *some, size_t count);

/* Finds the points within the larger reach of a leaf's box, ordered by size; false: out of memory. */
bool search_leaf(const sized_search *s, candidates *c, const sized_node *home, rill_vec3 middle);
/* Picks from these the points near the chunk, whose own points have been chosen. */
void search_chunk(const sized_search *s, candidates *c, chunk *b);
/* Those of [begin, end) of the picked ones within reach of x, appended to list, in order; eight more entries
 * than there are may be written. Returns how many. */
size_t search_scan(const sized_search *s, const candidates *c, size_t begin, size_t end, const float x[3],
                   float reach, uint32_t *list);
