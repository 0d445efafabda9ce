/* The sizing field, [Klingner06] eq. 5: the length that edges should have, on a regular grid.
 *
 *     size = k0 + min(kd d, ks (1 - s), kw (1 - w)), at most `coarsest`
 *
 * d: distance to walls that ask for refinement, s and w: smoke and vorticity, both from 0 to
 * 1. Errata E-K5: the paper does not say how they are scaled, nor that the field must not grow
 * faster than elements can (Lipschitz constant SIZE_GROWTH), which two sweeps over the grid see to.
 * Errata E-K12: at walls whose distance does not refine, the size is at most SIZE_CURVED of the radius of
 * curvature, the thickness of the wall and SIZE_GAP of the gap before it, but never below k0.
 *
 * Between grid points the field is trilinear. */
#pragma once

#include "tets/walls.h"

#define SIZE_GROWTH 0.35
#define SIZE_CURVED 0.25
#define SIZE_GAP    0.5

typedef struct size_def {
    double finest;           /* k0, m */
    double coarsest;         /* m; not above the finest: the size is the same everywhere */
    double distance;         /* kd */
    double smoke, vorticity; /* ks, kw, m; 0: do not refine */
} size_def;

typedef struct size_field {
    rill_ctx *ctx;
    size_def def;
    rill_vec3 origin;
    double cell; /* 0: uniform, the arrays are empty */
    uint32_t n[3];
    float *value; /* x fastest */
    float *smoke; /* 0 to 1; what the next size_update takes */
    float *curl;  /* likewise */
    size_t capacity;
} size_field;

RILL_CHECKED rill_status size_init(rill_ctx *ctx, size_field *f, const size_def *def, const walls *w);
void size_clear(size_field *f);

static inline bool size_uniform(const size_field *f)
{
    return f->cell == 0;
}

/* The field for these walls, with smoke and vorticity as they were gathered. */
void size_update(size_field *f, const walls *w);
/* Forgets smoke and vorticity; then each adds to the grid point nearest to x: the largest counts. */
void size_forget(size_field *f);
void size_add_smoke(size_field *f, rill_vec3 x, double s);
void size_add_curl(size_field *f, rill_vec3 x, double w);

double size_at(const size_field *f, rill_vec3 x);
/* About how many nodes a mesh of these sizes has: one to a cube of the size. */
double size_nodes(const size_field *f, const walls *w);
