/* Smoothing kernels with compact support, in two and three dimensions.
 *
 * All are functions of the distance r and the support radius R, normalised so that
 * their integral is 1 ([Braley] calls values in [0, 1]: errata E-B14). Three
 * functions each:
 *   W      density;
 *   W'/r   pressure: the gradient is (W'/r) x;
 *   lap    viscosity, Mueller's only; the others use W'/r.
 * gaussian is cut at R = 2h and renormalised by what the cut loses; mueller is the
 * poly6 / spiky / viscosity triple; cubic is the cubic spline, wendland the C2 kernel.
 *
 * Two forms: double and scalar (tests, tables, walls), and eight floats at once (the
 * hot loops, kernel_simd.h), which take the constants from the same struct. */
#pragma once

#include "sph/core/def.h"

typedef struct kernel {
    sph_kernel kind;
    int dimensions;
    double support; /* R */
    double w_scale; /* constant in front of W */
    double g_scale; /* constant in front of W'/r */
    double l_scale; /* constant in front of lap */
} kernel;

kernel kernel_make(sph_kernel kind, int dimensions, double support);

double kernel_w(const kernel *k, double r);
double kernel_dw(const kernel *k, double r);        /* derivative of the pressure kernel */
double kernel_dw_over_r(const kernel *k, double r); /* finite at 0 where the kernel allows it */
double kernel_laplacian(const kernel *k, double r); /* Mueller's viscosity kernel */
/* The kernel the pressure gradient belongs to: W, but for mueller the spiky kernel. */
double kernel_pressure_w(const kernel *k, double r);
/* Density of an endless cubic lattice of the given spacing, over the true one: what the
 * sum gives where the integral would give 1. */
double kernel_lattice_density(const kernel *k, double spacing);
