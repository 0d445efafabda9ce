#include "sph/dfsph/body_pressure.h"

#include "base/parallel.h"
#include "sph/core/body_rows.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 512 };

typedef struct {
    sph *s;
    const pairs_job *pairs;
    uint32_t body;
    float tau;
    double motion[BODY_FREEDOMS]; /* of the body at hand: V, or a, or z */
} body_job;

typedef struct {
    size_t begin, count;
} span;

static span rows_of(const sph *s, uint32_t body)
{
    return (span){s->bodies.first[body], s->bodies.first[body + 1] - s->bodies.first[body]};
}

static void correct_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    for (size_t n = begin; n < end; n++) {
        body_row *r = &s->bodies.row[n];
        const float *d = s->solve.correction[0][r->particle], *m = s->solve.correction[1][r->particle];
        const float b[3] = {r->gradient[0], r->gradient[1], r->gradient[2]};
        r->gradient[0] = d[0] * b[0] + m[0] * b[1] + m[2] * b[2];
        r->gradient[1] = m[0] * b[0] + d[1] * b[1] + m[1] * b[2];
        r->gradient[2] = m[2] * b[0] + m[1] * b[1] + d[2] * b[2];
    }
}

void body_pressure_correct(sph *s)
{
    parallel_for(s->sim.ctx, s->bodies.count, BLOCK, correct_block, s);
}

/* -- right side --------------------------------------------------------------------------- */

static void target_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const body_job *j = arg;
    sph *s = j->s;
    const rill_vec3 v = v3(j->motion[0], j->motion[1], j->motion[2]),
                    spin = v3(j->motion[3], j->motion[4], j->motion[5]);
    for (size_t n = s->bodies.first[j->body] + begin; n < s->bodies.first[j->body] + end; n++) {
        const body_row *r = &s->bodies.row[n];
        const rill_vec3 there =
            v3_add(v, v3_cross(spin, v3((double)r->arm[0], (double)r->arm[1], (double)r->arm[2])));
        const double rate = (double)r->gradient[0] * there.x + (double)r->gradient[1] * there.y +
                            (double)r->gradient[2] * there.z;
        s->solve.target[r->particle] -= (float)(s->model.calibration * rate);
    }
}

void body_pressure_target(sph *s, double lean)
{
    for (uint32_t k = 0; s->bodies.count && k < s->sim.bodies.count; k++) {
        body_job j = {.s = s, .body = k};
        double start[BODY_FREEDOMS];
        const world_state *from = &s->sim.bodies.before[k];
        const rigid_body before = {.velocity = from->velocity, .spin = from->spin};
        rigid_body_motion(&before, start);
        rigid_body_motion(&s->sim.bodies.world.body[k], j.motion);
        for (int c = 0; c < BODY_FREEDOMS; c++) j.motion[c] = start[c] + lean * (j.motion[c] - start[c]);
        parallel_for(s->sim.ctx, rows_of(s, k).count, BLOCK, target_block, &j);
    }
}

/* -- an iteration ------------------------------------------------------------------------- */

/* Takes `share` u . motion from the residuals. */
static void subtract_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const body_job *j = arg;
    sph *s = j->s;
    for (size_t n = s->bodies.first[j->body] + begin; n < s->bodies.first[j->body] + end; n++)
        s->solve.residual[s->bodies.row[n].particle] -=
            body_row_along(s->bodies.u[n], j->motion, BODY_FREEDOMS);
}

static float residual_of(const body_job *j, uint32_t i)
{
    return j->s->solve.target[i] + j->pairs->scale * j->s->solve.residual[i];
}

/* m f / tau of the rows in which pressure acts; out: the right side. */
static void weigh_terms(void *arg, size_t begin, size_t end, double *out)
{
    const body_job *j = arg;
    const sph *s = j->s;
    for (size_t n = s->bodies.first[j->body] + begin; n < s->bodies.first[j->body] + end; n++) {
        const uint32_t i = s->bodies.row[n].particle;
        const float r = residual_of(j, i);
        const bool acts = !s->solve.spray[i] && (j->pairs->k[i] > 0 || r > 0 || s->solve.inside[i]);
        s->bodies.value[n] = acts ? s->bodies.row[n].mass * s->solve.factor[i] / j->tau : 0;
        for (int c = 0; c < BODY_FREEDOMS; c++)
            out[c] += (double)s->bodies.value[n] * (double)s->bodies.u[n][c] * (double)r;
    }
}

static void error_terms(void *arg, size_t begin, size_t end, double *out)
{
    const body_job *j = arg;
    const sph *s = j->s;
    for (size_t n = s->bodies.first[j->body] + begin; n < s->bodies.first[j->body] + end; n++)
        if (s->bodies.value[n] > 0) {
            const float left = residual_of(j, s->bodies.row[n].particle),
                        shift = body_row_along(s->bodies.u[n], j->motion, BODY_FREEDOMS);
            out[0] += (double)fmaxf(fabsf(left), fabsf(shift));
            out[1]++;
        }
}

