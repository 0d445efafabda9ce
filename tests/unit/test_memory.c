/* Allocation, arena, context, and the failing allocator the other tests lean on. */
#include "support.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

static void failing_allocator_counts(void **state)
{
    (void)state;
    failing_allocator f = {.fail_at = 3};
    const rill_allocator a = failing_allocator_make(&f);
    void *p[5] = {0};
    for (int i = 0; i < 5; i++) p[i] = a.allocate(a.user, 100, 64);
    assert_true(p[0] && p[1] && !p[2] && p[3] && p[4]); /* the third alone */
    assert_true(f.calls == 5 && f.live == 4);
    for (int i = 0; i < 5; i++) a.release(a.user, p[i]); /* NULL counts for nothing */
    assert_true(f.live == 0);

    failing_allocator sticky = {.fail_at = 2, .sticky = true};
    const rill_allocator b = failing_allocator_make(&sticky);
    void *first = b.allocate(b.user, 1, 64);
    assert_non_null(first);
    for (int i = 0; i < 3; i++) assert_null(b.allocate(b.user, 1, 64));
    b.release(b.user, first);
    assert_true(sticky.live == 0);
}

static void context_without_memory(void **state)
{
    (void)state;
    failing_allocator f = {.fail_at = 1};
    rill_ctx_def def = rill_ctx_def_default();
    def.allocator = failing_allocator_make(&f);
    rill_ctx *ctx = NULL;
    assert_int_equal(rill_ctx_create(&def, &ctx), RILL_NO_MEMORY);
    assert_null(ctx);
    f.fail_at = 0;
    assert_int_equal(rill_ctx_create(&def, &ctx), RILL_OK);
    assert_true(ctx->def.threads >= 1);
    rill_ctx_destroy(ctx);
    assert_true(f.live == 0);
}

static void context_checks_its_definition(void **state)
{
    (void)state;
    rill_ctx *ctx = NULL;
    rill_ctx_def def = rill_ctx_def_default();
    assert_int_equal(rill_ctx_create(NULL, &ctx), RILL_USAGE);
    assert_int_equal(rill_ctx_create(&def, NULL), RILL_USAGE);
    def.threads = -1;
    assert_int_equal(rill_ctx_create(&def, &ctx), RILL_USAGE);
    def.threads = PARALLEL_MAX_THREADS + 1;
    assert_int_equal(rill_ctx_create(&def, &ctx), RILL_USAGE);
    def = rill_ctx_def_default();
    def.allocator.release = NULL;
    assert_int_equal(rill_ctx_create(&def, &ctx), RILL_USAGE);
    assert_null(ctx);
    rill_ctx_destroy(NULL);
    assert_string_equal(rill_ctx_message(NULL), "");
}

static void messages_are_kept_and_prefixed(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    assert_string_equal(rill_ctx_message(ctx), "");
    assert_int_equal(rill_fail(ctx, RILL_BAD_FILE, "%s is open", "rock.obj"), RILL_BAD_FILE);
    assert_int_equal(rill_fail_prefix(ctx, RILL_BAD_SCENE, "%s:%d: ", "stairs.json", 4), RILL_BAD_SCENE);
    assert_string_equal(rill_ctx_message(ctx), "stairs.json:4: rock.obj is open");

    char big[4000];
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = 0;
    (void)rill_fail(ctx, RILL_USAGE, "%s", big);
    (void)rill_fail_prefix(ctx, RILL_USAGE, "before: ");
    assert_int_equal(strlen(rill_ctx_message(ctx)), sizeof ctx->message - 1); /* cut, terminated */
    (void)rill_fail_prefix(ctx, RILL_USAGE, "%s", big);
    assert_int_equal(strlen(rill_ctx_message(ctx)), sizeof ctx->message - 1);

    assert_false(rill_cancelled(ctx));
    rill_ctx_cancel(ctx);
    assert_true(rill_cancelled(ctx));
    rill_ctx_destroy(ctx);
}

static void log_counter(void *user, rill_log_level level, const char *message)
{
    int *count = user;
    if (level == RILL_LOG_WARNING && strcmp(message, "n = 3") == 0) ++*count;
}

static void log_reaches_the_callback(void **state)
{
    (void)state;
    int count = 0;
    rill_ctx_def def = rill_ctx_def_default();
    def.log = log_counter;
    def.user = &count;
    rill_ctx *ctx = NULL;
    assert_int_equal(rill_ctx_create(&def, &ctx), RILL_OK);
    rill_log(ctx, RILL_LOG_WARNING, "n = %d", 3);
    assert_int_equal(count, 1);
    rill_ctx_destroy(ctx);
}

static void memory_limits(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    const uint64_t calls = f.calls;
    assert_null(mem_alloc(ctx, SIZE_MAX, 2)); /* the product overflows */
    assert_null(mem_alloc(ctx, SIZE_MAX / 2 + 2, 2));
    assert_null(mem_zero(ctx, SIZE_MAX, 8));
    assert_null(mem_alloc(ctx, PTRDIFF_MAX, 1));
    assert_true(f.calls == calls); /* refused before the allocator is asked */

    void *nothing = mem_alloc(ctx, 0, 8);
    assert_non_null(nothing);
    assert_true((uintptr_t)nothing % MEM_ALIGNMENT == 0);
    mem_free(ctx, nothing);
    mem_free(ctx, NULL);

    unsigned char *zero = mem_zero(ctx, 1000, 1);
    assert_non_null(zero);
    for (int i = 0; i < 1000; i++) assert_int_equal(zero[i], 0);
    mem_free(ctx, zero);

    char *copy = mem_text(ctx, "stairs");
    assert_string_equal(copy, "stairs");
    mem_free(ctx, copy);
    f.fail_at = f.calls + 1;
    assert_null(mem_text(ctx, "stairs"));
    assert_true(f.live == 1); /* the context */
    rill_ctx_destroy(ctx);
}

