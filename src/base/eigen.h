/* Eigenvalues and eigenvectors of symmetric 3 x 3 matrices by Jacobi's rotations: stable for every
 * matrix, and a handful of sweeps for three by three. */
#pragma once

#include "base/vec.h"

/* The matrix becomes diagonal, its eigenvalues in no particular order; column k of v belongs to m[k][k].
 * Ends when what is off the diagonal is below tolerance of what is on it. */
void eigen3(double m[3][3], double v[3][3], double tolerance);
/* To full precision, values in decreasing order with their axes. The matrix is overwritten. */
void eigen3_sorted(double m[3][3], double value[3], rill_vec3 axis[3]);
