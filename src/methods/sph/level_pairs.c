/* What dfsph repeats, between particles of several sizes: pairs.c, correct.c and ahead.c.
 *
 * Each particle sums with its own kernel, rho_i = C sum_j m_j W(x_ij, R_i), where an equation of state takes
 * that of the mean radius (level_passes.c). The mean of both kernels gives small particles beside large ones
 * too much and large ones too little, and they drift through the liquid like bubbles and sand; a liquid at
 * rest had four times the energy. Own kernels do not err where sizes vary slowly, and since density is held
 * here, what it jumps by (errata E-A7) becomes room. With g_ij = C V_j L_i grad W(x_ij, R_i),   D_i = sum_j
 * (q_i - q_j) . g_ij, corrected as in correct.c but each end by its own L, which is exact, the force is D's
 * transpose, a_i = -sum_j (k_i g_ij + k_j g'_ij),   g'_ij = C V_j L_j grad W(x_ij, R_j). Both are kept, times
 * the finest spacing, in half floats. V_j is the finest volume times a power of two, so that both ends of a
 * pair round alike, V_i g'_ij = -V_j g_ji, and momentum is kept.
 *
 * Residuals are means over particles, not over mass: fine ones at walls and surfaces would not be heard.
 * Corrections of positions are bounded by a particle's own spacing. */
#include "sph/correct.h"
#include "sph/level_pass.h"
#include "sph/relax.h"

#include <math.h>
#include <string.h>

/* -- preparation -------------------------------------------------------------------------- */

/* Sums of one particle. */
typedef struct {
    vec8 square, mixed; /* moments: xx yy zz; xy yz zx */
    __m256 w;
    int near;
} pair_sums;

/* Stores eight gradients g (x, y, z) and adds their moments. */
SPH_INLINE void keep_gradients(pair_sums *sum, uint16_t *to, __m256 g, const pair8 *p)
{
    const __m256 ax = _mm256_mul_ps(g, p->x), ay = _mm256_mul_ps(g, p->y), az = _mm256_mul_ps(g, p->z);
    store_halves(to, ax, ay, az);
    sum->square.x = _mm256_fmadd_ps(ax, p->x, sum->square.x);
    sum->square.y = _mm256_fmadd_ps(ay, p->y, sum->square.y);
    sum->square.z = _mm256_fmadd_ps(az, p->z, sum->square.z);
    sum->mixed.x = _mm256_fmadd_ps(ax, p->y, sum->mixed.x);
    sum->mixed.y = _mm256_fmadd_ps(ay, p->z, sum->mixed.y);
    sum->mixed.z = _mm256_fmadd_ps(az, p->x, sum->mixed.z);
}

SPH_INLINE int count8(__m256 mask)
{
    return __builtin_popcount((unsigned)_mm256_movemask_ps(mask));
}

