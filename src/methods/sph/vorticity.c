/* Vorticity confinement that keeps momentum: a push along curl w, w = the vorticity made
 * smaller where a neighbour has less of it (Steinhoff, Fan and Wang 2003, their second
 * form: the harmonic mean of the neighbours' magnitudes).
 *
 *   a = e D^2 curl(|w| w),   in pairs: e D^2 C V sum_j grad W x (|w_i| w_i + |w_j| w_j),   e = 2 "vorticity"
 *
 * curl w is minus the diffusion of velocity, so that this undoes some of the solver's own,
 * with a viscosity e D^2 |w| that vanishes with the spacing squared; the harmonic mean stops it where
 * vortices have become a few spacings wide. Pairs are antisymmetric. At a free surface the sum would leave a
 * traction, so that w fades out there; walls count as liquid. */
#include "sph/simd.h"
#include "sph/state.h"

#include <math.h>

typedef struct {
    sph *s;
    float (*curl)[4]; /* vorticity, and its magnitude */
    float (*w)[4];    /* |w| w */
    float *inside;    /* 1 in the liquid, 0 at its surface */
    int pass;
} vorticity_job;

enum { PASS_CURL, PASS_MEAN, PASS_PUSH };

typedef struct {
    kernel8 k;
    float gradient; /* C V times the kernel's constant */
    float wall, surface, push;
    __m256 tiny;
} scales;

static scales scales_of(const sph *s)
{
    const kernel8 k = kernel8_make(&s->kernel);
    const double unit = s->calibration * s->volume, R = s->kernel.support, D = s->sim.scene->spacing;
    return (scales){.k = k,
                    .gradient = (float)(unit * k.g_scale),
                    .wall = (float)s->calibration,
                    .surface = (float)(R * R),
                    .push = (float)(2 * s->def.vorticity * D * D * unit * k.g_scale),
                    .tiny = _mm256_set1_ps((float)(1e-10 * R * R))};
}

typedef struct {
    __m256 x, y, z, g, w; /* x_ij, W'/r and W without their constants */
} pair8;

SPH_INLINE pair8 pair_at(const float (*x)[4], const float *at, const uint16_t *list, const scales *c,
                         sph_kernel kind)
{
    const vec8 p = load8(x, list);
    pair8 o;
    o.x = _mm256_sub_ps(_mm256_set1_ps(at[0]), p.x);
    o.y = _mm256_sub_ps(_mm256_set1_ps(at[1]), p.y);
    o.z = _mm256_sub_ps(_mm256_set1_ps(at[2]), p.z);
    const __m256 d2 =
        _mm256_max_ps(_mm256_fmadd_ps(o.x, o.x, _mm256_fmadd_ps(o.y, o.y, _mm256_mul_ps(o.z, o.z))), c->tiny);
    const __m256 d = _mm256_sqrt_ps(d2);
    o.g = kernel8_g(kind, &c->k, d2, d, _mm256_div_ps(c->k.one, d));
    o.w = kernel8_w(kind, &c->k, d2);
    return o;
}

/* a += g (b x p) */
SPH_INLINE void add_cross(vec8 *a, __m256 g, const vec8 *b, const pair8 *p)
{
    a->x = _mm256_fmadd_ps(g, _mm256_fmsub_ps(b->y, p->z, _mm256_mul_ps(b->z, p->y)), a->x);
    a->y = _mm256_fmadd_ps(g, _mm256_fmsub_ps(b->z, p->x, _mm256_mul_ps(b->x, p->z)), a->y);
    a->z = _mm256_fmadd_ps(g, _mm256_fmsub_ps(b->x, p->y, _mm256_mul_ps(b->y, p->x)), a->z);
}

/* Vorticity, sum_j V (v_i - v_j) x grad W, and where the surface is. */
SPH_INLINE void curl_of(const vorticity_job *j, uint32_t i, const float (*x)[4], const float (*u)[4],
                        const uint16_t *list, const uint16_t *end, const scales *c, sph_kernel kind)
{
    const vec8 zero = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
    vec8 curl = zero, normal = zero;
    for (; list < end; list += NEIGHBOUR_LANES) {
        const pair8 p = pair_at(x, j->s->position[i], list, c, kind);
        const vec8 q = load8(u, list);
        const vec8 v = {_mm256_sub_ps(_mm256_set1_ps(j->s->velocity[i][0]), q.x),
                        _mm256_sub_ps(_mm256_set1_ps(j->s->velocity[i][1]), q.y),
                        _mm256_sub_ps(_mm256_set1_ps(j->s->velocity[i][2]), q.z), zero.w};
        add_cross(&curl, p.g, &v, &p);
        normal.x = _mm256_fmadd_ps(p.g, p.x, normal.x);
        normal.y = _mm256_fmadd_ps(p.g, p.y, normal.y);
        normal.z = _mm256_fmadd_ps(p.g, p.z, normal.z);
    }
    const float *b = j->s->wall[i];
    const float n[3] = {c->gradient * sum8(normal.x) + c->wall * b[0],
                        c->gradient * sum8(normal.y) + c->wall * b[1],
                        c->gradient * sum8(normal.z) + c->wall * b[2]};
    float *o = j->curl[i];
    o[0] = c->gradient * sum8(curl.x);
    o[1] = c->gradient * sum8(curl.y);
    o[2] = c->gradient * sum8(curl.z);
    o[3] = sqrtf(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]);
    const float in = 1 - 4 * c->surface * (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    j->inside[i] = in > 0 ? in : 0;
}

