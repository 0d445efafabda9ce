/* The noise of single particles, taken out of their velocities.
 *
 * Particles of several sizes have no lattice to come to rest in: they go on changing places, and pressure
 * stirs them in proportion to itself, most at the bottom. Viscosity that calms them would calm waves, too. So
 * what is damped is only what neighbours do not have in common to first order, v_i -= strength sum_j V_j W_ij
 * (v_i - v_j - (A_i + A_j) / 2 x_ij),   W_ij the mean of both kernels, with A the gradient of the velocity by
 * corrected differences, exact for linear fields: of a smooth field that leaves differences of the third
 * order (as linear reconstruction does for the artificial viscosity of Frontiere, Raskin and Owen 2017), and
 * of a turning block nothing. Terms times m_i are antisymmetric: momentum is kept. Only between particles
 * inside the liquid, where A is known. */
#include "sph/level_pass.h"

#include <math.h>
#include <string.h>

static const float strength = 0.8f; /* a step; below 1 nothing turns its sign */

static void slope_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    struct levels *a = s->levels;
    const __m128 per_length = _mm_set1_ps((float)(-1 / s->sim.scene->spacing));
    const float per_rest = (float)(1 / s->sim.scene->fluid.density);
    for (uint32_t i = level_leaf(s, begin).begin; i < level_leaf(s, end - 1).end; i++) {
        const vec8 own_v = same8(s->velocity[i]);
        const uint16_t *g = level_gradients(s, i);
        vec8 row[3] = {zero8(), zero8(), zero8()};
        const sized_list l = sized_list_of(&a->lists, i);
        for (const uint32_t *e = s->inner[i] ? l.at : l.end; e < l.end; e += SIZED_LANES, g += LEVEL_GROUP) {
            const vec8 v = fetch8(s->velocity, e);
            const __m256 gx = halves(g), gy = halves(g + 8), gz = halves(g + 16);
            add8(&row[0], _mm256_sub_ps(own_v.x, v.x), gx, gy, gz);
            add8(&row[1], _mm256_sub_ps(own_v.y, v.y), gx, gy, gz);
            add8(&row[2], _mm256_sub_ps(own_v.z, v.z), gx, gy, gz);
        }
        for (int c = 0; c < 3; c++) _mm_store_ps(a->slope[c][i], _mm_mul_ps(per_length, sums8(row[c])));
        a->slope[0][i][3] = s->inner[i];
        a->slope[1][i][3] = fmaxf(s->density[i] * per_rest, 1);
    }
}

/* One component of v_i - v_j - (A_i + A_j) / 2 x_ij. */
SPH_INLINE __m256 rough8(__m256 own_v, __m256 v, const vec8 *own_row, const vec8 *row, const pair8 *p)
{
    const __m256 half = _mm256_set1_ps(-0.5f);
    const __m256 x = _mm256_mul_ps(half, p->x), y = _mm256_mul_ps(half, p->y), z = _mm256_mul_ps(half, p->z);
    __m256 d = _mm256_sub_ps(own_v, v);
    d = _mm256_fmadd_ps(x, _mm256_add_ps(own_row->x, row->x), d);
    d = _mm256_fmadd_ps(y, _mm256_add_ps(own_row->y, row->y), d);
    return _mm256_fmadd_ps(z, _mm256_add_ps(own_row->z, row->z), d);
}

/* m_j (W(d, R_i) + W(d, R_j)) of eight neighbours; other: their kinds. */
SPH_INLINE __m256 weight8(sph_kernel kind, const kernel8 *k, const vec8 *other, __m256 d2)
{
    kernel8 kj = *k;
    kj.inverse_r = other->x;
    const __m256 mine =
        _mm256_mul_ps(_mm256_mul_ps(other->w, _mm256_set1_ps(k->w_scale)), kernel8_w(kind, k, d2));
    return _mm256_fmadd_ps(other->y, kernel8_w(kind, &kj, d2), mine);
}

