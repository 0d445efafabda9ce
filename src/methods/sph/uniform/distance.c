/* Distances from the surface, for scenes whose surface is defined by them: updated every fifth step, as in
 * section 7 of [Adams], and held to the liquid's volume at every fifth update (errata E-A5). Other scenes
 * have no such column. */
#include "sph/uniform/uniform.h"
#include "surface/distances.h"

enum { STEPS = 5, UPDATES = 5 };

rill_status uniform_start_distances(sph *s)
{
    if (s->sim.scene->surface.definition != SURFACE_DISTANCE) return RILL_OK;
    TRY(particles_add_column(s->sim.ctx, &s->particles, "surface_distance"));
    const surface_def def = sph_distance_surface(s);
    return distances_start(s->sim.ctx, &s->particles, &def,
                           particles_column(&s->particles, "surface_distance"), NULL);
}

rill_status uniform_carry_distances(sph *s)
{
    float *distance = particles_column(&s->particles, "surface_distance");
    const uint64_t step = s->sim.step + 1;
    if (!distance || step % STEPS) return RILL_OK;
    const surface_def def = sph_distance_surface(s);
    TRY(distances_update(s->sim.ctx, &s->particles, &def, distance, NULL));
    if (step % (STEPS * UPDATES)) return RILL_OK;
    return sph_anchor_distances(s, &def);
}
