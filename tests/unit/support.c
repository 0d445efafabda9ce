#include "support.h"

#include "base/memory.h"

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
