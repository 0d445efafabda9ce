#include "fuzz.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 64 }; /* in front of each allocation, for its size; keeps the alignment */

static void *measured_allocate(void *user, size_t bytes, size_t alignment)
{
    measured_allocator *m = user;
    const size_t held = atomic_fetch_add(&m->held, bytes) + bytes;
    const rill_allocator plain = mem_default_allocator();
    char *p = m->limit && held > m->limit ? NULL : plain.allocate(plain.user, bytes + HEAD, alignment);
    if (!p) {
        atomic_fetch_sub(&m->held, bytes);
        return NULL;
    }
    size_t most = atomic_load(&m->most);
    while (held > most && !atomic_compare_exchange_weak(&m->most, &most, held)) {
    }
    memcpy(p, &bytes, sizeof bytes);
    return p + HEAD;
}

static void measured_release(void *user, void *memory)
{
    measured_allocator *m = user;
    if (!memory) return;
    char *p = (char *)memory - HEAD;
    size_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    atomic_fetch_sub(&m->held, bytes);
    const rill_allocator plain = mem_default_allocator();
    plain.release(plain.user, p);
}

rill_allocator measured_allocator_make(measured_allocator *m)
{
    return (rill_allocator){measured_allocate, measured_release, m};
}

rill_ctx *fuzz_ctx(measured_allocator *m)
{
    rill_ctx_def def = rill_ctx_def_default();
    def.threads = 1;
    def.allocator = measured_allocator_make(m);
    rill_ctx *ctx = NULL;
    fuzz_require(rill_ctx_create(&def, &ctx) == RILL_OK);
    return ctx;
}

void fuzz_require_that(bool holds, const char *condition, const char *file, int line)
{
    if (holds) return;
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}
