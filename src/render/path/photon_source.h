/* Where photons start: the sun, and the lamps of the scene, each aimed at a ball around everything clear.
 *
 * The photons of a map are shared out by how much light each source sends at the ball, so that all of them
 * carry about the same flux and the brightest source has the least noise. */
#pragma once

#include "render/path/sky.h"
#include "render/path/studio.h"

enum { PHOTON_SUN = UINT32_MAX };

typedef struct photon_source {
    uint32_t lamp;       /* PHOTON_SUN: the sun */
    size_t begin, count; /* numbers of its photons */
    media start;         /* what the source is inside of */
} photon_source;

typedef struct photon_sources {
    photon_source *source; /* owned, sorted by `begin` */
    uint32_t count;
    rill_vec3 center; /* of the ball */
    double radius;
    const studio *w; /* borrowed, as the sky */
    const sky *k;
} photon_sources;

/* Shares out `count` photons. No source reaches the ball: no sources. */
RILL_CHECKED rill_status photon_sources_create(rill_ctx *ctx, const studio *w, const sky *k, rill_vec3 center,
                                               double radius, size_t count, photon_sources *out);
void photon_sources_clear(rill_ctx *ctx, photon_sources *s);

/* Photon i's source; its ray and flux from four random numbers. False: it carries nothing. */
const photon_source *photon_source_of(const photon_sources *s, size_t i);
bool photon_start(const photon_sources *s, const photon_source *from, const double random[4], studio_ray *ray,
                  rill_vec3 *flux);
