/* The inside of a planar level set, extruded into a closed mesh: marching squares.
 *
 * In each cell the inside is cut out as polygons, counter-clockwise seen from above;
 * where two opposite corners are inside they are cut off separately. Each polygon is
 * there twice, as the upper and (turned) as the lower cap, and each side of it that
 * runs through the cell, from a crossing to the next, carries a piece of wall. Cells
 * meet along their sides only, where a cap has no diagonal: closed and manifold by
 * construction. Vertices are numbered as in isosurface.c, in pairs. */
#include "base/parallel.h"
#include "geom/iso/isosurface.h"

#include <string.h>

enum { KIND_SAMPLE, KIND_ACROSS, KIND_UP, KINDS }; /* a sample; a crossing along x; along y */

typedef struct {
    uint64_t there[KINDS];
    uint16_t rank[KINDS]; /* pairs of the block before this kind */
    uint32_t near[8];
    uint32_t pairs, triangles;
    uint32_t first_vertex, first_triangle;
} flat_block;

typedef struct {
    const level_grid *grid;
    double half; /* of the thickness */
    level_signs signs;
    flat_block *block;
    trimesh mesh;
} extruder;

/* A corner of a polygon: a sample or a crossing, by kind and lower sample in the cell. */
typedef struct {
    uint8_t kind, at;
} outline_point;

typedef struct {
    outline_point point[2][6];
    int length[2], count;
} outline;

static outline_point crossing(int a, int b)
{
    return (outline_point){(uint8_t)((a ^ b) == 1 ? KIND_ACROSS : KIND_UP), (uint8_t)(a & b)};
}

/* The polygons of a cell; bit c of the pattern: corner (c & 1, c >> 1) is inside. */
static outline outline_of(unsigned pattern)
{
    static const int ring[4] = {0, 1, 3, 2};
    outline o = {0};
    const bool apart = pattern == 6 || pattern == 9;
    for (int k = 0; k < 4; k++) {
        const int here = ring[k], next = ring[(k + 1) & 3], last = ring[(k + 3) & 3];
        const bool inside = pattern >> here & 1, next_inside = pattern >> next & 1;
        const int p = o.count; /* the polygon being made */
        if (apart) {
            if (!inside) continue;
            o.point[p][0] = (outline_point){KIND_SAMPLE, (uint8_t)here};
            o.point[p][1] = crossing(here, next);
            o.point[p][2] = crossing(last, here);
            o.length[p] = 3;
            o.count++;
        } else {
            if (inside) o.point[p][o.length[p]++] = (outline_point){KIND_SAMPLE, (uint8_t)here};
            if (inside != next_inside) o.point[p][o.length[p]++] = crossing(here, next);
        }
    }
    if (!apart) o.count = o.length[0] > 0;
    return o;
}

/* Whether the side of polygon p from point k on runs through the cell. */
static bool is_contour(const outline *o, int p, int k)
{
    const int next = (k + 1) % o->length[p];
    return o->point[p][k].kind != KIND_SAMPLE && o->point[p][next].kind != KIND_SAMPLE;
}

static void read_rows(const extruder *e, const flat_block *b, uint16_t row[9])
{
    for (int j = 0; j <= 8; j++) {
        const uint32_t id = b->near[(j >> 3) << 1], beyond = b->near[(j >> 3) << 1 | 1];
        const int shift = 8 * (j & 7);
        const uint64_t low = id == BLOCK_NONE ? 0 : e->signs.sign[id][0] >> shift & 255;
        const uint64_t high = beyond == BLOCK_NONE ? 0 : e->signs.sign[beyond][0] >> shift & 1;
        row[j] = (uint16_t)(low | high << 8);
    }
}

static unsigned pattern_at(const uint16_t row[9], int i, int j)
{
    return (row[j] >> i & 3u) | (row[j + 1] >> i & 3u) << 2;
}

static void count_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    extruder *e = arg;
    for (size_t id = begin; id < end; id++) {
        flat_block *b = &e->block[id];
        memset(b, 0, sizeof *b);
        level_near(&e->signs, (uint32_t)id, 1, b->near);
        uint16_t row[9];
        read_rows(e, b, row);
        for (int j = 0; j < 8; j++) {
            b->there[KIND_SAMPLE] |= (uint64_t)(row[j] & 255) << 8 * j;
            b->there[KIND_ACROSS] |= (uint64_t)((row[j] ^ row[j] >> 1) & 255) << 8 * j;
            b->there[KIND_UP] |= (uint64_t)((row[j] ^ row[j + 1]) & 255) << 8 * j;
            for (int i = 0; i < 8; i++) {
                const outline o = outline_of(pattern_at(row, i, j));
                for (int p = 0; p < o.count; p++) {
                    b->triangles += 2 * (uint32_t)(o.length[p] - 2);
                    for (int k = 0; k < o.length[p]; k++) b->triangles += is_contour(&o, p, k) ? 2 : 0;
                }
            }
        }
        for (int kind = 0; kind < KINDS; kind++) {
            b->rank[kind] = (uint16_t)b->pairs;
            b->pairs += (uint32_t)__builtin_popcountll(b->there[kind]);
        }
    }
}

