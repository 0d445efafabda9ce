/* A pressure solve: projected Chebyshev iteration with a coarse correction. */
#pragma once

#include "sph/dfsph/coarse.h"

typedef struct solve_def {
    double scale;     /* of the operator: a time or its square */
    double tolerance; /* of the mean residual */
    int least;        /* iterations */
    double dt;        /* > 0: positions, predicted this far ahead; 0: velocities */
    double at_zero;   /* mean residual of k = 0; INFINITY: unknown */
} solve_def;

typedef struct solve_report {
    int iterations;
    double residual;
} solve_report;

/* Relaxes solve.k from its current value until the mean residual is within the tolerance: of velocities
 * target + scale D(acceleration by k), of positions the compression at the end of the step. The acceleration
 * is in step.force. */
solve_report solve_pressure(coarse *cells, const solve_def *def);
/* The middle of the eigenvalues that the first solve relaxes, in units of 1 / factor. */
double solve_middle(const sph *s);
