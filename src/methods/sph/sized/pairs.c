/* What dfsph repeats, between particles of several sizes; see pairs.c, correct.c and ahead.c of `uniform`.
 *
 * Each particle sums with its own kernel, rho_i = C sum_j m_j W(x_ij, R_i), where an equation of state takes
 * that of the mean radius (passes.c). The mean of both kernels gives small particles beside large ones too
 * much density and large ones too little, and they drift through the liquid like bubbles and sand; a liquid
 * at rest had four times the energy. Own kernels are exact where sizes vary slowly, and since density is
 * held here, its jumps between classes (errata E-A7) turn into distance between particles. With g_ij = C V_j
 * L_i grad W(x_ij, R_i) and D_i = sum_j (q_i - q_j) . g_ij, corrected as in dfsph/correct.c but each end by
 * its own L, which is exact, the force is D's transpose, a_i = -sum_j (k_i g_ij + k_j g'_ij), g'_ij = C V_j
 * L_j grad W(x_ij, R_j). Both are stored, times the finest spacing, as half floats in two arrays: D needs
 * only the one, and the force only the other, since sum_j g_ij is known. V_j is the finest volume times a
 * power of two, so that both ends of a pair round alike, V_i g'_ij = -V_j g_ji, and momentum is kept: the
 * sum is that of the rounded values.
 *
 * Residuals are means over particles, not over mass: fine particles at walls and surfaces would hardly
 * count. Corrections of positions are bounded by a particle's own spacing. */
#include "sph/dfsph/correct.h"
#include "sph/dfsph/relax.h"
#include "sph/sized/pass.h"

#include <math.h>
#include <string.h>

/* -- preparation -------------------------------------------------------------------------- */

/* Moments of one particle: xx yy zz; xy yz zx. */
typedef struct {
    vec8 square, mixed;
} moments8;

SPH_INLINE void add_moments(moments8 *m, const vec8 *g, const pair8 *p)
{
    m->square.x = _mm256_fmadd_ps(g->x, p->x, m->square.x);
    m->square.y = _mm256_fmadd_ps(g->y, p->y, m->square.y);
    m->square.z = _mm256_fmadd_ps(g->z, p->z, m->square.z);
    m->mixed.x = _mm256_fmadd_ps(g->x, p->y, m->mixed.x);
    m->mixed.y = _mm256_fmadd_ps(g->y, p->z, m->mixed.y);
    m->mixed.z = _mm256_fmadd_ps(g->z, p->x, m->mixed.z);
}

SPH_INLINE vec8 along8(__m256 g, const pair8 *p)
{
    return (vec8){_mm256_mul_ps(g, p->x), _mm256_mul_ps(g, p->y), _mm256_mul_ps(g, p->z),
                  _mm256_setzero_ps()};
}

/* Per class, of its own kernel: 1 / R, and the gradient's constant. */
typedef struct {
    table8 per_reach, g;
} class_table;

static class_table table_of_classes(const sized_state *a)
{
    float per_reach[SIZED_MOST + 1] = {0}, g[SIZED_MOST + 1] = {0};
    for (int l = 0; l < a->class_count; l++) {
        per_reach[l] = a->own[l].per_reach[l];
        g[l] = a->own[l].g[l];
    }
    return (class_table){table8_make(per_reach), table8_make(g)};
}

