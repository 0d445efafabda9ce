/* Light of the sun and the lamps that glass and liquid bend onto opaque surfaces: caustics, which paths from
 * the eye hardly find.
 *
 * Photons start at the sources towards what is clear (Jensen 1996, photon_source.h); one that has gone
 * through or been thrown back by glass is kept where it meets the first opaque surface. Photon i is a
 * function of i alone, and the kept ones are sorted by cell in this order: the map is the same for any number
 * of threads. */
#pragma once

#include "render/path/sky.h"
#include "render/path/studio.h"

typedef struct photon {
    float point[3], face[3]; /* from the domain's middle; unit, to the side it came from */
    float flux[3];
} photon;

typedef struct photon_map {
    photon *photon; /* owned, by cell */
    uint64_t *key;  /* owned: of the cell of each */
    size_t count;
    rill_vec3 origin;
    double radius; /* of the disc over which light is averaged; the side of a cell is twice that */
} photon_map;

/* Nothing clear, or no light that reaches it: an empty map. */
RILL_CHECKED rill_status photon_map_create(rill_ctx *ctx, const studio *w, const sky *k, size_t count,
                                           int bounces, photon_map *out);
void photon_map_clear(rill_ctx *ctx, photon_map *m);

/* Light per area at a point of a surface with this normal, over the squared index of what is in front of it.
 */
rill_vec3 photon_map_light(const photon_map *m, rill_vec3 point, rill_vec3 face);
