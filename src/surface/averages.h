/* The field of averages: phi(x) = d(x) f(x) - |a(x) - x|, [Adams] eq. 5 to 8.
 *
 * a and d are means of the particles' places x_i and of their distances d_i from the surface, weighted by
 * w_i = (1 - s^2)^3 / r_i, s = |x - x_i| / r_i. DEVIATES: without r_i a(x) is off x, towards the large, where
 * sizes grow by g a unit of length, by 2 g r times the kernel's second moment, in two and three dimensions:
 * enough to make surfaces inside liquid where sizes change and distances are short. 1 / r_i takes half of it
 * away; 1 / r_i^2 takes all, but one fine particle among large ones then counts more than they do. Two
 * definitions are made of it: with d_i the same for all it is Zhu and Bridson's, with distances that are
 * carried along (distances.h) that of Adams et al.
 *
 * phi > 0 is inside; where no particle reaches, phi is negative (errata E-A3).
 * f keeps points that are far from every particle outside. Half way between two drops a(x) = x, so that
 * eq. 5 alone makes phi = d > 0 there, of nothing. Solenthaler et al. 2007 fade d out by the largest
 * eigenvalue e of da/dx, down to 0 at e = 3.5. Between two particles e = 6 s^2 / (1 - s^2), so that e = 3.5
 * is s = 0.607 of the nearest one. DEVIATES: f is a function of the nearest particle's s, which costs one
 * maximum instead of twelve sums: 1 up to s = 0.5, falling as 1 - (1 - g)^3 to 0 at 0.6.
 *
 * That is 1.5 spacings, and a cloud of drops would still be one lump of two and a half times its volume.
 * Where distances are carried and a surface is drawn, particles that see less liquid than the corner of a
 * block does (spray.h) count, wholly when they lack half of it, with d_i down to the radius of their own ball
 * and with f that ends down to 1.05 spacings from them. */
#pragma once

#include "surface/field.h"
#include "surface/surface.h"

/* d of Zhu and Bridson in spacings, such that a flat liquid's surface lies half a spacing outside its
 * outermost layer. DEVIATES: [Adams] 5.3 names half the radius, which puts it a third of a spacing farther
 * out at a radius of 2.5. */
double averages_distance(double radius, int dimensions);

/* The radius of a ball (a disc) with the volume of a cube (square) of edge 1. */
double averages_ball(int dimensions);

/* Per particle in the sampler's order, in cells: averages_distance, less for those that see little liquid,
 * down to averages_ball for lone ones. */
RILL_CHECKED rill_status averages_fixed(rill_ctx *ctx, const surface_def *def, const sampler *s, float *out);

/* phi and its gradient (may be NULL) at a point; value[0] of the particles is their distance in cells.
 * -1 and zero where no particle reaches. */
float averages_at(const sampler_near *near, float x, float y, float z, rill_vec3 *gradient);

/* Definitions; the second takes the column "surface_distance" (metres), or makes it from nothing. */
RILL_CHECKED rill_status zhu_bridson_prepare(rill_ctx *ctx, const surface_def *def, sampler *s, field *out);
RILL_CHECKED rill_status distance_prepare(rill_ctx *ctx, const surface_def *def, sampler *s, field *out);
/* The second with these distances, per particle. */
RILL_CHECKED rill_status distance_prepare_with(rill_ctx *ctx, const surface_def *def, sampler *s,
                                               const float *distance, field *out);
