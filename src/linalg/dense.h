/* Small symmetric systems, solved directly. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Cholesky factor in place, lower triangle of the n x n matrix a, by rows. A pivot that
 * has shrunk below `limit` of its diagonal is taken for that of a null vector, and its
 * unknown held at 0: the error of the entries, relative, times a few. */
void dense_factor(uint32_t n, double *a, double limit);
/* Solves in place, with the factor. */
void dense_solve(uint32_t n, const double *factor, double *x);
