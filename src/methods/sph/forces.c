/* Accelerations, [Braley] eq. 35 with the forces it leaves out (METHODS.md E-B13):
 *
 *   pressure   -C (sum_j m (P_i/rho_i^2 + P_j/rho_j^2) grad W + rho_0 P_i/rho_i^2 grad B),
 *              the derivative of the density of density.c; to which comes
 *              the weight of liquid pressed against a wall (walls.h)
 *   viscosity  sum_j m 2(dim+2) mu/(rho_i rho_j) (v_ij . x_ij)/(r^2 + eta^2) grad W, which
 *              keeps angular momentum (Monaghan 2005, eq. 8.8); with the mueller kernels
 *              their Laplacian form instead
 *   damping    Monaghan's artificial viscosity: the same shape, for approaching pairs only,
 *              alpha c h over the mean density
 *
 * All pair terms are antisymmetric: linear momentum is kept to rounding. */
#include "sph/simd.h"
#include "sph/state.h"

typedef struct {
    float pressure;  /* C m times the kernel's constant */
    float viscosity; /* m 2(dim+2) mu times it; mueller: m mu times the Laplacian's */
    float damping;   /* m alpha c h times it */
    float eta2;      /* m^2: keeps the quotient finite */
    float tiny;      /* m^2: smallest squared distance */
} force_scales;

static force_scales scales_of(const sph *s, const kernel8 *k)
{
    const double h = s->kernel.support / 2, g = s->mass * k->g_scale;
    const double mu = s->sim.scene->fluid.viscosity;
    return (force_scales){
        .pressure = (float)(s->calibration * g),
        .viscosity = (float)(s->kernel.kind == SPH_MUELLER ? s->mass * mu * k->l_scale
                                                           : g * 2 * (s->kernel.dimensions + 2) * mu),
        .damping = (float)(g * s->def.damping * s->damping_speed * h),
        .eta2 = (float)(0.01 * h * h),
        .tiny = (float)(1e-10 * h * h),
    };
}

typedef struct {
    __m256 x, y, z;
} sum3;

/* What one list adds to the acceleration of the particle that is `at`, with velocity `own`. */
SPH_INLINE sum3 force_list(const float (*x)[4], const float (*v)[4], const float *at, const float *own,
                           const uint16_t *list, const uint16_t *end, const kernel8 *k, const force_scales *c,
                           sph_kernel kind, bool viscous)
{
    const __m256 xi = _mm256_set1_ps(at[0]), yi = _mm256_set1_ps(at[1]), zi = _mm256_set1_ps(at[2]);
    const __m256 ui = _mm256_set1_ps(own[0]), vi = _mm256_set1_ps(own[1]), wi = _mm256_set1_ps(own[2]);
    const __m256 pi = _mm256_set1_ps(at[3]), ri = _mm256_set1_ps(own[3]);
    const __m256 damping = _mm256_set1_ps(0.5f * c->damping), pressure = _mm256_set1_ps(-c->pressure);
    const __m256 viscosity = _mm256_mul_ps(_mm256_set1_ps(c->viscosity), ri);
    const __m256 eta2 = _mm256_set1_ps(c->eta2), tiny = _mm256_set1_ps(c->tiny);
    sum3 sum = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
    for (; list < end; list += NEIGHBOUR_LANES) {
        const vec8 p = load8(x, list), q = load8(v, list);
        const __m256 dx = _mm256_sub_ps(xi, p.x), dy = _mm256_sub_ps(yi, p.y), dz = _mm256_sub_ps(zi, p.z);
        const __m256 du = _mm256_sub_ps(ui, q.x), dv = _mm256_sub_ps(vi, q.y), dw = _mm256_sub_ps(wi, q.z);
        const __m256 d2 =
            _mm256_max_ps(_mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz))), tiny);
        const __m256 d = _mm256_sqrt_ps(d2);
        const __m256 g = kernel8_g(kind, k, d2, d, _mm256_div_ps(k->one, d));
        const __m256 dot = _mm256_fmadd_ps(du, dx, _mm256_fmadd_ps(dv, dy, _mm256_mul_ps(dw, dz)));
        const __m256 rate = _mm256_div_ps(dot, _mm256_add_ps(d2, eta2));
        __m256 f = _mm256_mul_ps(pressure, _mm256_add_ps(pi, p.w));
        f = _mm256_fmadd_ps(_mm256_mul_ps(damping, _mm256_add_ps(ri, q.w)),
                            _mm256_min_ps(rate, _mm256_setzero_ps()), f);
        if (viscous && kind != SPH_MUELLER) f = _mm256_fmadd_ps(_mm256_mul_ps(viscosity, q.w), rate, f);
        f = _mm256_mul_ps(f, g);
        sum.x = _mm256_fmadd_ps(f, dx, sum.x);
        sum.y = _mm256_fmadd_ps(f, dy, sum.y);
        sum.z = _mm256_fmadd_ps(f, dz, sum.z);
        if (viscous && kind == SPH_MUELLER) {
            const __m256 l = _mm256_mul_ps(_mm256_mul_ps(viscosity, q.w), kernel8_l(k, d));
            sum.x = _mm256_fnmadd_ps(l, du, sum.x);
            sum.y = _mm256_fnmadd_ps(l, dv, sum.y);
            sum.z = _mm256_fnmadd_ps(l, dw, sum.z);
        }
    }
    return sum;
}

