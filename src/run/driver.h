/* The driver: takes a scene through time and leaves a run folder.
 *
 * Frame k ends at k / fps; frame 0 is the initial state, or what a pre-roll has made of it:
 * frames that begin at -preroll and leave checkpoints, statistics and gauges, but no files
 * of their own. Within a frame the steps are as
 * long as the method allows, and the last two share what remains. The start of each
 * frame is kept in memory: when a step fails its checks, the frame is begun again with
 * half the step, at most RUN_RETRIES times. Whatever happens, the folder holds complete
 * frames only, and rill resume takes it on from the newest sound checkpoint, to the same
 * bits as a run that was never interrupted and with any number of threads. */
#pragma once

#include "run/stepper.h"

/* The program's way to end itself after a run was saved while a step goes on (run/saver.h), with the status
 * and the message of the run. */
typedef void run_stop(rill_status st, const char *message);

typedef struct run_options {
    const char *out;        /* the folder */
    const char *scene_file; /* the scene's own file, which is never written to; NULL: none */
    bool force;             /* replace what is there */
    /* Bytes that the estimate is checked against; 0: ask the machine. */
    uint64_t free_memory, free_disk;
    run_stop *stop; /* NULL: a run ends its step before it stops */
} run_options;

typedef struct run_result {
    uint32_t frame, frames; /* done, and asked for */
    uint64_t step, elements;
    double time, wall_s;
    bool was_finished; /* resume found nothing left to do */
    bool images, video;
} run_result;

/* RILL_CANCELLED: stopped by rill_ctx_cancel with a checkpoint of the last complete
 * frame. `out` says how far it came, also on failure. What can be known to fail
 * before the folder is made leaves nothing behind. */
RILL_CHECKED rill_status run_start(rill_ctx *ctx, const rill_scene *scene, const run_options *options,
                                   run_result *out);

/* Goes on with the run in the folder; frames: 0, or the new length of the run. `methods`
 * is what its scene may use. RILL_USAGE when no checkpoint is of its scene, which has been edited: run_again
 * simulates it from the start instead. */
RILL_CHECKED rill_status run_resume(rill_ctx *ctx, const char *folder, int64_t frames, bool run_again,
                                    const rill_method *const *methods, uint32_t method_count,
                                    run_result *out);
/* The same with a way to stop in the middle of a step. */
RILL_CHECKED rill_status run_resume_stoppable(rill_ctx *ctx, const char *folder, int64_t frames,
                                              bool run_again, const rill_method *const *methods,
                                              uint32_t method_count, run_stop *stop, run_result *out);

/* What must be the same for a checkpoint to fit: the scene but for its length. */
RILL_CHECKED rill_status run_scene_hash(rill_ctx *ctx, const rill_scene *scene, uint64_t *hash);

/* The surface of what is viewed, as the scene wants it; empty where the method has none. */
struct trimesh;
RILL_CHECKED rill_status run_surface(const rill_sim *sim, const rill_view *view, struct trimesh *out);
