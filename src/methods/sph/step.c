#include "sph/step.h"

#include "base/text.h"
#include "sph/body_state.h"
#include "sph/core/body_rows.h"
#include "sph/core/body_touch.h"
#include "sph/core/move.h"
#include "sph/core/nozzles.h"
#include "sph/core/operations.h"
#include "sph/core/wall_forces.h"

#include <math.h>

/* [Braley] 5.3; with several sizes in the order of [Adams] section 6. DEVIATES: the single loop of [Braley]
 * moves particles while others still read them; here each quantity is complete before the next begins (errata
 * E-B15). Leap-frog is drift, kick, drift. Resampling comes last, when positions and velocities belong to one
 * time. */
rill_status state_step(sph *s, double dt, rill_step_stats *stats)
{
    rill_sim *sim = &s->sim;
    const sph_operations *ops = s->ops;
    const bool leapfrog = s->def.integrator == SPH_LEAPFROG;
    const double t = sim->time, half = leapfrog ? t + dt / 2 : t;
    const rill_vec3 gravity = scene_gravity(sim->scene, t + dt / 2);
    double clock = clock_seconds();

    TRY(nozzles_emit(s, t, dt));
    wall_forces_begin(s);
    if (leapfrog) {
        TRY(wall_forces_before(s));
        TRY(body_touch_before(s));
        sph_drift(s, dt / 2, t, half);
        wall_forces_after(s, 0, gravity, half);
        TRY(body_touch_after(s, 0, gravity, half));
    }
    TRY(ops->sort(s)); /* 5.4 */
    step_stats_stage(stats, "neighbours", &clock);
    ops->walls(s, half, 0);
    TRY(body_rows_collect(s, half, 0));
    body_rows_finish(s, dt);
    TRY(wall_forces_collect(s, half, 0));
    step_stats_stage(stats, "walls", &clock);
    ops->density(s); /* eq. 36 */
    ops->pressure(s);
    step_stats_stage(stats, "density", &clock);
    TRY(ops->forces(s, dt)); /* eq. 35 */
    TRY(body_state_push(s, dt));
    wall_forces_press(s, NULL, dt);
    nozzles_hold(s, gravity);
    step_stats_stage(stats, "forces", &clock);
    if (s->step.implicit) { /* after all forces */
        sph_kick(s, dt, gravity);
        TRY(ops->viscosity(s, dt));
        stats->viscous_iterations = (uint32_t)s->step.viscous_iterations;
        stats->viscous_residual = s->step.viscous_residual;
        step_stats_stage(stats, "viscosity", &clock);
    }
    TRY(sph_move_bodies(s, dt));
    TRY(wall_forces_before(s));
    TRY(body_touch_before(s));
    const double kick = s->step.implicit ? 0 : dt;
    /* symplectic Euler: the new velocity moves */
    ops->move(&(move_job){.s = s,
                          .kick = kick,
                          .gravity = gravity,
                          .drift = leapfrog ? dt / 2 : dt,
                          .since = half,
                          .t = t + dt});
    wall_forces_after(s, kick, gravity, t + dt);
    TRY(body_touch_after(s, kick, gravity, t + dt));
    step_stats_stage(stats, "move", &clock);
    if (ops->resampling_due && ops->resampling_due(s)) TRY(ops->resample(s, stats));
    return RILL_OK;
}

/* CFL with the speed of sound, and the limit by forces (Monaghan 1992; h = R/2). */
double state_max_dt(const sph *s)
{
    const rill_sim *sim = &s->sim;
    const double h = s->model.kernel.support / 2;
    double dt = s->def.cfl * h / (s->model.sound_speed + s->max_speed);
    if (sim->solids.moving) {
        const double wall = fmax(solids_max_speed(&sim->solids, sim->time, sim->time + dt),
                                 world_max_speed(&sim->bodies.world));
        if (wall > s->max_speed) dt = s->def.cfl * h / (s->model.sound_speed + wall);
    }
    const double a = s->max_acceleration + scene_gravity_most(sim->scene);
    return a > 0 ? fmin(dt, 0.25 * sqrt(h / a)) : dt;
}
