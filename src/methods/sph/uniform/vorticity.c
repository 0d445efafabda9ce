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
#include "sph/uniform/pass.h"

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
    const kernel8 k = kernel8_make(&s->model.kernel);
    const double unit = s->model.calibration * s->model.volume, R = s->model.kernel.support,
                 D = s->sim.scene->spacing;
    return (scales){.k = k,
                    .gradient = (float)(unit * k.g_scale),
                    .wall = (float)s->model.calibration,
                    .surface = (float)(R * R),
                    .push = (float)(2 * s->def.vorticity * D * D * unit * k.g_scale),
                    .tiny = _mm256_set1_ps((float)(1e-10 * R * R))};
}

/* W'/r and W without their constants. */
typedef struct {
    pair8 p;
    __m256 g, w;
} near8;

SPH_INLINE near8 near_at(const float (*x)[4], const float *at, const uint16_t *list, const scales *c,
                         sph_kernel kind)
{
    const pair8 p = pair_apart(same8(at), load8(x, list), c->tiny);
    return (near8){p, pair_gradient(kind, &c->k, &p), kernel8_w(kind, &c->k, p.d2)};
}

/* a += g (b x p) */
SPH_INLINE void add_cross(vec8 *a, __m256 g, const vec8 *b, const pair8 *p)
{
    a->x = _mm256_fmadd_ps(g, _mm256_fmsub_ps(b->y, p->z, _mm256_mul_ps(b->z, p->y)), a->x);
    a->y = _mm256_fmadd_ps(g, _mm256_fmsub_ps(b->z, p->x, _mm256_mul_ps(b->x, p->z)), a->y);
    a->z = _mm256_fmadd_ps(g, _mm256_fmsub_ps(b->x, p->y, _mm256_mul_ps(b->y, p->x)), a->z);
}

/* Vorticity, sum_j V (v_i - v_j) x grad W, and where the surface is. */
SPH_INLINE void curl_of(const vorticity_job *j, const own *o, const float (*x)[4], const float (*u)[4],
                        const scales *c, sph_kernel kind)
{
    const uint32_t i = o->i;
    const vec8 mine = same8(j->s->step.velocity[i]);
    vec8 curl = zero8(), normal = zero8();
    for (const uint16_t *l = o->list; l < o->end; l += NEIGHBOUR_LANES) {
        const near8 n = near_at(x, j->s->uniform->position[i], l, c, kind);
        const vec8 q = load8(u, l);
        const vec8 v = {_mm256_sub_ps(mine.x, q.x), _mm256_sub_ps(mine.y, q.y), _mm256_sub_ps(mine.z, q.z),
                        mine.w};
        add_cross(&curl, n.g, &v, &n.p);
        add8(&normal, n.g, n.p.x, n.p.y, n.p.z);
    }
    const float *b = j->s->step.wall[i];
    const float n[3] = {c->gradient * sum8(normal.x) + c->wall * b[0],
                        c->gradient * sum8(normal.y) + c->wall * b[1],
                        c->gradient * sum8(normal.z) + c->wall * b[2]};
    float *w = j->curl[i];
    w[0] = c->gradient * sum8(curl.x);
    w[1] = c->gradient * sum8(curl.y);
    w[2] = c->gradient * sum8(curl.z);
    w[3] = sqrtf(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    const float in = 1 - 4 * c->surface * (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    j->inside[i] = in > 0 ? in : 0;
}

SPH_INLINE void mean_of(const vorticity_job *j, const own *o, const float (*x)[4], const float (*curl)[4],
                        const scales *c, sph_kernel kind)
{
    const uint32_t i = o->i;
    const float mine = j->curl[i][3];
    const __m256 floor = _mm256_set1_ps(1e-6f * mine + 1e-30f);
    __m256 all = _mm256_setzero_ps(), inverse = all;
    for (const uint16_t *l = o->list; l < o->end; l += NEIGHBOUR_LANES) {
        const near8 n = near_at(x, j->s->uniform->position[i], l, c, kind);
        all = _mm256_add_ps(all, n.w);
        inverse = _mm256_add_ps(inverse, _mm256_div_ps(n.w, _mm256_max_ps(load8(curl, l).w, floor)));
    }
    const float mean = sum8(all) / sum8(inverse);
    const float scale = mine > 0 ? j->inside[i] * mean * mean / mine : 0;
    for (int k = 0; k < 4; k++) j->w[i][k] = k < 3 ? scale * j->curl[i][k] : 0;
}

SPH_INLINE void push_of(const vorticity_job *j, const own *o, const float (*x)[4], const float (*w)[4],
                        const scales *c, sph_kernel kind)
{
    const vec8 mine = same8(j->w[o->i]);
    vec8 sum = zero8();
    for (const uint16_t *l = o->list; l < o->end; l += NEIGHBOUR_LANES) {
        const near8 n = near_at(x, j->s->uniform->position[o->i], l, c, kind);
        const vec8 q = load8(w, l);
        const vec8 both = {_mm256_add_ps(mine.x, q.x), _mm256_add_ps(mine.y, q.y), _mm256_add_ps(mine.z, q.z),
                           mine.w};
        add_cross(&sum, n.g, &both, &n.p);
    }
    float *a = j->s->step.force[o->i]; /* grad x w = -(w x grad) */
    a[0] -= c->push * sum8(sum.x);
    a[1] -= c->push * sum8(sum.y);
    a[2] -= c->push * sum8(sum.z);
}

SPH_INLINE void vorticity_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    const vorticity_job *j = arg;
    const sph *s = j->s;
    const scales c = scales_of(s);
    const float(*x)[4] = (const float(*)[4])copy->position, (*u)[4] = (const float(*)[4])copy->vector;
    for (own o = own_first(s, index); o.i < o.last; own_next(s, &o)) {
        if (j->pass == PASS_CURL)
            curl_of(j, &o, x, u, &c, kind);
        else if (j->pass == PASS_MEAN)
            mean_of(j, &o, x, u, &c, kind);
        else
            push_of(j, &o, x, u, &c, kind);
    }
}

static void vorticity_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const vorticity_job *j = arg;
    const sph *s = j->s;
    const float(*vector)[4] = (const float(*)[4])(j->pass == PASS_CURL   ? s->step.velocity
                                                  : j->pass == PASS_MEAN ? j->curl
                                                                         : j->w);
    const pass_from from = {.position = (const float(*)[4])s->uniform->position, .vector = vector};
    pass_kernel_tiles(s, from, begin, end, worker, vorticity_tile, arg);
}

rill_status uniform_vorticity(sph *s)
{
    if (!(s->def.vorticity > 0)) return RILL_OK;
    vorticity_job j = {.s = s};
    TRY(ARENA_NEW(&s->step.arena, j.curl, s->particles.count));
    TRY(ARENA_NEW(&s->step.arena, j.w, s->particles.count));
    TRY(ARENA_NEW(&s->step.arena, j.inside, s->particles.count));
    for (j.pass = PASS_CURL; j.pass <= PASS_PUSH; j.pass++)
        parallel_for(s->sim.ctx, s->uniform->tiles.count, 2, vorticity_tiles, &j);
    return RILL_OK;
}
