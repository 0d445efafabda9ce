/* Point sets that are hard on geometry: lattices, clusters, spheres, points on walls. */
#pragma once

#include "base/vec.h"

typedef enum point_set {
    SET_RANDOM,
    SET_CUBIC, /* lattices: count is rounded down to whole ones */
    SET_BCC,
    SET_FCC,
    SET_NEARLY_CUBIC, /* with noise of 1e-13 */
    SET_CLUSTERED,    /* half of the points in a thousandth of the width */
    SET_NESTED,       /* closer and closer to a point */
    SET_SPHERE,       /* and its centre */
    SET_PLANE,
    SET_LINE,
    SET_WALLS, /* on the sides, edges and corners of the box */
    SET_PAIRS, /* very close ones */
    SETS
} point_set;

extern const char *const point_set_names[SETS];

/* Writes at most `count` points to x, in the box [0,1]^3, all different; returns how many. */
uint32_t point_set_make(point_set set, uint32_t count, uint64_t seed, rill_vec3 *x);
