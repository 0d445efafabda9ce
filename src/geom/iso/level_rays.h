/* Rays against a level set on a sparse grid, without a mesh of it.
 *
 * [Braley] section 5.5: direct rendering of the iso-surface by ray casting, the quicker of the two
 * ways to see a sampled field. Between samples the field is trilinear; a ray walks through blocks
 * and, where the surface passes, through their cells. Along a ray through a cell the field is a
 * cubic, whose first root is found between its extrema (Marmitt et al. 2004): nothing is missed that
 * the interpolated field has, however thin.
 *
 * Normals come from differences of the field over a cell to each side, so that they are continuous
 * where the interpolation has a kink. Lengths are the grid's; t is along a direction of unit length.
 *
 * A planar field is a prism of the given thickness about z = origin.z. */
#pragma once

#include "geom/iso/level_grid.h"

enum { LEVEL_BRICK_SIDE = LEVEL_BLOCK + 1, LEVEL_BRICK = 9 * 9 * 9 };

typedef struct level_brick {
    uint64_t mixed[LEVEL_BLOCK]; /* per layer, bit 8 j + i: the surface passes through the cell */
    float corner[LEVEL_BRICK];   /* of the cells, x first */
} level_brick;

typedef struct level_rays {
    const level_grid *grid; /* borrowed */
    block_map map;          /* owned; blocks the surface may pass through */
    uint32_t *slot;         /* owned, per block: its brick, LEVEL_OUTSIDE or LEVEL_INSIDE */
    level_brick *brick;     /* owned */
    double low[3], high[3]; /* of all blocks, in cells */
    double thickness;       /* of a planar field, in cells; 0: not planar */
} level_rays;

typedef struct level_hit {
    double t;
    rill_vec3 normal; /* unit, to where the field falls */
} level_hit;

/* thickness: of a planar field, as its lengths. */
RILL_CHECKED rill_status level_rays_build(rill_ctx *ctx, const level_grid *grid, double thickness,
                                          level_rays *out);
void level_rays_clear(rill_ctx *ctx, level_rays *r);

/* The first place with from < t < to where the level is crossed, in either direction. */
bool level_rays_intersect(const level_rays *r, rill_vec3 origin, rill_vec3 direction, double from, double to,
                          level_hit *hit);
bool level_rays_occluded(const level_rays *r, rill_vec3 origin, rill_vec3 direction, double from, double to);
