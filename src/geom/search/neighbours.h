/* Neighbour lists: for every point the points within its reach.
 *
 * Two points are neighbours when their distance is below the reach, or, with a reach
 * per point, below the larger of the two. Lists are kept tile by tile in the order of
 * the points, as local ids of the tile's halo (tiles.h); a point is in its own list.
 * Each list is padded with local id 0 to a multiple of NEIGHBOUR_LANES, so that a loop
 * over it needs no remainder: the reader of the lists puts a point out of reach at
 * local id 0.
 *
 * Distances are taken in float relative to the tile: pairs within 1e-6 of the reach may
 * fall on either side. The lists' place in memory depends on the threads, their contents
 * do not. */
#pragma once

#include "geom/search/tiles.h"

enum { NEIGHBOUR_LANES = 8 };

typedef struct neighbours {
    rill_ctx *ctx;
    uint16_t *count;   /* per point (sorted order): padded length of its list */
    uint64_t *segment; /* per tile: where its lists begin in the pool */
    uint16_t *pool;
    size_t count_capacity, segment_capacity, pool_capacity;
    uint64_t used;             /* entries of the pool, padding included */
    uint8_t compress[256][16]; /* byte shuffles that move chosen 16-bit lanes to the front */
} neighbours;

void neighbours_init(neighbours *n, rill_ctx *ctx);
void neighbours_clear(neighbours *n);

/* Points relative to their tile, in sorted order (4 floats each, the fourth is the
 * point's own reach when reach is 0). Reach is at most the tiles' cell. */
RILL_CHECKED rill_status neighbours_build(neighbours *n, const tiles *t, const float (*position)[4],
                                          float reach);

/* The same pairs by comparing everything with everything: for tests. Calls back with
 * i, j (i == j included) in the given order of the points. */
typedef void neighbours_pair(void *arg, uint32_t i, uint32_t j);
void neighbours_by_pairs(const rill_vec3 *position, const double *reach_each, double reach, uint32_t count,
                         neighbours_pair *pair, void *arg);

/* Local copies of the halo's points: x, y, z relative to the tile, the fourth as it is. */
static inline void halo_gather_positions(halo_view h, const float (*from)[4], float (*to)[4])
{
    float(*out)[4] = to + 1;
    for (int r = 0; r < h.run_count; r++) {
        const halo_run *run = &h.run[r];
        for (uint32_t k = 0; k < run->count; k++, out++) {
            const float *p = from[run->begin + k];
            (*out)[0] = p[0] + run->shift[0];
            (*out)[1] = p[1] + run->shift[1];
            (*out)[2] = p[2] + run->shift[2];
            (*out)[3] = p[3];
        }
    }
}

/* Local copies of one float per point. */
static inline void halo_gather_values(halo_view h, const float *from, float *to)
{
    float *out = to + 1;
    for (int r = 0; r < h.run_count; r++) {
        __builtin_memcpy(out, from + h.run[r].begin, h.run[r].count * sizeof *from);
        out += h.run[r].count;
    }
}

/* Local copies of any four floats per point. */
static inline void halo_gather(halo_view h, const float (*from)[4], float (*to)[4])
{
    float(*out)[4] = to + 1;
    for (int r = 0; r < h.run_count; r++) {
        const halo_run *run = &h.run[r];
        __builtin_memcpy(out, from + run->begin, run->count * sizeof *from);
        out += run->count;
    }
}
