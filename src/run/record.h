/* What a run tells about itself step by step: stats.jsonl and gauges.csv.
 *
 * The lines of a frame are kept in memory and reach the files when the frame is done,
 * so that an attempt that is given up leaves no trace. The lengths of the files are
 * part of a checkpoint: resuming cuts them there. */
#pragma once

#include "base/text.h"
#include "flow/method.h"
#include "run/folder.h"

typedef struct run_record {
    rill_ctx *ctx;
    const rill_scene *scene;            /* borrowed */
    text stats, gauges;                 /* of the frame being worked on */
    uint64_t stats_bytes, gauges_bytes; /* of the files */
    double *value;                      /* of the gauges, owned */
} run_record;

RILL_CHECKED rill_status record_init(run_record *r, rill_ctx *ctx, const rill_scene *scene);
void record_clear(run_record *r);

/* New files with their heads, or the files as they are cut to these lengths. */
RILL_CHECKED rill_status record_begin(run_record *r, const run_folder *folder);
RILL_CHECKED rill_status record_continue(run_record *r, const run_folder *folder, uint64_t stats_bytes,
                                         uint64_t gauges_bytes);

/* One line each, after a step: sim->time and sim->step are those of its end. */
RILL_CHECKED rill_status record_step(run_record *r, const rill_sim *sim, int64_t frame, double dt,
                                     double wall_s, const rill_step_stats *stats);
void record_discard(run_record *r);
RILL_CHECKED rill_status record_flush(run_record *r, const run_folder *folder);
/* Puts the files on the disk, before a checkpoint that relies on them. */
RILL_CHECKED rill_status record_sync(const run_record *r, const run_folder *folder);
