/* The statistics of a run, step by step: stats.jsonl, gauges.csv and bodies.csv.
 *
 * The lines of a frame are kept in memory and reach the files when the frame is done,
 * so that an attempt that is given up leaves no trace. The lengths of the files are
 * part of a checkpoint: resuming cuts them there. */
#pragma once

#include "base/text.h"
#include "flow/method.h"
#include "run/folder.h"

typedef enum record_file { RECORD_STATS, RECORD_GAUGES, RECORD_BODIES, RECORD_FILES } record_file;
extern const char *const record_names[RECORD_FILES]; /* "stats.jsonl", ... */

typedef struct run_record {
    rill_ctx *ctx;
    const rill_scene *scene;      /* borrowed */
    bool wanted[RECORD_FILES];    /* the scene has gauges, or bodies */
    text lines[RECORD_FILES];     /* of the frame being worked on */
    uint64_t bytes[RECORD_FILES]; /* of the files */
    uint32_t columns;             /* of gauges.csv, without the time */
    double *value;                /* of the gauges, owned */
} run_record;

RILL_CHECKED rill_status record_init(run_record *r, rill_ctx *ctx, const rill_scene *scene);
void record_clear(run_record *r);

/* New files with their heads, or the files as they are cut to these lengths. */
RILL_CHECKED rill_status record_begin(run_record *r, const run_folder *folder);
RILL_CHECKED rill_status record_continue(run_record *r, const run_folder *folder,
                                         const uint64_t bytes[RECORD_FILES]);
/* Whether the files are at least this long. */
bool record_reaches(const run_record *r, const run_folder *folder, const uint64_t bytes[RECORD_FILES]);

/* One line each, after a step: sim->time and sim->step are those of its end. */
RILL_CHECKED rill_status record_step(run_record *r, const rill_sim *sim, int64_t frame, double dt,
                                     double wall_s, const rill_step_stats *stats);
void record_discard(run_record *r);
RILL_CHECKED rill_status record_flush(run_record *r, const run_folder *folder);
/* Puts the files on the disk, before a checkpoint that relies on them. */
RILL_CHECKED rill_status record_sync(const run_record *r, const run_folder *folder);
