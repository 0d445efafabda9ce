#include "sph/pairs.h"

#include "sph/simd.h"

#include <math.h>

/* -- preparation ---------------------------------------------------------------------- */

SPH_INLINE void prepare_tile(sph *s, uint32_t index, const float (*x)[4], sph_kernel kind)
{
    const kernel8 k = kernel8_make(&s->kernel);
    const double volume = s->calibration * s->volume, spacing = s->sim.scene->spacing;
    const float w_scale = (float)(volume * k.w_scale), rest = (float)s->sim.scene->fluid.density;
    const __m256 g_scale = _mm256_set1_ps((float)(volume * k.g_scale * spacing));
    const __m256 tiny = _mm256_set1_ps((float)(1e-10 * spacing * spacing));
    /* Not the whole support: lattice neighbours lie exactly on its edge, and rounding would
     * decide. */
    const __m256 close = _mm256_set1_ps((float)pow(0.95 * s->kernel.support, 2));
    const float share = (float)s->calibration, per_length = (float)(-1 / spacing);
    const bool flat = s->kernel.dimensions == 2;
    const uint16_t *list = s->lists.pool + s->lists.segment[index];
    uint16_t *gradient = s->gradient + 3 * s->lists.segment[index];
    for (uint32_t i = s->tiles.tile[index].begin; i < s->tiles.tile[index].end; i++) {
        const __m256 xi = _mm256_set1_ps(s->position[i][0]), yi = _mm256_set1_ps(s->position[i][1]),
                     zi = _mm256_set1_ps(s->position[i][2]);
        __m256 w = _mm256_setzero_ps(), xx = w, yy = w, zz = w, xy = w, yz = w, zx = w;
        int near = 0;
        const uint16_t *end = list + s->lists.count[i];
        for (; list < end; list += NEIGHBOUR_LANES, gradient += 3 * NEIGHBOUR_LANES) {
            const vec8 p = load8(x, list);
            const __m256 dx = _mm256_sub_ps(xi, p.x), dy = _mm256_sub_ps(yi, p.y),
                         dz = _mm256_sub_ps(zi, p.z);
            const __m256 d2 =
                _mm256_max_ps(_mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz))), tiny);
            const __m256 d = _mm256_sqrt_ps(d2);
            const __m256 g = _mm256_mul_ps(g_scale, kernel8_g(kind, &k, d2, d, _mm256_div_ps(k.one, d)));
            const __m256 ax = _mm256_mul_ps(g, dx), ay = _mm256_mul_ps(g, dy), az = _mm256_mul_ps(g, dz);
            store_halves(gradient, ax, ay, az);
            w = _mm256_add_ps(w, kernel8_w(kind, &k, d2));
            xx = _mm256_fmadd_ps(ax, dx, xx);
            yy = _mm256_fmadd_ps(ay, dy, yy);
            zz = _mm256_fmadd_ps(az, dz, zz);
            xy = _mm256_fmadd_ps(ax, dy, xy);
            yz = _mm256_fmadd_ps(ay, dz, yz);
            zx = _mm256_fmadd_ps(az, dx, zx);
            near += __builtin_popcount((unsigned)_mm256_movemask_ps(_mm256_cmp_ps(d2, close, _CMP_LT_OQ)));
        }
        const float ratio = w_scale * sum8(w) + share * s->wall[i][3];
        s->density[i] = rest * ratio;
        s->lonely[i] = near < s->few && ratio < 0.9f; /* in the corner of a box there are few, too */
        s->inner[i] = ratio > 0.95f;
        float *m = s->fix[0][i], *o = s->fix[1][i]; /* which hold the walls' part */
        m[0] = per_length * sum8(xx) - share * m[0];
        m[1] = per_length * sum8(yy) - share * m[1];
        m[2] = flat ? 1 : per_length * sum8(zz) - share * m[2];
        o[0] = per_length * sum8(xy) - share * o[0];
        o[1] = per_length * sum8(yz) - share * o[1];
        o[2] = per_length * sum8(zx) - share * o[2];
    }
}

