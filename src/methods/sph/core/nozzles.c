#include "sph/core/nozzles.h"

#include "base/parallel.h"
#include "flow/capacity.h"
#include "sph/core/operations.h"

#include <math.h>

static const double fullest = 0.99;            /* of the domain */
static const double compressed = 1.01;         /* density ratio inside a blocked emitter, equation of state */
static const double taken = 0.7, packed = 1.1; /* density ratio at a place: equation of state, dfsph */
static const double closest_state = 0.7, closest = 0.3; /* spacings from the next particle: likewise */

/* -- inside an emitter --------------------------------------------------------------------- */

typedef struct {
    sph *s;
    const source_layer *layer;
    rill_box box; /* around all that may be in the emitter */
    rill_vec3 velocity, gravity;
    double reach;
    uint32_t emitter;
} nozzle_job;

/* False: the emitter is closed at that time. */
static bool nozzle_of(sph *s, uint32_t k, double t, rill_vec3 gravity, nozzle_job *out)
{
    const scene_emitter *e = &s->sim.scene->emitters[k];
    if (t < e->start || t > e->end) return false;
    nozzle_job j = {.s = s,
                    .layer = &s->sim.sources.layer[k],
                    .box = box_empty(),
                    .gravity = gravity,
                    .reach = s->model.kernel.support,
                    .emitter = k};
    j.velocity = v3_scale(j.layer->direction, emitter_speed(e, t));
    for (uint32_t n = 0; n < j.layer->count; n++) {
        j.box = box_with(j.box, j.layer->point[n]);
        j.box = box_with(j.box, v3_madd(j.layer->point[n], j.reach, j.layer->direction));
    }
    j.box = box_grown(j.box, s->sim.scene->spacing);
    *out = j;
    return true;
}

/* Whether x has come out of a place of the layer, and not farther than the reach. */
static bool inside(const nozzle_job *j, rill_vec3 x)
{
    const double spacing = j->s->sim.scene->spacing, across = 0.75 * spacing;
    if (!box_contains(j->box, x)) return false;
    for (uint32_t k = 0; k < j->layer->count; k++) {
        const rill_vec3 d = v3_sub(x, j->layer->point[k]);
        const double along = v3_dot(d, j->layer->direction);
        if (along > -spacing && along < j->reach && v3_dot(d, d) - along * along < across * across)
            return true;
    }
    return false;
}

/* Whether liquid of this velocity is a stream of its own, which the emitter does not lead. */
static bool crosses(const nozzle_job *j, rill_vec3 v)
{
    const double speed = v3_length(j->velocity);
    return v3_length(v) > 0.7 * speed && v3_distance(v, j->velocity) > 0.3 * speed;
}

static void density_terms(void *arg, size_t begin, size_t end, double *out)
{
    const nozzle_job *j = arg;
    for (size_t i = begin; i < end; i++)
        if (inside(j, j->s->particles.position[i])) {
            out[0] += (double)j->s->density[i];
            out[1]++;
        }
}

static bool is_compressed(nozzle_job *j)
{
    double sum[2];
    parallel_sums(j->s->sim.ctx, j->s->particles.count, density_terms, j, 2, sum);
    return sum[1] > 0 && sum[0] / sum[1] > compressed * j->s->sim.scene->fluid.density;
}

/* Whether x is in the way of an emitter before number k, as far from it as it is wide: two streams that are
 * both held to their velocities would crush what is between them. */
static bool in_earlier(sph *s, uint32_t k, double t, rill_vec3 x)
{
    nozzle_job j;
    for (uint32_t m = 0; m < k; m++) {
        if (!nozzle_of(s, m, t, (rill_vec3){0, 0, 0}, &j)) continue;
        j.reach = fmax(j.reach, v3_length(box_size(j.box)));
        j.box = box_grown(j.box, j.reach);
        if (inside(&j, x)) return true;
    }
    return false;
}

/* -- holding ---------------------------------------------------------------------------------- */

