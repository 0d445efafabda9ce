/* Density, pressure and forces between particles of several sizes; the formulas are those of
 * density.c and forces.c with
 *     W_ij = W(x_ij, (R_i + R_j) / 2)
 * in all of them (levels.h). The pressure's force is
 *     a_i = -C sum_j m_j (P_i / rho_i^2 + P_j / rho_j^2) grad W_ij,
 * the derivative of that density: DEVIATES from eq. 1, which takes V_i V_j (P_i + P_j) / 2. Viscosity and
 * damping have h and eta as means of the two. All pair terms times m_i are antisymmetric.
 *
 * Walls are mirrors for an equation of state: a particle near one sees the images of its neighbours and its
 * own, which in a plane wall are sqrt(r^2 + 4 d_i d_j) away, with the pair's kernel and the neighbour's
 * pressure; momentum along the wall is kept, and the force is the derivative of the density. DEVIATES from
 * walls.h, whose B is that of a lattice's layers: particles without a lattice crowd along such a wall (a
 * layer of 1.12 where there should be 1, 0.55 spacings away), where it pushes less, and have 10 to 20 percent
 * more pressure; and its layers are of one size. B still stands for the second and third wall in corners,
 * where the first one's images are of those who are there, and for the liquid's weight between a particle and
 * its image. */
#include "sph/level_pass.h"

#include <math.h>

enum { FADING_RADII = 100 }; /* that sound crosses while an excess fades to 1/e */

/* -- density ------------------------------------------------------------------------------ */

/* Density from its sum, without a jump: levels.h. */
SPH_INLINE void blend(sph *s, size_t i, float sum)
{
    struct levels *a = s->levels;
    if (a->resampled) {
        const float before = s->density[i] / sum - 1;
        a->excess[i] = before > 0.5f ? 0.5f : before > -0.5f ? before : -0.5f;
    } else {
        a->excess[i] *= 1 - a->fading[a->size[i]];
    }
    s->density[i] = sum * (1 + a->excess[i]);
}

/* -- images --------------------------------------------------------------------------------- */

enum { NO_WALL = 1 << 30 }; /* m: so far away that no image is seen */

/* A particle's distance from its wall as images have it, and its slope: from 0.8 of where walls are seen on
 * it grows beyond all bounds, so that images come and go smoothly. There they are nearly two spacings away.
 */
static double stretched(double distance, double sight, double *slope)
{
    const double d = fmax(distance, 0.02 * sight), x = (d / sight - 0.8) / 0.2;
    *slope = x < 0 ? 1 : 0;
    if (x < 0) return d;
    if (!(x < 0.999)) return NO_WALL;
    const double y = 1 / (1 - x * x);
    *slope = y + d * y * y * 2 * x / (0.2 * sight);
    return d * y;
}

/* Where the pressure's place is in the next pass. */
static void depth_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    struct levels *a = s->levels;
    for (size_t i = begin; i < end; i++) {
        double slope;
        a->depth[i] = (float)stretched((double)a->image[i][3], level_of(s, i)->walls.sight, &slope);
        a->place[i][3] = bits_of(a->depth[i]);
    }
}

/* What a particle at a wall knows of images. */
typedef struct {
    bool any;
    float slope;
    __m256 x, y, z, distance, four;
} image8;

SPH_INLINE image8 image_make(const sph *s, size_t i)
{
    const struct levels *a = s->levels;
    image8 m = {.any = a->image && a->depth[i] < NO_WALL};
    if (!m.any) return m;
    const float *n = a->image[i];
    double slope;
    stretched((double)n[3], level_of(s, i)->walls.sight, &slope);
    m.slope = (float)slope;
    m.x = _mm256_set1_ps(n[0]);
    m.y = _mm256_set1_ps(n[1]);
    m.z = _mm256_set1_ps(n[2]);
    m.distance = _mm256_set1_ps(n[3]);
    m.four = _mm256_set1_ps(4 * a->depth[i]);
    return m;
}

/* How far neighbours are from the wall: by themselves, or above the plane before particle i if that is more.
 * In a plane wall both are the same; in a corner the neighbour's wall is another, and around an edge the
 * plane's heights would be negative. */
SPH_INLINE __m256 image_depth(const image8 *m, const pair8 *p, __m256 depth)
{
    const __m256 down = _mm256_fmadd_ps(p->x, m->x, _mm256_fmadd_ps(p->y, m->y, _mm256_mul_ps(p->z, m->z)));
    return _mm256_max_ps(depth, _mm256_sub_ps(m->distance, down));
}

/* W of the pairs, and of the images. */
SPH_INLINE __m256 both_w(sph_kernel kind, const kernel8 *k, const image8 *m, const pair8 *p, __m256 depth)
{
    const __m256 w = kernel8_w(kind, k, p->d2);
    if (!m->any) return w;
    const __m256 d2 = _mm256_fmadd_ps(m->four, image_depth(m, p, depth), p->d2);
    return _mm256_add_ps(w, kernel8_w(kind, k, d2));
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
        const uint32_t *sizes = sized_others(&a->lists, i);
        const level_pair *t = &of[size];
        const table8 per_reach = table8_make(t->per_reach), w = table8_make(t->w);
        k.inverse_r = _mm256_set1_ps(t->per_reach[size]);
        const image8 m = image_make(s, i);
        __m256 same = zero, mixed = zero;
        for (const uint32_t *e = l.at; e < l.others; e += SIZED_LANES) {
            const vec8 at = fetch8(a->place, e);
            const pair8 p = places_apart(a->place[i], &at, unit, zero);
            same = _mm256_add_ps(same, both_w(kind, &k, &m, &p, at.w));
        }
        for (const uint32_t *e = l.others; e < l.end; e += SIZED_LANES) {
            const vec8 at = fetch8(a->place, e);
            const __m256i which = levels8(*sizes++);
            const pair8 p = places_apart(a->place[i], &at, unit, zero);
            kj.inverse_r = pick8(&per_reach, which);
            mixed = _mm256_fmadd_ps(pick8(&w, which), both_w(kind, &kj, &m, &p, at.w), mixed);
        }
        const __m256 all = _mm256_fmadd_ps(_mm256_set1_ps(t->w[size]), same, mixed);
        blend(s, i, share * sum8(all) + rest * a->corner[i][3]);
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
    if (a->image) parallel_for(s->sim.ctx, s->particles.count, 4096, depth_block, s);
    parallel_for(s->sim.ctx, s->particles.count, 256, density_block, s);
    a->resampled = false;
}

