/* The parallel loop on OpenMP. */
#ifndef RILL_PTHREADS
#include "base/parallel.h"

#include <omp.h>

void parallel_run(rill_ctx *ctx, size_t blocks, void (*body)(void *arg, size_t block, int worker), void *arg);

void parallel_run(rill_ctx *ctx, size_t blocks, void (*body)(void *arg, size_t block, int worker), void *arg)
{
    if (blocks == 1 || ctx->def.threads == 1) {
        for (size_t i = 0; i < blocks; i++) body(arg, i, 0);
        return;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(ctx->def.threads)
    for (size_t i = 0; i < blocks; i++) body(arg, i, omp_get_thread_num());
}
#endif
