/* Eight pairs at once: differences, distances and kernel gradients. */
#pragma once

#include "sph/core/simd.h"

/* From neighbours to the particle, x_i - x_j, and the squared distance. */
typedef struct pair8 {
    __m256 x, y, z, d2;
} pair8;

SPH_INLINE pair8 pair_of(vec8 at, vec8 other)
{
    pair8 p;
    p.x = _mm256_sub_ps(at.x, other.x);
    p.y = _mm256_sub_ps(at.y, other.y);
    p.z = _mm256_sub_ps(at.z, other.z);
    p.d2 = _mm256_fmadd_ps(p.x, p.x, _mm256_fmadd_ps(p.y, p.y, _mm256_mul_ps(p.z, p.z)));
    return p;
}

/* The same, with a distance that is not 0. */
SPH_INLINE pair8 pair_apart(vec8 at, vec8 other, __m256 tiny)
{
    pair8 p = pair_of(at, other);
    p.d2 = _mm256_max_ps(p.d2, tiny);
    return p;
}

/* W'/r without its constant. */
SPH_INLINE __m256 pair_gradient(sph_kernel kind, const kernel8 *k, const pair8 *p)
{
    const __m256 d = _mm256_sqrt_ps(p->d2);
    return kernel8_g(kind, k, p->d2, d, _mm256_div_ps(k->one, d));
}
