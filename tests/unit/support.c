#include "support.h"

#include "base/memory.h"

#include <stdlib.h>

static void *failing_allocate(void *user, size_t bytes, size_t alignment)
{
    failing_allocator *f = user;
    const uint64_t call = atomic_fetch_add(&f->calls, 1) + 1;
    if (f->fail_at && (call == f->fail_at || (f->sticky && call > f->fail_at))) return NULL;
    const rill_allocator plain = mem_default_allocator();
    void *p = plain.allocate(plain.user, bytes, alignment);
    if (p) atomic_fetch_add(&f->live, 1);
    return p;
}

static void failing_release(void *user, void *memory)
{
    failing_allocator *f = user;
    const rill_allocator plain = mem_default_allocator();
    if (memory) atomic_fetch_sub(&f->live, 1);
    plain.release(plain.user, memory);
}

rill_allocator failing_allocator_make(failing_allocator *f)
{
    return (rill_allocator){failing_allocate, failing_release, f};
}

int unless_sanitized(int full, int less)
{
#ifdef RILL_SANITIZED
    (void)full;
    return less;
#else
    (void)less;
    return full;
#endif
}

uint32_t test_stride(uint32_t usual)
{
    const char *asked = getenv("RILL_STRIDE");
    const long stride = asked ? strtol(asked, NULL, 10) : 0;
    return stride > 0 && stride < 1000000 ? (uint32_t)stride : usual;
}

rill_ctx *test_ctx(int threads)
{
    rill_ctx_def def = rill_ctx_def_default();
    def.threads = threads;
    rill_ctx *ctx = NULL;
    assert_int_equal(rill_ctx_create(&def, &ctx), RILL_OK);
    return ctx;
}

rill_ctx *test_ctx_failing(int threads, failing_allocator *f)
{
    rill_ctx_def def = rill_ctx_def_default();
    def.threads = threads;
    def.allocator = failing_allocator_make(f);
    rill_ctx *ctx = NULL;
    assert_int_equal(rill_ctx_create(&def, &ctx), RILL_OK);
    return ctx;
}

uint64_t every_allocation_fails(int threads, rill_status (*work)(rill_ctx *ctx, void *user), void *user)
{
    for (uint64_t n = 1;; n++) {
        failing_allocator f = {0};
        rill_ctx *ctx = test_ctx_failing(threads, &f);
        const uint64_t before = f.live;
        f.fail_at = f.calls + n;
        f.sticky = true; /* an arena asks again for less */
        const rill_status st = work(ctx, user);
        const bool reached = f.calls >= f.fail_at;
        assert_int_equal(f.live, before);
        rill_ctx_destroy(ctx);
        assert_int_equal(f.live, 0);
        assert_int_equal(st, reached ? RILL_NO_MEMORY : RILL_OK);
        if (!reached) return n - 1;
    }
}
