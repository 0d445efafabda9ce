/* Solids and liquid that give off light, as light sources: points on their surfaces.
 *
 * Boxes, spheres, meshes and the liquid's surface are sampled evenly over their area, chosen by power.
 * Others, and what the domain or a plane cuts, shine as well, but are found by chance only. */
#pragma once

#include "render/path/studio.h"

typedef struct glow_source {
    uint32_t thing;
    double area;           /* m^2 */
    double share;          /* how often it is chosen */
    const trimesh *mesh;   /* of meshes and the liquid; borrowed */
    const double *to_area; /* its triangles' areas added up; points into `areas` */
} glow_source;

typedef struct glow {
    glow_source *source; /* owned */
    uint32_t count;
    double *areas; /* owned */
} glow;

RILL_CHECKED rill_status glow_create(rill_ctx *ctx, const studio *w, glow *out);
void glow_clear(rill_ctx *ctx, glow *g);

typedef struct glow_point {
    rill_vec3 point, normal; /* outward, unit */
    uint32_t thing;
    double pdf; /* 1/m^2 */
} glow_point;

/* False: there is no light to sample. share: when, while the shutter is open; random: four numbers. */
bool glow_sample(const glow *g, const studio *w, double share, const double random[4], glow_point *out);
/* Density of sampling a point of a thing, 1/m^2; 0: it is not sampled. */
double glow_pdf(const glow *g, uint32_t thing);
