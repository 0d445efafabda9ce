/* The liquid at the start in particles of the sizes they will have: [Adams] sections 4.1 and 4.2 on the
 * places that sources fill, before there are any particles.
 *
 * Were all particles fine first and merged afterwards, the start would need more memory and time than all
 * that follows. So feature sizes are found on a grid of cells of two places along each axis (cell_sizes.c);
 * bricks of 2^l places that are liquid as a whole, and where particles of level l would have been merged,
 * begin as one of these (bricks.c). */
#pragma once

#include "flow/sources.h"
#include "sph/levels.h"

typedef struct cell_at {
    uint16_t x, y, z;
} cell_at;

/* Extended local feature size of cells, m: 0 of those that are not liquid, INFINITY where nothing bounds it.
 */
typedef struct cell_sizes {
    rill_vec3 origin; /* low corner of the first */
    double cell;      /* m */
    uint32_t n[3];    /* one more on each side than the places take */
    float *size;      /* owned; i + n[0] (j + n[1] k) */
    cell_at *foot;    /* owned; the nearest cell outside */
} cell_sizes;

RILL_CHECKED rill_status cell_sizes_build(rill_ctx *ctx, const source_sites *sites, int dimensions,
                                          cell_sizes *out);
void cell_sizes_clear(rill_ctx *ctx, cell_sizes *c);
double cell_sizes_at(const cell_sizes *c, rill_vec3 x);
double cell_sizes_depth(const cell_sizes *c, rill_vec3 x); /* below the surface, m; 0: not known */
/* Whether it can be built: coordinates have 16 bits. */
static inline bool cell_sizes_possible(const source_sites *sites)
{
    const uint32_t most = 2 * (UINT16_MAX - 2);
    return sites->size[0] < most && sites->size[1] < most && sites->size[2] < most;
}

/* Instead of sources_fill: particles with their levels. Total mass and momentum are the same. */
RILL_CHECKED rill_status bricks_fill(sph *s);

/* Groups of places that make one particle, of the places that bricks leave over (clusters.c). */
typedef struct place_at {
    uint32_t at[3];
} place_at;
/* Whether 2^l places, these, may be one particle; extent: the most along an axis. */
typedef bool cluster_may(const void *arg, const place_at *p, int l, uint32_t extent);
typedef rill_status cluster_lay(void *arg, const place_at *p, int l);
/* Cuts the list into groups of 2^l places, l <= most, as large as they may be; single ones always may. The
 * order of the list is lost. */
RILL_CHECKED rill_status clusters_lay(place_at *p, size_t count, int most, cluster_may *may, cluster_lay *lay,
                                      void *arg);
