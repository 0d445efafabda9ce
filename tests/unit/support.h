/* What every unit test needs: cmocka in the right order, a context, and an allocator
 * that fails on request. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/context.h"

/* An allocator that counts, fails the n-th allocation (1: the first; 0: none) and
 * every later one when `sticky`, and knows what is still held. Thread-safe. */
typedef struct failing_allocator {
    _Atomic uint64_t calls, live;
    uint64_t fail_at;
    bool sticky;
} failing_allocator;

rill_allocator failing_allocator_make(failing_allocator *f);

rill_ctx *test_ctx(int threads);                               /* fails the test when it cannot */
rill_ctx *test_ctx_failing(int threads, failing_allocator *f); /* fails the test likewise */

/* Calls `work` with its n-th allocation and all later ones failing, for n = 1, 2, ... until none does. Each
 * failure must come back as RILL_NO_MEMORY, and each call leave nothing behind; the last must succeed. What
 * `work` checks and how it cleans up after itself is its own. Returns how many failed. */
uint64_t every_allocation_fails(int threads, rill_status (*work)(rill_ctx *ctx, void *user), void *user);

/* How often or how long: `full`, or `less` in a build with sanitizers, which takes ten times as long
 * for each and needs to see each path, not each case. */
int unless_sanitized(int full, int less);

/* Of many alike cases every so many: RILL_STRIDE, or the usual number, so that every change is tested in
 * minutes. Tests called NAME_all set it to 1. */
uint32_t test_stride(uint32_t usual);

/* Fails the test with the context's message. */
#define assert_ok(ctx, call)                                                                       \
    do {                                                                                           \
        const rill_status st_ = (call);                                                            \
        if (st_ != RILL_OK) fail_msg("%s: status %d: %s", #call, (int)st_, rill_ctx_message(ctx)); \
    } while (0)
