/* What the fuzz targets share: an allocator that knows how much is held and how much was
 * held at most, so that a target can insist on bounds and find leaks of its own.
 *
 * A target fuzz_NAME.c defines LLVMFuzzerTestOneInput: it calls the reader on the bytes
 * and aborts (fuzz_require) when something that must hold does not. */
#pragma once

#include "base/context.h"

#include <stddef.h>
#include <stdint.h>

/* Allocations of one context. Refuses those that lead beyond `limit` bytes (0: none). */
typedef struct measured_allocator {
    _Atomic size_t held, most;
    size_t limit;
} measured_allocator;

rill_allocator measured_allocator_make(measured_allocator *m);

/* A context of one thread on that allocator. Never fails: it ends the program instead. */
rill_ctx *fuzz_ctx(measured_allocator *m);

/* Ends the program with a trace of where when the condition does not hold. */
#define fuzz_require(condition) fuzz_require_that((condition), #condition, __FILE__, __LINE__)
void fuzz_require_that(bool holds, const char *condition, const char *file, int line);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
