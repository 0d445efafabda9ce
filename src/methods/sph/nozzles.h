/* Liquid inside emitters, with an equation of state.
 *
 * A layer that has just come out has liquid on one side only: pressure pushes it back, the next layer comes
 * out at its place all the same, closer than a spacing, and is thrown out by the pressure this makes. From
 * rounding errors that grows to several times the emitter's speed within a hundred layers. Particles
 * therefore go with the emitter's velocity, whatever pushes them, until they are a kernel radius away from
 * it: the liquid behind them that is not there would hold them. */
#pragma once

#include "sph/core/state.h"

/* After the forces: particles in emitters that are open get the emitter's velocity, and no acceleration. */
void nozzles_hold(sph *s, rill_vec3 gravity);
