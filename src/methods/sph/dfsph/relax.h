/* One relaxation of k by what a pass over pairs has left in s->solve.residual, for the particles of a tile.
 *
 * Separate from the pass over pairs and for eight particles at a time: whether a particle is pushed, pulled
 * or left alone is nearly random, and branches would be mispredicted every other time. Each function has a
 * scalar twin for the remainder. Sums are added in an order that depends on the tile alone. */
#pragma once

#include "sph/core/simd.h"
#include "sph/dfsph/pairs.h"

#include <math.h>

/* Rarefied liquid may close at this rate times what it lacks, 1/s: else gaps would stay. lack: 1 - density
 * ratio. */
SPH_INLINE float slack_inside(float lack)
{
    return lack > 0 ? 5 * lack : 0;
}

/* Sums of floats in double. */
typedef struct sum_pd {
    __m256d low, high;
} sum_pd;

SPH_INLINE void sum_add(sum_pd *s, __m256 v)
{
    s->low = _mm256_add_pd(s->low, _mm256_cvtps_pd(_mm256_castps256_ps128(v)));
    s->high = _mm256_add_pd(s->high, _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1)));
}

SPH_INLINE double sum_of(const sum_pd *s)
{
    double lane[4];
    _mm256_storeu_pd(lane, _mm256_add_pd(s->low, s->high));
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

/* Eight flags as masks. */
SPH_INLINE __m256 flags8(const uint8_t *flag)
{
    const __m256i wide = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)flag));
    return _mm256_castsi256_ps(_mm256_cmpgt_epi32(wide, _mm256_setzero_si256()));
}

/* -- velocities ----------------------------------------------------------------------- */

/* Pressure pushes until nothing closes. Inside, it also pulls until nothing opens: at a free
 * surface that would clump. In between, where liquid is rarefied and closes slowly, it does
 * neither. s->solve.residual is D of the acceleration, and then what is left. */
SPH_INLINE float relax_rate(const pairs_job *j, uint32_t i)
{
    const sph *s = j->s;
    const float residual = s->solve.target[i] + j->scale * s->solve.residual[i]; /* above 0: still closing */
    s->solve.residual[i] = 0;
    if (s->solve.spray[i]) return 0;
    const bool pulls = s->solve.inside[i];
    const float closing = residual - s->solve.slack[i];
    const float old = j->k[i], step = j->take / j->scale * s->solve.factor[i];
    const float from = old + j->keep * s->solve.change[i];
    const float push = from + step * closing, pull = from + step * residual;
    const float k = push > 0 ? push : pulls && pull < 0 ? pull : 0;
    j->k[i] = k;
    s->solve.change[i] = k - old;
    if (closing > 0 || k > 0) s->solve.residual[i] = closing;
    if (closing > 0 || (pulls && k > 0)) return fabsf(closing);
    if (!pulls || !(residual < 0)) return 0;
    s->solve.residual[i] = residual;
    return -residual;
}

