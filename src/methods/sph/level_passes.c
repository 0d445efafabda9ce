/* Density, pressure and forces between particles of several sizes; the formulas are those of
 * density.c and forces.c with
 *     W_ij = W(x_ij, (R_i + R_j) / 2)
 * in all of them (levels.h). The pressure's force is
 *     a_i = -C sum_j m_j (P_i / rho_i^2 + P_j / rho_j^2) grad W_ij,
 * the derivative of that density: DEVIATES from eq. 1, which takes V_i V_j (P_i + P_j) / 2. Viscosity and
 * damping have h and eta as means of the two. All pair terms times m_i are antisymmetric. */
#include "sph/level_pass.h"

#include <math.h>

enum { FADING_RADII = 100 };           /* that sound crosses while an excess fades to 1/e */
static const float at_surface = 0.95f; /* of the rest density: who has less is */

/* -- density ------------------------------------------------------------------------------ */

/* Density from its sum, without a jump: levels.h. At an open surface, where nothing presses, it may fall: an
 * excess there would press once more liquid has come, as it does below a tap. */
SPH_INLINE void blend(sph *s, size_t i, float sum)
{
    struct levels *a = s->levels;
    if (a->resampled) {
        const float before = s->density[i] > 0 ? s->density[i] / sum - 1 : 0; /* 0: it has just come in */
        const float most = s->density[i] > at_surface * (float)s->sim.scene->fluid.density ? 0.5f : 0;
        a->excess[i] = before > most ? most : before > -0.5f ? before : -0.5f;
    } else {
        a->excess[i] *= 1 - a->fading[a->size[i]];
    }
    s->density[i] = sum * (1 + a->excess[i]);
}

SPH_INLINE void density_body(void *arg, size_t begin, size_t end, sph_kernel kind)
{
    sph *s = arg;
    const struct levels *a = s->levels;
    const __m256 unit = _mm256_set1_ps((float)a->unit), zero = _mm256_setzero_ps();
    const level_pair *of =
        s->def.solver == SPH_DFSPH ? a->own : a->pair; /* before the start: level_pairs.c */
    const float share = (float)s->calibration, rest = (float)(s->calibration * s->sim.scene->fluid.density);
    kernel8 k = kernel8_make(&s->kernel), kj = k;
    for (size_t i = begin; i < end; i++) {
        const int size = a->size[i];
        const sized_list l = sized_list_of(&a->lists, i);
        const level_pair *t = &of[size];
        const table8 per_reach = table8_make(t->per_reach), w = table8_make(t->w);
        k.inverse_r = _mm256_set1_ps(t->per_reach[size]);
        __m256 same = zero, mixed = zero;
        for (const sized_eight *e = l.at; e < l.mixed; e++) {
            const vec8 at = near8(a->place, e);
            same = _mm256_add_ps(same, kernel8_w(kind, &k, places_apart(a->place[i], &at, unit, zero).d2));
        }
        for (const sized_eight *e = l.mixed; e < l.end; e++) {
            const vec8 at = near8(a->place, e);
            const __m256i which = levels8(e->sizes);
            const __m256 d2 = places_apart(a->place[i], &at, unit, zero).d2;
            kj.inverse_r = pick8(&per_reach, which);
            mixed = _mm256_fmadd_ps(pick8(&w, which), kernel8_w(kind, &kj, d2), mixed);
        }
        const __m256 all = _mm256_fmadd_ps(_mm256_set1_ps(t->w[size]), same, mixed);
        blend(s, i, share * sum8(all) + rest * s->wall[i][3]);
    }
}

static void density_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    level_kernel(arg, arg, begin, end, density_body);
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

/* Pairs and walls push with P, that of the equation of state. What is shown is the stress that pairs carry
 * along the walls: in a direction along a wall, by parts,
 *     -sum_j V_j x_ij dW_ij/dx = sum_j V_j W_ij = 1 - B,
 * where B is what the wall gives of the sum, and so it is P (1 - B). A lattice may carry another stress onto
 * the wall, P itself in the first layer; liquid without one has the same in all directions, and P beside
 * walls comes out 1 / (1 - B) times too large for its depth, 1.15 in the first layer. */
static void pressure_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    const float rest = (float)s->sim.scene->fluid.density, share = (float)s->calibration;
    const float stiff = (float)(s->sim.scene->fluid.density * s->sound_speed * s->sound_speed);
    for (size_t i = begin; i < end; i++) {
        const float inverse = 1 / s->density[i], p = sph_state(s, stiff, s->density[i] / rest);
        s->pressure[i] = p * fmaxf(1 - share * s->wall[i][3], 0);
        s->levels->place[i][3] = bits_of(p * inverse * inverse);
        s->velocity[i][3] = inverse;
    }
}