SPH_INLINE void force_tile(sph *s, uint32_t index, const halo_copy *copy, sph_kernel kind, bool viscous)
{
    const kernel8 k = kernel8_make(&s->kernel);
    const force_scales c = scales_of(s, &k);
    const float rest = (float)(s->calibration * s->sim.scene->fluid.density);
    const float(*x)[4] = (const float(*)[4])copy->position, (*v)[4] = (const float(*)[4])copy->velocity;
    const uint16_t *list = s->lists.pool + s->lists.segment[index];
    for (uint32_t i = s->tiles.tile[index].begin; i < s->tiles.tile[index].end; i++) {
        const uint16_t *end = list + s->lists.count[i];
        const sum3 sum = force_list(x, v, s->position[i], s->velocity[i], list, end, &k, &c, kind, viscous);
        list = end;
        const float push = -rest * s->position[i][3];
        s->force[i][0] = s->weight[i][0] + sum8(sum.x) + push * s->wall[i][0];
        s->force[i][1] = s->weight[i][1] + sum8(sum.y) + push * s->wall[i][1];
        s->force[i][2] = s->weight[i][2] + sum8(sum.z) + push * s->wall[i][2];
    }
}

static void force_tiles(void *arg, size_t begin, size_t end, int worker)
{
    sph *s = arg;
    const halo_copy *copy = &s->copy[worker];
    const bool viscous = s->sim.scene->fluid.viscosity > 0 && !s->implicit;
    for (size_t k = begin; k < end; k++) {
        halo h;
        const uint32_t i = (uint32_t)k;
        halo_build(&s->tiles, i, &h);
        halo_gather_positions(&h, (const float(*)[4])s->position, copy->position);
        halo_gather(&h, (const float(*)[4])s->velocity, copy->velocity);
        switch (s->kernel.kind) { /* one copy of the loop per kernel */
        case SPH_GAUSSIAN: force_tile(s, i, copy, SPH_GAUSSIAN, viscous); break;
        case SPH_CUBIC:
            if (viscous)
                force_tile(s, i, copy, SPH_CUBIC, true);
            else
                force_tile(s, i, copy, SPH_CUBIC, false);
            break;
        case SPH_MUELLER: force_tile(s, i, copy, SPH_MUELLER, viscous); break;
        default: force_tile(s, i, copy, SPH_WENDLAND, viscous);
        }
    }
}

void sph_forces(sph *s)
{
    parallel_for(s->sim.ctx, s->tiles.count, 4, force_tiles, s);
}
