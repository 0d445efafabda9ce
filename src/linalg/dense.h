/* Small symmetric systems, solved directly. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Cholesky factor in place, lower triangle of the n x n matrix a, by rows. A pivot that
 * has shrunk to rounding (below 1e-6 of its diagonal) belongs to a null vector: its
 * unknown is then held at 0. */
void dense_factor(uint32_t n, double *a);
/* Solves in place, with the factor. */
void dense_solve(uint32_t n, const double *factor, double *x);
