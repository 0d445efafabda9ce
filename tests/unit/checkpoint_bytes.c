#include "checkpoint_bytes.h"

#include "base/hash.h"
#include "flow/save.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static const uint64_t block_bytes = 8 << 20;

static uint32_t u32_at(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static uint64_t u64_at(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static void put_u64(uint8_t *p, uint64_t v)
{
    memcpy(p, &v, sizeof v);
}

/* What a chunk says its data take; 0 when that makes no sense. */
static uint64_t chunk_bytes(const uint8_t *chunk)
{
    const uint32_t type = u32_at(chunk + CHUNK_TYPE);
    const uint64_t count = u64_at(chunk + CHUNK_COUNT);
    const size_t size = type < SAVE_TYPES ? save_type_size((save_type)type) : 0;
    return size && count < ((uint64_t)1 << 40) ? count * size : 0;
}

/* Follows the blocks of the chunk at `at`; *hash gets that of their contents where they
 * unpack. Returns where they end, or 0. */
static size_t follow_blocks(const uint8_t *data, size_t size, size_t at, uint64_t *hash)
{
    uint64_t left = chunk_bytes(data + at);
    at += CKPT_CHUNK;
    *hash = 0;
    while (left > 0) {
        const uint64_t bytes = left < block_bytes ? left : block_bytes;
        if (size - at < CKPT_BLOCK) return 0;
        const uint32_t claimed = u32_at(data + at), stored = u32_at(data + at + 4);
        at += CKPT_BLOCK;
        if (stored > size - at) return 0;
        if (claimed == stored && claimed == bytes) {
            *hash = hash_bytes(data + at, stored, *hash);
        } else {
            void *room = malloc(bytes);
            if (room && ZSTD_decompress(room, bytes, data + at, stored) == bytes)
                *hash = hash_bytes(room, bytes, *hash);
            free(room);
        }
        at += stored;
        left -= bytes;
    }
    return at;
}

size_t checkpoint_chunks(const uint8_t *data, size_t size, size_t *offset, size_t room)
{
    size_t at = CKPT_HEAD, n = 0;
    if (size < CKPT_HEAD) return 0;
    const uint32_t chunks = u32_at(data + HEAD_CHUNKS);
    for (; n < chunks && n + 1 < room && size - at >= CKPT_CHUNK; n++) {
        uint64_t hash;
        const size_t next = follow_blocks(data, size, at, &hash);
        offset[n] = at;
        if (!next) break;
        at = next;
    }
    offset[n] = at;
    return n;
}

/* The hash of the whole takes the pieces as they were written, each seeding the next. */
static uint64_t chain_chunk(const uint8_t *data, size_t begin, size_t end, uint64_t hash)
{
    hash = hash_bytes(data + begin, CKPT_CHUNK, hash);
    for (size_t at = begin + CKPT_CHUNK; at < end;) {
        const uint32_t stored = u32_at(data + at + 4);
        hash = hash_bytes(data + at, CKPT_BLOCK, hash);
        hash = hash_bytes(data + at + CKPT_BLOCK, stored, hash);
        at += CKPT_BLOCK + stored;
    }
    return hash;
}

void checkpoint_repair(uint8_t *data, size_t size)
{
    if (size < CKPT_HEAD) return;
    put_u64(data + HEAD_HASH, hash_bytes(data, HEAD_HASH, 0));
    uint64_t hash = hash_bytes(data, CKPT_HEAD, 0);
    size_t at = CKPT_HEAD;
    const uint32_t chunks = u32_at(data + HEAD_CHUNKS);
    for (uint32_t k = 0; k < chunks && size - at >= CKPT_CHUNK; k++) {
        uint64_t contents;
        const size_t next = follow_blocks(data, size, at, &contents);
        put_u64(data + at + CHUNK_DATA_HASH, contents);
        put_u64(data + at + CHUNK_HASH, hash_bytes(data + at, CHUNK_HASH, 0));
        if (!next) return;
        hash = chain_chunk(data, at, next, hash);
        at = next;
    }
    if (size - at < CKPT_END) return;
    put_u64(data + at + 8, size);
    put_u64(data + at + 16, hash);
}
