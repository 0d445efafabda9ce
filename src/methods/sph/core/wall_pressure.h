/* Pressure at walls: the force of the walls' terms per area.
 *
 * A mean over the particles near a point of a wall is the pressure half a spacing in front of it, and counts
 * every particle as one spacing of wall however far apart they are: what it shows along a wall does not add
 * up to the force on the wall. A point at a wall has instead
 *     p(x) = sum_i F_i w(|x_i - x| along the wall) / (integral of w over the wall there),
 * F_i = V C p_i |grad B| and the weight that the wall carries, what the wall pushes particle i with, and w of
 * unit integral over a plane. Summed over a wall this is the sum of F_i. The integral is less than 1 where
 * the wall ends within the reach of w, at an edge or in a corner. */
#pragma once

#include "sph/core/operations.h"

/* A point at a wall. */
typedef struct wall_foot {
    bool at_wall;     /* false: none of the rest holds */
    rill_vec3 normal; /* into the liquid */
    double share;     /* of w that is on the wall, 0 to 1 */
} wall_foot;

/* At the time of the simulation. */
wall_foot wall_foot_at(const sph *s, rill_vec3 x);

/* F_i w of particle i, Pa, for the foot at x. */
double wall_pressure_term(const sph *s, const particle_sizes *sizes, const wall_foot *foot, rill_vec3 x,
                          size_t i);
