/* A trial: the first steps of a run and one frame's surface and picture, timed on this machine. Nothing is
 * written. It makes an estimate honest where counts alone are not: what solids, bodies, the method's settings
 * and the machine cost is measured. */
#pragma once

#include "run/estimate.h"

typedef struct run_trial {
    uint64_t steps, elements; /* taken, and how many there were at its end */
    double seconds_per_step;  /* mean of the later half */
    double dt;                /* of the same steps, mean */
    double seconds_per_frame; /* surface and picture; 0: none is wanted */
} run_trial;

/* Steps for about `seconds`, at least two steps and at most to the end of the run. */
RILL_CHECKED rill_status run_trial_make(rill_ctx *ctx, const rill_scene *scene, double seconds,
                                        run_trial *out);

/* The estimate with what the trial has shown. */
void run_estimate_correct(run_estimate *e, const rill_scene *scene, const run_trial *trial);