SPH_INLINE void prepare_body(void *arg, size_t begin, size_t end, sph_kernel kind)
{
    sph *s = arg;
    const sized_state *a = s->sized;
    const step_pairs *pairs = &a->step.pairs;
    const float rest = (float)s->sim.scene->fluid.density, share = (float)s->model.calibration;
    const double spacing = s->sim.scene->spacing;
    const __m256 unit = _mm256_set1_ps((float)a->step.unit);
    const __m256 tiny = _mm256_set1_ps((float)(1e-10 * spacing * spacing));
    const __m256 per_mass =
        _mm256_set1_ps((float)(s->model.calibration * spacing / s->sim.scene->fluid.density));
    /* Not the whole kernel: lattice neighbours lie exactly on its edge, and rounding would decide. */
    const __m256 close = _mm256_set1_ps(0.95f * 0.95f);
    const float per_length = (float)(-1 / spacing), per_rest = 1 / rest;
    const bool flat = s->model.kernel.dimensions == 2;
    const class_table classes = table_of_classes(a);
    kernel8 k = kernel8_make(&s->model.kernel), kj = k;
    const float middle = _mm256_cvtss_f32(kernel8_w(kind, &k, _mm256_setzero_ps()));
    for (size_t i = begin; i < end; i++) {
        const int size = a->size[i];
        const class_pair *t = &a->own[size];
        const table8 w = table8_make(t->w), g = table8_make(t->g), wider2 = table8_make(t->wider2);
        const step_list l = step_list_of(s, i);
        k.inverse_r = _mm256_set1_ps(t->per_reach[size]);
        moments8 moments = {zero8(), zero8()};
        __m256 sum = _mm256_setzero_ps();
        int near = 1;
        for (size_t e = l.begin; e < l.end; e++) {
            const vec8 at = fetch8(a->step.place, pairs->id + SIZED_LANES * e);
            const pair8 p = places_apart(a->step.place[i], &at, unit, tiny);
            const __m256i which = classes8(pairs->sizes[e]);
            kj.inverse_r = pick8(&classes.per_reach, which);
            const __m256 mine = _mm256_mul_ps(pick8(&g, which), pair_gradient(kind, &k, &p));
            const __m256 other = _mm256_mul_ps(pick8(&classes.g, which), pair_gradient(kind, &kj, &p));
            const vec8 b = along8(_mm256_mul_ps(per_mass, mine), &p),
                       c = along8(_mm256_mul_ps(per_mass, other), &p);
            store_halves(pairs->own + GROUP_HALVES * e, b.x, b.y, b.z);
            store_halves(pairs->other + GROUP_HALVES * e, c.x, c.y, c.z);
            add_moments(&moments, &b, &p);
            sum = _mm256_fmadd_ps(pick8(&w, which), kernel8_w(kind, &k, p.d2), sum);
            const __m256 edge = _mm256_mul_ps(close, pick8(&wider2, which));
            near += __builtin_popcount((unsigned)_mm256_movemask_ps(_mm256_cmp_ps(p.d2, edge, _CMP_LT_OQ)));
        }
        const float all = t->w[size] * middle + sum8(sum), ratio = share * (all / rest + s->step.wall[i][3]);
        s->density[i] = rest * ratio;
        s->solve.spray[i] = near < s->model.spray_neighbours && ratio < 0.9f;
        s->solve.inside[i] = ratio > 0.95f;
        s->solve.slack[i] = ratio > 0.95f ? slack_inside(1 - s->density[i] * per_rest) : 0;
        float *m = s->solve.correction[0][i],
              *n = s->solve.correction[1][i]; /* which contain the walls' part */
        const __m128 length = _mm_set1_ps(per_length), part = _mm_set1_ps(-share);
        _mm_store_ps(m, _mm_fmadd_ps(length, sums8(moments.square), _mm_mul_ps(part, _mm_load_ps(m))));
        _mm_store_ps(n, _mm_fmadd_ps(length, sums8(moments.mixed), _mm_mul_ps(part, _mm_load_ps(n))));
        if (flat) m[2] = 1;
    }
}

static void prepare_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for_kernel(arg, arg, leaf_particles(arg, begin).begin, leaf_particles(arg, end - 1).end, prepare_body);
}

rill_status sized_pairs_prepare(sph *s)
{
    const size_t padding = s->particles.count;
    TRY(sized_find_step_pairs(s));
    memset(s->solve.correction[0][padding], 0, sizeof s->solve.correction[0][padding]);
    memset(s->solve.correction[1][padding], 0, sizeof s->solve.correction[1][padding]);
    memset(s->step.force[padding], 0, sizeof s->step.force[padding]);
    s->solve.k[padding] = s->solve.change[padding] = 0;
    parallel_for(s->sim.ctx, s->sized->points.leaves, LEAVES_PER_TASK, prepare_leaves, s);
    s->resampled = false;
    return RILL_OK;
}

/* -- correction --------------------------------------------------------------------------- */

