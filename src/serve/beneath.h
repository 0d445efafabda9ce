/* Files of a run folder, opened without following links: what lies outside of the folder
 * cannot be reached through it, whatever someone has put into it. Names are ours, never a
 * client's. */
#pragma once

#include "base/memory.h"

#include <sys/stat.h>

/* `place` is a folder in the run's folder ("frames"), or NULL for the folder itself. The descriptor of a
 * regular file and its state; -1: there is none. */
int beneath_open(const char *folder, const char *place, const char *name, struct stat *state);

/* *data is the caller's to mem_free, with a zero byte after the end. RILL_BAD_FILE when there is no such file
 * or it is longer than `most`; at most `most` bytes of it when `part` is set. */
RILL_CHECKED rill_status beneath_read(rill_ctx *ctx, const char *folder, const char *place, const char *name,
                                      size_t most, bool part, char **data, size_t *length);

/* The same whole file into a place that is kept: *data is grown when it is too small, and stays the caller's.
 */
RILL_CHECKED rill_status beneath_read_into(rill_ctx *ctx, const char *folder, const char *place,
                                           const char *name, size_t most, char **data, size_t *capacity,
                                           size_t *length);
