/* Marching cubes on a sparse grid; see isosurface.h.
 *
 * An edge belongs to the block of its lower sample, a cell to the block of its lowest
 * corner. Per block, axis and layer one 64-bit word says which edges are crossed, and a
 * vertex's id is the block's first, plus the crossings in the words before, plus the
 * bits below its own: ids need no table, and neighbours read each other's words. */
#include "geom/iso/isosurface.h"

#include "base/parallel.h"
#include "geom/iso/cube_cases.h"

#include <string.h>

typedef struct {
    uint64_t cross[3][8];
    uint16_t rank[3][8]; /* crossings of the block before this word */
    uint32_t near[8];
    uint32_t vertices, triangles;
    uint32_t first_vertex, first_triangle;
} cell_block;

typedef struct {
    const level_grid *grid;
    level_signs signs;
    cube_cases cases;
    cell_block *block;
    trimesh mesh;
} mesher;

/* Signs of the block's samples and of the first beyond it: row[k][j], bit i, all to 8. */
static void read_rows(const mesher *m, const cell_block *b, uint16_t row[9][9])
{
    for (int k = 0; k <= 8; k++)
        for (int j = 0; j <= 8; j++) {
            const int at = (j >> 3) << 1 | (k >> 3) << 2, shift = 8 * (j & 7);
            const uint32_t id = b->near[at], beyond = b->near[at | 1];
            const uint64_t low = id == BLOCK_NONE ? 0 : m->signs.sign[id][k & 7] >> shift & 255;
            const uint64_t high = beyond == BLOCK_NONE ? 0 : m->signs.sign[beyond][k & 7] >> shift & 1;
            row[k][j] = (uint16_t)(low | high << 8);
        }
}

static bool one_sign(const mesher *m, const cell_block *b)
{
    uint64_t all = ~(uint64_t)0, any = 0;
    for (int d = 0; d < 8; d++) {
        if (b->near[d] == BLOCK_NONE) {
            all = 0;
            continue;
        }
        for (int k = 0; k < 8; k++) {
            all &= m->signs.sign[b->near[d]][k];
            any |= m->signs.sign[b->near[d]][k];
        }
    }
    return any == 0 || all == ~(uint64_t)0;
}

static void mark_crossings(cell_block *b, uint16_t row[9][9])
{
    uint32_t vertices = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 8; k++) {
            uint64_t word = 0;
            for (int j = 0; j < 8; j++) {
                const unsigned here = row[k][j];
                const unsigned there = axis == 0 ? here >> 1 : axis == 1 ? row[k][j + 1] : row[k + 1][j];
                word |= (uint64_t)((here ^ there) & 255) << 8 * j;
            }
            b->cross[axis][k] = word;
            b->rank[axis][k] = (uint16_t)vertices;
            vertices += (uint32_t)__builtin_popcountll(word);
        }
    b->vertices = vertices;
}

/* The four rows of signs about the cells at (j, k), and whether any of them is cut. */
typedef struct {
    unsigned r[4];
} cell_row;

static bool cut_row(uint16_t row[9][9], int j, int k, cell_row *out)
{
    *out = (cell_row){{row[k][j], row[k][j + 1], row[k + 1][j], row[k + 1][j + 1]}};
    const unsigned any = out->r[0] | out->r[1] | out->r[2] | out->r[3];
    return any && (out->r[0] & out->r[1] & out->r[2] & out->r[3]) != 0x1ff;
}

static unsigned case_at(const cell_row *c, int i)
{
    return (c->r[0] >> i & 3) | (c->r[1] >> i & 3) << 2 | (c->r[2] >> i & 3) << 4 | (c->r[3] >> i & 3) << 6;
}

static void count_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    mesher *m = arg;
    for (size_t id = begin; id < end; id++) {
        cell_block *b = &m->block[id];
        memset(b, 0, sizeof *b);
        level_near(&m->signs, (uint32_t)id, 8, b->near);
        if (one_sign(m, b)) continue;
        uint16_t row[9][9];
        read_rows(m, b, row);
        mark_crossings(b, row);
        cell_row c;
        for (int k = 0; k < 8; k++)
            for (int j = 0; j < 8; j++)
                if (cut_row(row, j, k, &c))
                    for (int i = 0; i < 8; i++) b->triangles += m->cases.count[case_at(&c, i)];
    }
}

