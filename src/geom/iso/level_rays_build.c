/* The bricks rays walk through: samples of a block and its upper neighbours side by side. */
#include "geom/iso/level_rays.h"

#include "base/parallel.h"

#include <string.h>

enum { SIDE = LEVEL_BRICK_SIDE };

void level_rays_clear(rill_ctx *ctx, level_rays *r)
{
    block_map_clear(ctx, &r->map);
    mem_free(ctx, r->slot);
    mem_free(ctx, r->brick);
    *r = (level_rays){0};
}

typedef struct {
    const level_grid *grid;
    const level_signs *signs;
    level_rays *rays;
} build_arg;

/* The nine samples a side of a block's cells; of a planar field the layer twice. */
static void fill_corners(const build_arg *a, uint32_t id, level_brick *out)
{
    const level_grid *g = a->grid;
    uint32_t near[8];
    level_near(a->signs, id, g->layers, near);
    const int layers = g->layers > 1 ? SIDE : 2;
    for (int k = 0; k < layers; k++)
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++) {
                const int deep = g->layers > 1 ? k : 0;
                const uint32_t block = near[(i >> 3) + 2 * (j >> 3) + 4 * (deep >> 3)];
                out->corner[(k * SIDE + j) * SIDE + i] =
                    level_value(g, block, (i & 7) + 8 * (j & 7) + LEVEL_AREA * (deep & 7));
            }
}

/* Which cells have corners on both sides; whether any has. */
static bool find_mixed(const level_grid *g, level_brick *b)
{
    bool any = false;
    memset(b->mixed, 0, sizeof b->mixed);
    for (int k = 0; k < g->layers; k++)
        for (int j = 0; j < LEVEL_BLOCK; j++)
            for (int i = 0; i < LEVEL_BLOCK; i++) {
                const float *c = &b->corner[(k * SIDE + j) * SIDE + i];
                int inside = 0;
                for (int n = 0; n < 8; n++)
                    inside += c[(n & 1) + SIDE * (n >> 1 & 1) + SIDE * SIDE * (n >> 2)] >= g->level;
                if (inside == 0 || inside == 8) continue;
                b->mixed[k] |= (uint64_t)1 << (8 * j + i);
                any = true;
            }
    return any;
}

static void find_bricks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const build_arg *a = arg;
    for (size_t i = begin; i < end; i++) {
        level_brick b;
        fill_corners(a, (uint32_t)i, &b);
        a->rays->slot[i] = find_mixed(a->grid, &b)         ? 0
                           : b.corner[0] >= a->grid->level ? LEVEL_INSIDE
                                                           : LEVEL_OUTSIDE;
    }
}

static void fill_bricks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const build_arg *a = arg;
    for (size_t i = begin; i < end; i++) {
        const uint32_t slot = a->rays->slot[i];
        if (slot == LEVEL_INSIDE || slot == LEVEL_OUTSIDE) continue;
        fill_corners(a, (uint32_t)i, &a->rays->brick[slot]);
        find_mixed(a->grid, &a->rays->brick[slot]);
    }
}

rill_status level_rays_build(rill_ctx *ctx, const level_grid *grid, double thickness, level_rays *out)
{
    level_signs signs = {0};
    level_rays r = {.grid = grid, .thickness = grid->layers == 1 ? thickness / grid->cell : 0};
    build_arg a = {grid, &signs, &r};
    rill_status st = level_signs_build(ctx, grid, &signs);
    if (!st) st = MEM_NEW(ctx, r.slot, signs.map.count);
    if (!st) {
        uint32_t bricks = 0;
        parallel_for(ctx, signs.map.count, 32, find_bricks, &a);
        for (size_t i = 0; i < signs.map.count; i++)
            if (r.slot[i] == 0) r.slot[i] = bricks++;
        st = MEM_NEW(ctx, r.brick, bricks);
    }
    if (!st) {
        parallel_for(ctx, signs.map.count, 32, fill_bricks, &a);
        for (int axis = 0; axis < 3; axis++) r.low[axis] = INFINITY, r.high[axis] = -INFINITY;
        for (size_t i = 0; i < signs.map.count; i++)
            for (int axis = 0; axis < 3; axis++) {
                const double corner = (double)LEVEL_BLOCK * signs.map.block[i][axis];
                r.low[axis] = fmin(r.low[axis], corner);
                r.high[axis] = fmax(r.high[axis], corner + LEVEL_BLOCK);
            }
        r.map = signs.map;
        signs.map = (block_map){0};
        *out = r;
    } else {
        level_rays_clear(ctx, &r);
    }
    level_signs_clear(ctx, &signs);
    return st;
}
