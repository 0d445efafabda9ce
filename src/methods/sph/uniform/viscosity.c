/* Viscosity of thick liquids: backward Euler, (I + dt L) v = v*.
 *
 * L is the pair operator of forces.c with the drag of walls that do not slip on its
 * diagonal:
 *   (L v)_i = sum_j c_ij x_ij (x_ij . v_ij) + nu drag_i (1 - n n^T) v_i
 * with the c_ij >= 0 of viscous_pairs.c (mueller: c_ij v_ij). c is symmetric and masses are equal, so that
 * L is symmetric and not negative: any step is stable and takes energy out. Weiler et al.
 * 2018 solve the same system.
 *
 * Conjugate gradients for the change d of the velocities, from d = 0, without a matrix:
 * dt c_ij is kept for each list entry. They end when the residual is below a share of the
 * change itself, which does not depend on how fast the liquid moves as a whole. All
 * directions are sums of pair forces, so that momentum is kept to rounding wherever they
 * end. No preconditioner: with one the
 * directions would no longer be such sums. Whether it would save iterations is not measured. */
#include "linalg/gradients.h"
#include "sph/core/wall_forces.h"
#include "sph/uniform/viscous_bodies.h"
#include "sph/uniform/viscous_pairs.h"

#include <math.h>

enum { MOST_ITERATIONS = 300 };

typedef struct {
    sph *s;
    double dt;
    float *weight;                      /* dt c_ij per list entry */
    float (*change)[4], (*residual)[4]; /* d, and what is left of the right side */
    float (*direction)[4], (*image)[4]; /* p and (I + dt L) p */
    double *dot;                        /* per tile: p . image */
    double alpha, beta, square;         /* square: of the residual */
    viscous_bodies bodies;              /* that do not slip */
} solver;

/* -- the operator --------------------------------------------------------------------- */

SPH_INLINE void weigh_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    const solver *v = arg;
    const sph *s = v->s;
    const kernel8 k = kernel8_make(&s->model.kernel);
    const double constant = viscous_pairs_scale(s) * (kind == SPH_MUELLER ? k.l_scale : -k.g_scale);
    const __m256 scale = _mm256_set1_ps((float)(v->dt * constant)),
                 tiny = _mm256_set1_ps((float)(1e-10 * s->model.kernel.support * s->model.kernel.support));
    const float(*x)[4] = (const float(*)[4])copy->position, (*u)[4] = (const float(*)[4])copy->vector;
    for (own o = own_first(s, index); o.i < o.last; own_next(s, &o)) {
        const vec8 at = same8(s->uniform->position[o.i]);
        const __m256 ri = _mm256_set1_ps(s->step.velocity[o.i][3]);
        float *weight = v->weight + o.at;
        for (const uint16_t *l = o.list; l < o.end; l += NEIGHBOUR_LANES, weight += NEIGHBOUR_LANES) {
            const pair8 p = pair_apart(at, load8(x, l), tiny);
            const __m256 c = _mm256_mul_ps(scale, _mm256_mul_ps(ri, load8(u, l).w));
            const __m256 thick = viscous_pair_factor(copy->value, s->uniform->viscosity_factor[o.i], l);
            _mm256_storeu_ps(weight,
                             _mm256_mul_ps(_mm256_mul_ps(c, thick), viscous_pair_weight(kind, &k, &p)));
        }
    }
}

static void weigh_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const solver *v = arg;
    const pass_from from = {.position = (const float(*)[4])v->s->uniform->position,
                            .vector = (const float(*)[4])v->s->step.velocity,
                            .value = v->s->uniform->viscosity_factor};
    pass_kernel_tiles(v->s, from, begin, end, worker, weigh_tile, arg);
}

