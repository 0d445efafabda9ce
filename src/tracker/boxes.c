#include "tracker/boxes.h"

#include <float.h>
#include <string.h>

void boxes_clear(boxes *b)
{
    if (!b->ctx) return;
    mem_free(b->ctx, b->head);
    mem_free(b->ctx, b->node);
    mem_free(b->ctx, b->range);
    *b = (boxes){0};
}

rill_status boxes_reserve(boxes *b, size_t count)
{
    const size_t before = b->range_room;
    TRY(mem_grow(b->ctx, &b->range, sizeof *b->range, &b->range_room, count));
    for (size_t i = before; i < b->range_room; i++) b->range[i] = (boxes_range){{1, 1, 1}, {-1, -1, -1}};
    return RILL_OK;
}

rill_status boxes_reset(boxes *b, rill_ctx *ctx, rill_vec3 origin, double cell, size_t count)
{
    b->ctx = ctx;
    b->origin = origin;
    b->inverse_cell = cell > 0 && (float)(1 / cell) < FLT_MAX ? (float)(1 / cell) : 1;
    size_t lists = 64;
    while (lists < 2 * count) lists *= 2;
    TRY(mem_grow(ctx, &b->head, sizeof *b->head, &b->head_room, lists));
    TRY(boxes_reserve(b, count));
    memset(b->head, 0xff, lists * sizeof *b->head);
    for (size_t i = 0; i < b->range_room; i++) b->range[i] = (boxes_range){{1, 1, 1}, {-1, -1, -1}};
    b->mask = (uint32_t)(lists - 1);
    b->nodes = 0;
    b->free_node = BOXES_NONE;
    return RILL_OK;
}

static rill_status new_node(boxes *b, uint32_t *out)
{
    if (b->free_node != BOXES_NONE) {
        *out = b->free_node;
        b->free_node = b->node[*out][1];
        return RILL_OK;
    }
    TRY(mem_grow(b->ctx, &b->node, sizeof *b->node, &b->node_room, (size_t)b->nodes + 1));
    *out = b->nodes++;
    return RILL_OK;
}

rill_status boxes_insert(boxes *b, uint32_t t, boxes_range range)
{
    int lo[3], hi[3];
    for (int k = 0; k < 3; k++) lo[k] = boxes_cell(b, range.lo[k]), hi[k] = boxes_cell(b, range.hi[k]);
    b->range[t] = range;
    for (int z = lo[2]; z <= hi[2]; z++)
        for (int y = lo[1]; y <= hi[1]; y++)
            for (int x = lo[0]; x <= hi[0]; x++) {
                uint32_t *head = &b->head[boxes_list(b, x, y, z)], n;
                if (*head != BOXES_NONE && b->node[*head][0] == t) continue; /* two of its cells, one list */
                const rill_status st = new_node(b, &n);
                if (st) {
                    boxes_remove(b, t);
                    return st;
                }
                b->node[n][0] = t;
                b->node[n][1] = *head;
                *head = n;
            }
    return RILL_OK;
}

void boxes_remove(boxes *b, uint32_t t)
{
    const boxes_range range = b->range[t];
    if (range.lo[0] > range.hi[0]) return;
    int lo[3], hi[3];
    for (int k = 0; k < 3; k++) lo[k] = boxes_cell(b, range.lo[k]), hi[k] = boxes_cell(b, range.hi[k]);
    b->range[t] = (boxes_range){{1, 1, 1}, {-1, -1, -1}};
    for (int z = lo[2]; z <= hi[2]; z++)
        for (int y = lo[1]; y <= hi[1]; y++)
            for (int x = lo[0]; x <= hi[0]; x++)
                for (uint32_t *at = &b->head[boxes_list(b, x, y, z)]; *at != BOXES_NONE;) {
                    const uint32_t n = *at;
                    if (b->node[n][0] != t) {
                        at = &b->node[n][1];
                        continue;
                    }
                    *at = b->node[n][1];
                    b->node[n][1] = b->free_node;
                    b->free_node = n;
                    break;
                }
}
