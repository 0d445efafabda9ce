/* Numbers of a path: functions of pixel, sample and dimension, evenly spread over the samples of a pixel.
 *
 * Pairs of dimensions are points of a Sobol sequence, shuffled and scrambled by Owen's method with hashes
 * (Burley 2020), padded: any first n samples of a pixel are stratified in every pair. */
#pragma once

#include "base/random.h"

#include <stdint.h>

typedef struct dice {
    uint64_t pixel;
    uint32_t sample, dimension, seed;
} dice;

static inline dice dice_of(uint64_t pixel, uint32_t sample, uint32_t seed)
{
    return (dice){pixel, sample, 0, seed};
}

/* The next two numbers in [0, 1). */
void dice_throw(dice *d, double out[2]);
static inline double dice_one(dice *d)
{
    double two[2];
    dice_throw(d, two);
    return two[0];
}
