/* Viscosity between pairs: the weights of its operator (thick.c). */
#pragma once

#include "sph/pass.h"

/* Makes s->thick, when the liquid is viscous. */
RILL_CHECKED rill_status sph_thicken(sph *s);
/* What weights times thick_i + thick_j have to be multiplied with for an acceleration, densities
 * apart: mu m, and 1/2 over the lattice's own moment. */
double thick_scale(const sph *s);

/* The weight of a pair, without its constant: W'/r, and mueller's own Laplacian. */
SPH_INLINE __m256 thick_weight(sph_kernel kind, const kernel8 *k, const pair8 *p)
{
    if (kind == SPH_MUELLER) return kernel8_l(k, _mm256_sqrt_ps(p->d2));
    return pair_gradient(kind, k, p);
}

/* thick_i + thick_j */
SPH_INLINE __m256 thick_of(const float *local, float own_thick, const uint16_t *list)
{
    return _mm256_add_ps(_mm256_set1_ps(own_thick), values8(local, list));
}
