#include "base/arena.h"

struct arena_block {
    arena_block *next;
    size_t capacity; /* bytes after the header */
    size_t used;
};

enum { HEADER = MEM_ALIGNMENT, SMALLEST = 1 << 16 };

static size_t padded(size_t bytes)
{
    return (bytes + MEM_ALIGNMENT - 1) & ~(size_t)(MEM_ALIGNMENT - 1);
}

static arena_block *block_create(rill_ctx *ctx, size_t capacity)
{
    arena_block *b = mem_alloc(ctx, capacity + HEADER, 1);
    if (b) *b = (arena_block){NULL, capacity, 0};
    return b;
}

void arena_init(rill_arena *arena, rill_ctx *ctx)
{
    *arena = (rill_arena){.ctx = ctx};
}

static void free_blocks(rill_arena *arena)
{
    while (arena->block) {
        arena_block *next = arena->block->next;
        mem_free(arena->ctx, arena->block);
        arena->block = next;
    }
}

void arena_clear(rill_arena *arena)
{
    free_blocks(arena);
    arena->used = arena->most = 0;
}

arena_mark arena_mark_of(const rill_arena *arena)
{
    return (arena_mark){arena->block, arena->block ? arena->block->used : 0, arena->used};
}

void arena_back(rill_arena *arena, arena_mark to)
{
    if (arena->used > arena->most) arena->most = arena->used;
    while (arena->block != to.block) {
        arena_block *next = arena->block->next;
        mem_free(arena->ctx, arena->block);
        arena->block = next;
    }
    if (arena->block) arena->block->used = to.block_used;
    arena->used = to.used;
}

void arena_reset(rill_arena *arena)
{
    const size_t used = arena->used > arena->most ? arena->used : arena->most;
    arena->used = arena->most = 0;
    if (!arena->block) return;
    if (!arena->block->next && used <= arena->block->capacity) {
        arena->block->used = 0;
        return;
    }
    /* Several blocks, or one left of several: one block of their total size, with a reserve, serves the
     * next round. Unused address space costs nothing, and without a reserve a use that grows slowly would
     * reallocate the block every time. A failure here is not reported: the next allocation fails with a
     * message. */
    free_blocks(arena);
    arena->block = block_create(arena->ctx, used + used / 8);
}

void *arena_alloc(rill_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX / 4) return NULL;
    bytes = padded(bytes ? bytes : 1);
    if (!arena->block || arena->block->capacity - arena->block->used < bytes) {
        size_t capacity = arena->used / 8; /* a reset joins all blocks: growth need not be fast */
        if (capacity < SMALLEST) capacity = SMALLEST;
        if (capacity < bytes) capacity = bytes;
        arena_block *b = block_create(arena->ctx, capacity);
        if (!b && capacity > bytes) b = block_create(arena->ctx, bytes);
        if (!b) return NULL;
        b->next = arena->block;
        arena->block = b;
    }
    char *p = (char *)arena->block + HEADER + arena->block->used;
    arena->block->used += bytes;
    arena->used += bytes;
    return p;
}
