/* Volume, centre and inertia of shapes of density one, in their own coordinates.
 *
 * Box, ball, cylinder and capsule by formula; a closed mesh by exact integration over its triangles
 * (Mirtich 1996, as sums over the tetrahedra from a point inside its box); combinations and walls of
 * open meshes by quadrature of their signed distance, to about a thousandth. In two dimensions the area
 * in the plane z = 0, per metre. */
#pragma once

#include "geom/shape/shape.h"

typedef struct mass_moments {
    double volume;
    rill_vec3 center;
    double inertia[3][3]; /* about the centre */
} mass_moments;

/* False: the shape is unbounded, flat or empty, and has none. */
bool mass_of_shape(const shape *s, int dimensions, mass_moments *out);

/* Of a closed mesh turned outward. */
bool mass_of_mesh(const trimesh *m, mass_moments *out);
