/* An allocator that counts: how much of a context's memory is in use, and was at most. */
#pragma once

#include "base/context.h"

typedef struct bench_tally {
    rill_allocator plain;
    _Atomic int64_t now, most; /* bytes */
} bench_tally;

/* A context like another whose memory is counted. The tally must outlive it. */
RILL_CHECKED rill_status tally_ctx_create(rill_ctx *like, bench_tally *t, rill_ctx **out);
