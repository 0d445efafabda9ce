/* First half of coarsening: the connected parts of each 2 x 2 x 2 block of a level. */
#pragma once

#include "grid/pressure/multigrid.h"

/* What the second half needs of the first, in scratch memory. */
typedef struct parts {
    float *series[3]; /* mixed tile, cell in the caller's order: s along each axis */
    float (*loose_series)[3];
    uint32_t *extra;   /* per tile: parts beyond the first of their block */
    uint8_t *linked;   /* per tile: some node has a link */
    uint8_t *singular; /* per tile: some node has neither link nor air */
} parts;

/* Fills l->simple; l->parent and l->loose_parent with the number of the node's part in its
 * block (0: the largest; NO_NODE: without links); linked and singular of l. parent is not
 * written for tiles that are simple. */
RILL_CHECKED rill_status parts_build(rill_arena *memory, rill_arena *scratch, level *l, parts *out);

/* Block of a cell in its tile, 0 to 63. */
static inline uint32_t block_of(place p)
{
    return (uint32_t)(((p.z >> 1) * 4 + (p.y >> 1)) * 4 + (p.x >> 1));
}
static inline place place_of_cell(uint32_t tile, uint32_t cell)
{
    return (place){tile, (int)(cell & 7), (int)(cell >> 3 & 7), (int)(cell >> 6)};
}
/* The axis along which two linked nodes differ; *same: they are in one block. */
static inline int link_axis(const level *l, place p, place q, bool *same)
{
    const int32_t *a = l->tile[p.tile], *b = l->tile[q.tile];
    const int32_t pa[3] = {a[0] * 8 + p.x, a[1] * 8 + p.y, a[2] * 8 + p.z};
    const int32_t qa[3] = {b[0] * 8 + q.x, b[1] * 8 + q.y, b[2] * 8 + q.z};
    const int axis = pa[0] != qa[0] ? 0 : pa[1] != qa[1] ? 1 : 2;
    *same = pa[axis] >> 1 == qa[axis] >> 1;
    return axis;
}
