/* Neighbour lists of points of several sizes.
 *
 * Points have a size, an index into a few reaches that grow with it; two points are neighbours
 * when their distance is below the larger of their reaches ([Adams] section 3). Points are sorted along a
 * space-filling curve and cut into leaves of a few dozen, whatever their sizes, under a binary tree whose
 * nodes store their bounding box and largest reach: one query of the tree finds the candidates for all points
 * of a leaf. A single grid would have cells as wide as the largest reach, with hundreds of small points in
 * each; a grid per size would have cells with a point or two where sizes mix, most of them visited in vain.
 *
 * Each list has two parts, both in groups of eight: first full groups of neighbours of the same size, the
 * point itself among them; then the remaining ones of that size and those of other sizes, filled up with
 * padding lanes. The entries of a group are 16-bit offsets from its first point: points that are near in
 * space are mostly near along the curve, and where they are not, a new group begins. The contents do not
 * depend on the number of threads; the position of a list in memory does. */
#pragma once

#include "base/arena.h"
#include "base/parallel.h"
#include "base/vec.h"

#include <immintrin.h>

enum { SIZED_MOST = 15, SIZED_LANES = 8, SIZED_LEAF = 64 };
enum { SIZED_NOBODY = SIZED_MOST }; /* the size stored for padding lanes */

typedef struct sized_node {
    rill_box box;        /* of its points */
    double reach;        /* the largest of them */
    uint32_t begin, end; /* its points, in sorted order */
    uint32_t next;       /* the node that follows when this subtree is skipped */
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
    uint8_t *size;   /* in sorted order, and 0 for the padding particle */
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

/* Recomputes the boxes after the points have moved; x: in sorted order. */
void sized_points_refit(rill_ctx *ctx, sized_points *p, const rill_vec3 *x);

/* The points nearer to a point of size `size` at `at` than `share` times the larger reach of both, in order,
 * at most `most`; x: in sorted order, with a tree that fits it. Returns how many there are. */
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

/* Eight entries of a list: points base + off[k]. Padding lanes hold the index of an existing point, so that
 * its data can be loaded; they have no weight. */
typedef struct sized_eight {
    uint32_t base;
    uint32_t sizes; /* four bits each */
    uint16_t off[SIZED_LANES];
} sized_eight;

typedef struct sized_lists {
    rill_ctx *ctx;
    uint32_t *first;      /* per point: where its list begins in the pool */
    uint16_t *same, *all; /* per point: length of its first part, and of both, in groups of eight */
    sized_eight *pool;
    uint32_t *home, *reserved; /* per leaf: first group of its lists in the pool, and groups reserved */
    size_t first_capacity, same_capacity, all_capacity, home_capacity, reserved_capacity, pool_capacity;
    uint64_t used, most;      /* groups of the pool in use; beyond `most` all lists are rebuilt */
    double slack;             /* extra fraction of the pool: rebuilt lists that moved leave holes */
    struct list_maker *maker; /* workers' memory, kept: some lists are rebuilt in nearly every step */
} sized_lists;

void sized_lists_init(sized_lists *l, rill_ctx *ctx);
void sized_lists_clear(sized_lists *l);
/* x: in sorted order. */
RILL_CHECKED rill_status sized_lists_build(sized_lists *l, const sized_points *p, const rill_vec3 *x);
/* Whether one point may be in the list of another; known: it was. */
typedef bool sized_filter(const void *arg, uint32_t i, uint32_t other, bool known);
/* Rebuilds the lists of some leaves at the points' present positions; the tree has been refitted to x.
 * filter: NULL for none. A list that outgrew its place moves to the end of the pool; *fits is false when the
 * pool is full, and all lists are invalid then. */
RILL_CHECKED rill_status sized_lists_renew(sized_lists *l, const sized_points *p, const rill_vec3 *x,
                                           const uint32_t *leaf, size_t count, sized_filter *filter,
                                           const void *arg, bool *fits);
/* sized_lists_hold: whether `other` is in the list of i. sized_lists_put adds it; false when the list is
 * full. entries: the pool, or a copy of it. */
bool sized_lists_hold(const sized_lists *l, const sized_eight *entries, uint32_t i, uint32_t other);
bool sized_lists_put(const sized_lists *l, const sized_points *p, sized_eight *entries, uint32_t i,
                     uint32_t other);
/* Removes the entries that `filter` rejects from the list of i. */
void sized_lists_part(sized_lists *l, uint32_t i, sized_filter *filter, const void *arg);

/* One point's list. */
typedef struct sized_list {
    const sized_eight *at, *mixed, *end;
} sized_list;
static inline sized_list sized_list_of(const sized_lists *l, size_t i)
{
    const sized_eight *at = l->pool + l->first[i];
    return (sized_list){at, at + l->same[i], at + l->all[i]};
}

/* The indices of eight entries, and which lanes hold a point. */
typedef union sized_who {
    __m256i all;
    uint32_t id[SIZED_LANES];
} sized_who;
static inline sized_who sized_who_of(const sized_eight *e)
{
    const __m128i off = _mm_loadu_si128((const __m128i *)(const void *)e->off);
    const __m256i base = _mm256_set1_epi32((int)e->base);
    return (sized_who){.all = _mm256_add_epi32(base, _mm256_cvtepu16_epi32(off))};
}
static inline unsigned sized_present(const sized_eight *e)
{
    const uint32_t two = e->sizes & e->sizes >> 1; /* all four bits: SIZED_NOBODY */
    return ~_pext_u32(two & two >> 2, 0x11111111) & 0xff;
}

/* One entry after the other, without padding lanes:
 *     for (sized_walk w = sized_walk_over(l.at, l.end); sized_walk_on(&w);) ... w.id */
typedef struct sized_walk {
    const sized_eight *at, *end;
    unsigned lane, left; /* the current lane, and a bit for each remaining one */
    uint32_t id;
} sized_walk;
static inline sized_walk sized_walk_over(const sized_eight *at, const sized_eight *end)
{
    return (sized_walk){.at = at, .end = end, .left = at < end ? sized_present(at) : 0};
}
static inline bool sized_walk_on(sized_walk *w)
{
    while (!w->left) {
        if (w->end - w->at < 2) return false;
        w->left = sized_present(++w->at);
    }
    w->lane = (unsigned)__builtin_ctz(w->left);
    w->left &= w->left - 1;
    w->id = w->at->base + w->at->off[w->lane];
    return true;
}
