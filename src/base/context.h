/* The context as the library's own code uses it: failure messages, log, cancellation. */
#pragma once

#include "base/pool.h"

#include <rill/rill.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>

struct rill_ctx {
    rill_ctx_def def; /* threads >= 1 */
    atomic_int cancelled;
    pool pool;
    long process; /* that created it, and has its threads */
    int calls;    /* of a host that may call back, in progress */
    char message[2048];
};

/* Keeps the message and returns the status, so that `return rill_fail(...)` is the
 * whole of an error path. Serial code only. The message is one sentence without a
 * final newline: place, cause, remedy. */
rill_status rill_fail(rill_ctx *ctx, rill_status status, const char *format, ...) RILL_FORMAT(3, 4);

/* Puts text before the kept message ("stairs.json: ") and returns the status given. */
rill_status rill_fail_prefix(rill_ctx *ctx, rill_status status, const char *format, ...) RILL_FORMAT(3, 4);

void rill_log(rill_ctx *ctx, rill_log_level level, const char *format, ...) RILL_FORMAT(3, 4);
bool rill_cancelled(const rill_ctx *ctx);

/* Returns from the calling function when the call failed. */
#define TRY(call)                                       \
    do {                                                \
        const rill_status try_status_ = (call);         \
        if (try_status_ != RILL_OK) return try_status_; \
    } while (0)
