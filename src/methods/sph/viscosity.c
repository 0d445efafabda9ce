/* Viscosity of thick liquids: backward Euler, (I + dt L) v = v*.
 *
 * L is the pair operator of forces.c with the drag of walls that do not slip on its
 * diagonal:
 *   (L v)_i = sum_j c_ij x_ij (x_ij . v_ij) + nu drag_i (1 - n n^T) v_i,
 *   c_ij = -m 2(dim+2) mu / (rho_i rho_j) (W'/r) / (r^2 + eta^2) >= 0
 * (mueller: c_ij v_ij with its own Laplacian). c is symmetric and masses are equal, so that
 * L is symmetric and not negative: any step is stable and takes energy out. Weiler et al.
 * 2018 solve the same system.
 *
 * Conjugate gradients for the change d of the velocities, from d = 0, without a matrix:
 * dt c_ij is kept for each list entry. They end when the residual is below a share of the
 * change itself, which does not depend on how fast the liquid moves as a whole. All
 * directions are sums of pair forces, so that momentum is kept to rounding wherever they
 * end. No preconditioner: with one the
 * directions would no longer be such sums. Whether it would save iterations is not measured. */
#include "sph/simd.h"
#include "sph/state.h"

#include <math.h>

enum { MOST_ITERATIONS = 300 };

typedef struct {
    sph *s;
    double dt;
    float *weight;                      /* dt c_ij per list entry */
    float (*change)[4], (*residual)[4]; /* d, and what is left of the right side */
    float (*direction)[4], (*image)[4]; /* p and (I + dt L) p */
    double *dot;                        /* per tile: p . image */
    double alpha, beta;
} solver;

/* -- the operator --------------------------------------------------------------------- */

SPH_INLINE void weigh_tile(const solver *v, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    const sph *s = v->s;
    const kernel8 k = kernel8_make(&s->kernel);
    const double half = s->kernel.support / 2, mu = s->sim.scene->fluid.viscosity;
    const double constant = kind == SPH_MUELLER ? s->mass * mu * k.l_scale
                                                : -s->mass * k.g_scale * 2 * (s->kernel.dimensions + 2) * mu;
    const __m256 scale = _mm256_set1_ps((float)(v->dt * constant));
    const __m256 eta2 = _mm256_set1_ps((float)(0.01 * half * half)),
                 tiny = _mm256_set1_ps((float)(1e-10 * half * half));
    const float(*x)[4] = (const float(*)[4])copy->position, (*u)[4] = (const float(*)[4])copy->velocity;
    const uint16_t *list = s->lists.pool + s->lists.segment[index];
    float *weight = v->weight + s->lists.segment[index];
    for (uint32_t i = s->tiles.tile[index].begin; i < s->tiles.tile[index].end; i++) {
        const __m256 xi = _mm256_set1_ps(s->position[i][0]), yi = _mm256_set1_ps(s->position[i][1]),
                     zi = _mm256_set1_ps(s->position[i][2]), ri = _mm256_set1_ps(s->velocity[i][3]);
        const uint16_t *end = list + s->lists.count[i];
        for (; list < end; list += NEIGHBOUR_LANES, weight += NEIGHBOUR_LANES) {
            const vec8 p = load8(x, list);
            const __m256 rj = load8(u, list).w;
            const __m256 dx = _mm256_sub_ps(xi, p.x), dy = _mm256_sub_ps(yi, p.y),
                         dz = _mm256_sub_ps(zi, p.z);
            const __m256 d2 =
                _mm256_max_ps(_mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz))), tiny);
            const __m256 d = _mm256_sqrt_ps(d2);
            __m256 c = _mm256_mul_ps(scale, _mm256_mul_ps(ri, rj));
            if (kind == SPH_MUELLER)
                c = _mm256_mul_ps(c, kernel8_l(&k, d));
            else
                c = _mm256_div_ps(_mm256_mul_ps(c, kernel8_g(kind, &k, d2, d, _mm256_div_ps(k.one, d))),
                                  _mm256_add_ps(d2, eta2));
            _mm256_storeu_ps(weight, c);
        }
    }
}

static void weigh_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const solver *v = arg;
    const sph *s = v->s;
    const halo_copy *copy = &s->copy[worker];
    for (size_t k = begin; k < end; k++) {
        halo h;
        const uint32_t i = (uint32_t)k;
        halo_build(&s->tiles, i, &h);
        halo_gather_positions(&h, (const float(*)[4])s->position, copy->position);
        halo_gather(&h, (const float(*)[4])s->velocity, copy->velocity);
        switch (s->kernel.kind) { /* one copy of the loop per kernel */
        case SPH_GAUSSIAN: weigh_tile(v, i, copy, SPH_GAUSSIAN); break;
        case SPH_CUBIC: weigh_tile(v, i, copy, SPH_CUBIC); break;
        case SPH_MUELLER: weigh_tile(v, i, copy, SPH_MUELLER); break;
        default: weigh_tile(v, i, copy, SPH_WENDLAND);
        }
    }
}

