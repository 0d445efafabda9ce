/* Frames given as "A:B". */
#pragma once

#include "base/context.h"

/* "A:B", "A:", ":B" or "A", among the frames 0 to `last`; RILL_USAGE with a message, which begins with
 * the command's name. */
RILL_CHECKED rill_status frame_range_parse(rill_ctx *ctx, const char *command, const char *given,
                                           uint32_t last, uint32_t *from, uint32_t *to);
/* The frames of a run folder, cut to the range given; NULL: all of them. */
RILL_CHECKED rill_status frame_range_of_run(rill_ctx *ctx, const char *command, const char *folder,
                                            const char *given, uint32_t *from, uint32_t *last);

/* Says on stderr which frame was made; on a terminal in one line. */
void frame_progress(uint32_t frame, uint32_t last);
