/* Metaballs that lie flat at the surface: Yu and Turk 2013, "Reconstructing surfaces of particle-based fluids
 * using anisotropic kernels".
 *
 * F(x) = sum A_i k(|G_i (x - c_i)|), k(s) = (1 - s^2)^3. c_i is the particle's place drawn to the mean of its
 * neighbours (their eq. 6, lambda = 0.9); G_i comes from their covariance C_i about that mean, weighted by 1
 * - (|x_ij| / r)^3 (eq. 8 to 11): its axes are as long as C's eigenvalues, at least a quarter of the longest
 * (eq. 15, k_r = 4), over that of a full neighbourhood (k_s), so that a particle deep inside is a ball of the
 * radius; A_i = 1 / det keeps what it amounts to.
 *
 * DEVIATES: below 25 neighbours they take a ball of half the radius (k_n). Here kernels go over into that
 * ball, and stay where they are, by how little liquid a particle sees (spray.h), without a jump; it is
 * weighted so that a lone particle is drawn with its volume. Axes are at most the radius, and the level is
 * calibrated on the same lattice boundary as metaballs.h, with the kernels that its layers get. Covariances
 * that are round but for noise make balls.
 */
#pragma once

#include "surface/field.h"
#include "surface/surface.h"

/* The level, as metaballs_level. */
double anisotropic_level(double radius, int dimensions);

RILL_CHECKED rill_status anisotropic_prepare(rill_ctx *ctx, const surface_def *def, sampler *s, field *out);
