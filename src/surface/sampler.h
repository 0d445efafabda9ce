/* Particles by the blocks of a sparse sampling grid.
 *
 * The grid's planes lie at whole multiples of the cell, so that a surface does not
 * swim from frame to frame; block places count from the lowest particle's block.
 * Inside, lengths are in cells and positions are floats from a block's corner: the
 * precision does not depend on where in the world the liquid is.
 *
 * Particles may reach differently far. They are grouped by reach: those of group c are
 * found through home blocks of 8 * 2^c cells, which they reach out of by no more than one
 * home block. However the sizes are mixed, 27 home blocks a group are looked at.
 *
 * In two dimensions (layers == 1) z plays no part. */
#pragma once

#include "flow/particles.h"
#include "geom/iso/level_grid.h"
#include "geom/search/compress.h"

#include <math.h>

enum { SAMPLER_GROUPS = 16, SAMPLER_VALUES = 8 };

typedef struct sampler_group {
    block_map home;        /* owned: its blocks that hold particles */
    uint32_t *first;       /* owned, per block of home and one more: its run of particles */
    size_t count, largest; /* particles, and those of its fullest block */
} sampler_group;

typedef struct sampler {
    rill_vec3 origin; /* the corner of block (0, 0, 0) */
    double cell;
    int layers;                   /* 8, or 1 in two dimensions */
    float radius;                 /* the farthest reach of a particle, in cells */
    const particles *from;        /* borrowed */
    uint32_t *particle;           /* owned: particles by group and home block */
    float *x, *y, *z;             /* owned: in the same order, from the corner of their home block */
    float *reach;                 /* owned: likewise, in cells */
    float *value[SAMPLER_VALUES]; /* owned: likewise, what a definition keeps with them */
    int values;
    sampler_group group[SAMPLER_GROUPS];
    int groups;  /* those above are empty */
    size_t most; /* a gather returns at most this many */
    compress8 front;
} sampler;

typedef struct sampler_def {
    const particles *from;     /* borrowed by the sampler */
    const rill_vec3 *position; /* where they count as being; NULL: where they are */
    const float *reach;        /* of each, in world units; NULL: radius for all */
    double cell, radius;       /* world units */
    int dimensions;
} sampler_def;

/* RILL_BLEW_UP when a particle's position is not finite or more than 2^30 cells away from
 * another's, or its reach is not above 0 or more than 2^15 blocks. */
RILL_CHECKED rill_status sampler_build(rill_ctx *ctx, const sampler_def *def, sampler *out);
void sampler_clear(rill_ctx *ctx, sampler *s);

/* One more value per particle, in the sampler's order; not set yet. */
RILL_CHECKED rill_status sampler_add_value(rill_ctx *ctx, sampler *s);

/* Every block with a sample that a particle reaches, by z, y, x. */
RILL_CHECKED rill_status sampler_touched(rill_ctx *ctx, const sampler *s, block_map *out);

/* The particles that reach a block's cells, from its corner, in an order of their own
 * that depends on the particles alone. Padded with unreachable ones to whole eights. */
typedef struct sampler_near {
    float *x, *y, *z, *reach;
    float *value[SAMPLER_VALUES];
    uint32_t *place; /* in the sampler's order */
    size_t count;    /* without the padding */
} sampler_near;

/* The rows of a block that a particle reaches, first and last. */
typedef struct sampler_rows {
    int j0, j1, k0, k1;
} sampler_rows;

static inline sampler_rows sampler_rows_within(int layers, float y, float z, float reach)
{
    sampler_rows rows = {.j0 = y > reach ? (int)ceilf(y - reach) : 0,
                         .j1 = y + reach < 7 ? (int)floorf(y + reach) : 7};
    if (layers > 1) {
        rows.k0 = z > reach ? (int)ceilf(z - reach) : 0;
        rows.k1 = z + reach < 7 ? (int)floorf(z + reach) : 7;
    }
    return rows;
}

/* Scratch for one worker, from one allocation each. */
RILL_CHECKED rill_status sampler_near_init(rill_ctx *ctx, const sampler *s, sampler_near *near);
void sampler_near_clear(rill_ctx *ctx, sampler_near *near);
void sampler_gather(const sampler *s, const int32_t block[3], sampler_near *near);

/* A loop over all particles, home block by home block. `near` holds those that reach any of
 * the home block's cells and is filled when a body asks for it: calls sampler_work_gather.
 * Results go to the particles of the work alone. */
typedef struct sampler_work {
    const sampler *s;
    int group;
    uint32_t home;
    uint32_t begin, end; /* its particles, in the sampler's order */
    int worker;
    size_t index;       /* of the home block among those of all groups */
    sampler_near *near; /* from the corner of the home block, as x, y and z are */
} sampler_work;
typedef void sampler_body(void *arg, sampler_work *work);
RILL_CHECKED rill_status sampler_each(rill_ctx *ctx, const sampler *s, sampler_body *body, void *arg);
void sampler_work_gather(sampler_work *work);
/* Whether any home block a gather would look at is marked, by index. */
bool sampler_work_any(const sampler_work *work, const uint8_t *mark);
size_t sampler_homes(const sampler *s); /* home blocks of all groups */
/* The same for all points within `margin` cells of the home block, at most its width. */
void sampler_work_gather_wide(sampler_work *work, float margin);
