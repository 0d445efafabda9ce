/* run.json: who made a run. */
#pragma once

#include "base/context.h"

/* Warns when another version made the run, or when nothing says who did. Fails for want of memory only. */
RILL_CHECKED rill_status run_about_check(rill_ctx *ctx, const char *folder);
