/* The particles of a tile and of one cell around it, in rows, as single precision and eight
 * at a time: what sums over neighbourhoods read.
 *
 * A point's neighbourhood is the three cells along each axis around the one it lies in;
 * along x they are one run. */
#pragma once

#include "grid/state.h"

#include <immintrin.h>

enum { SWARM_SIDE = GRID_SIDE + 2, SWARM_CELLS = SWARM_SIDE * SWARM_SIDE * SWARM_SIDE };

typedef struct swarm {
    uint32_t first[SWARM_CELLS + 1]; /* per cell, x fastest, from (-1, -1, -1) of the tile */
    float *at[3];                    /* borrowed; in cells from the tile's corner */
} swarm;

/* One for each worker, from the step's arena, each with room for any tile. */
RILL_CHECKED rill_status swarm_make(grid *s, swarm **out);
void swarm_load(const grid *s, uint32_t tile, swarm *w);

/* Sums of the weights, and of them times the way from the point (in cells), over the
 * particles within `reach` of it along every axis: a product over the axes of
 * (1 - (d / reach)^2)^3. cell: the point's own, from the tile's first. reach: at most as far
 * as the neighbourhood goes. */
static inline void swarm_sum(const swarm *w, const int cell[3], const float at[3], float reach, bool flat,
                             float sum[4])
{
    const __m256 px = _mm256_set1_ps(at[0]), py = _mm256_set1_ps(at[1]),
                 pz = _mm256_set1_ps(flat ? 0 : at[2]);
    const __m256 inverse2 = _mm256_set1_ps(1 / (reach * reach)), one = _mm256_set1_ps(1),
                 none = _mm256_setzero_ps();
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256 s0 = none, s1 = none, s2 = none, s3 = none;
    const int deep = flat ? 0 : 1;
    for (int dz = -deep; dz <= deep; dz++)
        for (int dy = -1; dy <= 1; dy++) {
            const int row = ((cell[2] + dz + deep) * SWARM_SIDE + cell[1] + dy + 1) * SWARM_SIDE + cell[0];
            const uint32_t end = w->first[row + 3];
            for (uint32_t k = w->first[row]; k < end; k += 8) {
                const __m256 fx = _mm256_sub_ps(_mm256_loadu_ps(w->at[0] + k), px),
                             fy = _mm256_sub_ps(_mm256_loadu_ps(w->at[1] + k), py),
                             fz = _mm256_sub_ps(_mm256_loadu_ps(w->at[2] + k), pz);
                const __m256 ax = _mm256_max_ps(_mm256_fnmadd_ps(_mm256_mul_ps(fx, fx), inverse2, one), none),
                             ay = _mm256_max_ps(_mm256_fnmadd_ps(_mm256_mul_ps(fy, fy), inverse2, one), none),
                             az = _mm256_max_ps(_mm256_fnmadd_ps(_mm256_mul_ps(fz, fz), inverse2, one), none);
                const __m256 a = _mm256_mul_ps(_mm256_mul_ps(ax, ay), az);
                const __m256i here = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(end - k)), lane);
                const __m256 weight =
                    _mm256_and_ps(_mm256_mul_ps(_mm256_mul_ps(a, a), a), _mm256_castsi256_ps(here));
                s0 = _mm256_add_ps(s0, weight);
                s1 = _mm256_fmadd_ps(weight, fx, s1);
                s2 = _mm256_fmadd_ps(weight, fy, s2);
                s3 = _mm256_fmadd_ps(weight, fz, s3);
            }
        }
    const __m256 low = _mm256_hadd_ps(_mm256_hadd_ps(s0, s1), _mm256_hadd_ps(s2, s3));
    _mm_storeu_ps(sum, _mm_add_ps(_mm256_castps256_ps128(low), _mm256_extractf128_ps(low, 1)));
}