/* Multiplies eight gradients by L in place, rounded as stored; d, m: xx yy zz, xy yz zx. */
SPH_INLINE vec8 apply8(uint16_t *g, vec8 d, vec8 m)
{
    const __m256 x = halves(g), y = halves(g + 8), z = halves(g + 16);
    store_halves(g, _mm256_fmadd_ps(d.x, x, _mm256_fmadd_ps(m.x, y, _mm256_mul_ps(m.z, z))),
                 _mm256_fmadd_ps(m.x, x, _mm256_fmadd_ps(d.y, y, _mm256_mul_ps(m.y, z))),
                 _mm256_fmadd_ps(m.z, x, _mm256_fmadd_ps(m.y, y, _mm256_mul_ps(d.z, z))));
    return (vec8){halves(g), halves(g + 8), halves(g + 16), _mm256_setzero_ps()};
}

static void correct_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    const sized_state *a = s->sized;
    const step_pairs *p = &a->step.pairs;
    const __m256 one = _mm256_set1_ps(1);
    float light[SIZED_MOST + 1]; /* mass of the finest class over that of each */
    for (int l = 0; l <= SIZED_MOST; l++) light[l] = (float)ldexp(1, -l);
    const table8 lighter = table8_make(light);
    const __m128 per_length = _mm_set1_ps((float)(-1 / s->sim.scene->spacing)),
                 share = _mm_set1_ps((float)-s->model.calibration);
    for (uint32_t i = leaf_particles(s, begin).begin; i < leaf_particles(s, end - 1).end; i++) {
        const vec8 own_d = same8(s->solve.correction[0][i]), own_m = same8(s->solve.correction[1][i]);
        const step_list l = step_list_of(s, i);
        vec8 sum = zero8();
        __m256 square = _mm256_setzero_ps();
        for (size_t e = l.begin; e < l.end; e++) {
            const uint32_t *id = p->id + SIZED_LANES * e;
            const vec8 c = apply8(p->own + GROUP_HALVES * e, own_d, own_m);
            apply8(p->other + GROUP_HALVES * e, fetch8(s->solve.correction[0], id),
                   fetch8(s->solve.correction[1], id));
            add8(&sum, one, c.x, c.y, c.z);
            const __m256 c2 = _mm256_fmadd_ps(c.x, c.x, _mm256_fmadd_ps(c.y, c.y, _mm256_mul_ps(c.z, c.z)));
            square = _mm256_fmadd_ps(pick8(&lighter, classes8(p->sizes[e])), c2, square);
        }
        correct_wall(s, i);
        s->solve.factor[i] = correct_factor(s, i, sums8(sum), sum8(square) / light[a->size[i]]);
        _mm_store_ps(
            a->step.pull[i],
            _mm_fmadd_ps(per_length, sums8(sum), _mm_mul_ps(share, _mm_load_ps(s->solve.wall_gradient[i]))));
    }
}

void sized_pairs_correct(sph *s)
{
    parallel_for(s->sim.ctx, s->sized->points.leaves, LEAVES_PER_TASK, correct_leaves, s);
}

/* -- acceleration ------------------------------------------------------------------------- */

typedef struct {
    sph *s;
    const float *k;
    float dt, longest; /* dt 0: accelerations only */
} accelerate_job;

/* Integer position after a displacement in metres, clamped to the representable range. */
static void place_after(const sized_state *a, uint32_t i, const float *way)
{
    for (int c = 0; c < 3; c++) {
        const double units = fmin(fmax((double)way[c] / a->step.unit, -0x1p28), 0x1p28);
        a->step.ahead[i][c] = a->step.place[i][c] + (int32_t)lrint(units);
    }
}

/* The predicted position, by velocity and force. */
static void shift(sph *s, uint32_t i, float dt, float longest)
{
    float *f = s->step.force[i], way[3];
    const float most = longest * (float)size_class_of(s, i)->spacing / (dt * dt);
    const float square = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    const float less = square > most * most ? most / sqrtf(square) : 1;
    for (int c = 0; c < 3; c++) {
        f[c] *= less;
        way[c] = dt * (s->step.velocity[i][c] + dt * f[c]);
    }
    place_after(s->sized, i, way);
}