SPH_INLINE void prepare_body(void *arg, size_t begin, size_t end, sph_kernel kind)
{
    sph *s = arg;
    struct levels *a = s->levels;
    const float rest = (float)s->sim.scene->fluid.density, share = (float)s->calibration;
    const double spacing = s->sim.scene->spacing,
                 unit_mass = s->calibration * spacing / s->sim.scene->fluid.density;
    const __m256 unit = _mm256_set1_ps((float)a->unit);
    const __m256 tiny = _mm256_set1_ps((float)(1e-10 * spacing * spacing));
    const __m256 per_mass = _mm256_set1_ps((float)unit_mass), close = _mm256_set1_ps(0.95f);
    const float per_length = (float)(-1 / spacing);
    const bool flat = s->kernel.dimensions == 2;
    for (size_t i = begin; i < end; i++) {
        const kernel8 k = kernel8_make(&level_of(s, i)->kernel);
        const sized_list l = sized_list_of(&a->lists, i);
        const level_kind own_kind = a->kind[i];
        const __m256 same_scale = _mm256_mul_ps(per_mass, _mm256_set1_ps(own_kind.g));
        const __m256 own_mass = _mm256_set1_ps(own_kind.mass), reach = _mm256_set1_ps(1 / own_kind.per_reach);
        uint16_t *to = level_gradients(s, (uint32_t)i);
        pair_sums sum = {zero8(), zero8(), _mm256_setzero_ps(), 0};
        __m256 mine = _mm256_setzero_ps();
        for (const uint32_t *e = l.at; e < l.others; e += SIZED_LANES, to += LEVEL_GROUP) {
            const vec8 at = fetch8(a->place, e);
            const pair8 p = places_apart(a->place[i], &at, unit, tiny);
            sum.w = _mm256_add_ps(sum.w, kernel8_w(kind, &k, p.d2));
            keep_gradients(&sum, to, _mm256_mul_ps(same_scale, pair_gradient(kind, &k, &p)), &p);
            memcpy(to + LEVEL_OTHER, to, LEVEL_OTHER * sizeof *to);
            const __m256 far = _mm256_mul_ps(close, reach);
            sum.near += count8(_mm256_cmp_ps(p.d2, _mm256_mul_ps(far, far), _CMP_LT_OQ));
        }
        for (const uint32_t *e = l.others; e < l.end; e += SIZED_LANES, to += LEVEL_GROUP) {
            const vec8 at = fetch8(a->place, e), other = fetch8(a->kind, e);
            const pair8 p = places_apart(a->place[i], &at, unit, tiny);
            kernel8 kj = k;
            kj.inverse_r = other.x;
            mine = _mm256_fmadd_ps(other.w, kernel8_w(kind, &k, p.d2), mine);
            const __m256 heavier = _mm256_div_ps(other.w, own_mass); /* a power of two */
            const __m256 g = _mm256_mul_ps(same_scale, pair_gradient(kind, &k, &p));
            const __m256 h = _mm256_mul_ps(_mm256_mul_ps(per_mass, other.z), pair_gradient(kind, &kj, &p));
            keep_gradients(&sum, to, _mm256_mul_ps(heavier, g), &p);
            store_halves(to + LEVEL_OTHER, _mm256_mul_ps(h, p.x), _mm256_mul_ps(h, p.y),
                         _mm256_mul_ps(h, p.z));
            const __m256 widest = _mm256_max_ps(reach, _mm256_div_ps(k.one, other.x));
            const __m256 far = _mm256_mul_ps(close, widest);
            sum.near += count8(_mm256_cmp_ps(p.d2, _mm256_mul_ps(far, far), _CMP_LT_OQ));
        }
        const float all = own_kind.w * sum8(sum.w) + k.w_scale * sum8(mine);
        const float ratio = share * (all / rest + s->wall[i][3]);
        s->density[i] = rest * ratio;
        s->lonely[i] = sum.near < s->few && ratio < 0.9f;
        s->inner[i] = ratio > 0.95f;
        float *m = s->fix[0][i], *n = s->fix[1][i]; /* which hold the walls' part */
        const __m128 length = _mm_set1_ps(per_length), part = _mm_set1_ps(-share);
        _mm_store_ps(m, _mm_fmadd_ps(length, sums8(sum.square), _mm_mul_ps(part, _mm_load_ps(m))));
        _mm_store_ps(n, _mm_fmadd_ps(length, sums8(sum.mixed), _mm_mul_ps(part, _mm_load_ps(n))));
        if (flat) m[2] = 1;
    }
}

static void prepare_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t k = begin; k < end; k++)
        level_kernel(arg, arg, level_leaf(arg, k).begin, level_leaf(arg, k).end, prepare_body);
}

rill_status level_pairs_prepare(sph *s)
{
    const size_t nobody = s->particles.count;
    TRY(pairs_make_room(s, 2 * s->levels->lists.used));
    memset(s->fix[0][nobody], 0, sizeof s->fix[0][nobody]);
    memset(s->fix[1][nobody], 0, sizeof s->fix[1][nobody]);
    memset(s->force[nobody], 0, sizeof s->force[nobody]);
    s->k[nobody] = s->change[nobody] = 0;
    parallel_for(s->sim.ctx, s->levels->points.leaves, LEVEL_LEAVES, prepare_leaves, s);
    s->levels->resampled = false;
    return RILL_OK;
}

