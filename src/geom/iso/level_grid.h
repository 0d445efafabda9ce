/* A level set on a sparse grid: samples in blocks of 8 x 8 x 8, or of 8 x 8 in two
 * dimensions.
 *
 * Sample (i, j, k) of block (a, b, c) lies at origin + cell * (8a + i, 8b + j, 8c + k).
 * A sample at or above the level is inside. A block of one sign far from the surface
 * needs no samples, only its side; whatever lies in no block is outside. */
#pragma once

#include "base/vec.h"
#include "geom/search/block_map.h"

enum { LEVEL_BLOCK = 8, LEVEL_AREA = 64, LEVEL_SAMPLES = 512 };

#define LEVEL_OUTSIDE UINT32_MAX       /* a slot: no samples, all of it outside */
#define LEVEL_INSIDE  (UINT32_MAX - 1) /* a slot: no samples, all of it inside */

typedef struct level_grid {
    rill_vec3 origin;
    double cell;
    int layers; /* of samples in a block: 8, or 1 for a planar field */
    float level;
    float outside, inside; /* what stands for samples that are not stored, on either side of the level */
    block_map map;         /* owned */
    uint32_t *slot;        /* owned, per block: its samples are value[LEVEL_AREA * layers * slot ...] */
    float *value;          /* owned */
} level_grid;

void level_grid_clear(rill_ctx *ctx, level_grid *grid);

/* What a mesher reads: the signs of every block that can own a piece of the surface,
 * that is, the grid's blocks and, after them, those missing below a block with
 * something inside: a cell belongs to the block of its lowest corner. */
typedef struct level_signs {
    block_map map;       /* owned; the grid's blocks first, with their ids */
    uint64_t (*sign)[8]; /* owned; per block and layer, bit 8 j + i: inside */
} level_signs;

RILL_CHECKED rill_status level_signs_build(rill_ctx *ctx, const level_grid *grid, level_signs *out);
void level_signs_clear(rill_ctx *ctx, level_signs *s);

/* Ids of the block and its upper neighbours: near[dx + 2 dy + 4 dz]. */
void level_near(const level_signs *s, uint32_t id, int layers, uint32_t near[8]);

/* The value of sample `at` = i + 8 j + 64 k of a block of the signs' map (or BLOCK_NONE). */
static inline float level_value(const level_grid *g, uint32_t id, int at)
{
    const uint32_t slot = id < g->map.count ? g->slot[id] : LEVEL_OUTSIDE;
    if (slot == LEVEL_OUTSIDE) return g->outside;
    if (slot == LEVEL_INSIDE) return g->inside;
    return g->value[(size_t)slot * LEVEL_AREA * (size_t)g->layers + (size_t)at];
}

/* Where the level lies between an inside and an outside sample, 0 at a and 1 at b; kept
 * off the ends, so that vertices on different edges are different points. */
static inline double level_crossing(const level_grid *g, float a, float b)
{
    const double t = ((double)g->level - a) / ((double)b - a);
    return t > 0.01 ? t < 0.99 ? t : 0.99 : 0.01;
}

/* A run of vertices that belong to one block, in the order of the mesh. */
typedef struct level_patch {
    int32_t block[3];
    uint32_t first, count; /* vertices */
    uint32_t flat;         /* planar: number of leading vertices that lie inside the caps */
} level_patch;
