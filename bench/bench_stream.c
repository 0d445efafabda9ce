/* Memory bandwidth by the STREAM triad, a = b + s c (McCalpin 1995), counted as STREAM
 * does: three arrays of doubles, 24 bytes an element. The yardstick of loops that are
 * bound by memory. */
#include "base/parallel.h"
#include "bench/bench.h"

typedef struct {
    rill_ctx *ctx;
    size_t n;
    double *a, *b, *c;
} triad;

enum { BLOCK = 1 << 15 };

static void fill_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const triad *t = arg;
    for (size_t i = begin; i < end; i++) {
        t->a[i] = 0;
        t->b[i] = 1;
        t->c[i] = 2;
    }
}

static void triad_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const triad *t = arg;
    double *restrict a = t->a;
    const double *restrict b = t->b, *restrict c = t->c;
    for (size_t i = begin; i < end; i++) a[i] = b[i] + 3.0 * c[i];
}

static rill_status triad_body(void *arg)
{
    triad *t = arg;
    parallel_for(t->ctx, t->n, BLOCK, triad_block, t);
    return RILL_OK;
}

static rill_status stream_run(bench_run *b)
{
    triad t = {.ctx = b->ctx, .n = b->n};
    rill_status st = MEM_NEW(b->ctx, t.a, t.n);
    if (!st) st = MEM_NEW(b->ctx, t.b, t.n);
    if (!st) st = MEM_NEW(b->ctx, t.c, t.n);
    if (!st) {
        parallel_for(b->ctx, t.n, BLOCK, fill_block, &t);
        st = bench_time(b, NULL, triad_body, &t);
    }
    if (!st) bench_rate(b, 24e-9 * (double)b->n, "GB/s");
    mem_free(b->ctx, t.a);
    mem_free(b->ctx, t.b);
    mem_free(b->ctx, t.c);
    return st;
}

const bench_case bench_stream = {"stream", 1 << 23,
                                 "memory bandwidth: STREAM triad on three arrays of n doubles", stream_run};