/* -- correction --------------------------------------------------------------------------- */

/* Eight gradients in place times L; d, m: xx yy zz, xy yz zx. */
SPH_INLINE vec8 apply8(uint16_t *g, vec8 d, vec8 m)
{
    const __m256 x = halves(g), y = halves(g + 8), z = halves(g + 16);
    const vec8 a = {_mm256_fmadd_ps(d.x, x, _mm256_fmadd_ps(m.x, y, _mm256_mul_ps(m.z, z))),
                    _mm256_fmadd_ps(m.x, x, _mm256_fmadd_ps(d.y, y, _mm256_mul_ps(m.y, z))),
                    _mm256_fmadd_ps(m.z, x, _mm256_fmadd_ps(m.y, y, _mm256_mul_ps(d.z, z))),
                    _mm256_setzero_ps()};
    store_halves(g, a.x, a.y, a.z);
    return a;
}

SPH_INLINE __m256 square8(vec8 a)
{
    return _mm256_fmadd_ps(a.x, a.x, _mm256_fmadd_ps(a.y, a.y, _mm256_mul_ps(a.z, a.z)));
}

static void correct_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    const struct levels *a = s->levels;
    const __m256 one = _mm256_set1_ps(1);
    for (uint32_t i = level_leaf(s, begin).begin; i < level_leaf(s, end - 1).end; i++) {
        const vec8 own_d = same8(s->fix[0][i]), own_m = same8(s->fix[1][i]);
        const __m256 own_mass = _mm256_set1_ps(a->kind[i].mass), none = _mm256_set1_ps(1e-30f);
        const sized_list l = sized_list_of(&a->lists, i);
        uint16_t *g = level_gradients(s, i);
        vec8 sum = zero8();
        __m256 square = _mm256_setzero_ps();
        for (const uint32_t *e = l.at; e < l.others; e += SIZED_LANES, g += LEVEL_GROUP) {
            const vec8 c = apply8(g, own_d, own_m);
            apply8(g + LEVEL_OTHER, fetch8(s->fix[0], e), fetch8(s->fix[1], e));
            add8(&sum, one, c.x, c.y, c.z);
            square = _mm256_add_ps(square, square8(c));
        }
        for (const uint32_t *e = l.others; e < l.end; e += SIZED_LANES, g += LEVEL_GROUP) {
            const vec8 c = apply8(g, own_d, own_m);
            apply8(g + LEVEL_OTHER, fetch8(s->fix[0], e), fetch8(s->fix[1], e));
            const __m256 mass = _mm256_max_ps(fetch8(a->kind, e).w, none);
            add8(&sum, one, c.x, c.y, c.z);
            square = _mm256_fmadd_ps(_mm256_div_ps(own_mass, mass), square8(c), square);
        }
        correct_wall(s, i);
        s->factor[i] = correct_factor(s, i, sums8(sum), sum8(square));
    }
}

void level_pairs_correct(sph *s)
{
    parallel_for(s->sim.ctx, s->levels->points.leaves, LEVEL_LEAVES, correct_leaves, s);
}

/* -- acceleration ------------------------------------------------------------------------- */

typedef struct {
    sph *s;
    const float *k;
    float dt, longest; /* dt 0: accelerations only */
} accelerate_job;

/* Places after a way in metres; one that is out of all bounds ends at the edge of them. */
static void place_after(const struct levels *a, uint32_t i, const float *way)
{
    for (int c = 0; c < 3; c++) {
        const double units = fmin(fmax((double)way[c] / a->unit, -0x1p28), 0x1p28);
        a->ahead[i][c] = a->place[i][c] + (int32_t)lrint(units);
    }
}

/* Where the velocity and the force lead. */
static void shift(sph *s, uint32_t i, float dt, float longest)
{
    float *f = s->force[i], way[3];
    const float most = longest * (float)level_of(s, i)->spacing / (dt * dt);
    const float square = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    const float less = square > most * most ? most / sqrtf(square) : 1;
    for (int c = 0; c < 3; c++) {
        f[c] *= less;
        way[c] = dt * (s->velocity[i][c] + dt * f[c]);
    }
    place_after(s->levels, i, way);
}