static void prepare_tiles(void *arg, size_t begin, size_t end, int worker)
{
    sph *s = arg;
    float(*x)[4] = s->copy[worker].position;
    for (size_t k = begin; k < end; k++) {
        halo h;
        const uint32_t i = (uint32_t)k;
        halo_build(&s->tiles, i, &h);
        halo_gather_positions(&h, (const float(*)[4])s->position, x);
        switch (s->kernel.kind) { /* one copy of the loop per kernel */
        case SPH_GAUSSIAN: prepare_tile(s, i, (const float(*)[4])x, SPH_GAUSSIAN); break;
        case SPH_CUBIC: prepare_tile(s, i, (const float(*)[4])x, SPH_CUBIC); break;
        case SPH_MUELLER: prepare_tile(s, i, (const float(*)[4])x, SPH_MUELLER); break;
        default: prepare_tile(s, i, (const float(*)[4])x, SPH_WENDLAND);
        }
    }
}

rill_status pairs_prepare(sph *s)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t n = s->particles.count, need = 3 * (s->lists.used + NEIGHBOUR_LANES);
    if (need > s->gradient_capacity) { /* nothing in it is worth keeping */
        mem_free(ctx, s->gradient);
        s->gradient = NULL;
        s->gradient_capacity = 0;
        TRY(MEM_NEW(ctx, s->gradient, need + need / 8));
        s->gradient_capacity = need + need / 8;
    }
    TRY(ARENA_NEW(&s->scratch, s->factor, n));
    TRY(ARENA_NEW(&s->scratch, s->wanted, n));
    TRY(ARENA_NEW(&s->scratch, s->change, n));
    TRY(ARENA_NEW(&s->scratch, s->lonely, n));
    TRY(ARENA_NEW(&s->scratch, s->inner, n));
    TRY(ARENA_NEW(&s->scratch, s->push, n));
    TRY(ARENA_NEW(&s->scratch, s->residual, s->tiles.count));
    parallel_for(ctx, s->tiles.count, 2, prepare_tiles, s);
    return RILL_OK;
}

/* -- acceleration --------------------------------------------------------------------- */

typedef struct {
    sph *s;
    const float *k;
} accelerate_job;

static void accelerate_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const accelerate_job *j = arg;
    sph *s = j->s;
    float *value = s->copy[worker].value;
    const float per_length = (float)(-1 / s->sim.scene->spacing), share = (float)-s->calibration;
    for (size_t t = begin; t < end; t++) {
        halo h;
        halo_build(&s->tiles, (uint32_t)t, &h);
        halo_gather_values(&h, j->k, value);
        const uint16_t *list = s->lists.pool + s->lists.segment[t];
        const uint16_t *g = s->gradient + 3 * s->lists.segment[t];
        for (uint32_t i = s->tiles.tile[t].begin; i < s->tiles.tile[t].end; i++) {
            const __m256 ki = _mm256_set1_ps(j->k[i]);
            __m256 x = _mm256_setzero_ps(), y = x, z = x;
            const uint16_t *stop = list + s->lists.count[i];
            for (; list < stop; list += NEIGHBOUR_LANES, g += 3 * NEIGHBOUR_LANES) {
                const __m256i id = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)list));
                const __m256 sum = _mm256_add_ps(ki, _mm256_i32gather_ps(value, id, 4));
                x = _mm256_fmadd_ps(sum, halves(g), x);
                y = _mm256_fmadd_ps(sum, halves(g + 8), y);
                z = _mm256_fmadd_ps(sum, halves(g + 16), z);
            }
            const float push = share * j->k[i];
            s->force[i][0] = per_length * sum8(x) + push * s->push[i][0];
            s->force[i][1] = per_length * sum8(y) + push * s->push[i][1];
            s->force[i][2] = per_length * sum8(z) + push * s->push[i][2];
        }
    }
}

void pairs_accelerate(sph *s, const float *k)
{
    accelerate_job j = {s, k};
    parallel_for(s->sim.ctx, s->tiles.count, 2, accelerate_tiles, &j);
}

/* -- divergence ----------------------------------------------------------------------- */

/* Rarefied liquid may close at this rate times what it lacks, 1/s: else gaps would stay. */
static const float slack_rate = 5;

