/* Particles by the blocks of a sparse sampling grid.
 *
 * The grid's planes lie at whole multiples of the cell, so that a surface does not
 * swim from frame to frame; block places count from the lowest particle's block.
 * Inside, lengths are in cells and positions are floats from a block's corner: the
 * precision does not depend on where in the world the liquid is.
 *
 * In two dimensions (layers == 1) z plays no part. */
#pragma once

#include "flow/particles.h"
#include "geom/level_grid.h"

typedef struct sampler {
    rill_vec3 origin; /* the corner of block (0, 0, 0) */
    double cell;
    int layers;            /* 8, or 1 in two dimensions */
    float radius;          /* of the kernel, in cells */
    int reach;             /* blocks the kernel can span */
    const particles *from; /* borrowed */
    uint32_t *particle;    /* owned: particles by block */
    float *x, *y, *z;      /* owned: in the same order, from the corner of their block */
    float *root;           /* owned: cube root of what each counts for, 1 at first (spray.h) */
    float most_weight;
    block_map home;  /* owned: blocks that hold particles */
    uint32_t *first; /* owned, per block of home and one more: its run of particles */
    size_t most;     /* a gather returns at most this many */
} sampler;

/* cell and radius in world units. RILL_BLEW_UP when a particle's position is not finite
 * or more than 2^30 cells away from another's. */
RILL_CHECKED rill_status sampler_build(rill_ctx *ctx, const particles *p, double cell, double radius,
                                       int dimensions, sampler *out);
void sampler_clear(rill_ctx *ctx, sampler *s);

/* Every block with a sample that a particle reaches, by z, y, x. */
RILL_CHECKED rill_status sampler_touched(rill_ctx *ctx, const sampler *s, block_map *out);

/* The particles that reach a block's cells, from its corner, in an order of their own
 * that depends on the particles alone. Padded with unreachable ones to whole eights. */
typedef struct sampler_near {
    float *x, *y, *z, *root;
    uint32_t *particle;
    size_t count; /* without the padding */
} sampler_near;

/* Scratch for one worker, from one allocation each. */
RILL_CHECKED rill_status sampler_near_init(rill_ctx *ctx, const sampler *s, sampler_near *near);
void sampler_near_clear(rill_ctx *ctx, sampler_near *near);
void sampler_gather(const sampler *s, const int32_t block[3], sampler_near *near);
