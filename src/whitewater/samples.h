/* The liquid as white water sees it: samples with a velocity, sorted into cells.
 *
 * A sample is a particle of the liquid, or a cell of a method without particles. It reaches as far as twice
 * its spacing; cells are as wide as the longest reach, so that whatever reaches a place lies in the 27 cells
 * (9 in two dimensions) around it. Cells exist in blocks of 8 x 8 x 8 where there are samples. The order of
 * samples is a function of the liquid alone. Lives in the arena it was built in, but for the map. */
#pragma once

#include "base/arena.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "geom/search/block_map.h"

/* What a step is given. Everything is borrowed. */
typedef struct liquid_samples {
    size_t count;
    const rill_vec3 *position, *velocity;
    const uint64_t *id;
    const float *size;  /* spacing of each; NULL: `spacing` */
    const float *level; /* samples with a level at or above 0 are air; NULL: all are liquid */
    double spacing;     /* of the finest */
    int dimensions;
} liquid_samples;

typedef struct sample_cells {
    size_t count; /* liquid samples with a finite place and velocity, in sorted order: */
    rill_vec3 *position, *velocity;
    uint64_t *id;
    float *spacing;
    int dimensions;
    double cell, inverse; /* width, and 1 over it */
    double reach;         /* of the finest samples */
    rill_vec3 origin;
    block_map blocks; /* owned by the heap: sample_cells_clear */
    uint32_t *start;  /* per block and cell: its first sample; and the end */
    size_t most;      /* samples around any cell, at most */
} sample_cells;

enum { SAMPLE_BLOCK = 8, SAMPLE_BLOCK_CELLS = 512, SAMPLE_REACH = 2 /* spacings */ };
#define SAMPLE_NO_CELL UINT32_MAX

RILL_CHECKED rill_status sample_cells_build(rill_ctx *ctx, rill_arena *arena, const liquid_samples *liquid,
                                            rill_vec3 origin, sample_cells *out);
void sample_cells_clear(rill_ctx *ctx, sample_cells *c);

/* The cell of a place; false: too far away to have one. */
static inline bool sample_cell_at(const sample_cells *c, rill_vec3 x, int32_t cell[3])
{
    const rill_vec3 y = v3_scale(v3_sub(x, c->origin), c->inverse);
    if (!(fabs(y.x) < 0x1p28 && fabs(y.y) < 0x1p28 && fabs(y.z) < 0x1p28)) return false;
    cell[0] = (int32_t)floor(y.x);
    cell[1] = (int32_t)floor(y.y);
    cell[2] = c->dimensions == 2 ? 0 : (int32_t)floor(y.z);
    return true;
}

/* The samples around one cell, from its corner and in cells, padded to whole eights with some that reach
 * nothing. One per worker. */
typedef struct near_samples {
    float *x, *y, *z;    /* place */
    float *u, *v, *w;    /* velocity, m/s */
    float *inverse2;     /* 1 / reach^2, in cells */
    float *nx, *ny, *nz; /* normals; only when normals were given */
    uint32_t *sample;    /* sorted index */
    size_t count, padded;
} near_samples;

RILL_CHECKED rill_status near_samples_init(rill_arena *arena, const sample_cells *c, near_samples *out);
/* normal: three floats per sample in sorted order, or NULL. */
void near_samples_gather(const sample_cells *c, const int32_t cell[3], const float (*normal)[3],
                         near_samples *out);

/* A place from the corner of its cell, in cells. */
static inline void near_samples_place(const sample_cells *c, const int32_t cell[3], rill_vec3 x, float at[3])
{
    const rill_vec3 y = v3_scale(v3_sub(x, c->origin), c->inverse);
    at[0] = (float)(y.x - cell[0]);
    at[1] = (float)(y.y - cell[1]);
    at[2] = c->dimensions == 2 ? 0 : (float)(y.z - cell[2]);
}

typedef float f8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t i8 __attribute__((vector_size(32), may_alias));
static inline f8 f8_at(const float *p)
{
    return *(const f8 *)p;
}
static inline float f8_sum(f8 v)
{
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}
