/* The white water of a run folder, from its frames and without simulating.
 *
 * Between two frames particles go from one place to the other along the cubic that has their velocities at
 * both ends, particle by particle of the same id; a frame takes as many steps as the fastest of them crosses
 * pairs of spacings, at most `steps`. Liquid in cells stays what it is in the nearer frame. */
#pragma once

#include "flow/scene.h"

typedef struct whiten_def {
    const char *folder;  /* of the run */
    const char *to;      /* folder for the files; NULL: the run's own frames */
    uint32_t steps;      /* a frame, at most; at least 1 */
    uint32_t from, last; /* frames, both included: white water begins with none at the first */
    void (*report)(uint32_t frame, uint32_t last); /* called after each frame; may be NULL */
} whiten_def;

typedef struct whiten_report {
    uint32_t done;    /* frames written */
    uint64_t made;    /* particles in all */
    uint64_t kind[3]; /* in the last frame, by WATER_SPRAY, ... */
} whiten_report;

/* scene: the run's, changed as wanted. Every file appears when it is complete; out says how far it came, also
 * on failure. RILL_BAD_FILE when a frame has neither particles nor cells to make it from, RILL_USAGE for a
 * method without a liquid, RILL_CANCELLED between frames. The folder is locked meanwhile, unless the files go
 * elsewhere. */
RILL_CHECKED rill_status whiten(rill_ctx *ctx, const rill_scene *scene, const whiten_def *def,
                                whiten_report *out);