static void write_vertices(extruder *e, size_t id)
{
    const level_grid *g = e->grid;
    const flat_block *b = &e->block[id];
    const int32_t *place = e->signs.map.block[id];
    rill_vec3 *out = e->mesh.position + b->first_vertex;
    for (int kind = 0; kind < KINDS; kind++)
        for (uint64_t word = b->there[kind]; word; word &= word - 1) {
            const int bit = __builtin_ctzll(word), i = bit & 7, j = bit >> 3;
            double x = (double)LEVEL_BLOCK * place[0] + i, y = (double)LEVEL_BLOCK * place[1] + j;
            const float here = level_value(g, (uint32_t)id, bit);
            if (kind == KIND_ACROSS)
                x += level_crossing(g, here, level_value(g, b->near[i == 7], (i + 1) % 8 + 8 * j));
            if (kind == KIND_UP)
                y += level_crossing(g, here, level_value(g, b->near[j == 7 ? 2 : 0], i + (j + 1) % 8 * 8));
            for (int end = -1; end <= 1; end += 2)
                *out++ =
                    v3(g->origin.x + g->cell * x, g->origin.y + g->cell * y, g->origin.z + end * e->half);
        }
}

/* The lower vertex of the pair; the upper is the next. */
static uint32_t pair_of(const extruder *e, const flat_block *home, outline_point p, int i, int j)
{
    i += p.at & 1;
    j += p.at >> 1;
    const flat_block *b = &e->block[home->near[i >> 3 | (j >> 3) << 1]];
    const uint64_t below = ((uint64_t)1 << (8 * (j & 7) + (i & 7))) - 1;
    const uint32_t rank = b->rank[p.kind] + (uint32_t)__builtin_popcountll(b->there[p.kind] & below);
    return b->first_vertex + 2 * rank;
}

static uint32_t (*add_triangle(uint32_t (*out)[3], uint32_t a, uint32_t b, uint32_t c))[3]
{
    (*out)[0] = a;
    (*out)[1] = b;
    (*out)[2] = c;
    return out + 1;
}

static void write_triangles(extruder *e, const flat_block *b)
{
    uint16_t row[9];
    read_rows(e, b, row);
    uint32_t(*out)[3] = e->mesh.triangle + b->first_triangle;
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 8; i++) {
            const outline o = outline_of(pattern_at(row, i, j));
            for (int p = 0; p < o.count; p++) {
                uint32_t v[6];
                for (int k = 0; k < o.length[p]; k++) v[k] = pair_of(e, b, o.point[p][k], i, j);
                for (int k = 2; k < o.length[p]; k++) {
                    out = add_triangle(out, v[0] + 1, v[k - 1] + 1, v[k] + 1);
                    out = add_triangle(out, v[0], v[k], v[k - 1]);
                }
                for (int k = 0; k < o.length[p]; k++) {
                    if (!is_contour(&o, p, k)) continue;
                    const uint32_t from = v[k], to = v[(k + 1) % o.length[p]];
                    out = add_triangle(out, to + 1, from + 1, from);
                    out = add_triangle(out, to + 1, from, to);
                }
            }
        }
}

static void write_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    extruder *e = arg;
    for (size_t id = begin; id < end; id++) {
        if (e->block[id].pairs) write_vertices(e, id);
        if (e->block[id].triangles) write_triangles(e, &e->block[id]);
    }
}

static rill_status number_blocks(rill_ctx *ctx, extruder *e, level_patches *patches)
{
    size_t vertices = 0, triangles = 0, count = 0;
    for (size_t id = 0; id < e->signs.map.count; id++) {
        flat_block *b = &e->block[id];
        b->first_vertex = (uint32_t)vertices;
        b->first_triangle = (uint32_t)triangles;
        vertices += 2 * (size_t)b->pairs;
        triangles += b->triangles;
        count += b->pairs != 0;
        if (vertices >= UINT32_MAX || triangles >= UINT32_MAX)
            return rill_fail(ctx, RILL_NO_MEMORY,
                             "the surface has more triangles than 32-bit ids can name; use a larger cell");
    }
    TRY(MEM_NEW(ctx, patches->patch, count));
    for (size_t id = 0; id < e->signs.map.count; id++) {
        const flat_block *b = &e->block[id];
        const int32_t *place = e->signs.map.block[id];
        if (b->pairs)
            patches->patch[patches->count++] = (level_patch){{place[0], place[1], place[2]},
                                                             b->first_vertex,
                                                             2 * b->pairs,
                                                             2 * (uint32_t)b->rank[KIND_ACROSS]};
    }
    e->mesh.vertex_count = vertices;
    e->mesh.triangle_count = triangles;
    return RILL_OK;
}

rill_status isocontour_build(rill_ctx *ctx, const level_grid *grid, double thickness, trimesh *out,
                             level_patches *patches)
{
    extruder e = {.grid = grid, .half = thickness / 2};
    level_patches runs = {0};
    rill_status st = level_signs_build(ctx, grid, &e.signs);
    const size_t blocks = e.signs.map.count;
    if (!st) st = MEM_NEW(ctx, e.block, blocks);
    if (!st) parallel_for(ctx, blocks, 16, count_blocks, &e);
    if (!st) st = number_blocks(ctx, &e, &runs);
    if (!st) st = MEM_NEW(ctx, e.mesh.position, e.mesh.vertex_count);
    if (!st) st = MEM_NEW(ctx, e.mesh.triangle, e.mesh.triangle_count);
    if (!st) {
        parallel_for(ctx, blocks, 16, write_blocks, &e);
        *out = trimesh_take(&e.mesh);
        if (patches) {
            *patches = runs;
            runs.patch = NULL;
        }
    }
    trimesh_clear(ctx, &e.mesh);
    mem_free(ctx, runs.patch);
    mem_free(ctx, e.block);
    level_signs_clear(ctx, &e.signs);
    return st;
}
