/* The last part of a step of points without mass (tracers, white water): from where they were to where they
 * head, kept out of solids and inside the closed sides, and what becomes of each.
 *
 * Whether solids are near is found for a block of points at once. This only saves time: solids_push_out
 * does not change points that meet no solid. */
#pragma once

#include "base/arena.h"
#include "flow/solids.h"

enum { FATE_STAYS, FATE_DRAINED, FATE_LEFT, FATE_ENDED, FATES };

typedef struct drift {
    const rill_scene *scene;
    const solids *walls;
    double time, dt;          /* of the step */
    const rill_box *drain;    /* bounds, per drain */
    double clearance, wander; /* least distance of points from solids; how far solids move in the step */
    double farthest;          /* largest plausible displacement in a step, m */
} drift;

/* Solids are prepared for these times. Lives in the arena. */
RILL_CHECKED rill_status drift_init(rill_arena *arena, const rill_scene *scene, const solids *walls,
                                    double time, double dt, drift *out);

/* Whether any of a block can meet a solid on its way. */
bool drift_near(const drift *d, size_t count, const rill_vec3 *from, const rill_vec3 *to);

/* One point of a block: its way of the last `dt` of the step from *x to `to`, which may end earlier; *x is
 * where it gets. Returns its fate. A point whose displacement is implausibly large ends and stays where it
 * was. */
uint8_t drift_point(const drift *d, bool near, double dt, rill_vec3 to, rill_vec3 *x, rill_vec3 *v);