/* image = p + dt L p of the particles of a tile, and p . image. */
SPH_INLINE void apply_tile(const solver *v, uint32_t index, const halo_copy *copy, bool mueller)
{
    const sph *s = v->s;
    const float(*x)[4] = (const float(*)[4])copy->position, (*u)[4] = (const float(*)[4])copy->vector;
    const float drag_scale = (float)(v->dt * s->model.kinematic);
    double dot = 0;
    for (own o = own_first(s, index); o.i < o.last; own_next(s, &o)) {
        const float *p = v->direction[o.i], *weight = v->weight + o.at;
        const vec8 at = same8(s->uniform->position[o.i]), from = same8(p);
        vec8 sum = zero8();
        for (const uint16_t *l = o.list; l < o.end; l += NEIGHBOUR_LANES, weight += NEIGHBOUR_LANES) {
            const vec8 q = load8(u, l);
            const __m256 c = _mm256_loadu_ps(weight);
            const __m256 du = _mm256_sub_ps(from.x, q.x), dv = _mm256_sub_ps(from.y, q.y),
                         dw = _mm256_sub_ps(from.z, q.z);
            if (mueller) {
                add8(&sum, c, du, dv, dw);
                continue;
            }
            const pair8 y = pair_of(at, load8(x, l));
            const __m256 along = _mm256_fmadd_ps(du, y.x, _mm256_fmadd_ps(dv, y.y, _mm256_mul_ps(dw, y.z)));
            add8(&sum, _mm256_mul_ps(c, along), y.x, y.y, y.z);
        }
        float a[3] = {p[0] + sum8(sum.x), p[1] + sum8(sum.y), p[2] + sum8(sum.z)};
        if (s->step.drag && s->step.drag[o.i] > 0) {
            const float *b = s->step.wall[o.i];
            const float rate = drag_scale * s->step.drag[o.i], b2 = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
            const float across = b2 > 0 ? (p[0] * b[0] + p[1] * b[1] + p[2] * b[2]) / b2 : 0;
            for (int c = 0; c < 3; c++) a[c] += rate * (p[c] - across * b[c]);
        }
        for (int c = 0; c < 3; c++) {
            v->image[o.i][c] = a[c];
            dot += (double)p[c] * (double)a[c];
        }
    }
    v->dot[index] = dot;
}

SPH_INLINE void pair_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    (void)kind;
    apply_tile(arg, index, copy, false);
}

SPH_INLINE void mueller_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    (void)kind;
    apply_tile(arg, index, copy, true);
}

static void apply_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const solver *v = arg;
    const pass_from from = {.position = (const float(*)[4])v->s->uniform->position,
                            .vector = (const float(*)[4])v->direction};
    if (v->s->model.kernel.kind == SPH_MUELLER)
        pass_tiles(v->s, from, begin, end, worker, mueller_tile, arg);
    else
        pass_tiles(v->s, from, begin, end, worker, pair_tile, arg);
}

static double apply(solver *v)
{
    parallel_for(v->s->sim.ctx, v->s->uniform->tiles.count, 2, apply_tiles, v);
    double dot = 0;
    for (uint32_t k = 0; k < v->s->uniform->tiles.count; k++) dot += v->dot[k];
    return dot + viscous_bodies_apply(&v->bodies, (const float(*)[4])v->direction, v->image);
}

/* -- conjugate gradients -------------------------------------------------------------- */

static void begin_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const solver *v = arg;
    for (size_t i = begin; i < end; i++)
        for (int c = 0; c < 4; c++) {
            v->direction[i][c] = c < 3 ? v->s->step.velocity[i][c] : 0;
            v->change[i][c] = 0;
        }
}

/* Drag of a moving wall: towards its own velocity, as in move.c. */
static rill_vec3 pulled(const solver *v, size_t i)
{
    const sph *s = v->s;
    const rill_vec3 none = {0, 0, 0};
    if (!s->sim.solids.moving || !s->step.drag || !(s->step.drag[i] > 0)) return none;
    solid_contact c = {0};
    const rill_vec3 x = s->particles.position[i];
    solids_distance(&s->sim.solids, x, s->sim.time, &c);
    c.velocity = move_wall_velocity(s, &c, x, s->sim.time);
    const uint32_t body =
        s->bodies.count && c.solid < SOLID_DOMAIN ? s->sim.bodies.of_solid[c.solid] : BODY_NONE;
    if (body != BODY_NONE) c.velocity = rigid_body_velocity(&s->sim.bodies.world.body[body], x);
    const rill_vec3 n = v3_unit(v3(s->step.wall[i][0], s->step.wall[i][1], s->step.wall[i][2]));
    return v3_scale(v3_madd(c.velocity, -v3_dot(c.velocity, n), n),
                    v->dt * s->model.kinematic * s->step.drag[i]);
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
        v->s->step.velocity[i][0] = (float)u[i].x;
        v->s->step.velocity[i][1] = (float)u[i].y;
        v->s->step.velocity[i][2] = (float)u[i].z;
    }
}

