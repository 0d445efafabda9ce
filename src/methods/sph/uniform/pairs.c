/* What dfsph repeats, between particles of one size (dfsph/pairs.h). */
#include "sph/dfsph/relax.h"
#include "sph/uniform/pass.h"

/* -- preparation ---------------------------------------------------------------------- */

/* Liquid below the density at which it pulls may close a part of its gaps in a step. A jet stretches as it
 * falls, and would keep the gaps between its particles for good. A gap is what a particle's density lacks
 * beyond `usual` and beyond the gradient's share, which is large at a free surface. Walls give their share as
 * if the liquid were a lattice beside them; within their reach a lack is not told from an error of that
 * share. */
static const float gap_usual = 0.05f, gap_slope = 0.7f, gap_part = 0.2f;

static float slack_of_gap(const sph *s, uint32_t index, uint32_t i, float lack, __m128 slope)
{
    float g[4];
    _mm_storeu_ps(g, slope); /* times the spacing */
    const float gap = lack - gap_usual - gap_slope * sqrtf(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    if (!(gap > 0) || !(s->step.dt > 0)) return 0;
    if (s->step.near_wall[index] && solids_distance(&s->sim.solids, s->particles.position[i], s->sim.time,
                                                   NULL) < s->model.kernel.support)
        return 0;
    return gap_part * gap / (float)s->step.dt;
}

SPH_INLINE void prepare_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    sph *s = arg;
    const kernel8 k = kernel8_make(&s->model.kernel);
    const double volume = s->model.calibration * s->model.volume, spacing = s->sim.scene->spacing;
    const float w_scale = (float)(volume * k.w_scale), rest = (float)s->sim.scene->fluid.density;
    const __m256 g_scale = _mm256_set1_ps((float)(volume * k.g_scale * spacing));
    const __m256 tiny = _mm256_set1_ps((float)(1e-10 * spacing * spacing));
    /* Not the whole support: lattice neighbours lie exactly on its edge, and rounding would
     * decide. */
    const __m256 close = _mm256_set1_ps((float)pow(0.95 * s->model.kernel.support, 2));
    const float share = (float)s->model.calibration, per_length = (float)(-1 / spacing), per_rest = 1 / rest;
    const bool flat = s->model.kernel.dimensions == 2;
    /* In a thread of thick liquid that gravity stretches pressure is negative up to the surface, or the
     * thread keeps its width and tears. */
    const float pulls_above = sph_is_thick(s, s->max_speed) ? 0.6f : 0.95f;
    const float(*x)[4] = (const float(*)[4])copy->position;
    for (own o = own_first(s, index); o.i < o.last; own_next(s, &o)) {
        const vec8 at = same8(s->uniform->position[o.i]);
        uint16_t *gradient = s->solve.gradient + 3 * o.at;
        vec8 square = zero8(), mixed = zero8(), slope = zero8(); /* xx yy zz; xy yz zx; x y z */
        __m256 w = _mm256_setzero_ps();
        int near = 0;
        for (const uint16_t *l = o.list; l < o.end; l += NEIGHBOUR_LANES, gradient += 3 * NEIGHBOUR_LANES) {
            const pair8 p = pair_apart(at, load8(x, l), tiny);
            const __m256 g = _mm256_mul_ps(g_scale, pair_gradient(kind, &k, &p));
            const __m256 ax = _mm256_mul_ps(g, p.x), ay = _mm256_mul_ps(g, p.y), az = _mm256_mul_ps(g, p.z);
            w = _mm256_add_ps(w, kernel8_w(kind, &k, p.d2));
            store_halves(gradient, ax, ay, az);
            add8(&slope, _mm256_set1_ps(1), ax, ay, az);
            square.x = _mm256_fmadd_ps(ax, p.x, square.x);
            square.y = _mm256_fmadd_ps(ay, p.y, square.y);
            square.z = _mm256_fmadd_ps(az, p.z, square.z);
            mixed.x = _mm256_fmadd_ps(ax, p.y, mixed.x);
            mixed.y = _mm256_fmadd_ps(ay, p.z, mixed.y);
            mixed.z = _mm256_fmadd_ps(az, p.x, mixed.z);
            near += __builtin_popcount((unsigned)_mm256_movemask_ps(_mm256_cmp_ps(p.d2, close, _CMP_LT_OQ)));
        }
        const float ratio = w_scale * sum8(w) + share * s->step.wall[o.i][3];
        s->density[o.i] = rest * ratio;
        s->solve.spray[o.i] =
            near < s->model.spray_neighbours && ratio < 0.9f; /* in the corner of a box there are few, too */
        s->solve.inside[o.i] = ratio > pulls_above;
        const float lack = 1 - s->density[o.i] * per_rest;
        s->solve.slack[o.i] =
            ratio > pulls_above ? slack_inside(lack) : slack_of_gap(s, index, o.i, lack, sums8(slope));
        float *m = s->solve.correction[0][o.i],
              *n = s->solve.correction[1][o.i]; /* which hold the walls' part */
        const __m128 length = _mm_set1_ps(per_length), part = _mm_set1_ps(-share);
        _mm_store_ps(m, _mm_fmadd_ps(length, sums8(square), _mm_mul_ps(part, _mm_load_ps(m))));
        _mm_store_ps(n, _mm_fmadd_ps(length, sums8(mixed), _mm_mul_ps(part, _mm_load_ps(n))));
        if (flat) m[2] = 1;
    }
}

