/* Blocks of a sparse grid by place: open addressing, and order by radix sort. */
#include "geom/search/block_map.h"

#include "base/parallel.h"

#include <string.h>

void block_map_clear(rill_ctx *ctx, block_map *map)
{
    mem_free(ctx, map->block);
    mem_free(ctx, map->table);
    *map = (block_map){0};
}

static size_t place_of(const block_map *map, int32_t x, int32_t y, int32_t z)
{
    uint64_t h = (uint64_t)(uint32_t)x * 0x9E3779B97F4A7C15u;
    h ^= (uint64_t)(uint32_t)y * 0xC2B2AE3D27D4EB4Fu;
    h ^= (uint64_t)(uint32_t)z * 0x165667B19E3779F9u;
    h ^= h >> 32;
    h *= 0xD6E8FEB86659FD93u;
    return (h >> 32) & (map->table_size - 1);
}

/* The entry that holds the block, or the free one where it would go. */
static size_t probe(const block_map *map, int32_t x, int32_t y, int32_t z)
{
    size_t at = place_of(map, x, y, z);
    for (;; at = (at + 1) & (map->table_size - 1)) {
        const uint32_t id = map->table[at];
        if (id == BLOCK_NONE) return at;
        const int32_t *b = map->block[id];
        if (b[0] == x && b[1] == y && b[2] == z) return at;
    }
}

static void fill_table(block_map *map)
{
    memset(map->table, 0xff, map->table_size * sizeof *map->table);
    for (size_t i = 0; i < map->count; i++)
        map->table[probe(map, map->block[i][0], map->block[i][1], map->block[i][2])] = (uint32_t)i;
}

rill_status block_map_reserve(rill_ctx *ctx, block_map *map, size_t count)
{
    if (count >= BLOCK_NONE)
        return rill_fail(ctx, RILL_NO_MEMORY, "a sparse grid of %zu blocks is more than 32-bit ids can name",
                         count);
    TRY(mem_grow(ctx, &map->block, sizeof *map->block, &map->capacity, count));
    size_t size = map->table_size ? map->table_size : 64;
    while (size < 2 * count) size *= 2;
    if (size == map->table_size) return RILL_OK;
    uint32_t *table;
    TRY(MEM_NEW(ctx, table, size));
    mem_free(ctx, map->table);
    map->table = table;
    map->table_size = size;
    fill_table(map);
    return RILL_OK;
}

rill_status block_map_add(rill_ctx *ctx, block_map *map, int32_t x, int32_t y, int32_t z)
{
    TRY(block_map_reserve(ctx, map, map->count + 1));
    const size_t at = probe(map, x, y, z);
    if (map->table[at] != BLOCK_NONE) return RILL_OK;
    map->block[map->count][0] = x;
    map->block[map->count][1] = y;
    map->block[map->count][2] = z;
    map->table[at] = (uint32_t)map->count++;
    return RILL_OK;
}

uint32_t block_map_find(const block_map *map, int32_t x, int32_t y, int32_t z)
{
    return map->table_size ? map->table[probe(map, x, y, z)] : BLOCK_NONE;
}

rill_status block_map_sort(rill_ctx *ctx, block_map *map)
{
    if (map->count < 2) return RILL_OK;
    uint32_t *order = NULL;
    int32_t(*sorted)[3] = NULL;
    rill_status st = MEM_NEW(ctx, order, map->count);
    if (!st) st = MEM_NEW(ctx, sorted, map->count);
    if (!st) st = blocks_sort(ctx, map->count, (const int32_t(*)[3])map->block, order);
    if (!st) {
        for (size_t i = 0; i < map->count; i++) memcpy(sorted[i], map->block[order[i]], sizeof sorted[i]);
        memcpy(map->block, sorted, map->count * sizeof *sorted);
        fill_table(map);
    }
    mem_free(ctx, order);
    mem_free(ctx, sorted);
    return st;
}

/* Sorting: the place relative to the lowest one, with as many bits per axis as there
 * are, so that a compact set takes few passes. Three axes of 32 bits do not fit a key:
 * then x goes first, on its own, and the stable sort by z and y keeps its order. */
typedef struct {
    const int32_t (*block)[3];
    const uint32_t *order;
    uint64_t *key;
    int32_t low[3];
    int shift[3]; /* negative: the axis takes no part */
} key_arg;

static void make_keys(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const key_arg *a = arg;
    for (size_t i = begin; i < end; i++) {
        uint64_t key = 0;
        for (int k = 0; k < 3; k++)
            if (a->shift[k] >= 0)
                key |= (uint64_t)((int64_t)a->block[a->order[i]][k] - a->low[k]) << a->shift[k];
        a->key[i] = key;
    }
}

static int bits_of(uint64_t n)
{
    return n ? 64 - __builtin_clzll(n) : 0;
}

rill_status blocks_sort(rill_ctx *ctx, size_t count, const int32_t (*block)[3], uint32_t *order)
{
    int32_t low[3] = {INT32_MAX, INT32_MAX, INT32_MAX}, high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
        for (int k = 0; k < 3; k++) {
            if (block[i][k] < low[k]) low[k] = block[i][k];
            if (block[i][k] > high[k]) high[k] = block[i][k];
        }
    }
    if (count < 2) return RILL_OK;
    int bits[3];
    for (int k = 0; k < 3; k++) bits[k] = bits_of((uint64_t)((int64_t)high[k] - low[k]));

    uint64_t *key = NULL, *spare_key = NULL;
    uint32_t *spare = NULL;
    rill_status st = MEM_NEW(ctx, key, count);
    if (!st) st = MEM_NEW(ctx, spare_key, count);
    if (!st) st = MEM_NEW(ctx, spare, count);
    const bool together = bits[0] + bits[1] + bits[2] <= 64;
    key_arg a = {block, order, key, {low[0], low[1], low[2]}, {0, -1, -1}};
    if (!st && !together) {
        parallel_for(ctx, count, 8192, make_keys, &a);
        st = sort_by_key(ctx, count, bits[0], key, order, spare_key, spare);
    }
    if (!st) {
        const int below = together ? bits[0] : 0;
        a.shift[0] = together ? 0 : -1;
        a.shift[1] = below;
        a.shift[2] = below + bits[1];
        /* an axis without extent has nothing to add, and its shift may be the word's width */
        for (int k = 0; k < 3; k++)
            if (bits[k] == 0) a.shift[k] = -1;
        parallel_for(ctx, count, 8192, make_keys, &a);
        st = sort_by_key(ctx, count, below + bits[1] + bits[2], key, order, spare_key, spare);
    }
    mem_free(ctx, key);
    mem_free(ctx, spare_key);
    mem_free(ctx, spare);
    return st;
}
