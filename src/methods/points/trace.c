/* Velocity for tracers: eq. 12 over the points of one connected component ([Sin09] 3.4). The reach is the
 * distance within which 28 points lie that are a spacing apart: as far as the averages of the method's own
 * go. */
#include "flow/trace_samples.h"
#include "points/state.h"

rill_status points_trace(const rill_sim *sim, size_t n, const rill_vec3 *x, uint32_t *part, rill_vec3 *u)
{
    const points *s = points_view_of(sim);
    const double reach =
        s->dimensions == 2 ? sqrt(s->average.most / M_PI) : cbrt(0.75 * s->average.most / M_PI);
    const trace_samples_def def = {.position = s->particles.position,
                                   .velocity = s->particles.velocity,
                                   .part = s->component,
                                   .count = s->particles.count,
                                   .reach =
                                       fmin(1.08 * reach * s->h, s->def.reach * points_coarsest(s)->radius),
                                   .dimensions = s->dimensions};
    return trace_samples(sim->ctx, &def, n, x, part, u);
}
