/* Smoke in a picture of final quality: the density of tracers on a sparse grid, which scatters light any
 * number of times and absorbs the rest.
 *
 * Where light collides is found by delta tracking (Woodcock et al. 1965), how much of it gets through by
 * ratio tracking (Novak et al. 2014): both are unbiased whatever the density does between its samples. A
 * coarse grid of the largest density in each cell makes thin and empty parts cheap. Directions are scattered
 * by the phase function of Henyey and Greenstein 1941. */
#pragma once

#include "flow/method.h"
#include "render/path/dice.h"
#include "render/path/optics.h"
#include "volume/volume.h"

typedef struct haze {
    volume density;    /* owned */
    double extinction; /* 1/m for a density of 1 */
    scene_haze look;
    /* The coarse grid: */
    int n[3];
    double cell;
    rill_vec3 origin;
    float *most; /* owned: no density in the cell is above it; NULL: there is no smoke */
} haze;

/* Of the view's tracers. */
RILL_CHECKED rill_status haze_create(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                                     haze *out);
/* Of a density, which it takes over. */
RILL_CHECKED rill_status haze_of_volume(rill_ctx *ctx, volume *density, double extinction,
                                        const scene_haze *look, haze *out);
void haze_clear(rill_ctx *ctx, haze *h);

/* Whether light collides before `to`, and where. */
bool haze_collide(const haze *h, rill_vec3 origin, rill_vec3 direction, double to, dice *d, double *t);
/* An estimate of the share of light that gets through, right in the mean. */
double haze_through(const haze *h, rill_vec3 origin, rill_vec3 direction, double to, dice *d);

/* Density of scattering by an angle of this cosine, 1/sr; a direction sampled by it. */
double haze_phase(const haze *h, double cosine);
rill_vec3 haze_scatter(const haze *h, rill_vec3 direction, const double random[2]);