static void arrays_grow_and_survive_failure(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    uint32_t *array = NULL;
    size_t capacity = 0;
    for (uint32_t i = 0; i < 5000; i++) {
        assert_ok(ctx, mem_grow(ctx, &array, sizeof *array, &capacity, i + 1));
        assert_true(capacity > i);
        array[i] = i * 7;
    }
    for (uint32_t i = 0; i < 5000; i++) assert_int_equal(array[i], i * 7);
    assert_true(f.calls < 40); /* by half at a time, not one by one */

    uint32_t *const before = array;
    const size_t held = capacity;
    f.fail_at = f.calls + 1;
    assert_int_equal(mem_grow(ctx, &array, sizeof *array, &capacity, held + 1), RILL_NO_MEMORY);
    assert_ptr_equal(array, before);
    assert_true(capacity == held);
    assert_int_equal(mem_grow(ctx, &array, sizeof *array, &capacity, SIZE_MAX / 2), RILL_NO_MEMORY);
    assert_int_equal(mem_grow(ctx, &array, sizeof *array, &capacity, SIZE_MAX), RILL_NO_MEMORY);
    assert_ptr_equal(array, before);
    assert_int_equal(array[4999], 4999 * 7);
    assert_ok(ctx, mem_grow(ctx, &array, sizeof *array, &capacity, 10)); /* enough already */
    assert_ptr_equal(array, before);
    mem_free(ctx, array);
    assert_true(f.live == 1);
    rill_ctx_destroy(ctx);
}

/* --- arena --- */

/* Pieces of many sizes: aligned, apart, and still there when all are written. */
static void fill_round(rill_arena *arena)
{
    enum { PIECES = 200 };
    unsigned char *piece[PIECES];
    for (size_t i = 0; i < PIECES; i++) {
        const size_t bytes = i * i % 7919;
        piece[i] = arena_alloc(arena, bytes, 1);
        assert_non_null(piece[i]);
        assert_true((uintptr_t)piece[i] % MEM_ALIGNMENT == 0);
        memset(piece[i], (int)i, bytes);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t k = 0; k < i * i % 7919; k++) assert_int_equal(piece[i][k], (unsigned char)i);
}

static void arena_repeats_without_allocating(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    rill_arena arena;
    arena_init(&arena, ctx);
    fill_round(&arena);
    const uint64_t first = f.calls;
    assert_true(first > 2); /* the context and several blocks */
    arena_reset(&arena);
    assert_true(f.live == 2); /* the context and one block for all */
    const uint64_t calls = f.calls;
    for (int round = 0; round < 3; round++) {
        fill_round(&arena);
        arena_reset(&arena);
    }
    assert_true(f.calls == calls);
    /* what is given back can be had again, and a reset makes room for the most there was */
    unsigned char *kept = arena_alloc(&arena, 1000, 1);
    memset(kept, 7, 1000);
    for (int round = 0; round < 3; round++) {
        const arena_mark mark = arena_mark_of(&arena);
        fill_round(&arena);
        fill_round(&arena);
        arena_back(&arena, mark);
        assert_true(f.live == 2 && arena.used == mark.used);
    }
    for (int k = 0; k < 1000; k++) assert_int_equal(kept[k], 7);
    arena_reset(&arena);
    const uint64_t again = f.calls;
    fill_round(&arena);
    fill_round(&arena);
    arena_reset(&arena);
    assert_true(f.calls == again);
    arena_clear(&arena);
    arena_clear(&arena);
    assert_true(f.live == 1);
    fill_round(&arena); /* a cleared arena may be used again */
    arena_clear(&arena);
    assert_true(f.live == 1);
    rill_ctx_destroy(ctx);
}

static void arena_refuses_the_impossible(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    rill_arena arena;
    arena_init(&arena, ctx);
    const uint64_t calls = f.calls;
    assert_null(arena_alloc(&arena, SIZE_MAX, 1));
    assert_null(arena_alloc(&arena, SIZE_MAX, SIZE_MAX));
    assert_null(arena_alloc(&arena, PTRDIFF_MAX, 1));
    assert_true(f.calls == calls);
    double *p = NULL;
    assert_int_equal(ARENA_NEW(&arena, p, SIZE_MAX / 4), RILL_NO_MEMORY);
    assert_null(p);

    assert_ok(ctx, ARENA_NEW(&arena, p, 100));
    p[99] = 1;
    f.fail_at = f.calls + 1;
    f.sticky = true;
    assert_null(arena_alloc(&arena, 1 << 20, 1));
    assert_true(p[99] == 1);
    f.fail_at = 0;
    assert_non_null(arena_alloc(&arena, 1 << 20, 1));

    f.fail_at = f.calls + 1; /* reset cannot get its one block: no harm */
    arena_reset(&arena);
    assert_true(f.live == 1);
    f.fail_at = 0;
    fill_round(&arena);
    arena_clear(&arena);
    assert_true(f.live == 1);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_allocator_counts),        cmocka_unit_test(context_without_memory),
        cmocka_unit_test(context_checks_its_definition),   cmocka_unit_test(messages_are_kept_and_prefixed),
        cmocka_unit_test(log_reaches_the_callback),        cmocka_unit_test(memory_limits),
        cmocka_unit_test(arrays_grow_and_survive_failure), cmocka_unit_test(arena_repeats_without_allocating),
        cmocka_unit_test(arena_refuses_the_impossible),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
