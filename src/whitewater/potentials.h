/* How much white water each sample of the liquid gives: [Ihmsen12] section 3.1.
 *
 * Ihmsen, Akinci, Akinci, Teschner: Unified spray, foam and air bubbles for particle-based fluids, 2012.
 * Three potentials between 0 and 1, each a value between two thresholds, eq. 1:
 *
 * trapped air   sum over neighbours of |v_ij| (1 - v_ij . x_ij) W, unit vectors in the product, eq. 2: large
 *               where liquid meets liquid, W = 1 - |x_ij| / reach, eq. 3
 * wave crests   sum over neighbours below the tangent plane of (1 - n_i . n_j) W, eq. 4 to 6, where the
 *               liquid moves along its normal, v . n >= 0.6, eq. 7
 * energy        v^2 / 2; DEVIATES: per mass, so that it does not depend on the resolution
 *
 * rate = energy (k_ta trapped air + k_wc wave crests), eq. 8 without the step. DEVIATES: times the volume of
 * the sample in cubes of the spacing, so that methods with several particles to a spacing give as much.
 *
 * Normals are sums of unit vectors away from the neighbours, weighted by W. DEVIATES: only samples at the
 * surface have one (the sum is at least a quarter of that of the weights) and take part in crests; inside of
 * the liquid it would be noise. At closed sides of the domain the part of a normal that points out is taken
 * away: samples are missing there because of the wall. */
#pragma once

#include "flow/scene.h"
#include "whitewater/samples.h"

typedef struct potentials {
    float *trapped;     /* the sum of eq. 2, m/s */
    float *crest;       /* the sum of eq. 6 where eq. 7 holds, otherwise 0 */
    float (*normal)[3]; /* unit, or zero away from the surface */
    float *rate;        /* particles per second */
} potentials;

/* The thresholds of a scene: those given, or fitted to the speed of a fall through the domain. */
typedef struct potential_ranges {
    double trapped[2], crest[2], speed[2];
} potential_ranges;
potential_ranges potential_ranges_of(const rill_scene *scene);

/* eq. 1: 0 up to the lower threshold, 1 from the upper one on. */
static inline double potential_clamp(double value, const double range[2])
{
    const double above = fmin(value, range[1]) - fmin(value, range[0]);
    return range[1] > range[0] ? above / (range[1] - range[0]) : value >= range[1];
}

/* Of all samples, in sorted order. Lives in the arena. */
RILL_CHECKED rill_status potentials_build(rill_ctx *ctx, rill_arena *arena, const rill_scene *scene,
                                          const sample_cells *liquid, potentials *out);
