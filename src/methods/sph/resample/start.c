/* The initial liquid of several sizes, relaxed into equilibrium. */
#include "sph/resample/bricks.h"
#include "sph/resample/resample.h"

#include <math.h>

/* Shifts every particle along its pressure force, by at most a twentieth of its spacing. */
static void relax_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    for (size_t i = begin; i < end; i++) {
        const size_class *l = size_class_of(s, i);
        const double way = 0.2 * l->spacing * l->spacing / (s->model.sound_speed * s->model.sound_speed);
        rill_vec3 shift = v3_scale(
            v3((double)s->step.force[i][0], (double)s->step.force[i][1], (double)s->step.force[i][2]), way);
        const double length = v3_length(shift), most = 0.05 * l->spacing;
        if (length > most) shift = v3_scale(shift, most / length);
        const rill_vec3 from = s->particles.position[i];
        rill_vec3 v = s->particles.velocity[i];
        s->particles.position[i] = v3_add(from, shift);
        solids_push_out(&s->sim.solids, s->sim.time, s->sim.time, 0.05 * l->spacing, from,
                        &s->particles.position[i], &v);
    }
}

/* Merging disturbs the lattice: particles move along their pressure forces before the start. */
static rill_status relax_particles(sph *s, int shifts)
{
    const int force = s->def.pair_pressure;
    rill_status st = RILL_OK;
    s->resampled = false;
    s->def.pair_pressure = SPH_OF_DENSITY; /* forces as they are printed would pull particles together */
    for (int k = 0; k < shifts && !st; k++) {
        st = sized_sort(s);
        if (st) break;
        sized_walls(s, s->sim.time, 0);
        sized_density(s);
        sized_pressure(s);
        st = sized_forces(s, 0);
        if (!st) parallel_for(s->sim.ctx, s->particles.count, 256, relax_block, s);
    }
    s->def.pair_pressure = force;
    return st;
}

static rill_status settle(sph *s)
{
    enum { SHIFTS = 160 };
    TRY(relax_particles(s, SHIFTS));
    for (size_t i = 0; i < s->particles.count; i++) s->density[i] = (float)s->sim.scene->fluid.density;
    s->resampled = true;
    sized_release(s); /* the capacity was for many more particles */
    TRY(particles_fit(s->sim.ctx, &s->particles));
    sph_columns(s);
    return RILL_OK;
}

/* Bricks take their sizes from a grid; rounds of resampling with the particles' own feature sizes follow,
 * until their number is steady, with relaxation in between: overlapping particles have no usable surface. The
 * first round may split more than it merges. */
rill_status resample_fill(sph *s)
{
    return bricks_fill(s);
}

rill_status resample_start(sph *s)
{
    enum { ROUNDS = 64, BETWEEN = 20 };
    if (s->particles.count == 0) return RILL_OK;
    for (int round = 0; round < ROUNDS; round++) {
        const double before = (double)s->particles.count;
        TRY(sized_sort(s));
        TRY(resample(s, NULL));
        if (fabs((double)s->particles.count - before) < 0.01 * before) break;
        TRY(relax_particles(s, BETWEEN));
    }
    return settle(s);
}
