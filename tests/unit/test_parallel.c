/* Parallel loops, sums, scans and the sort against serial twins, for several thread
 * counts: the same bits each time. */
#include "support.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 8 };

/* Sizes around the block limits of the reductions (1024, 256 blocks) and of the sort (4096). */
static const size_t sizes[] = {0,    1,    2,    3,      1023,   1024,   1025,
                               4095, 4096, 4097, 100003, 262144, 262145, 300001};
enum { SIZES = sizeof sizes / sizeof sizes[0], LARGEST = 300001 };

static uint64_t random_key(size_t i, uint32_t stream)
{
    const random4 r = random_at(7, i, 0, stream);
    return (uint64_t)r.v[0] << 32 | r.v[1];
}

/* --- loops --- */

typedef struct {
    _Atomic uint32_t *visits;
    size_t count, block;
    int workers;
    _Atomic uint32_t bad;
} visit;

static void visit_block(void *arg, size_t begin, size_t end, int worker)
{
    visit *v = arg;
    if (worker < 0 || worker >= v->workers || begin % v->block != 0 || end > v->count || begin >= end ||
        (end - begin != v->block && end != v->count))
        atomic_fetch_add(&v->bad, 1);
    for (size_t i = begin; i < end && i < v->count; i++) atomic_fetch_add(&v->visits[i], 1);
}

static void every_index_once(void **state)
{
    (void)state;
    const size_t counts[] = {0, 1, 2, 7, 64, 1001, 4099};
    const size_t blocks[] = {1, 2, 3, 64, 1000, 5000};
    static _Atomic uint32_t visits[4099];
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        rill_ctx *ctx = test_ctx(threads);
        assert_int_equal(parallel_workers(ctx), threads);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
            for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
                for (size_t i = 0; i < counts[c]; i++) visits[i] = 0;
                visit v = {visits, counts[c], blocks[b], threads, 0};
                parallel_for(ctx, counts[c], blocks[b], visit_block, &v);
                assert_int_equal(v.bad, 0);
                for (size_t i = 0; i < counts[c]; i++) assert_int_equal(visits[i], 1);
            }
        rill_ctx_destroy(ctx);
    }
}

static void block_of_zero_is_one(void **state)
{
    (void)state;
    static _Atomic uint32_t visits[17];
    rill_ctx *ctx = test_ctx(3);
    visit v = {visits, 17, 1, 3, 0};
    parallel_for(ctx, 17, 0, visit_block, &v);
    assert_int_equal(v.bad, 0);
    for (size_t i = 0; i < 17; i++) assert_int_equal(visits[i], 1);
    rill_ctx_destroy(ctx);
}

/* --- sums --- */

static double sum_of(void *arg, size_t begin, size_t end)
{
    const double *x = arg;
    double sum = 0;
    for (size_t i = begin; i < end; i++) sum += x[i];
    return sum;
}

static double largest_of(void *arg, size_t begin, size_t end)
{
    const double *x = arg;
    double m = -INFINITY;
    for (size_t i = begin; i < end; i++)
        if (!(x[i] <= m)) m = x[i];
    return m;
}

static void moments_of(void *arg, size_t begin, size_t end, double *out)
{
    const double *x = arg;
    for (size_t i = begin; i < end; i++) {
        double power = 1;
        for (size_t k = 0; k < PARALLEL_WIDTH; k++, power *= x[i]) out[k] += power;
    }
}

/* Values of very different size and both signs: any change of order changes the bits. */
static double *spread_values(rill_ctx *ctx)
{
    double *x = mem_alloc(ctx, LARGEST, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < LARGEST; i++) {
        const random4 r = random_at(3, i, 0, 0);
        x[i] = ldexp(random_unit(r.v[0], r.v[1]) - 0.5, (int)(r.v[2] % 40) - 20);
    }
    return x;
}

/* The fixed blocks written out: ceil(count / 256) elements each, at least 1024. */
static double twin_sum(const double *x, size_t count)
{
    size_t block = (count + 255) / 256;
    if (block < 1024) block = 1024;
    double sum = 0;
    for (size_t begin = 0; begin < count; begin += block)
        sum += sum_of((void *)x, begin, begin + block < count ? begin + block : count);
    return sum;
}

