/* Eight neighbours at once: loads, kernels and sums for the hot loops.
 *
 * The kernel is a constant where these are inlined, so that each loop is compiled once
 * per kernel without a branch inside. Scalar twins: kernel.h. */
#pragma once

#include "sph/core/kernel.h"

#include <immintrin.h>

#define SPH_INLINE static inline __attribute__((always_inline))

typedef struct vec8 {
    __m256 x, y, z, w;
} vec8;

/* Four floats each of eight points, by component; in two halves of four. */
SPH_INLINE vec8 rows8(const float *p0, const float *p1, const float *p2, const float *p3, const float *p4,
                      const float *p5, const float *p6, const float *p7)
{
    const __m256 a = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(p0)), _mm_load_ps(p4), 1);
    const __m256 b = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(p1)), _mm_load_ps(p5), 1);
    const __m256 c = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(p2)), _mm_load_ps(p6), 1);
    const __m256 d = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(p3)), _mm_load_ps(p7), 1);
    const __m256 ab_low = _mm256_unpacklo_ps(a, b), ab_high = _mm256_unpackhi_ps(a, b);
    const __m256 cd_low = _mm256_unpacklo_ps(c, d), cd_high = _mm256_unpackhi_ps(c, d);
    return (vec8){_mm256_shuffle_ps(ab_low, cd_low, 0x44), _mm256_shuffle_ps(ab_low, cd_low, 0xEE),
                  _mm256_shuffle_ps(ab_high, cd_high, 0x44), _mm256_shuffle_ps(ab_high, cd_high, 0xEE)};
}

/* By local id (geom/search/neighbours.h), and by id (geom/search/sized_lists.h). */
SPH_INLINE vec8 load8(const float (*p)[4], const uint16_t *id)
{
    return rows8(p[id[0]], p[id[1]], p[id[2]], p[id[3]], p[id[4]], p[id[5]], p[id[6]], p[id[7]]);
}
SPH_INLINE vec8 fetch8(const void *rows, const uint32_t *id)
{
    const float(*p)[4] = rows;
    return rows8(p[id[0]], p[id[1]], p[id[2]], p[id[3]], p[id[4]], p[id[5]], p[id[6]], p[id[7]]);
}

static inline void row_store(float *to, rill_vec3 x, float w)
{
    _mm_store_ps(to, _mm_setr_ps((float)x.x, (float)x.y, (float)x.z, w));
}

static inline rill_vec3 row_vec(const float *from)
{
    return v3((double)from[0], (double)from[1], (double)from[2]);
}

/* One float each of eight points. Loads one by one: the gather instruction is slower on many processors. */
SPH_INLINE __m256 values8(const float *v, const uint16_t *id)
{
    const __m128 low = _mm_setr_ps(v[id[0]], v[id[1]], v[id[2]], v[id[3]]);
    const __m128 high = _mm_setr_ps(v[id[4]], v[id[5]], v[id[6]], v[id[7]]);
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

/* Four floats of one point, eight times each. */
SPH_INLINE vec8 same8(const float *p)
{
    return (vec8){_mm256_set1_ps(p[0]), _mm256_set1_ps(p[1]), _mm256_set1_ps(p[2]), _mm256_set1_ps(p[3])};
}

SPH_INLINE vec8 zero8(void)
{
    const __m256 zero = _mm256_setzero_ps();
    return (vec8){zero, zero, zero, zero};
}

/* a += f b, of the first three. */
SPH_INLINE void add8(vec8 *a, __m256 f, __m256 x, __m256 y, __m256 z)
{
    a->x = _mm256_fmadd_ps(f, x, a->x);
    a->y = _mm256_fmadd_ps(f, y, a->y);
    a->z = _mm256_fmadd_ps(f, z, a->z);
}

SPH_INLINE float sum8(__m256 v)
{
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_shuffle_ps(s, s, 1)));
}

/* Sums of the first three; the fourth is one of them again. */
SPH_INLINE __m128 sums8(vec8 a)
{
    const __m256 all = _mm256_hadd_ps(_mm256_hadd_ps(a.x, a.y), _mm256_hadd_ps(a.z, a.z));
    return _mm_add_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1));
}

/* Eight gradients as half floats: x of eight, y of eight, z of eight. */
SPH_INLINE void store_halves(uint16_t *to, __m256 x, __m256 y, __m256 z)
{
    _mm_storeu_si128((__m128i *)to, _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
    _mm_storeu_si128((__m128i *)(to + 8), _mm256_cvtps_ph(y, _MM_FROUND_TO_NEAREST_INT));
    _mm_storeu_si128((__m128i *)(to + 16), _mm256_cvtps_ph(z, _MM_FROUND_TO_NEAREST_INT));
}

SPH_INLINE __m256 halves(const uint16_t *g)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)g));
}

/* The constants of a kernel, broadcast. The functions below are in q = r / R, so that
 * float is enough at any size; what they leave out is in the three scales. */
typedef struct kernel8 {
    __m256 one, half, inverse_r;
    float w_scale, g_scale, l_scale;
} kernel8;

