/* Preconditioned conjugate gradients, Hestenes and Stiefel 1952, over vectors that the caller keeps in
 * a layout of its own: particles, tiles of a grid, rows of a matrix.
 *
 *     gradients g = {.system = ..., .arg = ...};
 *     while (residual > target && !gradients_step(&g, &residual)) ...
 *
 * The recurrence is here; what ends a solve, besides a matrix that is not positive, is the caller's
 * decision. gradients_restart forgets the direction: the next step begins with the residual as it is then. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct gradients_system {
    /* z = M^-1 r. dots[0] = r.z; flexible: dots[1] = z.q with the q of the step before. */
    void (*precondition)(void *arg, double dots[2]);
    /* p = z + beta p; p is finite before the first step, whose beta is 0. */
    void (*direct)(void *arg, double beta);
    /* q = A p; returns p.q. */
    double (*apply)(void *arg);
    /* x += alpha p, r -= alpha q; returns |r|, in the caller's measure. */
    double (*advance)(void *arg, double alpha);
    bool flexible; /* M^-1 is not linear or not quite symmetric: beta = -alpha z.q / (r.z before), Notay 2000
                    */
    bool single;   /* alpha and beta are rounded to float, the precision of the caller's vectors */
} gradients_system;

typedef enum gradients_end {
    GRADIENTS_GO_ON,
    GRADIENTS_NOT_POSITIVE, /* rounding, or the matrix is not: x and r are as before the step */
    GRADIENTS_NOT_FINITE
} gradients_end;

typedef struct gradients {
    const gradients_system *system;
    void *arg;
    double rz, alpha; /* of the last step; rz 0: no direction yet */
    uint32_t iterations;
} gradients;

/* One iteration. *residual is written when the step was taken. */
gradients_end gradients_step(gradients *g, double *residual);
void gradients_restart(gradients *g);