static void accelerate_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const accelerate_job *j = arg;
    sph *s = j->s;
    const step_pairs *p = &s->sized->step.pairs;
    const __m128 per_length = _mm_set1_ps((float)(-1 / s->sim.scene->spacing));
    for (uint32_t i = leaf_particles(s, begin).begin; i < leaf_particles(s, end - 1).end; i++) {
        const step_list l = step_list_of(s, i);
        vec8 a = zero8();
        for (size_t e = l.begin; e < l.end; e++) {
            const uint16_t *g = p->other + GROUP_HALVES * e;
            add8(&a, fetch_values8(j->k, p->id + SIZED_LANES * e), halves(g), halves(g + 8), halves(g + 16));
        }
        const __m128 alone = _mm_mul_ps(_mm_set1_ps(j->k[i]), _mm_load_ps(s->sized->step.pull[i]));
        const __m128 all = _mm_fmadd_ps(per_length, sums8(a), alone);
        _mm_store_ps(s->step.force[i], _mm_blend_ps(all, _mm_setzero_ps(), 8));
        if (j->dt > 0) shift(s, i, j->dt, j->longest);
    }
}

void sized_pairs_accelerate(sph *s, const float *k, double dt, double longest)
{
    accelerate_job j = {s, k, (float)dt, (float)longest};
    parallel_for(s->sim.ctx, s->sized->points.leaves, LEAVES_PER_TASK, accelerate_leaves, &j);
}

/* -- divergence --------------------------------------------------------------------------- */

static void divergence_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const pairs_job *j = arg;
    sph *s = j->s;
    const bool relaxes = j->use == PAIRS_RELAX;
    const float(*vector)[4] = relaxes ? (const float(*)[4])s->step.force : j->vector;
    const float per_length = (float)(1 / s->sim.scene->spacing), share = (float)s->model.calibration;
    const step_pairs *p = &s->sized->step.pairs;
    float *out = relaxes ? s->solve.residual : s->solve.target;
    for (size_t k = begin; k < end; k++) {
        const leaf_span range = leaf_particles(s, k);
        for (uint32_t i = range.begin; i < range.end; i++) {
            const step_list l = step_list_of(s, i);
            const float *q = vector[i], *b = s->solve.wall_gradient[i];
            const vec8 from = same8(q);
            __m256 sum = _mm256_setzero_ps();
            for (size_t e = l.begin; e < l.end; e++) {
                const vec8 v = fetch8(vector, p->id + SIZED_LANES * e);
                const uint16_t *g = p->own + GROUP_HALVES * e;
                sum = _mm256_fmadd_ps(_mm256_sub_ps(from.x, v.x), halves(g), sum);
                sum = _mm256_fmadd_ps(_mm256_sub_ps(from.y, v.y), halves(g + 8), sum);
                sum = _mm256_fmadd_ps(_mm256_sub_ps(from.z, v.z), halves(g + 16), sum);
            }
            const float d = per_length * sum8(sum) + share * (q[0] * b[0] + q[1] * b[1] + q[2] * b[2]);
            out[i] = relaxes ? d : d - share * b[3];
        }
        s->solve.sums[k] = relaxes && !j->apart ? relax_rates(j, range.begin, range.end) : (tile_sums){0};
    }
}

void sized_pairs_divergence(pairs_job *j)
{
    parallel_for(j->s->sim.ctx, j->s->sized->points.leaves, LEAVES_PER_TASK, divergence_leaves, j);
    pairs_sum_up(j, j->s->sized->points.leaves);
}

static void relax_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const pairs_job *j = arg;
    for (size_t k = begin; k < end; k++) {
        const leaf_span range = leaf_particles(j->s, k);
        j->s->solve.sums[k] = relax_rates(j, range.begin, range.end);
    }
}

void sized_pairs_relax(pairs_job *j)
{
    parallel_for(j->s->sim.ctx, j->s->sized->points.leaves, LEAVES_PER_TASK, relax_leaves, j);
    pairs_sum_up(j, j->s->sized->points.leaves);
}

/* -- positions ---------------------------------------------------------------------------- */

typedef struct {
    sph *s;
    double dt, t;
    double travel; /* no solid goes farther in the step */
} ahead_job;