SPH_INLINE __m256 relax_rate8(const pairs_job *j, uint32_t i)
{
    const sph *s = j->s;
    const __m256 zero = _mm256_setzero_ps(), sign = _mm256_set1_ps(-0.0f);
    const __m256 alone = flags8(s->solve.spray + i), pulls = flags8(s->solve.inside + i);
    const __m256 residual =
        _mm256_add_ps(_mm256_loadu_ps(s->solve.target + i),
                      _mm256_mul_ps(_mm256_set1_ps(j->scale), _mm256_loadu_ps(s->solve.residual + i)));
    const __m256 closing = _mm256_sub_ps(residual, _mm256_loadu_ps(s->solve.slack + i));
    const __m256 old = _mm256_loadu_ps(j->k + i), changed = _mm256_loadu_ps(s->solve.change + i);
    const __m256 step =
        _mm256_mul_ps(_mm256_set1_ps(j->take / j->scale), _mm256_loadu_ps(s->solve.factor + i));
    const __m256 from = _mm256_add_ps(old, _mm256_mul_ps(_mm256_set1_ps(j->keep), changed));
    const __m256 push = _mm256_add_ps(from, _mm256_mul_ps(step, closing));
    const __m256 pull = _mm256_add_ps(from, _mm256_mul_ps(step, residual));
    const __m256 pushes = _mm256_cmp_ps(push, zero, _CMP_GT_OQ);
    const __m256 pulled = _mm256_and_ps(pulls, _mm256_cmp_ps(pull, zero, _CMP_LT_OQ));
    __m256 k = _mm256_blendv_ps(_mm256_and_ps(pull, pulled), push, pushes);
    k = _mm256_blendv_ps(k, old, alone);
    _mm256_storeu_ps(j->k + i, k);
    _mm256_storeu_ps(s->solve.change + i, _mm256_blendv_ps(_mm256_sub_ps(k, old), changed, alone));

    const __m256 closes = _mm256_cmp_ps(closing, zero, _CMP_GT_OQ), acts = _mm256_cmp_ps(k, zero, _CMP_GT_OQ);
    const __m256 counts = _mm256_or_ps(closes, _mm256_and_ps(pulls, acts));
    const __m256 opens =
        _mm256_andnot_ps(counts, _mm256_and_ps(pulls, _mm256_cmp_ps(residual, zero, _CMP_LT_OQ)));
    const __m256 left = _mm256_blendv_ps(_mm256_and_ps(closing, _mm256_or_ps(closes, acts)), residual, opens);
    _mm256_storeu_ps(s->solve.residual + i, _mm256_andnot_ps(alone, left));
    const __m256 error =
        _mm256_or_ps(_mm256_and_ps(counts, closing), _mm256_and_ps(opens, residual)); /* one or the other */
    return _mm256_andnot_ps(alone, _mm256_andnot_ps(sign, error));
}

/* -- positions ------------------------------------------------------------------------ */

/* Pressure pushes until nothing is compressed. s->solve.residual is the density ratio, less what it should
 * be. */
SPH_INLINE float relax_squeeze(const pairs_job *j, uint32_t i)
{
    const sph *s = j->s;
    const float squeeze = s->solve.residual[i], old = j->k[i];
    const float to = old + j->keep * s->solve.change[i] + j->take / j->scale * s->solve.factor[i] * squeeze;
    j->k[i] = to > 0 ? to : 0;
    s->solve.change[i] = j->k[i] - old;
    return squeeze > 0 ? squeeze : 0;
}

SPH_INLINE __m256 relax_squeeze8(const pairs_job *j, uint32_t i)
{
    const sph *s = j->s;
    const __m256 squeeze = _mm256_loadu_ps(s->solve.residual + i), old = _mm256_loadu_ps(j->k + i);
    const __m256 step =
        _mm256_mul_ps(_mm256_set1_ps(j->take / j->scale), _mm256_loadu_ps(s->solve.factor + i));
    const __m256 from =
        _mm256_add_ps(old, _mm256_mul_ps(_mm256_set1_ps(j->keep), _mm256_loadu_ps(s->solve.change + i)));
    const __m256 k = positive8(_mm256_add_ps(from, _mm256_mul_ps(step, squeeze)));
    _mm256_storeu_ps(j->k + i, k);
    _mm256_storeu_ps(s->solve.change + i, _mm256_sub_ps(k, old));
    return positive8(squeeze);
}

/* -- a tile ---------------------------------------------------------------------------- */

SPH_INLINE tile_sums relax_rates(const pairs_job *j, uint32_t begin, uint32_t end)
{
    sum_pd error = {_mm256_setzero_pd(), _mm256_setzero_pd()};
    double rest = 0;
    uint32_t i = begin;
    for (; i + 8 <= end; i += 8) sum_add(&error, relax_rate8(j, i));
    for (; i < end; i++) rest += (double)relax_rate(j, i);
    return (tile_sums){sum_of(&error) + rest, 0};
}

SPH_INLINE tile_sums relax_squeezes(const pairs_job *j, uint32_t begin, uint32_t end)
{
    sum_pd error = {_mm256_setzero_pd(), _mm256_setzero_pd()}, all = error;
    double error_rest = 0, all_rest = 0;
    uint32_t i = begin;
    for (; i + 8 <= end; i += 8) {
        sum_add(&all, _mm256_loadu_ps(j->s->solve.residual + i));
        sum_add(&error, relax_squeeze8(j, i));
    }
    for (; i < end; i++) {
        all_rest += (double)j->s->solve.residual[i];
        error_rest += (double)relax_squeeze(j, i);
    }
    return (tile_sums){sum_of(&error) + error_rest, sum_of(&all) + all_rest};
}
