/* Viscosity between pairs: the weights of its operator (viscous_pairs.c). */
#pragma once

#include "sph/uniform/pass.h"

/* Computes viscosity_factor, if the liquid is viscous. */
RILL_CHECKED rill_status viscous_pairs_prepare(sph *s);
/* Constant that turns weights times (viscosity_factor_i + viscosity_factor_j) into accelerations, but for
 * densities: mu m, and 1/2 over the lattice's own moment. */
double viscous_pairs_scale(const sph *s);

/* The weight of a pair, without its constant: W'/r, and mueller's own Laplacian. */
SPH_INLINE __m256 viscous_pair_weight(sph_kernel kind, const kernel8 *k, const pair8 *p)
{
    if (kind == SPH_MUELLER) return kernel8_l(k, _mm256_sqrt_ps(p->d2));
    return pair_gradient(kind, k, p);
}

/* viscosity_factor_i + viscosity_factor_j */
SPH_INLINE __m256 viscous_pair_factor(const float *local, float own_factor, const uint16_t *list)
{
    return _mm256_add_ps(_mm256_set1_ps(own_factor), values8(local, list));
}
