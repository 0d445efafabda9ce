/* Density, pressure and forces between particles of several sizes; the formulas are those of
 * density.c and forces.c with
 *     W_ij = (W(x_ij, R_i) + W(x_ij, R_j)) / 2,   [Adams] eq. 1, errata E-A1, E-A7,
 * in all of them. The pressure's force is
 *     a_i = -C sum_j m_j (P_i / rho_i^2 + P_j / rho_j^2) grad W_ij,
 * the derivative of that density: DEVIATES from eq. 1, which takes V_i V_j (P_i + P_j) / 2. Viscosity and
 * damping have h and eta as means of the two. All pair terms times m_i are antisymmetric. */
#include "sph/levels.h"
#include "sph/pass.h"

#include <math.h>

enum { FADING_RADII = 100 }; /* that sound crosses while an excess fades to 1/e */

/* One coordinate of x_i - x_j, m: from integers, exact before it is rounded. */
SPH_INLINE __m256 apart8(int32_t mine, __m256 others, __m256 unit)
{
    const __m256i d = _mm256_sub_epi32(_mm256_set1_epi32(mine), _mm256_castps_si256(others));
    return _mm256_mul_ps(_mm256_cvtepi32_ps(d), unit);
}

SPH_INLINE pair8 places_apart(const int32_t *mine, const vec8 *other, __m256 unit, __m256 tiny)
{
    pair8 p;
    p.x = apart8(mine[0], other->x, unit);
    p.y = apart8(mine[1], other->y, unit);
    p.z = apart8(mine[2], other->z, unit);
    p.d2 = _mm256_fmadd_ps(p.x, p.x, _mm256_fmadd_ps(p.y, p.y, _mm256_mul_ps(p.z, p.z)));
    p.d2 = _mm256_max_ps(p.d2, tiny);
    return p;
}

typedef void level_body(sph *s, size_t begin, size_t end, sph_kernel kind);

/* One copy of the body per kernel. */
SPH_INLINE void for_kernel(sph *s, size_t begin, size_t end, level_body *body)
{
    switch (s->kernel.kind) {
    case SPH_GAUSSIAN: body(s, begin, end, SPH_GAUSSIAN); break;
    case SPH_CUBIC: body(s, begin, end, SPH_CUBIC); break;
    case SPH_MUELLER: body(s, begin, end, SPH_MUELLER); break;
    default: body(s, begin, end, SPH_WENDLAND);
    }
}

/* -- density ------------------------------------------------------------------------------ */

/* Density from its sum, without a jump: levels.h. */
SPH_INLINE void blend(sph *s, size_t i, float sum)
{
    struct levels *a = s->levels;
    if (a->resampled) {
        const float before = s->density[i] / sum - 1;
        a->excess[i] = before > 0.5f ? 0.5f : before > -0.5f ? before : -0.5f;
    } else {
        a->excess[i] *= 1 - a->fading[a->size[i]];
    }
    s->density[i] = sum * (1 + a->excess[i]);
}

SPH_INLINE void density_body(sph *s, size_t begin, size_t end, sph_kernel kind)
{
    const struct levels *a = s->levels;
    const __m256 unit = _mm256_set1_ps((float)a->unit), zero = _mm256_setzero_ps();
    const float share = (float)s->calibration, rest = (float)(s->calibration * s->sim.scene->fluid.density);
    for (size_t i = begin; i < end; i++) {
        const kernel8 k = kernel8_make(&level_of(s, i)->kernel);
        const sized_list l = sized_list_of(&a->lists, i);
        __m256 same = zero, mine = zero, theirs = zero;
        for (const uint32_t *e = l.at; e < l.others; e += SIZED_LANES) {
            const vec8 at = fetch8(a->place, e);
            same = _mm256_add_ps(same, kernel8_w(kind, &k, places_apart(a->place[i], &at, unit, zero).d2));
        }
        for (const uint32_t *e = l.others; e < l.end; e += SIZED_LANES) {
            const vec8 at = fetch8(a->place, e), other = fetch8(a->kind, e);
            const __m256 d2 = places_apart(a->place[i], &at, unit, zero).d2;
            kernel8 kj = k;
            kj.inverse_r = other.x;
            mine = _mm256_fmadd_ps(other.w, kernel8_w(kind, &k, d2), mine);
            theirs = _mm256_fmadd_ps(other.y, kernel8_w(kind, &kj, d2), theirs);
        }
        const float sum = a->kind[i].w * sum8(same) + 0.5f * (k.w_scale * sum8(mine) + sum8(theirs));
        blend(s, i, share * sum + rest * s->wall[i][3]);
    }
}

static void density_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for_kernel(arg, begin, end, density_body);
}

void levels_density(sph *s)
{
    struct levels *a = s->levels;
    for (int l = 0; l < a->count; l++)
        a->fading[l] = (float)-expm1(-s->dt * s->sound_speed / (FADING_RADII * a->level[l].kernel.support));
    parallel_for(s->sim.ctx, s->particles.count, 256, density_block, s);
    a->resampled = false;
}

/* -- pressure ----------------------------------------------------------------------------- */

static void pressure_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    const float rest = (float)s->sim.scene->fluid.density;
    const float stiff = (float)(s->sim.scene->fluid.density * s->sound_speed * s->sound_speed);
    for (size_t i = begin; i < end; i++) {
        const float inverse = 1 / s->density[i], p = sph_state(s, stiff, s->density[i] / rest);
        s->pressure[i] = p;
        union {
            float value;
            int32_t bits;
        } q = {.value = p * inverse * inverse};
        s->levels->place[i][3] = q.bits;
        s->velocity[i][3] = inverse;
    }
}

