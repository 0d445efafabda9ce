/* Colour of what a ray meets: sun, sky, ground, solids, water, particles.
 *
 * Colours are linear light, red, green, blue in x, y, z. */
#pragma once

#include "base/random.h"
#include "render/smoke.h"
#include "render/stage.h"

extern const rill_vec3 shade_sun; /* where it shines from, unit */

typedef struct shader {
    const stage *stage;
    const uint8_t (*particle_color)[3]; /* sRGB, by particle; NULL when none are drawn */
    const smoke *smoke;                 /* throws shadows; NULL: none */
    double edge_width;                  /* a pixel, as stage_edges takes it */
    double tile;                        /* of the ground, metres */
    double speed;                       /* that counts as fast, in the flat look */
    bool flat;                          /* two dimensions from the front: plain colours */
    bool draft;                         /* one ray a sample: no shadows, no refraction */
    bool has_glass;                     /* some solid is of glass */
    bool edges;                         /* of the domain are drawn */
} shader;

/* Numbers in [0, 1) for one sample: stratified over the samples of a pixel. */
typedef struct shade_random {
    double sun[2], sky[2];
} shade_random;

/* A sample in two parts, so that the occlusion, the noisiest of it, can be smoothed
 * over the picture: colour = base + ambient * open. */
typedef struct shade_sample {
    rill_vec3 base, ambient;
    double open; /* share of the hemisphere that is open; only when there is ambient light */
    bool solid;  /* ambient, point and normal are set */
    rill_vec3 point, normal;
} shade_sample;

/* near_edge: the ray may touch an edge of the domain (asked once a pixel, not once a ray). */
shade_sample shade_ray(const shader *s, rill_vec3 origin, rill_vec3 direction, const shade_random *random,
                       bool near_edge);

/* sRGB bytes to linear light and back, the latter with tone mapping when asked. */
rill_vec3 color_from_srgb(const uint8_t rgb[3]);
void color_to_srgb(rill_vec3 color, bool tone, uint8_t rgb[3]);
/* Viridis (van der Walt and Smith 2015), x from 0 to 1. */
void color_map(double x, uint8_t rgb[3]);
