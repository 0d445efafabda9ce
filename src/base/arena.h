/* Scratch memory that is given back all at once.
 *
 * Allocation moves a cursor; arena_reset forgets everything and keeps one block as
 * large as all that was used, so that a step that repeats allocates nothing. Aligned
 * to MEM_ALIGNMENT. Not for use by several threads at once. */
#pragma once

#include "base/memory.h"

typedef struct arena_block arena_block;

typedef struct rill_arena {
    rill_ctx *ctx;
    arena_block *block; /* newest first */
    size_t used;        /* bytes in use since the last reset, with padding */
    size_t most;        /* largest value of `used` since the last reset */
} rill_arena;

void arena_init(rill_arena *arena, rill_ctx *ctx);
void arena_clear(rill_arena *arena); /* frees all */
void arena_reset(rill_arena *arena); /* forgets all */
/* Frees everything allocated since the mark; a mark does not outlive a reset. */
typedef struct arena_mark {
    arena_block *block;
    size_t block_used, used;
} arena_mark;
arena_mark arena_mark_of(const rill_arena *arena);
void arena_back(rill_arena *arena, arena_mark to);
void *arena_alloc(rill_arena *arena, size_t count, size_t size); /* uninitialised; NULL on failure */

#define ARENA_NEW(arena, p, n) \
    (((p) = arena_alloc((arena), (n), sizeof *(p))) ? RILL_OK : mem_failed((arena)->ctx, (n), sizeof *(p)))