void levels_pressure(sph *s)
{
    parallel_for(s->sim.ctx, s->particles.count, 8192, pressure_block, s);
}

float levels_push(const sph *s, size_t i)
{
    return value_of(s->levels->place[i][3]);
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

SPH_INLINE void force_body(void *arg, size_t begin, size_t end, sph_kernel kind)
{
    sph *s = arg;
    const struct levels *a = s->levels;
    const double mu = s->sim.scene->fluid.viscosity;
    const force8 c = {
        .pressure = _mm256_set1_ps((float)-s->calibration),
        .viscosity = _mm256_set1_ps((float)(2 * (s->kernel.dimensions + 2) * mu)),
        .damping = _mm256_set1_ps((float)(0.5 * s->def.damping * s->damping_speed)),
        .tiny = _mm256_set1_ps((float)(1e-10 * s->kernel.support * s->kernel.support)),
        .unit = _mm256_set1_ps((float)a->unit),
    };
    const table8 halves = table8_make(a->half_reach);
    const float rest = (float)(s->calibration * s->sim.scene->fluid.density);
    const __m256 half = _mm256_set1_ps(0.5f), percent = _mm256_set1_ps(0.01f);
    kernel8 k = kernel8_make(&s->kernel), kj = k;
    for (size_t i = begin; i < end; i++) {
        const int size = a->size[i];
        const sized_list l = sized_list_of(&a->lists, i);
        const __m256 pi = _mm256_castsi256_ps(_mm256_set1_epi32(a->place[i][3]));
        const level_pair *t = &a->pair[size];
        const table8 per_reach = table8_make(t->per_reach), g = table8_make(t->g);
        const __m256 h = _mm256_set1_ps(a->half_reach[size]), alike = _mm256_set1_ps(t->g[size]);
        const __m256 eta2 = _mm256_mul_ps(percent, _mm256_mul_ps(h, h));
        k.inverse_r = _mm256_set1_ps(t->per_reach[size]);
        vec8 sum = zero8(), mixed = zero8();
        for (const sized_eight *e = l.at; e < l.mixed; e++) {
            const vec8 at = near8(a->place, e), q = near8(s->velocity, e);
            const pair8 p = places_apart(a->place[i], &at, c.unit, c.tiny);
            const __m256 f = force_factor(&c, &p, &at, &q, pi, s->velocity[i], h, eta2);
            add8(&sum, _mm256_mul_ps(f, pair_gradient(kind, &k, &p)), p.x, p.y, p.z);
        }
        for (const sized_eight *e = l.mixed; e < l.end; e++) {
            const vec8 at = near8(a->place, e), q = near8(s->velocity, e);
            const __m256i which = levels8(e->sizes);
            const pair8 p = places_apart(a->place[i], &at, c.unit, c.tiny);
            kj.inverse_r = pick8(&per_reach, which);
            const __m256 hj = pick8(&halves, which), both = _mm256_mul_ps(half, _mm256_add_ps(h, hj));
            const __m256 eta = _mm256_mul_ps(half, _mm256_fmadd_ps(percent, _mm256_mul_ps(hj, hj), eta2));
            const __m256 f = force_factor(&c, &p, &at, &q, pi, s->velocity[i], both, eta);
            const __m256 part = _mm256_mul_ps(pick8(&g, which), pair_gradient(kind, &kj, &p));
            add8(&mixed, _mm256_mul_ps(f, part), p.x, p.y, p.z);
        }
        sum.x = _mm256_fmadd_ps(alike, sum.x, mixed.x);
        sum.y = _mm256_fmadd_ps(alike, sum.y, mixed.y);
        sum.z = _mm256_fmadd_ps(alike, sum.z, mixed.z);
        const float push = -rest * _mm256_cvtss_f32(pi);
        float all[4];
        _mm_storeu_ps(all, sums8(sum));
        for (int d = 0; d < 3; d++) s->force[i][d] = s->weight[i][d] + all[d] + push * s->wall[i][d];
    }
}

static void force_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    level_kernel(arg, arg, begin, end, force_body);
}

void levels_forces(sph *s)
{
    parallel_for(s->sim.ctx, s->particles.count, 256, force_block, s);
}
