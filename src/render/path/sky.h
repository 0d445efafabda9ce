/* Light from far away: a map of all directions, sampled by its brightness, and a sun.
 *
 * The map is that of a clear sky (Preetham et al. 1999), an image, or uniform. Longitude 0 is at +x and
 * grows towards +z; latitude goes from straight up to straight down. Owned memory; sky_clear frees it. */
#pragma once

#include "flow/scene.h"
#include "render/path/picture.h"

typedef struct sky {
    path_picture map;
    double *row, *column; /* owned: cumulated brightness of rows; within each row; one more than there are */
    bool dark;            /* no light anywhere: it is never sampled */
    rill_vec3 sun;        /* direction to it, unit */
    rill_vec3 sun_light;  /* on a surface that faces it; zero: there is no sun */
    double sun_cosine;    /* of half its size; 1: a point */
} sky;

RILL_CHECKED rill_status sky_create(rill_ctx *ctx, const scene_sky *def, sky *out);
RILL_CHECKED rill_status sky_uniform(rill_ctx *ctx, rill_vec3 radiance, sky *out); /* without a sun */
void sky_clear(rill_ctx *ctx, sky *s);

/* Without the sun. */
rill_vec3 sky_radiance(const sky *s, rill_vec3 direction);
double sky_pdf(const sky *s, rill_vec3 direction);
rill_vec3 sky_sample(const sky *s, double u, double v, double *pdf);

bool sky_has_sun(const sky *s);
rill_vec3 sky_sun_radiance(const sky *s, rill_vec3 direction); /* zero beside it */
double sky_sun_pdf(const sky *s);                              /* of directions in it; a point: 0 */
rill_vec3 sky_sun_sample(const sky *s, double u, double v);
