/* Corrected gradients of a pair, and what follows for a particle: see correct.c. */
#pragma once

#include "sph/core/simd.h"
#include "sph/dfsph/pairs.h"

/* Eight gradients in place times the mean of both ends' L; d, m: xx yy zz, xy yz zx. */
SPH_INLINE vec8 correct8(uint16_t *g, vec8 own_d, vec8 own_m, vec8 d, vec8 m)
{
    const __m256 half = _mm256_set1_ps(0.5f);
    const __m256 x = _mm256_mul_ps(half, halves(g)), y = _mm256_mul_ps(half, halves(g + 8)),
                 z = _mm256_mul_ps(half, halves(g + 16));
    const __m256 xx = _mm256_add_ps(own_d.x, d.x), yy = _mm256_add_ps(own_d.y, d.y),
                 zz = _mm256_add_ps(own_d.z, d.z);
    const __m256 xy = _mm256_add_ps(own_m.x, m.x), yz = _mm256_add_ps(own_m.y, m.y),
                 zx = _mm256_add_ps(own_m.z, m.z);
    const vec8 a = {_mm256_fmadd_ps(xx, x, _mm256_fmadd_ps(xy, y, _mm256_mul_ps(zx, z))),
                    _mm256_fmadd_ps(xy, x, _mm256_fmadd_ps(yy, y, _mm256_mul_ps(yz, z))),
                    _mm256_fmadd_ps(zx, x, _mm256_fmadd_ps(yz, y, _mm256_mul_ps(zz, z))),
                    _mm256_setzero_ps()};
    store_halves(g, a.x, a.y, a.z);
    return a;
}

/* The walls' gradient and closing rate, corrected. */
SPH_INLINE void correct_wall(sph *s, uint32_t i)
{
    const float *d = s->solve.correction[0][i], *m = s->solve.correction[1][i], *b = s->step.wall[i];
    float *w = s->solve.wall_gradient[i];
    w[0] = d[0] * b[0] + m[0] * b[1] + m[2] * b[2];
    w[1] = m[0] * b[0] + d[1] * b[1] + m[1] * b[2];
    w[2] = m[2] * b[0] + m[1] * b[1] + d[2] * b[2];
    /* Walls that close in do so along their gradient. */
    const float b2 = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
    w[3] = b2 > 0 ? s->step.weight[i][3] * (w[0] * b[0] + w[1] * b[1] + w[2] * b[2]) / b2 : 0;
}

/* One over what k of the particle alone does to its own D. across: sum of its gradients; square: of what its
 * neighbours do. */
SPH_INLINE float correct_factor(const sph *s, uint32_t i, __m128 across, float square)
{
    const float spacing = (float)s->sim.scene->spacing, length = (float)s->model.calibration * spacing;
    float sum[4];
    _mm_storeu_ps(sum, _mm_fmadd_ps(_mm_set1_ps(length), _mm_load_ps(s->solve.wall_gradient[i]), across));
    for (int c = 0; c < 3; c++) square += sum[c] * sum[c];
    return square > 1e-6f ? spacing * spacing / square : 0;
}