static void ahead_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const ahead_job *j = arg;
    sph *s = j->s;
    sized_state *a = s->sized;
    const rill_vec3 none = {0, 0, 0};
    for (size_t k = begin; k < end; k++) {
        const leaf_span range = leaf_particles(s, k);
        for (uint32_t i = range.begin; i < range.end; i++) {
            float way[3];
            for (int c = 0; c < 3; c++) way[c] = (float)j->dt * s->step.velocity[i][c];
            place_after(a, i, way);
            wall_share w = {0};
            const double step = sqrt((double)(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]));
            if (!(a->walls.clearance_now[i] - step - j->travel > 1.25 * size_class_of(s, i)->walls.reach))
                w = walls_at(&size_class_of(s, i)->walls, &s->sim.solids, none,
                             v3_madd(s->particles.position[i], j->dt, s->particles.velocity[i]), none, 0,
                             j->t + j->dt);
            const double b[4] = {w.gradient.x, w.gradient.y, w.gradient.z, w.density};
            for (int c = 0; c < 4; c++) s->solve.wall_ahead[i][c] = (float)b[c];
            a->step.ahead[i][3] = bits_of((float)w.bend);
        }
    }
}

void sized_pairs_look_ahead(sph *s, double dt)
{
    const size_t padding = s->particles.count;
    s->sized->step.ahead = (int32_t(*)[4])s->solve.correction[0]; /* not needed any more */
    s->solve.wall_ahead = s->solve.correction[1];
    memcpy(s->sized->step.ahead[padding], s->sized->step.place[padding],
           sizeof s->sized->step.place[padding]);
    ahead_job j = {s, dt, s->sim.time, walls_travel(&s->sim.solids, s->sim.time, dt)};
    parallel_for(s->sim.ctx, s->sized->points.leaves, LEAVES_PER_TASK, ahead_leaves, &j);
}

SPH_INLINE void squeeze_body(void *arg, size_t begin, size_t end, sph_kernel kind)
{
    const pairs_job *j = arg;
    sph *s = j->s;
    const sized_state *a = s->sized;
    const __m256 unit = _mm256_set1_ps((float)a->step.unit), zero = _mm256_setzero_ps();
    const float share = (float)s->model.calibration, per_rest = (float)(1 / s->sim.scene->fluid.density);
    const step_pairs *pairs = &a->step.pairs;
    kernel8 k = kernel8_make(&s->model.kernel);
    const float middle = _mm256_cvtss_f32(kernel8_w(kind, &k, zero));
    for (size_t i = begin; i < end; i++) {
        const int size = a->size[i];
        const class_pair *t = &a->own[size];
        const table8 w = table8_make(t->w);
        const step_list l = step_list_of(s, i);
        k.inverse_r = _mm256_set1_ps(t->per_reach[size]);
        __m256 all = zero;
        for (size_t e = l.begin; e < l.end; e++) {
            const vec8 at = fetch8(a->step.ahead, pairs->id + SIZED_LANES * e);
            const __m256 d2 = places_apart(a->step.ahead[i], &at, unit, zero).d2;
            all = _mm256_fmadd_ps(pick8(&w, classes8(pairs->sizes[e])), kernel8_w(kind, &k, d2), all);
        }
        const float sum = t->w[size] * middle + sum8(all);
        const float *b = s->solve.wall_ahead[i], *f = s->step.force[i];
        const float wall = walls_after(b, j->scale * (f[0] * b[0] + f[1] * b[1] + f[2] * b[2]),
                                       value_of(a->step.ahead[i][3]));
        s->solve.residual[i] = share * (per_rest * sum + wall) - j->rest;
    }
}

static void squeeze_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const pairs_job *j = arg;
    for (size_t k = begin; k < end; k++) {
        const leaf_span range = leaf_particles(j->s, k);
        for_kernel(j->s, arg, range.begin, range.end, squeeze_body);
        j->s->solve.sums[k] = relax_squeezes(j, range.begin, range.end);
    }
}

void sized_pairs_squeeze(pairs_job *j)
{
    parallel_for(j->s->sim.ctx, j->s->sized->points.leaves, LEAVES_PER_TASK, squeeze_leaves, j);
    pairs_sum_up(j, j->s->sized->points.leaves);
}