static void accelerate_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const accelerate_job *j = arg;
    sph *s = j->s;
    const float per_length = (float)(-1 / s->sim.scene->spacing), share = (float)-s->calibration;
    for (uint32_t i = level_leaf(s, begin).begin; i < level_leaf(s, end - 1).end; i++) {
        const sized_list l = sized_list_of(&s->levels->lists, i);
        const __m256 ki = _mm256_set1_ps(j->k[i]);
        const uint16_t *g = level_gradients(s, i);
        vec8 a = zero8();
        for (const uint32_t *e = l.at; e < l.end; e += SIZED_LANES, g += LEVEL_GROUP) {
            add8(&a, ki, halves(g), halves(g + 8), halves(g + 16));
            add8(&a, fetch_values8(j->k, e), halves(g + LEVEL_OTHER), halves(g + LEVEL_OTHER + 8),
                 halves(g + LEVEL_OTHER + 16));
        }
        const __m128 push = _mm_mul_ps(_mm_set1_ps(share * j->k[i]), _mm_load_ps(s->push[i]));
        const __m128 all = _mm_fmadd_ps(_mm_set1_ps(per_length), sums8(a), push);
        _mm_store_ps(s->force[i], _mm_blend_ps(all, _mm_setzero_ps(), 8));
        if (j->dt > 0) shift(s, i, j->dt, j->longest);
    }
}

void level_pairs_accelerate(sph *s, const float *k, double dt, double longest)
{
    accelerate_job j = {s, k, (float)dt, (float)longest};
    parallel_for(s->sim.ctx, s->levels->points.leaves, LEVEL_LEAVES, accelerate_leaves, &j);
}

/* -- divergence --------------------------------------------------------------------------- */

static void divergence_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const pairs_job *j = arg;
    sph *s = j->s;
    const bool relaxes = j->use == PAIRS_RELAX;
    const float(*vector)[4] = relaxes ? (const float(*)[4])s->force : j->vector;
    const float per_length = (float)(1 / s->sim.scene->spacing), share = (float)s->calibration;
    const float per_rest = (float)(1 / s->sim.scene->fluid.density);
    for (size_t k = begin; k < end; k++) {
        const leaf_span range = level_leaf(s, k);
        tile_sums sums = {0};
        for (uint32_t i = range.begin; i < range.end; i++) {
            const sized_list l = sized_list_of(&s->levels->lists, i);
            const float *q = vector[i], *b = s->push[i];
            const vec8 from = same8(q);
            const uint16_t *g = level_gradients(s, i);
            __m256 sum = _mm256_setzero_ps();
            for (const uint32_t *e = l.at; e < l.end; e += SIZED_LANES, g += LEVEL_GROUP) {
                const vec8 v = fetch8(vector, e);
                sum = _mm256_fmadd_ps(_mm256_sub_ps(from.x, v.x), halves(g), sum);
                sum = _mm256_fmadd_ps(_mm256_sub_ps(from.y, v.y), halves(g + 8), sum);
                sum = _mm256_fmadd_ps(_mm256_sub_ps(from.z, v.z), halves(g + 16), sum);
            }
            const float d = per_length * sum8(sum) + share * (q[0] * b[0] + q[1] * b[1] + q[2] * b[2]);
            if (relaxes) {
                s->left[i] = d;
                sums.left += (double)relax_rate(j, i, per_rest);
            } else {
                s->wanted[i] = d - share * b[3];
            }
        }
        s->sums[k] = sums;
    }
}

void level_pairs_divergence(pairs_job *j)
{
    parallel_for(j->s->sim.ctx, j->s->levels->points.leaves, LEVEL_LEAVES, divergence_leaves, j);
    pairs_sum_up(j, j->s->levels->points.leaves);
}

/* -- positions ---------------------------------------------------------------------------- */

typedef struct {
    sph *s;
    double dt, t;
} ahead_job;

