/* Four doubles at a time, with AVX2. (Eight with AVX-512 gave 2 percent on the cells of a
 * Voronoi diagram: most loops are short.) */
#pragma once

#include <immintrin.h>
#include <stdint.h>

enum { LANES = 4 };
typedef __m256d lanes;
static inline lanes lanes_all(double a)
{
    return _mm256_set1_pd(a);
}
static inline lanes lanes_load(const double *p)
{
    return _mm256_loadu_pd(p);
}
static inline void lanes_store(double *p, lanes a)
{
    _mm256_storeu_pd(p, a);
}
static inline lanes lanes_add(lanes a, lanes b)
{
    return _mm256_add_pd(a, b);
}
static inline lanes lanes_sub(lanes a, lanes b)
{
    return _mm256_sub_pd(a, b);
}
static inline lanes lanes_mul(lanes a, lanes b)
{
    return _mm256_mul_pd(a, b);
}
static inline lanes lanes_madd(lanes a, lanes b, lanes c)
{
    return _mm256_fmadd_pd(a, b, c);
} /* a b + c */
static inline lanes lanes_nmadd(lanes a, lanes b, lanes c)
{
    return _mm256_fnmadd_pd(a, b, c);
} /* c - a b */
static inline lanes lanes_max(lanes a, lanes b)
{
    return _mm256_max_pd(a, b);
}
static inline lanes lanes_min(lanes a, lanes b)
{
    return _mm256_min_pd(a, b);
}
static inline lanes lanes_root(lanes a)
{
    return _mm256_sqrt_pd(a);
}
static inline unsigned lanes_below(lanes a, lanes b)
{
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LT_OQ));
}
static inline double lanes_largest(lanes a)
{
    const __m128d b = _mm_max_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
    return _mm_cvtsd_f64(_mm_max_pd(b, _mm_unpackhi_pd(b, b)));
}
static inline double lanes_smallest(lanes a)
{
    const __m128d b = _mm_min_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
    return _mm_cvtsd_f64(_mm_min_pd(b, _mm_unpackhi_pd(b, b)));
}
/* Truncated to bytes; 0 <= a < 128. */
static inline void lanes_bytes(uint8_t *p, lanes a)
{
    const __m128i i = _mm256_cvttpd_epi32(a), s = _mm_packs_epi32(i, i);
    const uint32_t four = (uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(s, s));
    __builtin_memcpy(p, &four, sizeof four);
}
