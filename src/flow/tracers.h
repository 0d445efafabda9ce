/* Tracers: particles without mass that show where the fluid goes. Smoke, dye, foam.
 *
 * They come from sources of the scene ("tracers"), move through the method's velocity with
 * steps of second order, and push nothing. Every method has them: they are part of rill_sim,
 * moved, saved and written by what surrounds a method.
 *
 * A step takes the field as it is after the method's own: with it the method has moved its
 * liquid, so that tracers stay with the liquid whatever the order of its splitting in time.
 * Midpoint rule: x' = x + dt u(x + dt/2 u(x)), both looked up in the component of the fluid
 * that is nearest to x ([Sin09] 3.4: all look-ups stay within a connected component). What is
 * out of reach of any fluid flies on by itself.
 *
 * Holds: positions are finite, inside the domain but for round-off, and outside of solids; the same bits for
 * any number of threads, and after a resume. Order changes: they are sorted in space now and then. */
#pragma once

#include "base/arena.h"
#include "flow/particles.h"
#include "flow/save.h"
#include "flow/solids.h"

struct rill_sim;

/* What rill_method.trace takes and gives as the part of the fluid a place belongs to. */
#define TRACE_NEAREST UINT32_MAX       /* asks for that of the nearest sample */
#define TRACE_NOWHERE (UINT32_MAX - 1) /* no sample is in reach */

enum { TRACER_AGE, TRACER_SOURCE, TRACER_COLUMNS }; /* columns of dots: s, and index in the scene */

typedef struct tracers {
    const rill_scene *scene; /* borrowed */
    particles dots;
    /* Per source: */
    uint64_t *made;  /* made or skipped so far: the clock of its rate */
    uint64_t *tried; /* places of its sequence that are used up */
    uint64_t *alive;
    uint64_t drained, left, ended; /* removed: by drains; through open sides; by age */
    rill_arena scratch;
} tracers;

/* With the tracers of the start. RILL_BAD_SCENE when a source has no free place. */
RILL_CHECKED rill_status tracers_create(rill_ctx *ctx, const rill_scene *scene, const solids *walls,
                                        tracers *out);
void tracers_clear(rill_ctx *ctx, tracers *t);

/* From t to t + dt, after the method's step of that length: new ones come, all move, and
 * some go. Solids are prepared for these times. */
RILL_CHECKED rill_status tracers_step(struct rill_sim *sim, double t, double dt);

RILL_CHECKED rill_status tracers_save(const tracers *t, rill_writer *w);
RILL_CHECKED rill_status tracers_load(rill_ctx *ctx, tracers *t, rill_reader *r);

/* How many the scene may hold at once, at most (for estimates). */
double tracers_most(const rill_scene *scene);

/* ---- tracer_sources.c ---- */

/* How near to a solid they may come. */
static inline double tracers_clearance(const rill_scene *scene)
{
    return 0.02 * scene->spacing;
}
/* How many a source has to have given by a time, a fraction included. */
double tracer_source_due(const rill_scene *scene, uint32_t k, double t);
/* Appends `wanted` of source k, at their places at the time t, or as many as find a free place;
 * gives up after `patience` occupied places in a row. The caller has reserved capacity in dots. */
RILL_CHECKED rill_status tracers_make(rill_ctx *ctx, tracers *t, uint32_t k, const solids *walls, double time,
                                      uint64_t wanted, uint64_t patience);

/* ---- tracer_walk.c ---- */

/* Where the new ones begin, and what they need to know of when each was born. */
typedef struct {
    size_t first; /* of the new ones in dots */
    float *left;  /* per new one: the part of the step it has been there */
} tracers_new;

/* Moves all, and says what becomes of each (drift.h). */
RILL_CHECKED rill_status tracers_walk(struct rill_sim *sim, double time, double dt, const tracers_new *born,
                                      uint8_t *fate);