static void hold_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const nozzle_job *j = arg;
    sph *s = j->s;
    for (size_t i = begin; i < end; i++) {
        if (!inside(j, s->particles.position[i]) || crosses(j, s->particles.velocity[i])) continue;
        if (in_earlier(s, j->emitter, s->sim.time, s->particles.position[i])) continue;
        s->particles.velocity[i] = j->velocity;
        s->step.force[i][0] = (float)-j->gravity.x;
        s->step.force[i][1] = (float)-j->gravity.y;
        s->step.force[i][2] = (float)-j->gravity.z;
        s->step.velocity[i][0] = (float)j->velocity.x;
        s->step.velocity[i][1] = (float)j->velocity.y;
        s->step.velocity[i][2] = (float)j->velocity.z;
    }
}

static uint64_t bit_of(uint32_t emitter)
{
    return 1ull << emitter % 64;
}

static void hold(sph *s, rill_vec3 gravity, bool thick)
{
    for (uint32_t k = 0; k < s->sim.scene->emitter_count; k++) {
        nozzle_job j;
        if (s->nozzles.blocked & bit_of(k) || !nozzle_of(s, k, s->sim.time, gravity, &j)) continue;
        if (!thick || sph_is_thick(s, v3_length(j.velocity)))
            parallel_for(s->sim.ctx, s->particles.count, 8192, hold_block, &j);
    }
}

void nozzles_hold(sph *s, rill_vec3 gravity)
{
    hold(s, gravity, false);
}

void nozzles_hold_thick(sph *s)
{
    if (s->model.kinematic > 0) hold(s, (rill_vec3){0, 0, 0}, true);
}

double nozzles_step(const sph *s)
{
    const double t = s->sim.time, g = scene_gravity_most(s->sim.scene), spacing = s->sim.scene->spacing;
    for (uint32_t k = 0; s->model.kinematic > 0 && g > 0 && k < s->sim.scene->emitter_count; k++) {
        const scene_emitter *e = &s->sim.scene->emitters[k];
        if (t >= e->start && t <= e->end && sph_is_thick(s, emitter_speed(e, t)))
            return 0.03 * sqrt(spacing / g);
    }
    return INFINITY;
}

/* -- what comes out --------------------------------------------------------------------------- */

void nozzles_measure(sph *s)
{
    s->nozzles.capacity = capacity_of_domain(s->sim.scene, &s->sim.solids, s->sim.time) / s->model.volume;
}

typedef struct {
    sph *s;
    particle_sizes sizes;
    size_t first;   /* of the new particles */
    uint32_t *near; /* particles around the emitter at hand */
    size_t near_count;
    uint8_t *keep; /* per particle */
    double held;   /* volume of all, in particles of the finest size */
} refusal;

/* Whether there is liquid already where particle i came out. */
static bool is_taken(const refusal *r, const nozzle_job *j, size_t i)
{
    const sph *s = r->s;
    const double C = s->model.calibration * s->model.volume, spacing = s->sim.scene->spacing;
    const bool solved = s->def.solver == SPH_DFSPH;
    double density = 0;
    rill_vec3 flow = {0, 0, 0};
    for (size_t n = 0; n < r->near_count; n++) {
        const size_t k = r->near[n];
        const double d = v3_distance(s->particles.position[k], s->particles.position[i]);
        const int class = r->sizes.class_number ? (int)r->sizes.class_number[k] : 0;
        if (d < (solved ? closest : closest_state) * spacing) return true;
        if (!(d < r->sizes.kernel[class].support)) continue;
        const double share = ldexp(C * kernel_w(&r->sizes.kernel[class], d), class);
        density += share;
        flow = v3_madd(flow, share, s->particles.velocity[k]);
    }
    if (!(density > taken)) return false;
    return !solved || density > packed || crosses(j, v3_scale(flow, 1 / density));
}

static void tell(sph *s, uint32_t emitter, rill_vec3 x)
{
    if (s->nozzles.told & bit_of(emitter)) return;
    s->nozzles.told |= bit_of(emitter);
    rill_log(s->sim.ctx, RILL_LOG_WARNING,
             "emitters[%u] near (%.3g, %.3g, %.3g) is blocked at t = %.3g s: the space in front of it is "
             "full; it gives nothing while that is so",
             emitter, x.x, x.y, x.z, s->sim.time);
}

