/* The weights of viscosity between pairs.
 *
 *   a_i = sum_j c_ij x_ij (x_ij . v_ij),   c_ij = 2 nu V (W'/r) (s_i + s_j) / 2 / M,   M = Q / (d (d + 2))
 *
 * keeps linear and angular momentum, and is nu (laplace v + 2 grad div v) where
 * Q = sum_j V (-W'/r) r^4 is what M was made for. DEVIATES from Monaghan 2005, eq. 8.8, twice:
 *
 * - No division by r^2: at two spacings that gave lattices a viscosity that depends on direction, in two
 *   dimensions 1.35 of it for strain along the axes and 0.66 for shear along them. W'/r alone has
 *   fourth moments that are nearly isotropic (cubic: 1.005 and 0.985; in three
 *   dimensions 1.04 and 0.95).
 * - s_i = Q of a lattice / Q_i. Disordered liquid has fewer pairs at the distances that count, and
 *   a viscosity of 0.8 without. Next to walls the lattice is one that ends there. At a
 *   free surface, where pairs are rightly missing, s goes to 1.
 *
 * mueller has its own Laplacian instead, sum_j c_ij v_ij, of which the second moment is held. */
#include "sph/uniform/viscous_pairs.h"

#include <math.h>

static const float bare = 0.85f, covered = 0.95f; /* by density ratio: none below, all above */
static const float least = 0.7f, most = 1.5f;

/* Q of the lattice, of all neighbours or of those not below the particle. */
static double lattice_moment(const sph *s, bool half)
{
    const kernel *k = &s->model.kernel;
    const double D = s->sim.scene->spacing;
    const int n = (int)ceil(k->support / D), nz = k->dimensions == 2 ? 0 : n;
    double sum = 0;
    for (int z = -nz; z <= nz; z++)
        for (int y = half ? 0 : -n; y <= n; y++)
            for (int x = -n; x <= n; x++) {
                const double r = D * sqrt(x * x + y * y + z * z);
                if (!(r > 0 && r < k->support)) continue;
                sum += k->kind == SPH_MUELLER ? kernel_laplacian(k, r) * r * r
                                              : -kernel_dw_over_r(k, r) * r * r * r * r;
            }
    return sum * s->model.volume;
}

double viscous_pairs_scale(const sph *s)
{
    const double d = s->model.kernel.dimensions, Q = lattice_moment(s, false);
    const double M = s->model.kernel.kind == SPH_MUELLER ? Q / d : Q / (d * (d + 2));
    return s->model.mass * s->sim.scene->fluid.viscosity / M;
}

typedef struct {
    sph *s;
    float lattice;    /* Q, without the kernel's constant and V */
    float wall_share; /* of Q that a wall takes, over its share in the density */
} factor_job;

SPH_INLINE void factor_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    const factor_job *j = arg;
    sph *s = j->s;
    const kernel8 k = kernel8_make(&s->model.kernel);
    const float per_rest = (float)(1 / s->sim.scene->fluid.density);
    const __m256 tiny = _mm256_set1_ps((float)(1e-10 * s->model.kernel.support * s->model.kernel.support));
    for (own o = own_first(s, index); o.i < o.last; own_next(s, &o)) {
        const vec8 at = same8(s->uniform->position[o.i]);
        __m256 sum = _mm256_setzero_ps();
        for (const uint16_t *l = o.list; l < o.end; l += NEIGHBOUR_LANES) {
            pair8 p = pair_apart(at, load8((const float(*)[4])copy->position, l), tiny);
            const __m256 w = viscous_pair_weight(kind, &k, &p);
            p.d2 =
                _mm256_and_ps(p.d2, _mm256_cmp_ps(w, _mm256_setzero_ps(), _CMP_NEQ_OQ)); /* padding lanes */
            const __m256 power = kind == SPH_MUELLER ? p.d2 : _mm256_mul_ps(p.d2, p.d2);
            sum = _mm256_fmadd_ps(w, power, sum);
        }
        const float open = fmaxf(1 - j->wall_share * s->step.wall[o.i][3], 0.2f);
        const float ratio = j->lattice * open / sum8(sum);
        const float share = fminf(fmaxf((s->density[o.i] * per_rest - bare) / (covered - bare), 0), 1);
        const float full = ratio > least ? fminf(ratio, most) : ratio > 0 ? least : 1;
        s->uniform->viscosity_factor[o.i] = 1 + share * (full - 1);
    }
}

static void factor_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const factor_job *j = arg;
    pass_kernel_tiles(j->s, (pass_from){.position = (const float(*)[4])j->s->uniform->position}, begin, end,
                      worker, factor_tile, arg);
}

rill_status viscous_pairs_prepare(sph *s)
{
    if (!(s->model.kinematic > 0)) return RILL_OK;
    TRY(ARENA_NEW(&s->step.arena, s->uniform->viscosity_factor, s->particles.count));
    const kernel8 k = kernel8_make(&s->model.kernel);
    const double Q = lattice_moment(s, false),
                 wall = walls_value(&s->model.walls, s->sim.scene->spacing / 2, NULL);
    const double scale = s->model.kernel.kind == SPH_MUELLER ? (double)k.l_scale : -(double)k.g_scale;
    factor_job j = {s, (float)(Q / (s->model.volume * scale)),
                    (float)((1 - lattice_moment(s, true) / Q) / wall)};
    parallel_for(s->sim.ctx, s->uniform->tiles.count, 4, factor_tiles, &j);
    return RILL_OK;
}
