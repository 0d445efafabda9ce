/* Checkpoints: a saved state as a file.
 *
 * Our own format, little endian: a head (magic, version, where the run is, how long its
 * growing files are), chunks (name, type, count; data in blocks of at most 8 MiB, each
 * compressed with zstd), and an end with the hash of all that comes before. Every chunk
 * has the XXH3 of its data. A file is verified from the disk before it gets its name;
 * reading checks every length against the file before anything is allocated and every
 * hash before anything is handed out. */
#pragma once

#include "flow/snapshot.h"

enum { CHECKPOINT_METHOD = 32 };

typedef struct checkpoint_head {
    char method[CHECKPOINT_METHOD];
    uint64_t scene_hash; /* of what must be the same to go on */
    double time;
    uint32_t frame; /* complete */
    uint64_t step;
    uint64_t stats_bytes, gauges_bytes; /* of the run's growing files at that moment */
} checkpoint_head;

RILL_CHECKED rill_status checkpoint_write(rill_ctx *ctx, const char *path, const checkpoint_head *head,
                                          const snapshot *state);
/* state may be NULL: then all is verified and nothing kept. It is untouched on failure,
 * except when memory runs out while it is filled: then it is empty. RILL_BAD_FILE for
 * anything wrong with the file. */
RILL_CHECKED rill_status checkpoint_read(rill_ctx *ctx, const char *path, checkpoint_head *head,
                                         snapshot *state);