/* -- pressure ----------------------------------------------------------------------------- */

static void pressure_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    const float rest = (float)s->sim.scene->fluid.density;
    const float stiff = (float)(s->sim.scene->fluid.density * s->sound_speed * s->sound_speed);
    for (size_t i = begin; i < end; i++) {
        const float inverse = 1 / s->density[i], p = sph_state(s, stiff, s->density[i] / rest);
        s->pressure[i] = p;
        s->levels->place[i][3] = bits_of(p * inverse * inverse);
        s->velocity[i][3] = inverse;
    }
}

void levels_pressure(sph *s)
{
    parallel_for(s->sim.ctx, s->particles.count, 8192, pressure_block, s);
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

/* Adds what images do to one group, times the kernel's constants g; the fourth: away from the wall. */
SPH_INLINE void add_images(vec8 *sum, sph_kernel kind, const kernel8 *k, __m256 pressure, const image8 *m,
                           const pair8 *p, __m256 g, __m256 depth)
{
    const __m256 far = image_depth(m, p, depth);
    pair8 q = *p;
    q.d2 = _mm256_fmadd_ps(m->four, far, p->d2);
    const __m256 f = _mm256_mul_ps(_mm256_mul_ps(pressure, g), pair_gradient(kind, k, &q));
    add8(sum, f, p->x, p->y, p->z);
    sum->w = _mm256_fmadd_ps(f, far, sum->w);
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
        const uint32_t *sizes = sized_others(&a->lists, i);
        const __m256 pi = _mm256_castsi256_ps(_mm256_set1_epi32(a->place[i][3]));
        const level_pair *t = &a->pair[size];
        const table8 per_reach = table8_make(t->per_reach), g = table8_make(t->g);
        const __m256 h = _mm256_set1_ps(a->half_reach[size]), alike = _mm256_set1_ps(t->g[size]);
        const __m256 eta2 = _mm256_mul_ps(percent, _mm256_mul_ps(h, h));
        k.inverse_r = _mm256_set1_ps(t->per_reach[size]);
        const image8 m = image_make(s, i);
        vec8 sum = zero8(), mixed = zero8(); /* the fourth: away from the wall */
        for (const uint32_t *e = l.at; e < l.others; e += SIZED_LANES) {
            const vec8 at = fetch8(a->place, e), q = fetch8(s->velocity, e);
            const pair8 p = places_apart(a->place[i], &at, c.unit, c.tiny);
            const __m256 f = force_factor(&c, &p, &at, &q, pi, s->velocity[i], h, eta2);
            add8(&sum, _mm256_mul_ps(f, pair_gradient(kind, &k, &p)), p.x, p.y, p.z);
            if (!m.any) continue;
            const __m256 pressure = _mm256_mul_ps(c.pressure, _mm256_add_ps(pi, at.w));
            add_images(&sum, kind, &k, pressure, &m, &p, k.one, fetch_values8(a->depth, e));
        }
        for (const uint32_t *e = l.others; e < l.end; e += SIZED_LANES) {
            const vec8 at = fetch8(a->place, e), q = fetch8(s->velocity, e);
            const __m256i which = levels8(*sizes++);
            const pair8 p = places_apart(a->place[i], &at, c.unit, c.tiny);
            kj.inverse_r = pick8(&per_reach, which);
            const __m256 hj = pick8(&halves, which), both = _mm256_mul_ps(half, _mm256_add_ps(h, hj));
            const __m256 eta = _mm256_mul_ps(half, _mm256_fmadd_ps(percent, _mm256_mul_ps(hj, hj), eta2));
            const __m256 f = force_factor(&c, &p, &at, &q, pi, s->velocity[i], both, eta);
            const __m256 gj = pick8(&g, which), part = _mm256_mul_ps(gj, pair_gradient(kind, &kj, &p));
            add8(&mixed, _mm256_mul_ps(f, part), p.x, p.y, p.z);
            if (!m.any) continue;
            const __m256 pressure = _mm256_mul_ps(c.pressure, _mm256_add_ps(pi, at.w));
            add_images(&mixed, kind, &kj, pressure, &m, &p, gj, fetch_values8(a->depth, e));
        }
        sum.x = _mm256_fmadd_ps(alike, sum.x, mixed.x);
        sum.y = _mm256_fmadd_ps(alike, sum.y, mixed.y);
        sum.z = _mm256_fmadd_ps(alike, sum.z, mixed.z);
        const float push = -rest * _mm256_cvtss_f32(pi);
        const float away = m.any ? 2 * m.slope * sum8(_mm256_fmadd_ps(alike, sum.w, mixed.w)) : 0;
        float all[4];
        _mm_storeu_ps(all, sums8(sum));
        for (int d = 0; d < 3; d++) {
            s->force[i][d] = s->weight[i][d] + all[d] + push * a->corner[i][d];
            if (m.any) s->force[i][d] += away * a->image[i][d];
        }
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
