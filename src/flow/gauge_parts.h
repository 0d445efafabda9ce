/* Inside gauges: what their files share. */
#pragma once

#include "flow/gauges.h"
#include "geom/mesh/trimesh.h"

/* Pieces of a solid's surface, in its own coordinates. */
typedef struct surface_samples {
    rill_vec3 *x, *area; /* owned; area: outward, as long as the piece is large */
    size_t count, x_capacity, area_capacity;
} surface_samples;

/* The fluid's force on a solid in the last step, as the method reported it. */
typedef struct measured_force {
    bool known;
    rill_vec3 force, torque; /* N; N m about the origin */
} measured_force;

struct gauge_samples {
    surface_samples *of;      /* per gauge of the scene; empty: it needs none */
    measured_force *measured; /* per gauge */
};

/* gauge_samples.c: of a shape, pieces about `cell` wide; within `bounds` where it has no end of its own. */
RILL_CHECKED rill_status surface_samples_make(rill_ctx *ctx, const shape *s, rill_box bounds, int dimensions,
                                              double cell, surface_samples *out);
void surface_samples_clear(rill_ctx *ctx, surface_samples *s);

/* gauge_force.c: force and torque of gauge k, six numbers. */
RILL_CHECKED rill_status gauge_force(const rill_sim *sim, uint32_t k, double out[6]);

/* gauge_flow.c: through the disc of a gauge, which is now here. */
typedef struct gauge_disc {
    rill_vec3 center, normal; /* unit */
    double radius;
    rill_vec3 velocity, spin; /* of the disc: at x velocity + spin x (x - center) */
} gauge_disc;
/* surface: the method's own, NULL: it has none. */
RILL_CHECKED rill_status gauge_flow(const rill_sim *sim, const gauge_disc *disc, const trimesh *surface,
                                    double *out);
