#include "sph/core/move.h"

#include "base/parallel.h"

#include <math.h>

/* -- velocities ----------------------------------------------------------------------- */

typedef struct {
    sph *s;
    double dt;
    rill_vec3 gravity;
} kick_job;

static void kick_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const kick_job *j = arg;
    sph *s = j->s;
    rill_vec3 *v = s->particles.velocity;
    for (size_t i = begin; i < end; i++) {
        const float *a = s->step.force[i];
        v[i] = v3_madd(
            v[i], j->dt,
            v3(j->gravity.x + (double)a[0], j->gravity.y + (double)a[1], j->gravity.z + (double)a[2]));
        s->step.velocity[i][0] = (float)v[i].x;
        s->step.velocity[i][1] = (float)v[i].y;
        s->step.velocity[i][2] = (float)v[i].z;
    }
}

void sph_kick(sph *s, double dt, rill_vec3 gravity)
{
    kick_job j = {s, dt, gravity};
    parallel_for(s->sim.ctx, s->particles.count, 8192, kick_block, &j);
}

rill_status sph_move_bodies(sph *s, double dt)
{
    if (s->sim.bodies.count == 0) return RILL_OK;
    TRY(bodies_move(&s->sim.bodies, &s->sim.solids, s->sim.scene, s->sim.time, dt));
    return solids_prepare(s->sim.ctx, &s->sim.solids, s->sim.time, dt);
}

/* -- walls ---------------------------------------------------------------------------- */

rill_vec3 move_wall_velocity(const sph *s, const solid_contact *c, rill_vec3 x, double t)
{
    return c->solid < SOLID_DOMAIN ? solids_velocity(&s->sim.solids, c->solid, t, x) : c->velocity;
}

/* The velocity along a wall that does not slip, relative to it, taken implicitly: the drag
 * may be stiff. */
static rill_vec3 slowed(const sph *s, rill_vec3 x, rill_vec3 v, double t, float drag, const float *wall,
                        double dt)
{
    const rill_vec3 n = v3_unit(v3(wall[0], wall[1], wall[2]));
    solid_contact c = {0};
    if (s->sim.solids.moving) {
        solids_distance(&s->sim.solids, x, t, &c);
        c.velocity = move_wall_velocity(s, &c, x, t);
    }
    const rill_vec3 past = v3_sub(v, c.velocity), along = v3_madd(past, -v3_dot(past, n), n);
    const double keep = 1 / (1 + dt * s->model.kinematic * drag);
    return v3_madd(v, keep - 1, along);
}

/* Friction of what the walls push with in the step; where they stop a particle themselves,
 * solids_push_out has its own. */
static rill_vec3 rubbed(const sph *s, uint32_t i, rill_vec3 x, rill_vec3 v, double t, double pressure_term)
{
    const float *wall = s->step.wall[i];
    const double rest = s->sim.scene->fluid.density;
    solid_contact c = {.normal = v3_unit(v3(wall[0], wall[1], wall[2]))};
    if (s->sim.solids.moving) {
        solid_contact nearest;
        solids_distance(&s->sim.solids, x, t, &nearest);
        c.velocity = nearest.velocity;
    }
    const double push =
        s->step.dt * (s->def.solver == SPH_DFSPH ? (double)s->kept_rate[i] : rest * pressure_term);
    const double most = s->step.friction[i][0] * push + s->step.friction[i][1] * s->step.dt;
    return most > 0 ? solid_rubbed(&c, v, most) : v; /* a wall that pulls does not rub */
}

rill_vec3 move_along_wall(const move_job *j, uint32_t i, double pressure_term)
{
    const sph *s = j->s;
    const rill_vec3 x = s->particles.position[i];
    rill_vec3 v = s->particles.velocity[i];
    if (s->step.drag && s->step.drag[i] > 0)
        v = slowed(s, x, v, j->since, s->step.drag[i], s->step.wall[i], s->step.implicit ? 0 : s->step.dt);
    if (s->step.friction && s->step.friction[i][0] > 0) v = rubbed(s, i, x, v, j->since, pressure_term);
    return v;
}

/* -- positions ------------------------------------------------------------------------ */

typedef struct {
    sph *s;
    double dt, since, t;
} drift_job;

static void drift_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const drift_job *j = arg;
    rill_vec3 *x = j->s->particles.position, *v = j->s->particles.velocity;
    const double clearance = 0.05 * j->s->sim.scene->spacing;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 from = x[i];
        x[i] = v3_madd(from, j->dt, v[i]);
        solids_push_out(&j->s->sim.solids, j->since, j->t, clearance, from, &x[i], &v[i]);
    }
}

void sph_drift(sph *s, double dt, double since, double t)
{
    drift_job j = {s, dt, since, t};
    parallel_for(s->sim.ctx, s->particles.count, 1024, drift_block, &j);
}
