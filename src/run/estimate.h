/* What a run will take, before it is begun: particles, memory, disk, time. */
#pragma once

#include "run/driver.h"
#include "run/machine.h"

typedef struct run_estimate {
    uint64_t elements;     /* at the start: particles, or cells of a method without these */
    bool at_most;          /* counts are upper bounds: the run begins with particles of several sizes */
    uint64_t emitted;      /* at most, by the emitters */
    double memory;         /* bytes at most, with the kept frame, the surface and the picture */
    double frame_disk;     /* bytes of one frame's files, at the end */
    double disk;           /* of the whole run */
    double frame_seconds;  /* surface, picture and files of one frame */
    double file_seconds;   /* the files' part of it */
    double step_seconds;   /* of one step with all elements that there will be */
    double steps, seconds; /* of the whole run; NAN when the method has no figures */
} run_estimate;

/* For this number of particles, whatever the scene's liquid holds. */
run_estimate run_estimate_of(const rill_scene *scene, uint64_t count, uint64_t emitted);
RILL_CHECKED rill_status run_estimate_make(rill_ctx *ctx, const rill_scene *scene, run_estimate *out);
/* RILL_NO_MEMORY or RILL_DISK when it would not fit, naming a spacing that would. */
RILL_CHECKED rill_status run_estimate_check(rill_ctx *ctx, const rill_scene *scene, const run_estimate *e,
                                            const run_options *options);