static void write_vertices(mesher *m, size_t id)
{
    const level_grid *g = m->grid;
    const cell_block *b = &m->block[id];
    const int32_t *place = m->signs.map.block[id];
    rill_vec3 *out = m->mesh.position + b->first_vertex;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 8; k++)
            for (uint64_t word = b->cross[axis][k]; word; word &= word - 1) {
                const int bit = __builtin_ctzll(word);
                const int at[3] = {bit & 7, bit >> 3, k};
                int to[3] = {at[0], at[1], at[2]};
                to[axis]++;
                const bool crosses = to[axis] == LEVEL_BLOCK;
                if (crosses) to[axis] = 0;
                const float here = level_value(g, (uint32_t)id, bit + LEVEL_AREA * k);
                const float there = level_value(g, b->near[crosses ? 1 << axis : 0],
                                                to[0] + LEVEL_BLOCK * to[1] + LEVEL_AREA * to[2]);
                /* the sums in whole cells are exact, so neighbours agree on a sample's place */
                double x[3];
                for (int a = 0; a < 3; a++) x[a] = (double)LEVEL_BLOCK * place[a] + at[a];
                x[axis] += level_crossing(g, here, there);
                *out++ = v3_madd(g->origin, g->cell, v3(x[0], x[1], x[2]));
            }
}

static uint32_t vertex_on(const mesher *m, const cell_block *home, int edge, const int cell[3])
{
    const int i = cell[0] + (edge & 1), j = cell[1] + (edge >> 1 & 1), k = cell[2] + (edge >> 2 & 1);
    const int axis = edge >> 3;
    const cell_block *b = &m->block[home->near[i >> 3 | (j >> 3) << 1 | (k >> 3) << 2]];
    const uint64_t below = ((uint64_t)1 << (8 * (j & 7) + (i & 7))) - 1;
    return b->first_vertex + b->rank[axis][k & 7] +
           (uint32_t)__builtin_popcountll(b->cross[axis][k & 7] & below);
}

static void write_triangles(mesher *m, const cell_block *b)
{
    uint16_t row[9][9];
    read_rows(m, b, row);
    uint32_t(*out)[3] = m->mesh.triangle + b->first_triangle;
    cell_row c;
    for (int k = 0; k < 8; k++)
        for (int j = 0; j < 8; j++) {
            if (!cut_row(row, j, k, &c)) continue;
            for (int i = 0; i < 8; i++) {
                const unsigned pattern = case_at(&c, i);
                const int cell[3] = {i, j, k};
                for (int t = 0; t < m->cases.count[pattern]; t++, out++)
                    for (int v = 0; v < 3; v++)
                        (*out)[v] = vertex_on(m, b, m->cases.edge[pattern][t][v], cell);
            }
        }
}

static void write_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    mesher *m = arg;
    for (size_t id = begin; id < end; id++) {
        if (m->block[id].vertices) write_vertices(m, id);
        if (m->block[id].triangles) write_triangles(m, &m->block[id]);
    }
}

static rill_status number_blocks(rill_ctx *ctx, mesher *m, level_patches *patches)
{
    size_t vertices = 0, triangles = 0, count = 0;
    for (size_t id = 0; id < m->signs.map.count; id++) {
        cell_block *b = &m->block[id];
        b->first_vertex = (uint32_t)vertices;
        b->first_triangle = (uint32_t)triangles;
        vertices += b->vertices;
        triangles += b->triangles;
        count += b->vertices != 0;
        if (vertices >= UINT32_MAX || triangles >= UINT32_MAX)
            return rill_fail(ctx, RILL_NO_MEMORY,
                             "the surface has more triangles than 32-bit ids can name; use a larger cell");
    }
    TRY(MEM_NEW(ctx, patches->patch, count));
    for (size_t id = 0; id < m->signs.map.count; id++) {
        const cell_block *b = &m->block[id];
        const int32_t *place = m->signs.map.block[id];
        if (b->vertices)
            patches->patch[patches->count++] =
                (level_patch){{place[0], place[1], place[2]}, b->first_vertex, b->vertices, 0};
    }
    m->mesh.vertex_count = vertices;
    m->mesh.triangle_count = triangles;
    return RILL_OK;
}

rill_status isosurface_build(rill_ctx *ctx, const level_grid *grid, trimesh *out, level_patches *patches)
{
    mesher m = {.grid = grid};
    level_patches runs = {0};
    if (!cube_cases_build(&m.cases))
        return rill_fail(ctx, RILL_USAGE, "isosurface: a cell pattern has no triangulation");
    rill_status st = level_signs_build(ctx, grid, &m.signs);
    const size_t blocks = m.signs.map.count;
    if (!st) st = MEM_NEW(ctx, m.block, blocks);
    if (!st) parallel_for(ctx, blocks, 16, count_blocks, &m);
    if (!st) st = number_blocks(ctx, &m, &runs);
    if (!st) st = MEM_NEW(ctx, m.mesh.position, m.mesh.vertex_count);
    if (!st) st = MEM_NEW(ctx, m.mesh.triangle, m.mesh.triangle_count);
    if (!st) {
        parallel_for(ctx, blocks, 16, write_blocks, &m);
        *out = trimesh_take(&m.mesh);
        if (patches) {
            *patches = runs;
            runs.patch = NULL;
        }
    }
    trimesh_clear(ctx, &m.mesh);
    mem_free(ctx, runs.patch);
    mem_free(ctx, m.block);
    level_signs_clear(ctx, &m.signs);
    return st;
}
