/* Who is near whom among points of several sizes.
 *
 * Points have a size, an index into a few reaches that grow with it; two points are neighbours
 * when their distance is below the larger of their reaches ([Adams] section 3). Points are sorted along a
 * space-filling curve and cut into leaves of a few dozen, whatever their sizes, under a binary tree whose
 * nodes know their box and largest reach: a leaf asks the tree once who might be near any of its
 * points. One grid would have cells as wide as the largest reach, with hundreds of small points in each; a
 * grid per size has cells with a point or two where sizes mix, and most of its questions get no answer.
 *
 * Each list comes in two parts, both padded to a multiple of SIZED_LANES with the id that is nobody's (the
 * number of points): first the neighbours of the same size, the point itself included, then the others. Same
 * contents for any number of threads; where a list lies in memory depends on them. */
#pragma once

#include "base/arena.h"
#include "base/parallel.h"
#include "base/vec.h"

enum { SIZED_MOST = 16, SIZED_LANES = 8, SIZED_LEAF = 64 };

typedef struct sized_node {
    rill_box box;        /* of its points */
    double reach;        /* the largest of them */
    uint32_t begin, end; /* its points, in sorted order */
    uint32_t next;       /* the node to go on with, without what is below this one */
    uint32_t number;     /* of a leaf, among the leaves */
    bool leaf;
} sized_node;

/* Lives in the arena it was built in. */
typedef struct sized_points {
    size_t count;
    double reach[SIZED_MOST];
    int sizes;
    rill_box bounds;
    uint32_t *order; /* the k-th point in sorted order was point order[k] */
    uint8_t *size;   /* in sorted order, and 0 for nobody */
    sized_node *node;
    uint32_t nodes;
    uint32_t *leaf; /* nodes that are leaves, in the order of their points */
    uint32_t leaves;
} sized_points;

/* Sorts. size: per point, below `sizes` <= SIZED_MOST; reach grows with size, all positive.
 * RILL_BLEW_UP when a position is not finite. */
RILL_CHECKED rill_status sized_points_build(rill_ctx *ctx, rill_arena *arena, const rill_vec3 *x,
                                            const uint8_t *size, size_t count, const double *reach, int sizes,
                                            sized_points *out);

/* The boxes anew, for points that have moved; x: in sorted order. */
void sized_points_refit(rill_ctx *ctx, sized_points *p, const rill_vec3 *x);

/* Who is nearer to `at`, of a size, than `share` times the larger reach of both, in order, at most `most`; x:
 * in sorted order, and the tree fits it. Returns how many there are. */
size_t sized_points_near(const sized_points *p, const rill_vec3 *x, rill_vec3 at, int size, double share,
                         uint32_t *out, size_t most);

/* How far apart two boxes are, squared; 0 where they overlap. */
static inline double sized_gap2(const rill_box *a, const rill_box *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double below = v3_axis(a->min, k) - v3_axis(b->max, k),
                     above = v3_axis(b->min, k) - v3_axis(a->max, k), gap = below > above ? below : above;
        if (gap > 0) sum += gap * gap;
    }
    return sum;
}

static inline const sized_node *sized_leaf(const sized_points *p, size_t k)
{
    return &p->node[p->leaf[k]];
}

typedef struct sized_lists {
    rill_ctx *ctx;
    uint32_t *first;        /* per point: where its list begins in the pool, in lanes */
    uint16_t *same, *other; /* per point: lengths of the two parts, in lanes */
    uint32_t *pool;
    uint32_t *sizes;       /* per lane of the others in the pool: the sizes of its eight, four bits each */
    uint32_t *home, *room; /* per leaf: where its points' lists lie in the pool, and have place, in lanes */
    size_t first_capacity, same_capacity, other_capacity, home_capacity, room_capacity, pool_capacity;
    uint64_t used, most; /* entries of the pool; so many may be used until all is built anew */
    double slack;        /* of those used by all, so many more: lists that are made anew leave holes */
} sized_lists;

void sized_lists_init(sized_lists *l, rill_ctx *ctx);
void sized_lists_clear(sized_lists *l);
/* x: in sorted order. */
RILL_CHECKED rill_status sized_lists_build(sized_lists *l, const sized_points *p, const rill_vec3 *x);
/* Whether one point may be in the list of another; known: it was. */
typedef bool sized_filter(const void *arg, uint32_t i, uint32_t other, bool known);
/* Those of some leaves' points anew, by where points are now; the tree has been refitted to x. filter: NULL
 * for none. What does not fit where it was goes to the end of the pool: false in *fits when there is no place
 * left, and all lists are void then. */
RILL_CHECKED rill_status sized_lists_renew(sized_lists *l, const sized_points *p, const rill_vec3 *x,
                                           const uint32_t *leaf, size_t count, sized_filter *filter,
                                           const void *arg, bool *fits);
/* Whether `other` is in the list of i; or may be put there: false when all its places are taken. pool: the
 * lists' own, or a copy of it. */
bool sized_lists_hold(const sized_lists *l, const uint32_t *entries, uint32_t i, uint32_t other);
bool sized_lists_put(sized_lists *l, const sized_points *p, uint32_t *entries, uint32_t i, uint32_t other);

/* One point's list. */
typedef struct sized_list {
    const uint32_t *at, *others, *end;
} sized_list;
/* The sizes of the others, eight at a time. */
static inline const uint32_t *sized_others(const sized_lists *l, size_t i)
{
    return l->sizes + (size_t)l->first[i] + l->same[i];
}
static inline sized_list sized_list_of(const sized_lists *l, size_t i)
{
    const uint32_t *at = l->pool + (size_t)l->first[i] * SIZED_LANES;
    const uint32_t *others = at + (size_t)l->same[i] * SIZED_LANES;
    return (sized_list){at, others, others + (size_t)l->other[i] * SIZED_LANES};
}
