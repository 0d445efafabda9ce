/* A value that varies in time: keys, and the interpolation between them.
 *
 * Linear, or smooth: the monotone cubic of Fritsch and Butland (SIAM J. Sci. Stat.
 * Comput. 5, 1984), flat at both ends and at every key where the value turns round. It
 * has a continuous rate and never leaves the range of the two keys it is between, so
 * that a speed that is positive at its keys is positive throughout.
 * Before the first key the value is the first, after the last it is the last.
 * A number is the x of a value. */
#pragma once

#include "base/vec.h"

#include <stdint.h>

typedef struct keyframe {
    double t; /* s */
    rill_vec3 value;
} keyframe;

typedef struct keyframes {
    keyframe *key;  /* owned by the code that filled it; times strictly ascending */
    uint32_t count; /* 0: does not vary; the functions below give zero */
    bool smooth;
} keyframes;

rill_vec3 keyframes_at(const keyframes *k, double t);
/* Its derivative by time; where that jumps, what holds after t. */
rill_vec3 keyframes_rate(const keyframes *k, double t);
/* Its integral, exact. */
rill_vec3 keyframes_integral(const keyframes *k, double from, double to);
/* No component changes faster than this, in either direction, between the two times. */
rill_vec3 keyframes_fastest(const keyframes *k, double from, double to);
/* The largest length of a value. */
double keyframes_longest(const keyframes *k);