/* Whether new particle i came out of this emitter: by its place and direction. */
static bool is_from(const nozzle_job *j, size_t i)
{
    const rill_vec3 v = j->s->particles.velocity[i];
    return box_contains(box_grown(j->box, j->s->sim.scene->spacing), j->s->particles.position[i]) &&
           v3_length(v) > 0 && v3_dot(v, j->layer->direction) >= (1 - 1e-9) * v3_length(v);
}

/* The new particles of an emitter, one after the other: each sees those that were kept before it. */
static void refuse(refusal *r, uint32_t emitter, double t, const nozzle_job *j)
{
    sph *s = r->s;
    const rill_box around = box_grown(j->box, s->model.widest);
    const bool shut = s->nozzles.blocked & bit_of(emitter);
    r->near_count = 0;
    for (size_t i = 0; i < s->particles.count; i++)
        if (r->keep[i] == 1 && box_contains(around, s->particles.position[i]))
            r->near[r->near_count++] = (uint32_t)i;
    for (size_t i = r->first; i < s->particles.count; i++) {
        if (r->keep[i] != 2 || !is_from(j, i)) continue;
        if (shut || is_taken(r, j, i) || in_earlier(s, emitter, t, s->particles.position[i])) {
            r->keep[i] = 0;
            tell(s, emitter, s->particles.position[i]);
            continue;
        }
        r->keep[i] = 1;
        r->near[r->near_count++] = (uint32_t)i;
    }
}

static rill_status refuse_all(sph *s, size_t first, double t)
{
    refusal r = {.s = s, .sizes = s->ops->sizes(s), .first = first};
    rill_status st = MEM_NEW(s->sim.ctx, r.keep, s->particles.count);
    if (!st) st = MEM_NEW(s->sim.ctx, r.near, s->particles.count);
    if (!st) {
        for (size_t i = 0; i < s->particles.count; i++)
            r.keep[i] = i < first ? 1 : 2; /* 2: new, and not decided */
        for (uint32_t k = 0; k < s->sim.scene->emitter_count; k++) {
            nozzle_job j;
            if (nozzle_of(s, k, t, (rill_vec3){0, 0, 0}, &j)) refuse(&r, k, t, &j);
        }
        s->sim.sources.merged += particles_keep(&s->particles, r.keep);
    }
    mem_free(s->sim.ctx, r.keep);
    mem_free(s->sim.ctx, r.near);
    return st;
}

static void volume_terms(void *arg, size_t begin, size_t end, double *out)
{
    const float *class_number = arg;
    for (size_t i = begin; i < end; i++) out[0] += ldexp(1, (int)class_number[i]);
}

/* Volume of the liquid, in particles of the finest size. */
static double volume_of(const sph *s)
{
    particle_sizes sizes = s->ops->sizes(s);
    double sum[1] = {(double)s->particles.count};
    if (sizes.class_number)
        parallel_sums(s->sim.ctx, s->particles.count, volume_terms, (void *)sizes.class_number, 1, sum);
    return sum[0];
}

/* Emitters that may not give anything in this step. */
static uint64_t find_blocked(sph *s, double t)
{
    const bool solved = s->def.solver == SPH_DFSPH;
    const bool full = isfinite(s->nozzles.capacity) && volume_of(s) > fullest * s->nozzles.capacity;
    uint64_t blocked = 0;
    for (uint32_t k = 0; k < s->sim.scene->emitter_count; k++) {
        nozzle_job j;
        if (full || (!solved && nozzle_of(s, k, t, (rill_vec3){0, 0, 0}, &j) && is_compressed(&j)))
            blocked |= bit_of(k);
    }
    return blocked;
}

rill_status nozzles_emit(sph *s, double t, double dt)
{
    const uint64_t born = s->particles.next_id;
    s->nozzles.blocked = find_blocked(s, t);
    TRY(sources_apply(s->sim.ctx, &s->sim.sources, &s->sim.solids, t, dt, &s->particles));
    sph_columns(s);
    size_t first = s->particles.count;
    while (first > 0 && s->particles.id[first - 1] >= born) first--;
    if (s->sim.scene->emitter_count && first < s->particles.count) TRY(refuse_all(s, first, t));
    if (first == s->particles.count || !sources_join_between(s->sim.scene, t, t + dt)) return RILL_OK;
    return s->ops->join(s, born);
}
