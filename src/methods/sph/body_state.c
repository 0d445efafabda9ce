#include "sph/body_state.h"

#include "base/parallel.h"
#include "sph/core/body_rows.h"

#include <math.h>

enum { BLOCK = 512 };

typedef struct {
    sph *s;
    uint32_t body;
    double dt;
    double z[BODY_FREEDOMS];
} push_job;

/* P / rho^2, by which walls push. (The column "pressure" may be another: sized/passes.c.) */
static double pressure_term(const sph *s, uint32_t i)
{
    const double rest = s->sim.scene->fluid.density, c = s->model.sound_speed, rho = (double)s->density[i];
    return (double)sph_state(s, (float)(rest * c * c), (float)(rho / rest)) / (rho * rho);
}
/* How fast that grows with the share of the body in the density ratio. */
static double stiffness(const sph *s, uint32_t i)
{
    const double rest = s->sim.scene->fluid.density, c = s->model.sound_speed, rho = (double)s->density[i];
    if (!(rho > rest)) return 0;
    return (s->def.solver == SPH_TAIT ? pow(rho / rest, 6) : 1) * c * c * rest / (rho * rho);
}

static void weigh_terms(void *arg, size_t begin, size_t end, double *out)
{
    const push_job *j = arg;
    const sph *s = j->s;
    const double rest = s->sim.scene->fluid.density;
    for (size_t n = s->bodies.first[j->body] + begin; n < s->bodies.first[j->body] + end; n++) {
        const body_row *r = &s->bodies.row[n];
        const double push = j->dt * (double)r->mass * rest;
        s->bodies.value[n] = (float)(push * j->dt * stiffness(s, r->particle));
        for (int c = 0; c < BODY_FREEDOMS; c++)
            out[c] += push * pressure_term(s, r->particle) * (double)s->bodies.u[n][c];
    }
}

static void push_terms(void *arg, size_t begin, size_t end, double *out)
{
    const push_job *j = arg;
    const sph *s = j->s;
    const double rest = s->sim.scene->fluid.density * s->model.calibration;
    for (size_t n = s->bodies.first[j->body] + begin; n < s->bodies.first[j->body] + end; n++) {
        const body_row *r = &s->bodies.row[n];
        const uint32_t i = r->particle;
        const double more =
            -j->dt * stiffness(s, i) * (double)body_row_along(s->bodies.u[n], j->z, BODY_FREEDOMS);
        const double push = (double)r->mass * rest * (pressure_term(s, i) + more);
        const rill_vec3 g = v3((double)r->gradient[0], (double)r->gradient[1], (double)r->gradient[2]);
        const rill_vec3 turn = v3_cross(v3((double)r->arm[0], (double)r->arm[1], (double)r->arm[2]), g);
        const double moments[BODY_FREEDOMS] = {g.x, g.y, g.z, turn.x, turn.y, turn.z};
        for (int c = 0; c < BODY_FREEDOMS; c++) out[c] += push * moments[c];
        for (int c = 0; c < 3; c++) s->step.force[i][c] -= (float)(rest * more * moments[c]);
    }
}

/* What the body's motion has changed by in the step so far, in its freedoms: root^T M (V - V at the start).
 */
static void add_gained(const sph *s, uint32_t body, double out[BODY_FREEDOMS])
{
    const rigid_body *r = &s->sim.bodies.world.body[body];
    const world_state *from = &s->sim.bodies.before[body];
    const rigid_body before = {.velocity = from->velocity, .spin = from->spin};
    double mass[BODY_FREEDOMS][BODY_FREEDOMS], now[BODY_FREEDOMS], then[BODY_FREEDOMS];
    rigid_body_mass(r, mass);
    rigid_body_motion(r, now);
    rigid_body_motion(&before, then);
    for (int c = 0; c < BODY_FREEDOMS; c++)
        for (int k = 0; k < BODY_FREEDOMS; k++)
            for (int l = 0; l < BODY_FREEDOMS; l++)
                out[c] += s->bodies.root[body][k][c] * mass[k][l] * (now[l] - then[l]);
}

rill_status body_state_push(sph *s, double dt)
{
    rill_ctx *ctx = s->sim.ctx;
    TRY(bodies_lean(&s->sim.bodies, dt, 1));
    for (uint32_t k = 0; s->bodies.count && k < s->sim.bodies.count; k++) {
        push_job j = {.s = s, .body = k, .dt = dt};
        const size_t first = s->bodies.first[k], count = s->bodies.first[k + 1] - first;
        double force[BODY_FREEDOMS];
        parallel_sums(ctx, count, weigh_terms, &j, BODY_FREEDOMS, j.z);
        add_gained(s, k, j.z);
        body_system_solve(ctx, body_freedoms(s), count, (const float(*)[BODY_FREEDOMS])s->bodies.u + first,
                          s->bodies.value + first, j.z);
        parallel_sums(ctx, count, push_terms, &j, BODY_FREEDOMS, force);
        for (int c = 0; c < BODY_FREEDOMS; c++) force[c] *= dt;
        body_rows_push(s, k, force);
    }
    return bodies_lean(&s->sim.bodies, dt, -1);
}
