/* The surfaces of a run folder once more, from its particle files and without simulating: with another
 * definition, cell or option of the scene's "surface". */
#pragma once

#include "flow/scene.h"

typedef struct resurface_def {
    const char *folder; /* of the run */
    const char *to; /* folder for the surfaces; NULL: the run's own frames, which are replaced one by one */
    bool defined;   /* by the scene's definition, of any method; otherwise as the run makes them */
    uint32_t from, last;                           /* frames, both included */
    void (*report)(uint32_t frame, uint32_t last); /* called after each frame; may be NULL */
} resurface_def;

typedef struct resurface_report {
    uint32_t done;
    uint32_t missing, first_missing; /* frames of the range of which there is nothing */
    uint32_t bare, first_bare;       /* those without particles: their surface is left as it is */
} resurface_report;

/* scene: the run's, changed as wanted. Every surface appears when it is complete; out says how far it came,
 * also on failure. RILL_BAD_FILE when no frame has particles, RILL_USAGE for a method without them,
 * RILL_CANCELLED between frames. The folder is locked meanwhile, unless the surfaces go elsewhere. */
RILL_CHECKED rill_status resurface(rill_ctx *ctx, const rill_scene *scene, const resurface_def *def,
                                   resurface_report *out);
