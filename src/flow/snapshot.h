/* A saved state in memory: the chunks a method wrote. The driver keeps one for the
 * start of each frame, to go back to; io writes the same thing as a checkpoint file. */
#pragma once

#include "flow/save.h"

typedef struct snapshot_chunk {
    char name[SAVE_NAME];
    save_type type;
    uint64_t count;
    void *data; /* owned */
    size_t capacity;
} snapshot_chunk;

typedef struct snapshot {
    rill_writer writer; /* first: the writer handed to methods is this */
    rill_reader reader;
    rill_ctx *ctx;
    snapshot_chunk *chunk;
    size_t count, capacity; /* chunks in use; allocated (kept with their data for reuse) */
} snapshot;

void snapshot_init(snapshot *s, rill_ctx *ctx);
void snapshot_reset(snapshot *s); /* no chunks, memory kept for the next time */
void snapshot_clear(snapshot *s); /* frees all */
size_t snapshot_bytes(const snapshot *s);
