#include "grid/pressure/multigrid.h"

/* Key of one end: colour, node, other end. */
static uint64_t end_key(const level *l, uint32_t node, uint32_t to)
{
    return (uint64_t)level_colour(l, node) << 63 | (uint64_t)node << 32 | to;
}

rill_status link_rows_build(rill_arena *memory, rill_arena *scratch, const level *l, const link *list,
                            size_t count, link_rows *out)
{
    link_rows k = {0};
    if (l->loose == 0 && count == 0) {
        *out = k;
        return RILL_OK;
    }
    const size_t length = (size_t)(l->tiles + 1) * l->cells + l->loose, ends = 2 * count + l->loose;
    uint64_t *key, *spare_key;
    uint32_t *from, *spare;
    TRY(ARENA_NEW(scratch, key, ends));
    TRY(ARENA_NEW(scratch, spare_key, ends));
    TRY(ARENA_NEW(scratch, from, ends));
    TRY(ARENA_NEW(scratch, spare, ends));
    /* Both ends of a link in the order of the list, so that both rows add up alike. A link of
     * a loose node to itself, UINT32_MAX in the list's place, gives it a row. */
    for (size_t i = 0; i < count; i++) {
        key[2 * i] = end_key(l, list[i].i, list[i].j);
        key[2 * i + 1] = end_key(l, list[i].j, list[i].i);
        from[2 * i] = from[2 * i + 1] = (uint32_t)i;
    }
    for (uint32_t i = 0; i < l->loose; i++) {
        key[2 * count + i] = end_key(l, loose_base(l) + i, loose_base(l) + i);
        from[2 * count + i] = NO_NODE;
    }
    TRY(sort_by_key(scratch->ctx, ends, 64, key, from, spare_key, spare));
    size_t rows = 0;
    for (size_t i = 0; i < ends; i++) rows += i == 0 || key[i] >> 32 != key[i - 1] >> 32;
    TRY(ARENA_NEW(memory, k.node, rows));
    TRY(ARENA_NEW(memory, k.begin, rows + 1));
    TRY(ARENA_NEW(memory, k.to, ends));
    TRY(ARENA_NEW(memory, k.a, ends));
    TRY(ARENA_NEW(memory, k.row_of, length));
    memset(k.row_of, 0xff, length * sizeof *k.row_of);
    uint32_t row = 0, n = 0;
    for (size_t i = 0; i < ends; i++) {
        const uint32_t node = (uint32_t)(key[i] >> 32) & 0x7fffffffu, to = (uint32_t)key[i];
        if (i == 0 || key[i] >> 32 != key[i - 1] >> 32) {
            k.node[row] = node;
            k.begin[row] = n;
            k.row_of[node] = row++;
            k.count[key[i] >> 63]++;
        }
        if (from[i] == NO_NODE) continue;
        if (n > k.begin[row - 1] && k.to[n - 1] == to)
            k.a[n - 1] += list[from[i]].a;
        else {
            k.to[n] = to;
            k.a[n++] = list[from[i]].a;
        }
    }
    k.begin[row] = n;
    *out = k;
    return RILL_OK;
}
