/* A scalar field around particles whose level set is the surface, and what turns it into
 * samples and dresses the mesh cut from them.
 *
 * A definition of the surface (metaballs.h, averages.h, anisotropic.h) fills in a field: how the
 * samples of a block come from the particles near it, and which way the field falls at a
 * point. Everything else is the same for all of them. */
#pragma once

#include "geom/iso/isosurface.h"
#include "surface/borders.h"
#include "surface/sampler.h"

#include <immintrin.h>

typedef float f8 __attribute__((vector_size(32), may_alias)); /* rows are read as floats too */
typedef int32_t i8 __attribute__((vector_size(32)));

static inline f8 f8_positive(f8 t)
{
    return (f8)((i8)t & (t > 0));
}
static inline f8 f8_max(f8 a, f8 b)
{
    return (f8)_mm256_max_ps((__m256)a, (__m256)b);
}
static inline f8 f8_root(f8 a)
{
    return (f8)_mm256_sqrt_ps((__m256)a);
}
static inline f8 f8_pick(i8 which, f8 a, f8 b) /* a where `which` is set, otherwise b */
{
    return (f8)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)which);
}
static inline unsigned f8_mask(i8 which)
{
    return (unsigned)_mm256_movemask_ps((__m256)which);
}
static inline float f8_sum(f8 v)
{
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

typedef enum field_side { SIDE_OUTSIDE, SIDE_INSIDE, SIDE_BOTH } field_side;

typedef struct field {
    const sampler *s;      /* borrowed */
    float level;           /* samples at or above it are inside */
    float outside, inside; /* what stands for samples that are not kept */
    float most;            /* what a definition needs besides: see there */
    float steep;           /* about how much the field changes over a cell at the level */
    const borders *ends;   /* borrowed: what is beyond them is outside; NULL: everywhere */

    /* Samples of a block: row[8 k + j] holds i = 0 .. 7 of layer k; lengths in cells from its corner. */
    void (*rows)(const struct field *f, const sampler_near *near, f8 *row);
    /* The side of a block that is known without samples, otherwise SIDE_BOTH; NULL: none is. */
    field_side (*side)(const struct field *f, const sampler_near *near);
    /* Every second sample along each axis, in as many rows as it returns: those of a block deep inside are
     * all above `deep`. NULL: this is known of no block. */
    int (*some_rows)(const struct field *f, const sampler_near *near, f8 *row);
    float deep;
    size_t crowd; /* blocks with fewer particles near are not asked */
    /* Minus the gradient, not to scale, at a point in cells from the corner; zero where there is none. NULL:
     * taken from the samples. */
    rill_vec3 (*slope)(const struct field *f, const sampler_near *near, rill_vec3 at);
} field;

/* Samples the field wherever the level's surface may pass, also where the borders cut the liquid; the samples
 * themselves know nothing of borders. */
RILL_CHECKED rill_status field_sample(rill_ctx *ctx, const field *f, level_grid *out);

/* Normals (unit, down the field's slope), the column "velocity", and those of the particles' columns that
 * `names` (NULL: none; separated by spaces or commas) tells, each the particles' mean weighted by
 * (1 - s^2)^3, of a mesh made from those samples. RILL_USAGE when the particles have no such column.
 * samples: of the field itself, without borders, for fields that have no slope.
 * weight (NULL: none): a value per particle that becomes one more column, the last, without a name. */
RILL_CHECKED rill_status field_dress(rill_ctx *ctx, const field *f, const level_grid *samples,
                                     const level_patches *patches, const char *names, const float *weight,
                                     trimesh *mesh);
