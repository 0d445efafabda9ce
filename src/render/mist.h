/* Tracers and white water in a picture, as a mist: each covers a small area, and dims what is behind it.
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

/* What is drawn: dots, how much one covers, and their colours. */
typedef struct mist_def {
    const particles *dots;
    double area;           /* of one, m^2 */
    double shade;          /* how much more a way through the mist takes from what shines than from sight */
    const float *index;    /* column of the dots that chooses the colour; NULL: the first */
    const rill_vec3 *tint; /* linear light; of an index beyond them, counted from the first on again */
    int tints;
} mist_def;

/* Tracers; as many as all the scene's at once cover the same throughout a run. */
mist_def mist_of_tracers(const rill_scene *scene, const particles *dots, const stage *set);
/* White water: spray and foam white, bubbles as through water. */
mist_def mist_of_whitewater(const rill_view *view);

/* out has width * height pixels. */
RILL_CHECKED rill_status mist_draw(rill_ctx *ctx, const mist_def *def, const stage *set, const camera *eye,
                                   int width, int height, mist_pixel *out);
