/* Signs that decide topology, exact for all finite coordinates whose products neither overflow nor underflow:
 * a filter in doubles, then expansions (Shewchuk 1997). geom/delaunay/predicates.h is faster, for positions
 * that may be snapped to a grid; the checker must judge a mesh as it is. */
#pragma once

#include "base/vec.h"

/* The sign of (a - d) x (b - d) . (c - d): positive when d is below the triangle, that is, when a, b, c run
 * counter-clockwise seen from the side away from d. */
int exact_orient3(rill_vec3 a, rill_vec3 b, rill_vec3 c, rill_vec3 d);
/* The sign of the area of a, b, c seen along an axis (0: x, the plane y z; 1: z x; 2: x y). */
int exact_orient2(rill_vec3 a, rill_vec3 b, rill_vec3 c, int axis);