/* image = p + dt L p of the particles of a tile, and p . image. */
SPH_INLINE double apply_tile(const solver *v, uint32_t index, const halo_copy *copy, bool mueller)
{
    const sph *s = v->s;
    const float(*x)[4] = (const float(*)[4])copy->position, (*u)[4] = (const float(*)[4])copy->velocity;
    const float drag_scale = (float)(v->dt * s->kinematic);
    const uint16_t *list = s->lists.pool + s->lists.segment[index];
    const float *weight = v->weight + s->lists.segment[index];
    double dot = 0;
    for (uint32_t i = s->tiles.tile[index].begin; i < s->tiles.tile[index].end; i++) {
        const float *p = v->direction[i];
        const __m256 xi = _mm256_set1_ps(s->position[i][0]), yi = _mm256_set1_ps(s->position[i][1]),
                     zi = _mm256_set1_ps(s->position[i][2]);
        const __m256 ui = _mm256_set1_ps(p[0]), vi = _mm256_set1_ps(p[1]), wi = _mm256_set1_ps(p[2]);
        __m256 ax = _mm256_setzero_ps(), ay = ax, az = ax;
        const uint16_t *end = list + s->lists.count[i];
        for (; list < end; list += NEIGHBOUR_LANES, weight += NEIGHBOUR_LANES) {
            const vec8 q = load8(u, list);
            const __m256 c = _mm256_loadu_ps(weight);
            const __m256 du = _mm256_sub_ps(ui, q.x), dv = _mm256_sub_ps(vi, q.y),
                         dw = _mm256_sub_ps(wi, q.z);
            if (mueller) {
                ax = _mm256_fmadd_ps(c, du, ax);
                ay = _mm256_fmadd_ps(c, dv, ay);
                az = _mm256_fmadd_ps(c, dw, az);
                continue;
            }
            const vec8 y = load8(x, list);
            const __m256 dx = _mm256_sub_ps(xi, y.x), dy = _mm256_sub_ps(yi, y.y),
                         dz = _mm256_sub_ps(zi, y.z);
            const __m256 f =
                _mm256_mul_ps(c, _mm256_fmadd_ps(du, dx, _mm256_fmadd_ps(dv, dy, _mm256_mul_ps(dw, dz))));
            ax = _mm256_fmadd_ps(f, dx, ax);
            ay = _mm256_fmadd_ps(f, dy, ay);
            az = _mm256_fmadd_ps(f, dz, az);
        }
        float a[3] = {p[0] + sum8(ax), p[1] + sum8(ay), p[2] + sum8(az)};
        if (s->drag && s->drag[i] > 0) {
            const float *b = s->wall[i];
            const float rate = drag_scale * s->drag[i], b2 = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
            const float across = b2 > 0 ? (p[0] * b[0] + p[1] * b[1] + p[2] * b[2]) / b2 : 0;
            for (int c = 0; c < 3; c++) a[c] += rate * (p[c] - across * b[c]);
        }
        for (int c = 0; c < 3; c++) {
            v->image[i][c] = a[c];
            dot += (double)p[c] * (double)a[c];
        }
    }
    return dot;
}

static void apply_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const solver *v = arg;
    const sph *s = v->s;
    const halo_copy *copy = &s->copy[worker];
    for (size_t k = begin; k < end; k++) {
        halo h;
        halo_build(&s->tiles, (uint32_t)k, &h);
        halo_gather_positions(&h, (const float(*)[4])s->position, copy->position);
        halo_gather(&h, (const float(*)[4])v->direction, copy->velocity);
        v->dot[k] = s->kernel.kind == SPH_MUELLER ? apply_tile(v, (uint32_t)k, copy, true)
                                                  : apply_tile(v, (uint32_t)k, copy, false);
    }
}

static double apply(solver *v)
{
    parallel_for(v->s->sim.ctx, v->s->tiles.count, 2, apply_tiles, v);
    double dot = 0;
    for (uint32_t k = 0; k < v->s->tiles.count; k++) dot += v->dot[k];
    return dot;
}

/* -- conjugate gradients -------------------------------------------------------------- */

static void begin_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const solver *v = arg;
    for (size_t i = begin; i < end; i++)
        for (int c = 0; c < 4; c++) {
            v->direction[i][c] = c < 3 ? v->s->velocity[i][c] : 0;
            v->change[i][c] = 0;
        }
}

