#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Blocks of at least this size ask for large pages: loops over arrays of many megabytes
 * otherwise spend a tenth of their time in page look-ups. */
enum { LARGE = 4 << 20 };

/* A hint: without large pages the memory works as well, only slower. */
static void wish_large_pages(void *memory, size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), skip = -(size_t)memory & (page - 1);
    (void)madvise((char *)memory + skip, (bytes - skip) & ~(page - 1), MADV_HUGEPAGE);
}

static void *default_allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    void *p = NULL;
    if (posix_memalign(&p, alignment, bytes ? bytes : 1) != 0) return NULL;
    if (bytes >= LARGE) wish_large_pages(p, bytes);
    return p;
}

static void default_release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

rill_allocator mem_default_allocator(void)
{
    return (rill_allocator){default_allocate, default_release, NULL};
}

void *mem_alloc(rill_ctx *ctx, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX / 2) return NULL;
    return ctx->def.allocator.allocate(ctx->def.allocator.user, bytes ? bytes : 1, MEM_ALIGNMENT);
}

void *mem_zero(rill_ctx *ctx, size_t count, size_t size)
{
    void *p = mem_alloc(ctx, count, size);
    if (p) memset(p, 0, count * size);
    return p;
}

void mem_free(rill_ctx *ctx, void *memory)
{
    if (memory) ctx->def.allocator.release(ctx->def.allocator.user, memory);
}

rill_status mem_failed(rill_ctx *ctx, size_t count, size_t size)
{
    return rill_fail(ctx, RILL_NO_MEMORY, "out of memory: no room for %zu elements of %zu bytes", count,
                     size);
}

rill_status mem_grow(rill_ctx *ctx, void *array, size_t size, size_t *capacity, size_t need)
{
    if (need <= *capacity) return RILL_OK;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < need) wanted = need;
    void *fresh = mem_alloc(ctx, wanted, size);
    if (!fresh) return mem_failed(ctx, wanted, size);

    void *old; /* through memcpy: the caller's pointer may be of any object type */
    memcpy(&old, array, sizeof old);
    if (old && *capacity) memcpy(fresh, old, *capacity * size);
    mem_free(ctx, old);
    memcpy(array, &fresh, sizeof fresh);
    *capacity = wanted;
    return RILL_OK;
}

char *mem_text(rill_ctx *ctx, const char *text)
{
    const size_t n = strlen(text) + 1;
    char *copy = mem_alloc(ctx, n, 1);
    if (copy) memcpy(copy, text, n);
    return copy;
}
