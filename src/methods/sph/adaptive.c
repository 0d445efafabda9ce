/* The step with particles of several sizes, in the order of [Adams] section 6: neighbours,
 * forces, distances from the surface and feature sizes, resampling, positions by leap-frog. DEVIATES:
 * resampling comes last, when positions and velocities belong to one time, and leap-frog has its
 * half drift at the start of the step as elsewhere in this method. */
#include "base/text.h"
#include "sph/levels.h"

rill_status levels_step(sph *s, double dt, rill_step_stats *stats)
{
    rill_sim *sim = &s->sim;
    const bool leapfrog = s->def.integrator == SPH_LEAPFROG;
    const double t = sim->time;
    double clock = clock_seconds();

    TRY(sources_apply(sim->ctx, &sim->sources, &sim->solids, t, dt, &s->particles));
    sph_columns(s);
    if (leapfrog) sph_drift(s, dt / 2, t, t + dt / 2);
    TRY(levels_sort(s));
    step_stats_stage(stats, "neighbours", &clock);
    levels_walls(s, leapfrog ? t + dt / 2 : t);
    step_stats_stage(stats, "walls", &clock);
    levels_density(s);
    levels_pressure(s);
    step_stats_stage(stats, "density", &clock);
    levels_forces(s);
    step_stats_stage(stats, "forces", &clock);
    sph_move(s, dt, scene_gravity(sim->scene, t + dt / 2), leapfrog ? dt / 2 : dt, 0,
             leapfrog ? t + dt / 2 : t, t + dt);
    step_stats_stage(stats, "move", &clock);
    if (sim->step % (uint64_t)s->def.resample == 0) TRY(resample(s));
    step_stats_stage(stats, "resample", &clock);
    return RILL_OK;
}

rill_status levels_start(sph *s)
{
    enum { ROUNDS = 64 };
    if (s->particles.count == 0) return RILL_OK;
    for (int round = 0; round < ROUNDS; round++) {
        const size_t before = s->particles.count;
        TRY(levels_sort(s));
        TRY(resample(s));
        if (s->particles.count * 1.01 > before) break;
    }
    return RILL_OK;
}