SPH_INLINE kernel8 kernel8_make(const kernel *k)
{
    const double R = k->support;
    const bool mueller = k->kind == SPH_MUELLER;
    return (kernel8){_mm256_set1_ps(1),
                     _mm256_set1_ps(0.5f),
                     _mm256_set1_ps((float)(1 / R)),
                     (float)(mueller ? k->w_scale * R * R * R * R * R * R : k->w_scale),
                     (float)(mueller ? k->g_scale * R * R : k->g_scale),
                     (float)(k->l_scale * R)};
}

/* exp(-4 s) for 0 <= s < 1 and 0 beyond, where 1 is a hair less: neighbours on a lattice lie on that very
 * edge, and rounding would decide: (the series of exp(-s/4) to the seventh
 * power)^16, 1e-7 relative for the first factor. */
SPH_INLINE __m256 gaussian8(__m256 s)
{
    const __m256 x = _mm256_mul_ps(s, _mm256_set1_ps(-0.25f));
    __m256 p = _mm256_set1_ps(1.0f / 5040);
    p = _mm256_fmadd_ps(p, x, _mm256_set1_ps(1.0f / 720));
    p = _mm256_fmadd_ps(p, x, _mm256_set1_ps(1.0f / 120));
    p = _mm256_fmadd_ps(p, x, _mm256_set1_ps(1.0f / 24));
    p = _mm256_fmadd_ps(p, x, _mm256_set1_ps(1.0f / 6));
    p = _mm256_fmadd_ps(p, x, _mm256_set1_ps(0.5f));
    p = _mm256_fmadd_ps(p, x, _mm256_set1_ps(1));
    p = _mm256_fmadd_ps(p, x, _mm256_set1_ps(1));
    p = _mm256_mul_ps(p, p);
    p = _mm256_mul_ps(p, p);
    p = _mm256_mul_ps(p, p);
    p = _mm256_mul_ps(p, p);
    return _mm256_and_ps(p, _mm256_cmp_ps(s, _mm256_set1_ps(0.999997f), _CMP_LT_OQ));
}

/* max(0, v) */
SPH_INLINE __m256 positive8(__m256 v)
{
    return _mm256_max_ps(v, _mm256_setzero_ps());
}

/* W from the squared distance, without its constant. */
SPH_INLINE __m256 kernel8_w(sph_kernel kind, const kernel8 *k, __m256 d2)
{
    if (kind == SPH_MUELLER) {
        const __m256 q2 = _mm256_mul_ps(d2, _mm256_mul_ps(k->inverse_r, k->inverse_r));
        const __m256 a = positive8(_mm256_sub_ps(k->one, q2));
        return _mm256_mul_ps(a, _mm256_mul_ps(a, a));
    }
    if (kind == SPH_GAUSSIAN) return gaussian8(_mm256_mul_ps(d2, _mm256_mul_ps(k->inverse_r, k->inverse_r)));
    const __m256 q = _mm256_mul_ps(_mm256_sqrt_ps(d2), k->inverse_r);
    const __m256 a = positive8(_mm256_sub_ps(k->one, q));
    if (kind == SPH_CUBIC) {
        const __m256 b = positive8(_mm256_sub_ps(k->half, q));
        const __m256 a3 = _mm256_mul_ps(a, _mm256_mul_ps(a, a)), b3 = _mm256_mul_ps(b, _mm256_mul_ps(b, b));
        return _mm256_fmadd_ps(_mm256_set1_ps(-8), b3, _mm256_add_ps(a3, a3));
    }
    const __m256 a2 = _mm256_mul_ps(a, a);
    return _mm256_mul_ps(_mm256_mul_ps(a2, a2), _mm256_fmadd_ps(_mm256_set1_ps(4), q, k->one));
}

/* W'/r from distance and its inverse, without its constant. */
SPH_INLINE __m256 kernel8_g(sph_kernel kind, const kernel8 *k, __m256 d2, __m256 d, __m256 inverse_d)
{
    if (kind == SPH_GAUSSIAN) return gaussian8(_mm256_mul_ps(d2, _mm256_mul_ps(k->inverse_r, k->inverse_r)));
    const __m256 q = _mm256_mul_ps(d, k->inverse_r);
    const __m256 a = positive8(_mm256_sub_ps(k->one, q));
    if (kind == SPH_MUELLER) return _mm256_mul_ps(_mm256_mul_ps(a, a), inverse_d);
    if (kind == SPH_CUBIC) { /* each branch as it is: their common form cancels near 0 */
        const __m256 inner =
            _mm256_mul_ps(_mm256_fmsub_ps(_mm256_set1_ps(18), q, _mm256_set1_ps(12)), k->inverse_r);
        const __m256 outer = _mm256_mul_ps(_mm256_mul_ps(_mm256_set1_ps(-6), _mm256_mul_ps(a, a)), inverse_d);
        return _mm256_blendv_ps(outer, inner, _mm256_cmp_ps(q, k->half, _CMP_LT_OQ));
    }
    return _mm256_mul_ps(a, _mm256_mul_ps(a, a));
}

/* Mueller's viscosity kernel, without its constant. */
SPH_INLINE __m256 kernel8_l(const kernel8 *k, __m256 d)
{
    return positive8(_mm256_sub_ps(k->one, _mm256_mul_ps(d, k->inverse_r)));
}
