/* Who is near whom among points of several sizes.
 *
 * Points have a size, an index into a few reaches that grow with it; two points are neighbours
 * when their distance is below the larger of their reaches ([Adams] section 3). Each size has
 * cells of its own, as wide as its reach, so that the cost follows the neighbours whatever the
 * ratio of sizes: a single grid would have its cells as wide as the largest reach, and hundreds
 * of small points in each.
 *
 * Points are sorted by size, and within a size by cell along a space-filling curve. Each list
 * comes in two parts, both padded to a multiple of SIZED_LANES with the id that is nobody's
 * (the number of points): first the neighbours of the same size, the point itself included, then the others,
 * the size nearest to none in particular. Same contents for any number of threads; where a list lies in
 * memory depends on them. */
#pragma once

#include "base/arena.h"
#include "base/parallel.h"
#include "base/vec.h"

enum { SIZED_MOST = 16, SIZED_LANES = 8 };

typedef struct sized_cell {
    uint64_t key;
    uint32_t begin, end; /* its points, in sorted order */
    int32_t at[3];
    int32_t size;
} sized_cell;

/* Lives in the arena it was built in. */
typedef struct sized_points {
    size_t count;
    int sizes, dimensions;
    double reach[SIZED_MOST];
    rill_vec3 origin;
    int32_t last[SIZED_MOST][3];    /* largest cell coordinates of each size */
    uint32_t begin[SIZED_MOST + 1]; /* the points of each size, in sorted order */
    uint32_t *order;                /* the k-th point in sorted order was point order[k] */
    sized_cell *cell;
    uint32_t cells;
    int key_bits;                /* of a coordinate */
    uint32_t *slot, slot_mask;   /* hash of keys: index + 1 */
    uint32_t *table[SIZED_MOST]; /* per size: index + 1 of each cell of the box, x fastest; NULL: too many */
    uint16_t *present;           /* which sizes are in each cube of the largest reach; NULL: not known */
    int32_t cubes[3];
} sized_points;

/* Sorts. size: per point, below `sizes` <= SIZED_MOST; reach grows with size, all positive.
 * RILL_BLEW_UP when a position is not finite or points are more than 2^19 cells apart. */
RILL_CHECKED rill_status sized_points_build(rill_ctx *ctx, rill_arena *arena, const rill_vec3 *x,
                                            const uint8_t *size, size_t count, const double *reach, int sizes,
                                            int dimensions, sized_points *out);

typedef struct sized_lists {
    rill_ctx *ctx;
    uint32_t *first;        /* per point: where its list begins in the pool, in lanes */
    uint16_t *same, *other; /* per point: lengths of the two parts, in lanes */
    uint32_t *pool;
    size_t first_capacity, same_capacity, other_capacity, pool_capacity;
    uint64_t used; /* entries of the pool */
} sized_lists;

void sized_lists_init(sized_lists *l, rill_ctx *ctx);
void sized_lists_clear(sized_lists *l);
/* x: in sorted order. */
RILL_CHECKED rill_status sized_lists_build(sized_lists *l, const sized_points *p, const rill_vec3 *x);

/* One point's list. */
typedef struct sized_list {
    const uint32_t *at, *others, *end;
} sized_list;
static inline sized_list sized_list_of(const sized_lists *l, size_t i)
{
    const uint32_t *at = l->pool + (size_t)l->first[i] * SIZED_LANES;
    const uint32_t *others = at + (size_t)l->same[i] * SIZED_LANES;
    return (sized_list){at, others, others + (size_t)l->other[i] * SIZED_LANES};
}
