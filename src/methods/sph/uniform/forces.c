/* Accelerations, [Braley] eq. 35 with the forces it leaves out (errata E-B13):
 *
 *   pressure   -C (sum_j m (P_i/rho_i^2 + P_j/rho_j^2) grad W + rho_0 P_i/rho_i^2 grad B),
 *              the derivative of the density of density.c; to which comes
 *              the weight of liquid pressed against a wall (walls.h)
 *   viscosity  between pairs, with the weights of viscous_pairs.c
 *   damping    Monaghan's artificial viscosity: the same shape, for approaching pairs only,
 *              alpha c h over the mean density
 *
 * All pair terms are antisymmetric: linear momentum is kept to rounding. */
#include "sph/uniform/viscous_pairs.h"

typedef struct {
    float pressure;  /* C m times the kernel's constant */
    float viscosity; /* viscous_pairs_scale times it; mueller: times the Laplacian's */
    float damping;   /* m alpha c h times it */
    float eta2;      /* m^2: keeps the quotient finite */
    float tiny;      /* m^2: smallest squared distance */
} force_scales;

static force_scales scales_of(const sph *s, const kernel8 *k)
{
    const double h = s->model.kernel.support / 2, g = s->model.mass * k->g_scale;
    const double thick = s->uniform->viscosity_factor ? viscous_pairs_scale(s) : 0;
    return (force_scales){
        .pressure = (float)(s->model.calibration * g),
        .viscosity = (float)(thick * (s->model.kernel.kind == SPH_MUELLER ? -k->l_scale : k->g_scale)),
        .damping = (float)(g * s->def.damping * s->model.damping_speed * h),
        .eta2 = (float)(0.01 * h * h),
        .tiny = (float)(1e-10 * h * h),
    };
}

/* What one list adds to the acceleration of particle i. */
SPH_INLINE vec8 force_list(const sph *s, const own *o, const halo_copy *copy, const kernel8 *k,
                           const force_scales *c, sph_kernel kind, bool viscous)
{
    const float(*x)[4] = (const float(*)[4])copy->position, (*v)[4] = (const float(*)[4])copy->vector;
    const vec8 at = same8(s->uniform->position[o->i]), mine = same8(s->step.velocity[o->i]);
    const __m256 damping = _mm256_set1_ps(0.5f * c->damping), pressure = _mm256_set1_ps(-c->pressure);
    const __m256 viscosity = _mm256_mul_ps(_mm256_set1_ps(c->viscosity), mine.w);
    const __m256 eta2 = _mm256_set1_ps(c->eta2), tiny = _mm256_set1_ps(c->tiny);
    vec8 sum = zero8();
    for (const uint16_t *l = o->list; l < o->end; l += NEIGHBOUR_LANES) {
        const vec8 other = load8(x, l), q = load8(v, l);
        const pair8 p = pair_apart(at, other, tiny);
        const __m256 du = _mm256_sub_ps(mine.x, q.x), dv = _mm256_sub_ps(mine.y, q.y),
                     dw = _mm256_sub_ps(mine.z, q.z);
        const __m256 g = pair_gradient(kind, k, &p);
        const __m256 dot = _mm256_fmadd_ps(du, p.x, _mm256_fmadd_ps(dv, p.y, _mm256_mul_ps(dw, p.z)));
        const __m256 rate = _mm256_div_ps(dot, _mm256_add_ps(p.d2, eta2));
        __m256 f = _mm256_mul_ps(pressure, _mm256_add_ps(at.w, other.w));
        f = _mm256_fmadd_ps(_mm256_mul_ps(damping, _mm256_add_ps(mine.w, q.w)),
                            _mm256_min_ps(rate, _mm256_setzero_ps()), f);
        add8(&sum, _mm256_mul_ps(f, g), p.x, p.y, p.z);
        if (!viscous) continue;
        const __m256 rub = _mm256_mul_ps(
            _mm256_mul_ps(viscosity, q.w),
            _mm256_mul_ps(viscous_pair_factor(copy->value, s->uniform->viscosity_factor[o->i], l),
                          kind == SPH_MUELLER ? viscous_pair_weight(kind, k, &p) : g));
        if (kind == SPH_MUELLER)
            add8(&sum, rub, du, dv, dw);
        else
            add8(&sum, _mm256_mul_ps(rub, dot), p.x, p.y, p.z);
    }
    return sum;
}

SPH_INLINE void force_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind, bool viscous)
{
    sph *s = arg;
    const kernel8 k = kernel8_make(&s->model.kernel);
    const force_scales c = scales_of(s, &k);
    const float rest = (float)(s->model.calibration * s->sim.scene->fluid.density);
    for (own o = own_first(s, index); o.i < o.last; own_next(s, &o)) {
        const vec8 sum = force_list(s, &o, copy, &k, &c, kind, viscous);
        const float push = -rest * s->uniform->position[o.i][3];
        const float *weight = s->step.weight[o.i], *wall = s->step.wall[o.i];
        float a[4];
        _mm_storeu_ps(a, sums8(sum));
        for (int d = 0; d < 3; d++) s->step.force[o.i][d] = weight[d] + a[d] + push * wall[d];
    }
}

SPH_INLINE void viscous_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    force_tile(arg, index, copy, kind, true);
}

SPH_INLINE void plain_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    force_tile(arg, index, copy, kind, false);
}

static void force_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const sph *s = arg;
    const bool viscous = s->uniform->viscosity_factor && !s->step.implicit;
    const pass_from from = {.position = (const float(*)[4])s->uniform->position,
                            .vector = (const float(*)[4])s->step.velocity,
                            .value = viscous ? s->uniform->viscosity_factor : NULL};
    if (viscous)
        pass_kernel_tiles(s, from, begin, end, worker, viscous_tile, arg);
    else
        pass_kernel_tiles(s, from, begin, end, worker, plain_tile, arg);
}

void uniform_pair_forces(sph *s)
{
    parallel_for(s->sim.ctx, s->uniform->tiles.count, 4, force_tiles, s);
}
