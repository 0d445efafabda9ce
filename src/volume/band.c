/* The signed distance of a surface in a band around it. */
#include "base/parallel.h"
#include "geom/distance/mesh_distance.h"
#include "volume/volume.h"

#include <stdio.h>

/* Blocks that a triangle comes within the band of. */
static rill_status find_blocks(rill_ctx *ctx, const trimesh *m, int band, volume *v)
{
    for (size_t t = 0; t < m->triangle_count; t++) {
        rill_box b = box_empty();
        for (int k = 0; k < 3; k++) b = box_with(b, m->position[m->triangle[t][k]]);
        const rill_vec3 low = v3_scale(v3_sub(b.min, v->origin), 1 / v->cell),
                        high = v3_scale(v3_sub(b.max, v->origin), 1 / v->cell);
        int32_t from[3], to[3];
        for (int a = 0; a < 3; a++) {
            if (!(fabs(v3_axis(low, a)) < 0x1p28 && fabs(v3_axis(high, a)) < 0x1p28))
                return rill_fail(ctx, RILL_BAD_FILE, "the surface goes too far for a grid of its cells");
            from[a] = (int32_t)floor(v3_axis(low, a) - band) >> 3;
            to[a] = (int32_t)ceil(v3_axis(high, a) + band) >> 3;
        }
        for (int c = from[2]; c <= to[2]; c++)
            for (int y = from[1]; y <= to[1]; y++)
                for (int x = from[0]; x <= to[0]; x++) TRY(block_map_add(ctx, &v->map, x, y, c));
    }
    return block_map_sort(ctx, &v->map);
}

typedef struct {
    const mesh_distance *distance;
    const volume *v;
} job;

static void fill_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const double most = (double)j->v->background;
    for (size_t b = begin; b < end; b++)
        for (int s = 0; s < VOLUME_SAMPLES; s++) {
            const double d = mesh_distance_exact(j->distance, volume_place(j->v, (uint32_t)b, s), NULL);
            j->v->value[b * VOLUME_SAMPLES + (size_t)s] = (float)fmax(fmin(d, most), -most);
        }
}

rill_status volume_of_surface(rill_ctx *ctx, const trimesh *surface, rill_vec3 origin, double cell, int band,
                              volume *out)
{
    volume v = {.origin = origin,
                .cell = cell,
                .dimensions = 3,
                .width = 1,
                .signed_band = true,
                .background = (float)(band * cell)};
    snprintf(v.name, sizeof v.name, "level_set");
    if (surface->triangle_count == 0) {
        *out = v;
        return RILL_OK;
    }
    mesh_distance_def def = mesh_distance_def_default();
    def.resolution = 0;
    def.holes = true;
    job j = {.v = &v};
    mesh_distance *distance = NULL;
    rill_status st = find_blocks(ctx, surface, band, &v);
    if (!st) st = MEM_NEW(ctx, v.value, v.map.count * VOLUME_SAMPLES);
    if (!st) st = mesh_distance_create(ctx, surface, &def, &distance);
    if (!st) {
        j.distance = distance;
        parallel_for(ctx, v.map.count, 1, fill_blocks, &j);
        *out = v;
    } else {
        volume_clear(ctx, &v);
    }
    mesh_distance_destroy(ctx, distance);
    return st;
}
