/* Allocation through the context, so that a test can make any one of them fail.
 *
 * All memory is aligned to MEM_ALIGNMENT. A count of 0 gives a valid pointer. The
 * functions may be called inside parallel loops, except the ones that keep a message
 * (those that return a rill_status). */
#pragma once

#include "base/context.h"

#include <stddef.h>

enum { MEM_ALIGNMENT = 64 };

rill_allocator mem_default_allocator(void);

void *mem_alloc(rill_ctx *ctx, size_t count, size_t size); /* uninitialised; NULL on failure or overflow */
void *mem_zero(rill_ctx *ctx, size_t count, size_t size);  /* zeroed */
void mem_free(rill_ctx *ctx, void *memory);                /* NULL is allowed */

/* Grows the array at *array (array: address of any object pointer) to hold at least
 * `need` elements, by half at a time; contents and *capacity kept on failure. */
RILL_CHECKED rill_status mem_grow(rill_ctx *ctx, void *array, size_t size, size_t *capacity, size_t need);

char *mem_text(rill_ctx *ctx, const char *text); /* a copy; NULL on failure */

/* The message for a failed allocation; returns RILL_NO_MEMORY. */
rill_status mem_failed(rill_ctx *ctx, size_t count, size_t size);

/* p = array of n elements of its type, as a status. */
#define MEM_NEW(ctx, p, n) \
    (((p) = mem_alloc((ctx), (n), sizeof *(p))) ? RILL_OK : mem_failed((ctx), (n), sizeof *(p)))
#define MEM_NEW_ZERO(ctx, p, n) \
    (((p) = mem_zero((ctx), (n), sizeof *(p))) ? RILL_OK : mem_failed((ctx), (n), sizeof *(p)))
