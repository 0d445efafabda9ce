/* The initial liquid in particles of their final sizes: [Adams] sections 4.1 and 4.2 on the sites that
 * sources fill, before there are particles.
 *
 * If all particles were fine first and merged afterwards, the start would need more memory and time than the
 * rest of the run. Feature sizes are therefore computed on a grid of cells of two sites along each axis
 * (cell_sizes.c); bricks of 2^l sites that are completely liquid, and whose particles would have been merged
 * to class l, become one particle of that class (bricks.c). */
#pragma once

#include "flow/sources.h"
#include "sph/resample/resample.h"

typedef struct cell_at {
    uint16_t x, y, z;
} cell_at;

/* Extended local feature size of cells, m: 0 of those that are not liquid, INFINITY where nothing bounds it.
 */
typedef struct cell_sizes {
    rill_vec3 origin; /* low corner of the first */
    double cell;      /* m */
    uint32_t n[3];    /* one more on each side than the sites cover */
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

/* Instead of sources_fill: particles with their size classes. Total mass and momentum are the same. */
RILL_CHECKED rill_status bricks_fill(sph *s);

/* Groups of sites that make one particle, of the sites that bricks do not cover (clusters.c). */
typedef struct place_at {
    uint32_t at[3];
} place_at;
/* Whether these 2^l sites may be one particle; extent: the largest along an axis. */
typedef bool cluster_may(const void *arg, const place_at *p, int l, uint32_t extent);
typedef rill_status cluster_lay(void *arg, const place_at *p, int l);
/* Divides the list into groups of 2^l sites, l <= most, as large as `may` allows; single sites are always
 * allowed. Reorders the list. */
RILL_CHECKED rill_status clusters_lay(place_at *p, size_t count, int most, cluster_may *may, cluster_lay *lay,
                                      void *arg);