static void prepare_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const sph *s = arg;
    pass_kernel_tiles(s, (pass_from){.position = (const float(*)[4])s->uniform->position}, begin, end, worker,
                      prepare_tile, arg);
}

rill_status uniform_pairs_prepare(sph *s)
{
    TRY(pairs_reserve(s, s->uniform->lists.used));
    TRY(pairs_allocate(s, &s->step.arena, s->particles.count, s->uniform->tiles.count));
    parallel_for(s->sim.ctx, s->uniform->tiles.count, 2, prepare_tiles, s);
    return RILL_OK;
}

/* -- acceleration --------------------------------------------------------------------- */

typedef struct {
    sph *s;
    const float *k;
    float dt;      /* 0: accelerations only */
    float longest; /* of corrections, in spacings */
} accelerate_job;

/* Where the velocities and the force lead. */
SPH_INLINE void shift(sph *s, uint32_t i, float dt, float most)
{
    float *a = s->step.force[i];
    const float square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    if (square > most * most) {
        const float less = most / sqrtf(square);
        for (int c = 0; c < 3; c++) a[c] *= less;
    }
    const __m128 step = _mm_set1_ps(dt), x = _mm_load_ps(s->uniform->position[i]);
    const __m128 way = _mm_fmadd_ps(step, _mm_load_ps(a), _mm_load_ps(s->step.velocity[i]));
    const __m128 to = _mm_fmadd_ps(step, way, x);
    _mm_store_ps(s->solve.ahead[i],
                 _mm_blend_ps(to, _mm_load_ps(s->solve.ahead[i]), 8)); /* the fourth stays */
}

SPH_INLINE void accelerate_tile(const accelerate_job *j, uint32_t index, const halo_copy *copy, bool shifts)
{
    sph *s = j->s;
    const float most = shifts ? j->longest * (float)s->sim.scene->spacing / (j->dt * j->dt) : 0;
    const float per_length = (float)(-1 / s->sim.scene->spacing), share = (float)-s->model.calibration;
    for (own o = own_first(s, index); o.i < o.last; own_next(s, &o)) {
        const __m256 ki = _mm256_set1_ps(j->k[o.i]);
        const uint16_t *g = s->solve.gradient + 3 * o.at;
        vec8 a = zero8();
        for (const uint16_t *l = o.list; l < o.end; l += NEIGHBOUR_LANES, g += 3 * NEIGHBOUR_LANES) {
            const __m256 sum = _mm256_add_ps(ki, values8(copy->value, l));
            add8(&a, sum, halves(g), halves(g + 8), halves(g + 16));
        }
        const __m128 push =
            _mm_mul_ps(_mm_set1_ps(share * j->k[o.i]), _mm_load_ps(s->solve.wall_gradient[o.i]));
        const __m128 all = _mm_fmadd_ps(_mm_set1_ps(per_length), sums8(a), push);
        _mm_store_ps(s->step.force[o.i], _mm_blend_ps(all, _mm_setzero_ps(), 8));
        if (shifts) shift(s, o.i, j->dt, most);
    }
}

