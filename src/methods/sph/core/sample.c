/* Velocity and pressure at points: averages weighted by the kernel (Shepard), so that a
 * point at a wall or at the surface, whose support is cut, still sees full values.
 * What is behind a plate does not count. Beyond every particle's reach both are zero. At walls pressure is
 * the force per area instead (wall_pressure.h). */
#include "flow/trace_samples.h"
#include "geom/search/neighbours.h"
#include "sph/core/wall_pressure.h"

#include <math.h>

/* SUMS: of weights, weights times velocity, weights times pressure, and of forces on the wall per area. */
enum { FEW = 16, SUMS = 6 };

typedef struct {
    const sph *s;
    particle_sizes sizes;
    rill_vec3 x;
    wall_foot foot;
} probe;

/* Each size class has its own kernel, and counts by its mass. */
static inline int class_of(const particle_sizes *sizes, size_t i)
{
    return sizes->class_number ? (int)sizes->class_number[i] : 0;
}

static inline double weight_of(const kernel *k, int class, double r2)
{
    return ldexp(kernel_w(k, sqrt(r2)), class);
}

/* What particle i adds. The pressure of a wall counts particles as far away along it as the kernel reaches
 * and 3/4 of that in front of it: sqrt(1 + (3/4)^2) radii. */
static inline void add_particle(const probe *q, size_t i, double *out)
{
    const particles *p = &q->s->particles;
    const rill_vec3 d = v3_sub(p->position[i], q->x);
    const double r2 = v3_dot(d, d);
    const int class = class_of(&q->sizes, i);
    const kernel *k = &q->sizes.kernel[class];
    const double reach = q->foot.at_wall ? 1.25 * k->support : k->support;
    if (r2 >= reach * reach) return;
    if (q->s->model.thin && plates_between(q->s, p->position[i], q->x)) return;
    if (q->foot.at_wall) out[5] += wall_pressure_term(q->s, &q->sizes, &q->foot, q->x, i);
    if (r2 >= k->support * k->support) return;
    const double w = weight_of(k, class, r2);
    const rill_vec3 v = p->velocity[i];
    out[0] += w;
    out[1] += w * v.x;
    out[2] += w * v.y;
    out[3] += w * v.z;
    out[4] += w * (double)q->s->pressure[i];
}

static void probe_terms(void *arg, size_t begin, size_t end, double *out)
{
    const probe *q = arg;
    for (size_t i = begin; i < end; i++) add_particle(q, i, out);
}

static void write_sample(const double sum[SUMS], const wall_foot *foot, rill_vec3 *u, double *p, size_t i)
{
    const double scale = sum[0] > 0 ? 1 / sum[0] : 0;
    if (u) u[i] = v3(sum[1] * scale, sum[2] * scale, sum[3] * scale);
    if (p) p[i] = foot->at_wall ? sum[5] / foot->share : sum[4] * scale;
}

/* A point, as seen by what is asked: velocities do not need the wall. */
static probe probe_at(const sph *s, rill_vec3 x, bool pressure)
{
    return (probe){s, s->ops->sizes(s), x, pressure ? wall_foot_at(s, x) : (wall_foot){0}};
}

typedef struct {
    const sph *s;
    const tiles *t;
    const rill_vec3 *x;
    rill_vec3 *u;
    double *p;
} sample_job;

/* The tiles hold particles and points alike, ids below n being points: a point meets
 * the particles of its halo. */
static void sample_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sample_job *j = arg;
    const tiles *t = j->t;
    const size_t n = t->points - j->s->particles.count;
    for (size_t k = begin; k < end; k++) {
        halo h;
        bool built = false;
        for (uint32_t i = t->tile[k].begin; i < t->tile[k].end; i++) {
            if (t->order[i] >= n) continue;
            if (!built) halo_build(t, (uint32_t)k, &h);
            built = true;
            double sum[SUMS] = {0};
            const probe q = probe_at(j->s, j->x[t->order[i]], j->p != NULL);
            for (int r = 0; r < h.run_count; r++)
                for (uint32_t m = h.run[r].begin; m < h.run[r].begin + h.run[r].count; m++)
                    if (t->order[m] >= n) add_particle(&q, t->order[m] - n, sum);
            write_sample(sum, &q.foot, j->u, j->p, t->order[i]);
        }
    }
}

static rill_status sample_many(const sph *s, size_t n, const rill_vec3 *x, rill_vec3 *u, double *p)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t count = n + s->particles.count;
    rill_arena arena;
    arena_init(&arena, ctx);
    rill_vec3 *both = arena_alloc(&arena, count, sizeof *both);
    rill_status st = both ? RILL_OK : mem_failed(ctx, count, sizeof *both);
    tiles t;
    if (!st) {
        for (size_t i = 0; i < n; i++) both[i] = x[i];
        for (size_t i = 0; i < s->particles.count; i++) both[n + i] = s->particles.position[i];
        st = tiles_build(ctx, &arena, both, count, 1.25 * s->model.widest, s->sim.scene->dimensions, &t);
    }
    if (!st) {
        sample_job j = {s, &t, x, u, p};
        parallel_for(ctx, t.count, 4, sample_tiles, &j);
    }
    arena_clear(&arena);
    return st;
}

rill_status sph_sample(const sph *s, size_t n, const rill_vec3 *x, rill_vec3 *u, double *p)
{
    for (size_t i = 0; i < n; i++)
        if (!v3_finite(x[i]))
            return rill_fail(s->sim.ctx, RILL_USAGE, "point %zu is not a finite position", i);
    if (n > FEW) return sample_many(s, n, x, u, p);
    for (size_t i = 0; i < n; i++) {
        double sum[SUMS];
        probe q = probe_at(s, x[i], p != NULL);
        parallel_sums(s->sim.ctx, s->particles.count, probe_terms, &q, SUMS, sum);
        write_sample(sum, &q.foot, u, p, i);
    }
    return RILL_OK;
}

static bool parted(const void *user, rill_vec3 sample, rill_vec3 place)
{
    return plates_between(user, sample, place);
}

rill_status sph_trace(const sph *s, size_t n, const rill_vec3 *x, uint32_t *part, rill_vec3 *u)
{
    const trace_samples_def def = {.position = s->particles.position,
                                   .velocity = s->particles.velocity,
                                   .count = s->particles.count,
                                   .reach = s->model.widest,
                                   .dimensions = s->sim.scene->dimensions,
                                   .parted = s->model.thin ? parted : NULL,
                                   .user = s};
    return trace_samples(s->sim.ctx, &def, n, x, part, u);
}
