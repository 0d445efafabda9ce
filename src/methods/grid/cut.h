/* The part of a cube (two dimensions: a square) where a function known at its corners is positive: linear
 * on the simplices that share a diagonal, and exact for planes. */
#pragma once

#include <stdbool.h>

/* Corners: bit 0 is x, bit 1 y, bit 2 z. */
double cut_part(bool flat, const double corner[8]);