void levels_pressure(sph *s)
{
    parallel_for(s->sim.ctx, s->particles.count, 8192, pressure_block, s);
}

/* -- forces ------------------------------------------------------------------------------- */

typedef struct {
    __m256 pressure, viscosity, damping, eta2, tiny, unit;
} force8;

/* f grad W_ij over (W'/r) x: what one group of neighbours adds, without the mass and the kernel. */
SPH_INLINE __m256 force_factor(const force8 *c, const pair8 *p, const vec8 *at, const vec8 *q, __m256 pi,
                               const float *mine, __m256 h, __m256 eta2)
{
    const __m256 du = _mm256_sub_ps(_mm256_set1_ps(mine[0]), q->x);
    const __m256 dv = _mm256_sub_ps(_mm256_set1_ps(mine[1]), q->y);
    const __m256 dw = _mm256_sub_ps(_mm256_set1_ps(mine[2]), q->z), inverse = _mm256_set1_ps(mine[3]);
    const __m256 dot = _mm256_fmadd_ps(du, p->x, _mm256_fmadd_ps(dv, p->y, _mm256_mul_ps(dw, p->z)));
    const __m256 rate = _mm256_div_ps(dot, _mm256_add_ps(p->d2, eta2));
    const __m256 damp = _mm256_mul_ps(_mm256_mul_ps(c->damping, h), _mm256_add_ps(inverse, q->w));
    __m256 f = _mm256_mul_ps(c->pressure, _mm256_add_ps(pi, at->w));
    f = _mm256_fmadd_ps(damp, _mm256_min_ps(rate, _mm256_setzero_ps()), f);
    return _mm256_fmadd_ps(_mm256_mul_ps(_mm256_mul_ps(c->viscosity, inverse), q->w), rate, f);
}

SPH_INLINE void force_body(sph *s, size_t begin, size_t end, sph_kernel kind)
{
    const struct levels *a = s->levels;
    const double mu = s->sim.scene->fluid.viscosity;
    const force8 c = {
        .pressure = _mm256_set1_ps((float)-s->calibration),
        .viscosity = _mm256_set1_ps((float)(2 * (s->kernel.dimensions + 2) * mu)),
        .damping = _mm256_set1_ps((float)(0.5 * s->def.damping * s->damping_speed)),
        .tiny = _mm256_set1_ps((float)(1e-10 * s->kernel.support * s->kernel.support)),
        .unit = _mm256_set1_ps((float)a->unit),
    };
    const float rest = (float)(s->calibration * s->sim.scene->fluid.density);
    const __m256 half = _mm256_set1_ps(0.5f), percent = _mm256_set1_ps(0.01f);
    for (size_t i = begin; i < end; i++) {
        const level *size = level_of(s, i);
        const kernel8 k = kernel8_make(&size->kernel);
        const sized_list l = sized_list_of(&a->lists, i);
        const __m256 pi = _mm256_castsi256_ps(_mm256_set1_epi32(a->place[i][3]));
        const __m256 h = _mm256_set1_ps((float)(size->kernel.support / 2));
        const __m256 eta2 = _mm256_mul_ps(percent, _mm256_mul_ps(h, h));
        vec8 same = zero8(), mixed = zero8();
        for (const uint32_t *e = l.at; e < l.others; e += SIZED_LANES) {
            const vec8 at = fetch8(a->place, e), q = fetch8(s->velocity, e);
            const pair8 p = places_apart(a->place[i], &at, c.unit, c.tiny);
            const __m256 f = force_factor(&c, &p, &at, &q, pi, s->velocity[i], h, eta2);
            add8(&same, _mm256_mul_ps(f, pair_gradient(kind, &k, &p)), p.x, p.y, p.z);
        }
        for (const uint32_t *e = l.others; e < l.end; e += SIZED_LANES) {
            const vec8 at = fetch8(a->place, e), q = fetch8(s->velocity, e), other = fetch8(a->kind, e);
            const pair8 p = places_apart(a->place[i], &at, c.unit, c.tiny);
            kernel8 kj = k;
            kj.inverse_r = other.x;
            const __m256 hj = _mm256_div_ps(half, other.x), both = _mm256_mul_ps(half, _mm256_add_ps(h, hj));
            const __m256 eta = _mm256_mul_ps(half, _mm256_fmadd_ps(percent, _mm256_mul_ps(hj, hj), eta2));
            const __m256 f = force_factor(&c, &p, &at, &q, pi, s->velocity[i], both, eta);
            const __m256 gi =
                _mm256_mul_ps(_mm256_mul_ps(other.w, _mm256_set1_ps(k.g_scale)), pair_gradient(kind, &k, &p));
            const __m256 g = _mm256_fmadd_ps(other.z, pair_gradient(kind, &kj, &p), gi);
            add8(&mixed, _mm256_mul_ps(_mm256_mul_ps(half, f), g), p.x, p.y, p.z);
        }
        const float gm = a->kind[i].g, push = -rest * _mm256_cvtss_f32(pi);
        const __m256 sum[3] = {same.x, same.y, same.z}, rest8[3] = {mixed.x, mixed.y, mixed.z};
        for (int d = 0; d < 3; d++)
            s->force[i][d] = s->weight[i][d] + gm * sum8(sum[d]) + sum8(rest8[d]) + push * s->wall[i][d];
    }
}

static void force_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for_kernel(arg, begin, end, force_body);
}

void levels_forces(sph *s)
{
    parallel_for(s->sim.ctx, s->particles.count, 256, force_block, s);
}
