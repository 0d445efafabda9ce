/* Where particles come from and where they go: the initial liquid, emitters, drains
 * and open sides. Written once for every particle method.
 *
 * Emission is exact in volume, speed times cross-section: an emitter is advanced layer by layer,
 * the position of the next layer (state) following speed times time, so that the count
 * does not depend on the time steps. */
#pragma once

#include "flow/particles.h"
#include "flow/save.h"
#include "flow/solids.h"

/* The places of one layer of an emitter: a lattice of one spacing on the disc (in two
 * dimensions a segment), or on the cross-section of another shape through its middle. */
typedef struct source_layer {
    rill_vec3 direction; /* unit */
    double slant;        /* cosine of the angle between direction and the layer's normal */
    double thickness;    /* about a spacing: what makes the flow exact */
    rill_vec3 *point;    /* owned */
    uint32_t count;      /* at least one */
} source_layer;

typedef struct sources {
    const rill_scene *scene; /* borrowed */
    source_layer *layer;     /* per emitter */
    double *travelled;       /* per emitter: metres emitted so far, square to the layer */
    uint64_t drained, left;  /* particles removed by drains; through open sides */
    uint64_t merged;         /* removed by the method itself, which gave their liquid to other particles */
    particles *given;        /* liquid of a host (host.h), which the next sources_apply takes; NULL: none */
    rill_vec3
        fall; /* m/s^2, set by the method: acts on the particles of a step since they left their emitter */
} sources;

/* Unit directions that span the plane square to d, which is one; the first in z = 0 when d is, and in
 * two dimensions the only one. */
void span_plane(rill_vec3 d, int dimensions, rill_vec3 *u, rill_vec3 *v);

RILL_CHECKED rill_status sources_create(rill_ctx *ctx, const rill_scene *scene, sources *out);
void sources_clear(rill_ctx *ctx, sources *s);

/* The particles of the scene's liquid at the start, the union of its shapes without the solids: one in the
 * middle of each cell of the domain's lattice that is all liquid, and of the cells that the boundary
 * cuts as many as hold their volume, moved so that particles are evenly apart and at least a quarter of a
 * spacing from walls (fill_plan.h). Each has the velocity and the colour (colors.h) of the liquid that fills
 * most of its cell.
 * Particles have equal volumes, their number times which is the liquid's volume to half a particle; a
 * difference of more than 2 percent is logged. Liquid that fills no cell more than a tenth has none.
 * RILL_BAD_SCENE when that may be more than 2^31 particles. */
RILL_CHECKED rill_status sources_fill(rill_ctx *ctx, const sources *s, const solids *walls, particles *p);

/* The places of one liquid, for a method that samples it in its own way: those of its bounds, and which of
 * them are its own: those inside it, of no earlier liquid, and half a spacing from walls. Their volume is the
 * liquid's where that fits the lattice. */
typedef struct source_sites {
    uint32_t liquid;
    rill_vec3 origin; /* of the first place */
    double spacing;
    uint32_t size[3]; /* places along each axis; none: 0 */
    uint8_t *taken;   /* owned; i + size[0] (j + size[1] k): 1 where the liquid is */
    uint64_t count;   /* of these */
} source_sites;
/* RILL_BAD_SCENE as sources_fill. Of a liquid that fills less than 1 in `sparse` of its bounds, where these
 * are large, there are no places: size is 0, and sources_fill_liquid takes no more memory than its
 * particles. */
RILL_CHECKED rill_status sources_sites(rill_ctx *ctx, const sources *s, const solids *walls, uint32_t liquid,
                                       uint32_t sparse, source_sites *out);
void source_sites_clear(rill_ctx *ctx, source_sites *s);
RILL_CHECKED rill_status sources_fill_liquid(rill_ctx *ctx, const sources *s, const solids *walls,
                                             uint32_t liquid, particles *p);

/* The particles of the liquids whose start is after `after`, not before the beginning, and up to `until`, at
 * which time the walls are where they count; in the same way. */
RILL_CHECKED rill_status sources_fill_later(rill_ctx *ctx, const sources *s, const solids *walls,
                                            double after, double until, particles *p);
/* Whether some of the liquid joins after the beginning. */
bool sources_later(const rill_scene *scene);
/* Whether some joins after `after`, up to `until`. */
bool sources_join_between(const rill_scene *scene, double after, double until);
/* The largest speed of the liquids that join after `after`, up to `until`, by a few places of each; 0: none
 * does. */
double sources_joining_speed(const rill_scene *scene, double after, double until);

/* How many that would be, without making them (for --estimate): exact for liquid that is there from the
 * beginning. */
RILL_CHECKED rill_status sources_count(rill_ctx *ctx, const rill_scene *scene, uint64_t *count);

/* How far in front of its plane an emitter's layers start: a wall right behind them would hold the liquid, since
 * no air gets in between. 0 where no wall is within a spacing behind the plane. */
double sources_gap(const sources *s, uint32_t emitter, const solids *walls, double t);

/* Adds what the emitters give between t and t + dt, where it is at t + dt, except inside
 * walls; liquid whose start is after t and up to t + dt, except where other liquid is; and what a host has
 * given. Removes what is in a drain or more than two spacings outside the domain
 * through an open side. Periodic sides wrap. New particles are appended. Particles that are not finite are
 * left for the driver's check to find. */
RILL_CHECKED rill_status sources_apply(rill_ctx *ctx, sources *s, const solids *walls, double t, double dt,
                                       particles *p);

RILL_CHECKED rill_status sources_save(const sources *s, rill_writer *w);
RILL_CHECKED rill_status sources_load(sources *s, rill_reader *r);
