/* Removes the noise of single particles from their velocities.
 *
 * Particles of several sizes have no lattice in which to come to rest: they keep rearranging, and pressure
 * drives this in proportion to itself, most at the bottom. Viscosity strong enough to stop it would also
 * damp waves. Only the part of the velocity that neighbours do not share to first order is therefore damped,
 *     v_i -= strength sum_j V_j W_ij (v_i - v_j - (A_i + A_j) / 2 x_ij),
 * W_ij with the mean radius and A the gradient of the velocity by corrected differences, exact for linear
 * fields: a smooth field leaves differences of third order (as linear reconstruction does for the artificial
 * viscosity of Frontiere, Raskin and Owen 2017), and a rotating block none. Terms times m_i are
 * antisymmetric: momentum is kept. Only between particles inside the liquid, where A is known. */
#include "sph/sized/pass.h"

#include <math.h>
#include <string.h>

static const float strength = 0.8f; /* per step; below 1 no component changes its sign */

static void slope_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    sized_state *a = s->sized;
    const step_pairs *p = &a->step.pairs;
    const __m128 per_length = _mm_set1_ps((float)(-1 / s->sim.scene->spacing));
    const float per_rest = (float)(1 / s->sim.scene->fluid.density);
    for (uint32_t i = leaf_particles(s, begin).begin; i < leaf_particles(s, end - 1).end; i++) {
        const vec8 own_v = same8(s->step.velocity[i]);
        vec8 row[3] = {zero8(), zero8(), zero8()};
        const step_list l = step_list_of(s, i);
        for (size_t e = s->solve.inside[i] ? l.begin : l.end; e < l.end; e++) {
            const vec8 v = fetch8(s->step.velocity, p->id + SIZED_LANES * e);
            const uint16_t *g = p->own + GROUP_HALVES * e;
            const __m256 gx = halves(g), gy = halves(g + 8), gz = halves(g + 16);
            add8(&row[0], _mm256_sub_ps(own_v.x, v.x), gx, gy, gz);
            add8(&row[1], _mm256_sub_ps(own_v.y, v.y), gx, gy, gz);
            add8(&row[2], _mm256_sub_ps(own_v.z, v.z), gx, gy, gz);
        }
        for (int c = 0; c < 3; c++) _mm_store_ps(a->step.slope[c][i], _mm_mul_ps(per_length, sums8(row[c])));
        a->step.slope[0][i][3] = s->solve.inside[i];
        a->step.slope[1][i][3] = fmaxf(s->density[i] * per_rest, 1);
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

SPH_INLINE void rough_body(void *arg, size_t begin, size_t end, sph_kernel kind)
{
    sph *s = arg;
    const sized_state *a = s->sized;
    const step_pairs *pairs = &a->step.pairs;
    const __m256 unit = _mm256_set1_ps((float)a->step.unit), zero = _mm256_setzero_ps();
    const float scale = (float)(-strength * s->model.calibration / s->sim.scene->fluid.density);
    kernel8 k = kernel8_make(&s->model.kernel);
    for (size_t i = begin; i < end; i++) {
        const class_pair *t = &a->pair[a->size[i]];
        const table8 per_reach = table8_make(t->per_reach), w = table8_make(t->w);
        const step_list l = step_list_of(s, i);
        const vec8 own_v = same8(s->step.velocity[i]);
        const vec8 own_row[3] = {same8(a->step.slope[0][i]), same8(a->step.slope[1][i]),
                                 same8(a->step.slope[2][i])};
        vec8 sum = zero8();
        for (size_t e = s->solve.inside[i] ? l.begin : l.end; e < l.end; e++) {
            const uint32_t *id = pairs->id + SIZED_LANES * e;
            const __m256i which = classes8(pairs->sizes[e]);
            const vec8 at = fetch8(a->step.place, id), v = fetch8(s->step.velocity, id);
            const vec8 x = fetch8(a->step.slope[0], id), y = fetch8(a->step.slope[1], id),
                       z = fetch8(a->step.slope[2], id);
            const pair8 p = places_apart(a->step.place[i], &at, unit, zero);
            k.inverse_r = pick8(&per_reach, which);
            const __m256 weight = _mm256_mul_ps(pick8(&w, which), kernel8_w(kind, &k, p.d2));
            const __m256 share = _mm256_div_ps(x.w, _mm256_max_ps(own_row[1].w, y.w));
            add8(&sum, _mm256_mul_ps(share, weight), rough8(own_v.x, v.x, &own_row[0], &x, &p),
                 rough8(own_v.y, v.y, &own_row[1], &y, &p), rough8(own_v.z, v.z, &own_row[2], &z, &p));
        }
        _mm_store_ps(s->step.force[i], _mm_mul_ps(_mm_set1_ps(scale), sums8(sum)));
    }
}

static void rough_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for_kernel(arg, arg, leaf_particles(arg, begin).begin, leaf_particles(arg, end - 1).end, rough_body);
}

