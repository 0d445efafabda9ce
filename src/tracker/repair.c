#include "tracker/repair.h"

#include "base/parallel.h"
#include "geom/distance/mesh_distance.h"
#include "geom/iso/isosurface.h"

#include <string.h>

enum { MOST_CELLS = 512 };

typedef struct {
    const mesh_distance *shape;
    level_grid *grid;
} sampling;

static void sample_block(void *arg, size_t begin, size_t end, int worker)
{
    const sampling *s = arg;
    level_grid *g = s->grid;
    (void)worker;
    for (size_t b = begin; b < end; b++) {
        const int32_t *at = g->map.block[b];
        g->slot[b] = (uint32_t)b;
        for (int i = 0; i < LEVEL_SAMPLES; i++) {
            const rill_vec3 n =
                v3(8.0 * at[0] + i % 8, 8.0 * at[1] + i / 8 % 8, 8.0 * at[2] + (double)(i / 64));
            g->value[b * LEVEL_SAMPLES + (size_t)i] =
                (float)-mesh_distance_exact(s->shape, v3_madd(g->origin, g->cell, n), NULL);
        }
    }
}

static rill_status sample(rill_ctx *ctx, const mesh_distance *shape, rill_box box, double cell, level_grid *g)
{
    const rill_vec3 size = box_size(box);
    g->cell = cell;
    g->layers = 8;
    g->outside = (float)-cell;
    g->inside = (float)cell;
    /* A grid whose planes are not the mesh's own: values of exactly zero would be common. */
    g->origin = v3_madd(box.min, -2.37 * cell, v3(1, 1.03, 0.97));
    int32_t n[3];
    for (int k = 0; k < 3; k++) n[k] = (int32_t)((v3_axis(size, k) / cell + 6) / LEVEL_BLOCK) + 1;
    for (int32_t z = 0; z < n[2]; z++)
        for (int32_t y = 0; y < n[1]; y++)
            for (int32_t x = 0; x < n[0]; x++) TRY(block_map_add(ctx, &g->map, x, y, z));
    TRY(MEM_NEW(ctx, g->slot, g->map.count));
    TRY(MEM_NEW(ctx, g->value, g->map.count * LEVEL_SAMPLES));
    sampling s = {.shape = shape, .grid = g};
    parallel_for(ctx, g->map.count, 1, sample_block, &s);
    return RILL_OK;
}

