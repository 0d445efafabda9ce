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

#include "geom/search/compress.h"
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

/* A projection half done: the way to go is known. */
typedef struct projection {
    float x[3], way[3], length, reach;
    float phi, least; /* at x; the smallest distance it can have */
    bool goes;        /* else it is taken to be on the surface */
    rill_vec3 outward;
} projection;

/* around: all that reach x, value[0] their distances. near: scratch as large. */
void project_begin(const projector *p, const sampler_near *around, sampler_near *near, const float x[3],
                   float reach, float value, projection *out);
/* around: all that reach the way from x on. False when there is no surface. */
bool project_end(const projector *p, const sampler_near *around, sampler_near *near, const projection *from,
                 foot_disk *out, float *distance);
