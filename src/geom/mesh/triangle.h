/* The point of a triangle closest to a point, in double.
 *
 * Works for every triangle: one whose height is less than 1e-10 of its longest side is
 * taken as its sides (or its one point), which moves the result by no more than that
 * height. */
#pragma once

#include "base/vec.h"

typedef struct triangle_near {
    double square;    /* of the distance */
    double weight[3]; /* of the corners; not negative, their sum is 1 */
} triangle_near;

triangle_near triangle_closest(rill_vec3 x, rill_vec3 a, rill_vec3 b, rill_vec3 c);

/* The angle (radians) under which the triangle meets the point with these weights: of
 * its corner, half a turn on a side, a full turn inside. */
double triangle_angle_at(const double weight[3], rill_vec3 a, rill_vec3 b, rill_vec3 c);

/* The solid angle of the triangle seen from the origin, positive from behind (where its
 * corners run clockwise); van Oosterom and Strackee 1983. */
double triangle_solid_angle(rill_vec3 a, rill_vec3 b, rill_vec3 c);