static void sums_do_not_depend_on_threads(void **state)
{
    (void)state;
    rill_ctx *one = test_ctx(1);
    double *x = spread_values(one);
    for (size_t s = 0; s < SIZES; s++) {
        const double sum = parallel_sum(one, sizes[s], sum_of, x);
        const double twin = twin_sum(x, sizes[s]);
        assert_memory_equal(&sum, &twin, sizeof sum);
        double moments[PARALLEL_WIDTH];
        parallel_sums(one, sizes[s], moments_of, x, PARALLEL_WIDTH, moments);
        assert_true(moments[0] == (double)sizes[s]);
        assert_memory_equal(&moments[1], &sum, sizeof sum);
        const double largest = parallel_max(one, sizes[s], largest_of, x);
        assert_true(largest == largest_of(x, 0, sizes[s]));

        for (int threads = 2; threads <= MOST_THREADS; threads++) {
            rill_ctx *ctx = test_ctx(threads);
            const double other = parallel_sum(ctx, sizes[s], sum_of, x);
            assert_memory_equal(&other, &sum, sizeof sum);
            double others[PARALLEL_WIDTH];
            parallel_sums(ctx, sizes[s], moments_of, x, PARALLEL_WIDTH, others);
            assert_memory_equal(others, moments, sizeof moments);
            assert_true(parallel_max(ctx, sizes[s], largest_of, x) == largest);
            rill_ctx_destroy(ctx);
        }
    }
    mem_free(one, x);
    rill_ctx_destroy(one);
}

/* A NaN anywhere is the answer: this is how a blow-up is noticed. */
static void largest_keeps_nan(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static double x[COUNT];
    rill_ctx *ctx = test_ctx(2);
    for (size_t at = 0; at < COUNT; at += 499) {
        for (size_t i = 0; i < COUNT; i++) x[i] = (double)i;
        x[at] = NAN;
        for (size_t i = at / 1024 * 1024; i < at; i++) x[i] = NAN; /* so that the block's own value is NaN */
        for (size_t i = at; i < (at / 1024 + 1) * 1024 && i < COUNT; i++) x[i] = NAN;
        assert_true(isnan(parallel_max(ctx, COUNT, largest_of, x)));
    }
    assert_true(parallel_max(ctx, 0, largest_of, x) == -INFINITY);
    rill_ctx_destroy(ctx);
}

/* --- scan --- */

static void scan_matches_serial(void **state)
{
    (void)state;
    rill_ctx *one = test_ctx(1);
    uint32_t *in = mem_alloc(one, LARGEST, sizeof *in);
    uint64_t *out = mem_alloc(one, LARGEST + 1, sizeof *out);
    assert_true(in && out);
    /* Large values: the sum passes 32 bits. */
    for (size_t i = 0; i < LARGEST; i++) in[i] = (uint32_t)random_key(i, 1);
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        rill_ctx *ctx = test_ctx(threads);
        for (size_t s = 0; s < SIZES; s++) {
            memset(out, 0xff, (LARGEST + 1) * sizeof *out);
            scan_u32(ctx, in, sizes[s], out);
            uint64_t sum = 0;
            for (size_t i = 0; i < sizes[s]; i++) {
                assert_true(out[i] == sum);
                sum += in[i];
            }
            assert_true(out[sizes[s]] == sum);
        }
        rill_ctx_destroy(ctx);
    }
    mem_free(one, in);
    mem_free(one, out);
    rill_ctx_destroy(one);
}

/* --- sort --- */

typedef struct {
    uint64_t key; /* the bits that count */
    uint32_t value;
} pair;

