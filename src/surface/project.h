/* Projection of a particle onto the surface that carried distances define, [Adams] section 5.2.
 *
 * DEVIATES:
 * - The way to the surface is along -grad phi / |grad phi|, since phi > 0 inside (errata E-A4).
 * - Distances have a floor: 0.25 spacings, and for particles that see little liquid up to the radius of a
 *   ball of their volume (E-A3). In a drop of two, a(x) is the middle and not below x, so that each call
 * would find the surface nearer than the last: drops would be gone after a few.
 *
 * Any unit of length, from any origin near by. */
#pragma once

#include "geom/compress.h"
#include "surface/averages.h"
#include "surface/spray.h"

typedef struct projector {
    float radius; /* of the averages, in spacings */
    float ball;   /* radius of a lone particle, in spacings */
    spray_weights spray;
    bool carried; /* the distances are those of a moment ago: no surface is a spacing farther off */
    compress8 compress;
} projector;

typedef struct foot_disk {
    float at[3], normal[3], radius; /* normal: outward */
} foot_disk;

void projector_init(projector *p, const surface_def *def, bool carried);

/* How far from a particle its surface is looked for: [Adams] look a radius far. value: the distance it
 * carries. */
static inline float projector_way(const projector *p, float reach, float value)
{
    const float near = value + reach / p->radius;
    return p->carried && near < reach ? near : reach;
}

/* around: all that come within projector_way of x, value[0] their distances. near, way: scratch as large.
 * False when there is no surface. */
bool project_point(const projector *p, const sampler_near *around, sampler_near *near, sampler_near *way,
                   const float x[3], float reach, float value, foot_disk *out, float *distance);
