#include "bench/tally.h"

#include "base/memory.h"

#include <malloc.h>

static void *tally_allocate(void *user, size_t bytes, size_t alignment)
{
    bench_tally *t = user;
    void *p = t->plain.allocate(t->plain.user, bytes, alignment);
    if (!p) return NULL;
    const int64_t now =
        atomic_fetch_add(&t->now, (int64_t)malloc_usable_size(p)) + (int64_t)malloc_usable_size(p);
    int64_t most = atomic_load(&t->most);
    while (now > most && !atomic_compare_exchange_weak(&t->most, &most, now)) continue;
    return p;
}

static void tally_release(void *user, void *memory)
{
    bench_tally *t = user;
    if (memory) atomic_fetch_sub(&t->now, (int64_t)malloc_usable_size(memory));
    t->plain.release(t->plain.user, memory);
}

rill_status tally_ctx_create(rill_ctx *like, bench_tally *t, rill_ctx **out)
{
    t->plain = like->def.allocator;
    rill_ctx_def def = like->def;
    def.allocator = (rill_allocator){tally_allocate, tally_release, t};
    return rill_ctx_create(&def, out) == RILL_OK ? RILL_OK : mem_failed(like, 1, sizeof **out);
}
