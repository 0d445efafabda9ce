/* The stable radix sort of base beside the C library's qsort: n pairs of a random key
 * of 32 bits and a 32-bit value. */
#include "base/parallel.h"
#include "base/random.h"
#include "base/text.h"
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    uint64_t key;
    uint32_t value;
} pair;

typedef struct {
    rill_ctx *ctx;
    size_t n;
    uint64_t *key, *spare_key;
    uint32_t *value, *spare_value;
} sorting;

enum { KEY_BITS = 32, BLOCK = 1 << 14 };

static uint64_t key_at(size_t i)
{
    return random_at(1, i, 0, 0).v[0];
}

static void shuffle_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sorting *s = arg;
    for (size_t i = begin; i < end; i++) {
        s->key[i] = key_at(i);
        s->value[i] = (uint32_t)i;
    }
}

static rill_status shuffle(void *arg)
{
    sorting *s = arg;
    parallel_for(s->ctx, s->n, BLOCK, shuffle_block, s);
    return RILL_OK;
}

static rill_status sort_body(void *arg)
{
    sorting *s = arg;
    return sort_by_key(s->ctx, s->n, KEY_BITS, s->key, s->value, s->spare_key, s->spare_value);
}

/* Also by value, so that the result is the stable one. */
static int compare(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

/* The peer's time, once; fails when the two results differ. */
static rill_status time_qsort(const sorting *s, double *seconds)
{
    pair *p;
    TRY(MEM_NEW(s->ctx, p, s->n));
    for (size_t i = 0; i < s->n; i++) p[i] = (pair){key_at(i), (uint32_t)i};
    const double start = clock_seconds();
    qsort(p, s->n, sizeof *p, compare);
    *seconds = clock_seconds() - start;
    size_t wrong = 0;
    for (size_t i = 0; i < s->n; i++) wrong += p[i].key != s->key[i] || p[i].value != s->value[i];
    mem_free(s->ctx, p);
    return wrong ? rill_fail(s->ctx, RILL_BLEW_UP, "sort_by_key differs from qsort in %zu places", wrong)
                 : RILL_OK;
}

static rill_status sort_run(bench_run *b)
{
    if (b->n >= UINT32_MAX) return rill_fail(b->ctx, RILL_USAGE, "at most %u pairs", UINT32_MAX - 1);
    sorting s = {.ctx = b->ctx, .n = b->n};
    double peer = 0;
    rill_status st = MEM_NEW(b->ctx, s.key, s.n);
    if (!st) st = MEM_NEW(b->ctx, s.spare_key, s.n);
    if (!st) st = MEM_NEW(b->ctx, s.value, s.n);
    if (!st) st = MEM_NEW(b->ctx, s.spare_value, s.n);
    if (!st) st = bench_time(b, shuffle, sort_body, &s);
    if (!st) st = time_qsort(&s, &peer);
    if (!st) {
        bench_rate(b, 1e-6 * (double)b->n, "M pairs/s");
        bench_number(b, "qsort_seconds", peer);
        bench_number(b, "times_qsort", peer / b->seconds);
    }
    mem_free(b->ctx, s.key);
    mem_free(b->ctx, s.spare_key);
    mem_free(b->ctx, s.value);
    mem_free(b->ctx, s.spare_value);
    return st;
}

const bench_case bench_sort = {"sort", 1000000, "stable radix sort of n pairs of key and value, and qsort",
                               sort_run};
