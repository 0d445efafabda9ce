/* Distances from the surface, carried along with the particles for a surface that is defined by them
 * ([Adams] 5.2, surface/distances.h): brought up to date every fifth step, as in the paper's section 7, and
 * held to the liquid's volume at every fifth of these times (errata E-A5). Without such a surface there
 * is no column and nothing to do; particles of several sizes have it anyway, and it is up to resample.c. */
#include "sph/state.h"
#include "surface/distances.h"

enum { STEPS = 5, UPDATES = 5 };

static surface_def surface_of(const sph *s)
{
    surface_def def = surface_def_of_scene(s->sim.scene);
    def.definition = SURFACE_DISTANCE;
    def.cell = 1; /* for the volume alone */
    def.smooth = 0;
    def.smallest = def.slivers = 0;
    if (s->levels) def.radius = 0; /* as resample.c has it */
    return def;
}

rill_status sph_anchor_distances(sph *s)
{
    float *distance = particles_column(&s->particles, "surface_distance");
    const surface_def def = surface_of(s);
    double by = 0;
    TRY(distances_anchor(s->sim.ctx, &s->particles, &def, distance, &by));
    for (size_t i = 0; i < s->particles.count; i++) distance[i] = fmaxf(distance[i] + (float)by, 0);
    return RILL_OK;
}

rill_status sph_start_distances(sph *s)
{
    if (s->levels || s->sim.scene->surface.definition != SURFACE_DISTANCE) return RILL_OK;
    TRY(particles_add_column(s->sim.ctx, &s->particles, "surface_distance"));
    const surface_def def = surface_of(s);
    return distances_start(s->sim.ctx, &s->particles, &def,
                           particles_column(&s->particles, "surface_distance"), NULL);
}

rill_status sph_carry_distances(sph *s)
{
    float *distance = particles_column(&s->particles, "surface_distance");
    const uint64_t step = s->sim.step + 1;
    if (s->levels || !distance || step % STEPS) return RILL_OK;
    const surface_def def = surface_of(s);
    TRY(distances_update(s->sim.ctx, &s->particles, &def, distance, NULL));
    if (step % (STEPS * UPDATES)) return RILL_OK;
    return sph_anchor_distances(s);
}