SPH_INLINE void rough_body(void *arg, size_t begin, size_t end, sph_kernel kind)
{
    sph *s = arg;
    const struct levels *a = s->levels;
    const __m256 unit = _mm256_set1_ps((float)a->unit), zero = _mm256_setzero_ps();
    const float scale = (float)(-0.5 * strength * s->calibration / s->sim.scene->fluid.density);
    for (size_t i = begin; i < end; i++) {
        const kernel8 k = kernel8_make(&level_of(s, i)->kernel);
        const sized_list l = sized_list_of(&a->lists, i);
        const vec8 own_v = same8(s->velocity[i]);
        const vec8 own_row[3] = {same8(a->slope[0][i]), same8(a->slope[1][i]), same8(a->slope[2][i])};
        vec8 sum = zero8();
        for (const uint32_t *e = s->inner[i] ? l.at : l.end; e < l.end; e += SIZED_LANES) {
            const vec8 at = fetch8(a->place, e), other = fetch8(a->kind, e), v = fetch8(s->velocity, e);
            const vec8 x = fetch8(a->slope[0], e), y = fetch8(a->slope[1], e), z = fetch8(a->slope[2], e);
            const pair8 p = places_apart(a->place[i], &at, unit, zero);
            const __m256 w = weight8(kind, &k, &other, p.d2);
            const __m256 share = _mm256_div_ps(x.w, _mm256_max_ps(own_row[1].w, y.w));
            add8(&sum, _mm256_mul_ps(share, w), rough8(own_v.x, v.x, &own_row[0], &x, &p),
                 rough8(own_v.y, v.y, &own_row[1], &y, &p), rough8(own_v.z, v.z, &own_row[2], &z, &p));
        }
        _mm_store_ps(s->force[i], _mm_mul_ps(_mm_set1_ps(scale), sums8(sum)));
    }
}

static void rough_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    level_kernel(arg, arg, level_leaf(arg, begin).begin, level_leaf(arg, end - 1).end, rough_body);
}

void levels_calm(sph *s)
{
    const rill_vec3 none = {0, 0, 0};
    const size_t nobody = s->particles.count;
    for (int c = 0; c < 3; c++) memset(s->levels->slope[c][nobody], 0, sizeof s->levels->slope[c][nobody]);
    parallel_for(s->sim.ctx, s->levels->points.leaves, LEVEL_LEAVES, slope_leaves, s);
    parallel_for(s->sim.ctx, s->levels->points.leaves, LEVEL_LEAVES, rough_leaves, s);
    sph_kick(s, 1, none);
}

/* -- what is shown of pressure ------------------------------------------------------------- */

typedef struct {
    sph *s;
    const float *from;
    float *to;
} mean_job;

SPH_INLINE void mean_body(void *arg, size_t begin, size_t end, sph_kernel kind)
{
    const mean_job *j = arg;
    sph *s = j->s;
    const struct levels *a = s->levels;
    const __m256 unit = _mm256_set1_ps((float)a->unit), zero = _mm256_setzero_ps();
    for (size_t i = begin; i < end; i++) {
        const kernel8 k = kernel8_make(&level_of(s, i)->kernel);
        const sized_list l = sized_list_of(&a->lists, i);
        __m256 sum = zero, all = zero;
        for (const uint32_t *e = l.at; e < l.end; e += SIZED_LANES) {
            const vec8 at = fetch8(a->place, e), other = fetch8(a->kind, e);
            const __m256 d2 = places_apart(a->place[i], &at, unit, zero).d2;
            const __m256 w = weight8(kind, &k, &other, d2);
            all = _mm256_add_ps(all, w);
            sum = _mm256_fmadd_ps(w, fetch_values8(j->from, e), sum);
        }
        j->to[i] = sum8(sum) / sum8(all);
    }
}

static void mean_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const mean_job *j = arg;
    level_kernel(j->s, arg, level_leaf(j->s, begin).begin, level_leaf(j->s, end - 1).end, mean_body);
}

void levels_mean(sph *s, const float *from, float *to)
{
    mean_job j = {s, from, to};
    parallel_for(s->sim.ctx, s->levels->points.leaves, LEVEL_LEAVES, mean_leaves, &j);
}
