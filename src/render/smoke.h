/* Tracers or soot in a picture as smoke: the density on a sparse grid, lit by the sun through itself and past
 * the solids, and by the sky; single scattering.
 *
 * A ray gathers the light that is scattered towards the eye along its way, with the phase function of Henyey
 * and Greenstein 1941, and loses what is taken away, by Beer's law. Light on its way from the sun is followed
 * on a coarse grid, once for every cell of it. Solids and the ground get the shadow of the smoke. As much
 * light is taken away as by the mist of the same tracers (mist.h), times the scene's volume.thickness; soot
 * as dense as its source is that many optical depths thick over a tenth of the domain's longest side. */
#pragma once

#include "render/camera.h"
#include "render/mist.h"
#include "volume/fields.h"

typedef struct smoke {
    volume density;    /* owned */
    double extinction; /* 1/m for a density of 1 */
    /* The coarse grid that light goes through: */
    int n[3];
    double cell;
    rill_vec3 origin;
    float *thick; /* owned: mean density of a cell */
    float *light; /* owned: share of the sun's light that reaches its middle */
    float *open;  /* owned: share of the sky's light, from above and four sides */
} smoke;

/* Whether a view has tracers, or soot in its cells. */
bool smoke_possible(const rill_view *view);
/* The density of the tracers; where no source gives any, of the soot. extinction: 1/m for a density of 1. */
RILL_CHECKED rill_status smoke_field(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                                     rill_box domain, volume *density, double *extinction);
RILL_CHECKED rill_status smoke_create(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                                      const stage *set, smoke *out);
void smoke_clear(rill_ctx *ctx, smoke *s);

/* The share of light that gets through all of the smoke from a point on. */
double smoke_shadow(const smoke *s, rill_vec3 origin, rill_vec3 direction);

/* out has width * height pixels: optical depth, and the colour that the smoke itself has. */
RILL_CHECKED rill_status smoke_draw(rill_ctx *ctx, const smoke *s, const stage *set, const camera *eye,
                                    int width, int height, mist_pixel *out);
