/* The surface as triangles: the level set of the particles where they are now (or the one
 * the grid carries), on a grid as fine as the scene asks, through the shared isosurface. */
#include "grid/mesh_field.h"
#include "grid/narrow.h"

#include <string.h>

/* Samples along a cell: `surface.cell` is met in whole parts of the grid's own. */
static int samples_of(const rill_scene *scene)
{
    const double parts = 1 / fmax(scene->surface.cell, 0.1);
    return parts < 1.5 ? 1 : (int)floor(parts + 0.5);
}

static rill_status bin(grid *s, const grid_past *past)
{
    grid_core *deep = NULL;
    size_t count = 0;
    if (!grid_narrow(s)) return grid_bin(s, NULL, 0, 3, false);
    TRY(narrow_cores(past, &s->scratch, &deep, &count));
    return grid_bin(s, deep, count, s->band, false);
}

rill_status grid_mesh(const grid *from, trimesh *out)
{
    rill_ctx *ctx = from->sim.ctx;
    trimesh mesh = {0};
    level_grid level = {0};
    level_patches patches = {0};
    if (from->particles.count == 0) {
        *out = mesh;
        return RILL_OK;
    }
    const grid_past past = narrow_past(from);
    grid s = *from; /* its particles, bins and fields of its own */
    const bool carried = from->def.surface == GRID_LEVEL_SET || from->def.surface == GRID_PARTICLE_SET;
    s.core = (block_map){0};
    s.cache.lent = true;
    s.fill = NULL;
    arena_init(&s.scratch, ctx);
    arena_init(&s.sorting, ctx);
    rill_status st = RILL_OK;
    if (!carried) {
        grid_tiles_init(&s.tiles, from->tiles.dimensions, from->h, from->tiles.origin);
        memcpy(s.tiles.low, from->tiles.low, sizeof s.tiles.low);
        memcpy(s.tiles.high, from->tiles.high, sizeof s.tiles.high);
        st = bin(&s, &past);
    }
    if (!st) st = grid_walls(&s, s.sim.time);
    if (!st && grid_narrow(&s)) st = narrow_fill(&s, &past, NULL);
    if (!st && !carried) st = grid_level(&s);
    if (!st) st = grid_fine_level(&s, samples_of(s.sim.scene), !carried, &level);
    if (!st)
        st = s.tiles.dimensions == 2 ? isocontour_build(ctx, &level, s.h, &mesh, &patches)
                                     : isosurface_build(ctx, &level, &mesh, &patches);
    if (!st) st = grid_dress(&s, &level, &patches, &mesh);
    if (!st) *out = trimesh_take(&mesh);

    trimesh_clear(ctx, &mesh);
    mem_free(ctx, patches.patch);
    level_grid_clear(ctx, &level);
    arena_clear(&s.scratch);
    arena_clear(&s.sorting);
    block_map_clear(ctx, &s.core);
    if (!carried) grid_tiles_clear(ctx, &s.tiles);
    return st;
}
