/* Emitters: particles that come out, and liquid inside emitters.
 *
 * An emitter gives its flow whatever is in front of it. A particle that would come out where there is liquid
 * already is refused, so that a blocked emitter stops; the log says so once. Refused is what would come out
 * - into a domain without open sides and drains that has no space left,
 * - of an emitter whose liquid is compressed by 1 percent, with an equation of state: the pressure that the
 *   largest expected speed makes, so that more would throw the liquid about,
 * - inside or close in front of an earlier emitter of the scene,
 * - at a place whose density is most of the rest density, with an equation of state; dfsph makes space for
 *   new particles without giving them speed, and refuses only what is on top of another particle, in a stream
 *   that crosses the emitter's, or where the density says that it failed before.
 *
 * With an equation of state a layer that has just come out has liquid on one side only: pressure pushes it
 * back, the next layer comes out at its place all the same, closer than a spacing, and is thrown out by the
 * pressure this makes. From rounding errors that grows to several times the emitter's speed within a hundred
 * layers. Particles therefore go with the emitter's velocity, whatever pushes them, until they are a kernel
 * radius away from it: the liquid behind them that is not there would hold them. */
#pragma once

#include "sph/core/state.h"

/* Space for liquid in the domain, once. */
void nozzles_measure(sph *s);
/* sources_apply, without what emitters may not give; liquid that joins is brought into equilibrium. */
RILL_CHECKED rill_status nozzles_emit(sph *s, double t, double dt);
/* Equation of state, after the forces: particles in emitters that are open get the emitter's velocity, and no
 * acceleration. */
void nozzles_hold(sph *s, rill_vec3 gravity);
/* dfsph: the same for thick liquid. Without the liquid behind it, which is still in the nozzle, nothing holds
 * the last layer back: layers come out as far apart as they fall meanwhile, and the thread as discs. */
void nozzles_hold_thick(sph *s);
/* The longest step while such liquid comes out; INFINITY: none does. In a step gravity accelerates what has
 * come out before viscosity and pressure hold it back, one after the other: longer steps tear the thread. */
double nozzles_step(const sph *s);
