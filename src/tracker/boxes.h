/* Where the triangles are: their boxes in a hash grid that can be changed one triangle at a time.
 *
 * A triangle is listed in every cell its box meets. A query reports each triangle whose box meets the asked
 * one once: in the cell that holds the lower corner of what both have in common. Boxes are kept in single
 * precision, rounded outward, relative to `origin`. The order of a query's results depends on the history of
 * insertions alone. Queries may be made by several threads at once, changes not. */
#pragma once

#include "base/memory.h"
#include "base/vec.h"

typedef struct boxes_range {
    float lo[3], hi[3]; /* lo > hi: none */
} boxes_range;

typedef struct boxes {
    rill_ctx *ctx;
    rill_vec3 origin;
    float inverse_cell;
    uint32_t mask;  /* lists - 1 */
    uint32_t *head; /* first node of each list */
    size_t head_room;
    uint32_t (*node)[2]; /* triangle, next */
    size_t node_room;
    uint32_t nodes, free_node;
    boxes_range *range; /* [triangle] */
    size_t range_room;
} boxes;

#define BOXES_NONE UINT32_MAX

void boxes_clear(boxes *b);
/* Empties it for about `count` boxes with cells of that size, and room for triangle ids below `count`. */
RILL_CHECKED rill_status boxes_reset(boxes *b, rill_ctx *ctx, rill_vec3 origin, double cell, size_t count);
RILL_CHECKED rill_status boxes_reserve(boxes *b, size_t count); /* for ids below count */
/* t must not be in it. Fails for want of memory alone; then t is not in it. */
RILL_CHECKED rill_status boxes_insert(boxes *b, uint32_t t, boxes_range range);
void boxes_remove(boxes *b, uint32_t t); /* one that is not in it is allowed */

static inline int boxes_cell(const boxes *b, float x)
{
    const float c = floorf(x * b->inverse_cell);
    return c < -1e9f ? -1000000000 : c > 1e9f ? 1000000000 : (int)c;
}
static inline uint32_t boxes_list(const boxes *b, int x, int y, int z)
{
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ (uint32_t)z * 0xcb1ab31fu;
    h ^= h >> 15;
    return h * 0x2c1b3c6du >> 7 & b->mask;
}
static inline bool boxes_meet(const boxes_range *a, const boxes_range *b)
{
    return a->lo[0] <= b->hi[0] && b->lo[0] <= a->hi[0] && a->lo[1] <= b->hi[1] && b->lo[1] <= a->hi[1] &&
           a->lo[2] <= b->hi[2] && b->lo[2] <= a->hi[2];
}

/* Rounded outward: the relative step is two units in the last place, which covers the conversion and the
 * difference to the origin; the absolute one what is smaller than any coordinate of use. */
static inline boxes_range boxes_range_of(const boxes *b, rill_vec3 min, rill_vec3 max)
{
    const double o[3] = {b->origin.x, b->origin.y, b->origin.z};
    const double lo[3] = {min.x, min.y, min.z}, hi[3] = {max.x, max.y, max.z};
    boxes_range r;
    for (int k = 0; k < 3; k++) {
        const float l = (float)(lo[k] - o[k]), h = (float)(hi[k] - o[k]);
        r.lo[k] = l - (fabsf(l) * 0x1p-21f + 1e-37f);
        r.hi[k] = h + (fabsf(h) * 0x1p-21f + 1e-37f);
    }
    return r;
}

typedef void boxes_visit(void *arg, uint32_t triangle);

static inline void boxes_query(const boxes *b, const boxes_range *q, boxes_visit *visit, void *arg)
{
    int lo[3], hi[3];
    for (int k = 0; k < 3; k++) lo[k] = boxes_cell(b, q->lo[k]), hi[k] = boxes_cell(b, q->hi[k]);
    for (int z = lo[2]; z <= hi[2]; z++)
        for (int y = lo[1]; y <= hi[1]; y++)
            for (int x = lo[0]; x <= hi[0]; x++)
                for (uint32_t n = b->head[boxes_list(b, x, y, z)]; n != BOXES_NONE; n = b->node[n][1]) {
                    const boxes_range *r = &b->range[b->node[n][0]];
                    if (!boxes_meet(r, q)) continue;
                    if (boxes_cell(b, r->lo[0] > q->lo[0] ? r->lo[0] : q->lo[0]) != x ||
                        boxes_cell(b, r->lo[1] > q->lo[1] ? r->lo[1] : q->lo[1]) != y ||
                        boxes_cell(b, r->lo[2] > q->lo[2] ? r->lo[2] : q->lo[2]) != z)
                        continue;
                    visit(arg, b->node[n][0]);
                }
}
