#include "tracker/repair.h"

#include "base/parallel.h"
#include "geom/isosurface.h"
#include "geom/mesh_distance.h"

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

rill_status tracker_repair(rill_ctx *ctx, const trimesh *mesh, double cell, trimesh *out)
{
    const mesh_distance_def def = {.holes = true};
    mesh_distance *shape = NULL;
    level_grid grid = {0};
    rill_status st = mesh_distance_create(ctx, mesh, &def, &shape);
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
    return st;
}
