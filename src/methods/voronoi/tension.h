/* Surface tension at steps beyond the capillary limit.
 *
 * A wave of wave number k turns with w^2 = tension k^3 / density, and a step dt that takes tension as it
 * finds it can follow it while dt^2 w^2 < 4. Here the curvature is divided by 1 + b^2 k^4, with the b for
 * which dt^2 w^2 / (1 + b^2 k^4) stays below 2 for every k: long waves keep their frequency, short ones turn
 * as fast as the step allows. That is one solve on the surface, with the cotangents' stiffness K and vertex
 * areas S:
 *
 *     (S + b^2 K S^-1 K) softened = S curvature
 *
 * K need not be positive for it, the matrix is. Constants, such as the curvature of a drop at rest, pass
 * unchanged. */
#pragma once

#include "voronoi/state.h"

/* b of a step, in square metres. */
double brochu_soft_length2(double density, double tension, double dt);
/* value[vertex] of a mesh, which may be open, softened in place; vertices of no triangle keep theirs. */
RILL_CHECKED rill_status brochu_soften_values(rill_arena *arena, const trimesh *mesh, double b,
                                              double *value);
/* The curvature of the free surface. */
RILL_CHECKED rill_status brochu_soften(brochu *s, double dt);