void sized_smooth_velocities(sph *s)
{
    const rill_vec3 none = {0, 0, 0};
    const size_t padding = s->particles.count;
    for (int c = 0; c < 3; c++)
        memset(s->sized->step.slope[c][padding], 0, sizeof s->sized->step.slope[c][padding]);
    parallel_for(s->sim.ctx, s->sized->points.leaves, LEAVES_PER_TASK, slope_leaves, s);
    parallel_for(s->sim.ctx, s->sized->points.leaves, LEAVES_PER_TASK, rough_leaves, s);
    sph_kick(s, 1, none);
}

/* -- smoothed pressure ------------------------------------------------------------- */

typedef struct {
    sph *s;
    const float *from;
    float *to;
} mean_job;

SPH_INLINE void mean_body(void *arg, size_t begin, size_t end, sph_kernel kind)
{
    const mean_job *j = arg;
    sph *s = j->s;
    const sized_state *a = s->sized;
    const __m256 unit = _mm256_set1_ps((float)a->step.unit), zero = _mm256_setzero_ps();
    const step_pairs *pairs = &a->step.pairs;
    kernel8 k = kernel8_make(&s->model.kernel);
    const float middle = _mm256_cvtss_f32(kernel8_w(kind, &k, zero));
    for (size_t i = begin; i < end; i++) {
        const class_pair *t = &a->pair[a->size[i]];
        const table8 per_reach = table8_make(t->per_reach), w = table8_make(t->w);
        const step_list l = step_list_of(s, i);
        __m256 sum = zero, all = zero;
        for (size_t e = l.begin; e < l.end; e++) {
            const uint32_t *id = pairs->id + SIZED_LANES * e;
            const __m256i which = classes8(pairs->sizes[e]);
            const vec8 at = fetch8(a->step.place, id);
            k.inverse_r = pick8(&per_reach, which);
            const __m256 d2 = places_apart(a->step.place[i], &at, unit, zero).d2;
            const __m256 weight = _mm256_mul_ps(pick8(&w, which), kernel8_w(kind, &k, d2));
            all = _mm256_add_ps(all, weight);
            sum = _mm256_fmadd_ps(weight, fetch_values8(j->from, id), sum);
        }
        const float own_weight = t->w[a->size[i]] * middle;
        j->to[i] = (sum8(sum) + own_weight * j->from[i]) / (sum8(all) + own_weight);
    }
}

static void mean_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const mean_job *j = arg;
    for_kernel(j->s, arg, leaf_particles(j->s, begin).begin, leaf_particles(j->s, end - 1).end, mean_body);
}

void sized_smooth(sph *s, const float *from, float *to)
{
    mean_job j = {s, from, to};
    parallel_for(s->sim.ctx, s->sized->points.leaves, LEAVES_PER_TASK, mean_leaves, &j);
}
