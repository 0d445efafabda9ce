/* Density, pressure and forces between particles of several sizes; the formulas are those of
 * uniform/density.c and uniform/forces.c with
 *     W_ij = W(x_ij, (R_i + R_j) / 2)
 * in all of them (sized.h). The pressure's force is
 *     a_i = -C sum_j m_j (P_i / rho_i^2 + P_j / rho_j^2) grad W_ij,
 * the derivative of that density: DEVIATES from eq. 1, which takes V_i V_j (P_i + P_j) / 2. Viscosity and
 * damping have h and eta as means of the two. All pair terms times m_i are antisymmetric. */
#include "sph/sized/pass.h"

#include <math.h>

enum { FADING_RADII = 100 }; /* that sound crosses while an excess fades to 1/e */
static const float at_surface =
    0.95f; /* fraction of the rest density below which a particle is at the surface */

/* -- density ------------------------------------------------------------------------------ */

/* Density from its sum, without a jump: sized.h. At a free surface, without pressure, it may fall: an excess
 * there would become pressure once more liquid arrives, as below a tap. */
SPH_INLINE void blend(sph *s, size_t i, float sum)
{
    sized_state *a = s->sized;
    if (s->resampled) {
        const float before = s->density[i] > 0 ? s->density[i] / sum - 1 : 0; /* 0: new particle */
        const float most = s->density[i] > at_surface * (float)s->sim.scene->fluid.density ? 0.5f : 0;
        a->excess[i] = before > most ? most : before > -0.5f ? before : -0.5f;
    } else {
        a->excess[i] *= 1 - a->step.fading[a->size[i]];
    }
    s->density[i] = sum * (1 + a->excess[i]);
}

SPH_INLINE void density_body(void *arg, size_t begin, size_t end, sph_kernel kind)
{
    sph *s = arg;
    const sized_state *a = s->sized;
    const __m256 unit = _mm256_set1_ps((float)a->step.unit), zero = _mm256_setzero_ps();
    const bool own = s->def.solver == SPH_DFSPH || s->def.pair_pressure != SPH_OF_DENSITY;
    const class_pair *of = own ? a->own : a->pair; /* dfsph: at the start, pairs.c; otherwise published.c */
    const float share = (float)s->model.calibration,
                rest = (float)(s->model.calibration * s->sim.scene->fluid.density);
    kernel8 k = kernel8_make(&s->model.kernel), kj = k;
    for (size_t i = begin; i < end; i++) {
        const int size = a->size[i];
        const sized_list l = sized_list_of(&a->lists, i);
        const class_pair *t = &of[size];
        const table8 per_reach = table8_make(t->per_reach), w = table8_make(t->w);
        k.inverse_r = _mm256_set1_ps(t->per_reach[size]);
        __m256 same = zero, mixed = zero;
        for (const sized_eight *e = l.at; e < l.mixed; e++) {
            const vec8 at = near8(a->step.place, e);
            same =
                _mm256_add_ps(same, kernel8_w(kind, &k, places_apart(a->step.place[i], &at, unit, zero).d2));
        }
        for (const sized_eight *e = l.mixed; e < l.end; e++) {
            const vec8 at = near8(a->step.place, e);
            const __m256i which = classes8(e->sizes);
            const __m256 d2 = places_apart(a->step.place[i], &at, unit, zero).d2;
            kj.inverse_r = pick8(&per_reach, which);
            mixed = _mm256_fmadd_ps(pick8(&w, which), kernel8_w(kind, &kj, d2), mixed);
        }
        const __m256 all = _mm256_fmadd_ps(_mm256_set1_ps(t->w[size]), same, mixed);
        blend(s, i, share * sum8(all) + rest * s->step.wall[i][3]);
    }
}

static void density_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for_kernel(arg, arg, begin, end, density_body);
}

void sized_density(sph *s)
{
    sized_state *a = s->sized;
    for (int l = 0; l < a->class_count; l++)
        a->step.fading[l] = (float)-expm1(-s->step.dt * s->model.sound_speed /
                                          (FADING_RADII * a->size_class[l].kernel.support));
    parallel_for(s->sim.ctx, s->particles.count, 256, density_block, s);
    s->resampled = false;
}

/* -- pressure ----------------------------------------------------------------------------- */

/* Pairs and walls push with P, that of the equation of state. The column is the stress that pairs carry
 * along the walls: in a direction along a wall, by parts,
 *     -sum_j V_j x_ij dW_ij/dx = sum_j V_j W_ij = 1 - B,
 * where B is what the wall gives of the sum, and so it is P (1 - B). A lattice may carry another stress onto
 * the wall, P itself in the first layer; liquid without one has the same in all directions, and P beside
 * walls comes out 1 / (1 - B) times too large for its depth, 1.15 in the first layer. */
static void pressure_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    const float rest = (float)s->sim.scene->fluid.density, share = (float)s->model.calibration;
    const float stiff = (float)(s->sim.scene->fluid.density * s->model.sound_speed * s->model.sound_speed);
    for (size_t i = begin; i < end; i++) {
        const float inverse = 1 / s->density[i], p = sph_state(s, stiff, s->density[i] / rest);
        s->pressure[i] = p * fmaxf(1 - share * s->step.wall[i][3], 0);
        s->sized->step.place[i][3] = bits_of(p * inverse * inverse);
        s->step.velocity[i][3] = inverse;
    }
}

