/* The fraction of a small cube that is inside shapes, as if their surface were a plane at the
 * shape's distance.
 *
 * Fractions of several shapes are combined by the angle of their surfaces: those of faces that look at
 * each other (two boxes side by side) add up, those of faces that look the same way (two boxes, one in
 * the other) do not; in between the result is interpolated. So a body has the same volume however it is
 * cut into pieces, to which the distance of the union, zero along every seam, is blind. */
#pragma once

#include "flow/solids.h"

typedef struct cover {
    double share;     /* 0: outside, 1: inside */
    rill_vec3 normal; /* unit, outward; of no meaning where share is 0 or 1 */
} cover;

/* Of the cube of side `side` around x. */
cover cover_of_shape(const shape *s, rill_vec3 x, double side);
/* Solids of the scene at t, and everything outside of the domain, open sides or not. */
cover cover_of_walls(const solids *walls, rill_vec3 x, double t, double side);

cover cover_union(cover a, cover b);
cover cover_intersection(cover a, cover b);
cover cover_outside(cover a);
