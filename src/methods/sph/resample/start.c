/* The initial liquid of several sizes, and liquid that joins later, relaxed into equilibrium. */
#include "sph/core/relax.h"
#include "sph/resample/bricks.h"
#include "sph/resample/resample.h"
#include "surface/distances.h"

#include <math.h>

/* Merging disturbs the lattice: particles move along their pressure forces before the start. */
static rill_status relax_particles(sph *s, uint64_t from, int shifts)
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
        if (!st) relax_shift(s, from);
    }
    s->def.pair_pressure = force;
    return st;
}

enum { ROUNDS = 64, BETWEEN = 20, SHIFTS = 160 };

/* Densities of the particles from `from` on are the rest density; their excess (sized.h) fades. */
static void rest_densities(sph *s, uint64_t from)
{
    for (size_t i = 0; i < s->particles.count; i++)
        if (s->particles.id[i] >= from) s->density[i] = (float)s->sim.scene->fluid.density;
    s->resampled = true;
}

/* Resamples until the number of particles is steady, with relaxation in between: overlapping particles have
 * no usable surface. */
static rill_status resample_until_steady(sph *s, uint64_t from, size_t others)
{
    for (int round = 0; round < ROUNDS; round++) {
        const double before = (double)s->particles.count;
        TRY(sized_sort(s));
        TRY(resample_from(s, from, NULL));
        if (fabs((double)s->particles.count - before) < 0.01 * (before - (double)others)) break;
        TRY(relax_particles(s, from, BETWEEN));
    }
    return RILL_OK;
}

static rill_status settle(sph *s)
{
    TRY(relax_particles(s, 0, SHIFTS));
    rest_densities(s, 0);
    sized_release(s); /* the capacity was for many more particles */
    TRY(particles_fit(s->sim.ctx, &s->particles));
    sph_columns(s);
    return RILL_OK;
}

/* Bricks take their sizes from a grid; rounds of resampling with the particles' own feature sizes follow. The
 * first round may split more than it merges. */
rill_status resample_fill(sph *s)
{
    return bricks_fill(s);
}

rill_status resample_start(sph *s)
{
    if (s->particles.count == 0) return RILL_OK;
    TRY(resample_until_steady(s, 0, 0));
    return settle(s);
}

/* -- liquid that joins later -------------------------------------------------------------- */

/* Distances from the surface of the particles from `from` on, from nothing. */
static rill_status measure_distances(sph *s, uint64_t from)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t n = s->particles.count;
    const surface_def def = {.spacing = s->sim.scene->spacing, .dimensions = s->sim.scene->dimensions};
    float *distance = NULL;
    rill_vec3 *foot = NULL;
    rill_status st = MEM_NEW_ZERO(ctx, distance, n);
    if (!st) st = MEM_NEW(ctx, foot, n);
    if (!st) st = distances_start(ctx, &s->particles, &def, distance, foot);
    for (size_t i = 0; i < n && !st; i++)
        if (s->particles.id[i] >= from) s->sized->distance[i] = distance[i];
    mem_free(ctx, distance);
    mem_free(ctx, foot);
    return st;
}

/* It comes as a lattice of the finest particles. Merged by the resamplings of the steps, one after the other
 * and without relaxation in between, a body in free fall would fly apart. */
static rill_status join(sph *s, uint64_t from)
{
    size_t others = 0;
    TRY(sized_sort(s)); /* gives new particles their class */
    for (size_t i = 0; i < s->particles.count; i++) others += s->particles.id[i] < from;
    sized_walls(s, s->sim.time, 0);
    sized_density(s); /* those of others continue after a resampling */
    if (s->sized->started) TRY(measure_distances(s, from));
    TRY(resample_until_steady(s, from, others));
    TRY(relax_particles(s, from, SHIFTS));
    rest_densities(s, from);
    return RILL_OK;
}

rill_status resample_join(sph *s, uint64_t from)
{
    const double dt = s->step.dt;
    s->step.dt = 0; /* no time passes meanwhile */
    const rill_status st = join(s, from);
    s->step.dt = dt;
    return st;
}
