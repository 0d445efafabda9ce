/* A run in progress, as the files of this folder share it. */
#pragma once

#include "run/driver.h"
#include "run/folder.h"
#include "run/record.h"

typedef struct run {
    rill_ctx *ctx;
    const rill_scene *scene; /* borrowed */
    rill_sim *sim;
    run_folder folder;
    run_record record;
    uint64_t hash; /* run_scene_hash */

    /* The last complete frame, to which everything can go back. Frames of the pre-roll come
     * first: frame `preroll` is frame 0 of the output. */
    uint32_t frame, preroll;
    sim_state start;
    int64_t saved_frame; /* of the newest checkpoint; -1: none */

    double began_wall, began_time, reported_wall; /* of this process: clock, simulated time, last progress */
    run_stop *stop;                               /* run_options.stop */
    struct run_saver *saver;                      /* while frames are made */
} run;

#define RUN_BODIES_BYTES "run/bodies.csv" /* the chunk of a checkpoint with the length of that file */

/* driver.c: frames. */
double run_frame_time(const run *r, uint32_t frame);
uint32_t run_last(const run *r);                  /* frame, with those of the pre-roll */
int64_t run_number(const run *r, uint32_t frame); /* of the frame in the output; negative before 0 */
uint64_t run_elements(const run *r);
RILL_CHECKED rill_status run_begin(run *r);   /* the initial state and empty records */
RILL_CHECKED rill_status run_go_back(run *r); /* to the kept start of the frame */
RILL_CHECKED rill_status run_frames(run *r);  /* from there to the end of the run */
/* Saves the kept start of the frame; returns RILL_CANCELLED with a message in ctx, or why it failed. */
rill_status run_interrupted(run *r, rill_ctx *ctx);

/* check.c: what must hold after every step. */
typedef struct run_before {
    size_t count;
    uint64_t gone, born;
} run_before;
run_before check_before(const rill_sim *sim);
RILL_CHECKED rill_status check_after(const rill_sim *sim, const run_before *before, double speed_limit);

/* output.c: the files of a frame, and what surrounds them. */
RILL_CHECKED rill_status output_check(const run *r);           /* that what is to be drawn is there */
RILL_CHECKED rill_status output_frame(run *r, uint32_t frame); /* as numbered in the output */
RILL_CHECKED rill_status output_scene(const run_folder *folder, const rill_scene *scene);
RILL_CHECKED rill_status output_about(const run_folder *folder, const rill_scene *scene, uint64_t hash);
RILL_CHECKED rill_status output_video(const run *r);
bool output_video_wanted(const rill_scene *scene);
