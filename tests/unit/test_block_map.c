/* Blocks by place, and their order, with places at the ends of the range. */
#include "support.h"

#include "base/random.h"
#include "geom/search/block_map.h"

enum { COUNT = 5000 };

static void random_places(int32_t (*block)[3], uint32_t kind)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        const random4 r = random_at(kind, i, 0, 0);
        for (int k = 0; k < 3; k++)
            block[i][k] = kind == 0   ? (int32_t)(r.v[k] % 20) - 10
                          : kind == 1 ? (int32_t)r.v[k]
                                      : (r.v[k] & 1 ? INT32_MAX - 3 : INT32_MIN + 3);
    }
}

static int compare(const int32_t *a, const int32_t *b)
{
    for (int k = 2; k >= 0; k--)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}

static void sorts_in_order(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    static int32_t block[COUNT][3];
    static uint32_t order[COUNT];
    for (uint32_t kind = 0; kind < 3; kind++) {
        random_places(block, kind);
        assert_ok(ctx, blocks_sort(ctx, COUNT, (const int32_t(*)[3])block, order));
        static uint8_t seen[COUNT];
        for (int i = 0; i < COUNT; i++) seen[i] = 0;
        for (int i = 0; i < COUNT; i++) {
            assert_false(seen[order[i]]++);
            if (i == 0) continue;
            const int c = compare(block[order[i - 1]], block[order[i]]);
            assert_true(c < 0 || (c == 0 && order[i - 1] < order[i]));
        }
    }
    rill_ctx_destroy(ctx);
}

static void finds_what_was_added(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    static int32_t block[COUNT][3];
    for (uint32_t kind = 0; kind < 3; kind++) {
        block_map map = {0};
        random_places(block, kind);
        assert_int_equal(block_map_find(&map, 0, 0, 0), BLOCK_NONE);
        for (int i = 0; i < COUNT; i++)
            assert_ok(ctx, block_map_add(ctx, &map, block[i][0], block[i][1], block[i][2]));
        assert_ok(ctx, block_map_sort(ctx, &map));
        assert_true(map.count <= COUNT);
        for (size_t i = 0; i < map.count; i++) {
            const int32_t *b = map.block[i];
            assert_int_equal(block_map_find(&map, b[0], b[1], b[2]), i);
            if (i > 0) assert_true(compare(map.block[i - 1], b) < 0);
        }
        for (int i = 0; i < COUNT; i++)
            assert_true(block_map_find(&map, block[i][0], block[i][1], block[i][2]) < map.count);
        assert_int_equal(block_map_find(&map, 12, 0, 0), BLOCK_NONE);
        block_map_clear(ctx, &map);
    }
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sorts_in_order),
                                       cmocka_unit_test(finds_what_was_added)};
    return cmocka_run_group_tests_name("block_map", tests, NULL, NULL);
}