/* Drag of a moving wall: towards its own velocity, as in move.c. */
static rill_vec3 pulled(const solver *v, size_t i)
{
    const sph *s = v->s;
    const rill_vec3 none = {0, 0, 0};
    if (!s->sim.solids.moving || !s->drag || !(s->drag[i] > 0)) return none;
    solid_contact c = {0};
    solids_distance(&s->sim.solids, s->particles.position[i], s->sim.time, &c);
    const rill_vec3 n = v3_unit(v3(s->wall[i][0], s->wall[i][1], s->wall[i][2]));
    return v3_scale(v3_madd(c.velocity, -v3_dot(c.velocity, n), n), v->dt * s->kinematic * s->drag[i]);
}

/* The right side for the change, -dt L v: what the operator adds to v, turned round. */
static void right_side(void *arg, size_t begin, size_t end, double *out)
{
    const solver *v = arg;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 wall = pulled(v, i);
        for (int c = 0; c < 3; c++) {
            const float r = v->direction[i][c] - v->image[i][c] + (float)v3_axis(wall, c);
            v->residual[i][c] = v->direction[i][c] = r;
            out[0] += (double)r * (double)r;
        }
    }
}

static void advance(void *arg, size_t begin, size_t end, double *out)
{
    const solver *v = arg;
    const float alpha = (float)v->alpha;
    for (size_t i = begin; i < end; i++)
        for (int c = 0; c < 3; c++) {
            const float d = v->change[i][c] + alpha * v->direction[i][c];
            const float r = v->residual[i][c] - alpha * v->image[i][c];
            v->change[i][c] = d;
            v->residual[i][c] = r;
            out[0] += (double)r * (double)r;
            out[1] += (double)d * (double)d;
        }
}

static void turn_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const solver *v = arg;
    const float beta = (float)v->beta;
    for (size_t i = begin; i < end; i++)
        for (int c = 0; c < 3; c++) v->direction[i][c] = v->residual[i][c] + beta * v->direction[i][c];
}

static void finish_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const solver *v = arg;
    rill_vec3 *u = v->s->particles.velocity;
    for (size_t i = begin; i < end; i++) {
        const float *d = v->change[i];
        u[i] = v3_add(u[i], v3((double)d[0], (double)d[1], (double)d[2]));
        v->s->velocity[i][0] = (float)u[i].x;
        v->s->velocity[i][1] = (float)u[i].y;
        v->s->velocity[i][2] = (float)u[i].z;
    }
}

static int conjugate_gradients(solver *v)
{
    rill_ctx *ctx = v->s->sim.ctx;
    const size_t n = v->s->particles.count;
    const double tolerance = v->s->def.viscosity_tolerance;
    double square; /* of the residual */
    parallel_for(ctx, n, 8192, begin_block, v);
    apply(v);
    parallel_sums(ctx, n, right_side, v, 1, &square);
    int iterations = 0;
    while (square > 0 && iterations < MOST_ITERATIONS) {
        const double curvature = apply(v);
        double next[2];
        if (!(curvature > 0)) break;
        v->alpha = square / curvature;
        parallel_sums(ctx, n, advance, v, 2, next);
        iterations++;
        if (!(next[0] > tolerance * tolerance * next[1])) break;
        v->beta = next[0] / square;
        square = next[0];
        parallel_for(ctx, n, 8192, turn_block, v);
    }
    return iterations;
}

/* -- for the step --------------------------------------------------------------------- */

double sph_viscous_limit(const sph *s)
{
    const double h = s->kernel.support / 2;
    return s->kinematic > 0 ? 0.125 * h * h / s->kinematic : INFINITY;
}

bool sph_viscosity_is_implicit(const sph *s, double dt)
{
    if (!(s->kinematic > 0) || s->def.viscosity == SPH_EXPLICIT) return false;
    return s->def.viscosity == SPH_IMPLICIT || dt > sph_viscous_limit(s);
}

rill_status sph_viscosity(sph *s, double dt)
{
    const size_t n = s->particles.count;
    solver v = {.s = s, .dt = dt};
    TRY(ARENA_NEW(&s->scratch, v.weight, s->lists.used + NEIGHBOUR_LANES));
    TRY(ARENA_NEW(&s->scratch, v.change, n));
    TRY(ARENA_NEW(&s->scratch, v.residual, n));
    TRY(ARENA_NEW(&s->scratch, v.direction, n));
    TRY(ARENA_NEW(&s->scratch, v.image, n));
    TRY(ARENA_NEW(&s->scratch, v.dot, s->tiles.count));
    parallel_for(s->sim.ctx, s->tiles.count, 2, weigh_tiles, &v);
    s->viscous_iterations = conjugate_gradients(&v);
    parallel_for(s->sim.ctx, n, 8192, finish_block, &v);
    s->drag = NULL; /* it is in the operator */
    return RILL_OK;
}
