/* The step with particles of several sizes, in the order of [Adams] section 6: neighbours,
 * forces, distances from the surface and feature sizes, resampling, positions by leap-frog. DEVIATES:
 * resampling comes last, when positions and velocities belong to one time, and leap-frog has its
 * half drift at the start of the step as elsewhere in this method. */
#include "base/text.h"
#include "sph/levels.h"

#include <math.h>

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
    levels_walls(s, leapfrog ? t + dt / 2 : t, 0);
    step_stats_stage(stats, "walls", &clock);
    levels_density(s);
    levels_pressure(s);
    step_stats_stage(stats, "density", &clock);
    levels_forces(s);
    step_stats_stage(stats, "forces", &clock);
    sph_move(s, dt, scene_gravity(sim->scene, t + dt / 2), leapfrog ? dt / 2 : dt, 0,
             leapfrog ? t + dt / 2 : t, t + dt);
    step_stats_stage(stats, "move", &clock);
    if (resampling_due(s)) TRY(resample(s));
    step_stats_stage(stats, "resample", &clock);
    return RILL_OK;
}

/* One shift of every particle by what pressure would do to it, at most a twentieth of its spacing. */
static void relax_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    for (size_t i = begin; i < end; i++) {
        const level *l = level_of(s, i);
        const double way = 0.2 * l->spacing * l->spacing / (s->sound_speed * s->sound_speed);
        rill_vec3 shift =
            v3_scale(v3((double)s->force[i][0], (double)s->force[i][1], (double)s->force[i][2]), way);
        const double length = v3_length(shift), most = 0.05 * l->spacing;
        if (length > most) shift = v3_scale(shift, most / length);
        const rill_vec3 from = s->particles.position[i];
        rill_vec3 v = s->particles.velocity[i];
        s->particles.position[i] = v3_add(from, shift);
        solids_push_out(&s->sim.solids, s->sim.time, s->sim.time, 0.05 * l->spacing, from,
                        &s->particles.position[i], &v);
    }
}

/* What merging made of the lattice presses here and pulls there: particles give way before the start. */
static rill_status give_way(sph *s, int shifts)
{
    s->levels->resampled = false;
    for (int k = 0; k < shifts; k++) {
        TRY(levels_sort(s));
        levels_walls(s, s->sim.time, 0);
        levels_density(s);
        levels_pressure(s);
        levels_forces(s);
        parallel_for(s->sim.ctx, s->particles.count, 256, relax_block, s);
    }
    return RILL_OK;
}

static rill_status settle(sph *s)
{
    enum { SHIFTS = 160 };
    TRY(give_way(s, SHIFTS));
    for (size_t i = 0; i < s->particles.count; i++) s->density[i] = (float)s->sim.scene->fluid.density;
    s->levels->resampled = true;
    levels_give_back(s); /* there were many more particles */
    TRY(particles_fit(s->sim.ctx, &s->particles));
    sph_columns(s);
    return RILL_OK;
}

/* The bricks' sizes are those of a grid; then rounds by what particles themselves know of the surface, until
 * their number stands. They give way in between: what lies on top of each other has no surface worth the
 * name. The first round may well split more than it merges. */
rill_status levels_start(sph *s)
{
    enum { ROUNDS = 64, BETWEEN = 20 };
    if (s->particles.count == 0) return RILL_OK;
    for (int round = 0; round < ROUNDS; round++) {
        const double before = (double)s->particles.count;
        TRY(levels_sort(s));
        TRY(resample(s));
        if (fabs((double)s->particles.count - before) < 0.01 * before) break;
        TRY(give_way(s, BETWEEN));
    }
    return settle(s);
}
