/* A field on a sparse grid: samples in blocks of 8 x 8 x 8 where there is anything.
 *
 * Sample (i, j, k) of block (a, b, c) lies at origin + cell * (8a + i, 8b + j, 8c + k), x fastest; in two
 * dimensions only the layer k = 0 of blocks with c = 0 is used. A field has one number a sample, or three.
 * Outside of the blocks it is `background`. Blocks are in the order of z, y, x: a function of the field
 * alone. */
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "flow/particles.h"
#include "geom/mesh/trimesh.h"
#include "geom/search/block_map.h"

enum { VOLUME_BLOCK = 8, VOLUME_SAMPLES = 512 };

typedef struct volume {
    char name[PARTICLE_NAME]; /* "density" */
    rill_vec3 origin;
    double cell;
    int dimensions;
    int width;        /* numbers a sample: 1 or 3 */
    bool signed_band; /* a level set: inside and outside of the blocks it is -background and background */
    float background;
    block_map map; /* owned */
    float *value;  /* owned: VOLUME_SAMPLES * width a block */
} volume;

void volume_clear(rill_ctx *ctx, volume *v);

static inline rill_vec3 volume_place(const volume *v, uint32_t block, int at)
{
    const int32_t *b = v->map.block[block];
    return v3_madd(v->origin, v->cell,
                   v3(8.0 * b[0] + at % 8, 8.0 * b[1] + at / 8 % 8, 8.0 * b[2] + at / 64));
}

/* Sums over all samples of each number, times the volume of a cell (in two dimensions the area). */
void volume_integral(rill_ctx *ctx, const volume *v, double out[3]);
/* Values at a place, between its samples linearly in each direction. */
void volume_at(const volume *v, rill_vec3 x, float *out);

/* ---- splat.c ---- */

/* Dots to their density, 1/m^3 (in two dimensions 1/m^2), and to their mean velocity where that is not zero:
 * each is shared out to the corners of its cell, linearly in each direction, so that none is lost and nothing
 * jumps when it moves. velocity may be NULL. Dots that are not finite, or 2^28 cells away, do not count. */
RILL_CHECKED rill_status volume_of_dots(rill_ctx *ctx, const particles *dots, rill_vec3 origin, double cell,
                                        int dimensions, volume *density, volume *velocity);

/* ---- scatter.c ---- */

/* A column of sites on the samples of `where` with a value other than 0, plus `offset`. NULL column: the
 * velocity. Of scattered sites (cube 0) the mean of the eight nearest, weighted by one over the squared
 * distance; of cubes with this side and a corner at the grid's origin linearly between their middles. */
RILL_CHECKED rill_status volume_of_sites(rill_ctx *ctx, const particles *sites, double cube,
                                         const float *column, double offset, const volume *where,
                                         volume *out);
/* The same on the blocks within a cell of a site whose value is above `least`. */
RILL_CHECKED rill_status volume_around_sites(rill_ctx *ctx, const particles *sites, double cube,
                                             const float *column, double least, rill_vec3 origin, double cell,
                                             volume *out);

/* ---- band.c ---- */

/* The signed distance of a closed surface, negative inside, on the blocks within `band` cells of it, cut off
 * at that. Empty without triangles. RILL_BAD_FILE when it is open. */
RILL_CHECKED rill_status volume_of_surface(rill_ctx *ctx, const trimesh *surface, rill_vec3 origin,
                                           double cell, int band, volume *out);
