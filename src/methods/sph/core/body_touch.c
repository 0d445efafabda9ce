#include "sph/core/body_touch.h"

#include "base/parallel.h"
#include "sph/core/body_rows.h"
#include "sph/core/move.h"
#include "sph/core/operations.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 1024, ROW_BLOCK = 256 };

typedef struct {
    sph *s;
    double kick, t;
    rill_vec3 gravity;
    particle_sizes sizes;
    uint32_t *body;            /* per particle: the body it met, or BODY_NONE */
    uint32_t *particle;        /* per meeting, sorted by body */
    float (*u)[BODY_FREEDOMS]; /* w */
    float *weight;             /* m b */
    double (*change)[3];       /* D */
    uint32_t first, last;      /* of the body at hand */
    uint32_t at;               /* this body */
    double z[BODY_FREEDOMS];
} touch_job;

rill_status body_touch_before(sph *s)
{
    body_rows *b = &s->bodies;
    if (s->sim.bodies.count == 0) return RILL_OK;
    const size_t n = s->particles.count;
    TRY(ARENA_NEW(&b->arena, b->velocity, n + 1));
    memcpy(b->velocity, s->particles.velocity, n * sizeof *b->velocity);
    return body_rows_roots(s);
}

/* What walls changed of the velocity of particle i. */
static rill_vec3 change_of(const touch_job *j, size_t i)
{
    return move_wall_change(j->s, i, j->s->bodies.velocity[i], j->kick, j->gravity);
}

static void find_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const touch_job *j = arg;
    const sph *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 d = change_of(j, i), v = s->particles.velocity[i];
        j->body[i] = BODY_NONE;
        if (!(v3_dot(d, d) > 1e-20 * v3_dot(v, v) + 1e-30)) continue; /* rounding */
        solid_contact c;
        if (!isfinite(solids_distance(&s->sim.solids, s->particles.position[i], j->t, &c))) continue;
        if (c.solid < SOLID_DOMAIN) j->body[i] = s->sim.bodies.of_solid[c.solid];
    }
}

/* w, m b and D of the meetings of a body. */
static void row_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const touch_job *j = arg;
    const sph *s = j->s;
    const rigid_body *r = &s->sim.bodies.world.body[j->at];
    for (size_t n = j->first + begin; n < j->first + end; n++) {
        const uint32_t i = j->particle[n];
        const rill_vec3 D = change_of(j, i), x = s->particles.position[i], arm = v3_sub(x, r->center);
        const double size = v3_length(D);
        const rill_vec3 d = v3_scale(D, 1 / size), turn = v3_cross(arm, d);
        const double moments[BODY_FREEDOMS] = {d.x, d.y, d.z, turn.x, turn.y, turn.z};
        const rill_vec3 before = v3_sub(s->particles.velocity[i], D);
        const double past = fabs(v3_dot(v3_sub(before, rigid_body_velocity(r, x)), d));
        const int class = j->sizes.class_number ? (int)j->sizes.class_number[i] : 0;
        for (int c = 0; c < BODY_FREEDOMS; c++) {
            double sum = 0;
            for (int k = 0; k < BODY_FREEDOMS; k++) sum += s->bodies.root[j->at][k][c] * moments[k];
            j->u[n][c] = (float)sum;
        }
        j->weight[n] = (float)(ldexp(s->model.mass, class) * (size < past ? size / past : 1));
        j->change[n][0] = D.x, j->change[n][1] = D.y, j->change[n][2] = D.z;
    }
}

static double mass_of(const touch_job *j, uint32_t i)
{
    return ldexp(j->s->model.mass, j->sizes.class_number ? (int)j->sizes.class_number[i] : 0);
}

static void wanted_terms(void *arg, size_t begin, size_t end, double *out)
{
    const touch_job *j = arg;
    for (size_t n = j->first + begin; n < j->first + end; n++) {
        const double *D = j->change[n], size = sqrt(D[0] * D[0] + D[1] * D[1] + D[2] * D[2]);
        for (int c = 0; c < BODY_FREEDOMS; c++)
            out[c] -= mass_of(j, j->particle[n]) * size * (double)j->u[n][c];
    }
}

/* The particles' second change, and the impulse of all of it on the body. */
static void share_terms(void *arg, size_t begin, size_t end, double *out)
{
    const touch_job *j = arg;
    sph *s = j->s;
    const rigid_body *r = &s->sim.bodies.world.body[j->at];
    for (size_t n = j->first + begin; n < j->first + end; n++) {
        const uint32_t i = j->particle[n];
        const double mass = mass_of(j, i);
        const rill_vec3 D = v3(j->change[n][0], j->change[n][1], j->change[n][2]), d = v3_unit(D);
        const double more =
            (double)j->weight[n] / mass * (double)body_row_along(j->u[n], j->z, BODY_FREEDOMS);
        s->particles.velocity[i] = v3_madd(s->particles.velocity[i], more, d);
        const rill_vec3 push = v3_scale(v3_madd(D, more, d), -mass);
        const rill_vec3 turn = v3_cross(v3_sub(s->particles.position[i], r->center), push);
        const double all[BODY_FREEDOMS] = {push.x, push.y, push.z, turn.x, turn.y, turn.z};
        for (int c = 0; c < BODY_FREEDOMS; c++) out[c] += all[c];
    }
}

static void share(touch_job *j)
{
    sph *s = j->s;
    const size_t count = j->last - j->first;
    double impulse[BODY_FREEDOMS];
    parallel_for(s->sim.ctx, count, ROW_BLOCK, row_block, j);
    parallel_sums(s->sim.ctx, count, wanted_terms, j, BODY_FREEDOMS, j->z);
    body_system_solve(s->sim.ctx, body_freedoms(s), count, (const float(*)[BODY_FREEDOMS])j->u + j->first,
                      j->weight + j->first, j->z);
    parallel_sums(s->sim.ctx, count, share_terms, j, BODY_FREEDOMS, impulse);
    body_rows_push(s, j->at, impulse);
}

rill_status body_touch_after(sph *s, double kick, rill_vec3 gravity, double t)
{
    const uint32_t bodies = s->sim.bodies.count;
    if (bodies == 0) return RILL_OK;
    rill_arena *arena = &s->bodies.arena;
    const size_t n = s->particles.count;
    touch_job j = {.s = s, .kick = kick, .t = t, .gravity = gravity, .sizes = s->ops->sizes(s)};
    uint32_t *first;
    TRY(ARENA_NEW(arena, j.body, n + 1));
    TRY(ARENA_NEW(arena, first, (size_t)bodies + 2));
    parallel_for(s->sim.ctx, n, BLOCK, find_block, &j);
    memset(first, 0, ((size_t)bodies + 2) * sizeof *first);
    for (size_t i = 0; i < n; i++)
        if (j.body[i] != BODY_NONE) first[j.body[i] + 2]++;
    for (uint32_t k = 0; k < bodies; k++) first[k + 2] += first[k + 1];
    const size_t count = first[bodies + 1];
    TRY(ARENA_NEW(arena, j.particle, count + 1));
    TRY(ARENA_NEW(arena, j.u, count + 1));
    TRY(ARENA_NEW(arena, j.weight, count + 1));
    TRY(ARENA_NEW(arena, j.change, count + 1));
    for (size_t i = 0; i < n; i++)
        if (j.body[i] != BODY_NONE) j.particle[first[j.body[i] + 1]++] = (uint32_t)i;
    for (j.at = 0; j.at < bodies; j.at++) {
        j.first = first[j.at];
        j.last = first[j.at + 1];
        if (j.last > j.first) share(&j);
    }
    return RILL_OK;
}
