/* White water: spray, foam and bubbles as particles without mass, [Ihmsen12] (potentials.h has the title).
 *
 * They come from the liquid where air is trapped and at wave crests (potentials.h), and each is spray, foam
 * or a bubble by how many samples of the liquid reach it, section 3.2: below 6 spray, above 20 a bubble,
 * between them foam, of the 33.5 that full liquid has within reach; in two dimensions and at closed sides of
 * the domain in proportion. Spray flies, foam goes with the liquid, a bubble is lifted and taken along; foam
 * lasts its lifetime. They push nothing. Part of every simulation and none of any method: a rider of
 * rill_sim, or moved from frame to frame by `rill whitewater`.
 *
 * Holds: positions are finite, in the domain but for round-off and outside of solids; made = alive + ended +
 * drained + left; the same bits for any number of threads and after a resume: random numbers are functions of
 * seed, sample and step. Order changes: they are sorted in space now and then. */
#pragma once

#include "flow/drift.h"
#include "flow/method.h"
#include "whitewater/samples.h"

enum { WHITEWATER_TYPE, WHITEWATER_LIFE, WHITEWATER_COLUMNS }; /* columns: kind, and s that foam lasts */
enum { WATER_SPRAY, WATER_FOAM, WATER_BUBBLE, WATER_KINDS };

typedef struct whitewater {
    sim_rider rider; /* first: a simulation owns and saves it by this */
    const rill_scene *scene;
    particles dots;
    double time;                         /* they are where they are at this time, s */
    uint64_t steps;                      /* taken */
    uint64_t made, ended, drained, left; /* so far; removed: by age, by drains, through open sides */
    rill_arena scratch;
} whitewater;

RILL_CHECKED rill_status whitewater_create(rill_ctx *ctx, const rill_scene *scene, double time,
                                           whitewater **out);
void whitewater_destroy(rill_ctx *ctx, whitewater *w); /* NULL is allowed */

/* From w->time to w->time + dt, with the liquid as it is at the end of that. Solids are prepared for these
 * times. */
RILL_CHECKED rill_status whitewater_step(rill_ctx *ctx, whitewater *w, const liquid_samples *liquid,
                                         const solids *walls, double dt);

/* After a step of the simulation it rides: goes on when the liquid has moved by a spacing since the last
 * time, or `now`. */
RILL_CHECKED rill_status whitewater_follow(rill_sim *sim, bool now);

/* Particles, or cells where these hold the liquid. `cells`: a place for them, empty before, the caller's to
 * clear. */
RILL_CHECKED rill_status whitewater_samples(const rill_sim *sim, particles *cells, liquid_samples *out);
/* The same of a frame's particles or cells. */
liquid_samples whitewater_samples_of(const rill_scene *scene, const particles *p, bool cells);
/* Whether the liquid is in the method's cells, not its particles. */
bool whitewater_of_cells(const rill_scene *scene);

/* ---- spawn.c ---- */

/* Appends those that the liquid gives in a step, section 3.1; *first: of the new ones. */
RILL_CHECKED rill_status whitewater_spawn(rill_ctx *ctx, whitewater *w, const sample_cells *liquid,
                                          const drift *way, size_t *first);

/* ---- carry.c ---- */

/* Says what each is and moves all but the new ones, section 3.2 and 3.3; fate as of drift.h. */
RILL_CHECKED rill_status whitewater_carry(rill_ctx *ctx, whitewater *w, const sample_cells *liquid,
                                          const drift *way, size_t first_new, uint8_t *fate);
/* What a particle is that so many samples reach, as a share of the full number. */
static inline int whitewater_kind(double share)
{
    const double full = 33.510321638291124; /* 4/3 pi 2^3 */
    return share < 6 / full ? WATER_SPRAY : share > 20 / full ? WATER_BUBBLE : WATER_FOAM;
}
