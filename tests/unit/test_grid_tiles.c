/* The tiles of the grid method: bands, links, and copies with a halo against look-ups. */
#include "support.h"

#include "grid/tiles.h"

static const grid_core cores[] = {
    {.tile = {0, 0, 0}, .lo = {2, 2, 2}, .hi = {5, 5, 5}},
    {.tile = {-3, 1, 2}, .lo = {0, 0, 0}, .hi = {7, 7, 7}},
};

static void band_reaches_what_it_must(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        grid_tiles t;
        grid_tiles_init(&t, dimensions, 0.1, v3(0, 0, 0));
        assert_ok(ctx, grid_tiles_build(ctx, &t, cores, 1, 2));
        assert_int_equal(t.count, 1);
        assert_ok(ctx, grid_tiles_build(ctx, &t, cores, 1, 3));
        assert_int_equal(t.count, dimensions == 2 ? 9 : 27);
        const grid_core corner = {.tile = {0, 0, 0}, .lo = {0, 3, 3}, .hi = {1, 4, 4}};
        assert_ok(ctx, grid_tiles_build(ctx, &t, &corner, 1, 3));
        assert_int_equal(t.count, 2);
        assert_ok(ctx, grid_tiles_build(ctx, &t, cores, 0, 3));
        assert_int_equal(t.count, 0);
        grid_tiles_clear(ctx, &t);
    }
    rill_ctx_destroy(ctx);
}

/* Every cell of a block is the field there, every id in order, every link mutual. */
static void blocks_match_look_ups(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        grid_tiles t;
        grid_tiles_init(&t, dimensions, 0.1, v3(0, 0, 0));
        grid_core flat[2] = {cores[0], cores[1]};
        if (dimensions == 2) flat[1].tile[2] = 0;
        assert_ok(ctx, grid_tiles_build(ctx, &t, flat, 2, 8));
        for (uint32_t i = 0; i + 1 < t.count; i++) {
            const int32_t *a = t.map.block[i], *b = t.map.block[i + 1];
            assert_true(a[2] < b[2] || (a[2] == b[2] && (a[1] < b[1] || (a[1] == b[1] && a[0] < b[0]))));
        }
        for (uint32_t i = 0; i < t.count; i++)
            for (int d = 0; d < GRID_NEAR; d++)
                if (t.near[i][d] != GRID_NONE) assert_int_equal(t.near[t.near[i][d]][26 - d], i);
        float *field = mem_alloc(ctx, grid_cell_count(&t), sizeof *field);
        uint8_t *bytes = mem_alloc(ctx, grid_cell_count(&t), 1);
        float block[24 * 24 * 24];
        uint8_t small[24 * 24 * 24];
        assert_true(field && bytes);
        for (size_t i = 0; i < grid_cell_count(&t); i++) field[i] = (float)i, bytes[i] = (uint8_t)(i * 7);
        static const int halos[] = {0, 1, 3, 8};
        for (int q = 0; q < 4; q++)
            for (uint32_t i = 0; i < t.count; i++) {
                const int halo = halos[q], deep = t.layers == 1 ? 0 : halo;
                grid_block_load(&t, i, field, halo, -5, block);
                grid_block_load_u8(&t, i, bytes, halo, 3, small);
                int at = 0;
                for (int z = -deep; z < t.layers + deep; z++)
                    for (int y = -halo; y < 8 + halo; y++)
                        for (int x = -halo; x < 8 + halo; x++, at++) {
                            const size_t c = grid_cell_near(&t, i, x, y, z);
                            assert_true(block[at] == (c == SIZE_MAX ? -5 : field[c]));
                            assert_true(small[at] == (c == SIZE_MAX ? 3 : bytes[c]));
                            if (x == 0 && y == 0 && z == 0) assert_int_equal(at, grid_block_first(&t, halo));
                        }
                assert_int_equal(at, grid_block_size(&t, halo));
            }
        mem_free(ctx, field);
        mem_free(ctx, bytes);
        grid_tiles_clear(ctx, &t);
    }
    rill_ctx_destroy(ctx);
}

static void failed_allocations(void **state)
{
    (void)state;
    for (uint64_t n = 1;; n++) {
        failing_allocator f = {0};
        rill_ctx *ctx = test_ctx_failing(1, &f);
        const uint64_t before = f.live;
        f.fail_at = f.calls + n;
        grid_tiles t;
        grid_tiles_init(&t, 3, 0.1, v3(0, 0, 0));
        const rill_status st = grid_tiles_build(ctx, &t, cores, 2, 8);
        assert_true(st == RILL_OK || (st == RILL_NO_MEMORY && t.count == 0));
        grid_tiles_clear(ctx, &t);
        assert_true(f.live == before);
        rill_ctx_destroy(ctx);
        if (st == RILL_OK) break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(band_reaches_what_it_must),
        cmocka_unit_test(blocks_match_look_ups),
        cmocka_unit_test(failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
