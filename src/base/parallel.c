#include "base/parallel.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

int parallel_machine_threads(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > PARALLEL_MAX_THREADS ? PARALLEL_MAX_THREADS : (int)n;
}

int parallel_workers(const rill_ctx *ctx)
{
    return ctx->def.threads;
}

typedef struct {
    size_t count, block;
    parallel_body *body;
    void *arg;
} loop;

static void loop_block(void *arg, size_t block, int worker)
{
    const loop *l = arg;
    const size_t begin = block * l->block;
    const size_t end = begin + l->block < l->count ? begin + l->block : l->count;
    l->body(l->arg, begin, end, worker);
}

void parallel_for(rill_ctx *ctx, size_t count, size_t block, parallel_body *body, void *arg)
{
    if (count == 0) return;
    if (block == 0) block = 1;
    loop l = {count, block, body, arg};
    pool_run(&ctx->pool, ctx->def.threads, (count - 1) / block + 1, loop_block, &l);
}

/* Sums: at most SUM_BLOCKS blocks, their size a function of the count alone. */
enum { SUM_BLOCKS = 256, SUM_SMALLEST = 1024 };

static size_t sum_block(size_t count)
{
    const size_t block = (count + SUM_BLOCKS - 1) / SUM_BLOCKS;
    return block < SUM_SMALLEST ? SUM_SMALLEST : block;
}

typedef struct {
    parallel_term *term;
    parallel_terms *terms;
    void *arg;
    size_t block, width;
    double *partial;
} reduction;

static void term_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const reduction *r = arg;
    r->partial[begin / r->block] = r->term(r->arg, begin, end);
}

static void terms_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const reduction *r = arg;
    r->terms(r->arg, begin, end, r->partial + begin / r->block * r->width);
}

double parallel_sum(rill_ctx *ctx, size_t count, parallel_term *term, void *arg)
{
    double partial[SUM_BLOCKS], sum = 0;
    reduction r = {.term = term, .arg = arg, .block = sum_block(count), .partial = partial};
    parallel_for(ctx, count, r.block, term_block, &r);
    for (size_t i = 0; i * r.block < count; i++) sum += partial[i];
    return sum;
}

double parallel_max(rill_ctx *ctx, size_t count, parallel_term *term, void *arg)
{
    double partial[SUM_BLOCKS], largest = -INFINITY;
    reduction r = {.term = term, .arg = arg, .block = sum_block(count), .partial = partial};
    parallel_for(ctx, count, r.block, term_block, &r);
    for (size_t i = 0; i * r.block < count; i++) {
        if (isnan(partial[i])) return partial[i];
        if (partial[i] > largest) largest = partial[i];
    }
    return largest;
}

void parallel_sums(rill_ctx *ctx, size_t count, parallel_terms *terms, void *arg, size_t width, double *out)
{
    double partial[SUM_BLOCKS * PARALLEL_WIDTH];
    memset(partial, 0, sizeof partial);
    reduction r = {.terms = terms, .arg = arg, .block = sum_block(count), .width = width, .partial = partial};
    parallel_for(ctx, count, r.block, terms_block, &r);
    for (size_t k = 0; k < width; k++) out[k] = 0;
    for (size_t i = 0; i * r.block < count; i++)
        for (size_t k = 0; k < width; k++) out[k] += partial[i * width + k];
}

/* Scan: the blocks' sums, their offsets, then each block from its offset. */
typedef struct {
    const uint32_t *in;
    uint64_t *out;
    size_t block;
    uint64_t offset[SUM_BLOCKS + 1];
} scan;

static void scan_count(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    scan *s = arg;
    uint64_t sum = 0;
    for (size_t i = begin; i < end; i++) sum += s->in[i];
    s->offset[begin / s->block + 1] = sum;
}

static void scan_write(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    scan *s = arg;
    uint64_t sum = s->offset[begin / s->block];
    for (size_t i = begin; i < end; i++) {
        const uint32_t v = s->in[i];
        s->out[i] = sum;
        sum += v;
    }
}

void scan_u32(rill_ctx *ctx, const uint32_t *in, size_t count, uint64_t *out)
{
    scan s = {.in = in, .out = out, .block = sum_block(count)};
    parallel_for(ctx, count, s.block, scan_count, &s);
    const size_t blocks = count ? (count - 1) / s.block + 1 : 0;
    for (size_t i = 0; i < blocks; i++) s.offset[i + 1] += s.offset[i];
    parallel_for(ctx, count, s.block, scan_write, &s);
    out[count] = s.offset[blocks];
}

/* Sort: per digit, each block counts its keys; the offsets of (digit, block) in that
 * order make the scatter stable whatever the order in which blocks run. */
enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

typedef struct {
    const uint64_t *key;
    const uint32_t *value;
    uint64_t *to_key;
    uint32_t *to_value;
    uint32_t (*offset)[DIGITS];
    size_t block;
    int shift;
    uint64_t mask; /* of the digit; the last one may be narrower */
} digit_pass;

static void digit_count(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const digit_pass *p = arg;
    uint32_t *n = p->offset[begin / p->block];
    memset(n, 0, sizeof p->offset[0]);
    for (size_t i = begin; i < end; i++) n[p->key[i] >> p->shift & p->mask]++;
}

static void digit_scatter(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const digit_pass *p = arg;
    uint32_t *at = p->offset[begin / p->block];
    for (size_t i = begin; i < end; i++) {
        const uint32_t to = at[p->key[i] >> p->shift & p->mask]++;
        p->to_key[to] = p->key[i];
        p->to_value[to] = p->value[i];
    }
}

rill_status sort_by_key(rill_ctx *ctx, size_t count, int bits, uint64_t *key, uint32_t *value,
                        uint64_t *spare_key, uint32_t *spare_value)
{
    if (count < 2) return RILL_OK;
    size_t block = (count + 63) / 64;
    if (block < 4096) block = 4096;
    const size_t blocks = (count - 1) / block + 1;
    uint32_t(*offset)[DIGITS];
    TRY(MEM_NEW(ctx, offset, blocks));

    uint64_t *from_key = key, *to_key = spare_key;
    uint32_t *from_value = value, *to_value = spare_value;
    for (int shift = 0; shift < bits; shift += DIGIT_BITS) {
        const int width = bits - shift < DIGIT_BITS ? bits - shift : DIGIT_BITS;
        digit_pass p = {from_key, from_value, to_key, to_value, offset, block, shift, (1u << width) - 1};
        parallel_for(ctx, count, block, digit_count, &p);
        uint32_t sum = 0;
        for (size_t d = 0; d < DIGITS; d++)
            for (size_t b = 0; b < blocks; b++) {
                const uint32_t n = offset[b][d];
                offset[b][d] = sum;
                sum += n;
            }
        parallel_for(ctx, count, block, digit_scatter, &p);
        uint64_t *k = from_key;
        from_key = to_key, to_key = k;
        uint32_t *v = from_value;
        from_value = to_value, to_value = v;
    }
    if (from_key != key) {
        memcpy(key, from_key, count * sizeof *key);
        memcpy(value, from_value, count * sizeof *value);
    }
    mem_free(ctx, offset);
    return RILL_OK;
}