static double mean_edge(const trimesh *m)
{
    double sum = 0;
    for (size_t i = 0; i < m->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            sum += v3_distance(m->position[m->triangle[i][k]], m->position[m->triangle[i][(k + 1) % 3]]);
    return m->triangle_count ? sum / (3 * (double)m->triangle_count) : 0;
}

/* ---- turning triangles to agree ---- */

/* Sides of triangles (3 * triangle + place) by edge, and what is known of each triangle. */
typedef struct {
    uint64_t *key, *spare_key; /* [side] lower vertex of its edge, higher one */
    uint32_t *side, *spare_side;
    uint32_t *mate;          /* [side] the other of an edge that has two; UINT32_MAX: none */
    uint32_t *queue;         /* [triangle] */
    uint8_t *known, *turned; /* [triangle] */
} turning;

static void turning_clear(rill_ctx *ctx, turning *a)
{
    mem_free(ctx, a->key);
    mem_free(ctx, a->spare_key);
    mem_free(ctx, a->side);
    mem_free(ctx, a->spare_side);
    mem_free(ctx, a->mate);
    mem_free(ctx, a->queue);
    mem_free(ctx, a->known);
    mem_free(ctx, a->turned);
}

static void side_ends(const trimesh *m, uint32_t side, uint32_t *a, uint32_t *b)
{
    *a = m->triangle[side / 3][side % 3];
    *b = m->triangle[side / 3][(side + 1) % 3];
}

static rill_status find_mates(rill_ctx *ctx, const trimesh *m, turning *a)
{
    const size_t sides = 3 * m->triangle_count;
    for (uint32_t i = 0; i < sides; i++) {
        uint32_t u, v;
        side_ends(m, i, &u, &v);
        a->key[i] = (uint64_t)(u < v ? u : v) << 32 | (u < v ? v : u);
        a->side[i] = i;
        a->mate[i] = UINT32_MAX;
    }
    TRY(sort_by_key(ctx, sides, 64, a->key, a->side, a->spare_key, a->spare_side));
    for (size_t begin = 0, end; begin < sides; begin = end) {
        for (end = begin + 1; end < sides && a->key[end] == a->key[begin];) end++;
        if (end - begin != 2) continue;
        a->mate[a->side[begin]] = a->side[begin + 1];
        a->mate[a->side[begin + 1]] = a->side[begin];
    }
    return RILL_OK;
}

/* The triangles connected to the first; those turned against it are told, and turned back when its own way is
 * that of less area. A surface with one side only gets the way its triangles were found in. */
static void turn_piece(trimesh *m, turning *a, uint32_t first)
{
    size_t begin = 0, end = 0;
    double area[2] = {0};
    a->known[first] = 1;
    a->queue[end++] = first;
    while (begin < end) {
        const uint32_t t = a->queue[begin++], *v = m->triangle[t];
        area[a->turned[t]] += v3_length(v3_cross(v3_sub(m->position[v[1]], m->position[v[0]]),
                                                 v3_sub(m->position[v[2]], m->position[v[0]])));
        for (uint32_t side = 3 * t; side < 3 * t + 3; side++) {
            const uint32_t mate = a->mate[side];
            if (mate == UINT32_MAX || a->known[mate / 3]) continue;
            uint32_t from, to, mate_from, mate_to;
            side_ends(m, side, &from, &to);
            side_ends(m, mate, &mate_from, &mate_to);
            a->known[mate / 3] = 1;
            a->turned[mate / 3] = a->turned[t] ^ (from == mate_from);
            a->queue[end++] = mate / 3;
        }
    }
    const uint8_t wrong = area[1] <= area[0];
    for (size_t i = 0; i < end; i++) {
        uint32_t *v = m->triangle[a->queue[i]], kept = v[1];
        if (a->turned[a->queue[i]] == wrong) v[1] = v[2], v[2] = kept;
    }
}

static rill_status turn_to_agree(rill_ctx *ctx, trimesh *m)
{
    const size_t n = m->triangle_count;
    turning a = {0};
    rill_status st = MEM_NEW(ctx, a.key, 3 * n);
    if (!st) st = MEM_NEW(ctx, a.spare_key, 3 * n);
    if (!st) st = MEM_NEW(ctx, a.side, 3 * n);
    if (!st) st = MEM_NEW(ctx, a.spare_side, 3 * n);
    if (!st) st = MEM_NEW(ctx, a.mate, 3 * n);
    if (!st) st = MEM_NEW(ctx, a.queue, n);
    if (!st) st = MEM_NEW_ZERO(ctx, a.known, n);
    if (!st) st = MEM_NEW_ZERO(ctx, a.turned, n);
    if (!st) st = find_mates(ctx, m, &a);
    for (uint32_t t = 0; !st && t < n; t++)
        if (!a.known[t]) turn_piece(m, &a, t);
    turning_clear(ctx, &a);
    return st;
}

/* ---- the whole ---- */

static rill_status copy_shape(rill_ctx *ctx, const trimesh *from, trimesh *to)
{
    TRY(MEM_NEW(ctx, to->position, from->vertex_count));
    TRY(MEM_NEW(ctx, to->triangle, from->triangle_count));
    memcpy(to->position, from->position, from->vertex_count * sizeof *to->position);
    memcpy(to->triangle, from->triangle, from->triangle_count * sizeof *to->triangle);
    to->vertex_count = from->vertex_count;
    to->triangle_count = from->triangle_count;
    return RILL_OK;
}

rill_status tracker_repair(rill_ctx *ctx, const trimesh *mesh, double cell, trimesh *out)
{
    const mesh_distance_def def = {.holes = true};
    mesh_distance *shape = NULL;
    level_grid grid = {0};
    trimesh turned = {0};
    rill_status st = copy_shape(ctx, mesh, &turned);
    if (!st) st = turn_to_agree(ctx, &turned);
    if (!st) st = mesh_distance_create(ctx, &turned, &def, &shape);
    if (!st) {
        const rill_box box = trimesh_bounds(mesh);
        const rill_vec3 size = box_size(box);
        if (!(cell > 0)) cell = mean_edge(mesh);
        cell = fmax(cell, fmax(size.x, fmax(size.y, size.z)) / MOST_CELLS);
        st = sample(ctx, shape, box, cell, &grid);
    }
    if (!st) st = isosurface_build(ctx, &grid, out, NULL);
    level_grid_clear(ctx, &grid);
    mesh_distance_destroy(ctx, shape);
    trimesh_clear(ctx, &turned);
    return st;
}