void sized_pressure(sph *s)
{
    parallel_for(s->sim.ctx, s->particles.count, 8192, pressure_block, s);
}

static void no_pressure_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    for (size_t i = begin; i < end; i++) {
        s->sized->step.place[i][3] = 0;
        s->step.velocity[i][3] = 1 / s->density[i]; /* for viscosity */
    }
}

void sized_no_pressure(sph *s)
{
    parallel_for(s->sim.ctx, s->particles.count, 8192, no_pressure_block, s);
}

float sized_pressure_term(const sph *s, size_t i)
{
    return value_of(s->sized->step.place[i][3]);
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
    const sized_state *a = s->sized;
    const double mu = s->sim.scene->fluid.viscosity;
    const force8 c = {
        .pressure = _mm256_set1_ps(s->def.pair_pressure == SPH_OF_DENSITY ? (float)-s->model.calibration : 0),
        .viscosity = _mm256_set1_ps((float)(2 * (s->model.kernel.dimensions + 2) * mu)),
        .damping = _mm256_set1_ps((float)(0.5 * s->def.damping * s->model.damping_speed)),
        .tiny = _mm256_set1_ps((float)(1e-10 * s->model.kernel.support * s->model.kernel.support)),
        .unit = _mm256_set1_ps((float)a->step.unit),
    };
    const table8 halves = table8_make(a->half_reach);
    const float rest = (float)(s->model.calibration * s->sim.scene->fluid.density);
    const __m256 half = _mm256_set1_ps(0.5f), percent = _mm256_set1_ps(0.01f);
    kernel8 k = kernel8_make(&s->model.kernel), kj = k;
    for (size_t i = begin; i < end; i++) {
        const int size = a->size[i];
        const sized_list l = sized_list_of(&a->lists, i);
        const __m256 pi = _mm256_castsi256_ps(_mm256_set1_epi32(a->step.place[i][3]));
        const class_pair *t = &a->pair[size];
        const table8 per_reach = table8_make(t->per_reach), g = table8_make(t->g);
        const __m256 h = _mm256_set1_ps(a->half_reach[size]), alike = _mm256_set1_ps(t->g[size]);
        const __m256 eta2 = _mm256_mul_ps(percent, _mm256_mul_ps(h, h));
        k.inverse_r = _mm256_set1_ps(t->per_reach[size]);
        vec8 sum = zero8(), mixed = zero8();
        for (const sized_eight *e = l.at; e < l.mixed; e++) {
            const vec8 at = near8(a->step.place, e), q = near8(s->step.velocity, e);
            const pair8 p = places_apart(a->step.place[i], &at, c.unit, c.tiny);
            const __m256 f = force_factor(&c, &p, &at, &q, pi, s->step.velocity[i], h, eta2);
            add8(&sum, _mm256_mul_ps(f, pair_gradient(kind, &k, &p)), p.x, p.y, p.z);
        }
        for (const sized_eight *e = l.mixed; e < l.end; e++) {
            const vec8 at = near8(a->step.place, e), q = near8(s->step.velocity, e);
            const __m256i which = classes8(e->sizes);
            const pair8 p = places_apart(a->step.place[i], &at, c.unit, c.tiny);
            kj.inverse_r = pick8(&per_reach, which);
            const __m256 hj = pick8(&halves, which), both = _mm256_mul_ps(half, _mm256_add_ps(h, hj));
            const __m256 eta = _mm256_mul_ps(half, _mm256_fmadd_ps(percent, _mm256_mul_ps(hj, hj), eta2));
            const __m256 f = force_factor(&c, &p, &at, &q, pi, s->step.velocity[i], both, eta);
            const __m256 part = _mm256_mul_ps(pick8(&g, which), pair_gradient(kind, &kj, &p));
            add8(&mixed, _mm256_mul_ps(f, part), p.x, p.y, p.z);
        }
        sum.x = _mm256_fmadd_ps(alike, sum.x, mixed.x);
        sum.y = _mm256_fmadd_ps(alike, sum.y, mixed.y);
        sum.z = _mm256_fmadd_ps(alike, sum.z, mixed.z);
        const float push = -rest * _mm256_cvtss_f32(pi);
        float all[4];
        _mm_storeu_ps(all, sums8(sum));
        for (int d = 0; d < 3; d++)
            s->step.force[i][d] = s->step.weight[i][d] + all[d] + push * s->step.wall[i][d];
    }
}

static void force_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for_kernel(arg, arg, begin, end, force_body);
}

rill_status sized_forces(sph *s, double dt)
{
    (void)dt;
    s->step.implicit = false;
    parallel_for(s->sim.ctx, s->particles.count, 256, force_block, s);
    if (s->def.pair_pressure != SPH_OF_DENSITY && s->def.solver != SPH_DFSPH) sized_published_pressure(s);
    return RILL_OK;
}