SPH_INLINE void mean_of(const vorticity_job *j, uint32_t i, const float (*x)[4], const float (*curl)[4],
                        const uint16_t *list, const uint16_t *end, const scales *c, sph_kernel kind)
{
    const float own = j->curl[i][3];
    const __m256 floor = _mm256_set1_ps(1e-6f * own + 1e-30f);
    __m256 all = _mm256_setzero_ps(), inverse = all;
    for (; list < end; list += NEIGHBOUR_LANES) {
        const pair8 p = pair_at(x, j->s->position[i], list, c, kind);
        all = _mm256_add_ps(all, p.w);
        inverse = _mm256_add_ps(inverse, _mm256_div_ps(p.w, _mm256_max_ps(load8(curl, list).w, floor)));
    }
    const float mean = sum8(all) / sum8(inverse);
    const float scale = own > 0 ? j->inside[i] * mean * mean / own : 0;
    for (int k = 0; k < 4; k++) j->w[i][k] = k < 3 ? scale * j->curl[i][k] : 0;
}

SPH_INLINE void push_of(const vorticity_job *j, uint32_t i, const float (*x)[4], const float (*w)[4],
                        const uint16_t *list, const uint16_t *end, const scales *c, sph_kernel kind)
{
    vec8 sum = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
    for (; list < end; list += NEIGHBOUR_LANES) {
        const pair8 p = pair_at(x, j->s->position[i], list, c, kind);
        const vec8 q = load8(w, list);
        const vec8 both = {_mm256_add_ps(_mm256_set1_ps(j->w[i][0]), q.x),
                           _mm256_add_ps(_mm256_set1_ps(j->w[i][1]), q.y),
                           _mm256_add_ps(_mm256_set1_ps(j->w[i][2]), q.z), sum.w};
        add_cross(&sum, p.g, &both, &p);
    }
    float *a = j->s->force[i]; /* grad x w = -(w x grad) */
    a[0] -= c->push * sum8(sum.x);
    a[1] -= c->push * sum8(sum.y);
    a[2] -= c->push * sum8(sum.z);
}

SPH_INLINE void pass_tile(const vorticity_job *j, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    const sph *s = j->s;
    const scales c = scales_of(s);
    const float(*x)[4] = (const float(*)[4])copy->position, (*u)[4] = (const float(*)[4])copy->velocity;
    const uint16_t *list = s->lists.pool + s->lists.segment[index];
    for (uint32_t i = s->tiles.tile[index].begin; i < s->tiles.tile[index].end; i++) {
        const uint16_t *end = list + s->lists.count[i];
        if (j->pass == PASS_CURL)
            curl_of(j, i, x, u, list, end, &c, kind);
        else if (j->pass == PASS_MEAN)
            mean_of(j, i, x, u, list, end, &c, kind);
        else
            push_of(j, i, x, u, list, end, &c, kind);
        list = end;
    }
}

static void pass_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const vorticity_job *j = arg;
    const sph *s = j->s;
    const halo_copy *copy = &s->copy[worker];
    const float(*from)[4] = (const float(*)[4])(j->pass == PASS_CURL   ? s->velocity
                                                : j->pass == PASS_MEAN ? j->curl
                                                                       : j->w);
    for (size_t k = begin; k < end; k++) {
        halo h;
        const uint32_t i = (uint32_t)k;
        halo_build(&s->tiles, i, &h);
        halo_gather_positions(&h, (const float(*)[4])s->position, copy->position);
        halo_gather(&h, from, copy->velocity);
        switch (s->kernel.kind) { /* one copy of the loops per kernel */
        case SPH_GAUSSIAN: pass_tile(j, i, copy, SPH_GAUSSIAN); break;
        case SPH_CUBIC: pass_tile(j, i, copy, SPH_CUBIC); break;
        case SPH_MUELLER: pass_tile(j, i, copy, SPH_MUELLER); break;
        default: pass_tile(j, i, copy, SPH_WENDLAND);
        }
    }
}

rill_status sph_vorticity(sph *s)
{
    if (!(s->def.vorticity > 0)) return RILL_OK;
    vorticity_job j = {.s = s};
    TRY(ARENA_NEW(&s->scratch, j.curl, s->particles.count));
    TRY(ARENA_NEW(&s->scratch, j.w, s->particles.count));
    TRY(ARENA_NEW(&s->scratch, j.inside, s->particles.count));
    for (j.pass = PASS_CURL; j.pass <= PASS_PUSH; j.pass++)
        parallel_for(s->sim.ctx, s->tiles.count, 2, pass_tiles, &j);
    return RILL_OK;
}