SPH_INLINE void force_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    (void)kind;
    accelerate_tile(arg, index, copy, false);
}

SPH_INLINE void shift_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    (void)kind;
    accelerate_tile(arg, index, copy, true);
}

static void accelerate_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const accelerate_job *j = arg;
    if (j->dt > 0)
        pass_tiles(j->s, (pass_from){.value = j->k}, begin, end, worker, shift_tile, arg);
    else
        pass_tiles(j->s, (pass_from){.value = j->k}, begin, end, worker, force_tile, arg);
}

void uniform_pairs_accelerate(sph *s, const float *k, double dt, double longest)
{
    accelerate_job j = {s, k, (float)dt, (float)longest};
    parallel_for(s->sim.ctx, s->uniform->tiles.count, 2, accelerate_tiles, &j);
}

/* -- divergence ----------------------------------------------------------------------- */

SPH_INLINE void divergence_tile(const pairs_job *j, uint32_t index, const halo_copy *copy,
                                const float (*own_vector)[4], pairs_use use)
{
    sph *s = j->s;
    const float per_length = (float)(1 / s->sim.scene->spacing), share = (float)s->model.calibration;
    const float(*local)[4] = (const float(*)[4])copy->vector;
    float *out = use == PAIRS_RELAX ? s->solve.residual : s->solve.target;
    for (own o = own_first(s, index); o.i < o.last; own_next(s, &o)) {
        const float *q = own_vector[o.i], *b = s->solve.wall_gradient[o.i];
        const vec8 from = same8(q);
        const uint16_t *g = s->solve.gradient + 3 * o.at;
        __m256 sum = _mm256_setzero_ps();
        for (const uint16_t *l = o.list; l < o.end; l += NEIGHBOUR_LANES, g += 3 * NEIGHBOUR_LANES) {
            const vec8 v = load8(local, l);
            sum = _mm256_fmadd_ps(_mm256_sub_ps(from.x, v.x), halves(g), sum);
            sum = _mm256_fmadd_ps(_mm256_sub_ps(from.y, v.y), halves(g + 8), sum);
            sum = _mm256_fmadd_ps(_mm256_sub_ps(from.z, v.z), halves(g + 16), sum);
        }
        const float d = per_length * sum8(sum) + share * (q[0] * b[0] + q[1] * b[1] + q[2] * b[2]);
        out[o.i] = use == PAIRS_RELAX ? d : d - share * b[3];
    }
    if (use == PAIRS_RELAX && !j->apart)
        s->solve.sums[index] =
            relax_rates(j, s->uniform->tiles.tile[index].begin, s->uniform->tiles.tile[index].end);
}

SPH_INLINE void rate_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    (void)kind;
    const pairs_job *j = arg;
    divergence_tile(j, index, copy, j->vector, PAIRS_RATE);
}

SPH_INLINE void relax_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    (void)kind;
    const pairs_job *j = arg;
    divergence_tile(j, index, copy, (const float(*)[4])j->s->step.force, PAIRS_RELAX);
}

static void divergence_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const pairs_job *j = arg;
    const sph *s = j->s;
    if (j->use == PAIRS_RELAX)
        pass_tiles(s, (pass_from){.vector = (const float(*)[4])s->step.force}, begin, end, worker, relax_tile,
                   arg);
    else
        pass_tiles(s, (pass_from){.vector = j->vector}, begin, end, worker, rate_tile, arg);
}

void uniform_pairs_divergence(pairs_job *j)
{
    parallel_for(j->s->sim.ctx, j->s->uniform->tiles.count, 2, divergence_tiles, j);
    pairs_sum_up(j, j->s->uniform->tiles.count);
}

static void relax_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const pairs_job *j = arg;
    const tiles *t = &j->s->uniform->tiles;
    for (size_t k = begin; k < end; k++)
        j->s->solve.sums[k] = relax_rates(j, t->tile[k].begin, t->tile[k].end);
}

void uniform_pairs_relax(pairs_job *j)
{
    parallel_for(j->s->sim.ctx, j->s->uniform->tiles.count, 16, relax_tiles, j);
    pairs_sum_up(j, j->s->uniform->tiles.count);
}
