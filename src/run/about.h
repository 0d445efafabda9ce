/* run.json: the version and machine that made a run. */
#pragma once

#include "base/context.h"

/* Warns when another version made the run and, when it matters, when the version is unknown (a run that
 * was killed at its very start is resumed without it). Fails for want of memory only. */
RILL_CHECKED rill_status run_about_check(rill_ctx *ctx, const char *folder, bool matters);
