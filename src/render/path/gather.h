/* Light that comes straight from a source to a point of a path: sky, sun, lamps, and solids that shine; at an
 * opaque surface or in smoke. Part of trace.c. */
#pragma once

#include "render/path/trace.h"

/* A path that is being followed. */
typedef struct path {
    const tracer *t;
    studio_ray ray;
    dice *dice;
    media media;
    rill_vec3 light, weight; /* gathered so far; of what is still to come */
    double pdf;              /* of the direction, at the last opaque surface or collision; 0: the eye or glass
                              * was last */
    bool scattered;          /* there was an opaque surface or a collision */
    rill_vec3 unmapped;      /* share of the last scattering that is no part of the photon map: reflection by
                              * coats and metal, smoke */
    trace_guide *guide;
    bool has_normal, has_albedo;
} path;

/* Where light is gathered: an opaque surface, or smoke. */
typedef struct place {
    const material *material;     /* NULL: smoke */
    rill_vec3 color, out, origin; /* out: of surfaces, in the frame; of smoke, the path's direction */
    optics_frame frame;
    rill_vec3 face; /* of surfaces, to the side the path comes from */
} place;

static inline double gather_balance(double mine, double other)
{
    return mine * mine / (mine * mine + other * other);
}
static inline void gather_add(path *p, rill_vec3 light, double share)
{
    p->light = v3_add(p->light, v3_scale(v3_times(p->weight, light), share));
}
static inline bool gather_is_dark(rill_vec3 c)
{
    return !(c.x > 0 || c.y > 0 || c.z > 0);
}

/* From all of them. */
void gather_light(path *p, const place *s);

/* Density, by solid angle, of sampling what a ray along `direction` hits: a lamp, or a solid that shines; 0:
 * it is not sampled. */
double gather_pdf(const tracer *t, const studio_hit *h, rill_vec3 direction);

/* How far a ray through liquid without an end goes. */
static inline double gather_endless(const studio *w)
{
    return 1e3 * w->size;
}
