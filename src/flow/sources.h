/* Where particles come from and where they go: the initial liquid, emitters, drains
 * and open sides. Written once for every particle method.
 *
 * Emission is exact in volume: an emitter is advanced layer by layer of one spacing,
 * the position of the next layer (state) following speed times time, so that the count
 * does not depend on the time steps. */
#pragma once

#include "flow/particles.h"
#include "flow/save.h"
#include "flow/solids.h"

typedef struct sources {
    const rill_scene *scene; /* borrowed */
    double *travelled;       /* per emitter: metres emitted so far */
    uint64_t drained, left;  /* particles removed by drains; through open sides */
} sources;

RILL_CHECKED rill_status sources_create(rill_ctx *ctx, const rill_scene *scene, sources *out);
void sources_clear(rill_ctx *ctx, sources *s);

/* The particles of the scene's liquid at the start: a lattice of the given spacing
 * centred in each cell of the domain's own lattice (first layer half a spacing from the
 * walls), inside any liquid shape, outside every solid by at least half a spacing less
 * a tolerance, each place once. */
RILL_CHECKED rill_status sources_fill(rill_ctx *ctx, const sources *s, const solids *walls, particles *p);

/* How many that would be, without making them (for --estimate): exact. */
RILL_CHECKED rill_status sources_count(rill_ctx *ctx, const rill_scene *scene, uint64_t *count);

/* Adds what the emitters give between t and t + dt, removes what is in a drain, outside
 * the domain through an open side, or not finite. Periodic sides wrap. New particles
 * are appended. */
RILL_CHECKED rill_status sources_apply(rill_ctx *ctx, sources *s, const solids *walls, double t, double dt,
                                       particles *p);

RILL_CHECKED rill_status sources_save(const sources *s, rill_writer *w);
RILL_CHECKED rill_status sources_load(sources *s, rill_reader *r);
