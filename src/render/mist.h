/* Tracers in a picture, as a mist: each covers a small area, and dims what is behind it.
 *
 * The optical depth of a pixel is the sum of its tracers' areas over its own; light reaches a tracer
 * through the others between it and the sun, told by a grid of densities. Sums are of integers, so
 * that they do not depend on the order, and the picture not on threads. Tracers behind solids and below the
 * ground are hidden; those behind the surface of liquid are not: dye is seen through water. */
#pragma once

#include "render/camera.h"
#include "render/stage.h"

typedef struct mist_pixel {
    float depth;    /* optical */
    float color[3]; /* linear light, of the mist itself */
} mist_pixel;

/* out has width * height pixels. `most`: as many as all the scene's at once, which sets how much one
 * covers, so that it is the same throughout a run. */
RILL_CHECKED rill_status mist_draw(rill_ctx *ctx, const particles *dots, double most, const stage *set,
                                   const camera *eye, int width, int height, mist_pixel *out);