/* The operations of linalg/gradients.h; without a preconditioner z is r itself. */
static void residual_itself(void *arg, double dots[2])
{
    const solver *v = arg;
    dots[0] = v->square;
}

static void direct(void *arg, double beta)
{
    solver *v = arg;
    if (beta == 0) return; /* right_side has set it */
    v->beta = beta;
    parallel_for(v->s->sim.ctx, v->s->particles.count, 8192, turn_block, v);
    viscous_bodies_turn(&v->bodies, beta);
}

static double apply_to_direction(void *arg)
{
    return apply(arg);
}

static double advance_by(void *arg, double alpha)
{
    solver *v = arg;
    double next[2];
    v->alpha = alpha;
    parallel_sums(v->s->sim.ctx, v->s->particles.count, advance, v, 2, next);
    viscous_bodies_advance(&v->bodies, alpha, next);
    v->square = next[0];
    return next[1] > 0 ? sqrt(next[0] / next[1]) : 0; /* over the change */
}

static int conjugate_gradients(solver *v)
{
    static const gradients_system system = {.precondition = residual_itself,
                                            .direct = direct,
                                            .apply = apply_to_direction,
                                            .advance = advance_by};
    const size_t n = v->s->particles.count;
    double *residual = &v->s->step.viscous_residual;
    gradients g = {.system = &system, .arg = v};
    parallel_for(v->s->sim.ctx, n, 8192, begin_block, v);
    apply(v);
    parallel_sums(v->s->sim.ctx, n, right_side, v, 1, &v->square);
    v->square += viscous_bodies_start(&v->bodies);
    *residual = 0;
    if (!(v->square > 0)) return 0;
    while (g.iterations < MOST_ITERATIONS && gradients_step(&g, residual) == GRADIENTS_GO_ON)
        if (!(*residual > v->s->def.viscosity_tolerance)) break;
    return (int)g.iterations;
}

/* -- for the step --------------------------------------------------------------------- */

double viscous_step(double h, double kinematic)
{
    return kinematic > 0 ? 0.125 * h * h / kinematic : INFINITY;
}

double viscous_limit(const sph *s)
{
    return viscous_step(s->model.kernel.support / 2, s->model.kinematic);
}

bool viscosity_is_implicit(const sph *s, double dt)
{
    if (!(s->model.kinematic > 0) || s->def.viscosity == SPH_EXPLICIT) return false;
    return s->def.viscosity == SPH_IMPLICIT || dt > viscous_limit(s);
}

rill_status uniform_viscosity(sph *s, double dt)
{
    const size_t n = s->particles.count;
    solver v = {.s = s, .dt = dt};
    TRY(ARENA_NEW(&s->step.arena, v.weight, s->uniform->lists.used + NEIGHBOUR_LANES));
    TRY(ARENA_NEW(&s->step.arena, v.change, n));
    TRY(ARENA_NEW(&s->step.arena, v.residual, n));
    TRY(ARENA_NEW(&s->step.arena, v.direction, n));
    TRY(ARENA_NEW(&s->step.arena, v.image, n));
    TRY(ARENA_NEW(&s->step.arena, v.dot, s->uniform->tiles.count));
    parallel_for(s->sim.ctx, s->uniform->tiles.count, 2, weigh_tiles, &v);
    TRY(viscous_bodies_find(s, dt * s->model.kinematic, &v.bodies));
    s->step.viscous_iterations = conjugate_gradients(&v);
    viscous_bodies_finish(&v.bodies, (const float(*)[4])v.change);
    parallel_for(s->sim.ctx, n, 8192, finish_block, &v);
    wall_forces_drag(s, dt);
    s->step.drag = NULL; /* it is in the operator */
    return RILL_OK;
}