/* Pressure pushes until nothing closes. Of velocities, inside, it also pulls until nothing opens:
 * at a free surface that would clump. In between, where liquid is rarefied and closes slowly, it
 * does neither. */
SPH_INLINE float relax(const pairs_job *j, uint32_t i, float divergence, float per_rest)
{
    const sph *s = j->s;
    const float residual = s->wanted[i] + j->scale * divergence; /* above 0: still closing */
    if (j->velocities && s->lonely[i]) return 0;
    const bool pulls = j->velocities && s->inner[i];
    const float lack = 1 - s->density[i] * per_rest;
    const float closing = pulls && lack > 0 ? residual - slack_rate * lack : residual;
    const float old = j->k[i], step = j->take * s->factor[i] / j->scale;
    const float from = old + j->keep * s->change[i];
    const float push = from + step * closing, pull = from + step * residual;
    const float k = push > 0 ? push : pulls && pull < 0 ? pull : 0;
    j->k[i] = k;
    s->change[i] = k - old;
    if (closing > 0 || (pulls && k > 0)) return fabsf(closing);
    return pulls && residual < 0 ? -residual : 0;
}

SPH_INLINE void divergence_tile(const pairs_job *j, size_t t, const float (*local)[4], const float (*own)[4],
                                pairs_use use)
{
    sph *s = j->s;
    const float per_length = (float)(1 / s->sim.scene->spacing), share = (float)s->calibration;
    const uint16_t *list = s->lists.pool + s->lists.segment[t];
    const uint16_t *g = s->gradient + 3 * s->lists.segment[t];
    const float per_rest = (float)(1 / s->sim.scene->fluid.density);
    double error = 0;
    for (uint32_t i = s->tiles.tile[t].begin; i < s->tiles.tile[t].end; i++) {
        const float *q = own[i], *b = s->push[i];
        const __m256 qx = _mm256_set1_ps(q[0]), qy = _mm256_set1_ps(q[1]), qz = _mm256_set1_ps(q[2]);
        __m256 sum = _mm256_setzero_ps();
        const uint16_t *stop = list + s->lists.count[i];
        for (; list < stop; list += NEIGHBOUR_LANES, g += 3 * NEIGHBOUR_LANES) {
            const vec8 v = load8(local, list);
            sum = _mm256_fmadd_ps(_mm256_sub_ps(qx, v.x), halves(g), sum);
            sum = _mm256_fmadd_ps(_mm256_sub_ps(qy, v.y), halves(g + 8), sum);
            sum = _mm256_fmadd_ps(_mm256_sub_ps(qz, v.z), halves(g + 16), sum);
        }
        const float d = per_length * sum8(sum) + share * (q[0] * b[0] + q[1] * b[1] + q[2] * b[2]);
        if (use == PAIRS_RELAX) {
            error += relax(j, i, d, per_rest);
            continue;
        }
        s->wanted[i] = d - share * b[3];
    }
    s->residual[t] = error;
}

static void divergence_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const pairs_job *j = arg;
    sph *s = j->s;
    float(*local)[4] = s->copy[worker].velocity;
    const float(*own)[4] = (const float(*)[4])(j->use == PAIRS_RELAX ? s->force : s->velocity);
    for (size_t t = begin; t < end; t++) {
        halo h;
        halo_build(&s->tiles, (uint32_t)t, &h);
        halo_gather(&h, own, local);
        switch (j->use) {
        case PAIRS_RATE: divergence_tile(j, t, (const float(*)[4])local, own, PAIRS_RATE); break;
        default: divergence_tile(j, t, (const float(*)[4])local, own, PAIRS_RELAX);
        }
    }
}

void pairs_divergence(pairs_job *j)
{
    sph *s = j->s;
    parallel_for(s->sim.ctx, s->tiles.count, 2, divergence_tiles, j);
    double sum = 0; /* in tile order: the same for any number of threads */
    for (uint32_t t = 0; t < s->tiles.count; t++) sum += s->residual[t];
    j->residual = s->particles.count ? sum / (double)s->particles.count : 0;
}
