/* Files that are either complete or absent.
 *
 * A file is written under a temporary name in its own folder (".NAME.RANDOM.tmp", which must not be there,
 * nor be a link) and renamed when complete and on the disk, so that neither another program nor a later run
 * after a kill or a power cut ever sees an incomplete file. Every failure to write is RILL_DISK, every
 * failure to read RILL_BAD_FILE, with the path and the system's reason in the message. */
#pragma once

#include "base/memory.h"

typedef struct out_file {
    rill_ctx *ctx;
    char *path, *temporary; /* owned */
    int fd;
    uint8_t *buffer; /* owned */
    size_t used;
    uint64_t length;    /* bytes written so far */
    rill_status failed; /* the first failure: later writes and the commit give it again */
} out_file;

/* After file_begin succeeded, file_abandon must be called once, also after
 * file_commit (then it only frees). */
RILL_CHECKED rill_status file_begin(rill_ctx *ctx, const char *path, out_file *f);
rill_status file_write(out_file *f, const void *data, size_t bytes); /* may be left to file_commit to check */
RILL_CHECKED rill_status file_flush(out_file *f);                    /* everything so far is on the disk */
RILL_CHECKED rill_status file_commit(out_file *f);                   /* flush, then the final name */
void file_abandon(out_file *f);

/* A whole file at once. */
RILL_CHECKED rill_status file_write_all(rill_ctx *ctx, const char *path, const void *data, size_t bytes);
/* *data is the caller's to mem_free, with a zero byte after the end. RILL_BAD_FILE when
 * it is missing, no regular file, unreadable or longer than limit. */
RILL_CHECKED rill_status file_read_all(rill_ctx *ctx, const char *path, uint64_t limit, char **data,
                                       size_t *bytes);

/* Adds to a growing file: what it has beyond `offset` is cut off first. On failure the
 * file ends at offset again. */
RILL_CHECKED rill_status file_append(rill_ctx *ctx, const char *path, uint64_t offset, const void *data,
                                     size_t bytes);
RILL_CHECKED rill_status file_sync(rill_ctx *ctx, const char *path); /* a growing file onto the disk */

bool file_exists(const char *path);
uint64_t file_length(const char *path); /* 0: empty or not there */
/* A file that is not there is removed already. */
RILL_CHECKED rill_status file_remove(rill_ctx *ctx, const char *path);
/* The folder and those above it, where missing. */
RILL_CHECKED rill_status folder_create(rill_ctx *ctx, const char *path);
/* Temporary files that a killed program left in the folder. A missing folder has none. */
RILL_CHECKED rill_status folder_remove_temporaries(rill_ctx *ctx, const char *path);

/* folder/name, the caller's to mem_free; NULL when there is no memory for it. */
char *path_join(rill_ctx *ctx, const char *folder, const char *name);
