/* Progress on stderr: a bar on a terminal, a line per frame otherwise. */
#pragma once

#include "base/context.h"

typedef struct cli_progress {
    bool quiet, bar, color;
    bool open; /* a bar stands unfinished on the line */
} cli_progress;

/* Directs the context's log and progress there; p must outlive that. */
void progress_attach(rill_ctx *ctx, cli_progress *p, bool quiet);
void progress_detach(rill_ctx *ctx, cli_progress *p); /* ends the line of the bar */

void seconds_text(double seconds, char *out, size_t capacity); /* "1h02m", "3m20s", "12s" */