static void ahead_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const ahead_job *j = arg;
    sph *s = j->s;
    struct levels *a = s->levels;
    const rill_vec3 none = {0, 0, 0};
    for (size_t k = begin; k < end; k++) {
        const leaf_span range = level_leaf(s, k);
        for (uint32_t i = range.begin; i < range.end; i++) {
            float way[3];
            for (int c = 0; c < 3; c++) way[c] = (float)j->dt * s->velocity[i][c];
            place_after(a, i, way);
            wall_share w = {0};
            const double step = sqrt((double)(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]));
            if (s->sim.solids.moving ? s->near_wall[k]
                                     : !(a->left[i] - step > 1.25 * level_of(s, i)->walls.reach))
                w = walls_at(&level_of(s, i)->walls, &s->sim.solids, none,
                             v3_madd(s->particles.position[i], j->dt, s->particles.velocity[i]), none, 0,
                             j->t + j->dt);
            const double b[4] = {w.gradient.x, w.gradient.y, w.gradient.z, w.density};
            for (int c = 0; c < 4; c++) s->wall_ahead[i][c] = (float)b[c];
            a->ahead[i][3] = bits_of((float)w.bend);
        }
    }
}

void level_pairs_look_ahead(sph *s, double dt)
{
    const size_t nobody = s->particles.count;
    s->levels->ahead = (int32_t(*)[4])s->fix[0]; /* which served their turn */
    s->wall_ahead = s->fix[1];
    memcpy(s->levels->ahead[nobody], s->levels->place[nobody], sizeof s->levels->place[nobody]);
    ahead_job j = {s, dt, s->sim.time};
    parallel_for(s->sim.ctx, s->levels->points.leaves, LEVEL_LEAVES, ahead_leaves, &j);
}

SPH_INLINE void squeeze_body(void *arg, size_t begin, size_t end, sph_kernel kind)
{
    const pairs_job *j = arg;
    sph *s = j->s;
    const struct levels *a = s->levels;
    const __m256 unit = _mm256_set1_ps((float)a->unit), zero = _mm256_setzero_ps();
    const float share = (float)s->calibration, per_rest = (float)(1 / s->sim.scene->fluid.density);
    for (size_t i = begin; i < end; i++) {
        const kernel8 k = kernel8_make(&level_of(s, i)->kernel);
        const sized_list l = sized_list_of(&a->lists, i);
        __m256 same = zero, mine = zero;
        for (const uint32_t *e = l.at; e < l.others; e += SIZED_LANES) {
            const vec8 at = fetch8(a->ahead, e);
            same = _mm256_add_ps(same, kernel8_w(kind, &k, places_apart(a->ahead[i], &at, unit, zero).d2));
        }
        for (const uint32_t *e = l.others; e < l.end; e += SIZED_LANES) {
            const vec8 at = fetch8(a->ahead, e), other = fetch8(a->kind, e);
            const __m256 d2 = places_apart(a->ahead[i], &at, unit, zero).d2;
            mine = _mm256_fmadd_ps(other.w, kernel8_w(kind, &k, d2), mine);
        }
        const float sum = a->kind[i].w * sum8(same) + k.w_scale * sum8(mine);
        const float *b = s->wall_ahead[i], *f = s->force[i];
        const float wall =
            walls_after(b, j->scale * (f[0] * b[0] + f[1] * b[1] + f[2] * b[2]), value_of(a->ahead[i][3]));
        s->left[i] = share * (per_rest * sum + wall) - j->rest;
    }
}

static void squeeze_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const pairs_job *j = arg;
    for (size_t k = begin; k < end; k++) {
        const leaf_span range = level_leaf(j->s, k);
        level_kernel(j->s, arg, range.begin, range.end, squeeze_body);
        tile_sums sums = {0};
        for (uint32_t i = range.begin; i < range.end; i++) {
            sums.all += (double)j->s->left[i];
            sums.left += (double)relax_squeeze(j, i);
        }
        j->s->sums[k] = sums;
    }
}

void level_pairs_squeeze(pairs_job *j)
{
    parallel_for(j->s->sim.ctx, j->s->levels->points.leaves, LEVEL_LEAVES, squeeze_leaves, j);
    pairs_sum_up(j, j->s->levels->points.leaves);
}