void body_pressure_precondition(pairs_job *pairs)
{
    sph *s = pairs->s;
    rill_ctx *ctx = s->sim.ctx;
    const body_rows *b = &s->bodies;
    pairs->body_error = 0;
    for (uint32_t k = 0; k < s->sim.bodies.count; k++) {
        body_job j = {.s = s, .body = k};
        body_rows_reduced(s, k, pairs->k, j.motion);
        parallel_for(ctx, rows_of(s, k).count, BLOCK, subtract_block, &j);
    }
    for (uint32_t k = 0; k < s->sim.bodies.count; k++) {
        body_job j = {.s = s, .pairs = pairs, .body = k, .tau = pairs->tau};
        const span rows = rows_of(s, k);
        double error[2];
        parallel_sums(ctx, rows.count, weigh_terms, &j, BODY_FREEDOMS, j.motion);
        body_system_solve(ctx, body_freedoms(s), rows.count, (const float(*)[BODY_FREEDOMS])b->u + rows.begin,
                          b->value + rows.begin, j.motion);
        parallel_sums(ctx, rows.count, error_terms, &j, 2, error);
        if (error[1] > 0) pairs->body_error = fmax(pairs->body_error, error[0] / error[1]);
        for (int c = 0; c < BODY_FREEDOMS; c++) j.motion[c] /= (double)pairs->scale;
        parallel_for(ctx, rows.count, BLOCK, subtract_block, &j);
    }
}

/* -- the end of the solve ------------------------------------------------------------------- */

static void settle_weights(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const body_job *j = arg;
    const sph *s = j->s;
    for (size_t n = s->bodies.first[j->body] + begin; n < s->bodies.first[j->body] + end; n++) {
        const uint32_t i = s->bodies.row[n].particle;
        s->bodies.value[n] =
            s->solve.change[i] != 0 ? s->bodies.row[n].mass * s->solve.factor[i] / j->tau : 0;
    }
}

static void settle_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const body_job *j = arg;
    const sph *s = j->s;
    for (size_t n = s->bodies.first[j->body] + begin; n < s->bodies.first[j->body] + end; n++) {
        const uint32_t i = s->bodies.row[n].particle;
        if (!(s->bodies.value[n] > 0)) continue;
        const float k = s->solve.change[i] - s->bodies.value[n] / s->bodies.row[n].mass *
                                                 body_row_along(s->bodies.u[n], j->motion, BODY_FREEDOMS);
        s->solve.change[i] = k > 0 || s->solve.inside[i] ? k : 0;
    }
}

/* The body's acceleration over the step, by that of the solve and of the last step, in its freedoms: root^T
 * M (velocity, spin). */
static void settled(const sph *s, uint32_t body, double lean, const double now[BODY_FREEDOMS],
                    double out[BODY_FREEDOMS])
{
    double mass[BODY_FREEDOMS][BODY_FREEDOMS], to[BODY_FREEDOMS], *kept = s->bodies.kept[body];
    for (int r = 0; r < BODY_FREEDOMS; r++) {
        double a = 0;
        for (int c = 0; c < BODY_FREEDOMS; c++) a += s->bodies.root[body][r][c] * now[c];
        const double common = a * kept[r] > 0 ? (fabs(a) < fabs(kept[r]) ? a : kept[r]) : 0;
        to[r] = lean * a + (1 - lean) * common;
        kept[r] = a;
    }
    rigid_body_mass(&s->sim.bodies.world.body[body], mass);
    for (int c = 0; c < BODY_FREEDOMS; c++) {
        out[c] = 0;
        for (int r = 0; r < BODY_FREEDOMS; r++)
            for (int k = 0; k < BODY_FREEDOMS; k++) out[c] += s->bodies.root[body][r][c] * mass[r][k] * to[k];
    }
}

void body_pressure_settle(sph *s, double lean, double tau)
{
    rill_ctx *ctx = s->sim.ctx;
    for (uint32_t k = 0; s->bodies.count && k < s->sim.bodies.count; k++) {
        body_job j = {.s = s, .body = k, .tau = (float)tau};
        const span rows = rows_of(s, k);
        double now[BODY_FREEDOMS], wanted[BODY_FREEDOMS];
        body_rows_reduced(s, k, s->solve.k, now);
        settled(s, k, lean, now, wanted);
        body_rows_reduced(s, k, s->solve.change, j.motion);
        for (int c = 0; c < BODY_FREEDOMS; c++) j.motion[c] -= wanted[c];
        parallel_for(ctx, rows.count, BLOCK, settle_weights, &j);
        body_system_solve(ctx, body_freedoms(s), rows.count,
                          (const float(*)[BODY_FREEDOMS])s->bodies.u + rows.begin,
                          s->bodies.value + rows.begin, j.motion);
        parallel_for(ctx, rows.count, BLOCK, settle_block, &j);
    }
}

/* The impulse of pressures on the bodies. */
static void react(sph *s, const float *pressure, double dt)
{
    for (uint32_t k = 0; s->bodies.count && k < s->sim.bodies.count; k++) {
        double force[BODY_FREEDOMS];
        body_rows_force(s, k, pressure, force);
        for (int c = 0; c < BODY_FREEDOMS; c++) force[c] *= dt;
        body_rows_push(s, k, force);
    }
}

void body_pressure_react(sph *s, double dt)
{
    react(s, s->solve.change, dt);
}

void body_pressure_predict(sph *s, double dt)
{
    react(s, s->solve.k, dt);
}
