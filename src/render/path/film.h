/* The samples of a picture, gathered in rounds until every pixel is good enough.
 *
 * A round gives FILM_ROUND samples to each pixel that needs more: whose own brightness, or that of one beside
 * it, has a standard error above the noise allowed. What is added to a pixel depends on the pixel and
 * the number of the sample alone.
 *
 * Blocks of FILM_BLOCK samples go to the first and the second half in turn. Each block is a stratified set;
 * samples with even and odd numbers would be stratified only together, and the halves far noisier than their
 * mean. */
#pragma once

#include "render/camera.h"
#include "render/path/trace.h"

enum { FILM_ROUND = 16, FILM_BLOCK = 8 };

typedef struct film_pixel {
    float sum[2][3];            /* of the halves of the samples */
    float square[3];            /* sum of squares of all */
    float normal[3], albedo[3]; /* sums */
    uint32_t count[2];          /* samples of the halves */
    float error;                /* relative standard error of the brightness */
} film_pixel;

static inline uint32_t film_count(const film_pixel *p)
{
    return p->count[0] + p->count[1];
}

typedef struct film {
    int width, height;
    film_pixel *pixel; /* owned */
} film;

typedef struct film_def {
    const tracer *tracer;
    const camera *camera;
    double aperture, focus; /* of the lens, m; focus: distance along the view axis */
    int samples;
    double noise;
} film_def;

/* RILL_CANCELLED between rounds. */
RILL_CHECKED rill_status film_expose(rill_ctx *ctx, const film_def *def, int width, int height, film *out);
void film_clear(rill_ctx *ctx, film *f);

/* Means of the samples; the same with less noise (denoise.c). */
RILL_CHECKED rill_status film_picture(rill_ctx *ctx, const film *f, path_picture *out);
RILL_CHECKED rill_status film_denoised(rill_ctx *ctx, const film *f, path_picture *out);
