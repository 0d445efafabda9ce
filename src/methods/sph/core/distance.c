/* The column "surface_distance": distances of particles from the surface, [Adams] 5.2 (surface/distances.h).
 */
#include "sph/core/state.h"
#include "surface/distances.h"

#include <math.h>

surface_def sph_distance_surface(const sph *s)
{
    surface_def def = surface_def_of_scene(s->sim.scene);
    def.definition = SURFACE_DISTANCE;
    def.cell = 1; /* only its volume is used */
    def.smooth = 0;
    def.smallest = def.slivers = 0;
    return def;
}

rill_status sph_anchor_distances(sph *s, const surface_def *def)
{
    float *distance = particles_column(&s->particles, "surface_distance");
    double by = 0;
    TRY(distances_anchor(s->sim.ctx, &s->particles, def, distance, &by));
    for (size_t i = 0; i < s->particles.count; i++) distance[i] = fmaxf(distance[i] + (float)by, 0);
    return RILL_OK;
}
