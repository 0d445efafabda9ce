/* Polygons cut into triangles by ear clipping.
 *
 * A polygon of n corners gives n - 2 triangles with the polygon's orientation, whose outer
 * edges are the polygon's: a closed mesh stays closed whatever the polygon's shape. Convex
 * ones are cut as a fan from the first corner, concave ones by ear clipping in the plane of
 * their Newell normal [Meisters 1975]. One that crosses itself, or is flat to a line, gets a
 * fan for what has no ears left. Corners that repeat the one before give nothing.
 *
 * Clipping takes up to n * n steps for an ill-natured polygon; the cutter has a budget for
 * all it is given, so that time stays in proportion to a file. */
#pragma once

#include "base/memory.h"
#include "base/vec.h"

typedef struct polygon_cutter {
    rill_ctx *ctx;
    uint64_t steps_left;
    struct polygon_corner *corner; /* owned scratch */
    size_t capacity;
} polygon_cutter;

void polygon_cutter_init(polygon_cutter *c, rill_ctx *ctx, uint64_t steps);
void polygon_cutter_clear(polygon_cutter *c);

/* Writes at most count - 2 triangles to out, and how many. corner: places in position.
 * RILL_BAD_FILE when the budget is used up. */
RILL_CHECKED rill_status polygon_cut(polygon_cutter *c, const rill_vec3 *position, const uint32_t *corner,
                                     uint32_t count, uint32_t (*out)[3], uint32_t *triangles);
