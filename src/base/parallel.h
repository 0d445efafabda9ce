/* Parallel loops whose result does not depend on the number of threads.
 *
 * Work is cut into blocks by the data alone; threads take blocks in any order. A body
 * writes only what belongs to its block, or to scratch of its worker (0 <= worker <
 * parallel_workers) that leaves no trace in the result. Sums add the blocks' partial
 * sums in block order.
 *
 * Threads belong to the context (pool.h). Loops do not nest. */
#pragma once

#include "base/context.h"

enum { PARALLEL_MAX_THREADS = POOL_MAX_THREADS };

int parallel_machine_threads(void);
int parallel_workers(const rill_ctx *ctx);

typedef void parallel_body(void *arg, size_t begin, size_t end, int worker);

/* Calls body on [0, count) in blocks of `block` (the last may be shorter). */
void parallel_for(rill_ctx *ctx, size_t count, size_t block, parallel_body *body, void *arg);

typedef double parallel_term(void *arg, size_t begin, size_t end); /* the block's sum, or its largest */

double parallel_sum(rill_ctx *ctx, size_t count, parallel_term *term, void *arg);
double parallel_max(rill_ctx *ctx, size_t count, parallel_term *term,
                    void *arg); /* of none: -INFINITY; NaN if a block gives one */

/* Several sums at once: out[width], width <= PARALLEL_WIDTH. */
enum { PARALLEL_WIDTH = 16 };
typedef void parallel_terms(void *arg, size_t begin, size_t end, double *out);
void parallel_sums(rill_ctx *ctx, size_t count, parallel_terms *terms, void *arg, size_t width, double *out);

/* Exclusive prefix sums: out[i] = in[0] + .. + in[i-1], out[count] = the whole; out has
 * count + 1 elements, apart from those of `in`. */
void scan_u32(rill_ctx *ctx, const uint32_t *in, size_t count, uint64_t *out);

/* Stable sort of keys with their values by the low `bits` bits of the key, least
 * significant digit first. spare arrays of the same length; the result is in key and
 * value. */
RILL_CHECKED rill_status sort_by_key(rill_ctx *ctx, size_t count, int bits, uint64_t *key, uint32_t *value,
                                     uint64_t *spare_key, uint32_t *spare_value);