static int compare_pairs(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

typedef struct {
    uint64_t *key, *spare_key;
    uint32_t *value, *spare_value;
    pair *twin;
} sort_arrays;

static sort_arrays arrays_create(rill_ctx *ctx, size_t n)
{
    sort_arrays a = {mem_alloc(ctx, n, 8), mem_alloc(ctx, n, 8), mem_alloc(ctx, n, 4), mem_alloc(ctx, n, 4),
                     mem_alloc(ctx, n, sizeof(pair))};
    assert_true(a.key && a.spare_key && a.value && a.spare_value && a.twin);
    return a;
}

static void arrays_destroy(rill_ctx *ctx, sort_arrays *a)
{
    mem_free(ctx, a->key);
    mem_free(ctx, a->spare_key);
    mem_free(ctx, a->value);
    mem_free(ctx, a->spare_value);
    mem_free(ctx, a->twin);
}

/* Keys with all 64 bits set at random, of which `bits` count; modulus makes equal keys. */
static void sort_and_compare(rill_ctx *ctx, sort_arrays *a, size_t n, int bits, uint64_t modulus)
{
    const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    for (size_t i = 0; i < n; i++) {
        a->key[i] = modulus ? random_key(i, 2) % modulus : random_key(i, 2);
        a->value[i] = (uint32_t)i;
        a->twin[i] = (pair){a->key[i] & mask, (uint32_t)i};
    }
    qsort(a->twin, n, sizeof *a->twin, compare_pairs); /* by value too: the stable order */
    assert_ok(ctx, sort_by_key(ctx, n, bits, a->key, a->value, a->spare_key, a->spare_value));
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(a->value[i], a->twin[i].value);
        assert_true((a->key[i] & mask) == a->twin[i].key);
        const uint64_t original = random_key(a->value[i], 2);
        assert_true(a->key[i] == (modulus ? original % modulus : original));
    }
}

static void sort_every_bit_width(void **state)
{
    (void)state;
    enum { COUNT = 9001 }; /* three blocks */
    rill_ctx *ctx = test_ctx(3);
    sort_arrays a = arrays_create(ctx, COUNT);
    for (int bits = 0; bits <= 64; bits++) sort_and_compare(ctx, &a, COUNT, bits, 0);
    arrays_destroy(ctx, &a);
    rill_ctx_destroy(ctx);
}

static void sort_is_stable_for_any_thread_count(void **state)
{
    (void)state;
    const size_t counts[] = {0, 1, 2, 4096, 4097, 300001};
    for (int threads = 1; threads <= MOST_THREADS; threads += threads < 4 ? 1 : 4) {
        rill_ctx *ctx = test_ctx(threads);
        sort_arrays a = arrays_create(ctx, LARGEST);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            sort_and_compare(ctx, &a, counts[c], 24, 1000); /* many equal keys */
            sort_and_compare(ctx, &a, counts[c], 16, 1);    /* all equal */
        }
        arrays_destroy(ctx, &a);
        rill_ctx_destroy(ctx);
    }
}

static void sort_without_memory(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(2, &f);
    uint64_t key[3] = {3, 1, 2}, spare_key[3];
    uint32_t value[3] = {0, 1, 2}, spare_value[3];
    const uint64_t live = f.live;
    f.fail_at = f.calls + 1;
    assert_int_equal(sort_by_key(ctx, 3, 8, key, value, spare_key, spare_value), RILL_NO_MEMORY);
    assert_true(f.live == live);
    assert_true(key[0] == 3 && key[1] == 1 && key[2] == 2);
    assert_true(strlen(rill_ctx_message(ctx)) > 0);
    assert_ok(ctx, sort_by_key(ctx, 3, 8, key, value, spare_key, spare_value));
    assert_true(key[0] == 1 && key[1] == 2 && key[2] == 3 && value[0] == 1 && value[1] == 2 && value[2] == 0);
    assert_true(f.live == live);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_once),
        cmocka_unit_test(block_of_zero_is_one),
        cmocka_unit_test(sums_do_not_depend_on_threads),
        cmocka_unit_test(largest_keeps_nan),
        cmocka_unit_test(scan_matches_serial),
        cmocka_unit_test(sort_every_bit_width),
        cmocka_unit_test(sort_is_stable_for_any_thread_count),
        cmocka_unit_test(sort_without_memory),
    };
    return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}
