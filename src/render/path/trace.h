/* Paths of light, from the eye backwards: what one sees along a ray.
 *
 * Unbiased but for caustics: at opaque surfaces and in smoke light is gathered from the sky, the
 * sun, the lamps and solids that shine directly and by going on, weighted by the balance heuristic squared
 * (Veach 1995). Glass reflects or lets through by Fresnel's law, in nested media by their priorities. Paths
 * end by Russian roulette. Light of the sun and the lamps that reaches an opaque surface through glass or
 * liquid is as `caustics` says.
 *
 * Random numbers come from the dice alone. */
#pragma once

#include "render/path/dice.h"
#include "render/path/glow.h"
#include "render/path/haze.h"
#include "render/path/photons.h"
#include "render/path/sky.h"
#include "render/path/studio.h"

typedef struct tracer {
    const studio *studio;
    const sky *sky;
    const photon_map *photons; /* NULL: none */
    const glow *glow;          /* solids that shine; NULL: they are found by chance only */
    const haze *haze;          /* smoke; NULL: none */
    int caustics, bounces;
    media start; /* what the eye is inside of */
} tracer;

/* What the denoiser goes by: the first surface's normal, the first opaque one's colour. */
typedef struct trace_guide {
    rill_vec3 normal, albedo;
} trace_guide;

/* Radiance along the ray; always finite and not negative. */
rill_vec3 trace_path(const tracer *t, rill_vec3 origin, rill_vec3 direction, double share, dice *d,
                     trace_guide *guide);
