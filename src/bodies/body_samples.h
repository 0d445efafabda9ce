/* Places on the surface of a shape at which it meets others.
 *
 * A sample is a ball inside the shape that touches its surface: of radius zero on corners, edges and
 * faces, the whole ball of a sphere, a row of balls in a capsule, so that what is round rolls smoothly.
 * Coordinates are the shape's own. */
#pragma once

#include "base/memory.h"
#include "geom/shape/shape.h"

typedef struct contact_sample {
    rill_vec3 x;
    double radius;
    rill_vec3 inward; /* unit, into the shape, away from all faces that meet there; of a ball zero */
} contact_sample;

typedef struct contact_samples {
    contact_sample *sample; /* owned */
    uint32_t count;
    size_t capacity;
} contact_samples;

enum { SAMPLES_MOST = 1500 }; /* of a mesh: corners beyond that are thinned out */

/* Planes, deforming meshes and unbounded shapes have none. */
RILL_CHECKED rill_status body_samples_of(rill_ctx *ctx, const shape *s, int dimensions, contact_samples *out);
void body_samples_clear(rill_ctx *ctx, contact_samples *s);
