/* The folder of a run: the names of its files, and the lock that lets one process
 * write them.
 *
 *     scene.json run.json run.lock stats.jsonl gauges.csv bodies.csv video.mp4
 *     frames/particles_0000.ply frames/surface_0000.ply frames/cells_0000.ply frames/bodies_0000.ply
 *     images/0000.png
 *     checkpoints/0010.rill
 *
 * An open folder is locked (flock on run.lock, which ends with the process however that
 * ends), so that two programs never write the same run. */
#pragma once

#include "base/memory.h"
#include "io/frame_file.h"

typedef struct run_folder {
    rill_ctx *ctx;
    char *path; /* owned */
    int lock;
} run_folder;

/* RILL_USAGE, with what to do about it, when there is anything in the folder (which need not exist),
 * of a run or not. */
RILL_CHECKED rill_status run_folder_check_free(rill_ctx *ctx, const char *path);

/* Makes the folder where needed and locks it. RILL_USAGE when it holds a run and force is
 * not set; with force, what a run writes is removed, and nothing else. */
RILL_CHECKED rill_status run_folder_create(rill_ctx *ctx, const char *path, bool force, run_folder *out);
/* Locks a folder that holds a run. RILL_BAD_FILE when there is none. Temporary files
 * left by a kill are removed. */
RILL_CHECKED rill_status run_folder_open(rill_ctx *ctx, const char *path, run_folder *out);
void run_folder_close(run_folder *f);

/* A path in the folder. The caller's to mem_free; NULL when there is no memory. */
char *run_folder_path(const run_folder *f, const char *name);

/* Kinds of numbered files, as bits. */
enum {
    RUN_SURFACES = 1 << FRAME_SURFACE,
    RUN_PARTICLES = 1 << FRAME_PARTICLES,
    RUN_CELLS = 1 << FRAME_CELLS,
    RUN_TRACERS = 1 << FRAME_TRACERS,
    RUN_BODIES = 1 << FRAME_BODIES,
    RUN_WHITEWATER = 1 << FRAME_WHITEWATER,
    RUN_FRAMES = (1 << FRAME_PARTS) - 1, /* all of these */
    RUN_CHECKPOINTS = 1 << FRAME_PARTS,
    RUN_IMAGES = 1 << (FRAME_PARTS + 1),
    RUN_SLICES = 1 << (FRAME_PARTS + 2),
    RUN_VOLUMES = 1 << (FRAME_PARTS + 3)
};
/* The path of one of them, by one of these bits. The caller's to mem_free; NULL when there is no memory. */
char *run_file_path(rill_ctx *ctx, const char *folder, uint32_t kind, uint32_t number);
/* The numbers of which there is a file of one of these kinds, ascending, each once. The caller's to
 * mem_free; NULL when there is none. */
RILL_CHECKED rill_status run_folder_numbers(rill_ctx *ctx, const char *path, uint32_t kinds,
                                            uint32_t **number, uint32_t *count);
/* The frames that have a checkpoint, newest first; at most `capacity` of them. */
enum { RUN_MAX_CHECKPOINTS = 64 };
uint32_t run_folder_checkpoints(rill_ctx *ctx, const char *path, uint32_t *frame, uint32_t capacity);
/* Removes all but `newest` and the one before it. */
RILL_CHECKED rill_status run_folder_keep_two(const run_folder *f, uint32_t newest);
